// What the interpreter finds wrong in a program, as data: words are made when they are shown.
//
// In: what run.h saw. Out: kind, statement, buffer, element, the iterations of every loop around
// it, and what belongs to the kind (the other access of a race, the expected value of a block, the
// reason of a poison). Read by: schedule/refute and driver/dry_run (witnesses of schedules),
// rewrite/kernel/judge (witnesses of steps), tests, anything that reduces a failing program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "interp/code.h"
#include "interp/value.h"

namespace hocket::interp {

enum class FindingKind : uint8_t {
  OutOfBounds,    // an access or a window outside the declared shape: `element`, `limits`
  PoisonAddress,  // an index that is poison (a load whose clamped index is safe is none)
  PoisonBranch,   // the condition of an if
  PoisonBound,    // a loop bound, an extent of an allocation or an argument of a call
  PoisonCheck,    // the condition of a Check or assert
  PoisonOutput,   // an element of an argument at the end
  Race,  // `loop` (parallel, vectorize or par), `iteration`, `other_iteration`, `other` statement
  LaneConflict,  // two lanes of one store write one element (`iteration`s are the lanes)
  UseAfterFree,
  DoubleFree,
  Leak,            // explicitly freed on some path, not on this one
  NegativeExtent,  // an allocation or a window with hi < lo
  ShapeMismatch,   // an argument's extents against the callee's: `element` given, `limits` needed
  NotDense,        // a strided window for a parameter that is no window
  Aliasing,        // two arguments of a call share an element, one of them is written
  SizeBelowOne,    // a `size` at an inner call
  PreconditionFailed,  // an `assert` of the callee at an inner call
  Misaligned,          // an alignment that is claimed and not so
  BlockValue,          // a stored value is not the stage's value at its point
  StepUnknown,         // a reduction step that the definition does not make at that point
  StepTwice,           // a reduction step made again
  StepMissing,         // an output holds a point of which steps were left out
  StepOrder,           // steps of a reduction that does not commute, out of order
  StageOrder,          // a stage after a later one
  StepSource,          // an update that starts from no value of its point
  OutputValue,         // an output differs from the evaluator's
  EvaluatorStopped,    // the comparison could not go on: `diagnostic`
  StepLimit,
  MemoryLimit,
};
const char* spelling(FindingKind kind);

struct Iteration {
  ir::Symbol var;
  ir::LoopKind loop = ir::LoopKind::Seq;
  int64_t value = 0;
};

struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  ir::Stmt stmt;                 // undefined: at the end of the run, or a parameter
  ir::Symbol proc;               // in which the statement stands
  ir::Symbol buffer;             // as named there
  ir::Symbol root;               // the allocation or argument behind it, where it is another
  std::vector<int64_t> element;  // indices into `root` (OutOfBounds: into `buffer`)
  std::vector<int64_t> limits;   // OutOfBounds, ShapeMismatch: extents
  int lane = -1;                 // flat form: the lane at fault
  int window_dim = -1;  // OutOfBounds, NegativeExtent: `element` is what a window takes of this one
  std::vector<Iteration> iterations;  // every loop around it, callers' loops first

  // Race, LaneConflict
  ir::Symbol loop;
  int64_t iteration = 0, other_iteration = 0;
  ir::Stmt other;
  bool writes = false, other_writes = false;

  // Blocks, outputs; Race: `expected` is what the element holds, `actual` what is written
  ir::Symbol func;
  int stage = 0;
  std::vector<int64_t> point, reduction;    // of the block header at fault
  std::vector<int64_t> expected_reduction;  // StepMissing, StepOrder: the step that was due
  ir::Scalar expected, actual;

  ir::Expr condition;  // PreconditionFailed: the callee's
  Reason reason;       // Poison...: where it arose
  int64_t number = 0;  // SizeBelowOne: the value; Misaligned: the claim in bytes
  std::optional<diag::Diagnostic> diagnostic;

  // One line: "race on `f[3]`: iteration x=1 writes, iteration x=2 reads (parallel loop `x`)".
  std::string text() const;
  // "y = 2, x = 5", empty outside loops.
  std::string spoken_iterations() const;
};

// A run that was given up, for its steps or its memory: it says nothing of the program.
bool is_budget(const Finding& f);

}  // namespace hocket::interp
