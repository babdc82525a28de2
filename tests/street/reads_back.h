// What is wrong with the text of a program: it is not read back, or as another one. Empty: nothing.
#pragma once

#include <string>

#include "diag/render.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "text/parser.h"

namespace hocket::street {

inline std::string not_read_back(const ir::Proc& proc) {
  const std::string printed = ir::to_text(proc);
  const auto again = text::parse(printed, "printed.hk");
  if (!again) return "text: " + diag::render_text(again.error()) + printed;
  const auto procs = again->procs();
  if (procs.size() == 1 && ir::equal(*procs[0], proc)) return "";
  return "text: another proc is read\n" + printed;
}

inline std::string not_read_back(const ir::Algorithm& algorithm, const ir::Schedule& schedule) {
  const std::string printed = ir::to_text(algorithm) + "\n" + ir::to_text(schedule);
  const auto again = text::parse(printed, "printed.hk");
  if (!again) return "text: " + diag::render_text(again.error()) + printed;
  const auto pipelines = again->pipelines();
  // Loops are named in a schedule, so that its text says what it is.
  if (pipelines.size() == 1 && ir::equal(*pipelines[0], algorithm) &&
      text::to_text(*again) == printed)
    return "";
  return "text: another pipeline is read\n" + printed;
}

}  // namespace hocket::street
