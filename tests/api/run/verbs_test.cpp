// Every operator of docs/rewrites.md as a verb of Proc; cursors through steps; what comes out.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/loop_programs.h"
#include "ir/equal.h"
#include "rewrite/registry.h"

namespace hocket {
namespace {

using testing::gemm;

TEST(Verbs, EveryOperatorIsAVerbOfItsSignature) {
  struct Verb {
    std::string name;
    size_t size;
  };
  const std::vector<Verb> verbs = {
#define HOCKET_OPERATOR(name, method, run, also, doc, ...) {#name, sizeof(&Proc::method)},
#include "rewrite/operators.def"
#undef HOCKET_OPERATOR
  };
  const std::vector<rewrite::Operator>& all = rewrite::all_operators();
  ASSERT_EQ(verbs.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(verbs[i].name, all[i].name);
  EXPECT_EQ(rewrite::find_operator("split")->signature,
            "loop, factor, names, tail=guard, perfect=False");
  EXPECT_EQ(rewrite::find_operator("simplify")->signature, "");
  EXPECT_EQ(rewrite::find_operator("interchange")->name, "reorder");
}

TEST(Verbs, ByNameAndByOtherNames) {
  const std::vector<std::string> names = {"io", "ii"};
  const Proc a = gemm().split("i", 8, names, Tail::Cut).unroll("ii");
  const Proc b = gemm()
                     .apply("divide_loop", {"i", 8, names, StepArgument("tail", Tail::Cut)})
                     .apply("unroll_loop", {"ii"});
  EXPECT_EQ(a.text(), b.text());
}

TEST(Verbs, AreValues) {
  const Proc p = gemm(), q = p.split("i", 4, {"io", "ii"});
  EXPECT_EQ(p.text(), testing::kGemm);
  EXPECT_EQ(q.origin().text(), p.text());
  EXPECT_EQ(q.trace().steps.size(), 1u);
  EXPECT_EQ(q.trace().steps[0].verdict, ir::Verdict::Proved);
  EXPECT_EQ(q.trace().steps[0].place.file, "verbs_test.cpp");
}

TEST(Cursors, MeanTheSameStatementInEveryProc) {
  const Proc p = gemm();
  const Cursor i = p.find_loop("i"), j = i.body()[0], k = j.body()[0], store = k.body()[0];
  EXPECT_EQ(store.pattern(), "C[_] += _");
  EXPECT_EQ(store.name(), "C");
  EXPECT_EQ(k.parent(), j);
  EXPECT_TRUE(k.is_loop());
  const Proc q = p.split(j, 4, {"jo", "ji"}, Tail::Cut).reorder("ji", "k");
  // j is the outer loop of the split now, and stands inside i.
  EXPECT_EQ(q.forward(j).name(), "jo");
  EXPECT_EQ(q.forward(j).next().name(), "ji");
  EXPECT_EQ(q.forward(j).next().pattern(), "ji #1");
  EXPECT_EQ(q.forward(j).next().prev(), j);
  EXPECT_EQ(q.find_all("C[_] += _").size(), 2u);
  EXPECT_EQ(q.find_all("C[_] += _")[1].text(),
            "C[i, M / 4 * 4 + ji] += A[i, k] * B[k, M / 4 * 4 + ji]\n");
  const Proc r = q.unroll(q.forward(j).body()[0].body()[0]);
  EXPECT_NE(r.trace_text().find("unroll(ji)"), std::string::npos) << r.trace_text();
  EXPECT_TRUE(ir::equal(*r.ir(), *p.replay(r.trace_text()).ir()));
  EXPECT_EQ(q.body()[0], i);
}

// What docs/language.md shows.
TEST(Cursors, AsInTheDocs) {
  const Proc p0 = gemm("M", "N");
  const Cursor k = p0.find_loop("k");
  const Proc p = p0.split("j", 16, {"jo", "ji"}, Tail::CutAndGuard).reorder("jo ji", "k");
  EXPECT_EQ(p.forward(k).parent().name(), "jo");
  EXPECT_EQ(p0.replay(p.trace_text()).text(), p.text());
  EXPECT_NE(p.apply("divide_loop", {"i", 4, std::vector<std::string>{"io", "ii"}}).text(),
            p.text());
}

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(Outcomes, ObjectHeaderAndC) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("hocket_api_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const Proc p = gemm();
  p.compile_to_object((folder / "gemm").string());
  EXPECT_NE(read(folder / "gemm.h").find("int32_t gemm(const hocket_context_t* context, int64_t N"),
            std::string::npos);
  EXPECT_EQ(read(folder / "gemm.o").substr(0, 4),
            "\x7f"
            "ELF");
  p.compile_to_c((folder / "gemm.c").string());
  EXPECT_EQ(read(folder / "gemm.c"), p.c_text());
  EXPECT_NE(p.c_text().find("for ("), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Outcomes, BuffersHaveTheLastIndexFirst) {
  ProcBuilder b("f");
  const Expr n = b.size("n"), m = b.size("m"), by = b.scalar("by", Float(32));
  const Tensor A = b.window_param("A", Float(32), {n, m}), total = b.tensor("total", Float(32), {});
  b.seq("i", 0, n, [&](Expr i) {
    b.seq("j", 0, m, [&](Expr j) {
      A[i][j] = by * cast<float>(i) + cast<float>(j);
      total += A[i][j];
    });
  });
  const Proc p = b.build();
  const Buffer<float> a(3, 2);  // A[0..1, 0..2]
  float total_of = 0;
  p.run(2, 3, 10, a, &total_of);
  EXPECT_EQ(a(2, 1), 12.0f);
  EXPECT_EQ(total_of, 36.0f);
  a.fill(0);
  total_of = 0;
  p.interpret(2, 3, 10.0f, a, &total_of);
  EXPECT_EQ(a(1, 1), 11.0f);
  EXPECT_EQ(total_of, 36.0f);
}

TEST(Outcomes, ACallableTakesBareAddresses) {
  const Callable code = gemm().compile_to_callable();
  int64_t one = 1, two = 2;
  float a[] = {2, 3}, b[] = {5, 7}, c[] = {1};
  void* args[] = {&one, &one, &two, a, b, c};
  EXPECT_EQ(code.call(args), 0);
  EXPECT_EQ(c[0], 32.0f);
}

}  // namespace
}  // namespace hocket
