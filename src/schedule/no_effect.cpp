#include "schedule/no_effect.h"

#include <algorithm>
#include <set>

#include "diag/kinds_schedule.h"
#include "ir/print.h"
#include "schedule/stage_facts.h"

namespace hocket::schedule {

using namespace ir;
using diag::Diagnostic;
namespace kind = diag::kind;

namespace {

// What only the last directive of a Func decides: 0 is none of these.
int decides(Verb verb) {
  switch (verb) {
    case Verb::ComputeRoot:
    case Verb::ComputeAt:
    case Verb::ComputeInline:
      return 1;
    case Verb::StoreRoot:
    case Verb::StoreAt:
      return 2;
    case Verb::ReorderStorage:
      return 3;
    case Verb::StoreIn:
      return 4;
    default:
      return 0;
  }
}

std::set<Symbol> read_by_outputs(const Algorithm& algorithm) {
  std::set<Symbol> read(algorithm.outputs.begin(), algorithm.outputs.end());
  for (auto f = algorithm.funcs.rbegin(); f != algorithm.funcs.rend(); ++f) {
    if (!read.contains(f->sym)) continue;
    for (int s = 0; s < f->num_stages(); ++s)
      for (const Symbol& called : callees(f->stage(s))) read.insert(called);
  }
  return read;
}

Diagnostic without_effect(const Directive& d, const std::string& reason) {
  return Diagnostic(kind::no_effect, d.place).arg("func", d.func).arg("reason", reason);
}

void warn_overridden(const Schedule& schedule, std::vector<Diagnostic>& warnings) {
  const std::vector<Directive>& all = schedule.directives;
  for (size_t i = 0; i < all.size(); ++i) {
    const int what = decides(all[i].verb);
    if (what == 0) continue;
    for (size_t j = all.size() - 1; j > i; --j) {
      if (all[j].func != all[i].func || decides(all[j].verb) != what) continue;
      warnings.push_back(without_effect(all[i], "`" + to_text(all[j]) + "` comes after it")
                             .label(all[j].place, "decides instead"));
      break;
    }
  }
}

}  // namespace

void warn_no_effect(const Plan& plan, const Schedule& schedule, const DryRun& dry,
                    std::vector<Diagnostic>& warnings) {
  warn_overridden(schedule, warnings);
  const std::set<Symbol> read = read_by_outputs(*plan.algorithm);
  std::set<Symbol> warned;
  for (const Directive& d : schedule.directives) {
    const Func* f = plan.algorithm->find(d.func);
    if (f == nullptr || warned.contains(f->sym)) continue;
    if (!read.contains(f->sym)) {
      warned.insert(f->sym);
      warnings.push_back(without_effect(d, "no output reads `" + d.func + "`"));
      continue;
    }
    const int what = decides(d.verb);
    if (plan.of(f->sym).compute.kind != Site::Kind::Inline || what == 1 || what == 2) continue;
    warned.insert(f->sym);
    Diagnostic e =
        without_effect(d, "`" + d.func + "` is inlined and has no loops or storage of its own");
    Plan fixed = plan;
    fixed.of(f->sym).compute = Site{Site::Kind::Root, {}, 0, "", {}};
    if (accepted(dry, fixed)) e.help(d.func + ".compute_root()");
    warnings.push_back(std::move(e));
  }
}

}  // namespace hocket::schedule
