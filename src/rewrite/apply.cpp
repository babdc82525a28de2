#include "rewrite/apply.h"

#include "diag/kinds_rewrite.h"
#include "rewrite/registry.h"
#include "support/edit_distance.h"

namespace hocket::rewrite {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

struct Parameter {
  std::string name;
  bool optional = false;
};

std::vector<Parameter> parameters(std::string_view signature) {
  std::vector<Parameter> out;
  size_t i = 0;
  while (i < signature.size()) {
    size_t j = std::min(signature.find(", ", i), signature.size());
    const std::string_view word = signature.substr(i, j - i);
    const size_t eq = word.find('=');
    out.push_back({std::string(word.substr(0, eq)), eq != std::string_view::npos});
    i = j + 2;
  }
  return out;
}

// Positional arguments and keywords by the names of the signature.
Result<void> sort_arguments(Context& c) {
  const std::vector<Parameter> params = parameters(c.signature);
  if (c.step.args.size() > params.size())
    return c.bad_args(std::to_string(c.step.args.size()) + " arguments were given");
  for (size_t i = 0; i < c.step.args.size(); ++i) c.args[params[i].name] = c.step.args[i];
  for (const auto& [key, value] : c.step.keywords) {
    bool known = false;
    for (const Parameter& p : params) known |= p.name == key;
    if (!known) return c.bad_args("it has no argument `" + key + "`");
    if (!c.args.emplace(key, value).second) return c.bad_args("`" + key + "` is given twice");
  }
  for (const Parameter& p : params)
    if (!p.optional && !c.args.count(p.name)) return c.bad_args("`" + p.name + "` is missing");
  return {};
}

}  // namespace

Result<State> apply(const State& state, const TraceStep& step, const Library& library) {
  const Operator* op = find_operator(step.op);
  if (!op) {
    Diagnostic d = Diagnostic(diag::kind::unknown_rewrite, step.place).arg("op", step.op);
    std::vector<std::string> names;
    for (const Operator& o : all_operators()) names.emplace_back(o.name);
    for (const std::string& n : support::close_names(step.op, names))
      d.help("did you mean `" + n + "`?");
    return d;
  }
  Context context(state, step, library, std::string(op->signature));
  HOCKET_CHECK(sort_arguments(context));
  HOCKET_TRY(Change change, op->run(context));
  State next = state;
  next.proc_ = change.proc();
  next.trace_.steps.push_back(step);
  next.trace_.steps.back().verdict = Verdict::Proved;
  next.trace_.steps.back().why = context.judge.how();
  return next;
}

Result<State> replay(const ProcRef& start, const Trace& trace, const Library& library) {
  State state = State::begin(start, trace.name);
  for (const TraceStep& step : trace.steps) {
    HOCKET_TRY(state, apply(state, step, library));
  }
  return state;
}

}  // namespace hocket::rewrite
