// Every operator on every pair of types, on the corners of their ranges and random numbers: its
// type and its values. Where the result is not defined (signed overflow of 32 and 64 bits, shifts
// beyond the width) nothing is asked. Prints `OP A B -> TYPE`, or `refused`, then `OP A B | a b =
// r` lines.
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "meaning/front.h"

namespace {

using Wide = __int128;
using Build = std::function<Expr(Expr, Expr)>;
template <class A, class B>
using Asked = std::function<bool(A, B)>;

uint64_t state = 0;
uint64_t random_bits() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

template <class T>
std::vector<T> corners() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> v;
  if constexpr (std::is_floating_point_v<T>) {
    for (const double x :
         {0.0,   -0.0, 1.0,   -1.0,  0.5,    -0.5,  1.5,   2.5,    -1.5,    -2.5,        7.25,
          -7.75, 1e10, -1e10, 1e-40, 3.4e38, 255.5, 256.0, -128.5, 65535.7, 2147483648.0})
      v.push_back(static_cast<T>(x));
    v.push_back(Limits::infinity());
    v.push_back(-Limits::infinity());
    for (int i = 0; i < 12; ++i)
      v.push_back(static_cast<T>(static_cast<double>(static_cast<int64_t>(random_bits())) / 9e15));
  } else {
    for (const int x : {0, 1, 2, 3, 5, 7, 8, 13, 31, 100, 127}) v.push_back(static_cast<T>(x));
    if (Limits::is_signed)
      for (const int x : {-1, -2, -3, -5, -7, -8, -13, -100}) v.push_back(static_cast<T>(x));
    for (const Wide x : {Wide{Limits::max()}, Wide{Limits::min()}, Wide{Limits::max()} / 2,
                         Wide{Limits::max()} - 1, Wide{Limits::min()} + 1})
      v.push_back(static_cast<T>(x));
    for (int i = 0; i < 12; ++i) v.push_back(static_cast<T>(random_bits() >> (random_bits() % 60)));
  }
  return v;
}

template <class T>
std::string name() {
  return name_of(type_of<T>());
}

template <class R, class A, class B>
void print(const std::string& head, Func f, const std::vector<A>& a, const std::vector<B>& b) {
  const Buffer<R> out = f.realize({static_cast<int>(a.size())});
  for (size_t i = 0; i < a.size(); ++i)
    std::printf("%s | %s %s = %s\n", head.c_str(), digits(a[i]).c_str(), digits(b[i]).c_str(),
                digits<R>(out(static_cast<int>(i))).c_str());
}

template <class A, class B>
void apply(const std::string& op, const Build& build, const Asked<A, B>& asked = {}) {
  state = 88172645463325252ULL;
  std::vector<A> va;
  std::vector<B> vb;
  for (const A a : corners<A>())
    for (const B b : corners<B>())
      if (!asked || asked(a, b)) va.push_back(a), vb.push_back(b);
  Buffer<A> a(static_cast<int>(va.size()));
  Buffer<B> b(static_cast<int>(vb.size()));
  for (size_t i = 0; i < va.size(); ++i) {
    a(static_cast<int>(i)) = va[i];
    b(static_cast<int>(i)) = vb[i];
  }
  const std::string head = op + " " + name<A>() + " " + name<B>();
  Var x("x");
  Func f("f");
  Type type;
  try {
    Expr e = build(a(x), b(x));
    type = e.type();
    if (type.is_bool()) e = cast<uint8_t>(e);
    f(x) = e;
  } catch (...) {
    std::printf("%s -> refused\n", head.c_str());
    return;
  }
  std::printf("%s -> %s\n", head.c_str(), name_of(type).c_str());
  if (type.is_float())
    return type.bits() == 32 ? print<float>(head, f, va, vb) : print<double>(head, f, va, vb);
  switch (type.is_int() ? -type.bits() : type.bits()) {
    case -8:
      return print<int8_t>(head, f, va, vb);
    case -16:
      return print<int16_t>(head, f, va, vb);
    case -32:
      return print<int32_t>(head, f, va, vb);
    case -64:
      return print<int64_t>(head, f, va, vb);
    case 16:
      return print<uint16_t>(head, f, va, vb);
    case 32:
      return print<uint32_t>(head, f, va, vb);
    case 64:
      return print<uint64_t>(head, f, va, vb);
    default:
      return print<uint8_t>(head, f, va, vb);
  }
}

template <class T>
constexpr bool kOverflows = std::is_signed_v<T> && !std::is_floating_point_v<T> && sizeof(T) >= 4;
template <class T>
bool holds(Wide v) {
  return v >= std::numeric_limits<T>::min() && v <= std::numeric_limits<T>::max();
}
template <class T>
Asked<T, T> unless_it_overflows(std::function<Wide(Wide, Wide)> exact) {
  return [exact](T a, T b) {
    if constexpr (kOverflows<T>) return holds<T>(exact(a, b));
    return true;
  };
}

#define OF(e)                                \
  [](const Expr& a, const Expr& b) -> Expr { \
    (void)b;                                 \
    return e;                                \
  }

template <class T>
void one_type() {
  apply<T, T>("add", OF(a + b), unless_it_overflows<T>([](Wide a, Wide b) { return a + b; }));
  apply<T, T>("sub", OF(a - b), unless_it_overflows<T>([](Wide a, Wide b) { return a - b; }));
  apply<T, T>("mul", OF(a * b), unless_it_overflows<T>([](Wide a, Wide b) { return a * b; }));
  apply<T, T>("div", OF(a / b),
              unless_it_overflows<T>([](Wide a, Wide b) { return b == 0 ? b : a / b; }));
  apply<T, T>("neg", OF(-a), unless_it_overflows<T>([](Wide a, Wide) { return -a; }));
  apply<T, T>("abs", OF(abs(a)), unless_it_overflows<T>([](Wide a, Wide) { return -a; }));
  apply<T, T>("plus_one", OF(a + 1), unless_it_overflows<T>([](Wide a, Wide) { return a + 1; }));
  apply<T, T>("div_three", OF(a / 3));
  apply<T, T>("min", OF(min(a, b)));
  apply<T, T>("max", OF(max(a, b)));
  apply<T, T>("lt", OF(a < b));
  apply<T, T>("le", OF(a <= b));
  apply<T, T>("eq", OF(a == b));
  apply<T, T>("ne", OF(a != b));
  apply<T, T>("select", OF(select(a < b, a, b)));
  apply<T, T>("absd", OF(absd(a, b)));
  apply<T, T>("clamp", OF(clamp(a, 3, 100)));
  apply<T, T>("clamp_to_b", OF(clamp(a, b, b)));
  if constexpr (std::is_floating_point_v<T>) {
    apply<T, T>("sqrt", OF(sqrt(a)));
    apply<T, T>("floor", OF(floor(a)));
    apply<T, T>("ceil", OF(ceil(a)));
    apply<T, T>("trunc", OF(trunc(a)));
    apply<T, T>("round", OF(round(a)));
  } else {
    apply<T, T>("mod", OF(a % b));
    apply<T, T>("mod_three", OF(a % 3));
    apply<T, T>("div_eight", OF(a / 8));
    apply<T, T>("mod_eight", OF(a % 8));
    if constexpr (std::is_signed_v<T>) {
      apply<T, T>("div_minus_three", OF(a / cast<T>(Expr(-3))));
      apply<T, T>("mod_minus_five", OF(a % cast<T>(Expr(-5))));
    }
    apply<T, T>("div_zero", OF(a / (b - b)));
    apply<T, T>("mod_zero", OF(a % (b - b)));
    apply<T, T>("and", OF(a & b));
    apply<T, T>("or", OF(a | b));
    apply<T, T>("xor", OF(a ^ b));
    apply<T, T>("not", OF(~a));
  }
}

template <class D, class S>
void conversion() {
  apply<S, S>("cast_" + name<D>(), OF(cast<D>(a)));
  apply<S, S>("saturate_" + name<D>(), OF(saturating_cast<D>(a)));
}

// Small values, so that nothing overflows in the narrower type.
template <class A, class B>
void two_types() {
  const Asked<A, B> small = [](A a, B b) {
    return std::abs(static_cast<double>(a)) < 4096 && std::abs(static_cast<double>(b)) < 4096;
  };
  apply<A, B>("add", OF(a + b), small);
  apply<A, B>("sub", OF(a - b), small);
  apply<A, B>("mul", OF(a * b), small);
  apply<A, B>("div", OF(a / b), small);
  apply<A, B>("lt", OF(a < b));
  apply<A, B>("eq", OF(a == b));
  apply<A, B>("max", OF(max(a, b)));
  if constexpr (!std::is_floating_point_v<A> && !std::is_floating_point_v<B>) {
    apply<A, B>("mod", OF(a % b), small);
    constexpr int kBits = 8 * (sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B));
    const auto within = [](Wide a, Wide b, bool left) {
      if (b <= -kBits || b >= kBits) return false;
      if (left == (b > 0)) {
        const Wide far = a * (Wide{1} << static_cast<int>(b < 0 ? -b : b));
        return !std::is_signed_v<A> || kBits < 32 ||
               (kBits == 32 ? holds<int32_t>(far) : holds<int64_t>(far));
      }
      return true;
    };
    apply<A, B>("shl", OF(a << b), [=](A a, B b) { return within(a, b, true); });
    apply<A, B>("shr", OF(a >> b), [=](A a, B b) { return within(a, b, false); });
  }
}

template <class... T>
struct Types {
  template <class F>
  static void each(const F& f) {
    (f(T{}), ...);
  }
};
using All =
    Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double>;

}  // namespace

int main() {
  All::each([](auto a) {
    using A = decltype(a);
    one_type<A>();
    All::each([](auto b) {
      conversion<decltype(b), A>();
      two_types<A, decltype(b)>();
    });
  });
  apply<uint8_t, uint8_t>("lerp", OF(lerp(a, cast<uint8_t>(Expr(100)), b)));
  apply<uint16_t, uint16_t>("lerp", OF(lerp(cast<uint16_t>(Expr(7)), a, b)));
  apply<int16_t, uint16_t>("lerp", OF(lerp(a, cast<int16_t>(Expr(100)), b)));
  apply<int32_t, uint16_t>("lerp", OF(lerp(cast<int32_t>(Expr(7)), a, b)));
}
