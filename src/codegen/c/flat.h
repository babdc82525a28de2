// Flat form as C text: one-dimensional memory, vectors as vector types of gcc and clang.
#pragma once

#include "codegen/c/body.h"

namespace hocket::codegen {

class FlatBody : public CBody {
 public:
  using CBody::CBody;
  // A window parameter is its struct: data and strides are read from it.
  void set_window(const ir::Symbol& buffer, size_t rank) { windows_[buffer] = rank; }

 protected:
  CText load(const ir::Load& e) override;
  CText field(const ir::BufferField& e) override;
  void alloc(const ir::Alloc& s) override;
  void store(const ir::Store& s) override;
  std::unique_ptr<CBody> for_task(CNames& names) override;
  std::string buffer_field(const ir::Symbol& buffer) override;

 private:
  std::string data(const ir::Symbol& buffer);  // the pointer
  std::string element(const ir::Symbol& buffer, const ir::Expr& index);
  CText loaded(const ir::Symbol& buffer, ir::Type t, const ir::Expr& index,
               const ir::Expr& predicate);

  std::unordered_map<ir::Symbol, size_t> windows_;  // to their rank
};

// In memory: bools are bytes.
std::string c_memory_type(ir::Type t);

}  // namespace hocket::codegen
