#include "analysis/factors.h"

namespace hocket::analysis {

using namespace ir;

void factors_of(const Expr& atom, std::vector<Expr>& out) {
  const auto* b = atom.as<Binary>();
  if (b && b->op == BinaryOp::Mul) {
    factors_of(b->a, out);
    factors_of(b->b, out);
  } else {
    out.push_back(atom);
  }
}

}  // namespace hocket::analysis
