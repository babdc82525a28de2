#include "codegen/c/flat.h"

#include "support/assert.h"

namespace hocket::codegen {

std::string c_memory_type(ir::Type t) {
  return t.is_bool() ? "uint8_t" : c_type(t.element());
}

std::string FlatBody::data(const ir::Symbol& buffer) {
  return names_.of(buffer) + (windows_.contains(buffer) ? ".data" : "");
}

std::string FlatBody::element(const ir::Symbol& buffer, const ir::Expr& index) {
  return data(buffer) + "[" + text(index) + "]";
}

CText FlatBody::loaded(const ir::Symbol& buffer, ir::Type t, const ir::Expr& index,
                       const ir::Expr& predicate) {
  const auto* ramp = index.as<ir::Ramp>();
  if (!t.is_vector()) {
    CText at{element(buffer, index), CText::Primary};
    if (t.is_bool()) at = {"(" + at.text + " != 0)", CText::Primary};
    if (predicate.defined()) {
      at = {expr(predicate).in(CText::Sum) + " ? " + at.text + " : 0", CText::Loose};
    }
    return at;
  }
  const bool masked = predicate.defined();
  if (ramp != nullptr && (!masked || ir::is_int_equal(ramp->stride, 1))) {
    const std::string from = "&" + element(buffer, ramp->base);
    if (masked) {
      return {helpers_.load_masked(t) + "(" + from + ", " + text(predicate) + ")", CText::Primary};
    }
    if (ir::is_int_equal(ramp->stride, 1)) {
      return {helpers_.load(t) + "(" + from + ")", CText::Primary};
    }
    return {helpers_.load_strided(t) + "(" + from + ", " + text(ramp->stride) + ")",
            CText::Primary};
  }
  std::string args = data(buffer) + ", " + text(index);
  if (masked) args += ", " + text(predicate);
  return {helpers_.gather(t, masked) + "(" + args + ")", CText::Primary};
}

CText FlatBody::load(const ir::Load& e) {
  HOCKET_ASSERT(e.indices.size() == 1, "a load that is not in flat form: " + e.buffer.name());
  return loaded(e.buffer, e.type, e.indices[0], e.predicate);
}

CText FlatBody::field(const ir::BufferField& e) {
  HOCKET_ASSERT(windows_.contains(e.buffer),
                "a stride of " + e.buffer.name() + ", which is no window");
  return {names_.of(e.buffer) + ".strides[" + std::to_string(e.dim) + "]", CText::Primary};
}

void FlatBody::alloc(const ir::Alloc& s) {
  int64_t extent = 1;
  const bool constant = s.shape.empty() || ir::is_int(s.shape[0], &extent);
  const std::string type = c_memory_type(s.buffer.type());
  if (constant && s.memory != "heap") {
    out_.line("_Alignas(64) " + type + " " + names_.of(s.buffer) + "[" +
              std::to_string(std::max<int64_t>(extent, 1)) + "]" + array_start(s.buffer.type()));
    return;
  }
  take_heap(s.buffer, type, s.shape.empty() ? ir::make_index(1) : s.shape[0],
            s.buffer.type().bytes());
}

void FlatBody::store(const ir::Store& s) {
  const ir::Type t = s.value.type();
  const ir::Expr& index = s.indices[0];
  CText value = expr(s.value);
  if (s.op != ir::StoreOp::Assign) {
    const CText old = loaded(s.buffer, t, index, s.predicate);
    const auto* product = s.value.as<ir::Binary>();
    if (s.op == ir::StoreOp::Add && s.fused && product != nullptr) {
      value = {helpers_.fma(t) + "(" + text(product->a) + ", " + text(product->b) + ", " +
                   old.text + ")",
               CText::Primary};
    } else {
      const ir::BinaryOp op = s.op == ir::StoreOp::Add   ? ir::BinaryOp::Add
                              : s.op == ir::StoreOp::Mul ? ir::BinaryOp::Mul
                              : s.op == ir::StoreOp::Min ? ir::BinaryOp::Min
                                                         : ir::BinaryOp::Max;
      value = apply(op, t, old, value);
    }
  }
  const bool masked = s.predicate.defined();
  if (!t.is_vector()) {
    const std::string line = element(s.buffer, index) + " = " + value.text + ";";
    out_.line(masked ? "if (" + text(s.predicate) + ") " + line : line);
    return;
  }
  const auto* ramp = index.as<ir::Ramp>();
  if (ramp != nullptr && ir::is_int_equal(ramp->stride, 1)) {
    const std::string to = "&" + element(s.buffer, ramp->base);
    out_.line(masked ? helpers_.store_masked(t) + "(" + to + ", " + value.text + ", " +
                           text(s.predicate) + ");"
                     : helpers_.store(t) + "(" + to + ", " + value.text + ");");
  } else if (ramp != nullptr && !masked) {
    out_.line(helpers_.store_strided(t) + "(&" + element(s.buffer, ramp->base) + ", " +
              text(ramp->stride) + ", " + value.text + ");");
  } else {
    out_.line(helpers_.scatter(t, masked) + "(" + data(s.buffer) + ", " + text(index) + ", " +
              value.text + (masked ? ", " + text(s.predicate) : "") + ");");
  }
}

std::unique_ptr<CBody> FlatBody::for_task(CNames& names) {
  auto task = std::make_unique<FlatBody>(file_, names, facts_, pipeline_);
  task->windows_ = windows_;
  task->zeros_ = zeros_;
  return task;
}

std::string FlatBody::buffer_field(const ir::Symbol& buffer) {
  const auto at = windows_.find(buffer);
  if (at != windows_.end()) return c_window_type(buffer.type(), at->second);
  return c_memory_type(buffer.type()) + "*";
}

}  // namespace hocket::codegen
