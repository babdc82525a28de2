// A plan tried out: what the rules of schedule/ and lower/ ask before they speak.
//
// In: plans. Out: the witness of a refusal, from a run of the interpreter; whether a repair is
// accepted. Called by: compile.cpp, which hands it to schedule/ and lower/; api/ at the verbs.
#pragma once

#include "driver/small_run.h"
#include "schedule/dry_run.h"

namespace hocket::driver {

// Lowers plans as they stand, without the rule that refuses them, and looks for the smallest sizes
// at which a run shows what the rule says; accepts what every rule accepts.
schedule::DryRun dry_run();

}  // namespace hocket::driver
