// Nested expressions keep their shape: floats are not associative, unsigned division is no sum.
#include "../support/flat.h"

namespace hocket::codegen::testing {

namespace {

class Association : public ::testing::TestWithParam<Backend> {};

// Every shape of three operands under two operators, on values where the shape shows.
TEST_P(Association, EveryPairOfOperators) {
  using B = ir::BinaryOp;
  struct Shape {
    std::string name;
    Type type;
    B outer, inner;
    bool left;
  };
  std::vector<Shape> shapes;
  std::vector<ir::ProcRef> procs;
  for (Type t : {Type::f(32), Type::u(32), Type::i(16), Type::index()}) {
    for (B outer : {B::Add, B::Sub, B::Mul, B::Div, B::Mod, B::Min}) {
      for (B inner : {B::Add, B::Sub, B::Mul, B::Div, B::Mod, B::Min}) {
        for (bool left : {false, true}) {
          const Shape s{"f" + std::to_string(shapes.size()), t, outer, inner, left};
          ProcBuilder b(s.name);
          const Symbol x = b.scalar("x", t), y = b.scalar("y", t), z = b.scalar("z", t),
                       out = b.buffer("out", t);
          const Expr vx = ir::make_var(x), vy = ir::make_var(y), vz = ir::make_var(z);
          const Expr e = left ? ir::make_binary(outer, ir::make_binary(inner, vx, vy), vz)
                              : ir::make_binary(outer, vx, ir::make_binary(inner, vy, vz));
          procs.push_back(b.build({store(out, ir::make_index(0), e)}));
          shapes.push_back(s);
        }
      }
    }
  }
  const auto code = compile(GetParam(), procs);
  std::mt19937_64 random(5);
  for (const Shape& s : shapes) {
    for (int round = 0; round < 20; ++round) {
      std::vector<Scalar> v;
      for (int k = 0; k < 3; ++k) {
        const auto n = static_cast<int64_t>(random() % 2001) - 1000;
        v.push_back(s.type.is_float() ? Scalar::of_float(s.type, static_cast<double>(n) / 7.0)
                                      : Scalar::of_int(s.type, n));
      }
      const Scalar want =
          s.left ? ir::eval_binary(s.outer, ir::eval_binary(s.inner, v[0], v[1]), v[2])
                 : ir::eval_binary(s.outer, v[0], ir::eval_binary(s.inner, v[1], v[2]));
      uint8_t raw[3][8], got[8];
      for (size_t k = 0; k < 3; ++k) ir::store_bytes(v[k], raw[k]);
      ASSERT_EQ(code->call(s.name, {raw[0], raw[1], raw[2], got}), 0);
      EXPECT_TRUE(want.poison || ir::same_value(ir::load_bytes(s.type, got), want))
          << s.type.name() << " " << ir::spelling(s.outer) << " " << ir::spelling(s.inner)
          << (s.left ? " left" : " right");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Association,
                         ::testing::Values(Backend::Jit, Backend::Gcc, Backend::Clang),
                         [](const auto& info) { return id_of(info.param); });

}  // namespace

}  // namespace hocket::codegen::testing
