// Vector loops become vector expressions: the loop variable is a ramp, lets and accesses that
// depend on it get lanes, buffers allocated inside get a dimension more, the lane.
//
//   for l in vectorize(0, 8):              C[j + 8 lanes] = A[i] * B[j + 8 lanes]
//     C[j + l] = A[i] * B[j + l]
//
// Only innermost vector loops get here (unroll copied the outer ones), and only ones whose
// iterations are independent (checked when the loop was marked), so that lanes may run in step.
// Conditions that differ by lane become masks. Where guards and clamps hold for all lanes of most
// iterations (steady.h), two versions are made: one without them, and one that is masked, or, where
// the target has no cheap masks for a type, the plain loop. Loops inside with bounds that differ by
// lane run from the least to the greatest of them, masked.
#include <algorithm>
#include <unordered_set>

#include "diag/kinds_lower.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "lower/flat/lanes.h"
#include "lower/flat/passes.h"
#include "lower/flat/steady.h"
#include "lower/flat/tidy.h"
#include "lower/flat/widen.h"

namespace hocket::lower {

using namespace ir;

namespace {

bool is_vector(const Expr& e) {
  return e.type().is_vector();
}

// The body of one vector loop.
class LoopVectorizer {
 public:
  LoopVectorizer(const Symbol& var, const Expr& lo, int lanes, const support::Place& place)
      : w_(var, lo, lanes), var_(var), place_(place) {}

  diag::Result<void> run(const Body& body, Body& out) {
    for (const Stmt& s : body) HOCKET_CHECK(statement(s, out));
    return {};
  }

 private:
  int lanes() const { return w_.lanes(); }

  diag::Result<void> statement(const Stmt& s, Body& out) {
    switch (s.kind()) {
      case StmtKind::Let:
        let(s, out);
        return {};
      case StmtKind::Alloc:
        alloc(s, out);
        return {};
      case StmtKind::Store:
        return store(s, out);
      case StmtKind::For:
        return loop(s, out);
      case StmtKind::If:
        return branch(s, out);
      case StmtKind::Check:
        check(s, out);
        return {};
      case StmtKind::Pass:
        return {};
      default:
        HOCKET_UNREACHABLE("a statement in a vector loop that has no place there");
    }
  }

  Expr bound_let(const std::string& name, const Expr& value, Body& out) {
    Symbol s = Symbol::fresh(name, value.type(), place_);
    if (!is_plain(value)) read_.insert(s);
    out.push_back(make_let(s, value, place_));
    return make_var(s);
  }

  void let(const Stmt& s, Body& out) {
    const auto* l = s.as<Let>();
    const Expr value = w_.widen(l->value);
    if (value.kind() == ExprKind::Ramp) {
      w_.bind(l->sym, value);  // stays visible as a ramp
      return;
    }
    Symbol wide = l->sym;
    if (is_vector(value) || !value.same_as(l->value))
      wide = Symbol::derived(l->sym.name(), value.type(), l->sym, "lanes of", s.place());
    if (!(wide == l->sym)) w_.bind(l->sym, make_var(wide));
    if (!is_plain(value)) read_.insert(wide);
    out.push_back(edited<Let>(s, [&](Let& n) {
      n.sym = wide;
      n.value = value;
    }));
  }

  void alloc(const Stmt& s, Body& out) {
    const auto* a = s.as<Alloc>();
    std::vector<Expr> shape;
    for (const Expr& e : a->shape) {
      Expr extent = w_.widen(e);
      shape.push_back(is_vector(extent) ? across(BinaryOp::Max, extent) : extent);
    }
    shape.push_back(make_index(lanes()));
    w_.expand(a->buffer, a->shape.empty());
    out.push_back(edited<Alloc>(s, [&](Alloc& n) { n.shape = std::move(shape); }));
  }

  diag::Result<void> store(const Stmt& s, Body& out) {
    const auto* st = s.as<Store>();
    std::vector<Expr> at = w_.indices(st->buffer, st->indices);
    const bool vector = std::any_of(at.begin(), at.end(), is_vector);
    Expr value, predicate;
    if (st->fused && vector) {
      // The product stays a product: old becomes fma(a, b, old) in each lane.
      const auto* b = st->value.as<Binary>();
      HOCKET_ASSERT(b && b->op == BinaryOp::Mul, "a fused store of something that is no product");
      value = make_binary(BinaryOp::Mul, as_vector(w_.widen(b->a), lanes()),
                          as_vector(w_.widen(b->b), lanes()));
    } else {
      value = w_.widen(st->value);
    }
    if (vector) {
      value = as_vector(value, lanes());
      if (!w_.is_private_scalar(st->buffer)) predicate = w_.mask();
    } else {
      // One element for all lanes: right where they all write the same value to it, and where a
      // condition leaves one lane at most (`if xi == 1: A[8 * xo + 1] = ...`).
      const bool once = st->op == StoreOp::Assign && !is_vector(value) && !uses(value, st->buffer);
      if (!once) return w_.mask().defined() ? lane_by_lane(s, *st, at, out) : lanes_share(s, *st);
      predicate = w_.any();
    }
    out.push_back(edited<Store>(s, [&](Store& n) {
      n.indices = std::move(at);
      n.value = value;
      n.predicate = predicate;
    }));
    return {};
  }

  diag::Result<void> lanes_share(const Stmt& s, const Store& st) const {
    diag::Diagnostic d(diag::kind::vector_lanes_share, s.place());
    d.arg("loop", var_.name()).arg("buffer", st.buffer.name());
    d.label(place_, "`" + var_.name() + "` runs in lanes here");
    return d;
  }

  diag::Result<void> lane_by_lane(const Stmt& s, const Store& st, const std::vector<Expr>& at,
                                  Body& out) {
    auto operand = [&](const Expr& e) {
      return bound_let("each", as_vector(w_.widen(e), lanes()), out);
    };
    Expr a, b;
    if (st.fused) {
      a = operand(st.value.as<Binary>()->a);
      b = operand(st.value.as<Binary>()->b);
    } else {
      a = operand(st.value);
    }
    const Expr on = bound_let("on", w_.mask(), out);
    for (int k = 0; k < lanes(); ++k) {
      const Expr value = st.fused ? lane(a, k) * lane(b, k) : lane(a, k);
      Stmt one = make_store(st.buffer, at, value, st.op, {}, s.place());
      out.push_back(edited<Store>(one, [&](Store& n) {
        n.fused = st.fused;
        n.predicate = lane(on, k);
      }));
    }
    return {};
  }

  diag::Result<void> loop(const Stmt& s, Body& out) {
    const auto* f = s.as<For>();
    Expr lo = w_.widen(f->lo), hi = w_.widen(f->hi);
    const Expr outside = w_.mask();
    if (is_vector(lo) || is_vector(hi)) {
      // Names keep what is read at the start as it is.
      if (is_vector(lo) && lo.kind() != ExprKind::Ramp) lo = bound_let("lo", lo, out);
      if (is_vector(hi) && hi.kind() != ExprKind::Ramp) hi = bound_let("hi", hi, out);
      const Expr var = make_var(f->var);
      // Lanes that are off may have read nothing for their bounds.
      if (outside.defined() && !(is_plain(lo) && is_plain(hi))) {
        lo = lanes_select(outside, lo, make_index(0));
        hi = lanes_select(outside, hi, make_index(0));
      }
      // A bound that is the same for all lanes is the loop's own.
      Expr inside;
      if (is_vector(lo)) inside = lanes_binary(BinaryOp::Le, lo, var);
      if (is_vector(hi)) {
        const Expr below = lanes_binary(BinaryOp::Lt, var, hi);
        inside = inside.defined() ? lanes_binary(BinaryOp::And, inside, below) : below;
      }
      Body body;
      const Expr least = across(BinaryOp::Min, lo), greatest = across(BinaryOp::Max, hi);
      enter(inside, false, out);
      HOCKET_CHECK(run(f->body, body));
      w_.set_mask(outside);
      finish_loop(s, tidy(least), tidy(greatest), std::move(body), out);
      return {};
    }
    if (w_.mask().defined()) {
      // With all lanes off the bounds may never have been read: no iterations then.
      if (!is_plain(lo)) lo = make_select(w_.any(), lo, make_index(0));
      if (!is_plain(hi)) hi = make_select(w_.any(), hi, lo);
    }
    Body body;
    HOCKET_CHECK(run(f->body, body));
    finish_loop(s, lo, hi, std::move(body), out);
    return {};
  }

  static void finish_loop(const Stmt& s, const Expr& lo, const Expr& hi, Body body, Body& out) {
    out.push_back(edited<For>(s, [&](For& n) {
      n.lo = lo;
      n.hi = hi;
      n.body = std::move(body);
    }));
  }

  // The mask inside a condition. Poison lanes of it are those that are off already, so a mask that
  // could meet poison selects instead of anding. `lets` receives what has to be read first.
  void enter(const Expr& cond, bool negated, Body& lets) {
    Expr c = cond;
    if (negated) c = make_unary(UnaryOp::Not, c);
    if (w_.mask().defined()) {
      c = is_plain(cond) ? lanes_binary(BinaryOp::And, w_.mask(), c)
                         : lanes_select(w_.mask(), c, make_const(Type::boolean(lanes()), 0));
    }
    c = as_vector(c, lanes());
    if (reads_memory(c)) c = bound_let("on", c, lets);
    w_.set_mask(c);
  }

  // Index arithmetic alone, of values that are there even where all lanes are off.
  bool is_plain(const Expr& e) const {
    bool ok = true;
    for_each(e, [&](const Expr& n) {
      const auto* v = n.as<VarRef>();
      ok = ok && n.kind() != ExprKind::Load && (n.type().is_index() || n.type().is_bool()) &&
           !(v && read_.count(v->sym));
    });
    return ok;
  }

  diag::Result<void> branch(const Stmt& s, Body& out) {
    const auto* i = s.as<If>();
    Expr cond = w_.widen(i->cond);
    const Expr outside = w_.mask();
    if (!is_vector(cond)) {
      if (outside.defined() && !is_plain(cond))
        cond = make_select(w_.any(), cond, make_bool(false));
      Body t, e;
      HOCKET_CHECK(run(i->then_body, t));
      HOCKET_CHECK(run(i->else_body, e));
      out.push_back(edited<If>(s, [&](If& n) {
        n.cond = cond;
        n.then_body = std::move(t);
        n.else_body = std::move(e);
      }));
      return {};
    }
    if (reads_memory(cond)) cond = bound_let("on", cond, out);
    enter(cond, false, out);
    HOCKET_CHECK(run(i->then_body, out));
    w_.set_mask(outside);
    if (i->else_body.empty()) return {};
    enter(cond, true, out);
    HOCKET_CHECK(run(i->else_body, out));
    w_.set_mask(outside);
    return {};
  }

  void check(const Stmt& s, Body& out) {
    Expr cond = w_.widen(s.as<Check>()->cond);
    if (w_.mask().defined())
      cond = lanes_select(w_.mask(), cond, make_const(Type::boolean(lanes()), 1));
    if (is_vector(cond) && reads_memory(cond)) cond = bound_let("ok", cond, out);
    cond = across(BinaryOp::And, cond);
    out.push_back(edited<Check>(s, [&](Check& n) { n.cond = cond; }));
  }

  Widener w_;
  std::unordered_set<Symbol> read_;  // lets of data, which may be poison in lanes that are off
  Symbol var_;
  support::Place place_;
};

class Vectorizer {
 public:
  explicit Vectorizer(const FlatContext& context) : context_(context) {}

  diag::Result<void> run(const Body& body, Body& out) {
    for (const Stmt& s : body) {
      if (const auto* f = s.as<For>()) {
        if (f->loop == LoopKind::Vectorized) {
          HOCKET_CHECK(vector_loop(s, *f, out));
          continue;
        }
        Body inside;
        HOCKET_CHECK(run(f->body, inside));
        out.push_back(edited<For>(s, [&](For& n) { n.body = std::move(inside); }));
      } else if (const auto* i = s.as<If>()) {
        Body t, e;
        HOCKET_CHECK(run(i->then_body, t));
        HOCKET_CHECK(run(i->else_body, e));
        out.push_back(edited<If>(s, [&](If& n) {
          n.then_body = std::move(t);
          n.else_body = std::move(e);
        }));
      } else {
        out.push_back(s);
      }
    }
    return {};
  }

 private:
  diag::Result<void> vector_loop(const Stmt& s, const For& f, Body& out) {
    const auto extent = constant(f.hi - f.lo);
    if (!extent) {
      diag::Diagnostic d(diag::kind::vectorize_needs_constant, s.place());
      const Expr length = tidy(f.hi - f.lo);
      d.arg("loop", f.var.name()).arg("extent", [length] { return "`" + to_text(length) + "`"; });
      return d;
    }
    if (*extent <= 0) return {};
    if (*extent == 1) {
      Body one = substitute(f.body, {{f.var, f.lo}});
      out.insert(out.end(), one.begin(), one.end());
      return {};
    }
    const int64_t limit = context_.options.max_lanes;
    if (*extent > limit) return long_loop(s, f, *extent, limit, out);
    const int lanes = static_cast<int>(*extent);

    auto steady = context_.options.partition ? steady_state(f) : std::nullopt;
    if (!steady) return lanes_of(f.var, f.lo, lanes, f.body, s, out);

    Body fast, careful;
    HOCKET_CHECK(lanes_of(f.var, f.lo, lanes, steady->body, s, fast));
    const Body again = fresh_copy({s});
    const auto* g = again[0].as<For>();
    if (masks_are_cheap(*g)) {
      HOCKET_CHECK(lanes_of(g->var, g->lo, lanes, g->body, s, careful));
    } else {
      careful.push_back(edited<For>(again[0], [](For& n) { n.loop = LoopKind::Seq; }));
    }
    out.push_back(make_if(tidy(steady->condition), std::move(fast), std::move(careful), s.place()));
    return {};
  }

  // More iterations than lanes are wanted: a loop of the greatest number that divides them, and
  // where that is small, of whole vectors and a rest.
  diag::Result<void> long_loop(const Stmt& s, const For& f, int64_t extent, int64_t limit,
                               Body& out) {
    int64_t lanes = limit;
    while (lanes > 1 && extent % lanes != 0) --lanes;
    if (lanes * 4 < limit) lanes = limit;
    const int64_t whole = extent / lanes, rest = extent % lanes;
    auto part = [&](const Expr& lo, int64_t n, const Body& body, const Symbol& var, Body& to) {
      Stmt loop = edited<For>(s, [&](For& l) {
        l.var = var;
        l.lo = lo;
        l.hi = lo + make_index(n);
        l.body = body;
      });
      return vector_loop(loop, *loop.as<For>(), to);
    };
    Symbol outer = Symbol::derived(f.var.name(), Type::index(), f.var, "vectors of", s.place());
    Body inside;
    HOCKET_CHECK(
        part(tidy(f.lo + make_var(outer) * make_index(lanes)), lanes, f.body, f.var, inside));
    out.push_back(make_for(outer, make_index(0), make_index(whole), LoopKind::Seq,
                           std::move(inside), s.place()));
    if (rest == 0) return {};
    const Body again = fresh_copy({s});
    const auto* g = again[0].as<For>();
    return part(tidy(f.lo + make_index(whole * lanes)), rest, g->body, g->var, out);
  }

  static diag::Result<void> lanes_of(const Symbol& var, const Expr& lo, int lanes, const Body& body,
                                     const Stmt& s, Body& out) {
    LoopVectorizer v(var, lo, lanes, s.place());
    return v.run(body, out);
  }

  bool masks_are_cheap(const For& f) const {
    bool cheap = true, masked = false;
    auto look = [&](Type t) { cheap = cheap && context_.target.has_cheap_masks(t.element()); };
    for_each_stmt(f.body, [&](const Stmt& s) {
      if (const auto* st = s.as<Store>()) look(st->buffer.type());
      masked = masked || s.kind() == StmtKind::If;
      return true;
    });
    for_each_root(
        f.body,
        [&](const Expr& root) {
          for_each(root, [&](const Expr& e) {
            if (e.kind() == ExprKind::Load) look(e.type());
          });
        },
        false);
    return cheap || !masked;
  }

  const FlatContext& context_;
};

}  // namespace

diag::Result<ProcRef> vectorize(const ProcRef& proc, const FlatContext& context) {
  Vectorizer v(context);
  Body body;
  HOCKET_CHECK(v.run(proc->body, body));
  return edited(proc, [&](Proc& p) { p.body = std::move(body); });
}

}  // namespace hocket::lower
