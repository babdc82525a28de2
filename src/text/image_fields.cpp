#include "text/image_fields.h"

#include <algorithm>

#include "diag/kinds_parse.h"
#include "ir/read/elaborate.h"

namespace hocket::text {

using namespace ir::read;
using ir::Expr;

Result<Expr> image_field(const ir::ImageParam& image, const Syntax& s, const Source& source) {
  using ir::BufferFieldKind;
  const std::string& field = s[0].text;
  const std::string& name = image.sym.name();
  size_t given = s.items.size() - 1;
  auto refuse_count = [&](const char* wanted) {
    return diag::Diagnostic(diag::kind::wrong_count, source.place(s.spot))
        .arg("name", name + "." + field)
        .arg("wanted", wanted)
        .arg("of", "arguments")
        .arg("given", static_cast<int64_t>(given));
  };
  static constexpr const char* kSizes[] = {"width", "height", "channels"};
  for (int i = 0; i < 3; ++i) {
    if (field != kSizes[i]) continue;
    if (given != 0) return refuse_count("no");
    if (static_cast<size_t>(i) >= image.dims.size())
      return diag::Diagnostic(diag::kind::unknown_field, source.place(s[0].spot))
          .arg("name", name)
          .arg("field", field);
    return ir::make_buffer_field(image.sym, BufferFieldKind::Extent, i);
  }
  bool min = field == "min", extent = field == "extent", stride = field == "stride";
  if (!min && !extent && !stride) {
    diag::Diagnostic d = diag::Diagnostic(diag::kind::unknown_field, source.place(s[0].spot))
                             .arg("name", name)
                             .arg("field", field);
    did_you_mean(d, field, {"min", "extent", "stride", "width", "height", "channels"});
    return d;
  }
  if (given != 1) return refuse_count("1");
  std::optional<std::string> dim = s[1].path();
  auto at = dim ? std::find(image.dims.begin(), image.dims.end(), *dim) : image.dims.end();
  size_t index = static_cast<size_t>(at - image.dims.begin());
  if (s[1].kind == SyntaxKind::Integer) index = std::min<uint64_t>(s[1].integer, image.dims.size());
  if (index >= image.dims.size()) {
    diag::Diagnostic d = diag::Diagnostic(diag::kind::unknown_name, source.place(s[1].spot))
                             .arg("what", "dimension of `" + name + "`")
                             .arg("name", dim ? *dim : std::to_string(s[1].integer));
    if (dim) did_you_mean(d, *dim, image.dims);
    return d;
  }
  BufferFieldKind kind = min      ? BufferFieldKind::Min
                         : extent ? BufferFieldKind::Extent
                                  : BufferFieldKind::Stride;
  return ir::make_buffer_field(image.sym, kind, static_cast<int>(index));
}

}  // namespace hocket::text
