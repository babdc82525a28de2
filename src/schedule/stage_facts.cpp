#include "schedule/stage_facts.h"

#include "analysis/affine.h"
#include "ir/equal.h"
#include "ir/visit.h"
#include "schedule/race.h"

namespace hocket::schedule {

using namespace ir;

std::vector<Symbol> callees(const Definition& d) {
  std::vector<Symbol> out;
  for_each_call(d, [&](const Call& c) {
    for (const Symbol& s : out)
      if (s == c.func) return;
    out.push_back(c.func);
  });
  return out;
}

bool holds_call(const Expr& e) {
  bool found = false;
  for_each(e, [&](const Expr& n) { found = found || n.kind() == ExprKind::Call; });
  return found;
}

bool is_race_free(const Func& f, int stage, const Symbol& rvar) {
  const Definition& d = f.stage(stage);
  for (size_t p = 0; p < d.args.size(); ++p) {
    analysis::Affine form = analysis::parse_affine(d.args[p]);
    if (form.coefficient(rvar) == 0) continue;
    bool alone = true;
    for (const analysis::Affine::Term& t : form.terms()) {
      const auto* v = t.atom.as<VarRef>();
      if (v && v->sym == rvar) continue;
      for (const RVar& r : d.domain.vars) alone = alone && !uses(t.atom, r.sym);
    }
    if (!alone) continue;
    bool same = true;
    for_each_call(d, [&](const Call& c) {
      if (c.func == f.sym) same = same && equal(c.args[p], d.args[p]);
    });
    if (same) return true;
  }
  return proves_race_free(f, stage, rvar);
}

bool is_order_free(const Func& f, int stage) {
  const Definition& d = f.stage(stage);
  if (d.values.size() != 1 || d.values[0].type().is_float()) return false;
  auto is_self = [&](const Expr& e) {
    const auto* c = e.as<Call>();
    if (!c || !(c->func == f.sym)) return false;
    for (size_t i = 0; i < c->args.size(); ++i)
      if (!equal(c->args[i], d.args[i])) return false;
    return true;
  };
  const auto* b = d.values[0].as<Binary>();
  if (!b) return false;
  switch (b->op) {
    case BinaryOp::Add:
    case BinaryOp::Mul:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
      break;
    default:
      return false;
  }
  const Expr* rest = is_self(b->a) ? &b->b : is_self(b->b) ? &b->a : nullptr;
  if (!rest || uses(*rest, f.sym)) return false;
  for (const Expr& a : d.args)
    if (uses(a, f.sym)) return false;
  return !d.domain.where.defined() || !uses(d.domain.where, f.sym);
}

}  // namespace hocket::schedule
