// The C texts that instructions bring along.
// In: a proc. Out: the words that the templates and `global` texts of the instructions it reaches
// use for themselves: nothing else of the file may be called so, or a template would take it for
// its own. Called by source.cpp.
#pragma once

#include <string>
#include <unordered_set>

#include "ir/proc.h"

namespace hocket::codegen {

void add_template_words(const ir::Proc& proc, std::unordered_set<std::string>& words);

}  // namespace hocket::codegen
