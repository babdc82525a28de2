#include "codegen/c/loops.h"

#include <algorithm>

#include "codegen/c/windows.h"
#include "codegen/common/words.h"
#include "diag/kinds_codegen.h"
#include "ir/visit.h"
#include "support/assert.h"
#include "support/strings.h"

namespace hocket::codegen {

namespace {

constexpr int64_t kStackBytes = 16 << 10;  // a local array larger than this lives on the heap

ir::Expr product(const std::vector<ir::Expr>& shape, size_t from) {
  ir::Expr p = ir::make_index(1);
  for (size_t d = from; d < shape.size(); ++d) {
    p = ir::is_int_equal(p, 1) ? shape[d] : p * shape[d];
  }
  return p;
}

std::optional<int64_t> constant_count(const std::vector<ir::Expr>& shape) {
  int64_t count = 1;
  for (const ir::Expr& e : shape) {
    int64_t n = 0;
    if (!ir::is_int(e, &n) || n < 0 || n > (int64_t{1} << 40)) return std::nullopt;
    if (__builtin_mul_overflow(count, n, &count)) return std::nullopt;
  }
  return count;
}

}  // namespace

bool may_fail(const ir::Body& body) {
  bool found = false;
  ir::for_each_stmt(body, [&](const ir::Stmt& s) {
    if (const auto* a = s.as<ir::Alloc>()) {
      const target::Memory* m = target::find_memory(a->memory);
      const target::Placement p = m != nullptr ? m->placement : target::Placement::Heap;
      const auto count = constant_count(a->shape);
      const bool large = count && *count * a->buffer.type().bytes() > kStackBytes;
      // Where a size is the caller's affair, there is no frame to put the buffer in.
      if (p != target::Placement::Register)
        found |= !count || (large && p != target::Placement::Stack);
    }
    if (const auto* loop = s.as<ir::For>()) found |= loop->loop == ir::LoopKind::Parallel;
    if (s.kind() == ir::StmtKind::Check) found = true;
    if (const auto* c = s.as<ir::CallStmt>())
      found |= !c->callee->instr && may_fail(c->callee->body);
    return !found;
  });
  return found;
}

void LoopBody::refuse(const ir::Symbol& at, const std::string& why) {
  if (callees_.refusal.has_value()) return;
  callees_.refusal =
      diag::Diagnostic(diag::kind::no_c_text, at.place()).arg("proc", pipeline_).arg("why", why);
}

void LoopBody::add_param(const ir::Param& p) {
  if (p.kind != ir::ParamKind::Buffer) return;
  Buffer b;
  b.shape = p.shape;
  b.kind = p.shape.empty() ? Kind::Pointer : p.window ? Kind::Window : Kind::Dense;
  const target::Memory* m = target::find_memory(p.memory);
  if (m != nullptr && m->placement == target::Placement::Register) {
    refuse(p.sym, "its parameter `" + p.sym.name() + "` is a register");
  }
  buffers_[p.sym] = b;
}

CText LoopBody::element(const ir::Symbol& s, const std::vector<ir::Expr>& indices) {
  const Buffer& b = buffer(s);
  const std::string& name = names_.of(s);
  switch (b.kind) {
    case Kind::Variable:
      return {name, CText::Primary};
    case Kind::Pointer:
      return {"*" + name, CText::Unary};
    case Kind::Register: {
      std::string text = name;
      for (size_t d = 0; d + 1 < indices.size(); ++d) text += "[" + this->text(indices[d]) + "]";
      return {text, CText::Primary};
    }
    case Kind::Window: {
      CText sum;
      for (size_t d = 0; d < indices.size(); ++d) {
        if (ir::is_int_equal(indices[d], 0)) continue;
        const CText term{expr(indices[d]).in(CText::Product) + " * " + stride(s, d),
                         CText::Product};
        sum = sum.text.empty() ? term : apply(ir::BinaryOp::Add, ir::Type::index(), sum, term);
      }
      return {name + ".data[" + (sum.text.empty() ? "0" : sum.text) + "]", CText::Primary};
    }
    case Kind::Dense:
      break;
  }
  ir::Expr at = indices[0];
  for (size_t d = 1; d < indices.size(); ++d) {
    if (!ir::is_int_equal(at, 0)) at = at * b.shape[d];
    if (ir::is_int_equal(at, 0)) {
      at = indices[d];
    } else if (!ir::is_int_equal(indices[d], 0)) {
      at = at + indices[d];
    }
  }
  return {name + "[" + text(at) + "]", CText::Primary};
}

std::string LoopBody::address(const ir::Symbol& s, const std::vector<ir::Expr>& indices) {
  const Buffer& b = buffer(s);
  if (b.kind == Kind::Pointer) return names_.of(s);
  return "&" + element(s, indices).text;
}

std::string LoopBody::stride(const ir::Symbol& s, size_t dim) {
  const Buffer& b = buffer(s);
  if (b.kind == Kind::Window) return names_.of(s) + ".strides[" + std::to_string(dim) + "]";
  return expr(product(b.shape, dim + 1)).in(CText::Product);
}

CText LoopBody::load(const ir::Load& e) {
  if (buffer(e.buffer).kind == Kind::Register) {
    refuse(e.buffer, "`" + e.buffer.name() + "` is a register, which only instructions read");
  }
  return element(e.buffer, e.indices);
}

CText LoopBody::field(const ir::BufferField& e) {
  return {stride(e.buffer, static_cast<size_t>(e.dim)), CText::Product};
}

void LoopBody::alloc(const ir::Alloc& s) {
  const ir::Type t = s.buffer.type();
  const target::Memory* m = target::find_memory(s.memory);
  Buffer b;
  b.shape = s.shape;
  const std::string name = names_.of(s.buffer);
  if (m != nullptr && m->placement == target::Placement::Register) {
    b.kind = Kind::Register;
    b.element = m->element(t);
    if (b.element == nullptr || s.shape.empty() ||
        !ir::is_int_equal(s.shape.back(), b.element->lanes)) {
      refuse(s.buffer, "`" + s.buffer.name() + "` is no whole number of registers of " + s.memory);
      buffers_[s.buffer] = b;
      return;
    }
    std::string text = std::string(b.element->c_type) + " " + name;
    for (size_t d = 0; d + 1 < s.shape.size(); ++d) text += "[" + this->text(s.shape[d]) + "]";
    out_.line(text + ";");
    buffers_[s.buffer] = b;
    return;
  }
  if (s.shape.empty()) {
    b.kind = Kind::Variable;
    buffers_[s.buffer] = b;
    out_.line(c_type(t) + " " + name + " = 0;");
    return;
  }
  buffers_[s.buffer] = b;
  const auto count = constant_count(s.shape);
  const bool must = m != nullptr && m->placement == target::Placement::Stack;
  if (count && (must || *count * t.bytes() <= kStackBytes)) {
    out_.line("_Alignas(64) " + c_type(t) + " " + name + "[" + text(product(s.shape, 0)) + "]" +
              array_start(t));
    return;
  }
  take_heap(s.buffer, c_type(t), ir::substitute(product(s.shape, 0), lets_), t.bytes());
}

void LoopBody::store(const ir::Store& s) {
  const ir::Type t = s.value.type();
  if (buffer(s.buffer).kind == Kind::Register) {
    refuse(s.buffer, "`" + s.buffer.name() + "` is a register, which only instructions write");
  }
  const CText to = element(s.buffer, s.indices);
  const bool plain = t.is_float() && t.bits >= 32;
  if (s.op == ir::StoreOp::Assign) {
    out_.line(to.text + " = " + text(s.value) + ";");
    return;
  }
  const auto* product = s.value.as<ir::Binary>();
  if (s.op == ir::StoreOp::Add && s.fused && product != nullptr) {
    out_.line(to.text + " = " + helpers_.fma(t) + "(" + text(product->a) + ", " + text(product->b) +
              ", " + to.text + ");");
    return;
  }
  if (plain && (s.op == ir::StoreOp::Add || s.op == ir::StoreOp::Mul)) {
    out_.line(to.text + (s.op == ir::StoreOp::Add ? " += " : " *= ") + text(s.value) + ";");
    return;
  }
  const ir::BinaryOp op = s.op == ir::StoreOp::Add   ? ir::BinaryOp::Add
                          : s.op == ir::StoreOp::Mul ? ir::BinaryOp::Mul
                          : s.op == ir::StoreOp::Min ? ir::BinaryOp::Min
                                                     : ir::BinaryOp::Max;
  out_.line(to.text + " = " + apply(op, t, to, expr(s.value)).text + ";");
}

std::vector<ir::Expr> LoopBody::corner(const ir::Expr& arg, ir::Symbol& root,
                                       std::vector<size_t>& kept) {
  std::vector<ir::Expr> indices;
  if (const auto* w = arg.as<ir::Window>()) {
    root = w->buffer;
    for (size_t d = 0; d < w->dims.size(); ++d) {
      indices.push_back(w->dims[d].lo);
      if (!w->dims[d].is_point()) kept.push_back(d);
    }
    return indices;
  }
  const auto* var = arg.as<ir::VarRef>();
  HOCKET_ASSERT(var != nullptr, "a buffer argument that names no buffer");
  root = var->sym;
  for (size_t d = 0; d < buffer(root).shape.size(); ++d) {
    indices.push_back(ir::make_index(0));
    kept.push_back(d);
  }
  return indices;
}

// {arg}, {arg_data}, {arg_ptr} of the template.
void LoopBody::instruction(const ir::CallStmt& s) {
  const ir::Proc& callee = *s.callee;
  std::unordered_map<std::string, std::string> words;
  for (size_t i = 0; i < callee.params.size(); ++i) {
    const ir::Param& p = callee.params[i];
    const std::string& name = p.sym.name();
    if (p.kind != ir::ParamKind::Buffer) {
      words[name] = expr(s.args[i]).in(CText::Primary);
      continue;
    }
    ir::Symbol root;
    std::vector<size_t> kept;
    const std::vector<ir::Expr> first = corner(s.args[i], root, kept);
    words[name + "_data"] = element(root, first).in(CText::Primary);
    words[name + "_ptr"] = address(root, first);
    words[name] = words[name + "_ptr"];
  }
  std::string text;
  const std::string& from = callee.instr->c_template;
  for (size_t i = 0; i < from.size();) {
    const size_t end = from[i] == '{' ? from.find('}', i) : std::string::npos;
    const std::string inside =
        end == std::string::npos ? std::string() : from.substr(i + 1, end - i - 1);
    const auto word = words.find(inside);
    // Braces of C hold more than a name, or less: `{0}`, `{ x }`.
    if (word == words.end() && is_c_identifier(inside)) {
      refuse(callee.sym, "the C text of `" + callee.name() + "` has `{" + inside +
                             "}`, which no parameter gives");
      return;
    }
    if (word == words.end()) {
      text += from[i++];
    } else {
      text += word->second;
      i = end + 1;
    }
  }
  file_.include(callee.instr->c_global);
  // What the text of several statements declares is its own, also where it stands twice.
  const std::vector<std::string> lines = support::split_lines(text);
  const bool several = lines.size() > 1 || std::count(from.begin(), from.end(), ';') > 1;
  if (several) out_.block();
  for (const std::string& line : lines) out_.line(line);
  if (several) out_.close();
}

std::string LoopBody::buffer_argument(const ir::Param& p, const ir::Expr& arg) {
  ir::Symbol root;
  std::vector<size_t> kept;
  const std::vector<ir::Expr> first = corner(arg, root, kept);
  if (buffer(root).kind == Kind::Register) {
    refuse(root, "`" + root.name() + "` is a register, which only instructions take");
  }
  const bool whole = arg.as<ir::VarRef>() != nullptr;
  if (p.window && !p.shape.empty()) {
    if (whole && buffer(root).kind == Kind::Window) return names_.of(root);
    std::vector<std::string> strides;
    for (const size_t d : kept) strides.push_back(stride(root, d));
    return "(" + c_window_type(p.type(), p.shape.size()) + "){" + address(root, first) + ", {" +
           support::join(strides, ", ") + "}}";
  }
  if (whole && buffer(root).kind == Kind::Dense) return names_.of(root);
  return address(root, first);
}

void LoopBody::call(const ir::CallStmt& s) {
  if (s.callee->instr) {
    if (s.callee->instr->c_template.empty()) {
      refuse(s.callee->sym, "instruction `" + s.callee->name() + "` has no C text");
      return;
    }
    return instruction(s);
  }
  const std::string name = c_callee(file_, callees_, *s.callee);
  std::vector<std::string> args = {"context"};
  for (size_t i = 0; i < s.callee->params.size(); ++i) {
    const ir::Param& p = s.callee->params[i];
    args.push_back(p.kind == ir::ParamKind::Buffer ? buffer_argument(p, s.args[i])
                                                   : text(s.args[i]));
  }
  const std::string line = name + "(" + support::join(args, ", ") + ")";
  if (!may_fail(s.callee->body)) {
    out_.line(line + ";");
    return;
  }
  out_.block();
  out_.line("const int32_t failed = " + line + ";");
  out_.open("if (failed)");
  leave("failed");
  out_.close();
  out_.close();
}

std::unique_ptr<CBody> LoopBody::for_task(CNames& names) {
  auto task = std::make_unique<LoopBody>(file_, names, facts_, pipeline_, callees_);
  task->buffers_ = buffers_;
  task->zeros_ = zeros_;
  // A variable outside is a pointer inside.
  for (auto& [symbol, b] : task->buffers_) {
    if (b.kind == Kind::Variable) b.kind = Kind::Pointer;
  }
  return task;
}

std::string LoopBody::buffer_field(const ir::Symbol& s) {
  const Buffer& b = buffer(s);
  if (b.kind == Kind::Register) refuse(s, "`" + s.name() + "` is a register used by other threads");
  if (b.kind == Kind::Window) return c_window_type(s.type(), b.shape.size());
  return c_type(s.type()) + "*";
}

std::string LoopBody::buffer_value(const ir::Symbol& s) {
  return (buffer(s).kind == Kind::Variable ? "&" : "") + names_.of(s);
}

// A dense buffer is indexed by its shape.
std::vector<ir::Symbol> LoopBody::buffer_needs(const ir::Symbol& s) {
  std::vector<ir::Symbol> needs;
  if (buffer(s).kind != Kind::Dense) return needs;
  for (size_t d = 1; d < buffer(s).shape.size(); ++d) {
    ir::for_each(buffer(s).shape[d], [&](const ir::Expr& e) {
      if (const auto* var = e.as<ir::VarRef>()) needs.push_back(var->sym);
    });
  }
  return needs;
}

}  // namespace hocket::codegen
