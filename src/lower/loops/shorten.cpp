#include "lower/loops/shorten.h"

#include "analysis/simplify.h"

namespace hocket::lower::loops {

using namespace ir;

namespace {

int nodes(const Expr& e) {
  int count = 1;
  for (const Expr& c : children(e)) count += nodes(c);
  return count;
}

}  // namespace

Shortener::Shortener(const Lowering& l) : l_(l) {
  // Producers' lets name consumers' lets, and consumers stand last.
  for (auto n = l.nests.rbegin(); n != l.nests.rend(); ++n) {
    if (n->output || n->min.empty()) continue;
    for (size_t d = 0; d < n->min.size(); ++d) {
      if (n->slides_on[d] >= 0) continue;
      lets_.emplace(n->min[d], substitute(n->needed[d].min, lets_));
    }
  }
}

Expr Shortener::operator()(const Expr& e) const {
  bool any = false;
  for_each(e, [&](const Expr& x) {
    if (const auto* v = x.as<VarRef>()) any = any || lets_.count(v->sym) != 0;
  });
  if (!any) return e;
  const Expr open = analysis::simplify(substitute(e, lets_), l_.facts);
  return nodes(open) < nodes(e) ? open : e;
}

}  // namespace hocket::lower::loops
