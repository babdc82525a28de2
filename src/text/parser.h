// The front door of text: whole .hk files.
//
// In: the text of a file and what other files define. Out: pipelines, schedules, procs and traces
// as ir data, in the order of the file, or the first diagnostic (P0xxx). Never crashes, whatever
// the text. Called by: driver, api, rewrite's tests, tools.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/proc.h"
#include "ir/read/lexer.h"
#include "ir/schedule.h"
#include "ir/trace.h"

namespace hocket::text {

struct Item {
  std::variant<ir::AlgorithmRef, ir::Schedule, ir::ProcRef, ir::Trace> value;
  support::Place place;
};

struct File {
  std::string name;
  std::string source;  // as it was written; the formatter works on it
  std::vector<Item> items;
  std::vector<ir::read::Comment> comments;

  // By name; null where there is none.
  ir::AlgorithmRef pipeline(std::string_view name) const;
  const ir::Schedule* schedule(std::string_view name) const;
  ir::ProcRef proc(std::string_view name) const;
  const ir::Trace* trace(std::string_view name) const;
  std::vector<ir::AlgorithmRef> pipelines() const;
  std::vector<ir::ProcRef> procs() const;
};

// What the text may refer to beside itself: procs to call (a target's instructions), pipelines that
// schedules are for. A later one hides an earlier one of the same name.
struct Known {
  std::vector<ir::AlgorithmRef> pipelines;
  std::vector<ir::ProcRef> procs;
};

diag::Result<File> parse(std::string_view source, std::string file_name, const Known& known = {});

// Every item printed from its ir, in order, with an empty line between them.
std::string to_text(const File& file);

}  // namespace hocket::text
