#include "target/target.h"

#include <algorithm>

namespace hocket::target {

namespace {

template <class... F>
constexpr uint64_t bits(F... f) {
  return (uint64_t{0} | ... | bit(f));
}

}  // namespace

const std::vector<FeatureInfo>& all_features() {
  using enum Feature;
  static const std::vector<FeatureInfo> table = {
      {Sse41, Arch::X86_64, "sse41", "sse4.1", 0},
      {Sse42, Arch::X86_64, "sse42", "sse4.2", bits(Sse41)},
      {Popcnt, Arch::X86_64, "popcnt", "popcnt", 0},
      {Avx, Arch::X86_64, "avx", "avx", bits(Sse42)},
      {F16c, Arch::X86_64, "f16c", "f16c", bits(Avx)},
      {Fma, Arch::X86_64, "fma", "fma", bits(Avx)},
      {Bmi, Arch::X86_64, "bmi", "bmi", 0},
      {Bmi2, Arch::X86_64, "bmi2", "bmi2", 0},
      {Avx2, Arch::X86_64, "avx2", "avx2", bits(Avx)},
      {AvxVnni, Arch::X86_64, "avxvnni", "avxvnni", bits(Avx2)},
      {Avx512f, Arch::X86_64, "avx512f", "avx512f", bits(Avx2, Fma, F16c)},
      {Avx512cd, Arch::X86_64, "avx512cd", "avx512cd", bits(Avx512f)},
      {Avx512dq, Arch::X86_64, "avx512dq", "avx512dq", bits(Avx512f)},
      {Avx512bw, Arch::X86_64, "avx512bw", "avx512bw", bits(Avx512f)},
      {Avx512vl, Arch::X86_64, "avx512vl", "avx512vl", bits(Avx512f)},
      {Avx512vbmi, Arch::X86_64, "avx512vbmi", "avx512vbmi", bits(Avx512bw)},
      {Avx512vnni, Arch::X86_64, "avx512vnni", "avx512vnni", bits(Avx512f)},
      {Avx512bf16, Arch::X86_64, "avx512bf16", "avx512bf16", bits(Avx512bw)},
      {Avx512fp16, Arch::X86_64, "avx512fp16", "avx512fp16", bits(Avx512bw, Avx512vl)},
      {AmxTile, Arch::X86_64, "amx_tile", "amx-tile", 0},
      {AmxInt8, Arch::X86_64, "amx_int8", "amx-int8", bits(AmxTile)},
      {AmxBf16, Arch::X86_64, "amx_bf16", "amx-bf16", bits(AmxTile)},
      {Neon, Arch::AArch64, "neon", "neon", 0},
      {DotProd, Arch::AArch64, "dotprod", "dotprod", bits(Neon)},
      {Fp16, Arch::AArch64, "fp16", "fullfp16", bits(Neon)},
      {Bf16, Arch::AArch64, "bf16", "bf16", bits(Neon)},
      {I8mm, Arch::AArch64, "i8mm", "i8mm", bits(Neon)},
      {Sve, Arch::AArch64, "sve", "sve", bits(Fp16)},
  };
  return table;
}

const FeatureInfo* find_feature(std::string_view name) {
  for (const FeatureInfo& f : all_features())
    if (f.name == name) return &f;
  return nullptr;
}

uint64_t close_features(uint64_t features) {
  for (uint64_t before = 0; before != features;) {
    before = features;
    for (const FeatureInfo& f : all_features())
      if (features & bit(f.feature)) features |= f.implies;
  }
  return features;
}

bool Target::has(std::string_view name) const {
  const FeatureInfo* f = find_feature(name);
  return f && has(f->feature);
}

int Target::vector_bytes() const {
  if (has(Feature::Avx512f)) return 64;
  return has(Feature::Avx) ? 32 : 16;
}

int Target::vector_registers() const {
  return arch == Arch::AArch64 || has(Feature::Avx512f) ? 32 : 16;
}

int Target::lanes(ir::Type element) const {
  return std::max(1, vector_bytes() / element.bytes());
}

bool Target::has_cheap_masks(ir::Type element) const {
  if (arch != Arch::X86_64) return has(Feature::Sve);
  if (element.bytes() >= 4) return has(Feature::Avx);
  return has(Feature::Avx512bw);
}

std::string Target::to_string() const {
  std::string out = arch == Arch::X86_64 ? "x86-64" : "aarch64";
  uint64_t implied = 0;
  for (const FeatureInfo& f : all_features())
    if (has(f.feature)) implied |= close_features(f.implies);
  for (const FeatureInfo& f : all_features())
    if (has(f.feature) && !(implied & bit(f.feature))) out += "-" + std::string(f.name);
  if (!cpu.empty()) out += "-cpu=" + cpu;
  return out;
}

bool same_code(const Target& a, const Target& b) {
  return a.arch == b.arch && a.cpu == b.cpu && a.features == b.features;
}

}  // namespace hocket::target
