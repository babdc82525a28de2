// What the steps from a plan to loop form hand to each other.
//
// In: a sealed plan whose inlined Funcs are already gone (inline_funcs.h). The steps fill this in,
// consumers before producers, since a producer's region follows from its consumers':
//   infer_region   where a Func is needed at the place where it is computed        (region.h)
//   slide          what of that is left over from the iteration before             (slide.h)
//   bind_region    its min and extent as names                                     (bind_region.h)
//   make_nests     loops of every stage, coordinates as expressions over them      (nest.h)
//   place_storage  which box is allocated, and what is folded                      (storage.h)
// then emit() writes the proc (emit.h). Nothing here is shared between compiles.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "analysis/interval.h"
#include "diag/diagnostic.h"
#include "ir/proc.h"
#include "ir/visit.h"
#include "lower/loops/inline_funcs.h"
#include "schedule/dry_run.h"
#include "schedule/plan.h"

namespace hocket::lower::loops {

// A box: one interval per dimension of a Func or input, the user's order.
using Box = std::vector<analysis::Interval>;

struct NestLoop {
  std::string name;  // in the plan
  ir::Symbol var;
  ir::Expr lo, hi;  // half open
  ir::LoopKind kind = ir::LoopKind::Seq;
};

// A split of an output's loop whose last tile is moved inwards, so that the loop has to be as long
// as the tile, or rounded up, so that it has to be a multiple of it.
struct LeastExtent {
  ir::Expr extent;
  schedule::LoopStep step;
  int dim = -1;  // the dimension of the Func that the loop is, -1 for a part of one
};

struct StageNest {
  std::vector<NestLoop> loops;  // outermost first
  // The Func's variables (pure dimensions) and the reduction variables, over the loops. `bounded`
  // is the same, kept inside the region where a guard does so: regions are inferred from it.
  ir::Substitution value, bounded;
  std::vector<ir::Expr> guards;  // of tails: all must hold for an iteration to compute
  // The domain's condition over the loops, undefined where there is none. It holds as it stands
  // only where the guards do.
  ir::Expr where;
  // Extents of loops that are fused: inside, and only there, they are not 0.
  std::vector<ir::Expr> at_least_one;
  std::vector<LeastExtent> least;
};

struct FuncNest {
  const ir::Func* func = nullptr;
  const schedule::FuncPlan* plan = nullptr;
  bool output = false;
  ir::Symbol buffer;
  // The region that the stages' loops cover, at the compute site: min a symbol, extent a symbol or
  // a constant. Outputs: the entry's parameters.
  std::vector<ir::Symbol> min;
  std::vector<ir::Expr> extent;
  // Their values over what is in scope there (outputs: undefined). `whole` leaves sliding out.
  Box needed, whole;
  std::vector<int>
      slides_on;  // per dimension: index into enclosing_loops of the loop it slides on, or -1
  // Per dimension that slides: a loop inside the one it slides on moves it as well, so that it goes
  // back and forth there, and what lies behind the latest values may still be needed.
  std::vector<uint8_t> returns;
  std::vector<StageNest> stages;
  std::vector<ir::Stmt> lets;  // region lets, in order, then extents of fused loops
  ir::Substitution named;      // the values of these extents
  // Storage at the store site: first coordinate and extent per dimension; fold 0 where there is
  // none.
  std::vector<ir::Expr> store_min, store_extent;
  std::vector<int64_t> fold;
  std::vector<ir::Stmt> store_lets;
};

// A buffer that the caller passes, and the parameters that carry its dimensions.
struct EntryBuffer {
  ir::Symbol buffer;
  struct Dim {
    ir::Symbol min, extent, stride;
  };
  std::vector<Dim> dims;
};

struct Lowering {
  const schedule::Plan* sealed = nullptr;  // as it was given, for dry runs of it
  const schedule::DryRun* dry = nullptr;
  bool folds_as_asked = false;

  schedule::Plan plan;
  std::vector<Unused> unused;        // coordinates that went with what is inlined
  std::deque<FuncNest> nests;        // same order as plan.funcs: producers first
  std::vector<EntryBuffer> buffers;  // inputs and outputs
  std::vector<diag::Diagnostic> warnings;
  analysis::Facts facts;  // ranges of every loop, values of every let made so far

  const FuncNest& nest(const ir::Symbol& func) const;
  FuncNest& nest(const ir::Symbol& func);
  const EntryBuffer* find_buffer(const ir::Symbol& s) const;
};

// Fields of buffers (`input.min(x)`) become the parameters that carry them.
ir::Expr bind_fields(const Lowering& l, const ir::Expr& e);

}  // namespace hocket::lower::loops
