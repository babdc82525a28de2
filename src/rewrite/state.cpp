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
  for (const TraceStep& s : trace_.steps) {
    if (s.op != "allow" || s.args.empty() || s.args[0].text != what) continue;
    if (s.args.size() < 2 || s.args[1].text == "_" || s.args[1].text == name) return true;
  }
  return false;
}

}  // namespace hocket::rewrite
