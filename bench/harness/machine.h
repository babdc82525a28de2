// What is known about the machine and this process, for the head of every result.
// In: the operating system's tables. Out: JSON. Called by: row_main.cpp.
#pragma once

#include "json.h"

namespace hocket::bench {

// Asks for SCHED_FIFO 10 (as `chrt -f 10` does); false where the system does not permit it.
bool enter_real_time();

// Thread counts of every library that is met, spinning of idle workers kept to a millisecond, and
// the variables that would choose OpenBLAS's kernel for it removed.
void pin_environment(int threads);

void write_machine(JsonWriter& json, bool real_time);

}  // namespace hocket::bench
