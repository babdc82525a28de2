// From the syntax of schedules and traces to ir::Schedule and ir::Trace.
//
// In: syntax and, for a schedule, the pipeline it is for, where that is known. Out: data, or a
// diagnostic (P03xx, P06xx); what the names mean is judged by schedule/ and rewrite/. Called by:
// parser.cpp.
#pragma once

#include "diag/result.h"
#include "ir/algorithm.h"
#include "ir/schedule.h"
#include "ir/trace.h"
#include "text/syntax.h"

namespace hocket::text {

diag::Result<ir::Schedule> elaborate_schedule(const ItemSyntax& item, const Source& source,
                                              const ir::Algorithm* pipeline);
diag::Result<ir::Trace> elaborate_trace(const ItemSyntax& item, const Source& source);

}  // namespace hocket::text
