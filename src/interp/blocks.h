// Blocks: does every store compute the point it says, and does every update make each of its steps
// once, in an order that is legal?
//
// In: an algorithm with its evaluator, the block headers and tags that the machine meets. Out: the
// new tag of the cell, or a finding. A tag names the point a cell holds and how far its updates
// have come; it travels with plain copies, so a point may be computed in a register, a staged tile
// or an instruction's buffer. A step on a point that lacks steps of an earlier stage is no error
// yet: each stage rounds its own loops up, so points beyond what is needed come half-made. The
// point is marked short, and that is a finding where an output holds it; what is made of it
// elsewhere has a wrong value, which is compared there. Called by: machine.h alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "interp/finding.h"
#include "interp/memory.h"
#include "interp/points.h"
#include "interp/run.h"

namespace hocket::interp {

class BlockJudge {
 public:
  BlockJudge(const BlockCheck& check, Evaluator& evaluator);

  // A store of the pure definition of func at point; `stored` may be poison. `sources` are the tags
  // of the cell written (first) and of the cells that the value was read from. Fills in the
  // finding's block fields where it returns false.
  bool pure(uint32_t func, std::span<const int64_t> point, Val stored, std::span<const Tag> sources,
            Tag* tag, Finding* finding);
  // The same of a store of update stage `stage`.
  bool step(uint32_t func, int stage, std::span<const int64_t> point,
            std::span<const int64_t> reduction, Val stored, std::span<const Tag> sources, Tag* tag,
            Finding* finding);
  // Is the cell's point complete: all steps of all stages? False with the step that is missing.
  bool complete(const Tag& tag, Finding* finding);
  // False below a reassociated Func.
  bool compared(const ir::Symbol& func) const;

 private:
  struct FuncInfo {
    const ir::Func* func = nullptr;
    PointIndex points;
    std::vector<uint32_t> number;       // of the tag, per point
    std::vector<uint8_t> commutes;      // per stage
    std::vector<uint8_t> reads_itself;  // per stage, at the point it writes
    bool compared = true;               // no reassociated Func below it
  };
  struct Point {
    uint32_t func, index;
  };
  struct StepSet {
    std::vector<uint64_t> bits;
    uint32_t count = 0;
  };

  uint32_t number(uint32_t func, std::span<const int64_t> point);
  // States: n < kSets means the first n steps; else a set of steps.
  static constexpr uint32_t kSets = 0x80000000u;
  bool has(uint32_t state, uint32_t step) const;
  uint32_t count(uint32_t state) const;
  uint32_t with(uint32_t state, uint32_t step);
  bool stages_done(uint32_t func, const std::vector<int64_t>& point, int from, uint32_t state,
                   int to, Finding* finding);
  Tag short_of(uint32_t point, const Finding& missing);
  void inherit_short(std::span<const Tag> sources, Tag* tag) const;
  bool from_short(uint32_t func, int stage, std::span<const Tag> sources, Finding* missing);
  bool same_as_any(const ir::Func& f, Val stored, const std::vector<ir::Scalar>& values) const;

  Evaluator& evaluator_;
  std::vector<FuncInfo> funcs_;
  std::vector<Point> points_{{0, 0}, {0, 0}};  // numbers 0 and 1 are no points
  std::vector<StepSet> sets_;
  std::vector<Finding> short_of_;                 // what the points of Tag::kShort lack
  std::unordered_map<uint64_t, uint32_t> after_;  // (state, step) -> state
};

}  // namespace hocket::interp
