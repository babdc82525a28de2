#include "ir/print.h"
#include "ir/visit.h"
#include "random_program.h"
#include "rewrite/edit.h"
#include "rewrite/registry.h"

namespace hocket::street {

using namespace ir;
using interp::Random;

namespace {

// What a step could point at.
struct Things {
  std::vector<Stmt> loops, stores, allocs, branches, calls, all;
  std::vector<std::pair<Stmt, Stmt>> nests, pairs;
  std::vector<std::string> lets;  // indices

  explicit Things(const Proc& proc) {
    neighbours(proc.body);
    for_each_stmt(proc.body, [&](const Stmt& s) {
      all.push_back(s);
      if (const auto* f = s.as<For>()) {
        loops.push_back(s);
        neighbours(f->body);
        if (f->body.size() == 1 && f->body[0].kind() == StmtKind::For)
          nests.emplace_back(s, f->body[0]);
      }
      if (const auto* b = s.as<If>()) {
        branches.push_back(s);
        neighbours(b->then_body);
        neighbours(b->else_body);
      }
      if (s.kind() == StmtKind::Store) stores.push_back(s);
      if (s.kind() == StmtKind::Alloc) allocs.push_back(s);
      if (s.kind() == StmtKind::Call) calls.push_back(s);
      if (const auto* l = s.as<Let>(); l && l->sym.type().is_index()) lets.push_back(l->sym.name());
      return true;
    });
  }

  void neighbours(const Body& list) {
    for (size_t i = 0; i + 1 < list.size(); ++i)
      if (list[i].kind() == StmtKind::For && list[i + 1].kind() == StmtKind::For)
        pairs.emplace_back(list[i], list[i + 1]);
  }
};

class Stepper {
 public:
  Stepper(const Proc& proc, const std::vector<ProcRef>& callees, Random& r,
          std::vector<TraceStep>& plan)
      : proc_(proc), callees_(callees), r_(r), plan_(plan), things_(proc) {}

  TraceStep make() {
    const auto& table = rewrite::all_operators();
    const rewrite::Operator& op =
        table[static_cast<size_t>(r_.below(static_cast<int64_t>(table.size())))];
    TraceStep s;
    s.op = std::string(op.name);
    fill(s);
    return s;
  }

 private:
  template <class T>
  const T& any(const std::vector<T>& v) {
    return v[static_cast<size_t>(r_.below(static_cast<int64_t>(v.size())))];
  }

  // The pattern that finds this statement and no other.
  Literal pattern(const Stmt& s) {
    const std::string words = rewrite::spoken(s);
    int64_t before = 0;
    bool found = false;
    for_each_stmt(proc_.body, [&](const Stmt& o) {
      found = found || o.id() == s.id();
      if (!found && o.kind() == s.kind() && rewrite::spoken(o) == words) ++before;
      return true;
    });
    const std::string stem = s.kind() == StmtKind::For ? s.as<For>()->var.name() : words;
    return Literal::string(stem + " #" + std::to_string(before));
  }
  Literal from(const std::vector<Stmt>& v) {
    return v.empty() ? Literal::string("none") : pattern(any(v));
  }
  Literal alloc() {
    return things_.allocs.empty() ? Literal::string("none")
                                  : Literal::string(any(things_.allocs).as<Alloc>()->buffer.name());
  }
  Literal fresh() {
    return Literal::name(std::string(1, static_cast<char>('a' + r_.below(26))) + "x" +
                         std::to_string(r_.below(9)));
  }
  Literal number(int64_t lo, int64_t hi) { return Literal::of(r_.between(lo, hi)); }

  std::string buffer() {
    std::vector<std::string> names;
    for (const Param& p : proc_.params)
      if (p.kind == ParamKind::Buffer) names.push_back(p.sym.name());
    for (const Stmt& s : things_.allocs) names.push_back(s.as<Alloc>()->buffer.name());
    return any(names);
  }

  // A window of a buffer: whole, a row, an element, or what one of the accesses names.
  std::string window() {
    std::vector<std::pair<std::string, std::vector<Expr>>> shapes;
    for (const Param& p : proc_.params)
      if (p.kind == ParamKind::Buffer) shapes.emplace_back(p.sym.name(), p.shape);
    for (const Stmt& s : things_.allocs)
      shapes.emplace_back(s.as<Alloc>()->buffer.name(), s.as<Alloc>()->shape);
    const auto& [name, shape] = any(shapes);
    if (shape.empty()) return name;
    std::string out;
    for (const Expr& e : shape) {
      std::string dim = "0:" + to_text(e);
      if (r_.one_in(3) && !things_.loops.empty())
        dim = any(things_.loops).as<For>()->var.name();
      else if (r_.one_in(6))
        dim = "0:8";
      if (!things_.lets.empty() && r_.one_in(4)) {
        const std::string& m = any(things_.lets);
        dim = r_.one_in(2) ? m : m + ":" + m + " + 1";
      }
      out += (out.empty() ? "" : ", ") + dim;
    }
    return name + "[" + out + "]";
  }

  // Loops whose body is one store.
  std::vector<Stmt> single_stores() {
    std::vector<Stmt> out;
    for (const Stmt& l : things_.loops)
      if (l.as<For>()->body.size() == 1 && stored(l)) out.push_back(l);
    return out;
  }
  static const Store* stored(const Stmt& loop) { return loop.as<For>()->body[0].as<Store>(); }
  bool allocated(const Symbol& buffer) {
    for (const Stmt& a : things_.allocs)
      if (a.as<Alloc>()->buffer == buffer) return true;
    return false;
  }

  std::string some_extent() {
    static const char* const words[] = {"n", "m", "n + 2", "m + 2", "16", "8", "20", "n + m"};
    return words[r_.below(8)];
  }

  // Registers for a nest of eight lanes, then the instructions: steps that need each other.
  void plan_registers() {
    for (const Stmt& s : things_.allocs) {
      const auto* a = s.as<Alloc>();
      if (a->memory != "DRAM" || a->shape.size() != 1 || !is_int_equal(a->shape[0], 8) ||
          !(a->buffer.type() == Type::f(32)))
        continue;
      TraceStep step;
      step.op = "set_memory";
      step.args = {Literal::name(a->buffer.name()), Literal::name("AVX2")};
      plan_.push_back(step);
    }
    if (plan_.empty()) return;
    for (const char* name : {"mm256_loadu_ps", "mm256_fmadd_ps", "mm256_add_ps", "mm256_sub_ps",
                             "mm256_mul_ps", "mm256_storeu_ps"}) {
      TraceStep step;
      step.op = "replace_all";
      step.args = {Literal::name(name)};
      plan_.push_back(step);
    }
  }

  void fill(TraceStep& s) {
    const std::string& op = s.op;
    if (op == "split") {
      static const char* const tails[] = {"guard", "cut", "cut_and_guard", "short", "perfect"};
      s.args = {from(things_.loops), number(1, 5), Literal::list({fresh(), fresh()})};
      if (r_.one_in(4)) s.args[1] = Literal::of(8);
      s.keywords = {{"tail", Literal::name(tails[r_.below(5)])}};
    } else if (op == "reorder") {
      s.args = {from(things_.loops), Literal::name("_")};
      if (!things_.nests.empty()) s.args[0] = pattern(any(things_.nests).first);
    } else if (op == "fission") {
      s.args = {r_.one_in(2) ? from(things_.stores) : from(things_.all), number(1, 2)};
    } else if (op == "fuse") {
      s.args = {from(things_.loops), from(things_.loops)};
      if (!things_.pairs.empty() && !r_.one_in(6)) {
        const auto& two = any(things_.pairs);
        s.args = {pattern(two.first), pattern(two.second)};
      }
    } else if (op == "cut_loop") {
      s.args = {from(things_.loops),
                r_.one_in(2) ? number(0, 3) : Literal::string(r_.one_in(2) ? "n / 2" : "m - 1")};
      if (!things_.lets.empty() && r_.one_in(3)) s.args[1] = Literal::string(any(things_.lets));
    } else if (op == "extend_loop") {
      s.args = {from(things_.loops),
                r_.one_in(3) ? Literal::string(some_extent()) : number(16, 20)};
      std::vector<Stmt> fit;
      for (const Stmt& l : single_stores())
        if (allocated(stored(l)->buffer)) fit.push_back(l);
      if (!fit.empty()) s.args[0] = from(fit);
    } else if (op == "lift_if") {
      s.args = {from(things_.branches)};
      std::vector<Stmt> fit;
      for (const Stmt& l : things_.loops) {
        const auto* f = l.as<For>();
        const auto* b = f->body.size() == 1 ? f->body[0].as<If>() : nullptr;
        if (b && !uses(b->cond, f->var)) fit.push_back(f->body[0]);
      }
      if (!fit.empty()) s.args[0] = from(fit);
    } else if (op == "reorder_stmts") {
      s.args = {from(things_.all)};
    } else if (op == "stage_mem") {
      s.args = {r_.one_in(3) ? from(things_.stores) : from(things_.all), Literal::string(window()),
                fresh()};
      if (r_.one_in(6)) s.keywords = {{"accum", Literal::of_bool(true)}};
    } else if (op == "bind_expr") {
      static const char* const kNumbers[] = {"0", "1", "2", "0.5", "-1"};
      s.args = {from(things_.stores),
                r_.one_in(4) ? Literal::string(kNumbers[r_.below(5)]) : Literal::name(buffer()),
                fresh()};
    } else if (op == "expand_dim") {
      Literal index = number(0, 2);
      if (!things_.loops.empty()) index = Literal::name(any(things_.loops).as<For>()->var.name());
      if (!things_.lets.empty() && r_.one_in(2)) index = Literal::string(any(things_.lets));
      s.args = {alloc(), Literal::string(some_extent()), index};
      // Most of the time a loop around the allocation, with its own end.
      std::vector<std::pair<Stmt, Stmt>> fit;
      for (const Stmt& l : things_.loops)
        for (const Stmt& a : things_.allocs) {
          bool inside = false;
          for_each_stmt(l.as<For>()->body, [&](const Stmt& o) {
            inside = inside || o.id() == a.id();
            return true;
          });
          if (inside) fit.emplace_back(l, a);
        }
      if (!fit.empty() && !r_.one_in(4)) {
        const auto& [l, a] = any(fit);
        s.args = {Literal::string(a.as<Alloc>()->buffer.name()),
                  Literal::string(to_text(l.as<For>()->hi)),
                  Literal::name(l.as<For>()->var.name())};
      }
    } else if (op == "resize_dim") {
      s.args = {alloc(), number(0, 1), Literal::string(some_extent())};
      if (r_.one_in(4)) s.args.push_back(number(0, 2));
    } else if (op == "divide_dim") {
      s.args = {alloc(), number(0, 1), number(1, 4)};
    } else if (op == "rearrange_dim") {
      s.args = {alloc(), Literal::list({Literal::of(1), Literal::of(0)})};
      std::vector<Stmt> two;
      for (const Stmt& a : things_.allocs)
        if (a.as<Alloc>()->shape.size() == 2) two.push_back(a);
      if (!two.empty()) s.args[0] = Literal::string(any(two).as<Alloc>()->buffer.name());
    } else if (op == "lift_alloc") {
      s.args = {alloc(), number(1, 2)};
    } else if (op == "set_memory") {
      plan_registers();
      static const char* const memories[] = {"DRAM", "DRAM_STACK", "DRAM_STATIC"};
      s.args = {alloc(), Literal::name(memories[r_.below(3)])};
    } else if (op == "set_precision") {
      // Types whose arithmetic has no overflow: what is allowed to round may not turn into poison.
      static const char* const types[] = {"f32", "f64", "f16", "u8", "i16"};
      const Literal b = alloc();
      TraceStep step;
      step.op = op;
      step.args = {b, Literal::name(types[r_.below(5)])};
      if (r_.one_in(4)) {
        s = step;  // without permission
      } else {
        plan_.push_back(step);
        s.op = "allow";
        s.args = {Literal::name("precision"), Literal::name(b.text)};
      }
    } else if (op == "replace") {
      const bool own = !r_.one_in(3);
      s.args = {from(things_.loops), Literal::name(own ? any(kOwn) : any(callees_)->name())};
      const std::vector<Stmt> fit = single_stores();
      if (!fit.empty() && !r_.one_in(4)) {
        const Stmt& l = any(fit);
        s.args = {pattern(l), Literal::name(stored(l)->op == StoreOp::Add      ? "row_add"
                                            : stored(l)->op == StoreOp::Assign ? "row_set"
                                                                               : "top")};
      }
    } else if (op == "replace_all") {
      s.args = {Literal::name(r_.one_in(2) ? any(kOwn) : any(callees_)->name())};
    } else if (op == "inline") {
      s.args = {from(things_.calls)};
    } else if (op == "partial_eval") {
      s.args = {Literal::name(r_.one_in(2) ? "n" : r_.one_in(2) ? "m" : "k"), number(1, 9)};
    } else if (op == "rename") {
      s.args = {Literal::name("renamed" + std::to_string(r_.below(9)))};
    } else if (op == "allow") {
      s.args = {Literal::name(r_.one_in(2) ? "reassociation" : "precision"),
                Literal::name(buffer())};
    } else if (op != "simplify") {  // unroll, remove_loop, parallelize, vectorize, to_seq
      s.args = {from(things_.loops)};
      std::vector<Stmt> fit;
      for (const Stmt& l : things_.loops) {
        const auto* f = l.as<For>();
        if (op == "remove_loop"                   ? !uses(f->body, f->var)
            : op == "unroll" || op == "vectorize" ? is_int(f->hi) && is_int(f->lo)
                                                  : op == "to_seq" && f->loop != LoopKind::Seq)
          fit.push_back(l);
      }
      if (!fit.empty() && !r_.one_in(4)) s.args[0] = from(fit);
    }
  }

  const std::vector<std::string> kOwn = {"row_add", "row_set", "top"};
  const Proc& proc_;
  const std::vector<ProcRef>& callees_;
  Random& r_;
  std::vector<TraceStep>& plan_;
  Things things_;
};

}  // namespace

TraceStep random_rewrite(const Proc& proc, const std::vector<ProcRef>& callees, Random& random,
                         std::vector<TraceStep>& plan) {
  if (!plan.empty()) {
    TraceStep s = plan.front();
    plan.erase(plan.begin());
    return s;
  }
  return Stepper(proc, callees, random, plan).make();
}

}  // namespace hocket::street
