#include "analysis/simplify.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "judge.h"

namespace hocket::street {

using namespace ir;

std::string describe(const Case& c) {
  std::string out = to_text(*c.algorithm) + "\n" + to_text(c.schedule) + "\n# outputs:";
  for (const auto& box : c.outputs) {
    out += " [";
    for (auto [min, extent] : box) out += " " + std::to_string(min) + "+" + std::to_string(extent);
    out += " ]";
  }
  return out + " data " + std::to_string(c.data) + "\n";
}

namespace {

// Simpler expressions of the same type that stand inside e, or e with one child simplified.
void simpler(const Expr& e, std::vector<Expr>& out) {
  for (const Expr& child : children(e))
    if (child.type() == e.type()) out.push_back(child);
  std::vector<Expr> kids = children(e);
  for (size_t i = 0; i < kids.size(); ++i) {
    std::vector<Expr> smaller;
    simpler(kids[i], smaller);
    for (const Expr& s : smaller) {
      size_t at = 0;
      out.push_back(map_children(e, [&](const Expr& k) { return at++ == i ? s : k; }));
    }
  }
}

}  // namespace

Case reduce(Case c, const JudgeOf<Case>& judge, int budget) {
  for (bool progress = true; progress && budget > 0;) {
    progress = false;
    auto attempt = [&](Case smaller) {
      if (budget-- <= 0 || judge(smaller).kind != Verdict::Kind::Fail) return false;
      c = std::move(smaller);
      progress = true;
      return true;
    };
    for (size_t i = c.schedule.directives.size(); i-- > 0;) {
      Case s = c;
      s.schedule.directives.erase(s.schedule.directives.begin() + static_cast<std::ptrdiff_t>(i));
      attempt(std::move(s));
    }
    for (size_t o = 0; o < c.outputs.size(); ++o)
      for (size_t d = 0; d < c.outputs[o].size(); ++d) {
        for (int64_t e : {c.outputs[o][d].second / 2, c.outputs[o][d].second - 1}) {
          Case s = c;
          if (e < 0 || e >= s.outputs[o][d].second) continue;
          s.outputs[o][d].second = e;
          attempt(std::move(s));
        }
        if (c.outputs[o][d].first != 0) {
          Case s = c;
          s.outputs[o][d].first = 0;
          attempt(std::move(s));
        }
      }
    for (size_t f = 0; f < c.algorithm->funcs.size(); ++f) {
      if (!c.algorithm->funcs[f].updates.empty()) {
        Case s = c;
        auto a = std::make_shared<Algorithm>(*c.algorithm);
        a->funcs[f].updates.pop_back();
        s.algorithm = a;
        attempt(std::move(s));
      }
      for (int stage = 0; stage < c.algorithm->funcs[f].num_stages(); ++stage) {
        std::vector<Expr> options_here;
        simpler(c.algorithm->funcs[f].stage(stage).values[0], options_here);
        for (const Expr& e : options_here) {
          Case s = c;
          auto a = std::make_shared<Algorithm>(*c.algorithm);
          (stage == 0 ? a->funcs[f].pure : a->funcs[f].updates[static_cast<size_t>(stage - 1)])
              .values[0] = e;
          s.algorithm = a;
          if (attempt(std::move(s))) break;
        }
      }
    }
  }
  return c;
}

}  // namespace hocket::street
