// Traces: the rewrites applied to a loop program, as data that replays.
//
// A step is an operator's name with literal arguments (numbers, names, patterns, lists); `rewrite/`
// gives it meaning. Verdicts are filled in when the step is applied and printed as comments.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/source.h"

namespace hocket::ir {

// A literal argument: 16, `ki`, "for i in _: _ #0", [io, ii], True.
struct Literal {
  enum class Kind : uint8_t { Int, Name, String, List, Bool } kind = Kind::Int;
  int64_t number = 0;          // Int, Bool
  std::string text;            // Name, String
  std::vector<Literal> items;  // List

  static Literal of(int64_t n) {
    Literal l;
    l.kind = Kind::Int;
    l.number = n;
    return l;
  }
  static Literal of_bool(bool b) {
    Literal l;
    l.kind = Kind::Bool;
    l.number = b;
    return l;
  }
  static Literal name(std::string s) {
    Literal l;
    l.kind = Kind::Name;
    l.text = std::move(s);
    return l;
  }
  static Literal string(std::string s) {
    Literal l;
    l.kind = Kind::String;
    l.text = std::move(s);
    return l;
  }
  static Literal list(std::vector<Literal> v) {
    Literal l;
    l.kind = Kind::List;
    l.items = std::move(v);
    return l;
  }
  friend bool operator==(const Literal&, const Literal&) = default;
};

enum class Verdict : uint8_t { None, Proved, Refuted, Unknown, Trusted };

struct TraceStep {
  std::string op;
  std::vector<Literal> args;                              // positional
  std::vector<std::pair<std::string, Literal>> keywords;  // tail=cut_and_guard
  Verdict verdict = Verdict::None;
  std::string why;  // what the verdict used (affine, z3, trust("why"))
  support::Place place;
};

struct Trace {
  std::string name;
  std::string proc;  // the proc it starts from
  std::vector<TraceStep> steps;
  support::Place place;
};

}  // namespace hocket::ir
