#include "lower/loops/nest.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analysis/prove.h"
#include "analysis/simplify.h"
#include "diag/kinds_schedule.h"
#include "schedule/seal.h"
#include "schedule/stage_facts.h"

namespace hocket::lower::loops {

using namespace ir;
using schedule::LoopStep;

namespace {

std::string plain(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

// A loop variable while the steps are carried out: extent, and where it came from.
struct Variable {
  Expr extent;
  Symbol sym;     // set for those that end up as loops
  int step = -1;  // the step that consumes it, -1: it is a loop
};

class StageMaker {
 public:
  StageMaker(Lowering& l, FuncNest& n, int stage)
      : l_(l),
        n_(n),
        f_(*n.func),
        stage_(stage),
        plan_(n.plan->stages[static_cast<size_t>(stage)]) {}

  diag::Result<StageNest> make() {
    add_roots();
    for (size_t i = 0; i < plan_.steps.size(); ++i) apply(plan_.steps[i]);
    HOCKET_CHECK(check_lanes());
    make_loops();
    for (const auto& [sym, root] : roots_) {
      out_.value.emplace(sym, simplify(root.min + value(root.variable, false)));
      out_.bounded.emplace(sym, simplify(root.min + value(root.variable, true)));
    }
    const Definition& d = f_.stage(stage_);
    if (d.domain.where.defined())
      out_.where = substitute(bind_fields(l_, d.domain.where), out_.value);
    for (Expr& g : guards_) out_.guards.push_back(simplify(g));
    return std::move(out_);
  }

 private:
  struct Root {
    Expr min;
    int variable;
  };
  struct Made {  // how a variable is computed from the ones that replaced it
    enum { Loop, Split, FusedInner, FusedOuter, Renamed } how = Loop;
    int a = -1, b = -1;  // Split: outer, inner. Fused*, Renamed: the made one
    Expr factor;         // Split: factor. Fused*: extent of the inner one
    Tail tail = Tail::Guard;
    bool exact = false;
  };

  Expr simplify(const Expr& e) { return analysis::simplify(e, l_.facts); }

  // `from`: the roots it is made of; none where it is one itself.
  int add(const std::string& name, Expr extent, std::vector<int> dims, std::vector<int> from) {
    const int v = static_cast<int>(variables_.size());
    if (from.empty()) from = {v};
    variables_.push_back({std::move(extent), {}, -1});
    made_.push_back({});
    dims_.push_back(std::move(dims));
    from_.push_back(std::move(from));
    current_[name] = v;
    return v;
  }

  void add_roots() {
    for (size_t p = 0; p < f_.args.size(); ++p) {
      if (stage_ > 0 && !is_pure_dim(f_, stage_, static_cast<int>(p))) continue;
      int v = add(f_.args[p].name(), n_.extent[p], {static_cast<int>(p)}, {});
      roots_.emplace_back(f_.args[p], Root{make_var(n_.min[p]), v});
    }
    if (stage_ == 0) return;
    for (const RVar& r : f_.stage(stage_).domain.vars) {
      int v = add(r.sym.name(), simplify(bind_fields(l_, r.extent)), {}, {});
      roots_.emplace_back(r.sym, Root{simplify(bind_fields(l_, r.min)), v});
    }
  }

  // Extents stay names or constants in what follows, so that expressions stay small.
  void apply(const LoopStep& s) {
    if (s.kind == LoopStep::Kind::Split) {
      int old = current_.at(s.old);
      current_.erase(s.old);
      Expr extent = variables_[static_cast<size_t>(old)].extent, factor = make_index(s.factor);
      Expr outer = simplify((extent + make_index(s.factor - 1)) / factor);
      const std::vector<int> dims = dims_[static_cast<size_t>(old)];
      const std::vector<int> from = from_[static_cast<size_t>(old)];
      int a = add(s.outer, outer, dims, from), b = add(s.inner, factor, dims, from);
      Made m;
      m.how = Made::Split;
      m.a = a;
      m.b = b;
      m.factor = factor;
      m.exact =
          analysis::can_prove(make_binary(BinaryOp::Eq, extent % factor, make_index(0)), l_.facts);
      m.tail = s.tail;
      bool slides = std::any_of(dims.begin(), dims.end(),
                                [&](int d) { return n_.slides_on[static_cast<size_t>(d)] >= 0; });
      // An update that runs past the region again and again, where the storage stays, would be
      // applied twice to points out there.
      bool repeats = stage_ > 0 && !(n_.plan->store == n_.plan->compute);
      // What is left over of a Func with updates must not be begun anew without them.
      bool begins =
          stage_ == 0 && !f_.is_pure() &&
          std::any_of(n_.slides_on.begin(), n_.slides_on.end(), [](int loop) { return loop >= 0; });
      std::string reason;
      if (slides)
        reason = "`" + f_.name() +
                 "` slides along it, and what lies past the region is not there any more";
      else if (repeats)
        reason = "`" + f_.name() +
                 "` is stored further out, and what lies past the region would be updated again";
      else if (begins)
        reason = "`" + f_.name() +
                 "` slides, and what lies past the region would lose what its updates did";
      else
        reason = no_room(s, extent, dims);
      if (!reason.empty()) {
        if (s.tail_given && m.tail != Tail::Guard && !m.exact) warn_guarded(s, reason);
        m.tail = Tail::Guard;
      }
      if (m.tail == Tail::ShiftInwards && !m.exact)
        out_.least.push_back({extent, s, whole_dim(old)});
      if (m.tail == Tail::RoundUp && !m.exact && whole_dim(old) >= 0)
        out_.least.push_back({extent, s, whole_dim(old)});
      made_[static_cast<size_t>(old)] = m;
      return;
    }
    if (s.kind == LoopStep::Kind::Rename) {
      int old = current_.at(s.old);
      current_.erase(s.old);
      int a = add(s.made, variables_[static_cast<size_t>(old)].extent,
                  dims_[static_cast<size_t>(old)], from_[static_cast<size_t>(old)]);
      made_[static_cast<size_t>(old)].how = Made::Renamed;
      made_[static_cast<size_t>(old)].a = a;
      return;
    }
    int inner = current_.at(s.inner), outer = current_.at(s.outer);
    current_.erase(s.inner);
    current_.erase(s.outer);
    const Expr ei = factor(inner), eo = factor(outer);
    std::vector<int> dims = dims_[static_cast<size_t>(inner)];
    dims.insert(dims.end(), dims_[static_cast<size_t>(outer)].begin(),
                dims_[static_cast<size_t>(outer)].end());
    std::vector<int> from = from_[static_cast<size_t>(inner)];
    from.insert(from.end(), from_[static_cast<size_t>(outer)].begin(),
                from_[static_cast<size_t>(outer)].end());
    // Inside, the loops run, and so do those that they were made of: a half of a split says little
    // of the whole to the prover.
    std::vector<Expr> run = {ei, eo};
    for (const int root : from) run.push_back(variables_[static_cast<size_t>(root)].extent);
    int a = add(s.made, simplify(ei * eo), std::move(dims), std::move(from));
    for (const Expr& e : run)
      if (!is_int(e)) out_.at_least_one.push_back(e);
    for (const int v : {inner, outer})
      if (const Expr& e = variables_[static_cast<size_t>(v)].extent; may_be_negative(e))
        guards_.push_back(make_binary(BinaryOp::Gt, e, make_index(0)));
    for (auto [v, how] : {std::pair{inner, Made::FusedInner}, std::pair{outer, Made::FusedOuter}}) {
      made_[static_cast<size_t>(v)].how = how;
      made_[static_cast<size_t>(v)].a = a;
      made_[static_cast<size_t>(v)].factor = ei;
    }
  }

  // Why a tail that goes past the ends has nowhere to go; empty where it has.
  std::string no_room(const LoopStep& s, const Expr& extent, const std::vector<int>& dims) const {
    int64_t count = 0;
    if (!n_.output) return "";  // storage is made as large as what is written
    if (s.tail == Tail::ShiftInwards && is_int(extent, &count) && count < s.factor)
      return "it has " + std::to_string(count) + " iterations, and no " + std::to_string(s.factor) +
             " of them fit";
    if (s.tail != Tail::RoundUp) return "";
    for (const schedule::DimBound& b : n_.plan->bounds)
      if (std::find(dims.begin(), dims.end(), b.dim) != dims.end())
        return "`" + f_.name() + "` is bounded in `" + f_.args[static_cast<size_t>(b.dim)].name() +
               "`, and there is no room past that";
    // The half of a split: past it lies the next tile, and past the last one more than any output
    // has.
    if (is_int(extent, &count) && count % s.factor != 0)
      return "it has " + std::to_string(count) + " iterations, no multiple of " +
             std::to_string(s.factor) + ", and past them lies another tile";
    return "";
  }

  void warn_guarded(const LoopStep& s, const std::string& reason) {
    l_.warnings.push_back(diag::Diagnostic(diag::kind::tail_guarded, s.place)
                              .arg("tail", spelling(s.tail))
                              .arg("loop", s.old)
                              .arg("func", schedule::spoken(f_.sym, stage_))
                              .arg("reason", reason));
  }

  // A region that a Func which slides needs nothing new of may have less than no extent, 2 * 0 - 1.
  bool may_be_negative(const Expr& extent) const {
    return !analysis::can_prove(make_binary(BinaryOp::Ge, extent, make_index(0)), l_.facts);
  }

  // The extent of a loop that is fused, as one factor: a sum would be multiplied out, and what was
  // multiplied by it could no longer be divided by it. At least 1 where it may be below 0, as two
  // such extents would make a positive one; a guard says then whether anything is computed.
  Expr factor(int v) {
    Expr extent = variables_[static_cast<size_t>(v)].extent;
    const analysis::Affine form = analysis::parse_affine(extent);
    if (may_be_negative(extent))
      extent = make_binary(BinaryOp::Max, extent, make_index(1));
    else if (form.is_constant() || (form.terms().size() == 1 && form.constant().is_zero()))
      return extent;
    Symbol s = Symbol::derived(f_.name() + "_extent", Type::index(), f_.sym, "extent of a loop of");
    n_.lets.push_back(make_let(s, extent));
    n_.named.emplace(s, extent);
    l_.facts.define(s, extent);
    return make_var(s);
  }

  // The root that became this loop without any step: such loops run from min to max directly.
  const Root* direct_root(int variable) const {
    for (const auto& [sym, root] : roots_)
      if (root.variable == variable) return &root;
    return nullptr;
  }

  // The dimension of the Func that this loop is, -1 where it is a part of one.
  int whole_dim(int variable) const {
    for (size_t p = 0; p < f_.args.size(); ++p)
      for (const auto& [sym, root] : roots_)
        if (sym == f_.args[p] && root.variable == variable) return static_cast<int>(p);
    return -1;
  }

  diag::Result<void> check_lanes() const {
    for (const schedule::Loop& loop : plan_.loops) {
      if (loop.kind != LoopKind::Vectorized && loop.kind != LoopKind::Unrolled) continue;
      int64_t n = 0;
      const bool constant =
          is_int(variables_[static_cast<size_t>(current_.at(loop.name))].extent, &n);
      HOCKET_CHECK(schedule::check_lanes(*l_.sealed, f_, stage_, loop,
                                         constant ? std::optional<int64_t>(n) : std::nullopt,
                                         *l_.dry));
    }
    return {};
  }

  void make_loops() {
    for (const schedule::Loop& loop : plan_.loops) {
      int v = current_.at(loop.name);
      Variable& var = variables_[static_cast<size_t>(v)];
      var.sym = Symbol::derived(plain(loop.name), Type::index(), f_.sym, "loop of", loop.place);
      NestLoop out;
      out.name = loop.name;
      out.var = var.sym;
      out.kind = loop.kind;
      const Root* root = direct_root(v);
      bool zero_based =
          !root || loop.kind == LoopKind::Vectorized || loop.kind == LoopKind::Unrolled;
      out.lo = zero_based ? make_index(0) : root->min;
      out.hi = zero_based ? var.extent : simplify(root->min + var.extent);
      if (!zero_based) offset_.insert(v);
      l_.facts.bound(var.sym, out.lo, simplify(out.hi - make_index(1)));
      out_.loops.push_back(std::move(out));
    }
  }

  // The zero-based value of a variable over the loops.
  Expr value(int v, bool bounded) {
    const Made& m = made_[static_cast<size_t>(v)];
    switch (m.how) {
      case Made::Loop: {
        Expr e = make_var(variables_[static_cast<size_t>(v)].sym);
        if (offset_.count(v)) e = e - direct_root(v)->min;
        return e;
      }
      case Made::Renamed:
        return value(m.a, bounded);
      case Made::FusedInner:
        return value(m.a, bounded) % m.factor;
      case Made::FusedOuter:
        return value(m.a, bounded) / m.factor;
      case Made::Split:
        break;
    }
    Expr outer = value(m.a, bounded) * m.factor, inner = value(m.b, bounded);
    Expr extent = variables_[static_cast<size_t>(v)].extent;
    if (m.exact || m.tail == Tail::RoundUp) return outer + inner;
    if (m.tail == Tail::ShiftInwards)
      return make_binary(BinaryOp::Min, outer, extent - m.factor) + inner;
    Expr sum = outer + inner;
    if (bounded) return make_binary(BinaryOp::Min, sum, extent - make_index(1));
    guards_.push_back(make_binary(BinaryOp::Lt, sum, extent));
    return sum;
  }

  Lowering& l_;
  FuncNest& n_;
  const Func& f_;
  int stage_;
  const schedule::StagePlan& plan_;
  StageNest out_;
  std::vector<Variable> variables_;
  std::vector<Made> made_;
  std::vector<std::vector<int>> dims_;  // of the Func, that a variable was made from
  std::vector<std::vector<int>> from_;  // the roots that a variable was made from
  std::map<std::string, int> current_;
  std::vector<std::pair<Symbol, Root>> roots_;
  std::set<int> offset_;
  std::vector<Expr> guards_;
};

}  // namespace

diag::Result<void> make_nests(Lowering& l, FuncNest& n) {
  for (int s = 0; s < n.func->num_stages(); ++s) {
    HOCKET_TRY(StageNest made, StageMaker(l, n, s).make());
    n.stages.push_back(std::move(made));
  }
  return {};
}

}  // namespace hocket::lower::loops
