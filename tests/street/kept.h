// What the fuzzers keep, read again.
//
// In: the text of a file. Its first line says what is to come out, `# expect: agree` or
// `# expect: refused R0201`; it holds a pipeline with a schedule and
// `# outputs: [ min+extent ... ] data N`, or procedures with a trace and `# sizes: [ ... ] data N`.
// Out: the case, or what is wrong with the text. Used by: street_kept.
#pragma once

#include <string>
#include <variant>

#include "judge.h"
#include "judge_program.h"

namespace hocket::street {

struct Kept {
  std::string expected;  // `agree`
  std::variant<Case, ProgramCase> value;
  std::string wrong;  // why it is not read; empty where it is
};

Kept read_kept(const std::string& text);

}  // namespace hocket::street
