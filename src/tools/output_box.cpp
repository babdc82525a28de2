#include "tools/output_box.h"

#include <algorithm>
#include <limits>

#include "analysis/equalities.h"
#include "analysis/evaluate.h"

namespace hocket::tools {

using ir::EntryArg;

namespace {

constexpr int64_t kFar = int64_t{1} << 40;   // no image reaches so far
constexpr int64_t kFree = int64_t{1} << 38;  // an end beyond this one is no limit
constexpr int64_t kLongestStep = 4096;       // of a schedule's tiles
constexpr int kMostRounds = 16;              // of trimming

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

int64_t Lack::points() const {
  return std::max<int64_t>(0, there.min - needed.min) +
         std::max<int64_t>(0, needed.max - there.max);
}

Regions::Regions(const ir::PipelineEntry& entry, const Given& given)
    : entry_(entry), given_(given) {
  for (const EntryArg& arg : entry.args) {
    if (const auto s = given.scalars.find(arg.sym.name()); s != given.scalars.end())
      values_[arg.sym] = s->second;
    if (arg.kind == EntryArg::Kind::Output &&
        std::find(outputs_.begin(), outputs_.end(), arg.sym.parent()) == outputs_.end())
      outputs_.push_back(arg.sym.parent());
    if (arg.kind != EntryArg::Kind::Input) continue;
    const auto found = given.inputs.find(arg.sym.name());
    if (found == given.inputs.end()) continue;
    const std::vector<int64_t>& extents = found->second;
    bind(arg, {std::vector<int64_t>(extents.size(), 0), extents});
  }
}

size_t Regions::output_of(const EntryArg& arg) const {
  const auto at = std::find(outputs_.begin(), outputs_.end(), arg.sym.parent());
  return static_cast<size_t>(at - outputs_.begin());
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
  return analysis::evaluate(e, values_);
}

std::vector<std::optional<Range>> Regions::needed(const EntryArg& arg, const Boxes& boxes) {
  for (const EntryArg& out : entry_.args)
    if (out.kind == EntryArg::Kind::Output) bind(out, boxes[output_of(out)]);
  std::vector<std::optional<Range>> out;
  for (const ir::EntryDim& d : arg.dims) {
    const std::optional<int64_t> lo = value(d.required_min), hi = value(d.required_max);
    out.push_back(lo && hi ? std::optional(Range{*lo, *hi}) : std::nullopt);
  }
  return out;
}

std::vector<Lack> Regions::lacking(const Boxes& boxes, bool inputs) {
  std::vector<Lack> out;
  for (const EntryArg& arg : entry_.args) {
    if (arg.kind == EntryArg::Kind::Scalar) continue;
    const bool input = arg.kind == EntryArg::Kind::Input;
    if (input && !inputs) continue;
    const std::vector<std::optional<Range>> need = needed(arg, boxes);
    const auto image = given_.inputs.find(arg.sym.name());
    for (size_t d = 0; d < need.size(); ++d) {
      if (!need[d] || need[d]->max < need[d]->min) continue;
      Range there;
      if (!input) {
        const Box& box = boxes[output_of(arg)];
        there = {box.min[d], box.min[d] + box.extent[d] - 1};
      } else if (d < 2 && image != given_.inputs.end()) {
        there = {0, image->second[d] - 1};
      } else {
        continue;  // channels that are read whatever the output is are the image's affair
      }
      const Lack lack{arg.sym.name(), d, *need[d], there};
      if (lack.points() > 0) out.push_back(lack);
    }
  }
  return out;
}

std::vector<std::string> Regions::unmet(const Boxes& boxes) {
  std::vector<std::string> out;
  for (const EntryArg& arg : entry_.args)
    if (arg.kind == EntryArg::Kind::Output) bind(arg, boxes[output_of(arg)]);
  for (const ir::EntryCheck& c : entry_.checks)
    if (const std::optional<int64_t> holds = value(c.cond); holds && *holds == 0)
      out.push_back(c.message);
  return out;
}

int64_t Regions::excess(const Boxes& boxes, bool inputs) {
  int64_t sum = 0;
  for (const Lack& l : lacking(boxes, inputs)) sum += l.points();
  return sum;
}

void Regions::bound(Boxes& boxes) {
  const auto take = [&](const ir::Expr& side, const ir::Expr& other) {
    const auto* v = side.as<ir::VarRef>();
    const std::optional<int64_t> n = v != nullptr ? value(other) : std::nullopt;
    if (!n) return;
    for (const EntryArg& arg : entry_.args)
      for (size_t d = 0; arg.kind == EntryArg::Kind::Output && d < arg.dims.size(); ++d) {
        Box& box = boxes[output_of(arg)];
        if (arg.dims[d].min == v->sym) box.min[d] = *n;
        if (arg.dims[d].extent == v->sym) box.extent[d] = *n;
      }
  };
  for (const ir::EntryCheck& c : entry_.checks) analysis::for_each_equality(c.cond, take);
}

namespace {

// The points of dimension `d` for which every input has what they read.
Range points_that_fit(Regions& plain, size_t rank, size_t d) {
  Range fit{-kFar, kFar};
  const auto at = [&](const EntryArg& arg, size_t i, int64_t p) {
    Box one{std::vector<int64_t>(rank, 0), std::vector<int64_t>(rank, 1)};
    one.min[d] = p;
    return plain.needed(arg, {one})[i];
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

// One step of the search: these dimensions of these outputs become smaller, or move.
struct Move {
  std::vector<std::pair<size_t, size_t>> what;  // output, dimension
  bool extent = false, min = false;             // both: less at the near end
  int64_t sign = 1;
};

void make(const Move& move, int64_t k, Boxes& boxes) {
  for (const auto& [u, d] : move.what) {
    if (move.extent) boxes[u].extent[d] -= k;
    if (move.min) boxes[u].min[d] += move.sign * k;
  }
}

// What may change: extents that nobody asked for, and mins that nobody asked for.
std::vector<Move> moves_of(const std::vector<Wish>& wishes) {
  std::vector<Move> out;
  size_t most = 0;
  for (const Wish& w : wishes) most = std::max(most, w.usual.size());
  const auto add = [&](const std::vector<std::pair<size_t, size_t>>& free,
                       const std::vector<std::pair<size_t, size_t>>& placed,
                       const std::vector<std::pair<size_t, size_t>>& sized) {
    if (!free.empty() || !placed.empty()) {
      std::vector<std::pair<size_t, size_t>> both = free;
      both.insert(both.end(), placed.begin(), placed.end());
      out.push_back({both, true, false});
    }
    if (!free.empty()) out.push_back({free, true, true});
    if (sized.empty()) return;
    out.push_back({sized, false, true, 1});
    out.push_back({sized, false, true, -1});
  };
  for (size_t d = 0; d < most; ++d) {
    std::vector<std::pair<size_t, size_t>> free, placed, sized;
    for (size_t u = 0; u < wishes.size(); ++u) {
      const Wish& w = wishes[u];
      if (d >= w.usual.size() || (w.min[d] && w.extent[d])) continue;
      auto& kind = w.extent[d] ? sized : w.min[d] ? placed : free;
      kind.emplace_back(u, d);
      if (w.extent[d])
        add({}, {}, {{u, d}});
      else if (w.min[d])
        add({}, {{u, d}}, {});
      else
        add({{u, d}}, {}, {});
    }
    // Outputs that read each other become smaller together.
    if (free.size() + placed.size() + sized.size() > 1) add(free, placed, sized);
  }
  return out;
}

int64_t largest_step(const Move& move, const Boxes& boxes) {
  int64_t most = kLongestStep;
  if (!move.extent) return most;
  for (const auto& [u, d] : move.what) most = std::min(most, boxes[u].extent[d] - 1);
  return most;
}

// Gives up points, or moves, until nothing is asked for that is not there.
bool trim(Regions& scheduled, Boxes& boxes, const std::vector<Move>& moves, bool inputs) {
  int64_t least = scheduled.excess(boxes, inputs);
  bool better = true;
  for (int round = 0; round < kMostRounds && better && least > 0; ++round) {
    better = false;
    for (const Move& move : moves) {
      if (least == 0) break;
      const Boxes before = boxes;
      const int64_t steps = largest_step(move, boxes);
      for (int64_t k = 1; k <= steps && least > 0; ++k) {
        Boxes less = before;
        make(move, k, less);
        const int64_t e = scheduled.excess(less, inputs);
        if (e >= least) continue;
        least = e;
        boxes = less;
        better = true;
      }
    }
  }
  return least == 0;
}

double points(const Boxes& boxes) {
  double sum = 0;
  for (const Box& b : boxes) {
    double n = 1;
    for (const int64_t e : b.extent) n *= static_cast<double>(e);
    sum += n;
  }
  return sum;
}

// The boxes with what tiles and other outputs ask of them on top; nothing where that never rests.
std::optional<Boxes> grown(Regions& scheduled, Boxes boxes) {
  constexpr int kMostGrowing = 64;
  for (int round = 0; round < kMostGrowing; ++round) {
    const std::vector<Lack> lacks = scheduled.lacking(boxes, false);
    if (lacks.empty()) return boxes;
    for (const Lack& l : lacks) {
      for (const EntryArg& arg : scheduled.entry().args) {
        if (arg.sym.name() != l.argument) continue;
        Box& box = boxes[scheduled.output_of(arg)];
        const int64_t low = std::min(box.min[l.dimension], l.needed.min);
        const int64_t high =
            std::max(box.min[l.dimension] + box.extent[l.dimension] - 1, l.needed.max);
        if (high - low >= kFar) return std::nullopt;
        box.min[l.dimension] = low;
        box.extent[l.dimension] = high - low + 1;
      }
    }
  }
  return std::nullopt;
}

// From single points, one output after the other as large as its inputs allow: where every output
// has tiles of its own, boxes that fit lie far below the largest ones.
std::optional<Boxes> from_below(Regions& scheduled, const Boxes& whole,
                                const std::vector<Wish>& wishes, bool inputs, bool last_first) {
  const auto asked = [&](const Boxes& boxes) {  // what was wished stays
    for (size_t u = 0; u < wishes.size(); ++u)
      for (size_t d = 0; d < boxes[u].rank(); ++d)
        if ((wishes[u].extent[d] && boxes[u].extent[d] != *wishes[u].extent[d]) ||
            (wishes[u].min[d] && boxes[u].min[d] != *wishes[u].min[d]))
          return false;
    return true;
  };
  const auto fitting = [&](const Boxes& boxes) {
    std::optional<Boxes> more = grown(scheduled, boxes);
    if (more && (!asked(*more) || scheduled.excess(*more, inputs) > 0)) more.reset();
    return more;
  };
  Boxes start = whole;
  for (size_t u = 0; u < wishes.size(); ++u)
    for (size_t d = 0; d < start[u].rank(); ++d)
      if (!wishes[u].extent[d]) start[u].extent[d] = 1;
  std::optional<Boxes> best = fitting(start);
  for (size_t k = 0; best && k < wishes.size(); ++k) {
    const size_t u = last_first ? wishes.size() - 1 - k : k;
    for (size_t d = 0; d < whole[u].rank(); ++d) {
      if (wishes[u].extent[d]) continue;
      const auto with = [&](int64_t extent) {
        Boxes boxes = *best;
        boxes[u].extent[d] = std::max(boxes[u].extent[d], extent);
        return fitting(boxes);
      };
      const int64_t most = last_that(1, whole[u].extent[d],
                                     [&](int64_t extent) { return with(extent).has_value(); });
      if (std::optional<Boxes> larger = with(most)) best = std::move(larger);
    }
  }
  return best;
}

// One output by itself. Where nothing fits the box is the one that lies nearest.
Box largest_alone(Regions& alone, const Wish& wish, bool inputs) {
  const size_t rank = wish.usual.size();
  Box box{std::vector<int64_t>(rank, 0), wish.usual};
  for (size_t d = 0; d < rank; ++d) {
    const bool sized = wish.extent[d].has_value(), placed = wish.min[d].has_value();
    if (sized) box.extent[d] = *wish.extent[d];
    if (placed) box.min[d] = *wish.min[d];
    if (!inputs || (sized && placed)) continue;
    const Range fit = points_that_fit(alone, rank, d);
    if (fit.max < fit.min) {
      if (!sized) box.extent[d] = 1;
      continue;
    }
    const bool low = fit.min > -kFree, high = fit.max < kFree;
    if (!placed) {
      if (low)
        box.min[d] = fit.min;
      else if (high)
        box.min[d] = fit.max - box.extent[d] + 1;
    }
    if (!sized && high && (low || placed))
      box.extent[d] = std::max<int64_t>(1, fit.max - box.min[d] + 1);
  }
  return box;
}

}  // namespace

Found largest_boxes(std::vector<Regions>& alone, Regions& scheduled,
                    const std::vector<Wish>& wishes, bool inputs) {
  Boxes boxes;
  for (size_t u = 0; u < wishes.size(); ++u)
    boxes.push_back(largest_alone(alone[u], wishes[u], inputs));
  scheduled.bound(boxes);
  const Boxes whole = boxes;
  if (scheduled.excess(whole, inputs) == 0) return {whole, true};
  // One output after the other, or first all of them together: tiles of outputs that read each
  // other end at the same points only where all become smaller at once.
  std::vector<Move> moves = moves_of(wishes);
  bool fits = trim(scheduled, boxes, moves, inputs);
  std::stable_partition(moves.begin(), moves.end(),
                        [](const Move& move) { return move.what.size() > 1; });
  Boxes together = whole;
  if (!moves.empty() && moves.front().what.size() > 1 && trim(scheduled, together, moves, inputs) &&
      (!fits || points(together) > points(boxes))) {
    boxes = together;
    fits = true;
  }
  // Inputs that read along several dimensions at once: smaller in all of them together may be more.
  const int64_t parts = 1024;
  const auto scaled = [&](int64_t part) {
    Boxes less = whole;
    for (size_t u = 0; u < wishes.size(); ++u)
      for (size_t d = 0; d < less[u].rank(); ++d)
        if (!wishes[u].extent[d])
          less[u].extent[d] = std::max<int64_t>(1, whole[u].extent[d] * part / parts);
    return less;
  };
  const auto holds = [&](int64_t part) { return scheduled.excess(scaled(part), inputs) == 0; };
  if (holds(0)) {
    const Boxes less = scaled(last_that(0, parts, holds));
    if (!fits || points(less) > points(boxes)) {
      boxes = less;
      fits = true;
    }
  }
  if (!fits && wishes.size() > 1) {
    for (const bool last_first : {false, true}) {
      const std::optional<Boxes> more = from_below(scheduled, whole, wishes, inputs, last_first);
      if (!more || (fits && points(*more) <= points(boxes))) continue;
      boxes = *more;
      fits = true;
    }
  }
  if (fits) return {boxes, true};
  return {whole, false};
}

}  // namespace hocket::tools
