/* Code that `hocket compile` wrote, called from C: a blur of a constant picture is that picture. */
#include <stdio.h>

#include "blur.h"

int main(void) {
  static uint16_t in[(32 + 2) * (256 + 2)], out[32 * 256];
  for (size_t i = 0; i < sizeof in / sizeof *in; ++i) in[i] = 7;
  hocket_dim_t in_dims[2] = {{-1, 256 + 2, 1}, {-1, 32 + 2, 256 + 2}};
  hocket_dim_t out_dims[2] = {{0, 256, 1}, {0, 32, 256}};
  hocket_buffer_t input = {.host = in, .dimensions = 2, .dim = in_dims};
  hocket_buffer_t output = {.host = out, .dimensions = 2, .dim = out_dims};
  input.type = output.type = hocket_type(HOCKET_TYPE_UINT, 16);
  const int32_t code = blur(&input, &output);
  if (code != 0) {
    char message[512];
    hocket_error_message(hocket_last_error(), message, sizeof message);
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  for (size_t i = 0; i < sizeof out / sizeof *out; ++i)
    if (out[i] != 7) return 2;
  return 0;
}
