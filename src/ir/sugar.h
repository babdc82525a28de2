// Definitions that both front ends (api, text) write for the user, so that they are the same.
#pragma once

#include <string>

#include "ir/algorithm.h"
#include "support/source.h"

namespace hocket::ir {

// A Func over the image's dimensions that repeats its border everywhere outside:
// image(min(max(x, min), min + extent - 1), ...).
Func repeat_edge(const ImageParam& image, std::string name, support::Place place = {});

}  // namespace hocket::ir
