// Structural equality and hash, up to renaming of bound symbols; ids and places do not matter. Free
// symbols are equal by identity, unless the objects bind them (procs, algorithms), where they are
// matched by position. Spoken names matter exactly where other texts refer to them: a proc's own
// name, the Funcs of blocks, and in algorithms every name (schedules address Funcs, loops and
// parameters by name). Verdicts of traces are comments and do not count.
#pragma once

#include <cstdint>

#include "ir/algorithm.h"
#include "ir/proc.h"
#include "ir/schedule.h"
#include "ir/trace.h"

namespace hocket::ir {

bool equal(const Expr& a, const Expr& b);
bool equal(const Body& a, const Body& b);
bool equal(const Proc& a, const Proc& b);
bool equal(const Algorithm& a, const Algorithm& b);
bool equal(const Schedule& a, const Schedule& b);
bool equal(const Trace& a, const Trace& b);

uint64_t hash(const Expr& e);
uint64_t hash(const Proc& p);
uint64_t hash(const Algorithm& a);

}  // namespace hocket::ir
