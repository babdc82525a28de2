#include "rewrite/kernel/judge.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "diag/kinds_rewrite.h"
#include "interp/run.h"
#include "ir/verify.h"

namespace hocket::rewrite {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

constexpr int64_t kMostElements = 1 << 16;

struct Data {
  std::vector<interp::Tensor> tensors;
  interp::Arguments arguments;
};

// Arguments of the proc at these sizes; nothing where a shape is too large or not known.
bool make_data(const Proc& proc, const std::unordered_map<Symbol, int64_t>& sizes, uint64_t seed,
               Data& out) {
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
      out.tensors.push_back(
          interp::Tensor::row_major(p.type(), extents).fill_random(seed + out.tensors.size()));
      out.arguments.push_back(out.tensors.back());
    } else if (p.kind == ParamKind::Scalar) {
      out.arguments.push_back(random.value(p.type()));
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

}  // namespace

Difference replay_difference(const Proc& before, const Proc& after,
                             const std::vector<std::pair<Symbol, int64_t>>& given) {
  std::unordered_map<Symbol, int64_t> model(given.begin(), given.end());
  // The sizes that the prover found, then small ones.
  for (int64_t fill : {0, 1, 2, 3, 4, 5, 7}) {
    std::unordered_map<Symbol, int64_t> sizes;
    bool any_size = false;
    for (const Param& p : before.params) {
      if (p.kind != ParamKind::Size && p.kind != ParamKind::Index) continue;
      any_size = true;
      auto it = model.find(p.sym);
      sizes[p.sym] = fill == 0 ? (it != model.end() ? it->second : 3) : fill;
    }
    if (fill > 0 && !any_size) break;
    for (uint64_t seed : {1, 2}) {
      Data a, b;
      if (!make_data(before, sizes, seed, a) || !make_data(after, sizes, seed, b)) continue;
      interp::RunOptions options;
      options.step_limit = 1 << 22;
      options.order = interp::Order::Reverse;
      interp::Outcome x = interp::run(before, a.arguments, options);
      if (!x.ok()) continue;
      interp::Outcome y = interp::run(after, b.arguments, options);
      if (!y.findings.empty()) {
        if (y.findings[0].kind == interp::FindingKind::StepLimit) continue;
        return {{sizes_text(before, sizes), "after the step: " + y.findings[0].text()}, fill == 0};
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
                fill == 0};
      }
    }
  }
  return {};
}

std::string Judge::how() const {
  std::string text;
  for (const std::string& h : how_)
    if (!h.empty() && text.find(h) == std::string::npos) text += (text.empty() ? "" : ", ") + h;
  return text.empty() ? "by construction" : text;
}

Result<Change> Judge::accept(const ProcRef& before, const ProcRef& after, std::vector<Claim> claims,
                             bool comparable) {
  for (const Claim& c : claims) {
    if (c.answer.proved()) {
      how_.push_back(c.answer.how);
      continue;
    }
    if (c.answer.refuted() && comparable) {
      std::vector<std::pair<Symbol, int64_t>> sizes;
      if (c.answer.clash) sizes = c.answer.clash->sizes;
      for (const auto& [s, v] : c.answer.proof.model) sizes.emplace_back(s, v);
      Difference seen = replay_difference(*before, *after, sizes);
      if (!seen.lines.empty()) {
        Diagnostic d = Diagnostic(diag::kind::rewrite_refuted, step_.place)
                           .arg("op", step_.op)
                           .arg("proc", before->name())
                           .arg("claim", c.what);
        // The prover's clash belongs to its sizes; other ones show their own difference alone.
        if (c.answer.clash && seen.at_given_sizes) d.witnessed(c.answer.clash->to_string());
        for (std::string& line : seen.lines) d.witnessed(std::move(line));
        return d;
      }
    }
    std::string missing = c.answer.missing;
    if (missing.empty())
      missing = c.answer.clash ? "a clash is not excluded: " + c.answer.clash->to_string()
                               : "it does not follow from what is known there";
    return Diagnostic(diag::kind::rewrite_not_proved, step_.place)
        .arg("op", step_.op)
        .arg("claim", c.what)
        .arg("missing", missing);
  }
  HOCKET_CHECK(verify(*after));
  return Change(after);
}

}  // namespace hocket::rewrite
