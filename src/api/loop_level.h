// A place in the loops of other Funcs, as a value: f.compute_at(LoopLevel(g, x)).
//
// In: a Func or one of its updates and a loop of it; or root, or inlined. Out: what compute_at and
// store_at take. The loop's name is judged at the seal. Used by: users; Func.
#pragma once

#include <optional>

#include "api/expr.h"

namespace hocket {

class Stage;
namespace api {
struct FuncContents;
}

class LoopLevel {
 public:
  enum class Kind : uint8_t { Inlined, Root, At };
  LoopLevel(const Stage& consumer, Loop loop);
  static LoopLevel root() { return LoopLevel(Kind::Root); }
  static LoopLevel inlined() { return LoopLevel(Kind::Inlined); }

  Kind kind() const { return kind_; }
  bool is_root() const { return kind_ == Kind::Root; }
  bool is_inlined() const { return kind_ == Kind::Inlined; }
  Stage stage() const;                         // At
  const Loop& loop() const { return *loop_; }  // At

 private:
  explicit LoopLevel(Kind kind) : kind_(kind) {}
  Kind kind_;
  support::Ref<api::FuncContents> consumer_;
  int stage_ = 0;
  std::optional<Loop> loop_;
};

}  // namespace hocket
