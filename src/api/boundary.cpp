#include "api/boundary.h"

#include "api/contents.h"

namespace hocket {

using support::Place;

namespace api {

Bounded::Bounded(const ImageParam& image, std::source_location at)
    : name(image.name()), dims(image.contents()->image.dims), where(at), image_{image} {
  for (int d = 0; d < image.dimensions(); ++d)
    box.emplace_back(image.min(d, at), image.extent(d, at));
}
Bounded::Bounded(const BufferBase& buffer, std::source_location at)
    : Bounded(input_of(buffer, at), at) {}
Bounded::Bounded(const Func& func, std::source_location at)
    : name(func.contents()->func.sym.name()), where(at), func_{func} {
  if (!func.defined()) refuse("`" + func.name() + "` is read before it is defined", Place::of(at));
  for (const Var& v : func.args()) dims.push_back(v.name());
}

Expr Bounded::read(const std::vector<Here>& at) const {
  return image_.empty() ? Expr(FuncRef(func_.front().contents(), at, where))
                        : image_.front().call(at);
}

namespace {

// Expressions that all stand where the boundary condition is said.
class At {
 public:
  explicit At(std::source_location where) : where_(where) {}
  Here operator()(Expr e) const { return Here(std::move(e), where_); }

 private:
  std::source_location where_;
};

// One coordinate and the interval that it is brought into.
struct Along {
  Here x, low, extent;
  At at;
  Here high() const { return at(at(low + extent) - at(1)); }
  Here clamped(const Here& v) const { return at(max(low, at(min(v, high())))); }
};

// The ends of a region are coordinates, whatever they were said with.
Here coordinate(const Expr& e, const At& at) {
  const Here h = at(e);
  return at(Expr(or_throw(ir::front_coordinate(e.operand(), Place::of(h.where)))));
}

// A definition over the dimensions of the source: `inside` gives the coordinate that is read for
// one, `value` what becomes of the value that is read.
template <class Inside, class Value>
Func around(const Bounded& source, const Region& region, const std::string& name, Inside&& inside,
            Value&& value) {
  const At at(source.where);
  if (region.size() > source.dims.size())
    refuse("a region of " + std::to_string(region.size()) + " dimensions is put around `" +
               source.name + "`, which has " + std::to_string(source.dims.size()),
           Place::of(source.where));
  std::vector<Var> vars;
  std::vector<Here> coordinates;
  std::vector<Along> bounded;
  for (size_t d = 0; d < source.dims.size(); ++d) {
    vars.emplace_back(source.dims[d], source.where);
    const bool given = d < region.size() && region[d].first.defined();
    if (d < region.size() && region[d].first.defined() != region[d].second.defined())
      refuse("dimension " + std::to_string(d) + " of a region has only one of min and extent",
             Place::of(source.where));
    if (!given) {
      coordinates.push_back(at(vars[d]));
      continue;
    }
    bounded.push_back(
        {at(vars[d]), coordinate(region[d].first, at), coordinate(region[d].second, at), at});
    coordinates.push_back(inside(bounded.back()));
  }
  Func f(name, source.where);
  f(vars, source.where) = at(value(at(source.read(coordinates)), bounded, at));
  return f;
}

Expr as_read(const Here& value, const std::vector<Along>&, const At&) {
  return value.value;
}

std::string edge_name(const Bounded& source, const std::string& given) {
  return given.empty() ? source.name + "_edge" : given;
}

const Region& own_box(const Bounded& source) {
  if (source.box.empty() && !source.dims.empty())
    refuse("a boundary condition of a Func takes a region: pairs of min and extent",
           Place::of(source.where));
  return source.box;
}

}  // namespace
}  // namespace api

namespace BoundaryConditions {

using api::Along;
using api::At;
using api::Bounded;

Func repeat_edge(const Bounded& source, const Region& region, const std::string& name) {
  return api::around(
      source, region, api::edge_name(source, name), [](const Along& a) { return a.clamped(a.x); },
      api::as_read);
}
Func repeat_edge(const Bounded& source) {
  return repeat_edge(source, api::own_box(source));
}
Func repeat_edge(const Bounded& source, support::Located<std::string> name) {
  return repeat_edge(source, api::own_box(source), name.value);
}

Func constant_exterior(const Bounded& source, Here value, const Region& region) {
  return api::around(
      source, region, api::edge_name(source, ""), [](const Along& a) { return a.clamped(a.x); },
      [&](const Here& read, const std::vector<Along>& along, const At& at) {
        Expr outside;
        for (const Along& a : along) {
          const Expr here = at(a.x < a.low) || at(a.x > a.high());
          outside = outside.defined() ? at(outside) || at(here) : here;
        }
        return outside.defined() ? select(at(outside), value, read) : read.value;
      });
}
Func constant_exterior(const Bounded& source, Here value) {
  return constant_exterior(source, std::move(value), api::own_box(source));
}

// Every coordinate is clamped at last, which changes none and says to bounds inference what is
// read.
Func repeat_image(const Bounded& source, const Region& region) {
  return api::around(
      source, region, api::edge_name(source, ""),
      [](const Along& a) {
        const At& at = a.at;
        return a.clamped(at(a.low + at(at(a.x - a.low) % a.extent)));
      },
      api::as_read);
}
Func repeat_image(const Bounded& source) {
  return repeat_image(source, api::own_box(source));
}

Func mirror_image(const Bounded& source, const Region& region) {
  return api::around(
      source, region, api::edge_name(source, ""),
      [](const Along& a) {
        const At& at = a.at;
        const Here twice = at(a.extent * at(2)), step = at(at(a.x - a.low) % twice),
                   back = at(at(twice - at(1)) - step);
        return a.clamped(at(a.low + at(min(step, back))));
      },
      api::as_read);
}
Func mirror_image(const Bounded& source) {
  return mirror_image(source, api::own_box(source));
}

Func mirror_interior(const Bounded& source, const Region& region) {
  return api::around(
      source, region, api::edge_name(source, ""),
      [](const Along& a) {
        const At& at = a.at;
        const Here twice = at(at(a.extent - at(1)) * at(2)), step = at(at(a.x - a.low) % twice),
                   back = at(twice - step);
        return a.clamped(at(a.low + at(min(step, back))));
      },
      api::as_read);
}
Func mirror_interior(const Bounded& source) {
  return mirror_interior(source, api::own_box(source));
}

}  // namespace BoundaryConditions

}  // namespace hocket
