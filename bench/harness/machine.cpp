// Processor, caches, features, memory, kernel, compiler; real-time scheduling and thread counts.
// In: /proc and /sys. Out: the `machine` object of a result. Called by: row_main.cpp.
#include "machine.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace hocket::bench {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The value of the first line of /proc/cpuinfo that starts with `name`.
std::string cpuinfo(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.compare(0, name.size(), name) != 0) continue;
    size_t colon = line.find(": ");
    size_t tab = line.find_first_of("\t:");
    if (colon != std::string::npos && tab == name.size()) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

bool enter_real_time() {
  sched_param param{};
  param.sched_priority = 10;
  return sched_setscheduler(0, SCHED_FIFO, &param) == 0;
}

void pin_environment(int threads) {
  std::string count = std::to_string(threads);
  for (const char* name :
       {"OMP_NUM_THREADS", "HL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "HOCKET_NUM_THREADS"}) {
    setenv(name, count.c_str(), 1);
  }
  setenv("KMP_BLOCKTIME", "1", 1);
  setenv("OMP_DYNAMIC", "false", 1);
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_L2_SIZE");
  unsetenv("HL_TARGET");
  unsetenv("HL_JIT_TARGET");
}

void write_machine(JsonWriter& json, bool real_time) {
  json.begin_object();
  json.key("cpu").string(cpuinfo("model name"));
  std::string kind = cpuinfo("vendor_id") + " " + cpuinfo("cpu family") + "/" + cpuinfo("model");
  json.key("kind").string(kind);
  json.key("cores").integer(sysconf(_SC_NPROCESSORS_ONLN));
  json.key("features").begin_array();
  // The builtin wants literals, so each feature is a line of its own.
  if (__builtin_cpu_supports("sse4.1")) json.string("sse4.1");
  if (__builtin_cpu_supports("avx2")) json.string("avx2");
  if (__builtin_cpu_supports("fma")) json.string("fma");
  if (__builtin_cpu_supports("avx512f")) json.string("avx512f");
  if (__builtin_cpu_supports("avx512bw")) json.string("avx512bw");
  if (__builtin_cpu_supports("avx512vl")) json.string("avx512vl");
  if (__builtin_cpu_supports("avx512vnni")) json.string("avx512vnni");
  if (cpuinfo("flags").find("avx512_bf16") != std::string::npos) json.string("avx512bf16");
  if (cpuinfo("flags").find("amx_tile") != std::string::npos) json.string("amx");
  json.end_array();
  json.key("caches").begin_object();
  for (int index = 0; index < 5; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::string size = first_line(folder + "/size");
    if (size.empty()) continue;
    std::string type = first_line(folder + "/type");
    json.key("L" + first_line(folder + "/level") + (type == "Unified" ? "" : " " + type));
    json.string(size);
  }
  json.end_object();
  double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  json.key("memory_gib").number(pages * sysconf(_SC_PAGESIZE) / (1 << 30));
  utsname names;
  uname(&names);
  json.key("kernel").string(names.release);
  json.key("compiler").string(HOCKET_BENCH_COMPILER);
  json.key("scheduling").string(real_time ? "SCHED_FIFO 10" : "normal");
  json.key("huge_pages").string(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  json.end_object();
}

}  // namespace hocket::bench
