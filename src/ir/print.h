// Printing to .hk text. What is printed parses back to the identical program (text/parser.h).
// Symbols are renamed where two names in one scope would collide; ids never show.
#pragma once

#include <string>
#include <vector>

#include "ir/algorithm.h"
#include "ir/proc.h"
#include "ir/schedule.h"
#include "ir/trace.h"

namespace hocket::ir {

std::string to_text(const Expr& e);
std::string to_text(const Body& body, int indent = 0);
std::string to_text(const Proc& p);  // with the procs it calls before it, once each
std::string to_text(const std::vector<ProcRef>& procs);  // the same of several
std::string to_text_alone(const Proc& p);
std::string to_text(const Algorithm& a);
std::string to_text(const Schedule& s);
std::string to_text(const Directive& d);  // `bv.split(x, xo, xi, 8, guard)`, as the user writes it
std::string to_text(const Trace& t);
std::string to_text(const TraceStep& s);

}  // namespace hocket::ir
