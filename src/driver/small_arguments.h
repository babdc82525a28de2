// The arguments of a small run of a pipeline: boxes that its entry accepts, as far as there are
// some.
//
// In: an entry, extents that somebody wants the outputs to have, a plan whose `bound`s count. Out:
// tensors without values, inputs exactly as large as needed, and parameters at their defaults or
// the ends of their ranges. Called by: small_run.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/evaluate.h"
#include "interp/value.h"
#include "ir/proc.h"
#include "schedule/plan.h"

namespace hocket::driver {

class SmallArguments {
 public:
  explicit SmallArguments(const ir::PipelineEntry& entry);

  // Outputs of these extents, by dimension (fewer are repeated), with mins 0; those that `plan`
  // bounds have those regions. With `grow` an output that would be refused as too small is as large
  // as it must be, one of which the entry fixes a region has that one, and others that read it lie
  // where it has what they read. Says why where there are none: a region that cannot be computed.
  std::string outputs(const std::vector<int64_t>& extents, const schedule::Plan* plan, bool grow);
  // Then the inputs: what the outputs make of them.
  std::string inputs();

  // In the order of the entry.
  std::vector<interp::Tensor>& tensors() { return tensors_; }
  const std::vector<ir::Scalar>& scalars() const { return scalars_; }

 private:
  std::optional<int64_t> value(const ir::Expr& e) const;
  void place(size_t argument, std::vector<int64_t> mins, std::vector<int64_t> sizes);
  void bound_by_plan(size_t argument, const schedule::Plan& plan);
  std::string grown();
  bool fixed_by_entry();
  void fit_to_fixed();
  void yield_to(const ir::Expr& end, size_t fixed, int64_t move, int64_t shrink);
  // The box that the entry asks of an argument; why not, where it cannot be had.
  std::string needed(const ir::EntryArg& arg, std::vector<int64_t>& mins,
                     std::vector<int64_t>& sizes) const;

  const ir::PipelineEntry& entry_;
  analysis::SymbolValues values_;  // of the parameters
  std::vector<interp::Tensor> tensors_;
  std::vector<ir::Scalar> scalars_;
};

}  // namespace hocket::driver
