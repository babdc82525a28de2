// All pairs of 8-bit operands, all values of 16-bit types, by the JIT: nothing is left to chance
// where everything can be tried.
#include <cstring>

#include "../support/flat.h"

namespace hocket::codegen::testing {

namespace {

constexpr int64_t kAll = 65536;

// out[i] = e(a[i], ...), `lanes` at a time.
ir::ProcRef over_all(const std::string& name, const std::vector<Type>& operands, Type result,
                     int lanes, const std::function<Expr(const std::vector<Expr>&)>& e) {
  ProcBuilder b(name);
  std::vector<Symbol> in;
  for (const Type& t : operands) in.push_back(b.buffer("in", t));
  const Symbol out = b.buffer("out", result);
  const Symbol i = Symbol::fresh("i", Type::index());
  const Expr at = ir::make_var(i) * ir::make_index(lanes);
  std::vector<Expr> values;
  for (const Symbol& s : in) values.push_back(load(s, at, lanes));
  return b.build({ir::make_for(i, ir::make_index(0), ir::make_index(kAll / lanes),
                               ir::LoopKind::Seq, {store(out, lanes_at(at, lanes), e(values))})});
}

void expect_all(Compiled& code, const std::string& name, std::vector<std::vector<Scalar>> in,
                Type result, const std::function<Scalar(size_t)>& expected) {
  std::vector<std::vector<uint8_t>> memory;
  std::vector<void*> args;
  for (const auto& v : in) memory.push_back(bytes_of(v));
  for (auto& m : memory) args.push_back(m.data());
  std::vector<uint8_t> out(static_cast<size_t>(kAll * result.bytes()));
  args.push_back(out.data());
  ASSERT_EQ(code.call(name, args), 0);
  int wrong = 0;
  for (size_t k = 0; k < static_cast<size_t>(kAll) && wrong < 3; ++k) {
    const Scalar want = expected(k);
    const Scalar got = ir::load_bytes(result, out.data() + k * static_cast<size_t>(result.bytes()));
    if (want.poison || ir::same_value(got, want)) continue;
    ++wrong;
    std::string text = name;
    for (const auto& v : in) text += "  " + to_string(v[k]);
    ADD_FAILURE() << text << "\n  expected " << to_string(want) << "\n  got " << to_string(got);
  }
}

class Exhaustive : public ::testing::TestWithParam<int> {};

TEST_P(Exhaustive, PairsOfBytes) {
  std::vector<ir::ProcRef> procs;
  std::vector<std::pair<Type, ir::BinaryOp>> cases;
  for (Type t : {Type::i(8), Type::u(8)}) {
    for (int o = 0; o <= static_cast<int>(ir::BinaryOp::Ge); ++o) {
      const auto op = static_cast<ir::BinaryOp>(o);
      if (op == ir::BinaryOp::And || op == ir::BinaryOp::Or) continue;
      procs.push_back(
          over_all("f" + std::to_string(cases.size()), {t, t},
                   ir::is_comparison(op) ? Type::boolean() : t, GetParam(),
                   [op](const std::vector<Expr>& v) { return ir::make_binary(op, v[0], v[1]); }));
      cases.emplace_back(t, op);
    }
  }
  const auto code = compile(Backend::Jit, procs);
  for (size_t c = 0; c < cases.size(); ++c) {
    const auto [t, op] = cases[c];
    std::vector<Scalar> a, b;
    for (int64_t k = 0; k < kAll; ++k) {
      a.push_back(Scalar::of_int(t, k & 255));
      b.push_back(Scalar::of_int(t, k >> 8));
    }
    const ir::BinaryOp o = op;
    expect_all(*code, "f" + std::to_string(c), {a, b}, ir::is_comparison(op) ? Type::boolean() : t,
               [&](size_t k) { return ir::eval_binary(o, a[k], b[k]); });
  }
}

TEST_P(Exhaustive, SixteenBitValues) {
  const std::vector<Type> narrow = {Type::f(16), Type::bf16(), Type::i(16), Type::u(16)};
  const std::vector<Type> all = {
      Type::i(8),  Type::u(8),  Type::i(16),  Type::u(16), Type::i(32), Type::u(32),    Type::i(64),
      Type::u(64), Type::f(16), Type::bf16(), Type::f(32), Type::f(64), Type::boolean()};
  const std::vector<ir::UnaryOp> unary = {ir::UnaryOp::Neg,   ir::UnaryOp::Abs,  ir::UnaryOp::Sqrt,
                                          ir::UnaryOp::Floor, ir::UnaryOp::Ceil, ir::UnaryOp::Trunc,
                                          ir::UnaryOp::Round};
  std::vector<ir::ProcRef> procs;
  for (Type t : narrow) {
    for (ir::UnaryOp op : unary) {
      if (op == ir::UnaryOp::Sqrt && !t.is_float()) continue;
      procs.push_back(
          over_all(t.name() + "_op" + std::to_string(static_cast<int>(op)), {t}, t, GetParam(),
                   [op](const std::vector<Expr>& v) { return ir::make_unary(op, v[0]); }));
    }
    for (Type to : all) {
      if (to == t) continue;
      procs.push_back(over_all(t.name() + "_" + to.name(), {t}, to, GetParam(),
                               [to](const std::vector<Expr>& v) {
                                 return ir::make_cast(to.with_lanes(v[0].type().lanes), v[0]);
                               }));
    }
  }
  const auto code = compile(Backend::Jit, procs);
  for (Type t : narrow) {
    std::vector<Scalar> a;
    for (int64_t k = 0; k < kAll; ++k) {
      const auto bits = static_cast<uint16_t>(k);
      a.push_back(ir::load_bytes(t, &bits));
    }
    for (ir::UnaryOp op : unary) {
      if (op == ir::UnaryOp::Sqrt && !t.is_float()) continue;
      expect_all(*code, t.name() + "_op" + std::to_string(static_cast<int>(op)), {a}, t,
                 [&](size_t k) { return ir::eval_unary(op, a[k]); });
    }
    for (Type to : all) {
      if (to == t) continue;
      expect_all(*code, t.name() + "_" + to.name(), {a}, to,
                 [&](size_t k) { return ir::eval_cast(to, a[k]); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, Exhaustive, ::testing::Values(1, 16),
                         [](const auto& info) { return "x" + std::to_string(info.param); });

}  // namespace

}  // namespace hocket::codegen::testing
