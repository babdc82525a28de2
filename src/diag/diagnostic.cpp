#include "diag/diagnostic.h"

#include "diag/kinds_verify.h"

namespace hocket::diag {

std::string Arg::words() const {
  struct Printer {
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(const LatePrinter& printer) const { return printer ? printer() : ""; }
  };
  return std::visit(Printer{}, value);
}

Diagnostic& Diagnostic::arg(std::string name, std::string value) & {
  args.push_back({std::move(name), std::move(value)});
  return *this;
}

Diagnostic& Diagnostic::arg(std::string name, std::int64_t value) & {
  args.push_back({std::move(name), value});
  return *this;
}

Diagnostic& Diagnostic::arg(std::string name, LatePrinter value) & {
  args.push_back({std::move(name), std::move(value)});
  return *this;
}

Diagnostic& Diagnostic::label(Place at, std::string text) & {
  // What came from a program that was built, not read, has no place to show.
  if (at.known()) labels.push_back({std::move(at), std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::in_context(Place at, std::string text) & {
  // Each caller on the way out adds itself; the outermost, the user's own line, comes first.
  context.insert(context.begin(), {std::move(at), std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::show_nest(std::vector<std::string> lines, int caret_line, int caret_column,
                                  int caret_length) & {
  nest = {std::move(lines), caret_line, caret_column, caret_length};
  return *this;
}

Diagnostic& Diagnostic::witnessed(std::string line) & {
  witness.push_back(std::move(line));
  return *this;
}

Diagnostic& Diagnostic::help(std::string text) & {
  helps.push_back(std::move(text));
  return *this;
}

Diagnostic& Diagnostic::note(std::string text) & {
  notes.push_back(std::move(text));
  return *this;
}

std::string Diagnostic::message() const {
  std::string out;
  std::string_view rest = kind->message;
  while (true) {
    const std::size_t open = rest.find('{');
    const std::size_t close = open == rest.npos ? rest.npos : rest.find('}', open);
    if (close == rest.npos) return out += rest;
    out += rest.substr(0, open);
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    // An argument that nobody gave shows as `<name>`: a message about an error must not fail.
    std::string words = "<" + std::string(name) + ">";
    for (const Arg& arg : args) {
      if (arg.name == name) words = arg.words();
    }
    out += words;
    rest.remove_prefix(close + 1);
  }
}

Diagnostic internal_bug(const support::InternalError& error) {
  return Diagnostic(kind::internal_bug)
      .arg("message", error.message())
      .arg("file", error.file())
      .arg("line", error.line());
}

}  // namespace hocket::diag
