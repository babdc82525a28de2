// The door of loop programs: nothing is run, timed or written that is known to go wrong.
//
// In: a program with its trace. Out: the source to compile, the trace applied, judged by the same
// claims as in `hocket check`; what is refuted is said and nothing comes out, what is unknown is a
// warning, or a refusal where --strict was given. Pipelines pass: their rules are judged when they
// are compiled. `code` gets that of the first refusal. Called by: run, bench, compile.
#pragma once

#include <optional>

#include "tools/program.h"
#include "tools/verbs.h"

namespace hocket::tools {

diag::Result<std::optional<driver::Source>> judged(const driver::Source& source,
                                                   const driver::Options& options, bool strict,
                                                   const Console& console,
                                                   std::string* code = nullptr);
void add_strict_option(CLI::App& verb, bool& strict);

}  // namespace hocket::tools
