#include "api/param.h"

#include "api/contents.h"
#include "support/strings.h"

namespace hocket {

using support::Place;

ImageParam::ImageParam(Type type, int dimensions, const std::string& name,
                       std::source_location where)
    : contents_(support::make_ref<api::ImageContents>()) {
  const Place place = Place::of(where);
  if (dimensions < 0 || dimensions > 8) refuse("an image has 0 to 8 dimensions", place);
  contents_->image.sym = ir::Symbol::fresh(name, type, place);
  contents_->image.place = place;
  const char* const names[] = {"x", "y", "c", "w", "d4", "d5", "d6", "d7"};
  for (int d = 0; d < dimensions; ++d) contents_->image.dims.push_back(names[d]);
}

Expr ImageParam::call(const std::vector<Here>& at) const {
  const Place place = Place::of(at.empty() ? std::source_location::current() : at.front().where);
  if (at.size() != contents_->image.dims.size())
    refuse("input `" + name() + "` has " +
               support::counted(static_cast<size_t>(dimensions()), "dimension") +
               " and is read with " + support::counted(at.size(), "coordinate"),
           place);
  std::vector<ir::Expr> args;
  for (const Here& h : at)
    args.push_back(or_throw(ir::front_coordinate(h.value.operand(), Place::of(h.where))));
  return Expr(ir::make_call(contents_->image.sym.with_payload(contents_), type(), std::move(args)));
}

namespace {

Expr field(const support::Ref<api::ImageContents>& c, ir::BufferFieldKind kind, int d,
           std::source_location where) {
  if (d < 0 || d >= static_cast<int>(c->image.dims.size()))
    refuse("input `" + c->image.sym.name() + "` has no dimension " + std::to_string(d),
           Place::of(where));
  return Expr(ir::make_buffer_field(c->image.sym.with_payload(c), kind, d));
}

}  // namespace

Expr ImageParam::min(int d, Where where) const {
  return field(contents_, ir::BufferFieldKind::Min, d, where);
}
Expr ImageParam::extent(int d, Where where) const {
  return field(contents_, ir::BufferFieldKind::Extent, d, where);
}
Expr ImageParam::stride(int d, Where where) const {
  return field(contents_, ir::BufferFieldKind::Stride, d, where);
}
int ImageParam::dimensions() const {
  return static_cast<int>(contents_->image.dims.size());
}
Type ImageParam::type() const {
  return contents_->image.sym.type();
}
const std::string& ImageParam::name() const {
  return contents_->image.sym.name();
}
Buffer<> ImageParam::get() const {
  return contents_->bound;
}

void ImageParam::set(const BufferBase& buffer, std::source_location where) {
  if (!buffer.defined())
    refuse("input `" + name() + "` is given a buffer that is not defined", Place::of(where));
  if (buffer.type() != type() || buffer.dimensions() != dimensions())
    refuse("input `" + name() + "` is " + type().name() + " with " + std::to_string(dimensions()) +
               " dimensions, it is given " + buffer.type().name() + " with " +
               std::to_string(buffer.dimensions()),
           Place::of(where));
  contents_->bound = buffer;
}

void ImageParam::reset() {
  contents_->bound = {};
}

ParamBase::ParamBase(Type type, const std::string& name, std::source_location where)
    : contents_(support::make_ref<api::ParamContents>()) {
  contents_->param.sym = ir::Symbol::fresh(name, type, Place::of(where));
  contents_->param.place = Place::of(where);
}
ParamBase::operator Expr() const {
  return Expr(ir::make_var(contents_->param.sym.with_payload(contents_)));
}
const std::string& ParamBase::name() const {
  return contents_->param.sym.name();
}
Type ParamBase::type() const {
  return contents_->param.sym.type();
}
void ParamBase::set_bytes(const void* value, size_t bytes) {
  contents_->bits = 0;
  std::memcpy(&contents_->bits, value, bytes);
  contents_->set = true;
}
void ParamBase::get_bytes(void* value, size_t bytes) const {
  std::memcpy(value, &contents_->bits, bytes);
}
void ParamBase::set_range(const Expr& min, const Expr& max, const Place&) {
  if (min.defined()) contents_->param.min = min.operand().expr;
  if (max.defined()) contents_->param.max = max.operand().expr;
}

}  // namespace hocket
