#include "schedule/race.h"

#include "analysis/dependence.h"
#include "ir/stmt.h"
#include "ir/visit.h"
#include "schedule/stage_facts.h"

namespace hocket::schedule {

using namespace ir;

namespace {

constexpr int kMilliseconds = 500;  // of one question to Z3

// The Func's values as elements of a buffer; those of others do not change meanwhile.
Expr as_loads(const Expr& e, const Symbol& func) {
  return map_exprs(e, [&](const Expr& n) -> Expr {
    const auto* c = n.as<Call>();
    return c && c->func == func ? make_load(func, c->type, c->args) : n;
  });
}

}  // namespace

bool proves_race_free(const Func& f, int stage, const Symbol& rvar) {
  const Definition& d = f.stage(stage);
  if (d.values.size() != 1) return false;
  std::vector<Expr> indices;
  for (const Expr& a : d.args) indices.push_back(as_loads(a, f.sym));
  Body body = {make_store(f.sym, indices, as_loads(d.values[0], f.sym))};
  if (d.domain.where.defined() && !holds_call(d.domain.where))
    body = {make_if(d.domain.where, std::move(body))};
  else if (d.domain.where.defined())
    for_each_call(d, [&](const Call& c) {  // what the condition reads of the Func
      if (c.func == f.sym)
        body.push_back(make_let(Symbol::fresh("read", c.type),
                                as_loads(make_call(c.func, c.type, c.args, c.value_index), f.sym)));
    });
  // The Func's own dimensions run over anything.
  for (size_t p = 0; p < f.args.size(); ++p) {
    if (!is_pure_dim(f, stage, static_cast<int>(p))) continue;
    const Symbol lo = Symbol::fresh("lo", Type::index()), hi = Symbol::fresh("hi", Type::index());
    body = {make_for(f.args[p], make_var(lo), make_var(hi), LoopKind::Seq, std::move(body))};
  }
  Stmt loop;
  for (const bool own : {false, true}) {
    for (const RVar& r : d.domain.vars) {
      if ((r.sym == rvar) != own) continue;
      if (holds_call(r.min) || holds_call(r.extent)) return false;
      loop = make_for(r.sym, r.min, r.min + r.extent, LoopKind::Seq, std::move(body));
      body = {loop};
    }
  }
  analysis::ProveOptions options;
  options.timeout_ms = kMilliseconds;
  options.small_model = false;
  analysis::Dependence dependence(options);
  return dependence.iterations_independent(loop, analysis::Scope(), analysis::Reductions::None)
      .proved();
}

}  // namespace hocket::schedule
