#include "ir/equal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <unordered_map>

namespace hocket::ir {

namespace {

class Comparer {
 public:
  // Two binders at the same place; names matter only where `named`.
  bool bind(const Symbol& a, const Symbol& b, bool named = false) {
    if (a.defined() != b.defined()) return false;
    if (!a.defined()) return true;
    if (a.type() != b.type() || (named && a.name() != b.name())) return false;
    auto x = forth_.find(a);
    auto y = back_.find(b);
    if (x != forth_.end() || y != back_.end())
      return x != forth_.end() && y != back_.end() && x->second == b && y->second == a;
    forth_.emplace(a, b);
    back_.emplace(b, a);
    return true;
  }
  // Updates may share the variables of a domain: each binds them anew.
  bool rebind(const Symbol& a, const Symbol& b) {
    auto x = forth_.find(a);
    if (x != forth_.end()) {
      back_.erase(x->second);
      forth_.erase(x);
    }
    auto y = back_.find(b);
    if (y != back_.end()) {
      forth_.erase(y->second);
      back_.erase(y);
    }
    known_.clear();
    return bind(a, b, true);
  }
  bool symbol(const Symbol& a, const Symbol& b) const {
    auto x = forth_.find(a);
    if (x != forth_.end()) return x->second == b;
    return back_.count(b) == 0 && a == b;
  }

  bool exprs(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](const Expr& x, const Expr& y) { return expr(x, y); });
  }
  bool expr(const Expr& a, const Expr& b) {
    if (!a.defined() || !b.defined()) return a.defined() == b.defined();
    if (a.kind() != b.kind() || a.type() != b.type()) return false;
    if (known_.count({a.get(), b.get()})) return true;
    if (!node(a, b)) return false;
    known_.insert({a.get(), b.get()});
    return true;
  }
  bool body(const Body& a, const Body& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](const Stmt& x, const Stmt& y) { return stmt(x, y); });
  }
  bool proc(const Proc& a, const Proc& b);
  bool algorithm(const Algorithm& a, const Algorithm& b);

 private:
  bool node(const Expr& a, const Expr& b);
  bool stmt(const Stmt& a, const Stmt& b);
  bool store(const Store& a, const Store& b);
  bool callee(const Proc& a, const Proc& b) {
    if (&a == &b || procs_.count({&a, &b})) return true;
    if (!Comparer().proc(a, b)) return false;
    procs_.insert({&a, &b});
    return true;
  }
  bool entry(const PipelineEntry& a, const PipelineEntry& b);
  bool domain(const ReductionDomain& a, const ReductionDomain& b);
  bool definition(const Definition& a, const Definition& b);

  std::unordered_map<Symbol, Symbol> forth_, back_;
  std::set<std::pair<const ExprNode*, const ExprNode*>> known_;
  std::set<std::pair<const Proc*, const Proc*>> procs_;
  bool bind_block_funcs_ = false;
};

bool Comparer::node(const Expr& a, const Expr& b) {
  switch (a.kind()) {
    case ExprKind::IntImm:
      return a.as<IntImm>()->value == b.as<IntImm>()->value;
    case ExprKind::FloatImm: {
      double x = a.as<FloatImm>()->value, y = b.as<FloatImm>()->value;
      if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
      return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
    }
    case ExprKind::VarRef:
      return symbol(a.as<VarRef>()->sym, b.as<VarRef>()->sym);
    case ExprKind::Unary: {
      const auto *x = a.as<Unary>(), *y = b.as<Unary>();
      return x->op == y->op && expr(x->a, y->a);
    }
    case ExprKind::Binary: {
      const auto *x = a.as<Binary>(), *y = b.as<Binary>();
      return x->op == y->op && expr(x->a, y->a) && expr(x->b, y->b);
    }
    case ExprKind::Fma: {
      const auto *x = a.as<Fma>(), *y = b.as<Fma>();
      return expr(x->a, y->a) && expr(x->b, y->b) && expr(x->c, y->c);
    }
    case ExprKind::Select: {
      const auto *x = a.as<Select>(), *y = b.as<Select>();
      return expr(x->cond, y->cond) && expr(x->t, y->t) && expr(x->f, y->f);
    }
    case ExprKind::Cast:
      return expr(a.as<Cast>()->a, b.as<Cast>()->a);
    case ExprKind::Load: {
      const auto *x = a.as<Load>(), *y = b.as<Load>();
      return symbol(x->buffer, y->buffer) && x->align == y->align &&
             exprs(x->indices, y->indices) && expr(x->predicate, y->predicate);
    }
    case ExprKind::Call: {
      const auto *x = a.as<Call>(), *y = b.as<Call>();
      return symbol(x->func, y->func) && x->value_index == y->value_index &&
             exprs(x->args, y->args);
    }
    case ExprKind::BufferField: {
      const auto *x = a.as<BufferField>(), *y = b.as<BufferField>();
      return symbol(x->buffer, y->buffer) && x->field == y->field && x->dim == y->dim;
    }
    case ExprKind::Window: {
      const auto *x = a.as<Window>(), *y = b.as<Window>();
      return symbol(x->buffer, y->buffer) &&
             std::equal(x->dims.begin(), x->dims.end(), y->dims.begin(), y->dims.end(),
                        [this](const WindowDim& p, const WindowDim& q) {
                          return expr(p.lo, q.lo) && expr(p.hi, q.hi);
                        });
    }
    case ExprKind::Ramp: {
      const auto *x = a.as<Ramp>(), *y = b.as<Ramp>();
      return expr(x->base, y->base) && expr(x->stride, y->stride);
    }
    case ExprKind::Broadcast:
      return expr(a.as<Broadcast>()->value, b.as<Broadcast>()->value);
    case ExprKind::Shuffle: {
      const auto *x = a.as<Shuffle>(), *y = b.as<Shuffle>();
      return x->lanes == y->lanes && exprs(x->vectors, y->vectors);
    }
  }
  return false;
}

bool Comparer::store(const Store& a, const Store& b) {
  if (!symbol(a.buffer, b.buffer) || a.op != b.op || a.fused != b.fused || a.stream != b.stream ||
      a.align != b.align || !exprs(a.indices, b.indices) || !expr(a.value, b.value) ||
      !expr(a.predicate, b.predicate))
    return false;
  const BlockHeader *x = a.block.get(), *y = b.block.get();
  if (!x || !y) return x == y;
  bool same_func = bind_block_funcs_ ? x->func.name() == y->func.name() : symbol(x->func, y->func);
  return same_func && x->stage == y->stage && exprs(x->point, y->point) &&
         exprs(x->reduction, y->reduction);
}

bool Comparer::stmt(const Stmt& a, const Stmt& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case StmtKind::For: {
      const auto *x = a.as<For>(), *y = b.as<For>();
      return x->loop == y->loop && expr(x->lo, y->lo) && expr(x->hi, y->hi) &&
             bind(x->var, y->var) && body(x->body, y->body);
    }
    case StmtKind::If: {
      const auto *x = a.as<If>(), *y = b.as<If>();
      return expr(x->cond, y->cond) && body(x->then_body, y->then_body) &&
             body(x->else_body, y->else_body);
    }
    case StmtKind::Let: {
      const auto *x = a.as<Let>(), *y = b.as<Let>();
      return expr(x->value, y->value) && bind(x->sym, y->sym);
    }
    case StmtKind::Alloc: {
      const auto *x = a.as<Alloc>(), *y = b.as<Alloc>();
      return x->memory == y->memory && exprs(x->shape, y->shape) && bind(x->buffer, y->buffer);
    }
    case StmtKind::Free:
      return symbol(a.as<Free>()->buffer, b.as<Free>()->buffer);
    case StmtKind::Store:
      return store(*a.as<Store>(), *b.as<Store>());
    case StmtKind::Call: {
      const auto *x = a.as<CallStmt>(), *y = b.as<CallStmt>();
      return exprs(x->args, y->args) && callee(*x->callee, *y->callee);
    }
    case StmtKind::WindowStmt: {
      const auto *x = a.as<WindowStmt>(), *y = b.as<WindowStmt>();
      return expr(x->window, y->window) && bind(x->sym, y->sym);
    }
    case StmtKind::Check: {
      const auto *x = a.as<Check>(), *y = b.as<Check>();
      return x->code == y->code && x->message == y->message && expr(x->cond, y->cond);
    }
    case StmtKind::Pass:
      return true;
  }
  return false;
}

bool Comparer::entry(const PipelineEntry& a, const PipelineEntry& b) {
  auto maybe = [this](const Symbol& x, const Symbol& y) {
    return x.defined() == y.defined() && (!x.defined() || symbol(x, y));
  };
  auto dim = [&](const EntryDim& x, const EntryDim& y) {
    return maybe(x.min, y.min) && maybe(x.extent, y.extent) && maybe(x.stride, y.stride) &&
           expr(x.required_min, y.required_min) && expr(x.required_max, y.required_max);
  };
  auto arg = [&](const EntryArg& x, const EntryArg& y) {
    return x.kind == y.kind && symbol(x.sym, y.sym) && expr(x.range_min, y.range_min) &&
           expr(x.range_max, y.range_max) && x.default_value == y.default_value &&
           std::equal(x.dims.begin(), x.dims.end(), y.dims.begin(), y.dims.end(), dim);
  };
  auto check = [&](const EntryCheck& x, const EntryCheck& y) {
    return x.code == y.code && x.message == y.message && expr(x.cond, y.cond) &&
           symbol(x.argument, y.argument) && x.dimension == y.dimension;
  };
  return a.pipeline == b.pipeline &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), arg) &&
         std::equal(a.checks.begin(), a.checks.end(), b.checks.begin(), b.checks.end(), check);
}

bool Comparer::proc(const Proc& a, const Proc& b) {
  bind_block_funcs_ = true;
  if (a.name() != b.name() || a.form != b.form || a.mode != b.mode ||
      a.params.size() != b.params.size())
    return false;
  for (size_t i = 0; i < a.params.size(); ++i) {
    const Param &x = a.params[i], &y = b.params[i];
    if (x.kind != y.kind || x.window != y.window || x.memory != y.memory ||
        !exprs(x.shape, y.shape) || !bind(x.sym, y.sym))
      return false;
  }
  if (a.instr.has_value() != b.instr.has_value()) return false;
  if (a.instr && (a.instr->c_template != b.instr->c_template ||
                  a.instr->c_global != b.instr->c_global || a.instr->features != b.instr->features))
    return false;
  if ((a.entry == nullptr) != (b.entry == nullptr) || (a.entry && !entry(*a.entry, *b.entry)))
    return false;
  return exprs(a.preconditions, b.preconditions) && body(a.body, b.body);
}

bool Comparer::domain(const ReductionDomain& a, const ReductionDomain& b) {
  if (a.vars.size() != b.vars.size()) return false;
  for (size_t i = 0; i < a.vars.size(); ++i)
    if (!expr(a.vars[i].min, b.vars[i].min) || !expr(a.vars[i].extent, b.vars[i].extent) ||
        !rebind(a.vars[i].sym, b.vars[i].sym))
      return false;
  return expr(a.where, b.where);
}

bool Comparer::definition(const Definition& a, const Definition& b) {
  return domain(a.domain, b.domain) && exprs(a.args, b.args) && exprs(a.values, b.values);
}

bool Comparer::algorithm(const Algorithm& a, const Algorithm& b) {
  if (a.name != b.name || a.mode != b.mode || a.inputs.size() != b.inputs.size() ||
      a.params.size() != b.params.size() || a.funcs.size() != b.funcs.size() ||
      a.outputs.size() != b.outputs.size())
    return false;
  for (size_t i = 0; i < a.inputs.size(); ++i)
    if (!bind(a.inputs[i].sym, b.inputs[i].sym, true) || a.inputs[i].dims != b.inputs[i].dims)
      return false;
  for (size_t i = 0; i < a.params.size(); ++i) {
    const ScalarParam &x = a.params[i], &y = b.params[i];
    if (!bind(x.sym, y.sym, true) || !expr(x.min, y.min) || !expr(x.max, y.max) ||
        x.default_value != y.default_value)
      return false;
  }
  const std::vector<Symbol> args_a = a.ordered_arguments(), args_b = b.ordered_arguments();
  if (args_a.size() != args_b.size()) return false;
  for (size_t i = 0; i < args_a.size(); ++i)
    if (!symbol(args_a[i], args_b[i])) return false;
  for (size_t i = 0; i < a.funcs.size(); ++i)
    if (!bind(a.funcs[i].sym, b.funcs[i].sym, true)) return false;
  for (size_t i = 0; i < a.funcs.size(); ++i) {
    const Func &x = a.funcs[i], &y = b.funcs[i];
    if (x.types != y.types || x.args.size() != y.args.size() ||
        x.updates.size() != y.updates.size())
      return false;
    for (size_t k = 0; k < x.args.size(); ++k)
      if (!bind(x.args[k], y.args[k], true)) return false;
    for (int s = 0; s < x.num_stages(); ++s)
      if (!definition(x.stage(s), y.stage(s))) return false;
  }
  for (size_t i = 0; i < a.outputs.size(); ++i)
    if (!symbol(a.outputs[i], b.outputs[i])) return false;
  return true;
}

bool same_directive(const Directive& a, const Directive& b) {
  return a.func == b.func && a.stage == b.stage && a.verb == b.verb && a.names == b.names &&
         a.site_stage == b.site_stage && a.factors == b.factors && a.tail == b.tail &&
         std::equal(a.exprs.begin(), a.exprs.end(), b.exprs.begin(), b.exprs.end(),
                    [](const Expr& x, const Expr& y) { return equal(x, y); });
}

bool same_step(const TraceStep& a, const TraceStep& b) {
  return a.op == b.op && a.args == b.args && a.keywords == b.keywords;
}

}  // namespace

bool equal(const Expr& a, const Expr& b) {
  return a.same_as(b) || Comparer().expr(a, b);
}
bool equal(const Body& a, const Body& b) {
  return Comparer().body(a, b);
}
bool equal(const Proc& a, const Proc& b) {
  return &a == &b || Comparer().proc(a, b);
}
bool equal(const Algorithm& a, const Algorithm& b) {
  return &a == &b || Comparer().algorithm(a, b);
}
bool equal(const Schedule& a, const Schedule& b) {
  return a.name == b.name && a.pipeline == b.pipeline &&
         std::equal(a.directives.begin(), a.directives.end(), b.directives.begin(),
                    b.directives.end(), same_directive);
}
bool equal(const Trace& a, const Trace& b) {
  return a.name == b.name && a.proc == b.proc &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), same_step);
}

}  // namespace hocket::ir
