// The front door of rewriting: one step, or a whole trace.
//
// In: a state and a step as data (operator name and literal arguments). Out: the next state, whose
// trace has the step with its verdict and what proved it; or a diagnostic: malformed (R00xx),
// refuted with a witness that the interpreter replayed (R02xx), unknown with the missing fact
// (R03xx). Called by: driver, api, tools.
#pragma once

#include "rewrite/state.h"

namespace hocket::rewrite {

diag::Result<State> apply(const State& state, const ir::TraceStep& step, const Library& library);
diag::Result<State> replay(const ir::ProcRef& start, const ir::Trace& trace,
                           const Library& library);

// The procs of the library that the steps name, each once: beside the proc itself they are what a
// text has to hold for the trace to be read back and replayed.
std::vector<ir::ProcRef> named_procs(const ir::Trace& trace, const Library& library);

}  // namespace hocket::rewrite
