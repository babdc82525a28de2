// The road test: the three-line matrix product becomes a blocked, packed kernel of instructions,
// step by step, each proved; the interpreter sees the same bits at tails and primes.
#include <fstream>
#include <sstream>

#include "ir/print.h"
#include "rewrite/support.h"
#include "testing/source_dir.h"

namespace hocket::rewrite::testing {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(hocket::testing::source_dir() + "/" + path);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

void check(const std::string& name) {
  auto file = text::parse(read("apps/gemm/gemm.hk"), "apps/gemm/gemm.hk");
  ASSERT_TRUE(file.ok()) << file.error().message() << " line " << file.error().place.line;
  const ir::Trace* trace = file->trace(name);
  ASSERT_TRUE(trace);
  Library library;
  const auto x86 = text::parse(read("targets/x86.hk"), "targets/x86.hk");
  ASSERT_TRUE(x86.ok()) << x86.error().message();
  library.procs = file->procs();
  for (const auto& instruction : x86->procs()) library.procs.push_back(instruction);
  State state = State::begin(file->proc(trace->proc), trace->name);
  const bool show = std::getenv("HOCKET_SHOW") != nullptr;
  for (const ir::TraceStep& s : trace->steps) {
    auto next = apply(state, s, library);
    if (!next.ok()) {
      std::string text = ir::to_text(*state.proc());
      FAIL() << ir::to_text(s) << " line " << s.place.line << ": " << next.error().message() << "\n"
             << text.substr(text.rfind("def "));
    }
    state = std::move(next).value();
  }
  if (show) {
    std::string text = ir::to_text(*state.proc());
    puts(text.substr(text.rfind("def ")).c_str());
    puts(ir::to_text(state.trace()).c_str());
  }
  Applied a{file->proc(trace->proc), state.proc(), "", state.trace()};
  expect_same(
      a, {{1, 1, 1}, {7, 17, 5}, {6, 16, 4}, {13, 67, 9}, {12, 64, 1}, {25, 33, 3}, {3, 70, 2}});
}

TEST(Gemm, Avx2) {
  check("avx2");
}
TEST(Gemm, Avx512) {
  check("avx512");
}

}  // namespace
}  // namespace hocket::rewrite::testing
