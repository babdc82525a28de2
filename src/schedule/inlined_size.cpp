#include "schedule/inlined_size.h"

#include <algorithm>
#include <unordered_map>

#include "diag/kinds_schedule.h"
#include "ir/visit.h"

namespace hocket::schedule {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

// Nodes of an expression of a Func as a sum: so many of its own, and every variable of the Func as
// often as it stands there. A call of an inlined Func puts its coordinates for the variables.
struct Count {
  double nodes = 0;
  std::vector<double> uses;
};

class Counter {
 public:
  explicit Counter(const Plan& plan) : plan_(plan) {}

  // The largest value of a Func that is computed, and the Func; of all such values together.
  struct Largest {
    double nodes = 0, together = 0;
    const Func* func = nullptr;
    int stage = 0;
  };
  Largest largest() {
    Largest most;
    for (const Func& f : plan_.algorithm->funcs) {
      const bool gone = plan_.of(f.sym).compute.kind == Site::Kind::Inline;
      for (int s = 0; s < f.num_stages(); ++s) {
        func_ = &f;
        seen_.clear();
        calls_ = false;
        std::vector<Count> values;
        for (const Expr& e : f.stage(s).values) values.push_back(count(e));
        if (gone) {
          inlined_.emplace(f.sym, std::move(values));
          continue;
        }
        for (const Count& c : values) {
          double nodes = c.nodes;
          for (const double u : c.uses) nodes += u;
          most.together += nodes;
          if (calls_ && nodes > most.nodes) most = {nodes, most.together, &f, s};
        }
      }
    }
    return most;
  }

 private:
  Count count(const Expr& e) {
    if (auto it = seen_.find(e.get()); it != seen_.end()) return it->second;
    Count c;
    c.uses.assign(func_->args.size(), 0);
    const auto add = [&](const Count& other, double times) {
      c.nodes += times * other.nodes;
      for (size_t i = 0; i < c.uses.size(); ++i) c.uses[i] += times * other.uses[i];
    };
    if (const auto* v = e.as<VarRef>()) {
      const auto at = std::find(func_->args.begin(), func_->args.end(), v->sym);
      if (at == func_->args.end()) {
        c.nodes = 1;
      } else {
        c.uses[static_cast<size_t>(at - func_->args.begin())] = 1;
      }
    } else if (const auto* call = e.as<Call>(); call && inlined_.count(call->func)) {
      calls_ = true;
      const Count& value = inlined_.at(call->func)[static_cast<size_t>(call->value_index)];
      c.nodes = value.nodes;
      for (size_t j = 0; j < call->args.size(); ++j) add(count(call->args[j]), value.uses[j]);
    } else {
      c.nodes = 1;
      for (const Expr& child : children(e)) add(count(child), 1);
    }
    return seen_.emplace(e.get(), std::move(c)).first->second;
  }

  const Plan& plan_;
  const Func* func_ = nullptr;
  bool calls_ = false;  // the definition calls Funcs that are inlined
  std::unordered_map<Symbol, std::vector<Count>> inlined_;
  std::unordered_map<const ExprNode*, Count> seen_;
};

// One Func after the other computed at root, each time the one that helps most, until all is so
// small that it is tried in no time.
std::vector<Symbol> roots_for(Plan plan) {
  constexpr size_t kMost = 8, kCandidates = 48;
  const size_t step = plan.funcs.size() / kCandidates + 1;
  std::vector<Symbol> out;
  while (true) {
    const Counter::Largest now = Counter(plan).largest();
    if (now.nodes <= kMostNodes / 4) return out;
    if (out.size() == kMost) return {};
    double best = now.together;
    Symbol chosen;
    size_t tried = 0;
    for (FuncPlan& p : plan.funcs) {
      if (p.compute.kind != Site::Kind::Inline || tried++ % step != 0) continue;
      const Site before = p.compute;
      p.compute.kind = Site::Kind::Root;
      const double nodes = Counter(plan).largest().together;
      p.compute = before;
      if (nodes >= best) continue;
      best = nodes;
      chosen = p.func;
    }
    if (!chosen.defined()) return {};
    FuncPlan& p = plan.of(chosen);
    p.compute = p.store = Site{Site::Kind::Root, {}, 0, "", {}};
    out.push_back(chosen);
  }
}

}  // namespace

Result<void> check_inlined_size(const Plan& plan, const DryRun& dry) {
  const Counter::Largest most = Counter(plan).largest();
  if (most.nodes <= kMostNodes) return {};
  Diagnostic e(diag::kind::inlined_too_large, most.func->stage(most.stage).place);
  e.arg("func", spoken(most.func->sym, most.stage)).arg("limit", static_cast<int64_t>(kMostNodes));
  const std::vector<Symbol> roots = roots_for(plan);
  Plan fixed = plan;
  std::string code;
  for (const Symbol& s : roots) {
    fixed.of(s).compute = fixed.of(s).store = Site{Site::Kind::Root, {}, 0, "", {}};
    code += (code.empty() ? "" : "; ") + s.name() + ".compute_root()";
  }
  if (!roots.empty() && accepted(dry, fixed)) e.help(code);
  return e;
}

}  // namespace hocket::schedule
