// Every buffer gets its place: "stack" or "heap", and heap buffers an explicit end.
//
//   tmp: f32[8 * 16] @ DRAM        ->   tmp: f32[128] @ stack
//   buf: f32[n * m] @ DRAM         ->   buf: f32[n * m] @ heap; ...last use...; free buf
//
// Registers and DRAM_STACK go to the stack or are refused; DRAM goes there while the frame (a proc,
// or a task of a parallel loop) stays under its limit. Heap buffers of a size that does not change
// in a loop in order are taken out of it, one allocation instead of many: their contents start as
// poison in each iteration, so nothing can tell. They never leave a parallel loop or a branch.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "diag/kinds_lower.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "lower/flat/lanes.h"
#include "lower/flat/passes.h"
#include "lower/flat/tidy.h"
#include "target/memory.h"

namespace hocket::lower {

using namespace ir;
using target::Placement;

namespace {

constexpr const char* kStack = "stack";
constexpr const char* kHeap = "heap";

class Placer {
 public:
  Placer(const ProcRef& proc, int64_t limit) : pipeline_(proc->entry != nullptr), limit_(limit) {}

  diag::Result<Body> frame(const Body& body) {
    const int64_t outer = std::exchange(used_, 0);
    reserve(body);
    Body out;
    HOCKET_CHECK(list(body, out, nullptr));
    used_ = outer;
    return out;
  }

 private:
  static Placement placement(const Alloc& a) {
    const target::Memory* m = target::find_memory(a.memory);
    return m ? m->placement : Placement::Heap;
  }
  static int64_t bytes_of(const Alloc& a, int64_t extent) {
    // Starts are aligned to 64 bytes.
    return (extent * a.buffer.type().element().bytes() + 63) / 64 * 64;
  }

  // What has to be on the stack is counted before what may be.
  void reserve(const Body& body) {
    for_each_stmt(body, [&](const Stmt& s) {
      const auto* f = s.as<For>();
      if (f && f->loop == LoopKind::Parallel) return false;
      if (const auto* a = s.as<Alloc>()) {
        const Placement p = placement(*a);
        const auto extent = constant(a->shape[0]);
        if (extent && (p == Placement::Register || p == Placement::Stack))
          used_ += bytes_of(*a, *extent);
      }
      return true;
    });
  }

  // `leaving`: where heap allocations that may leave this list go; null where none may.
  diag::Result<void> list(const Body& body, Body& out, Body* leaving) {
    std::unordered_set<Symbol> bound;  // by this list, so far
    std::unordered_map<Symbol, Expr> lets;
    std::vector<Symbol> owned;  // heap buffers that end in this list
    for (const Stmt& s : body) {
      if (const auto* l = s.as<Let>()) {
        bound.insert(l->sym);
        lets.emplace(l->sym, substitute(l->value, lets));
        out.push_back(s);
      } else if (const auto* a = s.as<Alloc>()) {
        HOCKET_CHECK(alloc(s, *a, lets, out, leaving, owned));
      } else if (const auto* f = s.as<For>()) {
        if (f->loop == LoopKind::Parallel) {
          HOCKET_TRY(Body inside, frame(f->body));
          out.push_back(edited<For>(s, [&](For& n) { n.body = std::move(inside); }));
          continue;
        }
        Body inside, before;
        const Symbol var = std::exchange(loop_var_, f->var);
        HOCKET_CHECK(list(f->body, inside, &before));
        loop_var_ = var;
        // What left the loop may leave this list as well.
        for (const Stmt& up : before)
          HOCKET_CHECK(alloc(up, *up.as<Alloc>(), lets, out, leaving, owned));
        out.push_back(edited<For>(s, [&](For& n) { n.body = std::move(inside); }));
      } else if (const auto* i = s.as<If>()) {
        Body t, e;
        HOCKET_CHECK(list(i->then_body, t, nullptr));
        HOCKET_CHECK(list(i->else_body, e, nullptr));
        out.push_back(edited<If>(s, [&](If& n) {
          n.then_body = std::move(t);
          n.else_body = std::move(e);
        }));
      } else {
        out.push_back(s);
      }
    }
    // Each ends behind the last statement that uses it.
    for (const Symbol& b : owned) {
      size_t last = out.size();
      while (last > 0 && !ends_behind(out[last - 1], b)) --last;
      out.insert(out.begin() + static_cast<ptrdiff_t>(last), make_free(b));
    }
    return {};
  }

  static bool ends_behind(const Stmt& s, const Symbol& b) {
    if (const auto* a = s.as<Alloc>(); a && a->buffer == b) return true;
    return uses(Body{s}, b, false);
  }

  diag::Result<void> alloc(const Stmt& s, const Alloc& a,
                           const std::unordered_map<Symbol, Expr>& lets, Body& out, Body* leaving,
                           std::vector<Symbol>& owned) {
    const Placement p = placement(a);
    const auto extent = constant(a.shape[0]);
    const bool must = p == Placement::Register || p == Placement::Stack;
    if ((must || p == Placement::Static) && !extent) {
      diag::Diagnostic d(diag::kind::stack_needs_constant, s.place());
      const Expr size = a.shape[0];
      d.arg("buffer", a.buffer.name()).arg("memory", a.memory);
      d.arg("extent", [size] { return "`" + to_text(size) + "`"; });
      return d;
    }
    if (must && used_ > limit_) {
      diag::Diagnostic d(diag::kind::stack_too_large, s.place());
      d.arg("buffer", a.buffer.name())
          .arg("memory", a.memory)
          .arg("bytes", used_)
          .arg("limit", limit_);
      d.help(a.buffer.name() + (pipeline_ ? ".store_in(DRAM)" : " @ DRAM"));
      return d;
    }
    bool stack = must;
    if (!must && extent && used_ + bytes_of(a, *extent) <= limit_) {
      used_ += bytes_of(a, *extent);
      stack = true;
    }
    auto placed = [&](const char* memory, const Expr& size) {
      return edited<Alloc>(s, [&](Alloc& n) {
        n.memory = memory;
        n.shape = {size};
      });
    };
    if (stack) {
      out.push_back(placed(kStack, make_index(std::max<int64_t>(*extent, 0))));
      return {};
    }
    if (leaving) {
      const Expr size = tidy(substitute(a.shape[0], lets));
      bool inside = uses(size, loop_var_) || reads_memory(size);
      for (const auto& [sym, value] : lets) inside = inside || uses(size, sym);
      if (!inside) {
        leaving->push_back(edited<Alloc>(s, [&](Alloc& n) { n.shape = {size}; }));
        return {};
      }
    }
    out.push_back(placed(kHeap, a.shape[0]));
    owned.push_back(a.buffer);
    return {};
  }

  const bool pipeline_;  // its memories are said in the schedule
  const int64_t limit_;
  int64_t used_ = 0;
  Symbol loop_var_;
};

}  // namespace

diag::Result<ProcRef> place_allocs(const ProcRef& proc, const FlatContext& context) {
  Placer placer(proc, context.options.stack_limit);
  HOCKET_TRY(Body body, placer.frame(proc->body));
  return edited(proc, [&](Proc& p) { p.body = std::move(body); });
}

}  // namespace hocket::lower
