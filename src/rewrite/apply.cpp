#include "rewrite/apply.h"

#include <algorithm>

#include "diag/kinds_rewrite.h"
#include "ir/words.h"
#include "rewrite/registry.h"
#include "support/edit_distance.h"

namespace hocket::rewrite {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

struct Parameter {
  std::string name;
  ParameterKind kind;
  bool optional = false;
};

std::vector<Parameter> parameters(const Operator& op) {
  const std::string_view signature = op.signature;
  std::vector<Parameter> out;
  size_t i = 0;
  while (i < signature.size()) {
    size_t j = std::min(signature.find(", ", i), signature.size());
    const std::string_view word = signature.substr(i, j - i);
    const size_t eq = word.find('=');
    out.push_back(
        {std::string(word.substr(0, eq)), op.kinds[out.size()], eq != std::string_view::npos});
    i = j + 2;
  }
  return out;
}

bool is_word(const Literal& l) {
  return (l.kind == Literal::Kind::Name || l.kind == Literal::Kind::String) && !l.text.empty();
}
bool is_new_name(const Literal& l) {
  return is_word(l) && is_identifier(l.text);
}
bool is_number(const Literal& l) {
  return l.kind == Literal::Kind::Int;
}
bool is_list(const Literal& l, bool (*of)(const Literal&)) {
  return l.kind == Literal::Kind::List && std::all_of(l.items.begin(), l.items.end(), of);
}

// What is wanted where this is something else; empty where it is not.
std::string wanted(ParameterKind kind, const Literal& l) {
  switch (kind) {
    case ParameterKind::Number:
      return is_number(l) ? "" : "a number";
    case ParameterKind::Numbers:
      return is_list(l, is_number) ? "" : "a list of numbers";
    case ParameterKind::Flag:
      return l.kind == Literal::Kind::Bool ? "" : "`True` or `False`";
    case ParameterKind::Tail:
    case ParameterKind::Name:
    case ParameterKind::Callee:
    case ParameterKind::Element:
      return is_word(l) ? "" : "a name";
    case ParameterKind::New:
      return is_new_name(l) ? "" : "a new name, of letters, digits and `_`";
    case ParameterKind::Names:
      return is_list(l, is_new_name) ? "" : "a list of new names, of letters, digits and `_`";
    case ParameterKind::Index:
      return is_word(l) || is_number(l) ? "" : "an index";
    case ParameterKind::Window:
      return is_word(l) ? "" : "a window in quotes, such as \"A[0:8, j]\"";
    case ParameterKind::Block:
      return is_word(l) || is_list(l, is_word) ? "" : "a pattern, or a list of two";
    default:
      return is_word(l) ? "" : "a pattern";
  }
}

// Positional arguments and keywords by the names of the signature.
Result<void> sort_arguments(Context& c, const Operator& op) {
  const std::vector<Parameter> params = parameters(op);
  if (c.step.args.size() > params.size())
    return c.bad_args(std::to_string(c.step.args.size()) + " arguments were given");
  for (size_t i = 0; i < c.step.args.size(); ++i) c.args[params[i].name] = c.step.args[i];
  for (const auto& [key, value] : c.step.keywords) {
    bool known = false;
    for (const Parameter& p : params) known |= p.name == key;
    if (!known) return c.bad_args("it has no argument `" + key + "`");
    if (!c.args.emplace(key, value).second) return c.bad_args("`" + key + "` is given twice");
  }
  for (const Parameter& p : params) {
    const auto given = c.args.find(p.name);
    if (given == c.args.end()) {
      if (!p.optional) return c.bad_args("`" + p.name + "` is missing");
      continue;
    }
    if (const std::string w = wanted(p.kind, given->second); !w.empty())
      return c.bad_args("`" + p.name + "` is " + w);
  }
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
  HOCKET_CHECK(sort_arguments(context, *op));
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

std::vector<ir::ProcRef> named_procs(const ir::Trace& trace, const Library& library) {
  std::vector<ir::ProcRef> out;
  const auto add = [&](const Literal& name) {
    const ir::ProcRef p = library.find(name.text);
    if (p && std::find(out.begin(), out.end(), p) == out.end()) out.push_back(p);
  };
  for (const TraceStep& step : trace.steps) {
    const Operator* op = find_operator(step.op);
    if (op == nullptr) continue;
    const std::vector<Parameter> params = parameters(*op);
    for (size_t i = 0; i < params.size(); ++i) {
      if (op->kinds[i] != ParameterKind::Callee) continue;
      if (i < step.args.size()) add(step.args[i]);
      for (const auto& [key, value] : step.keywords)
        if (key == params[i].name) add(value);
    }
  }
  return out;
}

}  // namespace hocket::rewrite
