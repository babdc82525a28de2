// Loop form to flat form: the second half of the road down, a list of passes.
//
// In: a proc in loop form (from lower/loops or the text), a target. Out: the same proc in flat
// form, ready for code generation: loops are Seq or Parallel, memory has one dimension, vector
// loops have become vector expressions, calls and windows are gone. driver/compile walks the table
// of passes itself, to time, dump and verify after each; tests that want the result call to_flat.
#pragma once

#include <cstdint>
#include <span>

#include "diag/result.h"
#include "ir/proc.h"
#include "ir/verify.h"
#include "target/target.h"

namespace hocket::lower {

struct FlatOptions {
  int64_t stack_limit = 64 << 10;  // bytes of one frame (a proc, or a task of a parallel loop)
  int64_t unroll_limit =
      1 << 14;             // statements, of up to 16 lanes, that unrolling one proc may make
  int max_lanes = 64;      // longer vector loops become loops of shorter ones
  bool partition = true;   // split guarded loops into a steady part and the rest
  bool join_lanes = true;  // vectors shorter than a register become as long as it
};

struct FlatContext {
  const target::Target& target;
  const FlatOptions& options;
};

struct FlatPass {
  const char* name;
  const char* what;  // one line, before -> after
  diag::Result<ir::ProcRef> (*run)(const ir::ProcRef&, const FlatContext&);
  ir::Stand leaves;  // what ir::verify may ask of what it leaves
};
// In the order in which they run.
std::span<const FlatPass> flat_passes();

// Text may leave carriers of an entry out (`_`): such a proc is judged, and not compiled (P0705).
diag::Result<void> check_entry(const ir::Proc& proc);

diag::Result<ir::ProcRef> to_flat(const ir::ProcRef& proc, const target::Target& target,
                                  const FlatOptions& options = {});

}  // namespace hocket::lower
