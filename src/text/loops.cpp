#include "text/loops.h"

#include <map>

#include "diag/kinds_parse.h"
#include "ir/read/loop_exprs.h"
#include "support/strings.h"
#include "target/memory.h"
#include "text/entry.h"

namespace hocket::text {

namespace {

using diag::Diagnostic;
using ir::Body;
using ir::Param;
using ir::ParamKind;
using ir::Stmt;
using ir::StoreOp;
using ir::Symbol;
using ir::Type;

// What a `check` without a code returns: HOCKET_ERROR_USER_CHECK_FAILED.
constexpr int kUserCheckFailed = -13;

const ir::Binary* float_product(const Expr& e) {
  const auto* b = e.as<ir::Binary>();
  return b && b->op == ir::BinaryOp::Mul && b->type.is_float() ? b : nullptr;
}

bool is_call_of(const Syntax& s, const char* function) {
  return s.kind == SyntaxKind::Apply && s[0].kind == SyntaxKind::Word && s[0].text == function;
}

class ProcElaborator : public LoopExprs {
 public:
  ProcElaborator(const ItemSyntax& item, const Source& source, const LoopContext& context)
      : LoopExprs(source, item.strict ? ir::NumericMode::Strict : ir::NumericMode::Contract,
                  item.flat, scope_of_proc_),
        item_(item),
        context_(context) {}
  Result<ir::ProcRef> run();

 private:
  Result<void> params();
  Result<Param> param(const ParamSyntax& p);
  Result<std::string> memory(const std::optional<NameSyntax>& said) const;
  Result<Body> body(const std::vector<Line>& lines);
  Result<Stmt> stmt(const Line& l);
  Result<Stmt> for_stmt(const Line& l);
  Result<Stmt> let_stmt(const Line& l);
  Result<Stmt> alloc_stmt(const Line& l);
  Result<Stmt> store_stmt(const Line& l, ir::BlockRef block);
  Result<Stmt> block_stmt(const Line& l);
  Result<Stmt> window_stmt(const Line& l);
  Result<Stmt> call_stmt(const Line& l);
  Result<Expr> buffer_arg(const Syntax& s, const Param& p, const std::string& proc, size_t number);
  Symbol block_func(const std::string& name, Type type);

  const ItemSyntax& item_;
  const LoopContext& context_;
  Scope scope_of_proc_;
  std::map<std::string, Symbol> block_funcs_;
  const ir::Algorithm* pipeline_ = nullptr;
  ir::Proc proc_;
};

// Flat form has places (`stack`, `heap`) where loop form has memories.
Result<std::string> ProcElaborator::memory(const std::optional<NameSyntax>& said) const {
  if (!said) return std::string("DRAM");
  if (!flat_ || (said->name != "stack" && said->name != "heap"))
    HOCKET_CHECK(target::memory(said->name, place(said->spot)));
  return said->name;
}

Result<Param> ProcElaborator::param(const ParamSyntax& p) {
  Param out;
  HOCKET_TRY(out.memory, memory(p.memory));
  out.window = p.window;
  bool buffer = p.tensor || p.memory;
  Type t = Type::index();
  if (p.type.name == "size" && !buffer) {
    out.kind = ParamKind::Size;
  } else {
    HOCKET_TRY(t, type(p.type, !buffer));
    if (t.lanes != 1)
      return refuse(diag::kind::malformed_vector, p.type.spot)
          .arg("what", "a parameter or an element is a vector");
    out.kind = buffer ? ParamKind::Buffer : t.is_index() ? ParamKind::Index : ParamKind::Scalar;
  }
  for (const SyntaxRef& s : p.shape) {
    HOCKET_TRY(Expr e, scalar_coordinate(*s));
    out.shape.push_back(std::move(e));
  }
  out.sym = Symbol::fresh(p.name.name, t, place(p.name.spot));
  return out;
}

Result<void> ProcElaborator::params() {
  loads_ = false;
  for (const ParamSyntax& p : item_.params) {
    if (scope_.in_innermost(p.name.name))
      return twice(p.name.name, p.name.spot, scope_.find(p.name.name)->sym.place());
    HOCKET_TRY(Param out, param(p));
    scope_.add(p.name.name, thing_of(out));
    proc_.params.push_back(std::move(out));
  }
  return {};
}

Symbol ProcElaborator::block_func(const std::string& name, Type type) {
  auto it = block_funcs_.find(name);
  if (it != block_funcs_.end()) return it->second;
  const ir::Func* f = pipeline_ ? pipeline_->find(std::string_view(name)) : nullptr;
  return block_funcs_.emplace(name, f ? f->sym : Symbol::fresh(name, type.element())).first->second;
}

Result<Stmt> ProcElaborator::for_stmt(const Line& l) {
  const std::string what = "a bound of the loop `" + l.names[0].name + "`";
  HOCKET_TRY(Expr lo, control(*l.exprs[0], what));
  HOCKET_TRY(Expr hi, control(*l.exprs[1], what));
  ir::LoopKind kind = ir::LoopKind::Seq;
  for (ir::LoopKind k : {ir::LoopKind::Unordered, ir::LoopKind::Parallel, ir::LoopKind::Vectorized,
                         ir::LoopKind::Unrolled})
    if (l.word == ir::spelling(k)) kind = k;
  const NameSyntax& n = l.names[0];
  Thing var;
  var.sym = Symbol::fresh(n.name, Type::index(), place(n.spot));
  var.is = "a loop variable";
  scope_.open();
  scope_.add(n.name, var);
  HOCKET_TRY(Body inside, body(l.body));
  scope_.close();
  return ir::make_for(var.sym, lo, hi, kind, std::move(inside), place(l.spot));
}

Result<Stmt> ProcElaborator::let_stmt(const Line& l) {
  const NameSyntax& n = l.names[0];
  Expr e;
  if (l.types.empty()) {
    HOCKET_TRY(e, expr(*l.value));
  } else {
    HOCKET_TRY(Type t, type(l.types[0]));
    HOCKET_TRY(e, value(*l.value, t, "the value of `" + n.name + "`"));
  }
  Thing let;
  let.sym = Symbol::fresh(n.name, e.type(), place(n.spot));
  let.is = "a value of `let`";
  scope_.add(n.name, let);
  return ir::make_let(let.sym, e, place(l.spot));
}

Result<Stmt> ProcElaborator::alloc_stmt(const Line& l) {
  const NameSyntax& n = l.names[0];
  HOCKET_TRY(Type t, type(l.types[0], false));
  if (t.lanes != 1)
    return refuse(diag::kind::malformed_vector, l.types[0].spot)
        .arg("what", "an element of a buffer is a vector");
  Thing buffer;
  for (const SyntaxRef& s : l.exprs) {
    HOCKET_TRY(Expr e, control(*s, "the shape of `" + n.name + "`"));
    buffer.shape.push_back(std::move(e));
  }
  if (flat_ && buffer.shape.size() != 1)
    return refuse(diag::kind::wrong_rank, l.spot)
        .arg("name", n.name)
        .arg("wanted", 1)
        .arg("of", "extent in a flat proc")
        .arg("given", static_cast<int64_t>(buffer.shape.size()));
  buffer.buffer = true;
  buffer.is = "a buffer";
  buffer.sym = Symbol::fresh(n.name, t, place(n.spot));
  scope_.add(n.name, buffer);
  HOCKET_TRY(std::string in, memory(l.memory));
  return ir::make_alloc(buffer.sym, buffer.shape, std::move(in), place(l.spot));
}

Result<Stmt> ProcElaborator::window_stmt(const Line& l) {
  const std::string name = *l.target->path();
  HOCKET_TRY(Expr w, window(*l.value));
  Symbol sym = Symbol::fresh(name, w.type(), place(l.target->spot));
  scope_.add(name, thing_of_window(sym, *w.as<ir::Window>()));
  return ir::make_window_stmt(sym, w, place(l.spot));
}

Result<Stmt> ProcElaborator::store_stmt(const Line& l, ir::BlockRef block) {
  const Syntax& target = *l.target;
  const Syntax& head = target.kind == SyntaxKind::Index ? target[0] : target;
  std::optional<std::string> name = head.path();
  if (!name)
    return refuse(diag::kind::unexpected_text, target.spot)
        .arg("found", spoken(target))
        .arg("wanted", "a buffer or an element of one before `" + l.op + "`");
  const Thing* t = scope_.find(*name);
  if (t && !t->buffer)
    return refuse(diag::kind::not_assignable, target.spot)
        .arg("name", *name)
        .arg("is", t->is)
        .label(t->sym.place(), "`" + *name + "` is defined here");
  HOCKET_TRY(t, buffer(head));
  const Symbol sym = t->sym;
  Access at;
  if (target.kind == SyntaxKind::Index) {
    HOCKET_TRY(at, access(*t, target));
  } else if (flat_ || !t->shape.empty()) {
    return refuse(diag::kind::wrong_rank, target.spot)
        .arg("name", *name)
        .arg("wanted", static_cast<int64_t>(flat_ ? 1 : t->shape.size()))
        .arg("of", flat_ || t->shape.size() == 1 ? "dimension" : "dimensions")
        .arg("given", 0)
        .label(sym.place(), "`" + *name + "` is defined here");
  } else {
    at.type = sym.type();
  }
  StoreOp op = l.op == "="      ? StoreOp::Assign
               : l.op == "*="   ? StoreOp::Mul
               : l.op == "min=" ? StoreOp::Min
               : l.op == "max=" ? StoreOp::Max
                                : StoreOp::Add;
  if (op != StoreOp::Assign && at.type.is_bool())
    return refuse(diag::kind::operator_undefined, l.spot).arg("op", l.op).arg("type", "bool");
  bool asks_fused = is_call_of(*l.value, "fused") && l.value->items.size() == 2;
  const Syntax& right = asks_fused ? (*l.value)[1] : *l.value;
  HOCKET_TRY(FrontOperand v, operand(right, at.type));
  HOCKET_TRY(Expr e,
             ir::front_value(v, at.type, place(right.spot), "the value of `" + *name + "`"));
  const ir::Binary* product = op == StoreOp::Add ? float_product(e) : nullptr;
  if (asks_fused && !product)
    return refuse(diag::kind::unexpected_text, l.value->spot)
        .arg("found", "`fused`")
        .arg("wanted", "it around a product of floats after `+=`");
  bool fused = product && (asks_fused || (mode_ == ir::NumericMode::Contract && !v.strict));
  if (l.op == "-=") {
    HOCKET_TRY(FrontOperand minus,
               ir::front_unary(ir::UnaryOp::Neg, typed(product ? product->a : e), mode_,
                               place(right.spot)));
    e = product ? ir::make_binary(ir::BinaryOp::Mul, minus.expr, product->b) : minus.expr;
  }
  Stmt s = ir::make_store(sym, std::move(at.indices), e, op, std::move(block), place(l.spot));
  return ir::edited<ir::Store>(s, [&](ir::Store& n) {
    n.fused = fused;
    n.stream = l.stream;
    n.predicate = at.predicate;
    n.align = at.align;
  });
}

Result<Stmt> ProcElaborator::block_stmt(const Line& l) {
  const Syntax& s = *l.value;
  auto bad = [&] {
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", spoken(s))
        .arg("wanted", "a stage with its point, such as `f(x, y)` or `f.update(0)(x; r)`,");
  };
  if (s.kind != SyntaxKind::Apply) return bad();
  auto block = support::Ref<ir::BlockHeader>(new ir::BlockHeader);
  const Syntax* func = &s[0];
  if (func->kind == SyntaxKind::Apply) {
    const Syntax& update = *func;
    if (update[0].kind != SyntaxKind::Field || update[0].text != "update" ||
        update.items.size() != 2 || update[1].kind != SyntaxKind::Integer ||
        update[1].integer >= 100000)
      return bad();
    block->stage = static_cast<int>(update[1].integer) + 1;
    func = &update[0][0];
  }
  std::optional<std::string> name = func->path();
  if (!name) return bad();
  for (size_t i = 1; i < s.items.size(); ++i) {
    HOCKET_TRY(Expr e, coordinate(s[i]));
    bool reduction = s.has_split && i > s.split;
    (reduction ? block->reduction : block->point).push_back(std::move(e));
  }
  if (l.body.size() != 1)
    return refuse(diag::kind::unexpected_text, l.body.empty() ? l.spot : l.body[1].spot)
        .arg("found", l.body.empty() ? "an empty block" : "a second line")
        .arg("wanted", "one store");
  const Line& store = l.body[0];
  const Syntax& target = *store.target;
  const Syntax& head = target.kind == SyntaxKind::Index ? target[0] : target;
  std::optional<std::string> buffer = head.path();
  const Thing* t = buffer ? scope_.find(*buffer) : nullptr;
  block->func = block_func(*name, t ? t->sym.type() : Type::f(32));
  return store_stmt(store, ir::BlockRef(block.get()));
}

Result<Expr> ProcElaborator::buffer_arg(const Syntax& s, const Param& p, const std::string& proc,
                                        size_t number) {
  std::string shape = "[";
  for (size_t i = 0; i < p.shape.size(); ++i) shape += i ? ", _" : "_";
  shape += "]";
  const std::string as_window = "[" + p.type().name() + "]" + shape;
  const std::string wanted = p.window ? as_window : p.type().name() + shape;
  auto bad = [&](const std::string& given) {
    return refuse(diag::kind::call_mismatch, s.spot)
        .arg("number", static_cast<int64_t>(number))
        .arg("proc", proc)
        .arg("given", given)
        .arg("wanted", wanted)
        .label(p.sym.place(), "`" + p.sym.name() + "` of `" + proc + "`");
  };
  size_t rank = 0;
  Expr e;
  bool window_given = false;
  if (s.path()) {
    HOCKET_TRY(const Thing* t, buffer(s));
    rank = t->shape.size();
    window_given = t->window && rank != 0;
    e = ir::make_var(t->sym);
  } else if (s.kind == SyntaxKind::Index || is_call_of(s, "window")) {
    HOCKET_TRY(e, window(s));
    for (const ir::WindowDim& d : e.as<ir::Window>()->dims) rank += d.is_point() ? 0 : 1;
    window_given = rank != 0;  // one element is dense whatever surrounds it
  } else {
    return bad(spoken(s));
  }
  if (e.type() != p.type()) return bad("a buffer of " + e.type().name());
  if (rank != p.shape.size()) return bad("a buffer with " + support::counted(rank, "dimension"));
  if (window_given && !p.window)
    return bad("a window").note("`" + p.sym.name() + ": " + as_window + "` would take it");
  return e;
}

Result<Stmt> ProcElaborator::call_stmt(const Line& l) {
  const Syntax& s = *l.value;
  std::optional<std::string> name = s[0].path();
  if (!name || s.has_split)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", spoken(s))
        .arg("wanted", "a call of a proc, such as `foo(n, A[0:8])`,");
  ir::ProcRef callee;
  std::vector<std::string> known;
  for (const ir::ProcRef& p : context_.procs) {
    known.push_back(p->name());
    if (p->name() == *name) callee = p;
  }
  if (!callee) {
    Diagnostic d = unknown("proc", *name, s[0].spot, known);
    if (*name == item_.name.name) d.note("a proc cannot call itself");
    return d;
  }
  size_t given = s.items.size() - 1;
  if (given != callee->params.size())
    return count(*name, std::to_string(callee->params.size()),
                 callee->params.size() == 1 ? "argument" : "arguments", given, s.spot)
        .label(callee->place, "`" + *name + "` is defined here");
  std::vector<Expr> args;
  for (size_t i = 0; i < given; ++i) {
    const Param& p = callee->params[i];
    const std::string what = "argument " + std::to_string(i + 1) + " of `" + *name + "`";
    Expr e;
    switch (p.kind) {
      case ParamKind::Size:
      case ParamKind::Index: {
        HOCKET_TRY(e, control(s[i + 1], what));
        break;
      }
      case ParamKind::Scalar: {
        HOCKET_TRY(e, value(s[i + 1], p.type(), what));
        break;
      }
      case ParamKind::Buffer: {
        HOCKET_TRY(e, buffer_arg(s[i + 1], p, *name, i + 1));
        break;
      }
    }
    args.push_back(std::move(e));
  }
  return ir::make_call(callee, std::move(args), place(l.spot));
}

Result<Stmt> ProcElaborator::stmt(const Line& l) {
  const support::Place here = place(l.spot);
  switch (l.kind) {
    case LineKind::For:
      return for_stmt(l);
    case LineKind::If: {
      HOCKET_TRY(Expr cond, scalar_condition(*l.value));
      HOCKET_TRY(Body yes, body(l.body));
      HOCKET_TRY(Body no, body(l.orelse));
      return ir::make_if(cond, std::move(yes), std::move(no), here);
    }
    case LineKind::Let:
      return let_stmt(l);
    case LineKind::Alloc:
      return alloc_stmt(l);
    case LineKind::Block:
      return block_stmt(l);
    case LineKind::Store: {
      bool interval = false;
      if (l.value->kind == SyntaxKind::Index)
        for (const SyntaxRef& i : l.value->items) interval |= i->kind == SyntaxKind::Slice;
      if (l.op == "=" && !l.stream && l.target->path() &&
          (interval || is_call_of(*l.value, "window")))
        return window_stmt(l);
      return store_stmt(l, {});
    }
    case LineKind::Call:
      return call_stmt(l);
    case LineKind::Check: {
      if (l.target)
        return refuse(diag::kind::unexpected_text, l.target->spot)
            .arg("found", spoken(*l.target))
            .arg("wanted", "the end of the line");
      HOCKET_TRY(Expr cond, scalar_condition(*l.value));
      return ir::make_check(cond, static_cast<int>(l.code.value_or(kUserCheckFailed)), l.word,
                            here);
    }
    case LineKind::Free: {
      const Thing* t = scope_.find(l.names[0].name);
      if (!t) return unknown("buffer", l.names[0].name, l.names[0].spot, scope_.names());
      if (!t->buffer || !flat_)
        return refuse(diag::kind::wrong_use, l.names[0].spot)
            .arg("name", l.names[0].name)
            .arg("is", t->is)
            .arg("used", flat_ ? "a buffer to free" : "a buffer to free outside a flat proc")
            .label(t->sym.place(), "`" + l.names[0].name + "` is defined here");
      return ir::make_free(t->sym);
    }
    case LineKind::Assert:
      return refuse(diag::kind::late_assert, l.spot);
    default:
      return ir::make_pass(here);
  }
}

Result<Body> ProcElaborator::body(const std::vector<Line>& lines) {
  scope_.open();
  Body out;
  for (const Line& l : lines) {
    HOCKET_TRY(Stmt s, stmt(l));
    out.push_back(std::move(s));
  }
  scope_.close();
  return out;
}

Result<ir::ProcRef> ProcElaborator::run() {
  proc_.sym = Symbol::fresh(item_.name.name, Type(), place(item_.name.spot));
  proc_.form = flat_ ? ir::Form::Flat : ir::Form::Loops;
  proc_.mode = mode_;
  proc_.place = place(item_.name.spot);
  HOCKET_CHECK(params());
  if (item_.instr) {
    ir::Instr instr;
    instr.c_template = item_.instr->c_template;
    instr.c_global = item_.instr->global;
    std::string word;
    for (char c : item_.instr->features + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        instr.features.push_back(std::move(word));
        word.clear();
      }
    }
    proc_.instr = std::move(instr);
  }
  if (item_.entry_name) {
    for (const ir::AlgorithmRef& a : context_.pipelines)
      if (a->name == item_.entry_name->name) pipeline_ = a.get();
    HOCKET_TRY(ir::PipelineEntry entry, elaborate_entry(item_, proc_.params, source_, *this));
    proc_.entry = std::make_shared<const ir::PipelineEntry>(std::move(entry));
  }
  size_t first = 0;
  while (first < item_.body.size() && item_.body[first].kind == LineKind::Assert) {
    HOCKET_TRY(Expr e, scalar_condition(*item_.body[first].value));
    proc_.preconditions.push_back(std::move(e));
    ++first;
  }
  loads_ = true;
  scope_.open();
  for (; first < item_.body.size(); ++first) {
    HOCKET_TRY(Stmt s, stmt(item_.body[first]));
    proc_.body.push_back(std::move(s));
  }
  scope_.close();
  return ir::ProcRef(new ir::Proc(std::move(proc_)));
}

}  // namespace

Result<ir::ProcRef> elaborate_proc(const ItemSyntax& item, const Source& source,
                                   const LoopContext& context) {
  return ProcElaborator(item, source, context).run();
}

}  // namespace hocket::text
