// The boxes of a pipeline's outputs, from what the command line and the images say.
//
// In: the words of --output-size and --output-min (`640x480` for every output, `g=640x480` for
// one), the images' extents, whether images are padded. Out: one box for every output Func, or
// D0107 with what is needed and what is there, and words that work instead. Called by: run.cpp.
#pragma once

#include "tools/output_box.h"
#include "tools/program.h"

namespace hocket::tools {

struct BoxWords {
  std::vector<std::string> size, min;
  bool pad = false;
};

// `picture`: width, height and channels of the first image; empty where there is none.
diag::Result<Boxes> choose_boxes(const Program& program, const ir::PipelineEntry& entry,
                                 const Given& given, const std::vector<int64_t>& picture,
                                 const BoxWords& words);

}  // namespace hocket::tools
