// Programs and traces as text for the tests of this room, and the comparison of two programs by the
// interpreter: the same outputs, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/proc.h"
#include "rewrite/apply.h"
#include "text/parser.h"

namespace hocket::rewrite::testing {

// Parses; a refusal fails the test.
text::File parse(const std::string& source);

struct Applied {
  ir::ProcRef before, after;
  std::string text;  // of the proc after it, without those that it calls
  ir::Trace trace;
};
// The last trace of the file on its proc, with every proc of the file as the library.
diag::Result<Applied> replay_file(const text::File& file);
Applied applied(const std::string& source);
// The refusal of the trace; fails the test where it is applied.
diag::Diagnostic refused(const std::string& source);
// A step from its text: `split(i, 8, [io, ii])`.
ir::TraceStep step(const std::string& text);

// `sizes`: values for Size and Index parameters, in order. Empty where both agree.
std::string difference(const ir::Proc& before, const ir::Proc& after,
                       const std::vector<int64_t>& sizes, uint64_t seed = 1);
// At sizes 1, tails and primes.
void expect_same(const Applied& a, const std::vector<std::vector<int64_t>>& sizes);

}  // namespace hocket::rewrite::testing
