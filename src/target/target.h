// What a machine is, as data: architecture, CPU name, features, caches, cores.
//
// In: a target string (`x86-64-avx2-fma`, `host`) or the machine itself by host(). Out: a Target,
// printed again by to_string. Read by lower/flat (masks, stack), codegen (features) and schedules
// (vector sizes, caches). Feature lists are closed under implication: avx2 brings avx and sse42.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diag/result.h"
#include "ir/type.h"
#include "support/source.h"

namespace hocket::target {

enum class Arch : uint8_t { X86_64, AArch64 };

// Every feature known, in the order in which they print. The table with names, LLVM spellings and
// implications is in target.cpp.
enum class Feature : uint8_t {
  Sse41,
  Sse42,
  Popcnt,
  Avx,
  F16c,
  Fma,
  Bmi,
  Bmi2,
  Avx2,
  AvxVnni,
  Avx512f,
  Avx512cd,
  Avx512dq,
  Avx512bw,
  Avx512vl,
  Avx512vbmi,
  Avx512vnni,
  Avx512bf16,
  Avx512fp16,
  AmxTile,
  AmxInt8,
  AmxBf16,
  Neon,
  DotProd,
  Fp16,
  Bf16,
  I8mm,
  Sve,
};

struct FeatureInfo {
  Feature feature;
  Arch arch;
  std::string_view name;       // in target strings and in `features=` of instructions
  std::string_view llvm_name;  // after the + of LLVM's feature strings
  uint64_t implies;            // direct implications, bits of features
};
const std::vector<FeatureInfo>& all_features();
// The feature with this name, or null.
const FeatureInfo* find_feature(std::string_view name);

constexpr uint64_t bit(Feature f) {
  return uint64_t{1} << static_cast<int>(f);
}

struct Target {
  Arch arch = Arch::X86_64;
  std::string cpu;        // LLVM's name of the processor (`znver4`); empty: any with the features
  uint64_t features = 0;  // bits, closed under implication
  int cores = 1;
  int64_t l1_bytes = 32 << 10;  // data, per core
  int64_t l2_bytes = 1 << 20;   // per core
  int64_t l3_bytes = 32 << 20;  // shared
  int cache_line = 64;

  bool has(Feature f) const { return (features & bit(f)) != 0; }
  bool has(std::string_view name) const;

  // The widest register that data goes through, in bytes, and how many there are.
  int vector_bytes() const;
  int vector_registers() const;
  // Elements of one register; 1 for types wider than it.
  int lanes(ir::Type element) const;
  // Whether a load or store with a lane mask is one instruction for this element type.
  bool has_cheap_masks(ir::Type element) const;
  // `x86-64-avx2-fma`: architecture and the features that no other one implies.
  std::string to_string() const;
};

// Same code comes out: architecture, processor and features; caches and cores do not count.
bool same_code(const Target& a, const Target& b);

// The machine that runs this process.
const Target& host();

// `host`, or an architecture (`x86-64`, `aarch64`) and words joined by dashes: features, levels
// (`v2 v3 v4`), `no_NAME`, which takes a feature and all that need it away, and `cpu=NAME`.
diag::Result<Target> parse_target(std::string_view text, const support::Place& place = {});

// The set with everything that its members imply.
uint64_t close_features(uint64_t features);

}  // namespace hocket::target
