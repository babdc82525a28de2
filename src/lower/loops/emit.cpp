#include "lower/loops/emit.h"

#include "analysis/simplify.h"
#include "ir/equal.h"
#include "ir/visit.h"
#include "lower/loops/shorten.h"
#include "lower/loops/storage.h"
#include "schedule/sites.h"
#include "schedule/stage_facts.h"

namespace hocket::lower::loops {

using namespace ir;
using schedule::Site;

namespace {

class Emitter {
 public:
  explicit Emitter(Lowering& l) : l_(l), shorten_(l) {}

  // What stands at the head of a site: region lets consumers first, allocations, nests producers
  // first.
  Body site(const Site& where) {
    Body out;
    for (auto n = l_.nests.rbegin(); n != l_.nests.rend(); ++n)
      if (n->plan->compute == where) out.insert(out.end(), n->lets.begin(), n->lets.end());
    for (FuncNest& n : l_.nests) {
      if (n.output || !(n.plan->store == where)) continue;
      out.insert(out.end(), n.store_lets.begin(), n.store_lets.end());
      std::vector<Expr> shape;
      for (auto it = n.plan->storage_order.rbegin(); it != n.plan->storage_order.rend(); ++it)
        shape.push_back(n.store_extent[static_cast<size_t>(*it)]);
      out.push_back(
          make_alloc(n.buffer, std::move(shape), n.plan->memory.empty() ? "DRAM" : n.plan->memory,
                     n.plan->memory_place.known() ? n.plan->memory_place : n.func->place));
    }
    for (FuncNest& n : l_.nests) {
      if (!(n.plan->compute == where)) continue;
      for (int s = 0; s < n.func->num_stages(); ++s) {
        Body nest = loops(n, s, 0, {});
        out.insert(out.end(), nest.begin(), nest.end());
      }
    }
    return out;
  }

 private:
  // Loops of a stage from index i inwards; `done` are the guards already placed, the domain's
  // condition last.
  Body loops(FuncNest& n, int stage, size_t i, std::vector<bool> done) {
    const StageNest& s = n.stages[static_cast<size_t>(stage)];
    std::vector<Expr> guards = s.guards;
    if (s.where.defined() && !stays_at_the_store(n, stage)) guards.push_back(s.where);
    if (done.empty()) done.assign(guards.size(), false);
    std::vector<Expr> ready;
    for (size_t g = 0; g < guards.size(); ++g) {
      if (done[g] || needs_later(s, guards[g], i)) continue;
      done[g] = true;
      bool twice = false;
      for (const Expr& r : ready) twice = twice || equal(r, guards[g]);
      if (!twice && !is_int_equal(guards[g], 1)) ready.push_back(guards[g]);
    }
    Body body;
    if (i > 0) {
      Site here{Site::Kind::At, n.func->sym, stage, s.loops[i - 1].name, {}};
      body = site(here);
    }
    if (i == s.loops.size()) {
      Stmt point = store(n, stage);
      if (s.where.defined() && stays_at_the_store(n, stage))
        point = make_if(values(s.where), {point});
      body.push_back(std::move(point));
    } else {
      const NestLoop& l = s.loops[i];
      body.push_back(
          make_for(l.var, l.lo, l.hi, l.kind, loops(n, stage, i + 1, done), l.var.place()));
    }
    for (auto g = ready.rbegin(); g != ready.rend(); ++g)
      body = {make_if(values(*g), std::move(body))};
    return body;
  }

  static bool needs_later(const StageNest& s, const Expr& guard, size_t from) {
    for (size_t i = from; i < s.loops.size(); ++i)
      if (uses(guard, s.loops[i].var)) return true;
    return false;
  }

  // A condition that reads values is asked where they stand: behind what is computed for it, and
  // anew after each store. Where storage outlives an iteration, what an iteration computes for the
  // next ones must not depend on the condition.
  bool stays_at_the_store(const FuncNest& n, int stage) const {
    bool stays = false;
    for_each(n.stages[static_cast<size_t>(stage)].where,
             [&](const Expr& e) { stays = stays || e.as<Call>() != nullptr; });
    for (const FuncNest& m : l_.nests)
      stays = stays || (!m.output && !(m.plan->store == m.plan->compute) && inside(m, n, stage));
    return stays;
  }

  // Is `m` computed somewhere in the loops of this stage?
  bool inside(const FuncNest& m, const FuncNest& n, int stage) const {
    for (const Site* s = &m.plan->compute; s->kind == Site::Kind::At;
         s = &l_.nest(s->func).plan->compute)
      if (s->func == n.func->sym && s->stage == stage) return true;
    return false;
  }

  Stmt store(FuncNest& n, int stage) {
    const Definition& d = n.func->stage(stage);
    const StageNest& s = n.stages[static_cast<size_t>(stage)];
    std::vector<Expr> point;
    for (const Expr& a : d.args)
      point.push_back(
          analysis::simplify(values(substitute(bind_fields(l_, a), s.value)), l_.facts));
    auto block = support::Ref<BlockHeader>(new BlockHeader);
    block->func = n.func->sym.without_payload();
    block->stage = stage;
    block->point = point;
    for (const RVar& r : d.domain.vars) block->reduction.push_back(s.value.at(r.sym));
    Expr value = values(substitute(bind_fields(l_, d.values[0]), s.value));
    Stmt out = make_store(n.buffer, stored_at(n, point), value, StoreOp::Assign,
                          BlockRef(block.get()), d.place);
    if (!n.plan->stages[static_cast<size_t>(stage)].stream) return out;
    return edited<Store>(out, [](Store& st) { st.stream = true; });
  }

  // Calls become loads.
  Expr values(const Expr& e) {
    return map_exprs(e, [&](const Expr& x) -> Expr {
      const auto* c = x.as<Call>();
      if (!c) return x;
      if (l_.plan.algorithm->find(c->func)) {
        const FuncNest& n = l_.nest(c->func);
        return make_load(n.buffer, c->type, stored_at(n, c->args));
      }
      const EntryBuffer& b = *l_.find_buffer(c->func);
      std::vector<Expr> index;
      for (size_t i = c->args.size(); i-- > 0;)
        index.push_back(
            shorten_(analysis::simplify(c->args[i] - make_var(b.dims[i].min), l_.facts)));
      return make_load(b.buffer, c->type, std::move(index));
    });
  }

  // Where a point of a Func lies in its storage.
  std::vector<Expr> stored_at(const FuncNest& n, const std::vector<Expr>& point) const {
    std::vector<Expr> out;
    for (const Expr& e : storage_index(l_, n, point)) out.push_back(shorten_(e));
    return out;
  }

  Lowering& l_;
  Shortener shorten_;
};

}  // namespace

ProcRef emit(Lowering& l, std::shared_ptr<const PipelineEntry> entry, std::vector<Param> params,
             std::vector<Expr> preconditions, const Expr& nonempty) {
  auto proc = support::Ref<Proc>(new Proc);
  proc->sym = Symbol::fresh(l.plan.algorithm->name, Type::index(), l.plan.algorithm->place);
  proc->mode = l.plan.algorithm->mode;
  proc->params = std::move(params);
  proc->preconditions = std::move(preconditions);
  proc->entry = std::move(entry);
  proc->place = l.plan.algorithm->place;
  Body body = Emitter(l).site(Site{Site::Kind::Root, {}, 0, "", {}});
  proc->body = is_int_equal(nonempty, 1) ? body : Body{make_if(nonempty, std::move(body))};
  return ProcRef(proc.get());
}

}  // namespace hocket::lower::loops
