// Invariants of procs (V0001 to V0003: verify_expr.h):
//
// V0004  a symbol is used only from its binder to the end of the list of statements that holds it
// V0005  every binder has a symbol of its own
// V0006  a VarRef is a variable of its symbol's type; a whole buffer stands only as a call argument
// V0007  an access has one index per dimension (flat form: one), of type index, and the element's
//        type
// V0008  no Call of a Func; Windows only as call arguments and in window statements; in loop form
//        no Ramp, Broadcast, Shuffle and Free, in flat form no window statement and one extent
// V0009  loop bounds are scalars of type index
// V0010  conditions are one bool
// V0011  a stored value has the element's type; only += of a float product is fused
// V0012  call arguments fit the parameters; dense parameters take whole buffers
// V0013  parameters fit their kinds; shapes are indices over earlier parameters
// V0014  preconditions read parameters alone
// V0015  blocks have a Func, a stage of at least 0 and scalar coordinates of type index
// V0016  an entry names parameters of its proc, carriers of kind index, regions over parameters
// V0017  control reads no memory: bounds of loops, shapes, windows, arguments for size and index
//        parameters hold no Load, so that passes and rewrites may say them twice, or later
// V0018  a buffer's only field is its stride; in flat form windows alone have one
//
// Between the passes of lower/flat (Stand::BetweenPasses) what V0002, V0007 and V0008 say of
// vectors is as in flat form, everything else as in loop form.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "diag/kinds_verify.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ir/verify_expr.h"
#include "ir/visit.h"

namespace hocket::ir {

namespace {

using diag::Diagnostic;
using diag::Result;
using support::Place;

bool is_scalar_index(const Expr& e) {
  return e.defined() && e.type() == Type::index();
}
bool is_scalar_bool(const Expr& e) {
  return e.defined() && e.type() == Type::boolean();
}

class Verifier {
 public:
  Verifier(const Proc& p, Stand stand)
      : proc_(p), flat_(p.form == Form::Flat), vectors_(flat_ || stand == Stand::BetweenPasses) {}
  Result<void> run();
  std::vector<const Proc*> callees;

 private:
  struct Thing {
    bool buffer = false;
    size_t rank = 0;
    bool window = false;
  };

  Diagnostic refuse(diag::Kind kind, const Place& place = {}) const {
    return Diagnostic(kind, place.known() ? place : proc_.place);
  }
  Diagnostic refuse(diag::Kind kind, const Expr& at, const Place& place) const {
    return refuse(kind, place).arg("at", diag::LatePrinter([at] { return shown(at); }));
  }
  const Thing* find(const Symbol& s) const {
    auto it = things_.find(s);
    return it == things_.end() ? nullptr : &it->second;
  }
  Result<void> bind(const Symbol& s, Thing thing, const Place& place) {
    if (!s.defined() || !ever_.insert(s).second)
      return refuse(diag::kind::invariant_one_binder, place)
          .arg("name", s.defined() ? s.name() : "(nothing)");
    things_.emplace(s, thing);
    if (!scopes_.empty()) scopes_.back().push_back(s);
    return {};
  }
  void close() {
    for (const Symbol& s : scopes_.back()) things_.erase(s);
    scopes_.pop_back();
  }

  Result<void> expr(const Expr& e, const Place& place);
  Result<void> node(const Expr& e, const Place& place);
  Result<void> buffer(const Symbol& s, const Expr& at, const Place& place, const Thing*& thing);
  Result<void> access(const Symbol& s, const std::vector<Expr>& indices, Type type, const Expr& at,
                      const Place& place);
  Result<void> window(const Expr& e, const Place& place);
  Result<void> condition(const Expr& e, const Place& place);
  Result<void> control(const Expr& e, const Place& place);
  Result<void> body(const Body& b);
  Result<void> stmt(const Stmt& s);
  Result<void> store(const Store& s);
  Result<void> call(const CallStmt& c);
  Result<void> params();
  Result<void> entry();

  const Proc& proc_;
  bool flat_;
  bool vectors_;  // vectors, predicates and alignments may stand
  std::unordered_map<Symbol, Thing> things_;
  std::unordered_set<Symbol> ever_;
  std::vector<std::vector<Symbol>> scopes_;
  std::unordered_set<const ExprNode*> seen_;  // within one statement's expression
};

Result<void> Verifier::buffer(const Symbol& s, const Expr& at, const Place& place,
                              const Thing*& thing) {
  thing = find(s);
  if (!thing) return refuse(diag::kind::invariant_scope, at, place).arg("name", s.name());
  if (!thing->buffer)
    return refuse(diag::kind::invariant_reference, at, place).arg("name", s.name());
  return {};
}

// An element is one lane where an index is the same for all.
int lanes_of(const std::vector<Expr>& indices) {
  int lanes = 1;
  for (const Expr& i : indices)
    if (i.defined()) lanes = std::max(lanes, static_cast<int>(i.type().lanes));
  return lanes;
}

Result<void> Verifier::access(const Symbol& s, const std::vector<Expr>& indices, Type type,
                              const Expr& at, const Place& place) {
  const Thing* thing = nullptr;
  HOCKET_CHECK(buffer(s, at, place, thing));
  auto bad = [&] { return refuse(diag::kind::invariant_access, at, place).arg("name", s.name()); };
  if (indices.size() != (flat_ ? 1 : thing->rank)) return bad();
  for (const Expr& i : indices)
    if (!i.defined() || !i.type().element().is_index()) return bad();
  const int lanes = lanes_of(indices);
  for (const Expr& i : indices)
    if (i.type().lanes != 1 && i.type().lanes != lanes) return bad();
  if (type != s.type().with_lanes(lanes)) return bad();
  return {};
}

Result<void> Verifier::window(const Expr& e, const Place& place) {
  const auto* w = e.as<Window>();
  if (flat_) return refuse(diag::kind::invariant_form, e, place).arg("form", "flat form");
  const Thing* thing = nullptr;
  HOCKET_CHECK(buffer(w->buffer, e, place, thing));
  bool fits = w->dims.size() == thing->rank && w->type == w->buffer.type();
  for (const WindowDim& d : w->dims)
    fits = fits && is_scalar_index(d.lo) && (d.is_point() || is_scalar_index(d.hi));
  if (!fits) return refuse(diag::kind::invariant_access, e, place).arg("name", w->buffer.name());
  for (const WindowDim& d : w->dims) {
    HOCKET_CHECK(control(d.lo, place));
    if (!d.is_point()) HOCKET_CHECK(control(d.hi, place));
  }
  return {};
}

Result<void> Verifier::node(const Expr& e, const Place& place) {
  switch (e.kind()) {
    case ExprKind::VarRef: {
      const Symbol& s = e.as<VarRef>()->sym;
      const Thing* thing = find(s);
      if (!thing) return refuse(diag::kind::invariant_scope, e, place).arg("name", s.name());
      if (thing->buffer || e.type() != s.type())
        return refuse(diag::kind::invariant_reference, e, place).arg("name", s.name());
      break;
    }
    case ExprKind::Load: {
      const auto* l = e.as<Load>();
      HOCKET_CHECK(access(l->buffer, l->indices, l->type, e, place));
      break;
    }
    case ExprKind::BufferField: {
      const auto* b = e.as<BufferField>();
      const Thing* thing = nullptr;
      HOCKET_CHECK(buffer(b->buffer, e, place, thing));
      if (b->dim < 0 || (!flat_ && static_cast<size_t>(b->dim) >= thing->rank))
        return refuse(diag::kind::invariant_access, e, place).arg("name", b->buffer.name());
      if (b->field != BufferFieldKind::Stride || (flat_ && !thing->window))
        return refuse(diag::kind::invariant_field, e, place);
      break;
    }
    case ExprKind::Call:
    case ExprKind::Window:
      return refuse(diag::kind::invariant_form, e, place).arg("form", "an expression of a proc");
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::Shuffle:
      if (!vectors_) return refuse(diag::kind::invariant_form, e, place).arg("form", "loop form");
      break;
    default:
      break;
  }
  return verify_types(e, vectors_, place);
}

Result<void> Verifier::expr(const Expr& e, const Place& place) {
  if (!e.defined()) return refuse(diag::kind::invariant_operands, e, place);
  if (!seen_.insert(e.get()).second) return {};
  // The node first: its operands may be what it cannot have.
  HOCKET_CHECK(node(e, place));
  for (const Expr& c : children(e)) HOCKET_CHECK(expr(c, place));
  return {};
}

Result<void> Verifier::condition(const Expr& e, const Place& place) {
  if (!is_scalar_bool(e)) return refuse(diag::kind::invariant_condition, e, place);
  return expr(e, place);
}

Result<void> Verifier::control(const Expr& e, const Place& place) {
  HOCKET_CHECK(expr(e, place));
  if (first_load(e).defined()) return refuse(diag::kind::invariant_control, e, place);
  return {};
}

Result<void> Verifier::store(const Store& s) {
  Expr at = make_load(s.buffer, s.buffer.type(), s.indices, s.predicate, s.align);
  Type type = s.value.defined() ? s.value.type() : Type();
  const int lanes = lanes_of(s.indices);
  HOCKET_CHECK(access(s.buffer, s.indices, s.buffer.type().with_lanes(lanes), at, s.place));
  if (type != s.buffer.type().with_lanes(lanes))
    return refuse(diag::kind::invariant_store, at, s.place);
  const auto* product = s.value.as<Binary>();
  bool fusible = s.op == StoreOp::Add && product && product->op == BinaryOp::Mul && type.is_float();
  if ((s.fused && !fusible) || (s.op != StoreOp::Assign && type.is_bool()))
    return refuse(diag::kind::invariant_store, at, s.place);
  bool guarded = s.predicate.defined();
  if ((!vectors_ && (guarded || s.align != 0)) || s.align < 0 ||
      (guarded && s.predicate.type() != Type::boolean(lanes)))
    return refuse(diag::kind::invariant_lanes, at, s.place);
  for (const Expr& i : s.indices) HOCKET_CHECK(expr(i, s.place));
  HOCKET_CHECK(expr(s.value, s.place));
  if (guarded) HOCKET_CHECK(expr(s.predicate, s.place));
  if (const BlockHeader* b = s.block.get()) {
    bool fits = b->func.defined() && b->stage >= 0;
    for (const Expr& e : b->point) fits = fits && e.defined() && e.type().is_index();
    for (const Expr& e : b->reduction) fits = fits && e.defined() && e.type().is_index();
    if (!fits)
      return refuse(diag::kind::invariant_block, s.place)
          .arg("name", b->func.defined() ? b->func.name() : "(nothing)");
    for (const Expr& e : b->point) HOCKET_CHECK(expr(e, s.place));
    for (const Expr& e : b->reduction) HOCKET_CHECK(expr(e, s.place));
  }
  return {};
}

Result<void> Verifier::call(const CallStmt& c) {
  const Proc* callee = c.callee.get();
  auto bad = [&](size_t number) {
    return refuse(diag::kind::invariant_call, c.place)
        .arg("number", static_cast<int64_t>(number + 1))
        .arg("name", callee ? callee->name() : "(nothing)");
  };
  if (!callee || c.args.size() != callee->params.size()) return bad(c.args.size());
  callees.push_back(callee);
  for (size_t i = 0; i < c.args.size(); ++i) {
    const Expr& a = c.args[i];
    const Param& p = callee->params[i];
    if (!a.defined() || a.type() != p.type()) return bad(i);
    if (p.kind == ParamKind::Scalar) {
      HOCKET_CHECK(expr(a, c.place));
      continue;
    }
    if (p.kind != ParamKind::Buffer) {
      HOCKET_CHECK(control(a, c.place));
      continue;
    }
    if (const auto* v = a.as<VarRef>()) {
      const Thing* thing = nullptr;
      HOCKET_CHECK(buffer(v->sym, a, c.place, thing));
      if (thing->rank != p.shape.size() || (thing->window && !p.window && thing->rank != 0))
        return bad(i);
    } else if (const auto* w = a.as<Window>()) {
      HOCKET_CHECK(window(a, c.place));
      size_t rank = 0;
      for (const WindowDim& d : w->dims) rank += d.is_point() ? 0 : 1;
      if (rank != p.shape.size() || (!p.window && rank != 0)) return bad(i);
    } else {
      return bad(i);
    }
  }
  return {};
}

Result<void> Verifier::stmt(const Stmt& s) {
  seen_.clear();
  const Place& place = s.place();
  switch (s.kind()) {
    case StmtKind::For: {
      const auto* f = s.as<For>();
      if (!is_scalar_index(f->lo) || !is_scalar_index(f->hi) || !f->var.defined() ||
          f->var.type() != Type::index())
        return refuse(diag::kind::invariant_loop, place)
            .arg("name", f->var.defined() ? f->var.name() : "(nothing)");
      HOCKET_CHECK(control(f->lo, place));
      HOCKET_CHECK(control(f->hi, place));
      scopes_.push_back({});
      HOCKET_CHECK(bind(f->var, {}, place));
      HOCKET_CHECK(body(f->body));
      close();
      return {};
    }
    case StmtKind::If:
      HOCKET_CHECK(condition(s.as<If>()->cond, place));
      HOCKET_CHECK(body(s.as<If>()->then_body));
      return body(s.as<If>()->else_body);
    case StmtKind::Let: {
      const auto* l = s.as<Let>();
      HOCKET_CHECK(expr(l->value, place));
      if (l->sym.defined() && l->sym.type() != l->value.type())
        return refuse(diag::kind::invariant_operands, l->value, place);
      return bind(l->sym, {}, place);
    }
    case StmtKind::Alloc: {
      const auto* a = s.as<Alloc>();
      for (const Expr& e : a->shape) {
        HOCKET_CHECK(control(e, place));
        if (!is_scalar_index(e)) return refuse(diag::kind::invariant_operands, e, place);
      }
      Expr whole = make_load(a->buffer, a->buffer.type(), a->shape);
      if (a->buffer.type().lanes != 1) return refuse(diag::kind::invariant_lanes, whole, place);
      if (flat_ && a->shape.size() != 1)
        return refuse(diag::kind::invariant_form, whole, place).arg("form", "flat form");
      return bind(a->buffer, {true, a->shape.size(), false}, place);
    }
    case StmtKind::Free: {
      const Symbol& b = s.as<Free>()->buffer;
      const Thing* thing = nullptr;
      HOCKET_CHECK(buffer(b, make_var(b), place, thing));
      if (!flat_)
        return refuse(diag::kind::invariant_form, make_var(b), place).arg("form", "loop form");
      return {};
    }
    case StmtKind::Store:
      return store(*s.as<Store>());
    case StmtKind::Call:
      return call(*s.as<CallStmt>());
    case StmtKind::WindowStmt: {
      const auto* w = s.as<WindowStmt>();
      HOCKET_CHECK(window(w->window, place));
      size_t rank = 0;
      for (const WindowDim& d : w->window.as<Window>()->dims) rank += d.is_point() ? 0 : 1;
      if (w->sym.type() != w->window.type())
        return refuse(diag::kind::invariant_operands, w->window, place);
      return bind(w->sym, {true, rank, true}, place);
    }
    case StmtKind::Check:
      return condition(s.as<Check>()->cond, place);
    case StmtKind::Pass:
      return {};
  }
  return {};
}

Result<void> Verifier::body(const Body& b) {
  scopes_.push_back({});
  for (const Stmt& s : b) HOCKET_CHECK(stmt(s));
  close();
  return {};
}

Result<void> Verifier::params() {
  for (const Param& p : proc_.params) {
    auto bad = [&] {
      return refuse(diag::kind::invariant_param, proc_.place)
          .arg("name", p.sym.defined() ? p.sym.name() : "(nothing)");
    };
    if (!p.sym.defined() || p.type().lanes != 1) return bad();
    bool index = p.kind == ParamKind::Size || p.kind == ParamKind::Index;
    if (index != p.type().is_index()) return bad();
    if (p.kind != ParamKind::Buffer && (!p.shape.empty() || p.window)) return bad();
    for (const Expr& e : p.shape) {
      if (!is_scalar_index(e)) return bad();
      seen_.clear();
      HOCKET_CHECK(expr(e, proc_.place));
    }
    bool buffer = p.kind == ParamKind::Buffer;
    HOCKET_CHECK(bind(p.sym, {buffer, p.shape.size(), p.window}, proc_.place));
  }
  for (const Expr& e : proc_.preconditions) {
    seen_.clear();
    HOCKET_CHECK(condition(e, proc_.place));
    bool loads = false;
    for_each(e, [&](const Expr& n) { loads |= n.as<Load>() != nullptr; });
    if (loads) return refuse(diag::kind::invariant_precondition, e, proc_.place);
  }
  return {};
}

Result<void> Verifier::entry() {
  if (!proc_.entry) return {};
  auto bad = [&](const std::string& what) {
    return refuse(diag::kind::invariant_entry, proc_.place)
        .arg("name", proc_.name())
        .arg("what", what);
  };
  std::unordered_map<Symbol, ParamKind> kinds;
  for (const Param& p : proc_.params) kinds.emplace(p.sym, p.kind);
  auto optional_index = [&](const Expr& e) -> Result<void> {
    if (!e.defined()) return {};
    seen_.clear();
    if (!is_scalar_index(e)) return bad("a region that is no index");
    return expr(e, proc_.place);
  };
  for (const EntryArg& a : proc_.entry->args) {
    auto kind = kinds.find(a.sym);
    if (kind == kinds.end()) return bad("an argument that is no parameter");
    bool scalar = a.kind == EntryArg::Kind::Scalar;
    if (scalar == (kind->second == ParamKind::Buffer))
      return bad("`" + a.sym.name() + "` is of another kind");
    // The entry checks the extents that it names: a buffer of another shape would be accessed
    // beyond them. Memory of flat procs has one dimension.
    if (!scalar && proc_.form == Form::Loops) {
      const Param* p = nullptr;
      for (const Param& q : proc_.params)
        if (q.sym == a.sym) p = &q;
      bool same = p->shape.size() == a.dims.size();
      for (size_t d = 0; same && d < a.dims.size(); ++d) {
        const auto* extent = p->shape[a.dims.size() - 1 - d].as<VarRef>();
        const Symbol& named = a.dims[d].extent;
        same = !named.defined() || (extent != nullptr && extent->sym == named);
      }
      if (!same)
        return bad("the shape of `" + a.sym.name() + "` is not its extents, the last first");
    }
    for (const EntryDim& d : a.dims) {
      for (const Symbol* s : {&d.min, &d.extent, &d.stride}) {
        if (!s->defined()) continue;
        auto carrier = kinds.find(*s);
        if (carrier == kinds.end() ||
            (carrier->second != ParamKind::Index && carrier->second != ParamKind::Size))
          return bad("`" + s->name() + "` carries a dimension and is no index parameter");
      }
      HOCKET_CHECK(optional_index(d.required_min));
      HOCKET_CHECK(optional_index(d.required_max));
    }
    for (const Expr* e : {&a.range_min, &a.range_max}) {
      if (!e->defined()) continue;
      seen_.clear();
      if (e->type() != a.sym.type()) return bad("a range of another type");
      HOCKET_CHECK(expr(*e, proc_.place));
    }
  }
  for (const EntryCheck& c : proc_.entry->checks) {
    seen_.clear();
    HOCKET_CHECK(condition(c.cond, proc_.place));
    if (!c.argument.defined()) continue;
    const size_t at = proc_.entry->position(c.argument);
    if (at == proc_.entry->args.size() || c.dimension < 0 ||
        static_cast<size_t>(c.dimension) >= proc_.entry->args[at].dims.size())
      return bad("a check of a dimension that no argument has");
  }
  return {};
}

Result<void> Verifier::run() {
  HOCKET_CHECK(params());
  HOCKET_CHECK(entry());
  return body(proc_.body);
}

Result<void> verify(const Proc& p, Stand stand, std::unordered_set<const Proc*>& seen) {
  if (!seen.insert(&p).second) return {};
  Verifier verifier(p, stand);
  HOCKET_CHECK(verifier.run());
  for (const Proc* callee : verifier.callees) HOCKET_CHECK(verify(*callee, Stand::AtADoor, seen));
  return {};
}

}  // namespace

Result<void> verify(const Proc& p, Stand stand) {
  std::unordered_set<const Proc*> seen;
  return verify(p, stand, seen);
}

}  // namespace hocket::ir
