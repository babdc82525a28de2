// Schedules: how a pipeline is organised, as an ordered list of directives that is only data.
//
// A directive names Funcs, stages and loops by their spoken names, so that a schedule outlives the
// algorithm it was written for; `schedule/` resolves the names once and judges it. A stage's loops
// start as its dimensions (pure arguments, then reduction variables); split, tile and fuse make
// new names, which must be unique within the stage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/expr.h"
#include "support/source.h"

namespace hocket::ir {

enum class Verb : uint8_t {
  Split,      // split(x, xo, xi, factor[, tail])
  Fuse,       // fuse(inner, outer, fused)
  Tile,       // tile(x, y, [xo, yo,] xi, yi, fx, fy[, tail])
  Reorder,    // reorder(innermost, ..., outermost)
  Rename,     // rename(x, x2)
  Serial,     // serial(x)
  Parallel,   // parallel(x[, factor[, tail]])
  Vectorize,  // vectorize(x[, factor[, tail]])
  Unroll,     // unroll(x[, factor[, tail]])
  ComputeRoot,
  ComputeAt,  // compute_at(func, x)
  ComputeInline,
  StoreRoot,
  StoreAt,         // store_at(func, x)
  Bound,           // bound(x, min, extent): the realised region, checked at entry
  FoldStorage,     // fold_storage(x, extent)
  ReorderStorage,  // reorder_storage(fastest, ..., slowest)
  StoreIn,         // store_in(memory)
  StreamStores,    // stream_stores(): non-temporal stores of this stage
};

enum class Tail : uint8_t { Auto, RoundUp, Guard, ShiftInwards };

// The text spellings: `compute_at`, `shift_inwards`, ...
const char* spelling(Verb verb);
const char* spelling(Tail tail);

struct Directive {
  std::string func;  // the Func it is said of
  int stage = 0;     // 0: pure definition; k: update(k - 1)
  Verb verb = Verb::Split;
  std::vector<std::string> names;  // loops in the order of the verb; for compute_at and store_at:
                                   // the consumer Func, then its loop
  int site_stage = 0;              // compute_at, store_at: stage of the consumer (update(k - 1))
  std::vector<int64_t> factors;    // split factors, fold extents
  std::vector<Expr> exprs;         // bound: min, extent
  Tail tail = Tail::Auto;
  support::Place place;  // where the user wrote it
};

struct Schedule {
  std::string name;
  std::string pipeline;  // the algorithm it is written for
  std::vector<Directive> directives;
  support::Place place;
};

}  // namespace hocket::ir
