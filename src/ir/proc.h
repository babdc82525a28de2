// Procs: procedures in loop form or flat form, and programs of them.
//
// A proc that came from a pipeline also has a PipelineEntry: how the user's arguments (buffers
// with min, extent and stride per dimension, scalar parameters) map to the proc's parameters, and
// which regions it needs. The ABI wrapper, the interpreter's entry and bounds queries read it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/numeric_mode.h"
#include "ir/stmt.h"

namespace hocket::ir {

enum class Form : uint8_t { Loops, Flat };

enum class ParamKind : uint8_t {
  Size,    // index, at least 1, checked at entry
  Index,   // any index
  Scalar,  // data by value (bool included)
  Buffer,  // tensor or window; a rank-0 buffer is a scalar passed by pointer
};

struct Param {
  Symbol sym;
  ParamKind kind = ParamKind::Index;
  std::vector<Expr> shape;  // buffers: outermost first, over earlier parameters
  bool window = false;      // buffers: `[f32][n, m]`, strides are run-time values
  std::string memory = "DRAM";
  Type type() const { return sym.type(); }  // element type for buffers
};

// An instruction: the body states what it does, the template is the C text that does it.
// Placeholders: {arg} scalars, {arg_data} lvalue of the first element of a window, {arg_ptr} its
// address.
struct Instr {
  std::string c_template;
  std::string c_global;               // emitted once per file, e.g. #include <immintrin.h>
  std::vector<std::string> features;  // CPU features it needs, e.g. "avx2", "fma"
};

// One user-visible argument of a pipeline.
struct EntryDim {
  Symbol min, extent, stride;  // the proc's Index parameters that carry them
  // The region that must be there (inputs: read; outputs: written), over the proc's parameters.
  Expr required_min, required_max;

  // Text may leave some of it out: then it is judged, and no code is made of it.
  bool carried() const { return min.defined() && extent.defined() && stride.defined(); }
  bool known() const { return required_min.defined() && required_max.defined(); }
};
struct EntryArg {
  enum class Kind : uint8_t { Scalar, Input, Output } kind = Kind::Scalar;
  Symbol sym;                  // the proc's parameter
  std::vector<EntryDim> dims;  // the user's order: dimension 0 is fastest
  Expr range_min, range_max;   // scalars: undefined where unconstrained
  std::optional<double> default_value;
};
// A condition on the parameters that must hold at entry (a split that rounds up, `bound`, ...).
struct EntryCheck {
  Expr cond;
  int code = 0;         // an error code of abi/hocket_abi.h
  std::string message;  // in the user's words, names argument and dimension
  // The buffer and the dimension of it that are asked about, as parameter and position in its dims;
  // undefined where it is about nothing that the caller shaped.
  Symbol argument;
  int dimension = 0;
};
struct PipelineEntry {
  std::string pipeline;        // name of the algorithm
  std::vector<EntryArg> args;  // inputs in order of first use, parameters, then outputs
  std::vector<EntryCheck> checks;
  // Position in `args` of a parameter; args.size() where it is none of them.
  size_t position(const Symbol& parameter) const {
    size_t i = 0;
    while (i < args.size() && args[i].sym != parameter) ++i;
    return i;
  }
};

struct Proc : support::RefCounted {
  Symbol sym;  // its name
  Form form = Form::Loops;
  NumericMode mode = NumericMode::Contract;  // how its text is read; says nothing afterwards
  std::vector<Param> params;
  std::vector<Expr>
      preconditions;  // `assert`: assumed in the body, proved at calls, checked at entry
  Body body;
  std::optional<Instr> instr;
  std::shared_ptr<const PipelineEntry> entry;  // null for loop programs
  support::Place place;

  const std::string& name() const { return sym.name(); }
};
using ProcRef = support::Ref<const Proc>;

// A changed copy of a proc.
template <class F>
ProcRef edited(const ProcRef& p, F&& edit) {
  auto copy = support::Ref<Proc>(new Proc(*p));
  edit(*copy);
  return ProcRef(copy.get());
}

}  // namespace hocket::ir
