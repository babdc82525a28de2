#include "rewrite/state.h"

namespace hocket::rewrite {

using namespace ir;

ProcRef Library::find(std::string_view name) const {
  for (size_t i = procs.size(); i-- > 0;)
    if (procs[i]->name() == name) return procs[i];
  return {};
}

std::vector<std::string> Library::names() const {
  std::vector<std::string> out;
  for (const ProcRef& p : procs) out.push_back(p->name());
  return out;
}

State State::begin(ProcRef proc, std::string trace_name) {
  State s;
  s.trace_.name = std::move(trace_name);
  s.trace_.proc = proc->name();
  s.proc_ = std::move(proc);
  return s;
}

bool State::allowed(std::string_view what, std::string_view name) const {
  // By position or by name, as the operator takes them.
  auto argument = [](const TraceStep& s, size_t at, std::string_view keyword) -> std::string_view {
    if (at < s.args.size()) return s.args[at].text;
    for (const auto& [key, value] : s.keywords)
      if (key == keyword) return value.text;
    return "_";
  };
  for (const TraceStep& s : trace_.steps) {
    if (s.op != "allow" || argument(s, 0, "what") != what) continue;
    const std::string_view of = argument(s, 1, "name");
    if (of == "_" || of == name) return true;
  }
  return false;
}

}  // namespace hocket::rewrite
