// Which box of its outputs a pipeline can compute from the images that are there.
//
// In: how the entry of the pipeline says what it needs (once without a schedule: exact for single
// points; once under its schedule, which may ask for whole tiles), the images' extents, the whole
// scalars. Out: the largest box for which every input has what is read, dimension by dimension:
// points that fit are an interval wherever the region is monotone in them. Dimensions that no input
// limits are as large as usual. Called by: run.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/proc.h"

namespace hocket::tools {

struct Range {
  int64_t min = 0, max = -1;
};

struct Box {
  std::vector<int64_t> min, extent;
  size_t rank() const { return min.size(); }
};

// By the name of the argument: extents of inputs (their mins are 0), values of whole scalars.
struct Given {
  std::map<std::string, std::vector<int64_t>> inputs;
  std::map<std::string, int64_t> scalars;
};

// What one entry needs of its arguments for a box of the outputs.
class Regions {
 public:
  Regions(const ir::PipelineEntry& entry, const Given& given);
  // Empty where a bound cannot be computed.
  std::vector<std::optional<Range>> needed(const ir::EntryArg& arg, const Box& box);
  // By how many points the box asks for more than there is, over all arguments.
  int64_t excess(const Box& box, bool inputs);
  // Dimensions that the schedule bounds get those bounds.
  void bound(Box& box);

  const ir::PipelineEntry& entry() const { return entry_; }
  const Given& given() const { return given_; }

 private:
  void bind(const ir::EntryArg& arg, const Box& box);
  std::optional<int64_t> value(const ir::Expr& e) const;
  const ir::PipelineEntry& entry_;
  const Given& given_;
  std::unordered_map<ir::Symbol, int64_t> values_;
};

// `fixed`: nothing is searched in dimensions where the box is given already (extent above 0).
std::optional<Box> largest_box(Regions& plain, Regions& scheduled, const Box& fixed,
                               const std::vector<int64_t>& usual);

}  // namespace hocket::tools
