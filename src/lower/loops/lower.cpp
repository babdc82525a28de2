#include "lower/loops/lower.h"

#include "abi/hocket_abi.h"
#include "analysis/simplify.h"
#include "diag/kinds_schedule.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "lower/loops/bind_region.h"
#include "lower/loops/draft_text.h"
#include "lower/loops/emit.h"
#include "lower/loops/inline_funcs.h"
#include "lower/loops/nest.h"
#include "lower/loops/region.h"
#include "lower/loops/slide.h"
#include "lower/loops/storage.h"

namespace hocket::lower::loops {

using namespace ir;
using diag::Result;
using schedule::Plan;
using schedule::Site;

namespace {

// Parameters of the proc and the user-visible arguments, in the order of the compiled function.
struct Interface {
  std::vector<Param> params;
  std::vector<Expr> preconditions;
  PipelineEntry entry;
};

void add_buffer(Lowering& l, Interface& out, const Symbol& buffer,
                const std::vector<std::string>& dims, EntryArg::Kind kind) {
  EntryBuffer b;
  b.buffer = buffer;
  EntryArg arg;
  arg.kind = kind;
  arg.sym = buffer;
  Param p;
  p.sym = buffer;
  p.kind = ParamKind::Buffer;
  p.window = true;
  for (size_t d = 0; d < dims.size(); ++d) {
    std::string base = buffer.name() + "_" + dims[d];
    auto index = [&](const char* what) {
      Symbol s =
          Symbol::derived(base + "_" + what, Type::index(), buffer, std::string(what) + " of");
      Param q;
      q.sym = s;
      q.kind = ParamKind::Index;
      out.params.push_back(q);
      return s;
    };
    EntryBuffer::Dim dim;
    dim.min = index("min");
    dim.extent = index("extent");
    dim.stride = index("stride");
    for (const Expr& limit : analysis::coordinate_limits(dim.min, dim.extent))
      l.facts.assume(limit);
    if (d == 0)
      out.preconditions.push_back(make_binary(BinaryOp::Eq, make_var(dim.stride), make_index(1)));
    p.shape.insert(p.shape.begin(), make_var(dim.extent));
    b.dims.push_back(dim);
    EntryDim e;
    e.min = dim.min;
    e.extent = dim.extent;
    e.stride = dim.stride;
    arg.dims.push_back(e);
  }
  out.params.push_back(p);
  out.entry.args.push_back(arg);
  l.buffers.push_back(std::move(b));
}

// Arithmetic of signed 32 bits done in 64: operands that are something else are converted.
Expr in_index(const Expr& e) {
  if (const auto* b = e.as<Binary>(); b && e.type().is_int() && e.type().bits == 32)
    return make_binary(b->op, in_index(b->a), in_index(b->b));
  return make_cast(Type::index(), e);
}

// The range of a parameter, over parameters alone. The data that come with the code hold constant
// ends; another one is a check of its own.
void bind_range(Lowering& l, PipelineEntry& entry, EntryArg& arg) {
  const Type type = arg.sym.type();
  Expr least, most;  // what may be relied on
  for (const bool upper : {false, true}) {
    Expr& end = upper ? arg.range_max : arg.range_min;
    if (!end.defined()) continue;
    const std::string spoken = to_text(end);
    end = bind_fields(l, end);
    if (!type.is_float() && !type.is_bool() && analysis::exact_end(end))
      (upper ? most : least) = end;
    if (is_int(end) || end.as<FloatImm>()) continue;
    // In whole numbers: an end that wraps in 32 bits would be another one than the fact says.
    const bool whole = type.is_int() && type.bits <= 32;
    const Expr value = whole ? make_cast(Type::index(), make_var(arg.sym)) : make_var(arg.sym);
    const Expr bound = whole ? in_index(end) : end;
    entry.checks.push_back(
        {make_binary(BinaryOp::Le, upper ? value : bound, upper ? bound : value),
         HOCKET_ERROR_CONSTRAINT_VIOLATED,
         "`" + arg.sym.name() + "` must be at " + (upper ? "most" : "least") + " `" + spoken + "`",
         {},
         0});
  }
  if (least.defined() || most.defined()) l.facts.bound(arg.sym, least, most);
}

Interface make_interface(Lowering& l) {
  const Algorithm& a = *l.plan.algorithm;
  Interface out;
  out.entry.pipeline = a.name;
  for (const Symbol& s : a.ordered_arguments()) {
    if (const ImageParam* input = a.find_input(s)) {
      add_buffer(l, out, s, input->dims, EntryArg::Kind::Input);
      continue;
    }
    const ScalarParam& param = *a.find_param(s);
    Param p;
    p.sym = s;
    p.kind = s.type().is_index() ? ParamKind::Index : ParamKind::Scalar;
    out.params.push_back(p);
    EntryArg arg;
    arg.sym = s;
    arg.range_min = param.min;
    arg.range_max = param.max;
    arg.default_value = param.default_value;
    out.entry.args.push_back(arg);
  }
  for (const Symbol& o : a.outputs) {
    FuncNest& n = l.nest(o);
    std::vector<std::string> dims;
    for (const Symbol& arg : n.func->args) dims.push_back(arg.name());
    add_buffer(l, out, n.buffer, dims, EntryArg::Kind::Output);
  }
  for (EntryArg& arg : out.entry.args)
    if (arg.kind == EntryArg::Kind::Scalar) bind_range(l, out.entry, arg);
  return out;
}

// True where the pipeline has anything to compute: an empty output needs nothing of its inputs.
Expr nonempty(Lowering& l) {
  Expr any;
  const Algorithm& a = *l.plan.algorithm;
  for (const Symbol& o : a.outputs) {
    Expr all = make_bool(true);
    for (const auto& d : l.find_buffer(l.nest(o).buffer)->dims) {
      Expr one = make_binary(BinaryOp::Gt, make_var(d.extent), make_index(0));
      all = is_int_equal(all, 1) ? one : make_binary(BinaryOp::And, all, one);
      if (a.outputs.size() == 1) l.facts.bound(d.extent, make_index(1), {});
    }
    any = any.defined() ? make_binary(BinaryOp::Or, any, all) : all;
  }
  return any;
}

std::string spoken_range(const Lowering& l, const Expr& lo, const Expr& extent) {
  const auto spoken = [](const Expr& e) {
    int64_t value = 0;
    return is_int(e, &value) ? std::to_string(value) : to_text(e);
  };
  const Expr last = analysis::simplify(lo + extent - make_index(1), l.facts);
  return spoken(analysis::simplify(lo, l.facts)) + " to " + spoken(last);
}

// `bound` is the user's word: of an output it is compared with the caller's buffer, of any other
// Func with what is needed of it. Messages end where driver/callable adds what is given.
Result<void> add_bound_checks(const Lowering& l, const FuncNest& n, PipelineEntry& entry,
                              const Expr& nonempty) {
  if (n.plan->bounds.empty()) return {};
  Box need;
  if (!n.output) {
    HOCKET_TRY(need, needed_region(l, n));
  }
  for (const schedule::DimBound& b : n.plan->bounds) {
    const auto dim = static_cast<size_t>(b.dim);
    const Expr lo = bind_fields(l, b.min), extent = bind_fields(l, b.extent);
    Expr holds;
    if (n.output) {
      const auto& d = l.find_buffer(n.buffer)->dims[dim];
      holds = make_binary(BinaryOp::And, make_binary(BinaryOp::Eq, make_var(d.min), lo),
                          make_binary(BinaryOp::Eq, make_var(d.extent), extent));
    } else {
      const Expr min = expand(l, need[dim].min), max = expand(l, need[dim].max);
      holds = make_binary(BinaryOp::And, make_binary(BinaryOp::Le, lo, min),
                          make_binary(BinaryOp::Lt, max, lo + extent));
      holds = analysis::simplify(
          make_binary(BinaryOp::Or, holds, make_binary(BinaryOp::Lt, max, min)), l.facts);
      if (!is_int_equal(nonempty, 1))
        holds = make_binary(BinaryOp::Or, holds, make_unary(UnaryOp::Not, nonempty));
    }
    const std::string range = spoken_range(l, lo, extent);
    const std::string whose = n.func->args[dim].name() + " of `" + n.func->name() + "`";
    entry.checks.push_back({holds, HOCKET_ERROR_CONSTRAINT_VIOLATED,
                            n.output
                                ? whose + " must be " + range
                                : whose + " is bounded to " + range + ", and more of it is needed",
                            n.output ? n.buffer : Symbol(), n.output ? b.dim : 0});
  }
  return {};
}

// Outputs that are smaller than a tile whose last one is moved inwards, or no multiple of one that
// is rounded up: the regions ask for more already, the check says why.
void add_least_checks(const Lowering& l, const FuncNest& n, PipelineEntry& entry,
                      const Expr& nonempty) {
  if (!n.output) return;
  for (const StageNest& stage : n.stages) {
    for (const LeastExtent& least : stage.least) {
      const bool rounds = least.step.tail == Tail::RoundUp;
      const Expr tile = make_index(least.step.factor), extent = expand(l, least.extent);
      Expr holds = rounds ? make_binary(BinaryOp::Eq, extent % tile, make_index(0))
                          : make_binary(BinaryOp::Ge, extent, tile);
      if (!is_int_equal(nonempty, 1))
        holds = make_binary(BinaryOp::Or, holds, make_unary(UnaryOp::Not, nonempty));
      const std::string factor = std::to_string(least.step.factor);
      const bool whole = least.dim >= 0;
      const std::string what = whole ? least.step.old : "loop `" + least.step.old + "`";
      const std::string asks = rounds ? ", round_up) wants " + what + " of `" + n.func->name() +
                                            "` to span a multiple of " + factor
                                      : ", shift_inwards) wants " + what + " of `" +
                                            n.func->name() + "` to span at least " + factor;
      entry.checks.push_back(
          {holds, HOCKET_ERROR_BUFFER_TOO_SMALL,
           "split(" + least.step.old + ", ..., " + factor + asks + " (`guard` takes any size)",
           whole ? n.buffer : Symbol(), whole ? least.dim : 0});
    }
  }
}

// What an output needs where `bound` fixes its dimensions: a query answers with these.
void fix_bounded(const Lowering& l, const FuncNest& n, Box& box) {
  Substitution fixed;
  for (const schedule::DimBound& b : n.plan->bounds) {
    const auto& d = l.find_buffer(n.buffer)->dims[static_cast<size_t>(b.dim)];
    fixed.emplace(d.min, bind_fields(l, b.min));
    fixed.emplace(d.extent, bind_fields(l, b.extent));
  }
  for (const schedule::DimBound& b : n.plan->bounds) {
    analysis::Interval& iv = box[static_cast<size_t>(b.dim)];
    if (iv.has_min()) iv.min = substitute(iv.min, fixed);
    if (iv.has_max()) iv.max = substitute(iv.max, fixed);
  }
}

// The regions that the entry asks of every buffer.
Result<void> add_requirements(Lowering& l, PipelineEntry& entry, const Expr& nonempty) {
  Site root{Site::Kind::Root, {}, 0, "", {}};
  for (EntryArg& arg : entry.args) {
    if (arg.kind == EntryArg::Kind::Scalar) continue;
    const FuncNest* output = nullptr;
    for (const FuncNest& n : l.nests)
      if (n.output && n.buffer == arg.sym) output = &n;
    Result<Box> region = output ? output_region(l, *output) : required(l, arg.sym, root);
    HOCKET_TRY(Box box, std::move(region));
    if (output) fix_bounded(l, *output, box);
    for (size_t d = 0; d < arg.dims.size(); ++d) {
      if (!box[d].is_bounded()) {
        const FuncNest& n = *output;
        return diag::Diagnostic(diag::kind::unbounded_region, n.func->place)
            .arg("dim", n.func->args[d].name())
            .arg("func", n.func->name())
            .arg("user", n.func->name())
            .arg("index", to_text(n.func->stage(n.func->num_stages() - 1).args[d]));
      }
      Expr lo = expand(l, box[d].min), hi = expand(l, box[d].max);  // over the parameters alone
      const bool always = is_int_equal(nonempty, 1);
      const Expr min = make_var(arg.dims[d].min);
      // Where there is nothing to compute, an output stays as it is.
      if (output && !always && !equal(lo, min)) lo = make_select(nonempty, lo, min);
      arg.dims[d].required_min = lo;
      int64_t n = 0;
      const Expr none =
          !output && is_int(lo, &n) ? make_index(n - 1) : (output ? min : lo) - make_index(1);
      arg.dims[d].required_max = always ? hi : make_select(nonempty, hi, none);
    }
  }
  for (const FuncNest& n : l.nests) {
    HOCKET_CHECK(add_bound_checks(l, n, entry, nonempty));
    add_least_checks(l, n, entry, nonempty);
  }
  return {};
}

}  // namespace

Result<ProcRef> to_loops(const Plan& sealed, const schedule::DryRun& dry, Folds folds,
                         std::vector<diag::Diagnostic>* warnings, const Watch& watch) {
  const auto done = [&](Step step, const FuncNest& n) {
    if (watch) watch(spelling(step), [&] { return draft_text(step, n); });
  };
  Lowering l;
  l.sealed = &sealed;
  l.dry = &dry;
  l.folds_as_asked = folds == Folds::AsAsked;
  l.plan = inline_funcs(sealed, l.unused);
  if (watch) watch(spelling(Step::InlineFuncs), [&] { return to_text(*l.plan.algorithm); });
  l.facts.assume_coordinates_fit_32();
  for (size_t i = 0; i < l.plan.funcs.size(); ++i) {
    FuncNest n;
    n.func = &l.plan.algorithm->funcs[i];
    n.plan = &l.plan.funcs[i];
    n.output = l.plan.algorithm->is_output(n.func->sym);
    n.buffer =
        Symbol::derived(n.func->name(), n.func->types[0], n.func->sym, "storage of", n.func->place);
    l.nests.push_back(std::move(n));
  }
  Interface interface = make_interface(l);
  Expr any = nonempty(l);
  for (auto n = l.nests.rbegin(); n != l.nests.rend(); ++n) {  // consumers first
    HOCKET_CHECK(infer_region(l, *n));
    done(Step::InferRegion, *n);
    slide(l, *n);
    done(Step::Slide, *n);
    bind_region(l, *n);
    done(Step::BindRegion, *n);
    HOCKET_CHECK(make_nests(l, *n));
    done(Step::MakeNests, *n);
    HOCKET_CHECK(place_storage(l, *n));
    done(Step::PlaceStorage, *n);
  }
  HOCKET_CHECK(add_requirements(l, interface.entry, any));
  if (warnings != nullptr)
    for (diag::Diagnostic& w : l.warnings) warnings->push_back(std::move(w));
  auto entry = std::make_shared<const PipelineEntry>(std::move(interface.entry));
  return emit(l, std::move(entry), std::move(interface.params), std::move(interface.preconditions),
              any);
}

}  // namespace hocket::lower::loops
