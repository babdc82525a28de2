// The syntax tree of files: items with their lines, before names and types are looked at.
//
// In: tokens. Out: items with statements and expressions, each with its spot. Called by: the
// elaborators (pipelines, schedules, loops), which turn it into ir objects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/read/elaborate.h"
#include "ir/read/syntax.h"

namespace hocket::text {

using namespace ir::read;
using ir::Expr;
using ir::FrontOperand;

enum class LineKind : uint8_t {
  // pipelines
  Rdom,     // names, exprs: pairs; where in value
  Define,   // target op value [over names]
  Declare,  // names[0]: types (args in names[1..])
  // schedules and traces
  Chain,  // value
  // loop programs
  For,    // names[0], word = kind, exprs = lo, hi, body
  If,     // value, body, orelse
  Let,    // names[0], type, value
  Alloc,  // names[0], type, exprs, memory
  Block,  // value (Apply of the stage), body with one store
  Store,  // target op value; stream
  Call,   // value
  Check,  // value, code, text
  Free,   // names[0]
  Pass,
  Assert,  // value
  // entries
  Scalar,  // names[0], value = default, exprs = range
  Input,   // names[0], body of Dim
  Output,
  Dim,  // exprs: three carriers, then two of `needs`
};

struct Line {
  LineKind kind = LineKind::Pass;
  Spot spot;
  std::vector<NameSyntax> names;
  std::vector<TypeSyntax> types;
  std::vector<SyntaxRef> exprs;
  SyntaxRef target, value;
  std::string op;                    // Store, Define: `=`, `+=`, ...
  std::string word;                  // For: seq ...; Check: the message
  std::optional<NameSyntax> memory;  // none: DRAM
  bool stream = false;
  bool has_shape = false;
  bool has_range = false;
  std::optional<int64_t> code;
  std::vector<Line> body, orelse;
};

struct ParamSyntax {
  NameSyntax name;
  TypeSyntax type;
  std::vector<NameSyntax> dims;  // pipelines: image dimensions
  bool image = false;
  bool window = false;
  bool tensor = false;  // has [ ... ]
  std::vector<SyntaxRef> shape;
  std::optional<NameSyntax> memory;
  SyntaxRef value;     // default
  SyntaxRef min, max;  // range
};

enum class ItemKind : uint8_t { Pipeline, Schedule, Proc, Trace };

struct InstrSyntax {
  std::string c_template, features, global;
};

struct ItemSyntax {
  ItemKind kind = ItemKind::Pipeline;
  Spot spot;
  NameSyntax name;
  NameSyntax of;  // schedules and traces: what they are for
  std::vector<ParamSyntax> params;
  std::vector<NameSyntax> outputs;
  bool strict = false;
  bool flat = false;
  std::optional<InstrSyntax> instr;
  std::optional<NameSyntax> entry_name;
  std::vector<Line> entry;
  std::vector<Line> body;
};

}  // namespace hocket::text
