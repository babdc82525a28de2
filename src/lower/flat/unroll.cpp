// Unrolled loops become copies of their body, one per iteration.
//
//   for i in unroll(0, 2): C[i, j] = x   ->   C[0, j] = x; C[1, j] = x
//
// Three kinds of loops are copied: those the user marked; constant loops whose variable names a
// register (registers have no run-time number: `C_reg[i, 0:16] @ AVX512` wants `i` to be known);
// and vector loops with vector loops inside, because only the innermost one becomes lanes.
#include <algorithm>
#include <unordered_set>

#include "diag/kinds_lower.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "lower/flat/passes.h"
#include "lower/flat/tidy.h"
#include "target/memory.h"

namespace hocket::lower {

using namespace ir;

namespace {

constexpr int64_t kMaxRegisterCopies = 64;
// A statement of more lanes becomes as many instructions.
constexpr int64_t kLanesOfOne = 16;

bool is_register(const Alloc& a) {
  const target::Memory* m = target::find_memory(a.memory);
  return m && m->placement == target::Placement::Register;
}

bool has_vector_loop(const Body& body) {
  bool found = false;
  for_each_stmt(body, [&](const Stmt& s) {
    const auto* f = s.as<For>();
    found = found || (f && f->loop == LoopKind::Vectorized);
    return !found;
  });
  return found;
}

// Whether `var` stands in an outer index of a register buffer (the innermost one is the lane).
bool names_register(const Body& body, const Symbol& var,
                    const std::unordered_set<Symbol>& registers) {
  bool found = false;
  auto look = [&](const Symbol& buffer, const std::vector<Expr>& indices) {
    if (!registers.count(buffer)) return;
    for (size_t d = 0; d + 1 < indices.size(); ++d) found = found || uses(indices[d], var);
  };
  for_each_stmt(body, [&](const Stmt& s) {
    if (const auto* st = s.as<Store>()) look(st->buffer, st->indices);
    return !found;
  });
  for_each_root(
      body,
      [&](const Expr& root) {
        if (found) return;
        for_each(root, [&](const Expr& e) {
          if (const auto* l = e.as<Load>()) look(l->buffer, l->indices);
        });
      },
      false);
  return found;
}

class Unroller {
 public:
  explicit Unroller(int64_t limit) : limit_(limit) {}

  diag::Result<void> run(const Body& body, Body& out) {
    for (const Stmt& s : body) {
      if (const auto* f = s.as<For>()) {
        HOCKET_CHECK(loop(s, *f, out));
      } else if (const auto* i = s.as<If>()) {
        int64_t c = 0;
        const Expr cond = tidy(i->cond);
        if (is_int(cond, &c)) {
          HOCKET_CHECK(run(c ? i->then_body : i->else_body, out));
          continue;
        }
        Body t, e;
        HOCKET_CHECK(run(i->then_body, t));
        HOCKET_CHECK(run(i->else_body, e));
        out.push_back(edited<If>(s, [&](If& n) {
          n.cond = cond;
          n.then_body = std::move(t);
          n.else_body = std::move(e);
        }));
      } else {
        if (const auto* a = s.as<Alloc>(); a && is_register(*a)) registers_.insert(a->buffer);
        if (copying_ > 0 && (made_ += weight_) > limit_) return too_large();
        out.push_back(tidied(s));
      }
    }
    return {};
  }

 private:
  diag::Result<void> loop(const Stmt& s, const For& f, Body& out) {
    const Expr lo = tidy(f.lo);
    const auto extent = constant(f.hi - f.lo);
    bool copy = f.loop == LoopKind::Unrolled;
    if (f.loop == LoopKind::Vectorized && has_vector_loop(f.body)) copy = true;
    if ((f.loop == LoopKind::Seq || f.loop == LoopKind::Unordered) && extent &&
        *extent <= kMaxRegisterCopies && !registers_.empty() &&
        names_register(f.body, f.var, registers_))
      copy = true;
    if (!copy) {
      Body body;
      const int64_t outside = weight_;
      if (f.loop == LoopKind::Vectorized && extent)
        weight_ = std::max<int64_t>(*extent / kLanesOfOne, 1);
      HOCKET_CHECK(run(f.body, body));
      weight_ = outside;
      out.push_back(edited<For>(s, [&](For& n) {
        n.lo = lo;
        n.hi = tidy(n.hi);
        n.body = std::move(body);
      }));
      return {};
    }
    if (!extent) {
      diag::Diagnostic d(diag::kind::unroll_needs_constant, s.place());
      const Expr length = tidy(f.hi - f.lo);
      d.arg("loop", f.var.name()).arg("extent", [length] { return "`" + to_text(length) + "`"; });
      return d;
    }
    if (copying_ == 0) {
      outermost_ = f.var;
      place_ = s.place();
    }
    ++copying_;
    for (int64_t k = 0; k < *extent; ++k) {
      Body copy_k =
          substitute(k == 0 ? f.body : fresh_copy(f.body), {{f.var, tidy(lo + make_index(k))}});
      HOCKET_CHECK(run(copy_k, out));
    }
    --copying_;
    return {};
  }

  static Stmt tidied(const Stmt& s) {
    Body one{s};
    struct Tidier : Rewriter {
      using Rewriter::rewrite;
      Expr visit(const Expr& e) override { return tidy(e); }
    };
    return Tidier().rewrite(one)[0];
  }

  diag::Result<void> too_large() const {
    diag::Diagnostic d(diag::kind::unroll_too_large, place_);
    d.arg("loop", outermost_.name()).arg("statements", "more than " + std::to_string(limit_));
    d.arg("limit", limit_);
    return d;
  }

  int64_t limit_;
  int64_t made_ = 0;
  int64_t weight_ = 1;  // of a statement here
  int copying_ = 0;
  Symbol outermost_;
  support::Place place_;
  std::unordered_set<Symbol> registers_;
};

}  // namespace

diag::Result<ProcRef> unroll(const ProcRef& proc, const FlatContext& context) {
  Unroller u(context.options.unroll_limit);
  Body body;
  HOCKET_CHECK(u.run(proc->body, body));
  return edited(proc, [&](Proc& p) { p.body = std::move(body); });
}

}  // namespace hocket::lower
