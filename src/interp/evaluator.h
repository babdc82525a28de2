// What the evaluator knows of each Func; evaluate.h is its door.
//
// evaluate.cpp compiles the definitions and asks points of pure Funcs; realise.cpp computes Funcs
// with updates, slice by slice.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "interp/eval.h"
#include "interp/evaluate.h"
#include "interp/points.h"

namespace hocket::interp {

enum LeafKind { kInput, kFunc };

struct RVarCode {
  uint32_t slot;
  const XNode* min;
  const XNode* extent;
};

struct Stage {
  std::vector<const XNode*> args;  // updates: null where the dimension is pure
  std::vector<const XNode*> values;
  std::vector<RVarCode> vars;
  const XNode* where = nullptr;
  bool bounds_known = false;
  std::vector<int64_t> low, extent;  // of the reduction variables
};

struct Box {
  std::vector<int64_t> low, extent;  // empty vectors with `any` false: nothing
  bool any = false;

  bool contains(const int64_t* p) const {
    if (!any) return false;
    for (size_t d = 0; d < low.size(); ++d) {
      if (static_cast<uint64_t>(p[d]) - static_cast<uint64_t>(low[d]) >=
          static_cast<uint64_t>(extent[d]))
        return false;
    }
    return true;
  }
  __int128 volume() const {
    constexpr __int128 kMany = __int128{1} << 62;  // sides are no longer than that
    __int128 v = any ? 1 : 0;
    for (const int64_t e : extent) v = std::min(v * e, kMany);
    return v;
  }
  size_t cell(const int64_t* p) const {
    size_t at = 0;
    for (size_t d = 0; d < low.size(); ++d)
      at = at * static_cast<size_t>(extent[d]) + static_cast<size_t>(p[d] - low[d]);
    return at;
  }
  // Extends to hold p; says no where a side would not fit 64 bits.
  bool include(const int64_t* p, size_t rank) {
    if (!any) {
      low.assign(p, p + rank);
      extent.assign(rank, 1);
      any = true;
      return true;
    }
    if (contains(p)) return true;
    Box grown = *this;
    for (size_t d = 0; d < rank; ++d) {
      const __int128 lo = std::min<__int128>(low[d], p[d]);
      const __int128 hi = std::max<__int128>(__int128{low[d]} + extent[d] - 1, p[d]);
      if (hi - lo + 1 > (int64_t{1} << 62)) return false;
      grown.low[d] = static_cast<int64_t>(lo);
      grown.extent[d] = static_cast<int64_t>(hi - lo + 1);
    }
    *this = std::move(grown);
    return true;
  }
  std::vector<int64_t> last() const {
    std::vector<int64_t> p = low;
    for (size_t d = 0; d < p.size(); ++d) p[d] += extent[d] - 1;
    return p;
  }
};

// A part of a Func with updates that no update leaves: one coordinate along each dimension that
// every update goes along as it is written, a box along the others (the held ones). Slices do not
// see each other, so that points far apart cost what they need and not the box around them.
struct Slice {
  Box box;                                     // over the held dimensions
  std::vector<Val> cells;                      // [cell * values + value]
  std::vector<std::vector<UpdateStep>> steps;  // [cell * updates + stage - 1]; empty: not kept
  int64_t steps_kept = 0;
};

struct FuncState {
  const ir::Func* func = nullptr;
  uint32_t arg_slot = 0;  // one slot per dimension from here
  size_t rank = 0, values = 1;
  std::vector<Stage> stages;
  // The pure definition, per point.
  PointIndex memo;
  std::vector<std::vector<Val>> memo_value;  // [value][number]
  std::vector<std::vector<uint8_t>> memo_known;
  // Funcs with updates.
  std::vector<size_t> free, held;  // dimensions: fixed in a slice, and the others
  PointIndex slice_of;             // the number of a slice by its free coordinates
  std::deque<Slice> slices;
  Box first;                               // over the held dimensions: what a new slice starts with
  Slice* realising = nullptr;              // the slice whose updates run
  Box read_outside, touched;               // over the held dimensions, by the updates that run
  int64_t cells_kept = 0, steps_kept = 0;  // of all slices

  // The coordinates of a point along `dims`; the memory is used again by the next call.
  const int64_t* along(const std::vector<size_t>& dims, const int64_t* p) {
    for (size_t i = 0; i < dims.size(); ++i) scratch[i] = p[dims[i]];
    return scratch.data();
  }
  std::vector<int64_t> scratch;
};

struct InputState {
  const ir::ImageParam* param = nullptr;
  const Tensor* tensor = nullptr;
};

class Evaluator::Impl : public ExprCompiler {
 public:
  Impl(const ir::Algorithm& algorithm, const EvaluateOptions& options, bool keep_steps)
      : algorithm_(algorithm), options_(options), keep_steps_(keep_steps) {}

  diag::Result<void> bind(const Bindings& bindings, const std::vector<Region>& regions);
  diag::Result<std::vector<Tensor>> outputs(const std::vector<Region>& regions);

  Val call(FuncState& s, size_t value, const int64_t* p);
  Val initial(FuncState& s, size_t value, const int64_t* p);
  void know_bounds(FuncState& s, Stage& stage);
  FuncState& state(const ir::Symbol& func);
  Slice& realise_point(FuncState& s, const int64_t* p);
  Reason reason(uint32_t number) const { return reasons[number]; }

  // Env of eval():
  Val leaf(const XNode* n);
  uint64_t new_epoch() { return ++last_epoch_; }
  Val* slots = nullptr;
  int lane = 0;
  uint64_t epoch = 0;
  CacheCell* cache = nullptr;
  static constexpr bool eager = false;

 protected:
  void leaf(const ir::Expr& e, XNode& n) override;

 private:
  Val execute(const XNode* root);
  void realise(FuncState& s, Slice& slice, const int64_t* p, Box want);
  bool pass(FuncState& s, Slice& slice, const std::vector<int64_t>& at);
  int64_t room(const FuncState& s, const Slice& slice) const;
  [[noreturn]] void too_large(FuncState& s);
  void update(FuncState& s, Slice& slice, size_t stage_number);
  void apply(FuncState& s, Slice& slice, size_t stage_number, int64_t ordinal);
  void tick(FuncState& s);
  diag::Diagnostic poison_at(const FuncState& s, std::span<const int64_t> point,
                             const Reason& r) const;
  [[noreturn]] void stop(diag::Diagnostic d) { throw EvaluationStop{std::move(d)}; }
  uint32_t outside(const XNode* n, const InputState& in, const std::vector<int64_t>& at);

  const ir::Algorithm& algorithm_;
  EvaluateOptions options_;
  bool keep_steps_;
  std::deque<FuncState> funcs_;
  std::vector<InputState> inputs_;
  std::unordered_map<ir::Symbol, uint32_t> func_number_, input_number_;
  std::unordered_map<ir::Symbol, uint32_t> slot_;  // of the Func whose stages are being compiled
  std::unordered_map<ir::Symbol, ir::Scalar> param_;
  std::unordered_map<ir::Symbol, Region> output_region_;
  std::vector<Val> slot_values_;
  std::vector<CacheCell> cache_cells_;
  uint64_t last_epoch_ = 0;
  int64_t steps_left_ = 0;
  size_t dynamic_reasons_ = 0;
};

}  // namespace hocket::interp
