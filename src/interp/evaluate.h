// The algorithm's own definition, executed: what every schedule must agree with.
//
// In: an Algorithm, its inputs and parameters, the regions wanted of the outputs. Out: one tensor
// per output value, or the reason why some wanted point has no value. Nothing of schedules, storage
// or order enters: pure Funcs are computed on demand and remembered per point; a Func with updates
// is computed over the points that are asked of it (evaluator.h, Slice), its updates in order, each
// over its reduction domain in lexicographic order (last variable outermost).
// Called by: blocks.h, driver/small_run, and the tests of everything that transforms programs.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diag/result.h"
#include "interp/value.h"
#include "ir/algorithm.h"

namespace hocket::interp {

// Values for inputs and parameters, by symbol or by spoken name.
class Bindings {
 public:
  Bindings& image(const ir::Symbol& input, Tensor tensor);
  Bindings& image(std::string name, Tensor tensor);
  Bindings& scalar(const ir::Symbol& param, const ir::Scalar& value);
  Bindings& scalar(std::string name, const ir::Scalar& value);

  // Null where nothing was bound.
  const Tensor* find_image(const ir::Symbol& input) const;
  const ir::Scalar* find_scalar(const ir::Symbol& param) const;

 private:
  struct Entry {
    ir::Symbol symbol;  // undefined: bound by name
    std::string name;
    std::shared_ptr<const Tensor> tensor;
    ir::Scalar scalar;
  };
  const Entry* find(const ir::Symbol& s, bool image) const;
  std::vector<Entry> entries_;
};

// The box of a Func that is wanted, in the user's order of dimensions.
struct Region {
  std::vector<int64_t> mins, extents;
};

struct EvaluateOptions {
  bool poison_is_error = true;                  // false: poison stays in the tensors
  int64_t step_limit = int64_t{1} << 36;        // points and update steps executed
  int64_t cell_limit = int64_t{1} << 25;        // points held of one Func with updates
  int64_t steps_kept_limit = int64_t{1} << 24;  // update steps remembered of one Func
};

// One tensor per value of each output, in the order of `algorithm.outputs`; regions likewise, one
// per output.
diag::Result<std::vector<Tensor>> evaluate(const ir::Algorithm& algorithm, const Bindings& bindings,
                                           const std::vector<Region>& regions,
                                           const EvaluateOptions& options = {});

// One application of an update to a point.
struct UpdateStep {
  int64_t ordinal = 0;             // position of the reduction coordinates in the domain's box
  std::vector<ir::Scalar> values;  // the point's values after it, one per value of the Func
};

// The same, point by point, for the interpreter's comparison of blocks. Functions throw
// EvaluationStop where the evaluation cannot go on (limits, poison in a reduction's bounds).
class Evaluator {
 public:
  // `keep_steps` remembers every update step (steps_of). `regions` as in evaluate; may be empty
  // where no output's BufferField is read.
  static diag::Result<std::unique_ptr<Evaluator>> make(const ir::Algorithm& algorithm,
                                                       const Bindings& bindings,
                                                       const std::vector<Region>& regions,
                                                       const EvaluateOptions& options,
                                                       bool keep_steps);
  ~Evaluator();

  // The final value of a Func at a point.
  ir::Scalar value(const ir::Symbol& func, int value_index, const std::vector<int64_t>& point);
  // Its value before any update.
  ir::Scalar initial(const ir::Symbol& func, int value_index, const std::vector<int64_t>& point);
  // The steps of update stage `stage` (1 is update(0)) at a point, in the order of the definition.
  // The reference holds until another point is asked for.
  const std::vector<UpdateStep>& steps_of(const ir::Symbol& func, int stage,
                                          const std::vector<int64_t>& point);
  // The ordinal of reduction coordinates, -1 outside the domain's box; and back.
  int64_t ordinal_of(const ir::Symbol& func, int stage, const std::vector<int64_t>& reduction);
  std::vector<int64_t> reduction_of(const ir::Symbol& func, int stage, int64_t ordinal);

 private:
  friend diag::Result<std::vector<Tensor>> evaluate(const ir::Algorithm&, const Bindings&,
                                                    const std::vector<Region>&,
                                                    const EvaluateOptions&);
  class Impl;
  explicit Evaluator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct EvaluationStop {
  diag::Diagnostic diagnostic;
};

}  // namespace hocket::interp
