// Which program a command is about: a file, one of its programs, one of its schedules.
//
// In: options common to the verbs. Out: the parsed file and a driver::Source. Called by: every verb
// that takes a .hk file.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diag/result.h"
#include "driver/compile.h"
#include "rewrite/state.h"
#include "text/parser.h"

namespace hocket::tools {

struct ProgramOptions {
  std::string file;
  std::string program;   // empty: the only one of the file
  std::string schedule;  // empty: the default schedule
  std::string trace;     // loop programs: replayed before anything else is done
  std::string target = "host";
  bool verify = false;  // behind every pass
};
// --program, --schedule, --trace, --target, --verify and the file itself.
void add_program_options(CLI::App& verb, ProgramOptions& options);

struct Program {
  text::File file;
  driver::Source source;
  driver::Options options;
  std::string name, schedule;
  bool is_pipeline() const { return source.algorithm != nullptr; }
};

diag::Result<std::string> read_text(const std::string& path);
diag::Result<text::File> load_file(const std::string& path);
// The loop program after the steps of a trace, each proved again; the trace comes back with its
// verdicts.
diag::Result<rewrite::State> replay_trace(const text::File& file, const ir::ProcRef& proc,
                                          const ir::Trace& trace);
// The instructions of targets/ and the procs of the file: what calls and traces may name.
diag::Result<std::vector<ir::ProcRef>> library_of(const text::File& file);
diag::Result<Program> load_program(const ProgramOptions& options);
// The names of the programs that the words are about: one, or all of the file.
diag::Result<std::vector<std::string>> programs_meant(const ProgramOptions& options);

// The refusal of a number below the least that an option takes.
diag::Result<void> at_least(const std::string& option, int64_t value, int64_t least);

// The refusal for a word that is not in a list, with the nearest one.
diag::Diagnostic unknown_word(const std::string& what, const std::string& word,
                              const std::vector<std::string>& known);

}  // namespace hocket::tools
