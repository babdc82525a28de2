#include "lower/loops/bind_region.h"

#include "analysis/simplify.h"

namespace hocket::lower::loops {

using namespace ir;

namespace {

// What slides needs its whole width first and what is new afterwards: select(first, 3, 1) says so.
Expr extent_of(const Lowering& l, const analysis::Interval& iv) {
  auto extent = [&](const Expr& min) {
    return analysis::simplify(iv.max - min + make_index(1), l.facts);
  };
  if (const auto* s = iv.min.as<Select>()) {
    const Expr t = extent(s->t), f = extent(s->f);
    if (is_int(t) && is_int(f)) return make_select(s->cond, t, f);
  }
  return extent(iv.min);
}

}  // namespace

void bind_region(Lowering& l, FuncNest& n) {
  if (n.output) return;
  const Func& f = *n.func;
  for (size_t d = 0; d < f.args.size(); ++d) {
    std::string base = f.name() + "_" + f.args[d].name();
    Symbol min = Symbol::derived(base + "_min", Type::index(), f.sym, "first coordinate of");
    n.min.push_back(min);
    n.lets.push_back(make_let(min, n.needed[d].min));
    l.facts.define(min, n.needed[d].min);
    Expr extent = extent_of(l, n.needed[d]);
    if (ir::is_int(extent)) {
      n.extent.push_back(extent);
      continue;
    }
    Symbol e = Symbol::derived(base + "_extent", Type::index(), f.sym, "extent of");
    n.lets.push_back(make_let(e, extent));
    l.facts.define(e, extent);
    n.extent.push_back(make_var(e));
  }
}

}  // namespace hocket::lower::loops
