#include "tools/output_box.h"

#include <algorithm>
#include <limits>

#include "analysis/evaluate.h"

namespace hocket::tools {

using ir::EntryArg;

namespace {

constexpr int64_t kFar = int64_t{1} << 40;   // no image reaches so far
constexpr int64_t kFree = int64_t{1} << 38;  // an end beyond this one is no limit
constexpr int64_t kLongestStep = 4096;       // of a schedule's tiles

// The greatest p in [lo, hi] with f(p), where f holds at lo and stops holding once.
template <class F>
int64_t last_that(int64_t lo, int64_t hi, F&& f) {
  while (lo < hi) {
    const int64_t middle = lo + (hi - lo + 1) / 2;
    if (f(middle))
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

// The interval of points that one condition allows, around a point where it holds.
template <class F>
Range interval(F&& f, const std::vector<int64_t>& starts) {
  for (const int64_t s : starts) {
    if (!f(s)) continue;
    const int64_t high = f(kFar) ? kFar : last_that(s, kFar, f);
    const int64_t low = f(-kFar) ? -kFar : -last_that(-s, kFar, [&](int64_t p) { return f(-p); });
    return {low, high};
  }
  return {};
}

}  // namespace

Regions::Regions(const ir::PipelineEntry& entry, const Given& given)
    : entry_(entry), given_(given) {
  for (const EntryArg& arg : entry.args) {
    if (const auto s = given.scalars.find(arg.sym.name()); s != given.scalars.end())
      values_[arg.sym] = s->second;
    if (arg.kind != EntryArg::Kind::Input) continue;
    const auto found = given.inputs.find(arg.sym.name());
    if (found == given.inputs.end()) continue;
    const std::vector<int64_t>& extents = found->second;
    bind(arg, {std::vector<int64_t>(extents.size(), 0), extents});
  }
}

void Regions::bind(const EntryArg& arg, const Box& box) {
  int64_t stride = 1;
  for (size_t d = 0; d < std::min(arg.dims.size(), box.rank()); ++d) {
    values_[arg.dims[d].min] = box.min[d];
    values_[arg.dims[d].extent] = box.extent[d];
    values_[arg.dims[d].stride] = stride;
    if (__builtin_mul_overflow(stride, std::max<int64_t>(box.extent[d], 1), &stride)) stride = 1;
  }
}

std::optional<int64_t> Regions::value(const ir::Expr& e) const {
  const auto v = analysis::evaluate(e, [&](const ir::Expr& t) -> std::optional<analysis::BigInt> {
    const auto* r = t.as<ir::VarRef>();
    const auto found = r != nullptr ? values_.find(r->sym) : values_.end();
    if (found == values_.end()) return std::nullopt;
    return analysis::BigInt(found->second);
  });
  return v ? v->to_int64() : std::nullopt;
}

std::vector<std::optional<Range>> Regions::needed(const EntryArg& arg, const Box& box) {
  for (const EntryArg& out : entry_.args)
    if (out.kind == EntryArg::Kind::Output) bind(out, box);
  std::vector<std::optional<Range>> out;
  for (const ir::EntryDim& d : arg.dims) {
    const std::optional<int64_t> lo = value(d.required_min), hi = value(d.required_max);
    out.push_back(lo && hi ? std::optional(Range{*lo, *hi}) : std::nullopt);
  }
  return out;
}

int64_t Regions::excess(const Box& box, bool inputs) {
  int64_t sum = 0;
  const auto add = [&](const Range& need, int64_t min, int64_t extent) {
    if (need.max < need.min) return;
    sum += std::max<int64_t>(0, min - need.min) + std::max<int64_t>(0, need.max - min - extent + 1);
  };
  for (const EntryArg& arg : entry_.args) {
    if (arg.kind == EntryArg::Kind::Scalar) continue;
    const bool input = arg.kind == EntryArg::Kind::Input;
    if (input && !inputs) continue;
    const std::vector<std::optional<Range>> need = needed(arg, box);
    const auto image = given_.inputs.find(arg.sym.name());
    for (size_t d = 0; d < need.size(); ++d) {
      if (!need[d]) continue;
      if (!input && d < box.rank()) add(*need[d], box.min[d], box.extent[d]);
      // Channels that a pipeline reads whatever its output is are the image's affair.
      if (input && d < 2 && image != given_.inputs.end()) add(*need[d], 0, image->second[d]);
    }
  }
  return sum;
}

void Regions::bound(Box& box) {
  const auto take = [&](const ir::Expr& side, const ir::Expr& other) {
    const auto* v = side.as<ir::VarRef>();
    const std::optional<int64_t> n = v != nullptr ? value(other) : std::nullopt;
    if (!n) return;
    for (const EntryArg& arg : entry_.args)
      for (size_t d = 0; arg.kind == EntryArg::Kind::Output && d < arg.dims.size(); ++d) {
        if (d < box.rank() && arg.dims[d].min == v->sym) box.min[d] = *n;
        if (d < box.rank() && arg.dims[d].extent == v->sym) box.extent[d] = *n;
      }
  };
  const auto walk = [&](auto&& self, const ir::Expr& e) -> void {
    const auto* b = e.as<ir::Binary>();
    if (b == nullptr) return;
    if (b->op == ir::BinaryOp::And) {
      self(self, b->a);
      self(self, b->b);
    } else if (b->op == ir::BinaryOp::Eq) {
      take(b->a, b->b);
      take(b->b, b->a);
    }
  };
  for (const ir::EntryCheck& c : entry_.checks) walk(walk, c.cond);
}

namespace {

// The points of dimension `d` for which every input has what they read.
Range points_that_fit(Regions& plain, size_t rank, size_t d) {
  Range fit{-kFar, kFar};
  const auto at = [&](const EntryArg& arg, size_t i, int64_t p) {
    Box one{std::vector<int64_t>(rank, 0), std::vector<int64_t>(rank, 1)};
    one.min[d] = p;
    return plain.needed(arg, one)[i];
  };
  for (const EntryArg& arg : plain.entry().args) {
    const auto image = plain.given().inputs.find(arg.sym.name());
    if (arg.kind != EntryArg::Kind::Input || image == plain.given().inputs.end()) continue;
    for (size_t i = 0; i < arg.dims.size(); ++i) {
      const int64_t most = image->second[i] - 1;
      std::optional<Range> first;
      bool moves = false, known = true;
      for (const int64_t p : {-kFar, int64_t{-1000003}, int64_t{0}, int64_t{7}, kFar}) {
        const std::optional<Range> r = at(arg, i, p);
        known = known && r.has_value();
        if (!known) break;
        moves = moves || (first && (first->min != r->min || first->max != r->max));
        if (!first) first = r;
      }
      if (!known || !moves) continue;
      // Each end alone is monotone even where the region as a whole never fits at both.
      const std::vector<int64_t> starts = {0, most / 2, most, -most, kFar, -kFar};
      const Range low = interval([&](int64_t p) { return at(arg, i, p)->min >= 0; }, starts);
      const Range high = interval([&](int64_t p) { return at(arg, i, p)->max <= most; }, starts);
      fit.min = std::max({fit.min, low.min, high.min});
      fit.max = std::min({fit.max, low.max, high.max});
    }
  }
  return fit;
}

// Gives up points at the far end, or at the near one, until nothing is asked for that is not there.
bool trim(Regions& scheduled, Box& box, const Box& fixed) {
  int64_t least = scheduled.excess(box, true);
  for (size_t round = 0; round < 2 * box.rank() && least > 0; ++round) {
    for (size_t d = 0; d < box.rank() && least > 0; ++d) {
      if (d < fixed.rank() && fixed.extent[d] > 0) continue;
      Box best = box;
      for (const bool near : {false, true})
        for (int64_t k = 1; k <= std::min(kLongestStep, box.extent[d] - 1); ++k) {
          Box less = box;
          less.extent[d] -= k;
          if (near) less.min[d] += k;
          const int64_t e = scheduled.excess(less, true);
          if (e >= least) continue;
          least = e;
          best = less;
          if (e == 0) break;
        }
      box = best;
    }
  }
  return least == 0;
}

}  // namespace

std::optional<Box> largest_box(Regions& plain, Regions& scheduled, const Box& fixed,
                               const std::vector<int64_t>& usual) {
  const size_t rank = usual.size();
  Box box{std::vector<int64_t>(rank, 0), usual};
  for (size_t d = 0; d < rank; ++d) {
    if (d < fixed.rank() && fixed.extent[d] > 0) {
      box.min[d] = fixed.min[d];
      box.extent[d] = fixed.extent[d];
      continue;
    }
    const Range fit = points_that_fit(plain, rank, d);
    if (fit.max < fit.min) return std::nullopt;
    if (fit.min > -kFree) {
      box.min[d] = fit.min;
      if (fit.max < kFree) box.extent[d] = fit.max - fit.min + 1;
    } else if (fit.max < kFree) {
      box.min[d] = fit.max - usual[d] + 1;
    }
  }
  scheduled.bound(box);
  const Box whole = box;
  const bool fits = trim(scheduled, box, fixed);
  if (fits && box.extent == whole.extent) return box;
  // Inputs that read along several dimensions at once: smaller in all of them together may be more.
  const int64_t parts = 1024;
  const auto scaled = [&](int64_t part) {
    Box less = whole;
    for (size_t d = 0; d < rank; ++d)
      if (d >= fixed.rank() || fixed.extent[d] == 0)
        less.extent[d] = std::max<int64_t>(1, whole.extent[d] * part / parts);
    return less;
  };
  const auto points = [](const Box& b) {
    double n = 1;
    for (const int64_t e : b.extent) n *= static_cast<double>(e);
    return n;
  };
  if (scheduled.excess(scaled(0), true) == 0) {
    Box less = scaled(
        last_that(0, parts, [&](int64_t p) { return scheduled.excess(scaled(p), true) == 0; }));
    if (!fits || points(less) > points(box)) return less;
  }
  if (!fits) return std::nullopt;
  return box;
}

}  // namespace hocket::tools
