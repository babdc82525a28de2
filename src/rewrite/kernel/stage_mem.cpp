// stage_mem(block, "A[lo:hi, p]", name, accum=False)
//
//   s          ->      a: f32[hi - lo]
//                      for i0 in seq(0, hi - lo): a[i0] = A[lo + i0, p]      (where s reads)
//                      s with A[e, p] as a[e - lo]
//                      for i0 in seq(0, hi - lo): A[lo + i0, p] = a[i0]      (where s writes)
//
// Conditions: the window lies in A; every access of s to A lies in the window; no check of an s
// that writes may leave the proc before the store; s names A directly, and windows of A that it
// makes are used in it alone. A block that writes is always loaded first: an element that it does
// not write keeps its value (a loop without iterations writes none). accum=True: s only adds; a
// starts at 0 (floats: -0.0) and is added to A at the end, which needs `allow(reassociation, A)`
// where order shows. Around it nothing that runs at the same time touches the window. Elsewhere:
// stage_mem (Exo), cache_read and cache_write (TVM).
#include "analysis/simplify.h"
#include "diag/kinds_rewrite.h"
#include "rewrite/access.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;
using analysis::AccessKind;

namespace {

// The block: one statement, or [first, last] of one list.
diag::Result<std::pair<Located, size_t>> find_block(Context& c) {
  if (c.args.at("block").kind == Literal::Kind::List) {
    HOCKET_TRY(std::vector<std::string> ends, c.names("block", 2));
    HOCKET_TRY(Stmt a, find_one(*c.proc(), ends[0], c.step.place));
    HOCKET_TRY(Stmt b, find_one(*c.proc(), ends[1], c.step.place));
    Located at = *locate(*c.proc(), a.id());
    for (size_t i = at.at; i < at.list.size(); ++i)
      if (at.list[i].id() == b.id()) return std::pair<Located, size_t>{at, i - at.at + 1};
    return c.cannot("`" + spoken(b) + "` does not follow `" + spoken(a) + "` in one list");
  }
  HOCKET_TRY(Located at, c.stmt("block"));
  return std::pair<Located, size_t>{at, size_t{1}};
}

}  // namespace

Outcome stage_mem(Context& c) {
  HOCKET_TRY(auto where, find_block(c));
  const Located& at = where.first;
  const Body block(at.list.begin() + static_cast<std::ptrdiff_t>(at.at),
                   at.list.begin() + static_cast<std::ptrdiff_t>(at.at + where.second));
  HOCKET_TRY(std::string window_text, c.text("window"));
  HOCKET_TRY(Expr window_expr, read_window(window_text, visible(*c.proc(), at), c.step.place));
  HOCKET_TRY(std::string name, c.text("name"));
  const bool accum = c.flag("accum");
  const auto* window = window_expr.as<Window>();
  const Symbol buffer = window->buffer;
  const analysis::Scope scope = c.scope_before(c.proc(), at.stmt.id());
  if (scope.views.count(buffer))
    return c.cannot("`" + buffer.name() + "` is a window; stage the buffer behind it");
  const auto shape_of = scope.buffers.find(buffer);
  if (shape_of == scope.buffers.end() || shape_of->second.shape.size() != window->dims.size())
    return c.cannot("`" + buffer.name() + "` has another number of dimensions");
  const std::vector<Expr>& shape = shape_of->second.shape;
  auto simple = [&](const Expr& e) { return analysis::simplify(e, scope.facts); };

  // What the block does with the buffer, and that it stays inside.
  std::vector<Claim> claims;
  bool reads = false, writes = false, only_adds = true;
  std::vector<Expr> extents;       // of the staged dimensions
  std::vector<Expr> window_shape;  // of every dimension, points 1
  std::vector<bool> whole;         // the window has all of the dimension
  for (size_t d = 0; d < shape.size(); ++d) {
    const WindowDim& w = window->dims[d];
    window_shape.push_back(w.is_point() ? make_index(1) : simple(w.hi - w.lo));
    if (!w.is_point()) extents.push_back(window_shape.back());
    whole.push_back(!w.is_point() && is_int_equal(simple(w.lo), 0) &&
                    is_int_equal(simple(w.hi - shape[d]), 0));
  }
  const analysis::Effects effects = analysis::effects_of(block, scope);
  for (const analysis::Access& a : effects.accesses) {
    if (!(a.buffer == buffer)) continue;
    reads |= a.kind != AccessKind::Write;
    writes |= a.kind != AccessKind::Read;
    only_adds &= a.kind == AccessKind::Reduce && a.op == StoreOp::Add;
    // An access outside a whole dimension is one outside A, of which the program has none.
    analysis::Access inside = a;
    inside.indices.clear();
    std::vector<Expr> limits;
    for (size_t d = 0; d < a.indices.size(); ++d) {
      if (whole[d]) continue;
      inside.indices.push_back(a.indices[d] - window->dims[d].lo);
      limits.push_back(window_shape[d]);
    }
    claims.push_back({"every access of the block to `" + buffer.name() + "` lies in " + window_text,
                      c.dependence().in_bounds(inside, effects, limits, scope)});
  }
  if (writes && effects.may_leave)
    return c.cannot("a check in the block may leave the proc before `" + buffer.name() +
                    "` is stored");
  if (!reads && !writes) return c.cannot("the block does not touch `" + buffer.name() + "`");
  for (size_t d = 0; d < shape.size(); ++d) {
    const WindowDim& w = window->dims[d];
    const Expr hi = w.is_point() ? w.lo + make_index(1) : w.hi;
    const Expr inside =
        make_binary(BinaryOp::And,
                    make_binary(BinaryOp::And, make_binary(BinaryOp::Ge, w.lo, make_index(0)),
                                make_binary(BinaryOp::Le, w.lo, hi)),
                    make_binary(BinaryOp::Le, hi, shape[d]));
    claims.push_back(
        {window_text + " lies in `" + buffer.name() + "`", c.dependence().holds(inside, scope)});
  }
  if (accum) {
    if (!only_adds)
      return c.cannot("accum needs a block that only adds to `" + buffer.name() + "`");
    if (!analysis::exact_in_any_order(StoreOp::Add, buffer.type()) &&
        !c.state.allowed("reassociation", buffer.name()))
      return c.refuse(diag::kind::rewrite_not_allowed)
          .arg("what", "the order of additions")
          .arg("name", buffer.name())
          .help("allow(reassociation, " + buffer.name() + ")");
  }

  const Symbol staged = Symbol::derived(name, buffer.type(), buffer, "copy of", c.step.place);
  AccessMap map;
  map.from = buffer;
  map.to = staged;
  map.indices = [&](const std::vector<Expr>& old, const analysis::Facts& facts) {
    std::vector<Expr> out;
    for (size_t d = 0; d < old.size(); ++d)
      if (!window->dims[d].is_point())
        out.push_back(analysis::simplify(old[d] - window->dims[d].lo, facts));
    return out;
  };
  map.window = [&](const std::vector<WindowDim>& old,
                   const analysis::Facts&) -> std::optional<std::vector<WindowDim>> {
    std::vector<WindowDim> out;
    for (size_t d = 0; d < old.size(); ++d) {
      if (window->dims[d].is_point()) {
        if (!old[d].is_point()) return std::nullopt;
        continue;
      }
      const Expr lo = window->dims[d].lo;
      out.push_back({simple(old[d].lo - lo), old[d].is_point() ? Expr() : simple(old[d].hi - lo)});
    }
    return out;
  };
  Mapped mapped = map_accesses(block, map, scope.facts);
  if (!mapped.refused.empty()) return c.cannot(mapped.refused);
  for (const auto& [w, view] : scope.views)
    if (view.root == buffer && touches(block, w))
      return c.cannot("the block reaches `" + buffer.name() + "` through the window `" + w.name() +
                      "`");

  // A window that the block makes shows the copy, which holds nothing that counts behind the block.
  std::vector<Symbol> shown{buffer};
  for (const Stmt& s : block)
    if (const auto* w = s.as<WindowStmt>(); w && uses_any(w->window, shown))
      shown.push_back(w->sym);
  shown.erase(shown.begin());
  const Body rest(at.list.begin() + static_cast<std::ptrdiff_t>(at.at + where.second),
                  at.list.end());
  for (const Symbol& w : shown)
    if (touches(rest, w))
      return c.cannot("the window `" + w.name() + "` of `" + buffer.name() +
                      "` is used behind the block");

  // for i0: for i1: to[..] op from[..]
  auto copy = [&](bool in, StoreOp op, const Expr& constant) {
    std::vector<Symbol> vars;
    std::vector<Expr> own, full;
    for (size_t d = 0; d < window->dims.size(); ++d) {
      const WindowDim& w = window->dims[d];
      if (w.is_point()) {
        full.push_back(w.lo);
        continue;
      }
      vars.push_back(Symbol::fresh("i" + std::to_string(vars.size()), Type::index(), c.step.place));
      own.push_back(make_var(vars.back()));
      full.push_back(is_int_equal(w.lo, 0) ? own.back() : w.lo + own.back());
    }
    Expr value = constant.defined() ? constant
                 : in               ? make_load(buffer, buffer.type(), full)
                                    : make_load(staged, buffer.type(), own);
    Stmt s = make_store(in ? staged : buffer, in ? own : full, value, op, {}, c.step.place);
    for (size_t d = vars.size(); d-- > 0;)
      s = make_for(vars[d], make_index(0), extents[d], LoopKind::Seq, {s}, c.step.place);
    return s;
  };
  Body out{make_alloc(staged, extents, "DRAM", c.step.place)};
  if (accum) {
    // What leaves every number as it is when added, -0.0 too.
    const bool is_float = buffer.type().is_float();
    out.push_back(copy(true, StoreOp::Assign,
                       is_float ? make_float(buffer.type(), -0.0) : make_int(buffer.type(), 0)));
  } else {
    out.push_back(copy(true, StoreOp::Assign, {}));
  }
  out.insert(out.end(), mapped.body.begin(), mapped.body.end());
  if (writes) out.push_back(copy(false, accum ? StoreOp::Add : StoreOp::Assign, {}));
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(i);
    list.erase(first, first + static_cast<std::ptrdiff_t>(block.size()));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), out.begin(), out.end());
  });
  // The window may hold more than the block touches: what it copies counts as well.
  claim_no_races(c, after, at.parents, claims);
  claim_asserts(c, after, staged, claims);
  return c.judge.accept(c.proc(), after, std::move(claims));
}

}  // namespace hocket::rewrite
