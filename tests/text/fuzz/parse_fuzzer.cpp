// libFuzzer: any bytes as a .hk text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "judge.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string wrong =
      hocket::text::fuzz::complaint(std::string(reinterpret_cast<const char*>(data), size));
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s\n", wrong.c_str());
  std::abort();
}
