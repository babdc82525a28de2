// What holds for every text, however broken: judged by the fuzz test and the fuzzer.
#pragma once

#include <string>

namespace hocket::text::fuzz {

// Reads the text. Empty where all is well, else what is not: a place outside the text, a message
// with a gap, a program that breaks the invariants, or that reads back as another one.
std::string complaint(const std::string& text);

}  // namespace hocket::text::fuzz
