// The source line of a C++ place, read from its file when a refusal is shown.
// In: a Place that came from a std::source_location. Out: the same place with the text of its line
// and the columns of the verb at fault, or unchanged where no line is certain. Called by: the
// renderers, so a refusal that nobody shows reads no file.
//
// A wrong line is worse than none, so a line is shown only where all of this holds:
//  1. the path names a regular file that can be read. A relative path counts from the folder of the
//     program (or shared library) that holds the call, then from those above it: build tools run
//     compilers in one of them;
//  2. the file is not newer than that program: text edited after the build is not what was
//  compiled;
//  3. something stands at the column that the compiler gave.
// Carets stand under the word there, where there is one.
#pragma once

#include "support/source.h"

namespace hocket::diag {

support::Place with_source_line(support::Place place);

}  // namespace hocket::diag
