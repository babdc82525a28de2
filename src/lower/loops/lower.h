// From an algorithm and its sealed schedule to loop form: the part of the road that is Halide's.
//
// In: a sealed plan. Out: one proc in loop form whose stores carry block headers, with the entry
// that the ABI, the interpreter and bounds queries read. Called by driver/. The refusals are those
// that need regions: an index without bounds, a fold that is too small (shown by a dry run) or not
// proved. Warnings, where somebody wants them, are tails that cannot be as they were asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"
#include "schedule/dry_run.h"
#include "schedule/plan.h"

namespace hocket::lower::loops {

// AsAsked carries out folds that are too small, for a dry run to show what they do.
enum class Folds : uint8_t { Checked, AsAsked };

// Hears of every step (lowering.h) for every Func as soon as it is done; `text` makes what it left.
// There is no proc yet, so the verifier stands behind all of them.
using Watch = std::function<void(const char* step, const std::function<std::string()>& text)>;

diag::Result<ir::ProcRef> to_loops(const schedule::Plan& sealed, const schedule::DryRun& dry = {},
                                   Folds folds = Folds::Checked,
                                   std::vector<diag::Diagnostic>* warnings = nullptr,
                                   const Watch& watch = {});

}  // namespace hocket::lower::loops
