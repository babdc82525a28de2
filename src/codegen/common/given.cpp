#include "codegen/common/given.h"

#include "abi/hocket_abi.h"

namespace hocket::codegen {

namespace {

// `bound` compares a min or an extent with ==, a tile that has to fit an extent with >=, both on
// the left.
ir::Symbol asked(const ir::EntryCheck& check) {
  const ir::Expr* e = &check.cond;
  const ir::Binary* last = nullptr;
  while (const auto* b = e->as<ir::Binary>()) {
    last = b;
    e = &b->a;
  }
  const auto* v = e->as<ir::VarRef>();
  if (v == nullptr || last == nullptr) return {};
  const bool tile = check.code == HOCKET_ERROR_BUFFER_TOO_SMALL && last->op == ir::BinaryOp::Ge;
  const bool bound = check.code == HOCKET_ERROR_CONSTRAINT_VIOLATED && last->op == ir::BinaryOp::Eq;
  return tile || bound ? v->sym : ir::Symbol();
}

}  // namespace

std::optional<GivenDim> given_dim(const ir::PipelineEntry& entry, const ir::EntryCheck& check) {
  const ir::Symbol symbol = asked(check);
  if (!symbol.defined()) return std::nullopt;
  for (size_t a = 0; a < entry.args.size(); ++a) {
    const std::vector<ir::EntryDim>& dims = entry.args[a].dims;
    for (size_t d = 0; d < dims.size(); ++d)
      if (symbol == dims[d].min || symbol == dims[d].extent) return GivenDim{a, d};
  }
  return std::nullopt;
}

}  // namespace hocket::codegen
