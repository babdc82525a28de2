// Functions inside the runtime that tests call directly; runtime_internal.h is C only.
#pragma once

#include "abi/hocket_abi.h"

extern "C" {
int hocket_boxes_overlap(const hocket_buffer_t* a, const hocket_buffer_t* b);
int hocket_overlaps_itself(const hocket_buffer_t* buffer);
}
