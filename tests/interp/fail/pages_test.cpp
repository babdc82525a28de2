// The pages docs/errors/E*.md: the call that is refused is refused with that code, words and place
// (E0101, E0102, E0103, E0104, E0105, E0106), the repaired one has a value.
//
// A call is a block of lines: `input: i32 [0, 4)` gives an input, filled with ones, `n = i32 3` a
// parameter, `out: [0, 4)` says what is wanted of an output, `steps = 1000` the limit.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "diag/kind.h"
#include "diag/render.h"
#include "interp/evaluate.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::interp {
namespace {

std::string block(const std::string& page, const std::string& fence, size_t from = 0) {
  const size_t at = page.find(fence, from);
  if (at == std::string::npos) return {};
  const size_t start = page.find('\n', at) + 1;
  return page.substr(start, page.find("```", start) - start);
}

struct Call {
  Bindings bindings;
  std::vector<Region> regions;
  EvaluateOptions options;
};

ir::Scalar number(ir::Type type, int64_t value) {
  return ir::Scalar::of_int(type, value);
}

Call read_call(const std::string& text) {
  Call call;
  std::istringstream lines(text);
  std::string line, name, colon, word;
  while (std::getline(lines, line)) {
    for (char& c : line)
      if (c == '[' || c == ',' || c == ')') c = ' ';
    std::istringstream in(line);
    in >> name;
    int64_t value = 0;
    if (name.back() == ':') {
      name.pop_back();
      std::string type;
      if (std::isalpha(static_cast<unsigned char>((in >> std::ws).peek()))) in >> type;
      Region r;
      for (int64_t lo = 0, hi = 0; in >> lo >> hi;) {
        r.mins.push_back(lo);
        r.extents.push_back(hi - lo);
      }
      if (type.empty()) {
        call.regions.push_back(r);
        continue;
      }
      const ir::Type t = *ir::Type::parse(type);
      call.bindings.image(name, Tensor::of_box(t, r.mins, r.extents).fill(number(t, 1)));
    } else if (name == "steps") {
      in >> word >> call.options.step_limit;
    } else {
      in >> colon >> word >> value;
      call.bindings.scalar(name, number(*ir::Type::parse(word), value));
    }
  }
  return call;
}

diag::Result<std::vector<Tensor>> run(const std::string& program, const std::string& call) {
  HOCKET_TRY(text::File file, text::parse(program, "page.hk"));
  const Call c = read_call(call);
  return evaluate(*file.pipelines().at(0), c.bindings, c.regions, c.options);
}

struct Where {
  const char* code;
  const char* place;
};
// The parameter, the input, or the Func of which a point is wanted.
const Where kWhere[] = {{"E0101", "page.hk:1:31"}, {"E0102", "page.hk:1:16"},
                        {"E0103", "page.hk:2:5"},  {"E0104", "page.hk:2:5"},
                        {"E0105", "page.hk:3:5"},  {"E0106", "page.hk:3:5"}};

TEST(Pages, CallsBehaveAsTheySay) {
  size_t pages = 0;
  for (const diag::Kind& k : diag::all_kinds()) {
    const std::string code(k->code);
    if (!code.starts_with("E01")) continue;
    SCOPED_TRACE(code);
    std::ifstream in(hocket::testing::source_dir() + "/docs/errors/" + code + ".md");
    std::stringstream text;
    text << in.rdbuf();
    const std::string page = text.str();
    const std::string program = block(page, "```hk");
    const size_t repaired = page.find(", repaired");
    ASSERT_NE(repaired, std::string::npos);
    auto refused = run(program, block(page, "```evaluate refused=" + code));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind->code, code);
    EXPECT_EQ(block(page, "```\n"), "error[" + code + "]: " + refused.error().message() + "\n");
    ASSERT_LT(pages, std::size(kWhere));
    EXPECT_EQ(kWhere[pages].code, code);
    EXPECT_EQ(refused.error().place.spoken(), kWhere[pages].place);
    const std::string other = block(page, "```hk", repaired);
    auto good = run(other.empty() ? program : other, block(page, "```evaluate\n", repaired));
    EXPECT_TRUE(good.ok()) << diag::render_text(good.error());
    ++pages;
  }
  EXPECT_EQ(pages, std::size(kWhere));
}

}  // namespace
}  // namespace hocket::interp
