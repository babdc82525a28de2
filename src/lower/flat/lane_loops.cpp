#include "lower/flat/lane_loops.h"

#include <optional>
#include <unordered_map>

#include "analysis/affine.h"
#include "ir/visit.h"
#include "lower/flat/tidy.h"

namespace hocket::lower {

using namespace ir;
using analysis::Affine;

namespace {

constexpr int64_t kMaxLanes = 64;

// The last index where it is var + (something without var) and the others do not name var.
std::optional<Affine> lane_index(const std::vector<Expr>& indices, const Symbol& var) {
  if (indices.empty()) return std::nullopt;
  for (size_t d = 0; d + 1 < indices.size(); ++d)
    if (uses(indices[d], var)) return std::nullopt;
  Affine last = analysis::parse_affine(indices.back());
  if (!(last.coefficient(var) == support::BigInt(1))) return std::nullopt;
  if (last.without(make_var(var)).mentions(var)) return std::nullopt;
  return last;
}

}  // namespace

bool is_elementwise(const For& loop) {
  std::unordered_map<Symbol, Affine> written;  // buffer -> its one last index
  bool ok = true;
  for_each_stmt(loop.body, [&](const Stmt& s) {
    switch (s.kind()) {
      case StmtKind::If:
      case StmtKind::Let:
      case StmtKind::Pass:
        break;
      case StmtKind::Store: {
        const auto* st = s.as<Store>();
        auto at = lane_index(st->indices, loop.var);
        if (!at) {
          ok = false;
          break;
        }
        auto [it, first] = written.emplace(st->buffer, *at);
        if (!first && !(it->second == *at)) ok = false;
        break;
      }
      default:
        ok = false;
    }
    return ok;
  });
  if (!ok) return false;
  for_each_root(
      loop.body,
      [&](const Expr& root) {
        for_each(root, [&](const Expr& e) {
          const auto* l = e.as<Load>();
          if (!l || !ok) return;
          auto it = written.find(l->buffer);
          if (it == written.end()) return;
          auto at = lane_index(l->indices, loop.var);
          ok = at && *at == it->second;
        });
      },
      false);
  return ok;
}

Body mark_lane_loops(const Body& body) {
  Body out;
  for (const Stmt& s : body) {
    if (const auto* i = s.as<If>()) {
      out.push_back(edited<If>(s, [&](If& n) {
        n.then_body = mark_lane_loops(i->then_body);
        n.else_body = mark_lane_loops(i->else_body);
      }));
      continue;
    }
    const auto* f = s.as<For>();
    if (!f || (f->loop != LoopKind::Seq && f->loop != LoopKind::Unordered)) {
      out.push_back(s);
      continue;
    }
    auto extent = constant(f->hi - f->lo);
    if (extent && *extent >= 2 && *extent <= kMaxLanes && is_elementwise(*f)) {
      out.push_back(edited<For>(s, [](For& n) { n.loop = LoopKind::Vectorized; }));
    } else {
      out.push_back(edited<For>(s, [&](For& n) { n.body = mark_lane_loops(f->body); }));
    }
  }
  return out;
}

}  // namespace hocket::lower
