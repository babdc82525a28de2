// A diagnostic as data: kind, typed arguments, places, loop nest, witness, fixes, notes.
// In: what the room that refuses knows. Out: a value that render.h turns into words only when it
// is shown; a search that counts rejected schedules by kind never formats one. Built in one go:
//
//   return Diagnostic(kind::compute_at_outside_user, directive.place)
//       .arg("func", f.name()).arg("loop", "x").arg("at", "h").arg("user", "g")
//       .label(g.place, "`g` placed here")
//       .help("place `f` where both users see it: f.compute_at(h, y)");
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "diag/kind.h"
#include "support/assert.h"
#include "support/source.h"

namespace hocket::diag {

using support::Place;

// Makes the words of an argument when they are needed; owns what it refers to.
using LatePrinter = std::function<std::string()>;

struct Arg {
  std::string name;
  std::variant<std::string, std::int64_t, LatePrinter> value;

  std::string words() const;
};

// A second place that matters, and what to say about it.
struct Label {
  Place place;
  std::string text;
};

// The loop nest at that moment, outermost first, indented two spaces a level.
struct Nest {
  std::vector<std::string> lines;
  int caret_line = -1;   // index of the line at fault; -1 for no caret
  int caret_column = 0;  // counted from 0 in that line
  int caret_length = 1;
};

class Diagnostic {
 public:
  explicit Diagnostic(Kind about, Place at = {}) : kind(about), place(std::move(at)) {}

  Kind kind;
  std::vector<Arg> args;
  Place place;
  std::vector<Label> labels;
  std::vector<Label> context;  // composite operators on the way, the user's line first
  Nest nest;
  std::vector<std::string> witness;
  std::vector<std::string> helps;  // code to paste, accepted by a dry run before
  std::vector<std::string> notes;

  Diagnostic& arg(std::string name, std::string value) &;
  Diagnostic& arg(std::string name, std::int64_t value) &;
  Diagnostic& arg(std::string name, LatePrinter value) &;
  Diagnostic& label(Place at, std::string text) &;
  Diagnostic& in_context(Place at, std::string text) &;  // outermost last
  Diagnostic& show_nest(std::vector<std::string> lines, int caret_line = -1, int caret_column = 0,
                        int caret_length = 1) &;
  Diagnostic& witnessed(std::string line) &;
  Diagnostic& help(std::string text) &;
  Diagnostic& note(std::string text) &;

  // The same on a temporary, so that a whole diagnostic is one expression.
  template <class Value>
  Diagnostic&& arg(std::string name, Value&& value) && {
    return std::move(arg(std::move(name), std::forward<Value>(value)));
  }
  Diagnostic&& label(Place at, std::string text) && {
    return std::move(label(std::move(at), std::move(text)));
  }
  Diagnostic&& in_context(Place at, std::string text) && {
    return std::move(in_context(std::move(at), std::move(text)));
  }
  Diagnostic&& show_nest(std::vector<std::string> lines, int caret_line = -1, int caret_column = 0,
                         int caret_length = 1) && {
    return std::move(show_nest(std::move(lines), caret_line, caret_column, caret_length));
  }
  Diagnostic&& witnessed(std::string line) && { return std::move(witnessed(std::move(line))); }
  Diagnostic&& help(std::string text) && { return std::move(help(std::move(text))); }
  Diagnostic&& note(std::string text) && { return std::move(note(std::move(text))); }

  // The message alone, with its arguments filled in: what tests check.
  std::string message() const;
  bool is(Kind other) const { return kind == other; }
};

// A failed assertion as a diagnostic, for the door where bugs are reported.
Diagnostic internal_bug(const support::InternalError& error);

}  // namespace hocket::diag
