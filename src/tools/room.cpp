#include "tools/room.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "diag/kinds_driver.h"

namespace hocket::tools {

namespace {

// What the system can still give, in bytes.
int64_t free_bytes() {
  std::ifstream in("/proc/meminfo");
  std::string word;
  while (in >> word) {
    int64_t kilobytes = 0;
    if (word == "MemAvailable:" && in >> kilobytes) return kilobytes * 1024;
  }
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

diag::Diagnostic none(const std::string& what, const std::string& bytes) {
  return diag::Diagnostic(diag::kind::out_of_memory).arg("what", what).arg("bytes", bytes);
}

}  // namespace

diag::Result<size_t> room_for(const std::string& what, std::span<const int64_t> extents,
                              int64_t element_bytes) {
  int64_t bytes = element_bytes;
  if (std::any_of(extents.begin(), extents.end(), [](int64_t e) { return e <= 0; }))
    return static_cast<size_t>(element_bytes);
  for (const int64_t e : extents)
    if (__builtin_mul_overflow(bytes, e, &bytes)) return none(what, "more than 2^63");
  // The runtime needs some for itself.
  if (bytes > free_bytes() / 8 * 7) return none(what, std::to_string(bytes));
  return static_cast<size_t>(bytes);
}

}  // namespace hocket::tools
