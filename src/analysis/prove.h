// Proofs: is a condition true wherever the facts hold?
//
// `can_prove` is affine and interval reasoning only: fast, a silent no where it sees nothing.
// `prove` is the judge's: affine first, then Z3, and an answer of three: proved (with what was
// used), refuted (with values of the symbols under which the facts hold and the condition does
// not, checked by evaluation), unknown (with the fact that is missing). Free symbols are universal.
// Integers are unbounded; data of wrapping types, loads and calls are opaque values of their type.
// Called by: dependence.h (`prove`), lower and rewrite (`can_prove`). Z3 starts when it is first
// needed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "analysis/facts.h"
#include "ir/trace.h"

namespace hocket::analysis {

bool can_prove(const ir::Expr& condition, const Facts& facts = {});

struct Proof {
  ir::Verdict verdict = ir::Verdict::Unknown;
  std::string how;  // "affine", "z3"; empty where unknown
  // Refuted: values of the free symbols of condition and facts (bool as 0 and 1).
  std::unordered_map<ir::Symbol, int64_t> model;
  // Refuted: values of the other free terms, `input.min.0` and the like, as written.
  std::vector<std::pair<ir::Expr, int64_t>> fields;
  std::string missing;  // unknown: what would have to be known, in words

  bool proved() const { return verdict == ir::Verdict::Proved; }
  bool refuted() const { return verdict == ir::Verdict::Refuted; }
  static Proof yes(std::string how) { return {ir::Verdict::Proved, std::move(how), {}, {}, {}}; }
  static Proof unknown(std::string missing) {
    return {ir::Verdict::Unknown, {}, {}, {}, std::move(missing)};
  }
};

struct ProveOptions {
  int timeout_ms = 2000;  // of computing time, of one question to Z3
  bool use_z3 = true;
  bool small_model = true;  // refuted: look for sizes as small as they go
};

// One prover for a sequence of questions: it keeps its Z3 context. Not shared between threads.
class Prover {
 public:
  explicit Prover(const ProveOptions& options = {});
  ~Prover();
  Prover(Prover&&) noexcept;
  Proof prove(const ir::Expr& condition, const Facts& facts);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A question on its own.
Proof prove(const ir::Expr& condition, const Facts& facts, const ProveOptions& options = {});

}  // namespace hocket::analysis
