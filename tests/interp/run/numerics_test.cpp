// Arithmetic: every operator on every type, executed, against references that share no code with
// ir/semantics.h: 128-bit integers, the hardware's float and double, long double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "interp/make.h"

namespace hocket::interp {
namespace {

using namespace make;
using ir::Scalar;

// Runs out[k] = f(a[k], b[k]) over whole tensors.
Tensor apply(Type result, const Tensor& a, const Tensor& b,
             const std::function<Expr(Expr, Expr)>& f) {
  const Symbol sa = sym("a", a.type()), sb = sym("b", b.type()), so = sym("o", result),
               i = sym("i");
  const std::vector<Expr> shape{ix(a.cells())};
  const auto p =
      proc("p", {buffer(sa, shape), buffer(sb, shape), buffer(so, shape)},
           {loop(i, 0, a.cells(), {store(so, {v(i)}, f(load(sa, {v(i)}), load(sb, {v(i)})))})});
  Tensor x = a, y = b, out = Tensor::row_major(result, {a.cells()});
  RunOptions options;
  options.check_outputs = false;
  const Outcome o = run(*p, {x, y, out}, options);
  EXPECT_TRUE(o.ok()) << o.text();
  return out;
}

const Type kIntegers[] = {Type::i(8),  Type::i(16), Type::i(32), Type::i(64),  Type::u(8),
                          Type::u(16), Type::u(32), Type::u(64), Type::index()};

__int128 wide(const Scalar& s) {
  return s.type.is_uint() ? static_cast<__int128>(static_cast<uint64_t>(s.i)) : s.i;
}

// What a mathematical result is in the type: nothing where it is poison.
std::optional<int64_t> in_type(Type t, __int128 value) {
  const bool wraps = t.is_uint() || (t.is_int() && t.bits <= 16);
  const __int128 modulus = static_cast<__int128>(1) << t.bits;
  __int128 r = value;
  if (wraps) {
    r = value % modulus;
    if (r < 0) r += modulus;
    if (!t.is_uint() && r >= modulus / 2) r -= modulus;
  } else if (value < -(modulus / 2) || value >= modulus / 2) {
    return std::nullopt;
  }
  return static_cast<int64_t>(static_cast<uint64_t>(static_cast<unsigned __int128>(r)));
}

std::optional<int64_t> reference(BinaryOp o, Type t, const Scalar& a, const Scalar& b) {
  const __int128 x = wide(a), y = wide(b);
  switch (o) {
    case BinaryOp::Add:
      return in_type(t, x + y);
    case BinaryOp::Sub:
      return in_type(t, x - y);
    case BinaryOp::Mul: {
      // Two 64-bit unsigned numbers may exceed 127 bits: low bits alone count there.
      if (t.is_uint() && t.bits == 64)
        return static_cast<int64_t>(static_cast<uint64_t>(a.i) * static_cast<uint64_t>(b.i));
      return in_type(t, x * y);
    }
    case BinaryOp::Div:
    case BinaryOp::Mod: {
      if (y == 0) return 0;
      // 0 <= r < |y| and x = q y + r.
      __int128 q = 0, r = x;
      const __int128 m = y < 0 ? -y : y;
      r = x % m;
      while (r < 0) r += m;
      q = (x - r) / y;
      return in_type(t, o == BinaryOp::Div ? q : r);
    }
    case BinaryOp::Min:
      return in_type(t, x < y ? x : y);
    case BinaryOp::Max:
      return in_type(t, x > y ? x : y);
    case BinaryOp::BitAnd:
      return in_type(t.is_index() ? Type::i(64) : t, x & y);
    case BinaryOp::BitOr:
      return in_type(t, x | y);
    case BinaryOp::BitXor:
      return in_type(t, x ^ y);
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
      const bool left = (o == BinaryOp::Shl) == (y >= 0);
      const __int128 n = y < 0 ? -y : y;
      unsigned __int128 bits = static_cast<unsigned __int128>(x);
      if (left) {
        bits = n >= t.bits ? 0 : bits << static_cast<int>(n);
      } else {
        __int128 s = x;
        for (__int128 k = 0; k < n && k < t.bits; ++k) s = (s - (s & 1)) / 2;
        bits = static_cast<unsigned __int128>(s);
      }
      // Shifts drop bits, they do not overflow.
      const Type wrapping = t.is_uint() ? t : Type::i(t.bits);
      const __int128 modulus = static_cast<__int128>(1) << wrapping.bits;
      __int128 r = static_cast<__int128>(bits & static_cast<unsigned __int128>(modulus - 1));
      if (!t.is_uint() && r >= modulus / 2) r -= modulus;
      return static_cast<int64_t>(static_cast<uint64_t>(static_cast<unsigned __int128>(r)));
    }
    case BinaryOp::Eq:
      return x == y;
    case BinaryOp::Ne:
      return x != y;
    case BinaryOp::Lt:
      return x < y;
    case BinaryOp::Le:
      return x <= y;
    case BinaryOp::Gt:
      return x > y;
    case BinaryOp::Ge:
      return x >= y;
    default:
      return std::nullopt;
  }
}

TEST(Numerics, EveryIntegerOperatorOnEveryType) {
  for (const Type t : kIntegers) {
    // All pairs of corners and a mass of random ones; shifts get small counts as well.
    std::vector<std::pair<Scalar, Scalar>> pairs;
    Random random(t.bits + (t.is_uint() ? 100 : 0));
    for (int k = 0; k < 3000; ++k) {
      const Scalar a = random.one_in(2) ? random.corner(t) : random.value(t);
      Scalar b = random.one_in(2) ? random.corner(t) : random.value(t);
      if (random.one_in(3)) b = Scalar::of_int(t, random.between(-70, 70));
      pairs.emplace_back(a, b);
    }
    Tensor x = Tensor::row_major(t, {static_cast<int64_t>(pairs.size())}), y = x;
    for (size_t k = 0; k < pairs.size(); ++k) {
      x.set_cell(static_cast<int64_t>(k), pairs[k].first);
      y.set_cell(static_cast<int64_t>(k), pairs[k].second);
    }
    for (int o = 0; o <= static_cast<int>(BinaryOp::Ge); ++o) {
      const BinaryOp bin = static_cast<BinaryOp>(o);
      if (bin == BinaryOp::And || bin == BinaryOp::Or) continue;
      const Tensor out = apply(ir::is_comparison(bin) ? Type::boolean() : t, x, y,
                               [&](Expr a, Expr b) { return op(bin, std::move(a), std::move(b)); });
      for (size_t k = 0; k < pairs.size(); ++k) {
        const auto expected = reference(bin, t, pairs[k].first, pairs[k].second);
        const Scalar got = out.cell(static_cast<int64_t>(k));
        ASSERT_EQ(got.poison, !expected.has_value())
            << t.name() << " " << ir::spelling(bin) << " " << spoken(pairs[k].first) << " "
            << spoken(pairs[k].second);
        if (expected)
          ASSERT_EQ(got.i, *expected) << t.name() << " " << ir::spelling(bin) << " "
                                      << spoken(pairs[k].first) << " " << spoken(pairs[k].second);
      }
    }
  }
}

TEST(Numerics, AllPairsOfBytes) {
  for (const Type t : {Type::i(8), Type::u(8)}) {
    Tensor x = Tensor::row_major(t, {65536}), y = x;
    for (int64_t k = 0; k < 65536; ++k) {
      x.set_cell(k, Scalar::of_int(t, k >> 8));
      y.set_cell(k, Scalar::of_int(t, k & 255));
    }
    for (const BinaryOp bin :
         {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Mod, BinaryOp::Shl,
          BinaryOp::Shr, BinaryOp::Min, BinaryOp::Lt}) {
      const Tensor out = apply(ir::is_comparison(bin) ? Type::boolean() : t, x, y,
                               [&](Expr a, Expr b) { return op(bin, std::move(a), std::move(b)); });
      for (int64_t k = 0; k < 65536; ++k) {
        ASSERT_EQ(out.cell(k).i, *reference(bin, t, x.cell(k), y.cell(k)))
            << t.name() << ir::spelling(bin) << k;
      }
    }
  }
}

TEST(Numerics, UnaryIntegers) {
  for (const Type t : kIntegers) {
    Tensor x = Tensor::row_major(t, {400}).fill_corners(5);
    const Tensor neg =
        apply(t, x, x, [](Expr a, Expr) { return ir::make_unary(UnaryOp::Neg, std::move(a)); });
    const Tensor abs =
        apply(t, x, x, [](Expr a, Expr) { return ir::make_unary(UnaryOp::Abs, std::move(a)); });
    const Tensor inv =
        apply(t, x, x, [](Expr a, Expr) { return ir::make_unary(UnaryOp::BitNot, std::move(a)); });
    for (int64_t k = 0; k < 400; ++k) {
      const __int128 a = wide(x.cell(k));
      const auto n = in_type(t, -a), m = in_type(t, a < 0 ? -a : a);
      ASSERT_EQ(neg.cell(k).poison, !n) << t.name();
      if (n) ASSERT_EQ(neg.cell(k).i, *n);
      ASSERT_EQ(abs.cell(k).poison, !m);
      if (m) ASSERT_EQ(abs.cell(k).i, *m);
      ASSERT_EQ(inv.cell(k).i,
                *in_type(t.is_uint() ? t : Type::i(t.bits),
                         t.is_uint() ? ((static_cast<__int128>(1) << t.bits) - 1 - a) : -a - 1));
    }
  }
}

template <class F>
void check_hardware(Type t) {
  Tensor x = Tensor::row_major(t, {4000}).fill_corners(7),
         y = Tensor::row_major(t, {4000}).fill_corners(8);
  const auto is = [&](double got, F expected, const char* what, int64_t k) {
    const double e = static_cast<double>(expected);
    ASSERT_TRUE((std::isnan(got) && std::isnan(e)) ||
                (got == e && std::signbit(got) == std::signbit(e)))
        << what << " of " << spoken(x.cell(k)) << ", " << spoken(y.cell(k)) << ": " << got
        << " against " << e;
  };
  const auto all = [&](BinaryOp o, const std::function<F(F, F)>& f) {
    const Tensor out =
        apply(t, x, y, [&](Expr a, Expr b) { return op(o, std::move(a), std::move(b)); });
    for (int64_t k = 0; k < 4000; ++k)
      is(out.cell(k).f, f(static_cast<F>(x.cell(k).f), static_cast<F>(y.cell(k).f)),
         ir::spelling(o), k);
  };
  // volatile: computed by the machine at run time, each step rounded.
  all(BinaryOp::Add, [](F a, F b) {
    volatile F r = a + b;
    return r;
  });
  all(BinaryOp::Sub, [](F a, F b) {
    volatile F r = a - b;
    return r;
  });
  all(BinaryOp::Mul, [](F a, F b) {
    volatile F r = a * b;
    return r;
  });
  all(BinaryOp::Div, [](F a, F b) {
    volatile F r = a / b;
    return r;
  });
  all(BinaryOp::Mod, [](F a, F b) {
    volatile F q = a / b;
    volatile F p = b * std::floor(q);
    volatile F r = a - p;
    return r;
  });
  all(BinaryOp::Min, [](F a, F b) { return a < b ? a : b; });
  all(BinaryOp::Max, [](F a, F b) { return a > b ? a : b; });
  const Tensor roots =
      apply(t, x, y, [](Expr a, Expr) { return ir::make_unary(UnaryOp::Sqrt, std::move(a)); });
  const Tensor rounds =
      apply(t, x, y, [](Expr a, Expr) { return ir::make_unary(UnaryOp::Round, std::move(a)); });
  const Tensor fused = apply(
      t, x, y, [](Expr a, Expr b) { return ir::make_fma(a, b, ir::make_unary(UnaryOp::Neg, b)); });
  for (int64_t k = 0; k < 4000; ++k) {
    const F a = static_cast<F>(x.cell(k).f), b = static_cast<F>(y.cell(k).f);
    is(roots.cell(k).f, std::sqrt(a), "sqrt", k);
    is(rounds.cell(k).f, std::rint(a), "round", k);
    is(fused.cell(k).f, std::fma(a, b, -b), "fma", k);
  }
}

TEST(Numerics, Float32LikeTheHardware) {
  check_hardware<float>(Type::f(32));
}
TEST(Numerics, Float64LikeTheHardware) {
  check_hardware<double>(Type::f(64));
}

// Round a long double (64 bits of mantissa) to a small float by searching all 65536 of them.
double nearest_small(Type t, long double value) {
  static std::vector<std::vector<double>> tables(2);
  std::vector<double>& table = tables[t.code == ir::TypeCode::BFloat];
  if (table.empty()) {
    for (int h = 0; h < 0x8000; ++h) {
      const uint16_t bits = static_cast<uint16_t>(h);
      const Scalar s = ir::load_bytes(t, &bits);
      if (!std::isfinite(s.f)) break;
      table.push_back(s.f);  // ascending; the index is the bit pattern
    }
  }
  const long double m = std::fabs(value);
  if (std::isnan(value)) return static_cast<double>(value);
  const size_t up = static_cast<size_t>(
      std::lower_bound(table.begin(), table.end(), m,
                       [](double x, long double y) { return static_cast<long double>(x) < y; }) -
      table.begin());
  double result;
  if (up == 0) {
    result = 0;
  } else if (up == table.size()) {
    // Half a step beyond the largest rounds to infinity.
    const long double last = table.back(), step = last - table[table.size() - 2];
    result = m < last + step / 2 ? table.back() : std::numeric_limits<double>::infinity();
  } else {
    const long double below = m - table[up - 1], above = table[up] - m;
    result = below < above || (below == above && (up - 1) % 2 == 0) ? table[up - 1] : table[up];
  }
  return std::copysign(result, static_cast<double>(std::signbit(value) ? -1 : 1));
}

TEST(Numerics, SmallFloatsRoundOnce) {
  for (const Type t : {Type::f(16), Type::bf16()}) {
    Tensor x = Tensor::row_major(t, {3000}).fill_corners(1),
           y = Tensor::row_major(t, {3000}).fill_corners(2);
    Random random(9);
    for (int64_t k = 0; k < 2000; ++k) {  // any bits at all
      const uint16_t a = static_cast<uint16_t>(random.next()),
                     b = static_cast<uint16_t>(random.next());
      x.set_cell(k, ir::load_bytes(t, &a));
      y.set_cell(k, ir::load_bytes(t, &b));
    }
    const auto check = [&](const Tensor& out, const char* what,
                           const std::function<long double(long double, long double)>& f) {
      for (int64_t k = 0; k < 3000; ++k) {
        const double e = nearest_small(t, f(x.cell(k).f, y.cell(k).f)), g = out.cell(k).f;
        ASSERT_TRUE((std::isnan(e) && std::isnan(g)) ||
                    (e == g && std::signbit(e) == std::signbit(g)))
            << t.name() << " " << what << " " << spoken(x.cell(k)) << ", " << spoken(y.cell(k))
            << ": " << g << " against " << e;
      }
    };
    const auto binary = [&](BinaryOp o) {
      return apply(t, x, y, [&](Expr a, Expr b) { return op(o, std::move(a), std::move(b)); });
    };
    check(binary(BinaryOp::Mul), "*", [](long double a, long double b) { return a * b; });
    // Sums of f16 are exact in 64 bits of mantissa, those of bf16 are not where exponents lie far
    // apart.
    if (t == Type::f(16)) {
      check(binary(BinaryOp::Add), "+", [](long double a, long double b) { return a + b; });
      check(apply(t, x, y, [](Expr a, Expr b) { return ir::make_fma(a, b, a); }), "fma",
            [](long double a, long double b) { return a * b + a; });
    }
  }
}

TEST(Numerics, BFloatFmaSeesWhatTheProductHides) {
  const Type t = Type::bf16();
  // 1 + 2^-7 times itself is 1 + 2^-6 + 2^-14; with a far smaller addend the tie is broken.
  const double a = 1 + std::ldexp(1.0, -7);
  for (const double tiny : {std::ldexp(1.0, -100), -std::ldexp(1.0, -100)}) {
    const Scalar r =
        ir::eval_fma(Scalar::of_float(t, a), Scalar::of_float(t, 1 + std::ldexp(1.0, -1)),
                     Scalar::of_float(t, tiny));
    // a * 1.5 = 1.51171875, half way between 1.5078125 and 1.515625.
    EXPECT_EQ(r.f, tiny > 0 ? 1.515625 : 1.5078125);
  }
}

TEST(Numerics, CastsFromFloatsSaturate) {
  for (const Type from : {Type::f(16), Type::bf16(), Type::f(32), Type::f(64)}) {
    Tensor x = Tensor::row_major(from, {500}).fill_corners(3);
    Random random(4);
    for (int64_t k = 0; k < 200; ++k)
      x.set_cell(k,
                 Scalar::of_float(from, std::ldexp(static_cast<double>(random.between(-1000, 1000)),
                                                   static_cast<int>(random.between(-12, 60)))));
    for (const Type to : kIntegers) {
      const Tensor out =
          apply(to, x, x, [&](Expr a, Expr) { return ir::make_cast(to, std::move(a)); });
      for (int64_t k = 0; k < 500; ++k) {
        const double a = x.cell(k).f;
        __int128 e = 0;
        const __int128 top = to.is_uint() ? (static_cast<__int128>(1) << to.bits) - 1
                                          : (static_cast<__int128>(1) << (to.bits - 1)) - 1;
        const __int128 bottom = to.is_uint() ? 0 : -top - 1;
        if (std::isnan(a))
          e = 0;
        else if (a >= 1e30)
          e = top;
        else if (a <= -1e30)
          e = bottom;
        else
          e = std::min(std::max(static_cast<__int128>(a), bottom), top);
        ASSERT_EQ(wide(out.cell(k)), e)
            << from.name() << " to " << to.name() << " of " << spoken(x.cell(k));
      }
    }
  }
}

TEST(Numerics, CastsToFloatsRoundOnce) {
  for (const Type from : kIntegers) {
    Tensor x = Tensor::row_major(from, {2000}).fill_corners(6);
    for (const Type to : {Type::f(16), Type::bf16(), Type::f(32), Type::f(64)}) {
      const Tensor out =
          apply(to, x, x, [&](Expr a, Expr) { return ir::make_cast(to, std::move(a)); });
      for (int64_t k = 0; k < 2000; ++k) {
        const long double a = static_cast<long double>(wide(x.cell(k)));  // exact
        const double e = to.bits == 16   ? nearest_small(to, a)
                         : to.bits == 32 ? static_cast<double>(static_cast<float>(a))
                                         : static_cast<double>(a);
        ASSERT_EQ(out.cell(k).f, e)
            << from.name() << " to " << to.name() << " of " << spoken(x.cell(k));
      }
    }
  }
}

TEST(Numerics, CastsBetweenFloatsAndIntegers) {
  for (const Type from : {Type::f(32), Type::f(64)}) {
    Tensor x = Tensor::row_major(from, {2000}).fill_corners(2);
    for (const Type to : {Type::f(16), Type::bf16()}) {
      const Tensor out =
          apply(to, x, x, [&](Expr a, Expr) { return ir::make_cast(to, std::move(a)); });
      for (int64_t k = 0; k < 2000; ++k) {
        const double e = nearest_small(to, static_cast<long double>(x.cell(k).f)),
                     g = out.cell(k).f;
        ASSERT_TRUE((std::isnan(e) && std::isnan(g)) ||
                    (e == g && std::signbit(e) == std::signbit(g)))
            << spoken(x.cell(k));
      }
    }
  }
  for (const Type from : kIntegers) {
    Tensor x = Tensor::row_major(from, {300}).fill_corners(1);
    for (const Type to : kIntegers) {
      const Tensor out =
          apply(to, x, x, [&](Expr a, Expr) { return ir::make_cast(to, std::move(a)); });
      const Type wrapping = to.is_uint() ? to : Type::i(to.bits);
      for (int64_t k = 0; k < 300; ++k) {
        const unsigned __int128 bits = static_cast<unsigned __int128>(wide(x.cell(k)));
        const int shift = 128 - wrapping.bits;
        const __int128 e = to.is_uint() ? static_cast<__int128>(bits << shift >> shift)
                                        : static_cast<__int128>(bits << shift) >> shift;
        ASSERT_EQ(wide(out.cell(k)), e) << from.name() << " to " << to.name();
      }
    }
  }
}

TEST(Numerics, MinMaxOfNaNsAndZeros) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Type t : {Type::f(16), Type::bf16(), Type::f(32), Type::f(64)}) {
    const auto one = [&](BinaryOp o, double a, double b) {
      Tensor x = Tensor::row_major(t, {1}).fill(Scalar::of_float(t, a)),
             y = Tensor::row_major(t, {1}).fill(Scalar::of_float(t, b));
      return apply(t, x, y, [&](Expr p, Expr q) { return op(o, std::move(p), std::move(q)); })
          .cell(0)
          .f;
    };
    for (const BinaryOp o : {BinaryOp::Min, BinaryOp::Max}) {
      EXPECT_EQ(one(o, nan, 3), 3);  // a NaN on either side gives the right one
      EXPECT_TRUE(std::isnan(one(o, 3, nan)));
      EXPECT_TRUE(std::signbit(one(o, 0.0, -0.0)));  // equal: the right one
      EXPECT_FALSE(std::signbit(one(o, -0.0, 0.0)));
    }
  }
}

TEST(Numerics, FmaIsNotProductThenSum) {
  const Type t = Type::f(32);
  const float a = 1 + std::ldexp(1.0f, -12);
  Tensor x = Tensor::row_major(t, {1}).fill(Scalar::of_float(t, static_cast<double>(a))),
         y = Tensor::row_major(t, {1}).fill(Scalar::of_float(t, -1));
  EXPECT_EQ(apply(t, x, y, [](Expr p, Expr q) { return ir::make_fma(p, p, q); }).cell(0).f,
            std::ldexp(1.0, -11) + std::ldexp(1.0, -24));
  EXPECT_EQ(apply(t, x, y, [](Expr p, Expr q) { return p * p + q; }).cell(0).f,
            std::ldexp(1.0, -11));
}

TEST(Numerics, BytesGoThereAndBack) {
  for (const Type t : {Type::f(16), Type::bf16()}) {
    for (int h = 0; h < 65536; ++h) {
      const uint16_t bits = static_cast<uint16_t>(h);
      const Scalar s = ir::load_bytes(t, &bits);
      uint16_t back = 0;
      ir::store_bytes(s, &back);
      if (std::isnan(s.f)) {
        ASSERT_TRUE(std::isnan(ir::load_bytes(t, &back).f)) << h;
      } else {
        ASSERT_EQ(back, bits) << t.name();
      }
    }
  }
}

// As few digits as give the value back; whole numbers as whole numbers.
TEST(Spoken, ValuesAsAPersonWritesThem) {
  const auto f32 = [](double v) { return spoken(Scalar::of_float(ir::Type::f(32), v)); };
  EXPECT_EQ(f32(70), "70");
  EXPECT_EQ(f32(-1000), "-1000");
  EXPECT_EQ(f32(0.1F), "0.1");
  EXPECT_EQ(f32(1.5), "1.5");
  EXPECT_EQ(f32(16777216), "16777216");
  EXPECT_EQ(f32(1e20F), "1e+20");
  EXPECT_EQ(f32(0), "0");
  EXPECT_EQ(spoken(Scalar::of_float(ir::Type::parse("bf16").value(), 4194304)), "4.1943e+06");
}

}  // namespace
}  // namespace hocket::interp
