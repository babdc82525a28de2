// Compiled by api.outside: a program that calls compiled pipelines finds what their headers
// include.
#include "hocket_abi.h"

int32_t blur(hocket_buffer_t* input, hocket_buffer_t* output);

int main(void) {
  hocket_buffer_t image = {0};
  image.type = hocket_type(HOCKET_TYPE_UINT, 8);
  return blur(&image, &image);
}
