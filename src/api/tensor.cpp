#include "api/tensor.h"

#include "api/loop_contents.h"
#include "diag/kinds_parse.h"
#include "ir/read/control.h"
#include "ir/visit.h"

namespace hocket {

using diag::Diagnostic;
using ir::StoreOp;
using support::Place;

namespace api {

bool ProcContents::sees(const ir::Symbol& s) const {
  for (const Open& o : open)
    if (o.binds.contains(s)) return true;
  return false;
}

void ProcContents::check_open(const Place& place) const {
  if (built) refuse("`" + proc.name() + "` is built; it takes no more statements", place);
}

void ProcContents::say(ir::Stmt s, const Place& place, const ir::Symbol& binds) {
  check_open(place);
  started = true;
  open.back().body.push_back(std::move(s));
  if (binds.defined()) open.back().binds.insert(binds);
}

void ProcContents::check_buffer(const ir::Symbol& s, const Place& place) const {
  if (!sees(s))
    throw Error(Diagnostic(diag::kind::unknown_name, place)
                    .arg("what", "buffer")
                    .arg("name", s.name())
                    .label(s.place(), "`" + s.name() + "` is made here"));
}

void ProcContents::check_names(const ir::Expr& e, const Place& place, bool early) const {
  ir::for_each(e, [&](const ir::Expr& n) {
    if (const auto* v = n.as<ir::VarRef>(); v && !sees(v->sym))
      throw Error(Diagnostic(diag::kind::unknown_name, place)
                      .arg("what", "variable")
                      .arg("name", v->sym.name())
                      .label(v->sym.place(), "`" + v->sym.name() + "` is made here"));
    if (const auto* l = n.as<ir::Load>()) {
      check_buffer(l->buffer, place);
      if (early)
        throw Error(Diagnostic(diag::kind::wrong_use, place)
                        .arg("name", l->buffer.name())
                        .arg("is", "a buffer")
                        .arg("used", "a value that is known before the proc runs"));
    }
    if (const auto* f = n.as<ir::BufferField>()) check_buffer(f->buffer, place);
    if (const auto* c = n.as<ir::Call>())
      throw Error(Diagnostic(diag::kind::wrong_use, place)
                      .arg("name", c->func.name())
                      .arg("is", "a Func or an image")
                      .arg("used", "a value in a loop program"));
  });
}

ir::Expr ProcContents::index(const Here& h, bool early) const {
  const Place place = Place::of(h.where);
  ir::Expr e = or_throw(ir::front_coordinate(operand_of(h), place));
  if (e.type().lanes != 1)
    throw Error(Diagnostic(diag::kind::not_a_coordinate, place).arg("given", e.type().name()));
  check_names(e, place, early);
  return e;
}

ir::Expr ProcContents::control(const Here& h, const std::string& what) const {
  ir::Expr e = index(h);
  or_throw(ir::read::check_control(e, what, Place::of(h.where)));
  return e;
}

ir::Expr ProcContents::condition(const Here& h, bool early) const {
  const Place place = Place::of(h.where);
  ir::Expr e = or_throw(ir::front_condition(operand_of(h), place));
  if (e.type().lanes != 1)
    throw Error(Diagnostic(diag::kind::condition_not_bool, place).arg("given", e.type().name()));
  check_names(e, place, early);
  return e;
}

ir::Expr ProcContents::value(const Here& h, Type type, const std::string& what) const {
  const Place place = Place::of(h.where);
  ir::Expr e = or_throw(ir::front_value(operand_of(h), type, place, what));
  check_names(e, place);
  return e;
}

}  // namespace api

namespace {

void check_rank(const TensorName& t, size_t given, const Place& place) {
  if (given == t.shape.size()) return;
  throw Error(Diagnostic(diag::kind::wrong_rank, place)
                  .arg("name", t.symbol.name())
                  .arg("wanted", static_cast<int64_t>(t.shape.size()))
                  .arg("of", t.shape.size() == 1 ? "dimension" : "dimensions")
                  .arg("given", static_cast<int64_t>(given)));
}

bool is_float_product(const ir::Expr& e) {
  const auto* b = e.as<ir::Binary>();
  return b && b->op == ir::BinaryOp::Mul && b->type.is_float();
}

// -e; of a product the first factor alone, so that the product can still be fused.
ir::Expr negated(const ir::Expr& e, const Place& place) {
  const bool product = is_float_product(e);
  const ir::Expr what = product ? e.as<ir::Binary>()->a : e;
  ir::Expr minus = or_throw(ir::front_unary(ir::UnaryOp::Neg, ir::FrontOperand{what},
                                            ir::NumericMode::Contract, place))
                       .expr;
  return product ? ir::make_binary(ir::BinaryOp::Mul, minus, e.as<ir::Binary>()->b) : minus;
}

}  // namespace

TensorRef TensorRef::operator[](support::Located<Slice> next) const {
  TensorRef out = *this;
  out.at_.push_back(std::move(next));
  if (out.at_.size() > tensor_.shape.size()) check_rank(tensor_, out.at_.size(), out.place());
  return out;
}

Place TensorRef::place() const {
  return at_.empty() ? Place() : Place::of(at_.back().where);
}

bool TensorRef::is_element() const {
  for (const support::Located<Slice>& s : at_)
    if (!s.value.is_point()) return false;
  return true;
}

size_t TensorRef::rank() const {
  size_t n = tensor_.shape.size() - at_.size();
  for (const support::Located<Slice>& s : at_) n += s.value.is_point() ? 0 : 1;
  return n;
}

std::vector<ir::Expr> TensorRef::indices(const Place& place) const {
  const Place at = place.known() ? place : this->place();
  tensor_.contents->check_buffer(tensor_.symbol, at);
  check_rank(tensor_, at_.size(), at);
  std::vector<ir::Expr> out;
  for (const support::Located<Slice>& s : at_) {
    if (!s.value.is_point())
      throw Error(Diagnostic(diag::kind::wrong_use, at)
                      .arg("name", tensor_.symbol.name())
                      .arg("is", "a window here")
                      .arg("used", "an element: windows stand only in calls and in window"));
    out.push_back(tensor_.contents->index(Here(s.value.lo(), s.where)));
  }
  return out;
}

ir::Expr TensorRef::window(const Place& place) const {
  tensor_.contents->check_buffer(tensor_.symbol, place);
  check_rank(tensor_, at_.size(), place);
  const std::string what = "a window of `" + tensor_.symbol.name() + "`";
  std::vector<ir::WindowDim> dims;
  for (size_t d = 0; d < at_.size(); ++d) {
    const Slice& s = at_[d].value;
    auto end = [&](const Expr& e, ir::Expr otherwise) {
      return e.defined() ? tensor_.contents->control(Here(e, at_[d].where), what)
                         : std::move(otherwise);
    };
    ir::WindowDim dim;
    dim.lo = end(s.lo(), ir::make_index(0));
    if (!s.is_point()) dim.hi = end(s.hi(), tensor_.shape[d]);
    dims.push_back(std::move(dim));
  }
  return ir::make_window(tensor_.symbol, tensor_.symbol.type(), std::move(dims));
}

void TensorRef::store(StoreOp op, const Here& value, bool minus, bool stream) const {
  const Place place = Place::of(value.where);
  api::ProcContents& c = *tensor_.contents;
  const Type type = tensor_.symbol.type();
  std::vector<ir::Expr> at = indices(place);
  if (op != StoreOp::Assign && type.is_bool())
    throw Error(Diagnostic(diag::kind::operator_undefined, place)
                    .arg("op", minus ? "-=" : ir::spelling(op))
                    .arg("type", "bool"));
  ir::Expr e = c.value(value, type, "the value of `" + tensor_.symbol.name() + "`");
  const bool fused = op == StoreOp::Add && is_float_product(e) && !api::operand_of(value).strict;
  if (minus) e = negated(e, place);
  const ir::Stmt s = ir::make_store(tensor_.symbol, std::move(at), e, op, {}, place);
  c.say(ir::edited<ir::Store>(s,
                              [&](ir::Store& n) {
                                n.fused = fused;
                                n.stream = stream;
                              }),
        place);
}

void TensorRef::operator=(Here value) const {
  store(StoreOp::Assign, value);
}
void TensorRef::operator=(const TensorRef& value) const {
  store(StoreOp::Assign, Here(value, at_.empty() ? std::source_location() : at_.back().where));
}
void TensorRef::operator+=(Here value) const {
  store(StoreOp::Add, value);
}
void TensorRef::operator-=(Here value) const {
  store(StoreOp::Add, value, true);
}
void TensorRef::operator*=(Here value) const {
  store(StoreOp::Mul, value);
}
void TensorRef::reduce_min(Here value) const {
  store(StoreOp::Min, value);
}
void TensorRef::reduce_max(Here value) const {
  store(StoreOp::Max, value);
}
void TensorRef::stream(Here value) const {
  store(StoreOp::Assign, value, false, true);
}

TensorRef::operator Expr() const {
  return Expr(ir::make_load(tensor_.symbol, tensor_.symbol.type(), indices({})));
}

void Tensor::operator=(const Tensor& value) const {
  element({}) = Here(Expr(value), std::source_location());
}

Expr Tensor::field(ir::BufferFieldKind kind, int d, std::source_location where) const {
  const Place place = Place::of(where);
  name_.contents->check_buffer(name_.symbol, place);
  if (d < 0 || static_cast<size_t>(d) >= name_.shape.size())
    throw Error(Diagnostic(diag::kind::wrong_rank, place)
                    .arg("name", name())
                    .arg("wanted", static_cast<int64_t>(name_.shape.size()))
                    .arg("of", "dimensions, numbered from 0")
                    .arg("given", "number " + std::to_string(d)));
  return Expr(ir::make_buffer_field(name_.symbol, kind, d));
}
Expr Tensor::extent(int d, std::source_location where) const {
  field(ir::BufferFieldKind::Extent, d, where);  // known here, with that dimension
  return Expr(name_.shape[static_cast<size_t>(d)]);
}
Expr Tensor::stride(int d, std::source_location where) const {
  return field(ir::BufferFieldKind::Stride, d, where);
}

}  // namespace hocket
