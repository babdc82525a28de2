#include "interp/program.h"

#include <algorithm>
#include <unordered_set>

#include "ir/visit.h"

namespace hocket::interp {

using ir::Expr;
using ir::StmtKind;
using ir::Symbol;

struct ProgramCode::Scope {
  ProcCode* code = nullptr;
  std::unordered_map<Symbol, uint32_t> slot, view;
  std::unordered_map<uint32_t, uint32_t> window_of;  // view -> the view it is a window of
  std::unordered_map<uint32_t, size_t> param_of;     // view -> parameter
  std::unordered_map<Symbol, uint32_t> min_slot;     // entry: buffer -> first slot of its mins
  std::unordered_map<Symbol, const ir::EntryArg*> entry;
  std::unordered_set<Symbol> freed;
  uint32_t deepest_slots = 0, deepest_views = 0, deepest_dims = 0;
};

uint32_t ProgramCode::new_slot(const Symbol& s) {
  const uint32_t slot = scope_->code->slots;
  scope_->code->slots += std::max<uint32_t>(s.type().lanes, 1);
  scope_->slot.insert_or_assign(s, slot);
  return slot;
}

uint32_t ProgramCode::new_view(const Symbol& s, size_t rank) {
  ProcCode& code = *scope_->code;
  const uint32_t view = code.views++;
  scope_->view.insert_or_assign(s, view);
  code.buffer_of_view.push_back(s);
  code.rank_of_view.push_back(static_cast<uint32_t>(rank));
  code.dims_of_view.push_back(code.dims);
  // A flat parameter may be bound to a tensor's one run of cells: room for one dimension at least.
  code.dims += 2 * static_cast<uint32_t>(std::max<size_t>(rank, 1));
  return view;
}

uint32_t ProgramCode::view(const Symbol& s) const {
  const auto it = scope_->view.find(s);
  HOCKET_ASSERT(it != scope_->view.end(), "buffer `" + s.name() + "` is not in scope");
  return it->second;
}

// Flat form addresses a parameter by one index into its memory, whatever its shape.
bool ProgramCode::is_raw(uint32_t view, size_t indices) const {
  return scope_->code->proc->form == ir::Form::Flat && indices == 1 &&
         scope_->param_of.contains(view);
}

void ProgramCode::mark_written(uint32_t v) {
  for (auto it = scope_->window_of.find(v); it != scope_->window_of.end();
       it = scope_->window_of.find(v))
    v = it->second;
  if (const auto p = scope_->param_of.find(v); p != scope_->param_of.end())
    scope_->code->params[p->second].written = true;
}

void ProgramCode::leaf(const Expr& e, XNode& n) {
  if (const auto* v = e.as<ir::VarRef>()) {
    const auto it = scope_->slot.find(v->sym);
    HOCKET_ASSERT(it != scope_->slot.end(), "variable `" + v->sym.name() + "` is not in scope");
    n.op = e.type().lanes > 1 ? XOp::LaneSlot : XOp::Slot;
    n.slot = it->second;
    return;
  }
  if (const auto* f = e.as<ir::BufferField>()) {
    if (f->field == ir::BufferFieldKind::Min) {
      const auto it = scope_->entry.find(f->buffer);
      if (it == scope_->entry.end()) {  // buffers of loop programs start at zero
        n.op = XOp::Const;
        n.imm = Val::of(0);
        return;
      }
      const auto& dims = it->second->dims;
      n.op = XOp::Slot;
      n.slot = scope_->slot.at(dims[dims.size() - 1 - static_cast<size_t>(f->dim)].min);
      return;
    }
    Access& a = accesses.emplace_back();
    a.source = e;
    a.target = view(f->buffer);
    a.value_index = f->dim;
    a.kind = f->field == ir::BufferFieldKind::Extent ? kFieldExtent : kFieldStride;
    n.op = XOp::Leaf;
    n.access = &a;
    return;
  }
  const auto* l = e.as<ir::Load>();
  HOCKET_ASSERT(l != nullptr, "a call of a Func in a proc");
  Access& a = accesses.emplace_back();
  a.source = e;
  a.target = view(l->buffer);
  for (const Expr& i : l->indices) a.index.push_back(compile(i));
  if (l->predicate.defined()) a.predicate = compile(l->predicate);
  a.align = l->align;
  const bool raw = is_raw(a.target, l->indices.size());
  a.kind = raw ? kLoadRaw : kLoad;
  HOCKET_ASSERT(raw || scope_->code->rank_of_view[a.target] == l->indices.size(),
                "load of `" + l->buffer.name() + "` with another number of indices");
  HOCKET_ASSERT(l->buffer.type().element() == e.type().element(),
                "load of another type than the buffer's");
  n.op = XOp::Leaf;
  n.access = &a;
  n.reason = new_reason(Reason::Kind::Address, e, l->buffer);
}

WindowCode ProgramCode::window(const Expr& e, int* rank) {
  WindowCode w;
  if (const auto* v = e.as<ir::VarRef>()) {
    w.source = view(v->sym);
    *rank = static_cast<int>(scope_->code->rank_of_view[w.source]);
    return w;
  }
  const auto* win = e.as<ir::Window>();
  HOCKET_ASSERT(win != nullptr, "a buffer argument that is neither a name nor a window");
  w.source = view(win->buffer);
  w.whole = false;
  *rank = 0;
  HOCKET_ASSERT(win->dims.size() == scope_->code->rank_of_view[w.source],
                "window of another rank than its buffer");
  for (const ir::WindowDim& d : win->dims) {
    w.dims.push_back({root(d.lo), d.is_point() ? nullptr : root(d.hi)});
    if (!d.is_point()) ++*rank;
  }
  return w;
}

void ProgramCode::list(const ir::Body& body, CodeList& out) {
  out.codes.resize(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    out.codes[i].kind = body[i].kind();
    out.codes[i].source = body[i].get();
    out.codes[i].proc = scope_->code;
    statement(body[i], out.codes[i], out);
  }
}

void ProgramCode::statement(const ir::Stmt& s, Code& c, CodeList& in) {
  switch (s.kind()) {
    case StmtKind::For: {
      const auto* f = s.as<ir::For>();
      c.loop = f->loop;
      c.a = root(f->lo);
      c.b = root(f->hi);
      c.slot = new_slot(f->var);
      list(f->body, c.body);
      break;
    }
    case StmtKind::If: {
      const auto* f = s.as<ir::If>();
      c.a = root(f->cond);
      list(f->then_body, c.body);
      list(f->else_body, c.otherwise);
      break;
    }
    case StmtKind::Let: {
      const auto* l = s.as<ir::Let>();
      c.lanes = l->value.type().lanes;
      c.a = root(l->value);
      c.plain_copy = l->value.as<ir::Load>() || l->value.as<ir::VarRef>();
      c.slot = new_slot(l->sym);
      break;
    }
    case StmtKind::Alloc: {
      const auto* a = s.as<ir::Alloc>();
      for (const Expr& e : a->shape) c.index.push_back(root(e));
      c.buffer = new_view(a->buffer, a->shape.size());
      c.reason = new_reason(Reason::Kind::Unwritten, {}, a->buffer);
      c.has_free = scope_->freed.contains(a->buffer);
      in.allocations.push_back(static_cast<uint32_t>(&c - in.codes.data()));
      break;
    }
    case StmtKind::Free:
      c.buffer = view(s.as<ir::Free>()->buffer);
      break;
    case StmtKind::Store: {
      const auto* st = s.as<ir::Store>();
      c.buffer = view(st->buffer);
      mark_written(c.buffer);
      c.op = st->op;
      c.align = st->align;
      c.lanes = st->value.type().lanes;
      for (const Expr& i : st->indices) {
        c.index.push_back(root(i));
        c.lanes = std::max<int>(c.lanes, i.type().lanes);
      }
      c.raw = is_raw(c.buffer, st->indices.size());
      HOCKET_ASSERT(c.raw || scope_->code->rank_of_view[c.buffer] == st->indices.size(),
                    "store to `" + st->buffer.name() + "` with another number of indices");
      const ir::Type type = st->buffer.type().element();
      HOCKET_ASSERT(st->value.type().element() == type, "store of another type than the buffer's");
      if (st->predicate.defined()) c.predicate = root(st->predicate);
      const auto* product = st->value.as<ir::Binary>();
      if (st->fused && product != nullptr && product->op == ir::BinaryOp::Mul && type.is_float()) {
        c.a = root(product->a);
        c.b = root(product->b);
      } else {
        HOCKET_ASSERT(!st->fused, "a fused store of no product of floats");
        c.a = root(st->value);
      }
      if (st->op != ir::StoreOp::Assign) {
        const ir::BinaryOp op = st->op == ir::StoreOp::Add   ? ir::BinaryOp::Add
                                : st->op == ir::StoreOp::Mul ? ir::BinaryOp::Mul
                                : st->op == ir::StoreOp::Min ? ir::BinaryOp::Min
                                                             : ir::BinaryOp::Max;
        c.reduce.op = binary_op(op, type);
        c.reduce.sub = static_cast<uint8_t>(op);
        c.reduce.type = c.reduce.from = type;
        c.reduce.reason = new_reason(Reason::Kind::Overflow, st->value, st->buffer);
      }
      c.plain_copy =
          st->op == ir::StoreOp::Assign && (st->value.as<ir::Load>() || st->value.as<ir::VarRef>());
      if (algorithm_ == nullptr || !st->block) break;
      for (size_t f = 0; f < algorithm_->funcs.size(); ++f) {
        if (!(algorithm_->funcs[f].sym == st->block->func)) continue;
        BlockCode& b = blocks_.emplace_back();
        b.header = st->block.get();
        b.func = static_cast<uint32_t>(f);
        for (const Expr& p : st->block->point) b.point.push_back(root(p));
        for (const Expr& r : st->block->reduction) b.reduction.push_back(root(r));
        const ir::Func& func = algorithm_->funcs[f];
        HOCKET_ASSERT(
            b.header->stage >= 0 && b.header->stage < func.num_stages() &&
                b.point.size() == func.args.size() &&
                b.reduction.size() ==
                    (b.header->stage == 0 ? 0 : func.stage(b.header->stage).domain.vars.size()),
            "block header of `" + func.name() + "` does not fit its definition");
        c.block = &b;
        ir::for_each(st->value, [&](const Expr& e) {
          if (const auto* v = e.as<ir::VarRef>()) c.let_slots.push_back(scope_->slot.at(v->sym));
        });
      }
      break;
    }
    case StmtKind::Call: {
      const auto* call = s.as<ir::CallStmt>();
      Scope* here = scope_;
      c.callee = compile_proc(*call->callee);
      scope_ = here;
      HOCKET_ASSERT(c.callee->params.size() == call->args.size(),
                    "call of `" + call->callee->name() + "` with another number of arguments");
      for (size_t i = 0; i < call->args.size(); ++i) {
        ArgCode& a = c.args.emplace_back();
        const ParamCode& p = c.callee->params[i];
        if (p.param->kind != ir::ParamKind::Buffer) {
          a.scalar = root(call->args[i]);
          continue;
        }
        int rank = 0;
        a.window = window(call->args[i], &rank);
        HOCKET_ASSERT(rank == static_cast<int>(p.param->shape.size()),
                      "argument of another rank than the parameter `" + p.param->sym.name() + "`");
        if (p.written) mark_written(a.window.source);
      }
      scope_->deepest_slots = std::max(scope_->deepest_slots, c.callee->total_slots);
      scope_->deepest_views = std::max(scope_->deepest_views, c.callee->total_views);
      scope_->deepest_dims = std::max(scope_->deepest_dims, c.callee->total_dims);
      break;
    }
    case StmtKind::WindowStmt: {
      const auto* w = s.as<ir::WindowStmt>();
      int rank = 0;
      c.window = window(w->window, &rank);
      c.buffer = new_view(w->sym, static_cast<size_t>(rank));
      scope_->window_of.emplace(c.buffer, c.window.source);
      break;
    }
    case StmtKind::Check:
      c.a = root(s.as<ir::Check>()->cond);
      break;
    case StmtKind::Pass:
      break;
  }
}

const ProcCode* ProgramCode::compile_proc(const ir::Proc& proc) {
  if (const auto it = procs_.find(&proc); it != procs_.end()) return it->second.get();
  auto code = std::make_unique<ProcCode>();
  Scope scope;
  scope.code = code.get();
  scope_ = &scope;
  code->proc = &proc;
  if (proc.entry) {
    for (const ir::EntryArg& a : proc.entry->args) {
      if (a.kind != ir::EntryArg::Kind::Scalar) scope.entry.emplace(a.sym, &a);
    }
  }
  ir::for_each_stmt(proc.body, [&](const ir::Stmt& s) {
    if (const auto* f = s.as<ir::Free>()) scope.freed.insert(f->buffer);
    return true;
  });
  code->params.reserve(proc.params.size());
  for (const ir::Param& p : proc.params) {
    ParamCode& c = code->params.emplace_back();
    c.param = &p;
    if (p.kind == ir::ParamKind::Buffer) {
      for (const Expr& e : p.shape) c.shape.push_back(root(e));
      c.view = new_view(p.sym, p.shape.size());
      scope.param_of.emplace(c.view, code->params.size() - 1);
      const auto arg = scope.entry.find(p.sym);
      const bool output =
          arg != scope.entry.end() && arg->second->kind == ir::EntryArg::Kind::Output;
      c.reason = new_reason(output ? Reason::Kind::Unwritten : Reason::Kind::Given, {}, p.sym);
    } else {
      c.slot = new_slot(p.sym);
    }
  }
  for (const Expr& e : proc.preconditions) code->preconditions.push_back(root(e));
  list(proc.body, code->body);
  number(code->body);
  code->total_slots = code->slots + scope.deepest_slots;
  code->total_views = code->views + scope.deepest_views;
  code->total_dims = code->dims + scope.deepest_dims;
  scope_ = nullptr;
  return procs_.emplace(&proc, std::move(code)).first->second.get();
}

// Addresses of codes are final once the proc is complete.
void ProgramCode::number(CodeList& list) {
  for (Code& c : list.codes) {
    c.number = static_cast<uint32_t>(by_number.size());
    by_number.push_back(&c);
    number(c.body);
    number(c.otherwise);
  }
}

const XNode* ProgramCode::over_params(const ProcCode& code, const Expr& e) {
  Scope scope;
  ProcCode copy;  // only for lookups
  copy.proc = code.proc;
  copy.rank_of_view = code.rank_of_view;
  scope.code = &copy;
  for (const ParamCode& p : code.params) {
    if (p.param->kind == ir::ParamKind::Buffer) {
      scope.view.emplace(p.param->sym, p.view);
    } else {
      scope.slot.emplace(p.param->sym, p.slot);
    }
  }
  if (code.proc->entry) {
    for (const ir::EntryArg& a : code.proc->entry->args) {
      if (a.kind != ir::EntryArg::Kind::Scalar) scope.entry.emplace(a.sym, &a);
    }
  }
  scope_ = &scope;
  const XNode* n = root(e);
  scope_ = nullptr;
  return n;
}

}  // namespace hocket::interp
