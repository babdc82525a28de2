// The verbs of the command line, one file each.
//
// In: options that CLI11 has read. Out: text on `out`, an exit code, or the diagnostic that says
// why not. Called by: main.cpp and the tests, which call run_command with streams of their own.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <ostream>

#include "diag/result.h"

namespace hocket::tools {

// What a verb gets to work with; its options are bound when the command line is described.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool json = false;  // diagnostics as JSON, one object a line
  void report(const diag::Diagnostic& diagnostic) const;
};
using Verb = std::function<diag::Result<int>(Console&)>;

// Each describes its verb and returns what runs it.
Verb add_run(CLI::App& verb);
Verb add_show(CLI::App& verb);
Verb add_check(CLI::App& verb);
Verb add_bench(CLI::App& verb);
Verb add_compile(CLI::App& verb);
Verb add_explain(CLI::App& verb);
Verb add_fmt(CLI::App& verb);

// Whether a refusal is of the words of the command line (status 2), not of a program or a file.
bool about_command_line(const diag::Diagnostic& refusal);

int run_command(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace hocket::tools
