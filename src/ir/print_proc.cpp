// Procs as `def` items, in loop form or flat form: decorators, parameters, entry, statements with
// their blocks. In: a proc. Out: text that parses back to it. Called by: to_text (print.h).
#include <unordered_set>

#include "ir/printer.h"
#include "ir/words.h"

namespace hocket::ir {

namespace {

// What a `check` of the user's own returns: HOCKET_ERROR_USER_CHECK_FAILED.
constexpr int kUserCheckFailed = -13;

bool is_float_product(const Expr& e) {
  const auto* b = e.as<Binary>();
  return b && b->op == BinaryOp::Mul && b->type.is_float();
}

}  // namespace

const std::string& Printer::proc_name(const Proc& p) {
  return proc_names_.name(p.sym);
}

void Printer::optional_expr(const Expr& e) {
  expr(e, true);
}

void Printer::block(const BlockHeader& b) {
  out_ += "block " + block_funcs_.name(b.func);
  if (b.stage > 0) out_ += ".update(" + std::to_string(b.stage - 1) + ")";
  out_ += "(";
  exprs(b.point);
  if (!b.reduction.empty()) {
    out_ += "; ";
    exprs(b.reduction);
  }
  out_ += "):\n";
}

void Printer::store(const Store& s, int level) {
  if (s.block.get()) {
    block(*s.block);
    line(++level);
  }
  if (s.stream) out_ += "stream ";
  load(s.buffer, s.indices, s.predicate, s.align);
  out_ += std::string(" ") + spelling(s.op) + " ";
  bool product = s.op == StoreOp::Add && is_float_product(s.value);
  bool contract = mode_ == NumericMode::Contract;
  // `+=` of a product is fused exactly in mode contract; the other two cases say so.
  const char* around = !product              ? nullptr
                       : s.fused == contract ? nullptr
                       : s.fused             ? "fused("
                                             : "strict(";
  if (around) out_ += around;
  expr(s.value, true);
  if (around) out_ += ")";
  out_ += "\n";
}

void Printer::call(const CallStmt& c) {
  out_ += proc_name(*c.callee) + "(";
  exprs(c.args);
  out_ += ")\n";
}

void Printer::if_chain(const If& i, int level) {
  out_ += "if ";
  expr(i.cond);
  out_ += ":\n";
  body(i.then_body, level + 1);
  const If* rest = i.else_body.size() == 1 ? i.else_body[0].as<If>() : nullptr;
  if (rest) {
    line(level);
    out_ += "el";
    if_chain(*rest, level);
  } else if (!i.else_body.empty()) {
    line(level);
    out_ += "else:\n";
    body(i.else_body, level + 1);
  }
}

void Printer::stmt(const Stmt& s, int level) {
  line(level);
  switch (s.kind()) {
    case StmtKind::For: {
      const auto* f = s.as<For>();
      // The bounds are read outside the scope of the variable.
      std::string outer = std::move(out_);
      out_.clear();
      out_ += std::string(spelling(f->loop)) + "(";
      expr(f->lo, true);
      out_ += ", ";
      expr(f->hi, true);
      out_ += "):\n";
      std::string range = std::move(out_);
      out_ = std::move(outer);
      names_.open();
      out_ += "for " + names_.bind(f->var) + " in " + range;
      body(f->body, level + 1);
      names_.close();
      break;
    }
    case StmtKind::If:
      if_chain(*s.as<If>(), level);
      break;
    case StmtKind::Let: {
      const auto* l = s.as<Let>();
      std::string outer = std::move(out_);
      out_.clear();
      expr(l->value, true);
      std::string value = std::move(out_);
      out_ = std::move(outer);
      out_ += "let " + names_.bind(l->sym) + ": " + l->sym.type().name() + " = " + value + "\n";
      break;
    }
    case StmtKind::Alloc: {
      const auto* a = s.as<Alloc>();
      std::string outer = std::move(out_);
      out_.clear();
      exprs(a->shape);
      std::string shape = std::move(out_);
      out_ = std::move(outer);
      out_ += names_.bind(a->buffer) + ": " + a->buffer.type().name();
      if (!a->shape.empty()) out_ += "[" + shape + "]";
      out_ += " @ " + spell_name(a->memory) + "\n";
      break;
    }
    case StmtKind::Free:
      out_ += "free " + names_.name(s.as<Free>()->buffer) + "\n";
      break;
    case StmtKind::Store:
      store(*s.as<Store>(), level);
      break;
    case StmtKind::Call:
      call(*s.as<CallStmt>());
      break;
    case StmtKind::WindowStmt: {
      const auto* w = s.as<WindowStmt>();
      std::string outer = std::move(out_);
      out_.clear();
      window(*w->window.as<Window>(), false);
      std::string value = std::move(out_);
      out_ = std::move(outer);
      out_ += names_.bind(w->sym) + " = " + value + "\n";
      break;
    }
    case StmtKind::Check: {
      const auto* c = s.as<Check>();
      out_ += "check ";
      expr(c->cond);
      if (c->code != kUserCheckFailed) out_ += ", " + std::to_string(c->code);
      out_ += ", " + spell_string(c->message) + "\n";
      break;
    }
    case StmtKind::Pass:
      out_ += "pass\n";
      break;
  }
}

void Printer::body(const Body& body, int level) {
  if (body.empty()) {
    line(level);
    out_ += "...\n";
    return;
  }
  names_.open();
  for (const Stmt& s : body) stmt(s, level);
  names_.close();
}

void Printer::param(const Param& p) {
  const std::string& name = names_.bind(p.sym);
  std::string outer = std::move(out_);
  out_.clear();
  switch (p.kind) {
    case ParamKind::Size:
      out_ = "size";
      break;
    case ParamKind::Index:
    case ParamKind::Scalar:
      out_ = p.type().name();
      break;
    case ParamKind::Buffer:
      out_ = p.window ? "[" + p.type().name() + "][" : p.type().name() + "[";
      exprs(p.shape);
      out_ += "]";
      if (p.memory != "DRAM") out_ += " @ " + spell_name(p.memory);
      break;
  }
  out_ = outer + name + ": " + out_;
}

void Printer::header(const Proc& p) {
  if (p.instr) {
    out_ += "@instr(" + spell_string(p.instr->c_template);
    if (!p.instr->features.empty()) {
      std::string words;
      for (const std::string& f : p.instr->features) words += (words.empty() ? "" : " ") + f;
      out_ += ", features=" + spell_string(words);
    }
    if (!p.instr->c_global.empty()) out_ += ", global=" + spell_string(p.instr->c_global);
    out_ += ")\n";
  }
  std::string head = std::string(p.form == Form::Flat ? "flat def " : "def ") + proc_name(p) + "(";
  std::string before = std::move(out_);
  std::vector<std::string> params;
  for (const Param& q : p.params) {
    out_.clear();
    param(q);
    params.push_back(std::move(out_));
  }
  out_ = before + wrapped(head, params, p.mode == NumericMode::Strict ? ") strict:" : "):") + "\n";
}

void Printer::entry(const PipelineEntry& e) {
  line(1);
  out_ += "entry " + spell_name(e.pipeline) + ":\n";
  for (const EntryArg& a : e.args) {
    line(2);
    const std::string& name = names_.name(a.sym);
    if (a.kind == EntryArg::Kind::Scalar) {
      out_ += "scalar " + name;
      if (a.default_value) out_ += " = " + spell_default(*a.default_value, a.sym.type());
      if (a.range_min.defined() || a.range_max.defined()) {
        out_ += " in [";
        optional_expr(a.range_min);
        out_ += ", ";
        optional_expr(a.range_max);
        out_ += "]";
      }
      out_ += "\n";
      continue;
    }
    out_ += (a.kind == EntryArg::Kind::Input ? "input " : "output ") + name + ":\n";
    if (a.dims.empty()) {
      line(3);
      out_ += "...\n";
    }
    for (const EntryDim& d : a.dims) {
      auto carrier = [&](const Symbol& s) { return s.defined() ? names_.name(s) : "_"; };
      line(3);
      out_ += "dim(" + carrier(d.min) + ", " + carrier(d.extent) + ", " + carrier(d.stride) + ")";
      if (d.required_min.defined() || d.required_max.defined()) {
        out_ += " needs [";
        optional_expr(d.required_min);
        out_ += ", ";
        optional_expr(d.required_max);
        out_ += "]";
      }
      out_ += "\n";
    }
  }
  for (const EntryCheck& c : e.checks) {
    line(2);
    out_ += "check ";
    expr(c.cond);
    if (c.code != kUserCheckFailed) out_ += ", " + std::to_string(c.code);
    out_ += ", " + spell_string(c.message);
    if (c.argument.defined())
      out_ += ", " + names_.name(c.argument) + "[" + std::to_string(c.dimension) + "]";
    out_ += "\n";
  }
  if (e.args.empty() && e.checks.empty()) {
    line(2);
    out_ += "...\n";
  }
}

void Printer::proc(const Proc& p) {
  mode_ = p.mode;
  names_ = Names();
  block_funcs_ = Names();
  names_.open();
  header(p);
  if (p.entry) entry(*p.entry);
  for (const Expr& e : p.preconditions) {
    line(1);
    out_ += "assert ";
    expr(e);
    out_ += "\n";
  }
  body(p.body, 1);
  names_.close();
}

}  // namespace hocket::ir
