// Every rule of the simplifier is proved for every domain that it names; wrong ones are found out.
//
// Wrapping and poison integers: all values of 8 bits, then Z3's bit-vectors at 16, 32 and 64 (where
// they give up, a lemma stands in kLemmas). Unbounded integers and floats: Z3. Bools: all values.
#include "analysis/rules.h"

#include <gtest/gtest.h>
#include <z3++.h>

#include <array>
#include <map>
#include <optional>
#include <random>

#include "ir/semantics.h"

namespace hocket::analysis {
namespace {

using namespace ir;
using Kind = PatternNode::Kind;

// ---- all values of 8 bits -----------------------------------------------------------------

constexpr int kLanes = 256;
struct Lanes {
  std::array<int, kLanes> v;
  std::array<bool, kLanes> poison;
};

struct Width {
  bool is_signed;
  bool wraps;  // else overflow is poison
  int lo() const { return is_signed ? -128 : 0; }
  int hi() const { return is_signed ? 127 : 255; }
};

int euclid(int a, int b, int* rest) {
  int q = a / b, r = a % b;
  if (r < 0) {
    q += b > 0 ? -1 : 1;
    r += b > 0 ? b : -b;
  }
  *rest = r;
  return q;
}

int exact(BinaryOp op, int a, int b, const Width& w) {
  int r = 0;
  switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return b == 0 ? 0 : euclid(a, b, &r);
    case BinaryOp::Mod:
      return b == 0 ? 0 : (euclid(a, b, &r), r);
    case BinaryOp::Min:
      return a < b ? a : b;
    case BinaryOp::Max:
      return a > b ? a : b;
    case BinaryOp::And:
    case BinaryOp::BitAnd:
      return a & b;
    case BinaryOp::Or:
    case BinaryOp::BitOr:
      return a | b;
    case BinaryOp::BitXor:
      return a ^ b;
    case BinaryOp::Shl:
    case BinaryOp::Shr: {
      bool left = (op == BinaryOp::Shl) == (b >= 0);
      int n = b < 0 ? -b : b;
      if (n >= 8) return !left && w.is_signed && a < 0 ? -1 : 0;
      // A shift to the left drops bits, it does not overflow.
      if (!left) return a >> n;
      int low = (a << n) & 255;
      return w.is_signed && low > 127 ? low - 256 : low;
    }
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    case BinaryOp::Ge:
      return a >= b;
  }
  return 0;
}

int exact(UnaryOp op, int a) {
  switch (op) {
    case UnaryOp::Neg:
      return -a;
    case UnaryOp::Not:
      return !a;
    case UnaryOp::BitNot:
      return ~a;
    default:
      return a < 0 ? -a : a;
  }
}

void settle(Lanes& x, const Width& w) {
  for (int i = 0; i < kLanes; i++) {
    if (x.v[i] >= w.lo() && x.v[i] <= w.hi()) continue;
    if (w.wraps) {
      int low = x.v[i] & 255;
      x.v[i] = w.is_signed && low > 127 ? low - 256 : low;
    } else {
      x.poison[i] = true;
      x.v[i] = 0;
    }
  }
}

struct Values {
  std::array<Lanes, 3> any;
  std::array<Lanes, 3> constant;
};

// `folds_poison`: set where a fold is poison, so that the rule does not apply.
Lanes eval(const PatternNode& p, const Values& values, const Width& w, Lanes& folds_poison) {
  Lanes r{};
  switch (p.kind) {
    case Kind::Any:
      return values.any[static_cast<size_t>(p.slot)];
    case Kind::Constant:
      return values.constant[static_cast<size_t>(p.slot)];
    case Kind::Literal:
      r.v.fill(static_cast<int>(p.literal));
      r.poison.fill(false);
      return r;
    default:
      break;
  }
  Lanes a = eval(p.kids[0], values, w, folds_poison);
  bool bool_result = false;
  if (p.kids.size() == 2) {
    Lanes b = eval(p.kids[1], values, w, folds_poison);
    bool_result = is_comparison(p.binary);
    for (int i = 0; i < kLanes; i++) {
      r.v[i] = exact(p.binary, a.v[i], b.v[i], w);
      r.poison[i] = a.poison[i] || b.poison[i];
    }
  } else {
    for (int i = 0; i < kLanes; i++) {
      r.v[i] = exact(p.unary, a.v[i]);
      if (p.unary == UnaryOp::BitNot && !w.is_signed) r.v[i] &= 255;
      r.poison[i] = a.poison[i];
    }
    bool_result = p.unary == UnaryOp::Not;
  }
  if (!bool_result) settle(r, w);
  if (p.kind == Kind::Fold) {
    for (int i = 0; i < kLanes; i++) folds_poison.v[i] = folds_poison.v[i] || r.poison[i];
  }
  return r;
}

void slots(const PatternNode& p, int& any, int& constants) {
  if (p.kind == Kind::Any) any = std::max(any, p.slot + 1);
  if (p.kind == Kind::Constant) constants = std::max(constants, p.slot + 1);
  for (const PatternNode& k : p.kids) slots(k, any, constants);
}

// The first values for which the rule is wrong, as text; empty where there are none.
std::string counterexample_8(const CompiledRule& rule, const Width& w, int lo, int hi) {
  int any = 0, constants = 0;
  slots(rule.pattern, any, constants);
  int n = any + constants;
  Values values{};
  auto slot = [&](int k) -> Lanes& {
    return k < any ? values.any[static_cast<size_t>(k)]
                   : values.constant[static_cast<size_t>(k - any)];
  };
  std::array<int, 6> at{};
  at.fill(lo);
  int count = hi - lo + 1;
  while (true) {
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < kLanes; i++) slot(k).v[i] = k == 0 ? lo + i % count : at[k];
    }
    Lanes off{};
    Lanes left = eval(rule.pattern, values, w, off);
    off.v.fill(0);
    Lanes right = eval(rule.replacement, values, w, off);
    Lanes holds{};
    holds.v.fill(1);
    // A fold of a condition that is poison stands behind a part that is false.
    Lanes ignored{};
    if (rule.has_condition) holds = eval(rule.condition, values, w, ignored);
    for (int i = 0; i < std::min(count, kLanes); i++) {
      if (off.v[i] || !holds.v[i] || holds.poison[i] || left.poison[i]) continue;
      if (right.poison[i] || right.v[i] != left.v[i]) {
        std::string s;
        for (int k = 0; k < n; k++) s += std::to_string(slot(k).v[i]) + " ";
        return s + ": " + std::to_string(left.v[i]) + " became " +
               (right.poison[i] ? "poison" : std::to_string(right.v[i]));
      }
    }
    int k = 1;
    while (k < n && ++at[k] > hi) at[k++] = lo;
    if (k >= n) return "";
  }
}

// ---- Z3 -----------------------------------------------------------------------------------

// The pattern as an expression of unbounded integers, bit-vectors or floats.
class ToZ3 {
 public:
  enum class Sort { Int, Bits, Float };
  ToZ3(z3::context& c, Sort sort, unsigned bits, bool is_signed)
      : c_(c), sort_(sort), bits_(bits), signed_(is_signed) {}

  z3::expr of(const PatternNode& p) {
    switch (p.kind) {
      case Kind::Any:
        return variable("xyz"[p.slot]);
      case Kind::Constant:
        return variable("cde"[p.slot]);
      case Kind::Literal:
        if (p.slot == 1) return c_.bool_val(p.literal != 0);
        return number(p.literal);
      default:
        break;
    }
    z3::expr a = of(p.kids[0]);
    if (p.kids.size() == 1) {
      switch (p.unary) {
        case UnaryOp::Not:
          return !a;
        case UnaryOp::BitNot:
          return ~a;
        case UnaryOp::Neg:
          return -a;
        default:
          if (sort_ == Sort::Float) return z3::expr(c_, Z3_mk_fpa_abs(c_, a));
          return signed_ ? z3::ite(less(a, number(0)), -a, a) : a;
      }
    }
    z3::expr b = of(p.kids[1]);
    switch (p.binary) {
      case BinaryOp::Add:
        return a + b;
      case BinaryOp::Sub:
        return a - b;
      case BinaryOp::Mul:
        return a * b;
      case BinaryOp::Div:
        return divide(a, b);
      case BinaryOp::Mod:
        return remainder(a, b);
      case BinaryOp::Min:
        return z3::ite(less(a, b), a, b);
      case BinaryOp::Max:
        return z3::ite(less(b, a), a, b);
      case BinaryOp::And:
        return a && b;
      case BinaryOp::Or:
        return a || b;
      case BinaryOp::BitAnd:
        return a & b;
      case BinaryOp::BitOr:
        return a | b;
      case BinaryOp::BitXor:
        return a ^ b;
      case BinaryOp::Eq:
        return equal(a, b);
      case BinaryOp::Ne:
        return !equal(a, b);
      case BinaryOp::Lt:
        return less(a, b);
      case BinaryOp::Gt:
        return less(b, a);
      case BinaryOp::Le:
        return not_greater(a, b);
      case BinaryOp::Ge:
        return not_greater(b, a);
      case BinaryOp::Shl:
        return z3::shl(a, b);  // rules shift by 0 only
      case BinaryOp::Shr:
        return signed_ ? z3::ashr(a, b) : z3::lshr(a, b);
    }
    return a;
  }

 private:
  z3::expr variable(char name) {
    std::string s(1, name);
    if (sort_ == Sort::Int) return c_.int_const(s.c_str());
    if (sort_ == Sort::Bits) return c_.bv_const(s.c_str(), bits_);
    return c_.constant(s.c_str(), c_.fpa_sort<32>());
  }
  z3::expr number(int64_t v) {
    if (sort_ == Sort::Int) return c_.int_val(v);
    if (sort_ == Sort::Bits) return c_.bv_val(v, bits_);
    return c_.fpa_val(static_cast<float>(v));
  }
  z3::expr less(const z3::expr& a, const z3::expr& b) {
    if (sort_ == Sort::Bits && !signed_) return z3::ult(a, b);
    return a < b;
  }
  z3::expr not_greater(const z3::expr& a, const z3::expr& b) {
    if (sort_ == Sort::Bits && !signed_) return z3::ule(a, b);
    return a <= b;
  }
  z3::expr equal(const z3::expr& a, const z3::expr& b) {
    if (sort_ == Sort::Float) return z3::expr(c_, Z3_mk_fpa_eq(c_, a, b));
    return a == b;
  }
  // Euclidean, by zero zero.
  z3::expr divide(const z3::expr& a, const z3::expr& b) {
    if (sort_ == Sort::Float) return a / b;
    if (sort_ == Sort::Int) return z3::ite(b == 0, c_.int_val(0), a / b);
    z3::expr zero = number(0);
    if (!signed_) return z3::ite(b == zero, zero, z3::udiv(a, b));
    z3::expr q = a / b, r = z3::srem(a, b);
    z3::expr fixed = z3::ite(r < zero, z3::ite(b > zero, q - number(1), q + number(1)), q);
    return z3::ite(b == zero, zero, fixed);
  }
  z3::expr remainder(const z3::expr& a, const z3::expr& b) {
    if (sort_ == Sort::Int) return z3::ite(b == 0, c_.int_val(0), z3::mod(a, b));
    z3::expr zero = number(0);
    if (!signed_) return z3::ite(b == zero, zero, z3::urem(a, b));
    z3::expr r = z3::srem(a, b);
    return z3::ite(b == zero, zero, z3::ite(r < zero, z3::ite(b > zero, r + b, r - b), r));
  }

  z3::context& c_;
  Sort sort_;
  unsigned bits_;
  bool signed_;
};

z3::check_result ask_z3(const CompiledRule& rule, ToZ3::Sort sort, unsigned bits, bool is_signed,
                        unsigned timeout_ms) {
  z3::context c;
  z3::solver s(c);
  z3::params p(c);
  p.set("timeout", timeout_ms);
  s.set(p);
  ToZ3 to(c, sort, bits, is_signed);
  if (rule.has_condition) s.add(to.of(rule.condition));
  // `==` of floats is identity here: NaN equals NaN, the zeros differ.
  s.add(!(to.of(rule.pattern) == to.of(rule.replacement)));
  return s.check();
}

// What bit-vectors do not decide in time, by argument.
const std::map<std::string, std::string> kLemmas = {
    {"mul constants", "multiplication modulo 2^n is associative"},
    {"div div",
     "the condition says that c0 * c1 does not wrap, so this is floor(floor(x / a) / b) = "
     "floor(x / (a * b)) of integers with a, b > 0"},
    {"mod mod", "c1 divides c0, both positive: x and x mod c0 are equal modulo c1"},
    {"div of mod", "0 <= x mod c0 < c0 for c0 > 0"},
};

std::string wrong(const CompiledRule& rule, uint8_t domain) {
  if (domain == kWrap) {
    int any = 0, constants = 0;
    slots(rule.pattern, any, constants);
    for (bool is_signed : {true, false}) {
      Width w{is_signed, true};
      // Three variables: bit-vectors of 8 bits where they are quick, all values where not.
      if (any + constants > 2 && ask_z3(rule, ToZ3::Sort::Bits, 8, is_signed, 500) == z3::unsat) {
        continue;
      }
      if (std::string s = counterexample_8(rule, w, w.lo(), w.hi()); !s.empty()) return s;
    }
    return "";
  }
  if (domain == kPoison) {
    Width w{true, false};
    return counterexample_8(rule, w, w.lo(), w.hi());
  }
  if (domain == kBool) return counterexample_8(rule, Width{false, true}, 0, 1);
  auto sort = domain == kIndex ? ToZ3::Sort::Int : ToZ3::Sort::Float;
  z3::check_result r = ask_z3(rule, sort, 0, true, 20000);
  return r == z3::unsat ? "" : r == z3::sat ? "Z3 has a counterexample" : "Z3 does not know";
}

TEST(Rules, EveryRuleIsProvedInEveryDomain) {
  for (const Rule& r : simplifier_rules()) {
    CompiledRule c = compile_rule(r);
    EXPECT_NE(r.domains, 0) << r.name;
    for (uint8_t domain : {kIndex, kWrap, kPoison, kFloat, kBool}) {
      if (!(r.domains & domain)) continue;
      EXPECT_EQ(wrong(c, domain), "") << r.name << " in domain " << int(domain);
    }
  }
}

TEST(Rules, WrappingRulesHoldAtTheRealWidths) {
  for (const Rule& r : simplifier_rules()) {
    if (!(r.domains & kWrap)) continue;
    CompiledRule c = compile_rule(r);
    for (bool is_signed : {false, true}) {
      for (unsigned bits : {16u, 32u, 64u}) {
        if (is_signed && bits > 16) continue;
        if (kLemmas.count(r.name)) continue;
        EXPECT_EQ(ask_z3(c, ToZ3::Sort::Bits, bits, is_signed, 60000), z3::unsat)
            << r.name << " at " << bits << " bits";
      }
    }
  }
}

TEST(Rules, NamesAreUnique) {
  std::map<std::string, int> seen;
  for (const Rule& r : simplifier_rules()) EXPECT_EQ(seen[r.name]++, 0) << r.name;
  for (const auto& [name, lemma] : kLemmas) EXPECT_EQ(seen.count(name), 1u) << name;
}

TEST(Rules, WrongRulesAreFoundOut) {
  const Rule planted[] = {
      {"", "(lt (add x c0) (add y c0))", "(lt x y)", "", kWrap},
      {"", "(add x 0)", "x", "", kFloat},  // -0 + 0 is 0
      {"", "(sub x x)", "0", "", kFloat},
      {"", "(mul x 0)", "0", "", kFloat},
      {"", "(eq x x)", "true", "", kFloat},
      {"", "(not (lt x y))", "(ge x y)", "", kFloat},
      {"", "(min x y)", "(min y x)", "", kFloat},  // a NaN on either side gives the second
      {"", "(div (div x c0) c1)", "(div x (fold mul c0 c1))", "", kWrap},
      {"", "(div (div x c0) c1)", "(div x (fold mul c0 c1))", "", kPoison},
      {"", "(mod (mod x c0) c1)", "(mod x c1)", "", kPoison},
      {"", "(abs x)", "x", "", kPoison},
      {"", "(div (mul x c0) c0)", "x", "(gt c0 0)", kWrap},
      {"", "(div x y)", "0", "", kIndex},
      {"", "(and x y)", "x", "", kBool},
      {"", "(min (max x c0) c1)", "c1", "", kWrap},
      {"", "(sub c0 (sub c1 x))", "(add x (fold sub c1 c0))", "", kPoison},
  };
  for (const Rule& r : planted) {
    EXPECT_NE(wrong(compile_rule(r), r.domains), "") << r.pattern << " -> " << r.replacement;
  }
}

// The small evaluator above agrees with ir/semantics.h.
TEST(Rules, TheirArithmeticIsTheLanguages) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; round++) {
    bool is_signed = random() % 2;
    Width w{is_signed, true};
    Type t = is_signed ? Type::i(8) : Type::u(8);
    int a = w.lo() + static_cast<int>(random() % 256),
        b = w.lo() + static_cast<int>(random() % 256);
    auto op = static_cast<BinaryOp>(random() % 20);
    if (op == BinaryOp::And || op == BinaryOp::Or) continue;
    Scalar s = eval_binary(op, Scalar::of_int(t, a), Scalar::of_int(t, b));
    Lanes r{};
    r.v.fill(exact(op, a, b, w));
    if (!is_comparison(op)) settle(r, w);
    EXPECT_EQ(r.v[0], s.i) << spelling(op) << " " << a << " " << b;
  }
}

}  // namespace
}  // namespace hocket::analysis
