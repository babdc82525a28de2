// Which boxes of its outputs a pipeline can compute from the images that are there.
//
// In: how the entry of the pipeline says what it needs (once for every output alone, without a
// schedule: exact for single points; once for all of them under their schedule, which may ask for
// whole tiles), the images' extents, the whole scalars, what was asked for. Out: for every output
// Func the largest box for which every input has what is read, dimension by dimension: points that
// fit are an interval wherever the region is monotone in them. Dimensions that no input limits are
// as large as usual. Called by: box_choice.cpp.
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
using Boxes = std::vector<Box>;  // one for every output Func, in the order of the results

// By the name of the argument: extents of inputs (their mins are 0), values of whole scalars.
struct Given {
  std::map<std::string, std::vector<int64_t>> inputs;
  std::map<std::string, int64_t> scalars;
};

// An argument that does not hold what is needed of it in one dimension.
struct Lack {
  std::string argument;
  size_t dimension = 0;
  Range needed, there;
  int64_t points() const;
};

// What one entry needs of its arguments for boxes of the outputs.
class Regions {
 public:
  Regions(const ir::PipelineEntry& entry, const Given& given);
  // Empty where a bound cannot be computed.
  std::vector<std::optional<Range>> needed(const ir::EntryArg& arg, const Boxes& boxes);
  // Where the boxes ask for more than there is: of the outputs, and of the inputs where they count.
  std::vector<Lack> lacking(const Boxes& boxes, bool inputs);
  // What the schedule or the user asks of the outputs and does not get, in the words of the entry.
  std::vector<std::string> unmet(const Boxes& boxes);
  // By how many points, over all arguments.
  int64_t excess(const Boxes& boxes, bool inputs);
  // Dimensions that the schedule bounds get those bounds.
  void bound(Boxes& boxes);

  const ir::PipelineEntry& entry() const { return entry_; }
  const Given& given() const { return given_; }
  // Output Funcs; the values of one have one box.
  const std::vector<ir::Symbol>& outputs() const { return outputs_; }
  size_t output_of(const ir::EntryArg& arg) const;

 private:
  void bind(const ir::EntryArg& arg, const Box& box);
  std::optional<int64_t> value(const ir::Expr& e) const;
  const ir::PipelineEntry& entry_;
  const Given& given_;
  std::vector<ir::Symbol> outputs_;
  std::unordered_map<ir::Symbol, int64_t> values_;
};

// What was asked of one output, by dimension; the rest is searched. `usual`: extents where no input
// is a limit.
struct Wish {
  std::vector<std::optional<int64_t>> min, extent;
  std::vector<int64_t> usual;
};

// The largest boxes, or those that came nearest.
struct Found {
  Boxes boxes;
  bool fits = false;
};
// `alone`: the entry of every output by itself. Where inputs do not count (they are padded), every
// box is as large as usual, less what other outputs ask of it.
Found largest_boxes(std::vector<Regions>& alone, Regions& scheduled,
                    const std::vector<Wish>& wishes, bool inputs);

}  // namespace hocket::tools
