// The primitive rewrites, one file each: the only functions that construct a changed proc.
//
// In: a Context. Out: a Change that the judge accepted, or a diagnostic. The head of each file
// shows before -> after, the side conditions, the name in other systems. Called by: registry.cpp.
#pragma once

#include "rewrite/kernel/context.h"

namespace hocket::rewrite {

using Outcome = diag::Result<Change>;

Outcome split(Context& c);
Outcome reorder(Context& c);
Outcome unroll(Context& c);
Outcome fission(Context& c);
Outcome fuse(Context& c);
Outcome stage_mem(Context& c);
Outcome set_memory(Context& c);
Outcome set_precision(Context& c);
Outcome expand_dim(Context& c);
Outcome resize_dim(Context& c);
Outcome divide_dim(Context& c);
Outcome rearrange_dim(Context& c);
Outcome lift_alloc(Context& c);
Outcome replace(Context& c);
Outcome replace_all(Context& c);
Outcome inline_call(Context& c);
Outcome partial_eval(Context& c);
Outcome simplify_proc(Context& c);
Outcome rename_proc(Context& c);
Outcome bind_expr(Context& c);
Outcome lift_if(Context& c);
Outcome reorder_stmts(Context& c);
Outcome remove_loop(Context& c);
Outcome cut_loop(Context& c);
Outcome extend_loop(Context& c);
Outcome parallelize(Context& c);
Outcome vectorize(Context& c);
Outcome to_seq(Context& c);
Outcome allow(Context& c);

}  // namespace hocket::rewrite
