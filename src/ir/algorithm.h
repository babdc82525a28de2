// Algorithms: what is computed. A DAG of Funcs over integer coordinates; no order, no storage.
//
// Built by api/ and text/, evaluated by interp/, lowered with a Schedule by lower/loops.
// Coordinates have type index; a Var used as data is its i32 cast (the front door inserts it).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/expr.h"
#include "ir/numeric_mode.h"
#include "support/source.h"

namespace hocket::ir {

struct RVar {
  Symbol sym;        // type index
  Expr min, extent;  // over parameters and BufferFields
};

// first variable innermost (fastest); order of the reduction is lexicographic, last outermost
struct ReductionDomain {
  std::vector<RVar> vars;
  // Which points count: bool over the variables, parameters, and what updates may read; undefined
  // where all do.
  Expr where;
};

struct Definition {
  // Coordinates written. Pure definition: VarRefs of Func::args, in order. Update: each either a
  // VarRef of the Func's argument at that position (a pure dimension) or any index expression.
  std::vector<Expr> args;
  std::vector<Expr> values;  // one per value of the Func; updates read the Func itself by Call
  ReductionDomain domain;    // updates only; may be empty (an update without reduction)
  support::Place place;
};

struct Func {
  Symbol sym;                // type: the first value's
  std::vector<Symbol> args;  // the user's order, first is fastest by default
  std::vector<Type> types;   // one per value
  Definition pure;
  std::vector<Definition> updates;
  support::Place place;

  const std::string& name() const { return sym.name(); }
  bool is_pure() const { return updates.empty(); }
  int num_stages() const { return 1 + static_cast<int>(updates.size()); }
  const Definition& stage(int s) const {
    return s == 0 ? pure : updates[static_cast<size_t>(s - 1)];
  }
};

// Every call of a Func or image in a definition: coordinates, values, the domain.
void for_each_call(const Definition& d, const std::function<void(const Call&)>& f);

// Position p of an update is pure: its argument is the Func's own variable there, and every call
// of the Func to itself has the same variable at that position.
bool is_pure_dim(const Func& f, int stage, int p);

// Refuses (P0510, at `place`) an update that reads its own Func at another point along a dimension
// that the left side leaves pure: f(x) = f(x - 1). Asked by both ways in, and by the verifier.
diag::Result<void> check_self_reads(const Func& f, const Definition& update,
                                    const support::Place& place);

struct ImageParam {
  Symbol sym;                     // type: element type
  std::vector<std::string> dims;  // spoken names of the dimensions (x, y, c), fastest first
  support::Place place;
};

struct ScalarParam {
  Symbol sym;
  Expr min, max;  // undefined where unconstrained
  std::optional<double> default_value;
  support::Place place;
};

struct Algorithm {
  std::string name;
  std::vector<ImageParam> inputs;
  std::vector<ScalarParam> params;
  std::vector<Func> funcs;      // producers before consumers
  std::vector<Symbol> outputs;  // Funcs, in the order of the pipeline's results
  // Inputs and scalar parameters in the order of the compiled function's arguments; empty means
  // inputs, then parameters. See ordered_arguments().
  std::vector<Symbol> arguments;
  NumericMode mode = NumericMode::Contract;
  support::Place place;

  const Func* find(const Symbol& s) const;
  const Func* find(std::string_view name) const;
  const ImageParam* find_input(const Symbol& s) const;
  bool is_output(const Symbol& s) const;
  const ScalarParam* find_param(const Symbol& s) const;
  std::vector<Symbol> ordered_arguments() const;
};
using AlgorithmRef = std::shared_ptr<const Algorithm>;

}  // namespace hocket::ir
