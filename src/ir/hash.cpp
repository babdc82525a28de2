// Structural hashes (equal.h): what is equal hashes alike, in every process. Bound symbols count by
// the order in which they are bound, free ones by name and type.
#include <bit>
#include <cmath>
#include <unordered_map>

#include "ir/equal.h"
#include "support/hash.h"

namespace hocket::ir {

namespace {

using support::Hasher;

class Walk {
 public:
  uint64_t expr(const Expr& e) {
    if (!e.defined()) return 1;
    auto it = known_.find(e.get());
    if (it != known_.end()) return it->second;
    uint64_t h = node(e);
    known_.emplace(e.get(), h);
    return h;
  }
  uint64_t proc(const Proc& p);
  uint64_t algorithm(const Algorithm& a);

 private:
  static uint64_t type(Type t) {
    return (static_cast<uint64_t>(t.code) << 24) | (static_cast<uint64_t>(t.bits) << 16) | t.lanes;
  }
  void bind(const Symbol& s, Hasher& h, bool named = false) {
    h.add(s.defined());
    if (!s.defined()) return;
    auto [it, fresh] = bound_.emplace(s, next_);
    if (fresh) ++next_;
    h.add(it->second).add(type(s.type()));
    if (named) h.add(s.name());
  }
  void symbol(const Symbol& s, Hasher& h) const {
    h.add(s.defined());
    if (!s.defined()) return;
    auto it = bound_.find(s);
    if (it != bound_.end()) {
      h.add(it->second);
    } else {
      h.add(s.name()).add(type(s.type()));
    }
  }
  void exprs(const std::vector<Expr>& list, Hasher& h) {
    h.add(list.size());
    for (const Expr& e : list) h.add(expr(e));
  }
  uint64_t node(const Expr& e);
  void body(const Body& b, Hasher& h);
  void stmt(const Stmt& s, Hasher& h);
  void entry(const PipelineEntry& e, Hasher& h);
  void definition(const Definition& d, Hasher& h);

  size_t next_ = 0;
  std::unordered_map<Symbol, size_t> bound_;
  std::unordered_map<const ExprNode*, uint64_t> known_;
};

uint64_t Walk::node(const Expr& e) {
  Hasher h;
  h.add(static_cast<int>(e.kind())).add(type(e.type()));
  switch (e.kind()) {
    case ExprKind::IntImm:
      h.add(e.as<IntImm>()->value);
      break;
    case ExprKind::FloatImm: {
      double v = e.as<FloatImm>()->value;
      h.add(std::isnan(v) ? uint64_t{1} : std::bit_cast<uint64_t>(v));
      break;
    }
    case ExprKind::VarRef:
      symbol(e.as<VarRef>()->sym, h);
      break;
    case ExprKind::Unary:
      h.add(static_cast<int>(e.as<Unary>()->op)).add(expr(e.as<Unary>()->a));
      break;
    case ExprKind::Binary: {
      const auto* b = e.as<Binary>();
      h.add(static_cast<int>(b->op)).add(expr(b->a)).add(expr(b->b));
      break;
    }
    case ExprKind::Fma: {
      const auto* f = e.as<Fma>();
      h.add(expr(f->a)).add(expr(f->b)).add(expr(f->c));
      break;
    }
    case ExprKind::Select: {
      const auto* s = e.as<Select>();
      h.add(expr(s->cond)).add(expr(s->t)).add(expr(s->f));
      break;
    }
    case ExprKind::Cast:
      h.add(expr(e.as<Cast>()->a));
      break;
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      symbol(l->buffer, h);
      exprs(l->indices, h);
      h.add(expr(l->predicate)).add(l->align);
      break;
    }
    case ExprKind::Call: {
      const auto* c = e.as<Call>();
      symbol(c->func, h);
      exprs(c->args, h);
      h.add(c->value_index);
      break;
    }
    case ExprKind::BufferField: {
      const auto* b = e.as<BufferField>();
      symbol(b->buffer, h);
      h.add(static_cast<int>(b->field)).add(b->dim);
      break;
    }
    case ExprKind::Window: {
      const auto* w = e.as<Window>();
      symbol(w->buffer, h);
      for (const WindowDim& d : w->dims) h.add(expr(d.lo)).add(expr(d.hi));
      break;
    }
    case ExprKind::Ramp:
      h.add(expr(e.as<Ramp>()->base)).add(expr(e.as<Ramp>()->stride));
      break;
    case ExprKind::Broadcast:
      h.add(expr(e.as<Broadcast>()->value));
      break;
    case ExprKind::Shuffle: {
      const auto* s = e.as<Shuffle>();
      exprs(s->vectors, h);
      for (int lane : s->lanes) h.add(lane);
      break;
    }
  }
  return h.finish();
}

void Walk::body(const Body& b, Hasher& h) {
  h.add(b.size());
  for (const Stmt& s : b) stmt(s, h);
}

void Walk::stmt(const Stmt& s, Hasher& h) {
  h.add(static_cast<int>(s.kind()));
  switch (s.kind()) {
    case StmtKind::For: {
      const auto* f = s.as<For>();
      h.add(static_cast<int>(f->loop)).add(expr(f->lo)).add(expr(f->hi));
      bind(f->var, h);
      body(f->body, h);
      break;
    }
    case StmtKind::If:
      h.add(expr(s.as<If>()->cond));
      body(s.as<If>()->then_body, h);
      body(s.as<If>()->else_body, h);
      break;
    case StmtKind::Let:
      h.add(expr(s.as<Let>()->value));
      bind(s.as<Let>()->sym, h);
      break;
    case StmtKind::Alloc:
      exprs(s.as<Alloc>()->shape, h);
      h.add(s.as<Alloc>()->memory);
      bind(s.as<Alloc>()->buffer, h);
      break;
    case StmtKind::Free:
      symbol(s.as<Free>()->buffer, h);
      break;
    case StmtKind::Store: {
      const auto* st = s.as<Store>();
      symbol(st->buffer, h);
      exprs(st->indices, h);
      h.add(static_cast<int>(st->op)).add(st->fused).add(st->stream).add(st->align);
      h.add(expr(st->value)).add(expr(st->predicate));
      if (const BlockHeader* b = st->block.get()) {
        // By name: blocks bind their Funcs in procs.
        h.add(b->func.name()).add(b->stage);
        exprs(b->point, h);
        exprs(b->reduction, h);
      }
      break;
    }
    case StmtKind::Call:
      exprs(s.as<CallStmt>()->args, h);
      h.add(hash(*s.as<CallStmt>()->callee));
      break;
    case StmtKind::WindowStmt:
      h.add(expr(s.as<WindowStmt>()->window));
      bind(s.as<WindowStmt>()->sym, h);
      break;
    case StmtKind::Check:
      h.add(expr(s.as<Check>()->cond)).add(s.as<Check>()->code).add(s.as<Check>()->message);
      break;
    case StmtKind::Pass:
      break;
  }
}

void Walk::entry(const PipelineEntry& e, Hasher& h) {
  h.add(e.pipeline).add(e.args.size()).add(e.checks.size());
  for (const EntryArg& a : e.args) {
    h.add(static_cast<int>(a.kind)).add(a.dims.size());
    symbol(a.sym, h);
    for (const EntryDim& d : a.dims) {
      for (const Symbol* s : {&d.min, &d.extent, &d.stride}) symbol(*s, h);
      h.add(expr(d.required_min)).add(expr(d.required_max));
    }
    h.add(expr(a.range_min)).add(expr(a.range_max)).add(a.default_value.has_value());
    if (a.default_value) h.add(std::bit_cast<uint64_t>(*a.default_value + 0.0));
  }
  for (const EntryCheck& c : e.checks) {
    h.add(expr(c.cond)).add(c.code).add(c.message).add(c.dimension);
    symbol(c.argument, h);
  }
}

uint64_t Walk::proc(const Proc& p) {
  Hasher h;
  h.add(p.name()).add(static_cast<int>(p.form)).add(static_cast<int>(p.mode)).add(p.params.size());
  for (const Param& q : p.params) {
    h.add(static_cast<int>(q.kind)).add(q.window).add(q.memory);
    exprs(q.shape, h);
    bind(q.sym, h);
  }
  h.add(p.instr.has_value());
  if (p.instr) {
    h.add(p.instr->c_template).add(p.instr->c_global);
    for (const std::string& f : p.instr->features) h.add(f);
  }
  h.add(p.entry != nullptr);
  if (p.entry) entry(*p.entry, h);
  exprs(p.preconditions, h);
  body(p.body, h);
  return h.finish();
}

void Walk::definition(const Definition& d, Hasher& h) {
  h.add(d.domain.vars.size());
  for (const RVar& v : d.domain.vars) {
    h.add(expr(v.min)).add(expr(v.extent));
    // Updates may share the variables of a domain: each binds them anew.
    bound_.erase(v.sym);
    known_.clear();
    bind(v.sym, h, true);
  }
  h.add(expr(d.domain.where));
  exprs(d.args, h);
  exprs(d.values, h);
}

uint64_t Walk::algorithm(const Algorithm& a) {
  Hasher h;
  h.add(a.name).add(static_cast<int>(a.mode));
  h.add(a.inputs.size()).add(a.params.size()).add(a.funcs.size());
  for (const ImageParam& p : a.inputs) {
    bind(p.sym, h, true);
    for (const std::string& d : p.dims) h.add(d);
  }
  for (const ScalarParam& p : a.params) {
    bind(p.sym, h, true);
    h.add(expr(p.min)).add(expr(p.max)).add(p.default_value.has_value());
    if (p.default_value) h.add(std::bit_cast<uint64_t>(*p.default_value + 0.0));
  }
  for (const Symbol& s : a.ordered_arguments()) symbol(s, h);
  for (const Func& f : a.funcs) bind(f.sym, h, true);
  for (const Func& f : a.funcs) {
    h.add(f.types.size()).add(f.args.size());
    for (Type t : f.types) h.add(type(t));
    for (const Symbol& s : f.args) bind(s, h, true);
    for (int s = 0; s < f.num_stages(); ++s) definition(f.stage(s), h);
  }
  for (const Symbol& s : a.outputs) symbol(s, h);
  return h.finish();
}

}  // namespace

uint64_t hash(const Expr& e) {
  return Walk().expr(e);
}
uint64_t hash(const Proc& p) {
  return Walk().proc(p);
}
uint64_t hash(const Algorithm& a) {
  return Walk().algorithm(a);
}

}  // namespace hocket::ir
