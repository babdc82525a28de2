/* A user's C program on the one-file runtime: a parallel loop, a call that works, one that fails.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "abi/hocket_abi.h"

static int32_t add_one(const hocket_context_t* context, int64_t index, void* closure) {
  (void)context;
  atomic_fetch_add((_Atomic int64_t*)closure, index);
  return 0;
}

static int32_t body(const hocket_context_t* context, const int64_t* scalars,
                    void* const* pointers) {
  _Atomic int64_t sum = 0;
  int32_t code = hocket_do_par_for(context, add_one, 0, scalars[1], (void*)&sum);
  int64_t result = sum;
  memcpy(pointers[0], &result, sizeof result);
  return code;
}

int main(void) {
  static const hocket_argument_t arguments[] = {{.name = "out",
                                                 .kind = HOCKET_ARGUMENT_OUTPUT,
                                                 .type = {HOCKET_TYPE_INT, 64, 1},
                                                 .dimensions = 1}};
  static const hocket_metadata_t metadata = {.version = HOCKET_ABI_VERSION,
                                             .num_arguments = 1,
                                             .name = "sum",
                                             .target = "host",
                                             .arguments = arguments,
                                             .num_scalars = 3,
                                             .num_pointers = 1,
                                             .num_regions = 2};
  int64_t memory[100] = {0};
  hocket_dim_t dim = {0, 100, 1};
  hocket_buffer_t out = {
      .host = memory, .type = {HOCKET_TYPE_INT, 64, 1}, .dimensions = 1, .dim = &dim};
  void* args[] = {&out};
  if (hocket_call(&metadata, body, NULL, NULL, args) != 0 || memory[0] != 4950) return 1;
  dim.stride = 2;
  if (hocket_call(&metadata, body, NULL, NULL, args) != HOCKET_ERROR_CONSTRAINT_VIOLATED) return 2;
  char text[200];
  hocket_error_message(hocket_last_error(), text, sizeof text);
  puts(text);
  return strcmp(text, "`sum`: `out` stride of dimension 0 must be 1, is 2") == 0 ? 0 : 3;
}
