// The road: an algorithm with its schedule, or a loop program, to whatever is wanted of it.
//
// In: a Source, what to make of it, options. Out: an Artifact, with the proc at the places on the
// road that were passed, the warnings of the schedule and the time of every step; or a refusal.
// Called by: api/, tools/, bench/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/llvm/jit.h"
#include "diag/result.h"
#include "driver/passes.h"
#include "ir/algorithm.h"
#include "ir/proc.h"
#include "ir/schedule.h"
#include "ir/trace.h"
#include "lower/flat/to_flat.h"
#include "target/target.h"

namespace hocket::driver {

// Either way in: a pipeline with a schedule (an empty one is the default), or a loop program, with
// the rewrites of a trace where there is one.
struct Source {
  ir::AlgorithmRef algorithm;
  ir::Schedule schedule;
  ir::ProcRef proc;  // where there is no algorithm; in loop form or in flat form
  std::optional<ir::Trace> trace;
  std::vector<ir::ProcRef> library;  // instructions and procs that the trace names

  Source(ir::AlgorithmRef a, ir::Schedule s = {})
      : algorithm(std::move(a)), schedule(std::move(s)) {}
  Source(ir::ProcRef p) : proc(std::move(p)) {}
  Source(ir::ProcRef p, ir::Trace t, std::vector<ir::ProcRef> named)
      : proc(std::move(p)), trace(std::move(t)), library(std::move(named)) {}
};

// What is wanted: how far down the road, and in which shape it leaves.
enum class Product : uint8_t { Loops, Flat, Code, LlvmText, Assembly, Object, CText };

struct Options {
  target::Target target = target::host();
  lower::FlatOptions flat;
  codegen::Optimise optimise = codegen::Optimise::Usual;
  PassOptions passes;
  bool dry_run = true;  // refusals come with witnesses and repairs that were tried
  std::vector<std::pair<std::string, void*>> externs;
};

struct Artifact {
  std::string name;  // under which the compiled code is called
  ir::ProcRef loops, flat;
  std::optional<ir::Trace> trace;  // as it was replayed, with the verdict of every step
  std::vector<diag::Diagnostic> warnings;
  std::vector<PassTime> times;
  std::string text;                                // LlvmText, Assembly, CText; Object: its bytes
  std::shared_ptr<const codegen::JitModule> code;  // Code
};

diag::Result<Artifact> compile(const Source& source, Product product, const Options& options = {});

}  // namespace hocket::driver
