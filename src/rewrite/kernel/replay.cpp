#include "rewrite/kernel/replay.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "interp/run.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

constexpr int64_t kMostElements = 1 << 16;

struct Data {
  std::vector<interp::Tensor> tensors;
  interp::Arguments arguments;
};

// What overflows says nothing of a program.
bool may_overflow(Type type) {
  return type.is_int() && type.bits >= 32;
}

// Arguments of the proc at these sizes, of `small` numbers where others overflow; nothing where a
// shape is too large or not known.
bool make_data(const Proc& proc, const std::unordered_map<Symbol, int64_t>& sizes, uint64_t seed,
               bool small, Data& out) {
  out.tensors.clear();
  out.arguments.clear();
  out.tensors.reserve(proc.params.size());
  interp::Random random(seed);
  for (const Param& p : proc.params) {
    if (p.kind == ParamKind::Buffer) {
      std::vector<int64_t> extents;
      int64_t count = 1;
      for (const Expr& e : p.shape) {
        auto v = analysis::evaluate(e, [&](const Expr& t) -> std::optional<analysis::BigInt> {
          const auto* r = t.as<VarRef>();
          auto it = r ? sizes.find(r->sym) : sizes.end();
          if (it == sizes.end()) return std::nullopt;
          return analysis::BigInt(it->second);
        });
        if (!v || !v->fits_int64()) return false;
        extents.push_back(*v->to_int64());
        if (extents.back() < 0 || extents.back() > kMostElements) return false;
        count *= std::max<int64_t>(extents.back(), 1);
        if (count > kMostElements) return false;
      }
      const uint64_t own = seed + out.tensors.size();
      interp::Tensor& t = out.tensors.emplace_back(interp::Tensor::row_major(p.type(), extents));
      if (small && may_overflow(p.type()))
        t.fill_random(own, 0, 7);
      else
        t.fill_random(own);
      out.arguments.push_back(t);
    } else if (p.kind == ParamKind::Scalar) {
      Scalar value = random.value(p.type());
      if (small && may_overflow(p.type())) value.i &= 7;
      out.arguments.push_back(value);
    } else {
      out.arguments.push_back(sizes.at(p.sym));
    }
  }
  return true;
}

std::string sizes_text(const Proc& proc, const std::unordered_map<Symbol, int64_t>& sizes) {
  std::string text;
  for (const Param& p : proc.params)
    if (p.kind == ParamKind::Size || p.kind == ParamKind::Index)
      text += (text.empty() ? "" : ", ") + p.sym.name() + " = " + std::to_string(sizes.at(p.sym));
  return text.empty() ? "one run" : "sizes " + text;
}

// Sizes to try: those that the prover found, then small ones. `at_given` is true of the first.
struct Trial {
  std::unordered_map<Symbol, int64_t> sizes;
  bool at_given = false;
};
std::vector<Trial> trials(const Proc& proc, const Sizes& given) {
  const std::unordered_map<Symbol, int64_t> model(given.begin(), given.end());
  std::vector<Trial> out;
  for (int64_t fill : {0, 1, 2, 3, 4, 5, 7}) {
    Trial t;
    t.at_given = fill == 0;
    for (const Param& p : proc.params) {
      if (p.kind != ParamKind::Size && p.kind != ParamKind::Index) continue;
      auto it = model.find(p.sym);
      t.sizes[p.sym] = fill == 0 ? (it != model.end() ? it->second : 3) : fill;
    }
    if (fill > 0 && t.sizes.empty()) break;
    out.push_back(std::move(t));
  }
  return out;
}

interp::RunOptions run_options() {
  interp::RunOptions options;
  options.step_limit = 1 << 22;
  options.order = interp::Order::Reverse;
  return options;
}

bool ran_out(const interp::Outcome& outcome) {
  return interp::is_budget(outcome.findings[0]);
}

}  // namespace

Difference replay_difference(const Proc& before, const Proc& after, const Sizes& given) {
  for (const auto& [sizes, at_given] : trials(before, given)) {
    for (uint64_t seed : {1, 2}) {
      Data a, b;
      const bool small = seed == 2;
      if (!make_data(before, sizes, seed, small, a) || !make_data(after, sizes, seed, small, b))
        continue;
      if (!interp::run(before, a.arguments, run_options()).ok()) continue;
      const interp::Outcome y = interp::run(after, b.arguments, run_options());
      if (!y.findings.empty()) {
        if (ran_out(y)) continue;
        return {{sizes_text(before, sizes), "after the step: " + y.findings[0].text()}, at_given};
      }
      size_t t = 0;
      for (const Param& p : before.params) {
        if (p.kind != ParamKind::Buffer) continue;
        const interp::Tensor &s = a.tensors[t], &u = b.tensors[t];
        ++t;
        auto d = interp::first_difference(s, u);
        if (!d) continue;
        std::string at;
        for (int64_t i : *d) at += (at.empty() ? "" : ", ") + std::to_string(i);
        return {{sizes_text(before, sizes), "element " + p.sym.name() + "[" + at + "] is " +
                                                interp::spoken(s.at(*d)) + " before and " +
                                                interp::spoken(u.at(*d)) + " after"},
                at_given};
      }
    }
  }
  return {};
}

}  // namespace hocket::rewrite
