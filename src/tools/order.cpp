#include "tools/order.h"

#include <map>
#include <optional>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "diag/kinds_driver.h"
#include "tools/program.h"

namespace hocket::tools {

using namespace ir;

namespace {

struct Visit {
  int64_t number = 0;
  int64_t group = 0;  // the store that made it: lanes of one vector store share it
};

class Walk {
 public:
  Walk(const Symbol& func) : func_(func) {}

  void bind(const Symbol& s, int64_t v) { values_[s] = v; }

  void body(const Body& b) {
    for (const Stmt& s : b) stmt(s);
  }

  std::map<std::pair<int64_t, int64_t>, Visit> visits;  // (y, x)

 private:
  std::optional<int64_t> value(const Expr& e) const {
    const auto v = analysis::evaluate(e, [&](const Expr& t) -> std::optional<analysis::BigInt> {
      if (auto* r = t.as<VarRef>())
        if (auto found = values_.find(r->sym); found != values_.end())
          return analysis::BigInt(found->second);
      return std::nullopt;
    });
    return v ? v->to_int64() : std::nullopt;
  }

  void stmt(const Stmt& s) {
    if (auto* f = s.as<For>()) return loop(*f);
    if (auto* l = s.as<Let>()) {
      if (auto v = value(l->value)) values_[l->sym] = *v;
    } else if (auto* i = s.as<If>()) {
      if (auto c = value(i->cond)) return body(*c ? i->then_body : i->else_body);
      body(i->then_body);
    } else if (auto* st = s.as<Store>()) {
      if (!st->block || st->block->func != func_ || st->block->stage != 0) return;
      auto x = value(st->block->point[0]);
      auto y = st->block->point.size() > 1 ? value(st->block->point[1]) : 0;
      if (!x || !y) return;
      if (!in_vector_) ++clock_, ++group_;
      visits[{*y, *x}] = {clock_, group_};
    }
  }

  void loop(const For& f) {
    const auto lo = value(f.lo), hi = value(f.hi);
    if (!lo || !hi) return;
    const bool outermost_lane = f.loop == LoopKind::Vectorized && !in_vector_;
    if (outermost_lane && *lo < *hi) {
      ++clock_;
      ++group_;
      in_vector_ = true;
    }
    const int64_t start = clock_;
    int64_t latest = start;
    for (int64_t i = *lo; i < *hi; ++i) {
      values_[f.var] = i;
      if (f.loop == LoopKind::Parallel) clock_ = start;
      body(f.body);
      latest = std::max(latest, clock_);
    }
    clock_ = latest;
    if (outermost_lane) in_vector_ = false;
  }

  Symbol func_;
  std::unordered_map<Symbol, int64_t> values_;
  int64_t clock_ = 0, group_ = 0;
  bool in_vector_ = false;
};

}  // namespace

diag::Result<std::string> draw_order(const Proc& proc, const Algorithm& algorithm,
                                     const std::string& name, int64_t size) {
  const Func* func = name.empty() ? algorithm.find(algorithm.outputs.back()) : algorithm.find(name);
  if (!func) {
    std::vector<std::string> known;
    for (const Func& f : algorithm.funcs) known.push_back(f.name());
    return unknown_word("Func", name, known);
  }
  Walk walk(func->sym);
  for (const EntryArg& arg : proc.entry->args)
    for (size_t d = 0; d < arg.dims.size(); ++d) {
      walk.bind(arg.dims[d].min, 0);
      walk.bind(arg.dims[d].extent, size);
      walk.bind(arg.dims[d].stride, d == 0 ? 1 : size);
    }
  walk.body(proc.body);
  if (walk.visits.empty())
    return diag::Diagnostic(diag::kind::no_such_item)
        .arg("file", algorithm.name)
        .arg("what", std::string("stored Func"))
        .arg("name", func->name())
        .note("an inlined Func has no order of its own");
  std::string out;
  int64_t row = walk.visits.begin()->first.first, last = -1;
  bool first = true;
  for (const auto& [at, visit] : walk.visits) {
    if (at.first != row) {
      out += "\n";
      row = at.first;
      first = true;
      last = -1;
    }
    if (!first && visit.group == last) continue;
    out += (first ? "" : "\t") + std::to_string(visit.number);
    first = false;
    last = visit.group;
  }
  return out + "\n";
}

}  // namespace hocket::tools
