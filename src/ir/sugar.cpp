#include "ir/sugar.h"

namespace hocket::ir {

Func repeat_edge(const ImageParam& image, std::string name, support::Place place) {
  Func f;
  Type type = image.sym.type();
  f.sym = Symbol::fresh(std::move(name), type, place);
  f.types = {type};
  f.place = f.pure.place = std::move(place);
  std::vector<Expr> at;
  for (size_t d = 0; d < image.dims.size(); ++d) {
    f.args.push_back(Symbol::fresh(image.dims[d], Type::index(), f.place));
    Expr x = make_var(f.args.back());
    f.pure.args.push_back(x);
    Expr min = make_buffer_field(image.sym, BufferFieldKind::Min, static_cast<int>(d));
    Expr extent = make_buffer_field(image.sym, BufferFieldKind::Extent, static_cast<int>(d));
    Expr last = min + extent - make_index(1);
    at.push_back(make_binary(BinaryOp::Min, make_binary(BinaryOp::Max, x, min), last));
  }
  f.pure.values = {make_call(image.sym, type, std::move(at))};
  return f;
}

}  // namespace hocket::ir
