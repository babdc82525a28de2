// The machine that runs this process, read once by cpuid. A feature counts only where the operating
// system saves its registers (xgetbv).
#include <thread>

#include "target/target.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace hocket::target {

#if defined(__x86_64__)
namespace {

struct Regs {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};
Regs cpuid(uint32_t leaf, uint32_t sub = 0) {
  Regs r;
  if (leaf > __get_cpuid_max(leaf & 0x80000000u, nullptr)) return r;
  __cpuid_count(leaf, sub, r.a, r.b, r.c, r.d);
  return r;
}

uint64_t xgetbv() {
  uint32_t lo = 0, hi = 0;
  asm volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
  return (uint64_t{hi} << 32) | lo;
}

uint64_t read_features() {
  const Regs l1 = cpuid(1), l7 = cpuid(7), l71 = cpuid(7, 1);
  const bool osxsave = l1.c >> 27 & 1;
  const uint64_t saved = osxsave ? xgetbv() : 0;
  const bool ymm = (saved & 0x6) == 0x6, zmm = (saved & 0xe6) == 0xe6;
  const bool tiles = (saved >> 17 & 3) == 3;
  uint64_t out = 0;
  auto set = [&](Feature f, uint32_t word, int pos, bool usable = true) {
    if (usable && (word >> pos & 1)) out |= bit(f);
  };
  using enum Feature;
  set(Sse41, l1.c, 19);
  set(Sse42, l1.c, 20);
  set(Popcnt, l1.c, 23);
  set(Avx, l1.c, 28, ymm);
  set(F16c, l1.c, 29, ymm);
  set(Fma, l1.c, 12, ymm);
  set(Bmi, l7.b, 3);
  set(Bmi2, l7.b, 8);
  set(Avx2, l7.b, 5, ymm);
  set(AvxVnni, l71.a, 4, ymm);
  set(Avx512f, l7.b, 16, zmm);
  set(Avx512dq, l7.b, 17, zmm);
  set(Avx512cd, l7.b, 28, zmm);
  set(Avx512bw, l7.b, 30, zmm);
  set(Avx512vl, l7.b, 31, zmm);
  set(Avx512vbmi, l7.c, 1, zmm);
  set(Avx512vnni, l7.c, 11, zmm);
  set(Avx512bf16, l71.a, 5, zmm);
  set(Avx512fp16, l7.d, 23, zmm);
  set(AmxBf16, l7.d, 22, tiles);
  set(AmxTile, l7.d, 24, tiles);
  set(AmxInt8, l7.d, 25, tiles);
  // A feature whose needs are masked out by a hypervisor cannot be relied on.
  for (uint64_t before = 0; before != out;) {
    before = out;
    for (const FeatureInfo& f : all_features())
      if ((out & f.implies) != f.implies) out &= ~bit(f.feature);
  }
  return out;
}

struct CpuName {
  bool amd;
  uint32_t family, model_lo, model_hi;
  const char* name;
  Feature needs;  // a virtual machine may hide it: then the name promises too much
};
constexpr CpuName kCpus[] = {
    {true, 0x17, 0x00, 0x2f, "znver1", Feature::Avx2},
    {true, 0x17, 0x30, 0xff, "znver2", Feature::Avx2},
    {true, 0x19, 0x10, 0x1f, "znver4", Feature::Avx512bf16},
    {true, 0x19, 0x60, 0x7f, "znver4", Feature::Avx512bf16},
    {true, 0x19, 0xa0, 0xaf, "znver4", Feature::Avx512bf16},
    {true, 0x19, 0x00, 0xff, "znver3", Feature::Avx2},
    {true, 0x1a, 0x00, 0xff, "znver5", Feature::Avx512bf16},
    {false, 6, 0x3c, 0x3c, "haswell", Feature::Avx2},
    {false, 6, 0x3f, 0x3f, "haswell", Feature::Avx2},
    {false, 6, 0x4f, 0x4f, "broadwell", Feature::Avx2},
    {false, 6, 0x4e, 0x4e, "skylake", Feature::Avx2},
    {false, 6, 0x5e, 0x5e, "skylake", Feature::Avx2},
    {false, 6, 0x9e, 0x9e, "skylake", Feature::Avx2},
    {false, 6, 0x55, 0x55, "skylake-avx512", Feature::Avx512bw},
    {false, 6, 0x6a, 0x6c, "icelake-server", Feature::Avx512vnni},
    {false, 6, 0x97, 0x9a, "alderlake", Feature::AvxVnni},
    {false, 6, 0x8f, 0x8f, "sapphirerapids", Feature::AmxBf16},
    {false, 6, 0xcf, 0xcf, "emeraldrapids", Feature::AmxBf16},
    {false, 6, 0xad, 0xae, "graniterapids", Feature::AmxBf16},
};

std::string read_cpu(bool amd, uint64_t features) {
  const uint32_t sig = cpuid(1).a;
  uint32_t family = sig >> 8 & 0xf, model = sig >> 4 & 0xf;
  if (family == 0xf) family += sig >> 20 & 0xff;
  if (family >= 6) model |= (sig >> 16 & 0xf) << 4;
  for (const CpuName& c : kCpus)
    if (c.amd == amd && c.family == family && c.model_lo <= model && model <= c.model_hi &&
        (features & bit(c.needs)))
      return c.name;
  return {};
}

void read_caches(bool amd, Target& t) {
  const uint32_t leaf = amd ? 0x8000001d : 4;
  for (uint32_t i = 0; i < 8; ++i) {
    const Regs r = cpuid(leaf, i);
    const uint32_t type = r.a & 31, level = r.a >> 5 & 7;
    if (type == 0) break;
    if (type == 2) continue;  // instructions
    const int64_t line = (r.b & 0xfff) + 1, parts = (r.b >> 12 & 0x3ff) + 1;
    const int64_t ways = (r.b >> 22) + 1, sets = int64_t{r.c} + 1;
    const int64_t bytes = line * parts * ways * sets;
    if (level == 1) t.l1_bytes = bytes;
    if (level == 2) t.l2_bytes = bytes;
    if (level == 3) t.l3_bytes = bytes;
    t.cache_line = static_cast<int>(line);
  }
}

}  // namespace
#endif

const Target& host() {
  static const Target target = [] {
    Target t;
    t.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
#if defined(__x86_64__)
    t.features = read_features();
    const bool amd = cpuid(0).b == 0x68747541;  // "Auth"
    t.cpu = read_cpu(amd, t.features);
    read_caches(amd, t);
#elif defined(__aarch64__)
    t.arch = Arch::AArch64;
    t.features = bit(Feature::Neon);
#endif
    return t;
  }();
  return target;
}

}  // namespace hocket::target
