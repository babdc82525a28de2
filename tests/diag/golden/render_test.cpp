#include "diag/render.h"

#include <gtest/gtest.h>

#include "diag/kinds_schedule.h"
#include "testing/golden.h"

namespace hocket::diag {
namespace {

Diagnostic compute_at_refusal() {
  return Diagnostic(kind::compute_at_outside_user,
                    Place{"blur.cpp", 27, 0, 0, "    f.compute_at(h, x)"})
      .arg("func", "f")
      .arg("loop", "x")
      .arg("at", "h")
      .arg("user", [] { return std::string("g"); })
      .label(Place{"blur.cpp", 24, 0, 0, "g.compute_root();"}, "`g` placed here")
      .show_nest({"for y in h", "  for x in g:   g reads f          <- not inside h.x",
                  "  for x in h:   f would live here"},
                 2, 2)
      .witnessed("n=2: point (0, 1) of `f` is read before it exists")
      .help("place `f` where both users see it: f.compute_at(h, y)")
      .help("or place `g` deeper as well: g.compute_at(h, x)")
      .note("2 more legal places; `hocket explain S0412`");
}

TEST(RenderText, LooksLikeTheDocumentedExample) {
  EXPECT_GOLDEN("diag/golden/compute_at.txt", render_text(compute_at_refusal()));
}

TEST(RenderJson, HasEveryPartAsData) {
  EXPECT_GOLDEN("diag/golden/compute_at.json", render_json(compute_at_refusal(), true) + "\n");
}

}  // namespace
}  // namespace hocket::diag
