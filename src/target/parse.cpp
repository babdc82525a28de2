// Target strings. `host` starts from this machine's data; an architecture from the defaults of
// Target, with caches and cores of the host where it is the same architecture.
#include "diag/kinds_target.h"
#include "support/edit_distance.h"
#include "support/strings.h"
#include "target/target.h"

namespace hocket::target {

namespace {

using enum Feature;

struct Level {
  std::string_view name;
  uint64_t features;
};
// The micro-architecture levels of the x86-64 psABI.
constexpr Level kLevels[] = {
    {"v2", bit(Sse42) | bit(Popcnt)},
    {"v3", bit(Sse42) | bit(Popcnt) | bit(Avx2) | bit(Fma) | bit(F16c) | bit(Bmi) | bit(Bmi2)},
    {"v4", bit(Popcnt) | bit(Bmi) | bit(Bmi2) | bit(Avx512f) | bit(Avx512cd) | bit(Avx512dq) |
               bit(Avx512bw) | bit(Avx512vl)},
};

std::vector<std::string> words_for(Arch arch) {
  std::vector<std::string> out;
  for (const FeatureInfo& f : all_features())
    if (f.arch == arch) out.emplace_back(f.name);
  if (arch == Arch::X86_64)
    for (const Level& l : kLevels) out.emplace_back(l.name);
  return out;
}

// Everything that needs `f`, and `f`.
uint64_t dependents(Feature f) {
  uint64_t out = 0;
  for (const FeatureInfo& g : all_features())
    if (close_features(bit(g.feature)) & bit(f)) out |= bit(g.feature);
  return out;
}

diag::Diagnostic unknown_word(std::string_view text, std::string_view word, Arch arch,
                              const support::Place& place) {
  std::string bare(word.starts_with("no_") ? word.substr(3) : word);
  diag::Diagnostic d(diag::kind::unknown_target_feature, place);
  d.arg("word", std::string(word)).arg("target", std::string(text));
  std::vector<std::string> words = words_for(arch);
  // Levels are not taken away.
  if (bare != word)
    std::erase_if(words, [](const std::string& w) { return find_feature(w) == nullptr; });
  for (const std::string& near : support::close_names(bare, words)) {
    std::string fixed(text);
    fixed.replace(fixed.find(bare), bare.size(), near);
    d.help(fixed);
  }
  d.note("features: " + support::join(words, " "));
  return d;
}

}  // namespace

diag::Result<Target> parse_target(std::string_view text, const support::Place& place) {
  constexpr std::string_view kArchs[] = {"x86-64", "aarch64", "host"};
  Target t;
  std::string_view rest;
  bool found = false;
  for (std::string_view name : kArchs) {
    if (!text.starts_with(name)) continue;
    rest = text.substr(name.size());
    if (!rest.empty() && rest[0] != '-') continue;
    found = true;
    if (name == "host") {
      t = host();
    } else {
      t.arch = name == "x86-64" ? Arch::X86_64 : Arch::AArch64;
      if (t.arch == Arch::AArch64) t.features = bit(Neon);
      if (const Target& h = host(); h.arch == t.arch) {
        t.cores = h.cores;
        t.l1_bytes = h.l1_bytes;
        t.l2_bytes = h.l2_bytes;
        t.l3_bytes = h.l3_bytes;
        t.cache_line = h.cache_line;
      }
    }
    break;
  }
  if (!found) {
    diag::Diagnostic d(diag::kind::unknown_target, place);
    d.arg("target", std::string(text));
    std::vector<std::string> names(std::begin(kArchs), std::end(kArchs));
    std::string_view head = text.substr(0, std::min(text.size(), size_t{7}));
    for (const std::string& near : support::close_names(head, names)) d.help(near);
    d.note("a target starts with one of " + support::join(names, ", "));
    return d;
  }

  while (!rest.empty()) {
    rest.remove_prefix(1);  // the dash
    std::string_view word = rest.substr(0, rest.find('-'));
    if (word.starts_with("cpu=")) {
      // LLVM's names of processors have dashes in them: the name is all that follows.
      t.cpu = rest.substr(4);
      break;
    }
    rest.remove_prefix(word.size());
    bool known = false;
    if (t.arch == Arch::X86_64) {
      for (const Level& l : kLevels) {
        if (word != l.name) continue;
        t.features |= l.features;
        known = true;
      }
    }
    bool without = word.starts_with("no_");
    const FeatureInfo* f = find_feature(without ? word.substr(3) : word);
    if (f && f->arch == t.arch) {
      known = true;
      if (without) {
        t.features = close_features(t.features) & ~dependents(f->feature);
        t.cpu.clear();  // the processor's name would bring the feature back
      } else {
        t.features |= bit(f->feature);
      }
    }
    if (!known) return unknown_word(text, word, t.arch, place);
  }
  t.features = close_features(t.features);
  return t;
}

}  // namespace hocket::target
