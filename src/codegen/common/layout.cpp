#include "codegen/common/layout.h"

#include "abi/hocket_abi.h"
#include "ir/expr.h"
#include "support/assert.h"

namespace hocket::codegen {

PipelineLayout layout_of(const ir::Proc& proc) {
  HOCKET_ASSERT(proc.entry != nullptr, "layout of a proc that is no pipeline");
  PipelineLayout layout;
  for (const ir::EntryArg& entry : proc.entry->args) {
    ArgumentLayout argument;
    argument.entry = &entry;
    argument.name = entry.sym.name();
    argument.type = entry.sym.type();
    argument.scalar_index = layout.num_scalars;
    if (entry.kind == ir::EntryArg::Kind::Scalar) {
      for (const ir::Param& param : proc.params) {
        argument.is_size |= param.sym == entry.sym && param.kind == ir::ParamKind::Size;
      }
      layout.num_scalars += 1;
    } else {
      argument.dimensions = static_cast<int>(entry.dims.size());
      argument.pointer_index = layout.num_pointers++;
      argument.region_index = layout.num_regions;
      layout.num_scalars += 3 * argument.dimensions;
      layout.num_regions += 2 * argument.dimensions;
    }
    layout.arguments.push_back(argument);
  }
  return layout;
}

int abi_type_code(ir::Type type) {
  switch (type.code) {
    case ir::TypeCode::Int:
    case ir::TypeCode::Index:
      return HOCKET_TYPE_INT;
    case ir::TypeCode::UInt:
      return HOCKET_TYPE_UINT;
    case ir::TypeCode::Float:
      return HOCKET_TYPE_FLOAT;
    case ir::TypeCode::BFloat:
      return HOCKET_TYPE_BFLOAT;
    case ir::TypeCode::Bool:
      return HOCKET_TYPE_BOOL;
  }
  HOCKET_UNREACHABLE("type code");
}

ArgumentRange constant_range(const ir::EntryArg& argument, ir::Type type) {
  ArgumentRange range;
  const auto read = [&](const ir::Expr& e, bool& has, int64_t& as_int, double& as_float) {
    if (!e.defined()) return;
    if (const auto* f = e.as<ir::FloatImm>()) {
      has = type.is_float();
      as_float = f->value;
    } else if (ir::is_int(e, &as_int)) {
      has = true;
      as_float = static_cast<double>(as_int);
    }
  };
  read(argument.range_min, range.has_min, range.min, range.fmin);
  read(argument.range_max, range.has_max, range.max, range.fmax);
  return range;
}

}  // namespace hocket::codegen
