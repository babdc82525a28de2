// Turns a diagnostic into words: text for people, JSON for programs.
// In: a Diagnostic. Out: text that ends with a line end, or one JSON object. The look is that of
// docs/errors/README.md; meaning never rests on colour alone, so there is none. Called by: tools,
// api (exceptions), python, tests.
#pragma once

#include <string>

#include "diag/diagnostic.h"

namespace hocket::diag {

// At most this many lines of a loop nest and this many fixes are shown.
inline constexpr int kNestLines = 15;
inline constexpr int kHelps = 5;

std::string render_text(const Diagnostic& diagnostic);

// {code, kind, severity, category, message, args, place, labels, context, nest, witness, helps,
// notes}; parts without content are left out. Two spaces a level where `pretty`.
std::string render_json(const Diagnostic& diagnostic, bool pretty = false);

}  // namespace hocket::diag
