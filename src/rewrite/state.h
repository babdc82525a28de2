// A program under rewriting: the proc as it is now and the steps that led there.
//
// In: a proc in loop form. Out: after each step another state; a step that is refused leaves no
// state behind. Only apply.h makes states, from changes that the judge (kernel/judge.h) accepted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"
#include "ir/trace.h"

namespace hocket::rewrite {

// Procs that steps may name: instructions of a target, procs of the same file.
struct Library {
  std::vector<ir::ProcRef> procs;
  ir::ProcRef find(std::string_view name) const;  // the last one of that name, or null
  std::vector<std::string> names() const;
};

class State {
 public:
  static State begin(ir::ProcRef proc, std::string trace_name = "trace");

  const ir::ProcRef& proc() const { return proc_; }
  const ir::Trace& trace() const { return trace_; }
  // Whether `allow(what, name)` was said; `_` allows it for every name.
  bool allowed(std::string_view what, std::string_view name) const;

 private:
  friend diag::Result<State> apply(const State& state, const ir::TraceStep& step,
                                   const Library& library);
  ir::ProcRef proc_;
  ir::Trace trace_;
};

}  // namespace hocket::rewrite
