// The interpreter: runs a proc in loop form or flat form with every guard on.
//
// In: a proc, its arguments, options. Out: the return code and the findings; buffers in place.
// Nothing stops at the first oddity that does no harm: poison may be computed, moved and thrown
// away, and is a finding only where it reaches a branch, an address, a loop bound or an argument at
// the end. Results must not depend on the order options.
// Called by: driver/small_run and rewrite/kernel/judge (replay of witnesses), driver/loop_call, the
// fuzzers, every test of lowering and rewriting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interp/evaluate.h"
#include "interp/finding.h"
#include "interp/value.h"
#include "ir/proc.h"

namespace hocket::interp {

// One argument of a loop program: a number, or a tensor that the run reads and writes in place.
struct Argument {
  ir::Scalar scalar;
  Tensor* tensor = nullptr;

  Argument(Tensor& t) : tensor(&t) {}
  Argument(const ir::Scalar& s) : scalar(s) {}
  Argument(int64_t index) : scalar(ir::Scalar::of_int(ir::Type::index(), index)) {}
  Argument(int index) : Argument(static_cast<int64_t>(index)) {}
};
using Arguments = std::vector<Argument>;  // in the order of the proc's parameters

// In which order Unordered and Parallel loops run.
enum class Order : uint8_t { Forward, Reverse, Random };

// Compare stores that carry block headers with this algorithm.
struct BlockCheck {
  const ir::Algorithm* algorithm = nullptr;
  const Bindings* bindings = nullptr;  // may stay null for run_pipeline: its arguments, by name
  std::vector<Region> regions;         // of the outputs; run_pipeline fills them in
  // Func stages whose steps may come in any order and whose values are not compared (reassociation
  // was allowed there by name).
  std::vector<ir::Symbol> reassociated;
};

struct RunOptions {
  Order order = Order::Forward;
  uint64_t seed = 1;  // of Order::Random
  std::optional<BlockCheck> blocks;
  int64_t step_limit = int64_t{1} << 34;    // statements executed
  int64_t memory_limit = int64_t{1} << 31;  // bytes that the program has allocated at one time
  int max_findings = 1;                     // the run ends with this one
  // Both sides of a select are executed for their accesses, as native code does: by default in
  // flat form, never in loop form.
  std::optional<bool> eager_selects;
  // What may be assumed of the address of an argument's first element, in bytes (0: its type's).
  int64_t argument_alignment = 0;
  bool check_outputs = true;  // poison in arguments at the end
  bool check_aliasing = true;
};

// A refusal at entry, before anything was written.
struct EntryError {
  int code = 0;        // of abi/hocket_abi.h
  int constraint = 0;  // hocket_constraint_t
  std::string argument;
  int dimension = -1;
  int64_t needed_min = 0, needed_max = 0, given_min = 0, given_max = 0;
  std::string text;  // the program's own words: failed assert, `require`
};

struct Outcome {
  int code = 0;  // 0, or the negative code of the entry error or failed Check
  std::optional<EntryError> entry;
  ir::Stmt failed_check;
  std::vector<Finding> findings;
  int64_t steps = 0;

  bool ok() const { return code == 0 && findings.empty(); }
  std::string text() const;  // one line per finding, for tests and messages
};

Outcome run(const ir::Proc& proc, const Arguments& arguments, const RunOptions& options = {});

// A pipeline's proc (entry != null): arguments in the order of entry->args. Tensors have the user's
// order of dimensions and their own mins and strides. Checks as hocket_call does, in its order,
// then runs. Outputs must be computed everywhere; with `blocks` they are compared with the
// evaluator as well.
Outcome run_pipeline(const ir::Proc& proc, const Arguments& arguments,
                     const RunOptions& options = {});

}  // namespace hocket::interp
