// A plan: what a schedule says of an algorithm, with every name resolved.
//
// In: an Algorithm and its Directives, added one by one (draft.h) and sealed together (seal.h).
// Out: per Func where it is computed and stored, per stage its loops and how they were made.
// Read by lower/loops. A plan is data; nothing in it depends on sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "ir/algorithm.h"
#include "ir/schedule.h"
#include "ir/stmt.h"

namespace hocket::schedule {

// One loop of a stage. The name is unique in its stage.
struct Loop {
  std::string name;
  ir::LoopKind kind = ir::LoopKind::Seq;
  bool reduction = false;  // a reduction variable, or made from one
  support::Place place;    // the verb that last changed it
};

// Coordinates have 32 bits: no loop is split by more, and none of them is fused beyond 64.
inline constexpr int64_t kMostIterations = (int64_t{1} << 31) - 1;
inline constexpr int64_t kMostFused = int64_t{1} << 62;
// What is written out one by one.
inline constexpr int64_t kMostLanes = 4096;
inline constexpr int64_t kMostCopies = 16384;

// How loops were made, in the order of the directives.
struct LoopStep {
  enum class Kind { Split, Fuse, Rename } kind = Kind::Split;
  std::string old;                 // Split, Rename: the loop that disappears
  std::string outer, inner;        // Split: the new loops. Fuse: the loops that disappear
  std::string made;                // Fuse, Rename: the new loop
  int64_t factor = 1;              // Split
  ir::Tail tail = ir::Tail::Auto;  // Split; never Auto once sealed
  bool tail_given = true;          // Split; false where the seal chose the tail
  support::Place place;
};

struct StagePlan {
  std::vector<Loop> loops;  // outermost first
  std::vector<LoopStep> steps;
  bool stream = false;  // non-temporal stores
  const Loop* find(std::string_view name) const;
  // The stage's own variables that the loop was made from.
  std::vector<std::string> roots(const std::string& name) const;
  // The last step that took a loop of that name away; null where there was none.
  const LoopStep* end_of(std::string_view name) const;
};

// `loop` is no loop of this stage: labels the step that took it away, if one did.
void label_end(diag::Diagnostic& e, const StagePlan& stage, const std::string& loop);

// Where a Func is computed or stored.
struct Site {
  enum class Kind { Inline, Root, At } kind = Kind::Inline;
  ir::Symbol func;       // At: the loop belongs to this Func ...
  int stage = 0;         // ... in this stage
  std::string loop;      // ... and has this name
  support::Place place;  // the directive, unknown where it is the default
  friend bool operator==(const Site& a, const Site& b) {
    return a.kind == b.kind &&
           (a.kind != Kind::At || (a.func == b.func && a.stage == b.stage && a.loop == b.loop));
  }
};

struct DimBound {
  int dim = 0;
  ir::Expr min, extent;
  support::Place place;
};
struct DimFold {
  int dim = 0;
  int64_t extent = 0;
  support::Place place;
};

struct FuncPlan {
  ir::Symbol func;
  Site compute, store;
  bool store_given = false;  // store_at or store_root was said
  std::vector<StagePlan> stages;
  std::vector<DimBound> bounds;
  std::vector<DimFold> folds;
  std::vector<int> storage_order;  // dimensions, fastest first
  std::string memory;              // empty: chosen by size
  support::Place memory_place;     // the directive
};

struct Plan {
  ir::AlgorithmRef algorithm;
  std::string schedule_name;
  std::vector<FuncPlan> funcs;  // same order as algorithm->funcs
  const FuncPlan& of(const ir::Symbol& func) const;
  FuncPlan& of(const ir::Symbol& func);
};

// How a stage is spoken of: `f`, `f.update(0)`.
std::string spoken(const ir::Symbol& func, int stage);
std::string spoken(const Site& site);

}  // namespace hocket::schedule
