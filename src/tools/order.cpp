#include "tools/order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "diag/kinds_driver.h"
#include "tools/program.h"

namespace hocket::tools {

using namespace ir;

namespace {

constexpr int64_t kMostSteps = int64_t{1} << 22;  // iterations and statements
constexpr int64_t kMostSide = 256;                // of a grid that is walked
constexpr int64_t kShownSide = 64;                // and of one that is printed

struct Visit {
  int64_t number = 0;
  int64_t group = 0;  // the store that made it: lanes of one vector store share it
};

// What a name of a called proc stands for: a buffer with the start of every dimension; dimensions
// that a window fixes take no index.
struct View {
  Symbol root;
  std::vector<int64_t> start;
  std::vector<bool> fixed;
};

class Walk {
 public:
  // The points of a stage of a Func (by block headers), or the elements of a buffer.
  Walk(Symbol func, int stage, Symbol buffer)
      : func_(std::move(func)), stage_(stage), buffer_(std::move(buffer)) {}

  void bind(const Symbol& s, int64_t v) { values_[s] = v; }

  void body(const Body& b) {
    for (const Stmt& s : b) stmt(s);
  }
  bool too_long() const { return steps_ > kMostSteps; }

  std::map<std::pair<int64_t, int64_t>, Visit> visits;  // (y, x)

 private:
  std::optional<int64_t> value(const Expr& e) const {
    const auto v = analysis::evaluate(e, [&](const Expr& t) -> std::optional<analysis::BigInt> {
      if (const auto* r = t.as<VarRef>())
        if (auto found = values_.find(r->sym); found != values_.end())
          return analysis::BigInt(found->second);
      return std::nullopt;
    });
    return v ? v->to_int64() : std::nullopt;
  }

  void stmt(const Stmt& s) {
    if (++steps_ > kMostSteps) return;
    if (const auto* f = s.as<For>()) return loop(*f);
    if (const auto* l = s.as<Let>()) {
      if (auto v = value(l->value)) values_[l->sym] = *v;
    } else if (const auto* i = s.as<If>()) {
      if (auto c = value(i->cond)) return body(*c ? i->then_body : i->else_body);
      body(i->then_body);
    } else if (const auto* w = s.as<WindowStmt>()) {
      if (auto v = view(w->window)) views_[w->sym] = *v;
    } else if (const auto* c = s.as<CallStmt>()) {
      call(*c);
    } else if (const auto* st = s.as<Store>()) {
      store(*st);
    }
  }

  void store(const Store& st) {
    if (func_.defined()) {
      if (!st.block || st.block->func != func_ || st.block->stage != stage_) return;
      const std::vector<Expr>& point = st.block->point;
      const auto x = point.empty() ? 0 : value(point[0]);
      const auto y = point.size() > 1 ? value(point[1]) : 0;
      if (x && y) visit(*y, *x);
      return;
    }
    std::vector<int64_t> at;
    for (const Expr& e : st.indices) {
      const auto v = value(e);
      if (!v) return;
      at.push_back(*v);
    }
    if (const auto found = views_.find(st.buffer); found != views_.end()) {
      if (found->second.root != buffer_) return;
      std::vector<int64_t> whole = found->second.start;
      size_t own = 0;
      for (size_t d = 0; d < whole.size(); ++d)
        if (!found->second.fixed[d] && own < at.size()) whole[d] += at[own++];
      at = std::move(whole);
    } else if (st.buffer != buffer_) {
      return;
    }
    if (at.empty()) return;
    visit(at.size() > 1 ? at[at.size() - 2] : 0, at.back());
  }

  void visit(int64_t y, int64_t x) {
    // A reduction comes back to its elements: the first visit counts.
    if ((buffer_.defined() || stage_ > 0) && visits.contains({y, x})) return;
    if (!in_vector_) ++clock_, ++group_;
    visited_ = true;
    visits[{y, x}] = {clock_, group_};
  }

  std::optional<View> view(const Expr& e) const {
    const auto* w = e.as<Window>();
    const auto* name = e.as<VarRef>();
    const Symbol buffer = w != nullptr ? w->buffer : name != nullptr ? name->sym : Symbol();
    if (!buffer.defined()) return std::nullopt;
    const auto outer = views_.find(buffer);
    if (w == nullptr) {
      if (outer != views_.end()) return outer->second;
      return View{buffer, {}, {}};
    }
    View out;
    if (outer != views_.end()) {
      out = outer->second;
    } else {
      out.root = buffer;
    }
    if (out.start.empty()) {
      out.start.resize(w->dims.size());
      out.fixed.resize(w->dims.size());
    }
    size_t own = 0;
    for (size_t d = 0; d < out.start.size() && own < w->dims.size(); ++d) {
      if (out.fixed[d]) continue;
      const auto lo = value(w->dims[own].lo);
      if (!lo) return std::nullopt;
      out.start[d] += *lo;
      out.fixed[d] = w->dims[own].is_point();
      ++own;
    }
    return out;
  }

  // What an instruction writes, it writes at once.
  void call(const CallStmt& c) {
    for (size_t k = 0; k < std::min(c.args.size(), c.callee->params.size()); ++k) {
      const Param& p = c.callee->params[k];
      if (p.kind != ParamKind::Buffer) {
        if (auto v = value(c.args[k])) values_[p.sym] = *v;
      } else if (auto v = view(c.args[k])) {
        if (v->start.empty()) {
          v->start.resize(p.shape.size());
          v->fixed.resize(p.shape.size());
        }
        views_[p.sym] = *v;
      }
    }
    const bool instr = c.callee->instr.has_value() && !in_vector_;
    if (instr) begin_vector();
    body(c.callee->body);
    if (instr) end_vector();
  }

  // Whatever is visited until the end is visited at once; nothing visited takes no number.
  void begin_vector() {
    ++clock_;
    ++group_;
    in_vector_ = true;
    visited_ = false;
  }
  void end_vector() {
    in_vector_ = false;
    if (!visited_) --clock_, --group_;
  }

  void loop(const For& f) {
    const auto lo = value(f.lo), hi = value(f.hi);
    if (!lo || !hi) return;
    const bool outermost_lane = f.loop == LoopKind::Vectorized && !in_vector_ && *lo < *hi;
    if (outermost_lane) begin_vector();
    const int64_t start = clock_;
    int64_t latest = start;
    for (int64_t i = *lo; i < *hi; ++i) {
      if (++steps_ > kMostSteps) return;
      values_[f.var] = i;
      if (f.loop == LoopKind::Parallel) clock_ = start;
      body(f.body);
      latest = std::max(latest, clock_);
    }
    clock_ = latest;
    if (outermost_lane) end_vector();
  }

  Symbol func_;
  int stage_;
  Symbol buffer_;
  std::unordered_map<Symbol, int64_t> values_;
  std::unordered_map<Symbol, View> views_;
  int64_t clock_ = 0, group_ = 0, steps_ = 0;
  bool in_vector_ = false, visited_ = false;
};

diag::Diagnostic no_order(const std::string& name, const std::string& why) {
  return diag::Diagnostic(diag::kind::no_order).arg("name", name).arg("why", why);
}

diag::Result<void> check_size(int64_t size) {
  if (size >= 1 && size <= kMostSide) return {};
  return diag::Diagnostic(diag::kind::bad_option)
      .arg("option", std::string("--size"))
      .arg("takes", "a whole number from 1 to " + std::to_string(kMostSide))
      .arg("given", size);
}

// Rows are y. A schedule may store more than the size that was asked for: what is printed is cut.
std::string grid_of(const Walk& walk) {
  std::string out;
  const auto [top, left] = walk.visits.begin()->first;
  int64_t row = top, last = -1;
  bool first = true, cut = false;
  for (const auto& [at, visit] : walk.visits) {
    if (at.first - top >= kShownSide || at.second - left >= kShownSide) {
      cut = true;
      continue;
    }
    if (at.first != row) {
      out += "\n";
      row = at.first;
      first = true;
      last = -1;
    }
    if (!first && visit.group == last) continue;
    out += (first ? "" : "\t") + std::to_string(visit.number);
    first = false;
    last = visit.group;
  }
  out += "\n";
  if (cut)
    out += "# cut to the first " + std::to_string(kShownSide) + " rows and columns of " +
           std::to_string(walk.visits.size()) + " points\n";
  return out;
}

}  // namespace

namespace {

// `f`, or `f.update(0)`, as it stands in schedules.
struct Stage {
  const Func* func = nullptr;
  int index = 0;
  std::string spoken() const {
    return index == 0 ? func->name() : func->name() + ".update(" + std::to_string(index - 1) + ")";
  }
};

std::optional<Stage> stage_of(const Algorithm& algorithm, const std::string& name) {
  for (const Func& f : algorithm.funcs)
    for (int k = 0; k < f.num_stages(); ++k)
      if (const Stage s{&f, k}; s.spoken() == name) return s;
  return std::nullopt;
}

// Tails that are rounded up write more of an output than was asked for.
std::string past_the_size(const Walk& walk, int64_t size) {
  const auto past = std::count_if(walk.visits.begin(), walk.visits.end(), [&](const auto& v) {
    const auto [y, x] = v.first;
    return y < 0 || y >= size || x < 0 || x >= size;
  });
  if (past == 0) return "";
  return "# " + std::to_string(past) + " of " + std::to_string(walk.visits.size()) +
         " points lie past the size of " + std::to_string(size) + ": tails write them too\n";
}

diag::Result<std::string> grid_of_stage(const Proc& proc, const Stage& stage, int64_t size,
                                        bool output) {
  Walk walk(stage.func->sym, stage.index, {});
  for (const EntryArg& arg : proc.entry->args)
    for (size_t d = 0; d < arg.dims.size(); ++d) {
      walk.bind(arg.dims[d].min, 0);
      walk.bind(arg.dims[d].extent, size);
      walk.bind(arg.dims[d].stride, d == 0 ? 1 : size);
    }
  walk.body(proc.body);
  if (stage.func->args.empty()) return no_order(stage.spoken(), "it has no dimensions");
  if (walk.too_long()) return no_order(stage.spoken(), "its loops take too many steps");
  if (walk.visits.empty())
    return no_order(stage.spoken(),
                    stage.index == 0 ? "it is stored nowhere, as it is inlined"
                                     : "no loop visits a point of it that is known without data");
  return grid_of(walk) + (output ? past_the_size(walk, size) : "");
}

}  // namespace

diag::Result<std::string> draw_order(const Proc& proc, const Algorithm& algorithm,
                                     const std::string& name, int64_t size) {
  HOCKET_CHECK(check_size(size));
  if (!name.empty()) {
    const std::optional<Stage> stage = stage_of(algorithm, name);
    if (stage) return grid_of_stage(proc, *stage, size, algorithm.is_output(stage->func->sym));
    std::vector<std::string> known;
    for (const Func& f : algorithm.funcs)
      for (int k = 0; k < f.num_stages(); ++k) known.push_back(Stage{&f, k}.spoken());
    return unknown_word("Func or stage", name, known);
  }
  const Func* last = algorithm.find(algorithm.outputs.back());
  if (last->is_pure()) return grid_of_stage(proc, {last, 0}, size, true);
  // Every stage has its caption; one that cannot be drawn says why, unless none can.
  std::string out;
  diag::Result<std::string> first = grid_of_stage(proc, {last, 0}, size, true);
  bool any = first.ok();
  for (int k = 0; k < last->num_stages(); ++k) {
    const Stage stage{last, k};
    const diag::Result<std::string> grid = grid_of_stage(proc, stage, size, true);
    any = any || grid.ok();
    out += (k > 0 ? "\n# " : "# ") + stage.spoken() + "\n" +
           (grid.ok() ? *grid : "# " + grid.error().message() + "\n");
  }
  if (!any) return first;
  return out;
}

diag::Result<std::string> draw_order(const Proc& proc, const std::string& name, int64_t size) {
  HOCKET_CHECK(check_size(size));
  // The buffer that was named, else the last argument that the program writes.
  std::vector<std::string> known;
  std::vector<Symbol> buffers;
  for (const Param& p : proc.params)
    if (p.kind == ParamKind::Buffer) {
      known.push_back(p.sym.name());
      buffers.push_back(p.sym);
    }
  for (size_t k = buffers.size(); k-- > 0;) {
    if (!name.empty() && known[k] != name) continue;
    Walk walk({}, 0, buffers[k]);
    for (const Param& p : proc.params) {
      if (p.kind == ParamKind::Size) walk.bind(p.sym, size);
      if (p.kind == ParamKind::Index) walk.bind(p.sym, 0);
    }
    walk.body(proc.body);
    if (walk.too_long()) return no_order(known[k], "its loops take too many steps");
    if (!walk.visits.empty()) return grid_of(walk);
    if (!name.empty()) return no_order(name, "no loop stores an element of it at this size");
  }
  if (!name.empty()) return unknown_word("argument", name, known);
  return no_order(proc.name(), "it stores no element of an argument at this size");
}

}  // namespace hocket::tools
