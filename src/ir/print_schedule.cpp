// Schedules and traces as text, one chain or step a line, verdicts as comments. In: the data. Out:
// text that parses back to it. Called by: to_text (print.h).
#include "ir/printer.h"
#include "ir/trace.h"
#include "ir/words.h"

namespace hocket::ir {

namespace {

std::string spell_subject(const std::string& func, int stage) {
  std::string out = spell_name(func);
  if (stage > 0) out += ".update(" + std::to_string(stage - 1) + ")";
  return out;
}

void print(std::string& out, const Literal& l);

void print_list(std::string& out, const std::vector<Literal>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    print(out, items[i]);
  }
}

void print(std::string& out, const Literal& l) {
  switch (l.kind) {
    case Literal::Kind::Int:
      out += std::to_string(l.number);
      break;
    case Literal::Kind::Bool:
      out += l.number ? "True" : "False";
      break;
    case Literal::Kind::Name:
      // A name that reads as one of the two constants has to stand in backticks.
      out += l.text == "True" || l.text == "False" ? "`" + l.text + "`" : spell_name(l.text);
      break;
    case Literal::Kind::String:
      out += spell_string(l.text);
      break;
    case Literal::Kind::List:
      out += "[";
      print_list(out, l.items);
      out += "]";
      break;
  }
}

const char* spelling(Verdict v) {
  switch (v) {
    case Verdict::None:
      return "";
    case Verdict::Proved:
      return "proved";
    case Verdict::Refuted:
      return "refuted";
    case Verdict::Unknown:
      return "unknown";
    case Verdict::Trusted:
      return "trusted";
  }
  return "";
}

}  // namespace

void Printer::subject(const Directive& d) {
  out_ += spell_subject(d.func, d.stage);
}

void Printer::verb(const Directive& d) {
  out_ += std::string(".") + spelling(d.verb) + "(";
  const char* separator = "";
  auto next = [&]() -> std::string& {
    out_ += separator;
    separator = ", ";
    return out_;
  };
  if (d.verb == Verb::ComputeAt || d.verb == Verb::StoreAt) {
    for (size_t i = 0; i < d.names.size(); ++i)
      next() += i == 0 ? spell_subject(d.names[0], d.site_stage) : spell_name(d.names[i]);
  } else {
    for (const std::string& n : d.names) next() += spell_name(n);
  }
  for (int64_t f : d.factors) next() += std::to_string(f);
  for (const Expr& e : d.exprs) {
    next();
    expr(e, true);
  }
  if (d.tail != Tail::Auto) next() += spelling(d.tail);
  out_ += ")";
}

void Printer::directive(const Directive& d) {
  subject(d);
  verb(d);
}

std::string to_text(const Directive& d) {
  Printer p;
  p.directive(d);
  return p.take();
}

std::string to_text(const Schedule& s) {
  std::string out = "schedule " + spell_name(s.name) + " for " + spell_name(s.pipeline) + ":\n";
  for (size_t i = 0; i < s.directives.size();) {
    const Directive& first = s.directives[i];
    Printer p;
    p.subject(first);
    std::string chain = "    " + p.take();
    size_t width = chain.size();
    for (; i < s.directives.size() && s.directives[i].func == first.func &&
           s.directives[i].stage == first.stage;
         ++i) {
      p.verb(s.directives[i]);
      std::string verb = p.take();
      if (width + verb.size() > 100) {
        chain += "\n        ";
        width = 8;
      }
      chain += verb;
      width += verb.size();
    }
    out += chain + "\n";
  }
  if (s.directives.empty()) out += "    ...\n";
  return out;
}

std::string to_text(const TraceStep& s) {
  std::string out = spell_name(s.op) + "(";
  print_list(out, s.args);
  const char* separator = s.args.empty() ? "" : ", ";
  for (const auto& [name, value] : s.keywords) {
    // Reserved words name arguments as others do: `index=i`.
    out += separator + (is_identifier(name) ? name : spell_name(name)) + "=";
    print(out, value);
    separator = ", ";
  }
  return out + ")";
}

std::string to_text(const Trace& t) {
  std::string out = "trace " + spell_name(t.name) + " for " + spell_name(t.proc) + ":\n";
  for (const TraceStep& s : t.steps) {
    out += "    " + to_text(s);
    if (s.verdict != Verdict::None) {
      out += std::string("  # ") + spelling(s.verdict);
      std::string why;
      for (char c : s.why) why += c == '\n' || c == '\r' ? ' ' : c;
      if (!why.empty()) out += ": " + why;
    }
    out += "\n";
  }
  if (t.steps.empty()) out += "    ...\n";
  return out;
}

}  // namespace hocket::ir
