#include "analysis/prove.h"

#include "analysis/affine_prove.h"
#include "analysis/evaluate.h"
#include "analysis/order.h"
#include "analysis/simplify.h"
#include "analysis/z3_solver.h"
#include "ir/print.h"

namespace hocket::analysis {

using namespace ir;

bool can_prove(const Expr& condition, const Facts& facts) {
  if (facts.unreachable()) return true;
  Expr c = simplify(condition, facts);
  int64_t truth = 0;
  if (is_int(c, &truth)) return truth != 0;
  return affine_prove(c, facts, AffineEffort{});
}

namespace {

// The facts hold and the condition does not, in numbers.
bool is_counterexample(const Expr& condition, const Facts& facts, const TermValue& values) {
  auto is_true = [&](const Expr& e) {
    auto v = evaluate(e, values);
    return v && !v->is_zero();
  };
  auto c = evaluate(condition, values);
  if (!c || !c->is_zero()) return false;
  for (const Expr& atom : facts.known_atoms()) {
    const Facts::Known* k = facts.find(atom);
    if (k->lower.empty() && k->upper.empty() && !k->value) continue;
    auto self = evaluate(atom, values);
    if (!self) return false;
    if (k->value) {
      auto v = evaluate(*k->value, values);
      if (!v || !(*v == *self)) return false;
    }
    for (const Affine& a : k->lower) {
      auto v = evaluate(a, values);
      if (!v || *self < *v) return false;
    }
    for (const Affine& a : k->upper) {
      auto v = evaluate(a, values);
      if (!v || *v < *self) return false;
    }
  }
  for (const Affine& a : facts.constraints()) {
    auto v = evaluate(a, values);
    if (!v || v->sign() < 0) return false;
  }
  for (const Expr& e : facts.conditions()) {
    if (!is_true(e)) return false;
  }
  return true;
}

}  // namespace

struct Prover::Impl {
  ProveOptions options;
  Z3Solver z3;
};

Prover::Prover(const ProveOptions& options) : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
}
Prover::~Prover() = default;
Prover::Prover(Prover&&) noexcept = default;

Proof Prover::prove(const Expr& condition, const Facts& facts) {
  if (facts.unreachable()) return Proof::yes("affine");
  Expr simple = simplify(condition, facts);
  int64_t truth = 0;
  if (is_int(simple, &truth) && truth) return Proof::yes("affine");
  AffineEffort effort;
  effort.max_rows = 200;
  effort.max_cases = 40;
  effort.max_disjuncts = 32;
  if (affine_prove(simple, facts, effort)) return Proof::yes("affine");
  if (!impl_->options.use_z3) return Proof::unknown("`" + to_text(simple) + "`");

  Z3Solver::Answer a =
      impl_->z3.refute(condition, facts, impl_->options.timeout_ms, impl_->options.small_model);
  if (a.outcome == Z3Solver::Outcome::NoModel) return Proof::yes("z3");
  if (a.outcome == Z3Solver::Outcome::Unknown) {
    std::string why = a.reason.empty() ? "" : " (" + a.reason + ")";
    return Proof::unknown("`" + to_text(simple) + "` is not decided in time" + why);
  }
  if (!a.opaque.empty()) {
    return Proof::unknown("what is known of `" + to_text(a.opaque[0]) + "` does not decide `" +
                          to_text(simple) + "`");
  }
  Proof p;
  p.verdict = Verdict::Refuted;
  p.how = "z3";
  for (const auto& [e, v] : a.values) {
    auto small = v.to_int64();
    if (!small) return Proof::unknown("`" + to_text(simple) + "` within 64 bits");
    if (const auto* var = e.as<VarRef>()) {
      p.model[var->sym] = *small;
    } else {
      p.fields.emplace_back(e, *small);
    }
  }
  auto value = [&](const Expr& e) -> std::optional<BigInt> {
    for (const auto& [known, v] : a.values) {
      if (same(known, e)) return v;
    }
    return BigInt(0);  // a term that the question did not depend on
  };
  if (!is_counterexample(condition, facts, value)) {
    return Proof::unknown("`" + to_text(simple) + "`");
  }
  return p;
}

Proof prove(const Expr& condition, const Facts& facts, const ProveOptions& options) {
  return Prover(options).prove(condition, facts);
}

}  // namespace hocket::analysis
