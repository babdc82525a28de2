#include "lower/loops/lowering.h"

#include "support/assert.h"

namespace hocket::lower::loops {

using namespace ir;

const FuncNest& Lowering::nest(const Symbol& func) const {
  for (const FuncNest& n : nests)
    if (n.func->sym == func) return n;
  HOCKET_ASSERT(false, "no nest for Func " + func.name());
}

FuncNest& Lowering::nest(const Symbol& func) {
  return const_cast<FuncNest&>(static_cast<const Lowering*>(this)->nest(func));
}

const EntryBuffer* Lowering::find_buffer(const Symbol& s) const {
  for (const EntryBuffer& b : buffers)
    if (b.buffer == s) return &b;
  return nullptr;
}

Expr bind_fields(const Lowering& l, const Expr& e) {
  return map_exprs(e, [&](const Expr& n) {
    const auto* f = n.as<BufferField>();
    if (!f) return n;
    const EntryBuffer* b = l.find_buffer(f->buffer);
    if (!b) return n;
    const auto& d = b->dims[static_cast<size_t>(f->dim)];
    switch (f->field) {
      case BufferFieldKind::Min:
        return make_var(d.min);
      case BufferFieldKind::Extent:
        return make_var(d.extent);
      case BufferFieldKind::Stride:
        return make_var(d.stride);
    }
    return n;
  });
}

}  // namespace hocket::lower::loops
