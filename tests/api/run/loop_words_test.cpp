// serial, rename and stream_stores from C++: the loop nest says what is meant, and the values are
// those of the Func without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hocket/hocket.h>

namespace hocket {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Table {
  Var x{"x"}, y{"y"}, row{"row"};
  Func f{"f"};
  Table() { f(x, y) = x * x - 7 * y; }
};

void expect_table(Table& t) {
  const Buffer<int32_t> out = t.f.realize({19, 5});
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 19; ++x) ASSERT_EQ(out(x, y), x * x - 7 * y) << x << ", " << y;
}

TEST(LoopWords, SerialLoopsRunInOrderBesideOthers) {
  Table plain, said;
  said.f.serial(said.y).parallel(said.x);
  EXPECT_THAT(said.f.loop_nest(), HasSubstr("for y in seq("));
  EXPECT_THAT(said.f.loop_nest(), HasSubstr("for x in parallel("));
  expect_table(said);
  plain.f.serial(plain.y).serial(plain.x);
  EXPECT_EQ(plain.f.loop_nest(), Table().f.loop_nest());
  expect_table(plain);
}

TEST(LoopWords, RenamedLoopsAreCalledByTheNewName) {
  Table t;
  t.f.rename(t.y, t.row).parallel(t.row);
  EXPECT_THAT(t.f.loop_nest(), HasSubstr("for row in parallel("));
  EXPECT_THAT(t.f.loop_nest(), Not(HasSubstr("for y in")));
  expect_table(t);
}

TEST(LoopWords, StreamedStoresStoreTheSame) {
  Table plain, streamed;
  expect_table(plain);
  EXPECT_THAT(plain.f.loop_nest(), Not(HasSubstr("stream ")));
  streamed.f.vectorize(streamed.x, 8, TailStrategy::GuardWithIf).stream_stores();
  EXPECT_THAT(streamed.f.loop_nest(), HasSubstr("stream f["));
  expect_table(streamed);
}

// Of one stage alone: the definition before an update is stored as usual.
TEST(LoopWords, AnUpdateStreamsByItself) {
  Table t;
  t.f(t.x, t.y) = t.f(t.x, t.y) + 1;
  t.f.update().rename(t.x, t.row).serial(t.row).stream_stores();
  const std::string nest = t.f.loop_nest();
  const size_t update = nest.find("for row in seq(");
  ASSERT_NE(update, std::string::npos) << nest;
  const size_t streamed = nest.find("stream f[");
  ASSERT_NE(streamed, std::string::npos) << nest;
  EXPECT_GT(streamed, update) << nest;
  EXPECT_EQ(Buffer<int32_t>(t.f.realize({19, 5}))(18, 4), 18 * 18 - 7 * 4 + 1);
}

}  // namespace
}  // namespace hocket
