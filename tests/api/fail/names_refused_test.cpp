// What Halide's names refuse here, at the line of the call.
#include "api/refused.h"

namespace hocket {
namespace {

using ::testing::HasSubstr;
using testing::refused;

// Every question that a Buffer answers, asked of one that was made of nothing.
TEST(NamesFail, ABufferMadeOfNothing) {
  Buffer<int32_t> b;
  const Buffer<int32_t> other(4, 3);
  const char* words = "a Buffer that was made of nothing is used";
  EXPECT_FALSE(b.defined());
  EXPECT_REFUSED(b.name(), "D0203", words);
  EXPECT_REFUSED(b.set_name("b"), "D0203", words);
  EXPECT_REFUSED(b.dimensions(), "D0203", words);
  EXPECT_REFUSED(b.type(), "D0203", words);
  EXPECT_REFUSED(b.dim(0), "D0203", words);
  EXPECT_REFUSED(b.min(0), "D0203", words);
  EXPECT_REFUSED(b.extent(0), "D0203", words);
  EXPECT_REFUSED(b.stride(0), "D0203", words);
  EXPECT_REFUSED(b.width(), "D0203", words);
  EXPECT_REFUSED(b.height(), "D0203", words);
  EXPECT_REFUSED(b.channels(), "D0203", words);
  EXPECT_REFUSED(b.left(), "D0203", words);
  EXPECT_REFUSED(b.right(), "D0203", words);
  EXPECT_REFUSED(b.top(), "D0203", words);
  EXPECT_REFUSED(b.bottom(), "D0203", words);
  EXPECT_REFUSED(b.number_of_elements(), "D0203", words);
  EXPECT_REFUSED(b.size_in_bytes(), "D0203", words);
  EXPECT_REFUSED(b.set_min(1, 2), "D0203", words);
  EXPECT_REFUSED(b.translate(0, 1), "D0203", words);
  EXPECT_REFUSED(b.translate({1, 1}), "D0203", words);
  EXPECT_REFUSED(b.crop(0, 0, 1), "D0203", words);
  EXPECT_REFUSED(b.crop({{0, 1}}), "D0203", words);
  EXPECT_REFUSED(b.transpose(0, 1), "D0203", words);
  EXPECT_REFUSED(b.transpose({1, 0}), "D0203", words);
  EXPECT_REFUSED(b.slice(0), "D0203", words);
  EXPECT_REFUSED(b.raw_buffer(), "D0203", words);
  EXPECT_REFUSED(b.data(), "D0203", words);
  EXPECT_REFUSED(b.begin(), "D0203", words);
  EXPECT_REFUSED(b.end(), "D0203", words);
  EXPECT_REFUSED(b(0, 0), "D0203", words);
  EXPECT_REFUSED(b(), "D0203", words);
  EXPECT_REFUSED(b.fill(1), "D0203", words);
  EXPECT_REFUSED(b.copy(), "D0203", words);
  EXPECT_REFUSED(b.cropped(0, 0, 1), "D0203", words);
  EXPECT_REFUSED(b.copy_from(other), "D0203", words);
  EXPECT_REFUSED(other.copy_from(b), "D0203", words);
  EXPECT_REFUSED(Buffer<int32_t>::make_with_shape_of(b), "D0203", words);
  EXPECT_REFUSED(other.for_each_value([](int32_t&, int32_t&) {}, b), "D0203", words);
  EXPECT_REFUSED(b.for_each_element([](int, int) {}), "D0203", words);
  EXPECT_EQ(refused([&] { b.contains(0, 0); })->code(), "D0203");  // has no place
}

TEST(NamesFail, Buffers) {
  Buffer<int32_t> b(4, 3), other(4, 4);
  const Buffer<uint8_t> bytes(4, 3);
  const Buffer<> any = b;
  EXPECT_REFUSED(b.dim(2), "D0203", "a buffer of 2 dimensions has no dimension 2");
  EXPECT_REFUSED(b.translate(-1, 3), "D0203", "has no dimension -1");
  EXPECT_REFUSED(b.translate({1, 2, 3}), "D0203", "is moved along 3");
  EXPECT_REFUSED(b.cropped(0, 2, 3), "D0203",
                 "a crop of dimension 0 to 3 from 2 leaves its 4 from 0");
  EXPECT_REFUSED(b.crop({{0, 2}, {0, 4}}), "D0203", "a crop of dimension 1 to 4 from 0");
  EXPECT_EQ(b.extent(0), 4);  // all or nothing
  EXPECT_REFUSED(b.sliced(1, 3), "D0203", "a crop of dimension 1 to 1 from 3");
  EXPECT_REFUSED(b.copy_from(bytes), "D0203", "is given the elements of one of u8");
  EXPECT_REFUSED(b.for_each_element([](int, int, int) {}), "D0203",
                 "is walked by a function of 3 coordinates");
  EXPECT_REFUSED(b.for_each_value([](int32_t&, int32_t&) {}, other), "D0203",
                 "two buffers are walked together, their boxes differ");
  EXPECT_REFUSED(any.as<float>(), "D0203", "a buffer of i32 is taken for one of f32");
}

// Code is compiled for a dense first dimension.
TEST(NamesFail, AnInterleavedInput) {
  Var x("x"), y("y"), c("c");
  Func f("f");
  ImageParam input(UInt(8), 3, "input");
  f(x, y, c) = input(x, y, c);
  input.set(Buffer<uint8_t>::make_interleaved(4, 4, 3));
  EXPECT_REFUSED(f.realize({4, 4, 3}), "D0201", "input");
}

TEST(NamesFail, Images) {
  ImageParam input(UInt(8), 2, "input");
  EXPECT_REFUSED(input.dim(2), "D0203", "input `input` has no dimension 2");
  EXPECT_REFUSED(input.channels(), "D0203", "input `input` has no dimension 2");
  EXPECT_REFUSED(Func(Expr()), "D0203", "an Expr is used before it has a value");
  RDom r(0, 3);
  EXPECT_REFUSED(Func(Expr(r.x) + 1), "D0203", "reads a reduction variable");
}

TEST(NamesFail, BoundaryConditions) {
  Var x("x");
  Func f("f"), undefined("undefined");
  f(x) = x;
  EXPECT_REFUSED(BoundaryConditions::repeat_edge(f), "D0203",
                 "a boundary condition of a Func takes a region");
  EXPECT_REFUSED(BoundaryConditions::mirror_image(f, {{0, 3}, {0, 3}}), "D0203",
                 "a region of 2 dimensions is put around `f`, which has 1");
  EXPECT_REFUSED(BoundaryConditions::repeat_image(f, {{0, Expr()}}), "D0203",
                 "dimension 0 of a region has only one of min and extent");
  EXPECT_REFUSED(BoundaryConditions::repeat_edge(undefined, {{0, 3}}), "D0203",
                 "`undefined` is read before it is defined");
}

TEST(NamesFail, Reductions) {
  Var x("x");
  RDom r(0, 3), s(0, 4);
  Func f("f");
  f(x) = x;
  EXPECT_REFUSED(sum(Expr(x) + 1), "D0203", "`sum` of an expression that reads no variable");
  EXPECT_REFUSED(sum(s, r + x), "D0203", "`sum` of an expression that reads no variable");
  EXPECT_REFUSED(maximum(r + s), "D0203", "`maximum` reads two reduction domains");
  EXPECT_REFUSED(product(r + x, f), "D0203", "`f` is defined already");
}

TEST(NamesFail, ADimensionAndAReductionVariableOfOneName) {
  Var x("r");
  RDom r(0, 3);
  Func f("f");
  f(x) = 0;
  EXPECT_REFUSED(f(x) += r, "D0203", "`r` is a dimension and a reduction variable of `f`");
}

TEST(NamesFail, Expressions) {
  Var x("x");
  const Expr wide = cast<int32_t>(x), flag = x == 1;
  EXPECT_REFUSED(lerp(wide, 4, 0.5f), "D0203", "`lerp` of i32 takes an unsigned weight");
  EXPECT_REFUSED(lerp(wide, 4, cast<uint32_t>(x)), "D0203", "needs more than 64 bits");
  EXPECT_REFUSED(lerp(cast<double>(x), 4.0, cast<float>(x)), "D0203", "takes a weight of f64");
  EXPECT_REFUSED(saturating_cast<float>(cast<double>(x)), "D0203", "has no nearest value");
  EXPECT_REFUSED(mux(x, {}), "D0203", "`mux` has no values");
  const std::optional<Error> e = refused([&] { absd(flag, flag); });
  ASSERT_TRUE(e.has_value());
}

TEST(NamesFail, Places) {
  Var x("x"), y("y"), xi("xi"), yi("yi"), z("z");
  Func f("f"), g("g");
  f(x, y) = x + y;
  g(x, y) = f(x, y);
  EXPECT_REFUSED(f.store_at(LoopLevel::inlined()), "D0203", "has no storage where it is inlined");
  EXPECT_REFUSED(f.tile({x, y}, {xi}, {4, 4}), "D0203", "`tile` of 2 loops");
  f.compute_at(LoopLevel(g, z));
  EXPECT_THROW(g.realize({4, 4}), Error);
}

// A list that fails in the middle leaves nothing behind.
TEST(NamesFail, ATileOfThreeIsAllOrNothing) {
  Var x("x"), y("y"), z("z"), xi("xi"), yi("yi"), zi("zi");
  Func f("f");
  f(x, y, z) = x + y + z;
  EXPECT_REFUSED(f.tile({x, y, z}, {xi, yi, zi}, {4, 4, 0}), "S0105", "factor 0 of");
  f.tile({x, y, z}, {xi, yi, zi}, {4, 4, 2});
  EXPECT_EQ(f.realize({8, 8, 4}).extent(2), 4);
}

TEST(NamesFail, ArgumentsOfFiles) {
  ImageParam input(Float(32), 1, "input"), other(Float(32), 1, "other");
  Param<float> gain("gain", 1.0f);
  Var x("x");
  Func f("f");
  f(x) = input(x) * gain;
  EXPECT_REFUSED(f.compile_to_c("/no/folder/x.c", {input, gain}), "D0108", "cannot write");
  EXPECT_REFUSED(f.compile_to_c("x.c", {input}), "D0203",
                 "`f` reads `gain`, which is not among the arguments");
  EXPECT_REFUSED(f.compile_to_c("x.c", {input, gain, other, other}), "D0203",
                 "two arguments are called `other`");
  EXPECT_REFUSED(f.compile_to_c("x.c", {input, gain, ImageParam(Int(8), 1)}), "D0203",
                 "an argument that nothing reads has no name");
  EXPECT_REFUSED(f.compile_to_c("x.c", {input, gain, input}), "D0203",
                 "argument `input` is listed twice");
  EXPECT_REFUSED(f.compile_to_file("/no/folder/x"), "D0108", "cannot write");
  EXPECT_THROW(f.compile_to_object("x.o", {input, gain}, "not a name"), Error);
  EXPECT_REFUSED(Target("x87"), "T0001", "no target starts as `x87`");
}

TEST(NamesFail, Realizations) {
  Var x("x");
  Func f("f"), g("g");
  f(x) = x;
  g(x) = f(x);
  Pipeline both({f, g}, "both");
  const int line = __LINE__ + 1;
  const Realization r = both.realize({4});
  EXPECT_REFUSED(r[2], "D0203", "a Realization of 2 buffers has no 2");
  const std::optional<Error> e = refused([&] { const Buffer<int32_t> one = r; });
  ASSERT_TRUE(e.has_value());
  EXPECT_THAT(e->what(), HasSubstr("is taken for one Buffer"));
  EXPECT_EQ(e->diagnostic().place.line, line);
  EXPECT_REFUSED(both.infer_input_bounds(std::vector<BufferBase>{}), "D0203", "is given 0 buffers");
}

TEST(NamesFail, OrdersOfDimensions) {
  Buffer<uint8_t> b(2, 3);
  EXPECT_REFUSED(b.transpose({0, 0}), "D0203", "lists each of its 2 once");
  EXPECT_REFUSED(b.transposed({0, 1, 2}), "D0203", "lists each of its 2 once");
  EXPECT_REFUSED(b.sliced(2), "D0203", "has no dimension 2");
  EXPECT_REFUSED(b.translated({1}), "D0203", "is moved along 1");
  Var x("x"), y("y");
  Func f("f");
  f(x, y) = 0;
  EXPECT_REFUSED(f.realize(Realization(b, b)), "D0203", "has 1 outputs, it is given 2 buffers");
}

}  // namespace
}  // namespace hocket
