#include "driver/small_arguments.h"

#include <algorithm>

#include "abi/hocket_abi.h"
#include "analysis/equalities.h"
#include "ir/visit.h"

namespace hocket::driver {

using interp::Tensor;
using ir::EntryArg;
using ir::EntryCheck;
using ir::EntryDim;
using ir::Scalar;

namespace {

constexpr int64_t kLargest = int64_t{1} << 22;  // elements of one argument of a small run
constexpr int kMostRounds = 256;

bool fits_coordinate(int64_t v) {
  return v >= INT32_MIN && v <= INT32_MAX;
}

// A value for a scalar parameter: its default, else one inside its range.
Scalar value_of(const EntryArg& arg) {
  const ir::Type type = arg.sym.type();
  if (arg.default_value) {
    if (type.is_float()) return Scalar::of_float(type, *arg.default_value);
    // Those of u64 go beyond what int64_t holds.
    const double v = *arg.default_value;
    return Scalar::of_int(type, v >= 0x1p63 ? static_cast<int64_t>(static_cast<uint64_t>(v))
                                            : static_cast<int64_t>(v));
  }
  for (const ir::Expr& end : {arg.range_min, arg.range_max}) {
    if (!end.defined()) continue;
    if (const auto* i = end.as<ir::IntImm>()) return Scalar::of_int(type, i->value);
    if (const auto* f = end.as<ir::FloatImm>()) return Scalar::of_float(type, f->value);
  }
  return type.is_float() ? Scalar::of_float(type, 1) : Scalar::of_int(type, 1);
}

std::string too_large(const EntryArg& arg) {
  return "`" + arg.sym.name() + "` is too large to try";
}

// A check that fixes where an output lies (`bound`).
bool fixes(const EntryCheck& c) {
  return c.argument.defined() && c.code == HOCKET_ERROR_CONSTRAINT_VIOLATED;
}

}  // namespace

SmallArguments::SmallArguments(const ir::PipelineEntry& entry)
    : entry_(entry), tensors_(entry.args.size()), scalars_(entry.args.size()) {
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const EntryArg& arg = entry.args[i];
    if (arg.kind != EntryArg::Kind::Scalar) continue;
    scalars_[i] = value_of(arg);
    if (!arg.sym.type().is_float()) values_[arg.sym] = scalars_[i].i;
  }
}

std::optional<int64_t> SmallArguments::value(const ir::Expr& e) const {
  return analysis::evaluate(e, values_);
}

void SmallArguments::place(size_t argument, std::vector<int64_t> mins, std::vector<int64_t> sizes) {
  const EntryArg& arg = entry_.args[argument];
  Tensor& t = tensors_[argument];
  t = Tensor::of_box(arg.sym.type(), std::move(mins), std::move(sizes));
  for (int d = 0; d < t.rank(); ++d) {
    const EntryDim& e = arg.dims[static_cast<size_t>(d)];
    if (e.min.defined()) values_[e.min] = t.min(d);
    if (e.extent.defined()) values_[e.extent] = t.extent(d);
    if (e.stride.defined()) values_[e.stride] = t.stride(d);
  }
}

std::string SmallArguments::outputs(const std::vector<int64_t>& extents, const schedule::Plan* plan,
                                    bool grow) {
  for (size_t i = 0; i < entry_.args.size(); ++i) {
    const EntryArg& arg = entry_.args[i];
    if (arg.kind == EntryArg::Kind::Scalar) continue;
    // Sizes that an input's own region asks about start as the outputs' (a histogram reads its
    // whole input, however large that is).
    std::vector<int64_t> sizes(arg.dims.size(), 1);
    int64_t count = 1;
    for (size_t d = 0; d < sizes.size(); ++d) {
      sizes[d] = extents.empty() ? 1 : extents[d % extents.size()];
      count *= std::max<int64_t>(sizes[d], 1);
      if (count > kLargest) return too_large(arg);
    }
    place(i, std::vector<int64_t>(sizes.size(), 0), sizes);
  }
  for (size_t i = 0; plan != nullptr && i < entry_.args.size(); ++i)
    if (entry_.args[i].kind == EntryArg::Kind::Output) bound_by_plan(i, *plan);
  if (!grow) return {};
  if (fixed_by_entry()) fit_to_fixed();
  return grown();
}

void SmallArguments::bound_by_plan(size_t argument, const schedule::Plan& plan) {
  std::vector<int64_t> mins = tensors_[argument].mins(), sizes = tensors_[argument].extents();
  for (const schedule::DimBound& b : plan.of(entry_.args[argument].sym.parent()).bounds) {
    const std::optional<int64_t> lo = value(b.min), extent = value(b.extent);
    if (!lo || !extent || *extent < 0 || *extent > kLargest) continue;
    if (*lo < INT32_MIN || *lo > INT32_MAX - *extent) continue;  // refused at entry
    mins[static_cast<size_t>(b.dim)] = *lo;
    sizes[static_cast<size_t>(b.dim)] = *extent;
  }
  place(argument, std::move(mins), std::move(sizes));
}

std::string SmallArguments::needed(const EntryArg& arg, std::vector<int64_t>& mins,
                                   std::vector<int64_t>& sizes) const {
  int64_t count = 1;
  for (const EntryDim& d : arg.dims) {
    const std::optional<int64_t> lo = value(d.required_min), hi = value(d.required_max);
    if (!lo || !hi) return "the region of `" + arg.sym.name() + "` cannot be computed";
    if (!fits_coordinate(*lo) || !fits_coordinate(*hi))
      return "`" + arg.sym.name() + "` would reach from " + std::to_string(*lo) + " to " +
             std::to_string(*hi) + ", and coordinates have 32 bits";
    mins.push_back(*lo);
    sizes.push_back(std::max<int64_t>(*hi - *lo + 1, 0));
    count *= std::max<int64_t>(sizes.back(), 1);
    if (count > kLargest || sizes.back() > kLargest) return too_large(arg);
  }
  return {};
}

// One that grows may make another one grow that it reads, as in a bounds query.
std::string SmallArguments::grown() {
  bool rests = false;
  for (int round = 0; !rests && round < kMostRounds; ++round) {
    rests = true;
    for (size_t i = 0; i < entry_.args.size(); ++i) {
      if (entry_.args[i].kind != EntryArg::Kind::Output) continue;
      std::vector<int64_t> mins, sizes;
      if (std::string why = needed(entry_.args[i], mins, sizes); !why.empty()) return why;
      if (mins == tensors_[i].mins() && sizes == tensors_[i].extents()) continue;
      rests = false;
      place(i, std::move(mins), std::move(sizes));
    }
  }
  return {};
}

bool SmallArguments::fixed_by_entry() {
  bool moved = false;
  for (const EntryCheck& c : entry_.checks) {
    if (!fixes(c)) continue;
    const size_t i = entry_.position(c.argument);
    const auto d = static_cast<size_t>(c.dimension);
    const EntryDim& dim = entry_.args[i].dims[d];
    std::vector<int64_t> mins = tensors_[i].mins(), sizes = tensors_[i].extents();
    analysis::for_each_equality(c.cond, [&](const ir::Expr& side, const ir::Expr& other) {
      const auto* v = side.as<ir::VarRef>();
      const std::optional<int64_t> n = v != nullptr ? value(other) : std::nullopt;
      if (!n || !fits_coordinate(*n)) return;
      if (v->sym == dim.min) mins[d] = *n;
      if (v->sym == dim.extent && *n >= 0 && *n <= kLargest) sizes[d] = *n;
    });
    if (mins == tensors_[i].mins() && sizes == tensors_[i].extents()) continue;
    moved = true;
    place(i, std::move(mins), std::move(sizes));
  }
  return moved;
}

// First the others move until the fixed region has what they read, then they shrink.
void SmallArguments::fit_to_fixed() {
  for (const EntryCheck& c : entry_.checks) {
    if (!fixes(c)) continue;
    const size_t i = entry_.position(c.argument);
    const int d = c.dimension;
    const EntryDim& dim = entry_.args[i].dims[static_cast<size_t>(d)];
    const int64_t first = tensors_[i].min(d), last = first + tensors_[i].extent(d) - 1;
    for (const bool shrink : {false, true}) {
      const std::optional<int64_t> lo = value(dim.required_min);
      const int64_t before = lo ? std::max<int64_t>(first - *lo, 0) : 0;
      if (before > 0) yield_to(dim.required_min, i, before, shrink ? before : 0);
      const std::optional<int64_t> hi = value(dim.required_max);
      const int64_t behind = hi ? std::max<int64_t>(*hi - last, 0) : 0;
      if (behind > 0) yield_to(dim.required_max, i, shrink ? 0 : -behind, shrink ? behind : 0);
    }
  }
}

// Moves every other output whose place `end` speaks of, and takes points from its extent.
void SmallArguments::yield_to(const ir::Expr& end, size_t fixed, int64_t move, int64_t shrink) {
  for (size_t i = 0; i < entry_.args.size(); ++i) {
    const EntryArg& other = entry_.args[i];
    if (other.kind != EntryArg::Kind::Output || i == fixed) continue;
    std::vector<int64_t> mins = tensors_[i].mins(), sizes = tensors_[i].extents();
    for (size_t d = 0; d < other.dims.size(); ++d) {
      if (!ir::uses(end, other.dims[d].min)) continue;
      mins[d] = std::clamp<int64_t>(mins[d] + move, INT32_MIN, INT32_MAX - sizes[d]);
      sizes[d] = std::max<int64_t>(sizes[d] - shrink, 1);
    }
    place(i, std::move(mins), std::move(sizes));
  }
}

std::string SmallArguments::inputs() {
  for (size_t i = 0; i < entry_.args.size(); ++i) {
    if (entry_.args[i].kind != EntryArg::Kind::Input) continue;
    std::vector<int64_t> mins, sizes;
    if (std::string why = needed(entry_.args[i], mins, sizes); !why.empty()) return why;
    place(i, std::move(mins), std::move(sizes));
  }
  return {};
}

}  // namespace hocket::driver
