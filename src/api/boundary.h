// Boundary conditions: an image or Func that has a value at every coordinate.
//
// In: what is known inside a box (an ImageParam or Buffer with its own box, or anything with a
// region: pairs of min and extent, first dimension first). Out: a Func that reads nothing outside
// of the box. Dimensions that the region leaves out, or for which it has Expr() twice, are read as
// they are. Each is a plain definition over min, max, select and `%`. Used by: users, through
// hocket.h.
#pragma once

#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "api/func.h"

namespace hocket {

// One pair a dimension: min and extent.
using Region = std::vector<std::pair<Expr, Expr>>;

namespace api {

// What a boundary condition is put around.
class Bounded {
 public:
  Bounded(const ImageParam& image, std::source_location at = std::source_location::current());
  Bounded(const BufferBase& buffer, std::source_location at = std::source_location::current());
  Bounded(const Func& func, std::source_location at = std::source_location::current());

  std::string name;
  std::vector<std::string> dims;  // names of the coordinates
  Region box;                     // empty: a Func has no box of its own
  std::source_location where;
  Expr read(const std::vector<Here>& at) const;

 private:
  std::vector<ImageParam> image_;  // one of the two
  std::vector<Func> func_;
};

}  // namespace api

namespace BoundaryConditions {

// The nearest point of the box.
Func repeat_edge(const api::Bounded& source);
Func repeat_edge(const api::Bounded& source, support::Located<std::string> name);
Func repeat_edge(const api::Bounded& source, const Region& region, const std::string& name = "");
// The value outside of the box.
Func constant_exterior(const api::Bounded& source, Here value);
Func constant_exterior(const api::Bounded& source, Here value, const Region& region);
// The box, again and again beside itself.
Func repeat_image(const api::Bounded& source);
Func repeat_image(const api::Bounded& source, const Region& region);
// The same with every second box turned over: 0 1 2 2 1 0 0 1 2.
Func mirror_image(const api::Bounded& source);
Func mirror_image(const api::Bounded& source, const Region& region);
// The points at the edges are not repeated: 0 1 2 1 0 1 2.
Func mirror_interior(const api::Bounded& source);
Func mirror_interior(const api::Bounded& source, const Region& region);

}  // namespace BoundaryConditions

}  // namespace hocket
