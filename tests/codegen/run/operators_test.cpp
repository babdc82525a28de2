// Every operator, on every element type and several lane counts, by every back end, against
// ir/semantics.h: bit for bit wherever the result is not poison.
#include <cstring>

#include "../support/flat.h"
#include "codegen/common/layout.h"

namespace hocket::codegen::testing {

namespace {

std::vector<Type> element_types() {
  return {Type::i(8),  Type::i(16), Type::i(32),     Type::i(64),  Type::u(8),
          Type::u(16), Type::u(32), Type::u(64),     Type::f(16),  Type::bf16(),
          Type::f(32), Type::f(64), Type::boolean(), Type::index()};
}

struct Case {
  std::string name;
  std::vector<Type> operands;  // element types
  Type result;
  std::function<Expr(const std::vector<Expr>&)> expr;
  std::function<Scalar(const std::vector<Scalar>&)> expected;
};

constexpr int64_t kCount = 1024;

ir::ProcRef proc_of(const Case& c, int lanes) {
  ProcBuilder b(c.name);
  std::vector<Symbol> inputs;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    inputs.push_back(b.buffer("a" + std::to_string(i), c.operands[i]));
  }
  const Symbol out = b.buffer("result", c.result);
  const Symbol i = Symbol::fresh("i", Type::index());
  const Expr at = ir::make_var(i) * ir::make_index(lanes);
  std::vector<Expr> values;
  for (const Symbol& s : inputs) values.push_back(load(s, at, lanes));
  ir::Body inner = {store(out, lanes_at(at, lanes), c.expr(values))};
  return b.build({ir::make_for(i, ir::make_index(0), ir::make_index(kCount / lanes),
                               ir::LoopKind::Seq, inner)});
}

// The default for all; what only differs in how LLVM or a C compiler is driven at a few.
std::vector<Backend> backends_for(int lanes) {
  if (lanes == 1) return all_backends();
  if (lanes == 3 || lanes == 16) return {Backend::Jit, Backend::Gcc, Backend::Clang};
  if (lanes == 8) return {Backend::Jit, Backend::JitUnoptimised, Backend::JitFull};
  return {Backend::Jit};
}

void run_cases(std::vector<Case> cases, int lanes, const std::vector<Backend>& backends) {
  std::vector<ir::ProcRef> procs;
  for (const Case& c : cases) procs.push_back(proc_of(c, lanes));
  for (Backend backend : backends) {
    SCOPED_TRACE(name_of(backend) + ", lanes " + std::to_string(lanes));
    const auto code = compile(backend, procs);
    std::mt19937_64 random(7);
    for (const Case& c : cases) {
      std::vector<std::vector<Scalar>> in;
      std::vector<std::vector<uint8_t>> memory;
      for (size_t k = 0; k < c.operands.size(); ++k) {
        in.push_back(interesting_values(c.operands[k], kCount, random));
        std::shuffle(in.back().begin(), in.back().end(), random);
        memory.push_back(bytes_of(in.back()));
      }
      std::vector<uint8_t> out(static_cast<size_t>(kCount * c.result.bytes()), 0xcd);
      std::vector<void*> args;
      for (auto& m : memory) args.push_back(m.data());
      args.push_back(out.data());
      ASSERT_EQ(code->call(c.name, args), 0);
      int wrong = 0;
      for (int64_t k = 0; k < kCount / lanes * lanes && wrong < 3; ++k) {
        std::vector<Scalar> operands;
        for (auto& v : in) operands.push_back(v[static_cast<size_t>(k)]);
        const Scalar expected = c.expected(operands);
        if (expected.poison) continue;
        const Scalar got = ir::load_bytes(c.result, out.data() + k * c.result.bytes());
        const bool byte_ok = !c.result.is_bool() || out[static_cast<size_t>(k)] <= 1;
        if (ir::same_value(got, expected) && byte_ok) continue;
        ++wrong;
        std::string text = c.name;
        for (const Scalar& s : operands) text += "  " + to_string(s);
        ADD_FAILURE() << text << "\n  expected " << to_string(expected) << "\n  got      "
                      << to_string(got);
      }
    }
  }
}

const char* word(ir::BinaryOp op) {
  const char* const words[] = {"add", "sub", "mul",  "div", "mod",  "min", "max",
                               "and", "or",  "band", "bor", "bxor", "shl", "shr",
                               "eq",  "ne",  "lt",   "le",  "gt",   "ge"};
  return words[static_cast<int>(op)];
}

bool applies(ir::BinaryOp op, Type t) {
  using B = ir::BinaryOp;
  if (op == B::And || op == B::Or) return t.is_bool();
  if (op >= B::BitAnd && op <= B::BitXor) return !t.is_float();
  if (op == B::Shl || op == B::Shr) return t.is_integral();
  return !t.is_bool() || ir::is_comparison(op) || op == B::Min || op == B::Max;
}

std::vector<Case> binary_cases() {
  std::vector<Case> cases;
  for (Type t : element_types()) {
    for (int o = 0; o <= static_cast<int>(ir::BinaryOp::Ge); ++o) {
      const auto op = static_cast<ir::BinaryOp>(o);
      if (!applies(op, t)) continue;
      cases.push_back(
          {std::string(word(op)) + "_" + t.name(),
           {t, t},
           ir::is_comparison(op) ? Type::boolean() : t,
           [op](const std::vector<Expr>& v) { return ir::make_binary(op, v[0], v[1]); },
           [op](const std::vector<Scalar>& v) { return ir::eval_binary(op, v[0], v[1]); }});
    }
  }
  return cases;
}

// Divisors and shift counts that are constants take forms of their own.
std::vector<Case> constant_cases() {
  std::vector<Case> cases;
  using B = ir::BinaryOp;
  for (Type t : element_types()) {
    if (!t.is_integral()) continue;
    for (B op : {B::Div, B::Mod, B::Shl, B::Shr}) {
      int n = 0;
      for (int64_t c : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{2}, int64_t{3}, int64_t{-3},
                        int64_t{8}, int64_t{-8}, int64_t{9}, int64_t{63}, int64_t{64}, int64_t{100},
                        t.min_value(), t.max_value()}) {
        const Scalar by = Scalar::of_int(t, c);
        cases.push_back(
            {std::string(word(op)) + "_by" + std::to_string(n++) + "_" + t.name(),
             {t},
             t,
             [op, t, by](const std::vector<Expr>& v) {
               return ir::make_binary(op, v[0],
                                      ir::make_const(t.with_lanes(v[0].type().lanes), by.i));
             },
             [op, by](const std::vector<Scalar>& v) { return ir::eval_binary(op, v[0], by); }});
      }
    }
  }
  return cases;
}

std::vector<Case> unary_cases() {
  std::vector<Case> cases;
  const char* const words[] = {"neg",   "not",  "bitnot", "abs",  "sqrt",
                               "floor", "ceil", "trunc",  "round"};
  using U = ir::UnaryOp;
  for (Type t : element_types()) {
    for (int o = 0; o <= static_cast<int>(U::Round); ++o) {
      const auto op = static_cast<U>(o);
      if (op == U::Not ? !t.is_bool() : t.is_bool()) continue;
      if (op == U::BitNot && t.is_float()) continue;
      if (op == U::Sqrt && !t.is_float()) continue;
      cases.push_back({std::string(words[o]) + "_" + t.name(),
                       {t},
                       t,
                       [op](const std::vector<Expr>& v) { return ir::make_unary(op, v[0]); },
                       [op](const std::vector<Scalar>& v) { return ir::eval_unary(op, v[0]); }});
    }
    if (t.is_float()) {
      cases.push_back(
          {"fma_" + t.name(),
           {t, t, t},
           t,
           [](const std::vector<Expr>& v) { return ir::make_fma(v[0], v[1], v[2]); },
           [](const std::vector<Scalar>& v) { return ir::eval_fma(v[0], v[1], v[2]); }});
    }
    cases.push_back({"select_" + t.name(),
                     {Type::boolean(), t, t},
                     t,
                     [](const std::vector<Expr>& v) { return ir::make_select(v[0], v[1], v[2]); },
                     [](const std::vector<Scalar>& v) { return v[0].truth() ? v[1] : v[2]; }});
  }
  return cases;
}

std::vector<Case> cast_cases() {
  std::vector<Case> cases;
  for (Type from : element_types()) {
    for (Type to : element_types()) {
      if (from == to) continue;
      cases.push_back({"cast_" + from.name() + "_" + to.name(),
                       {from},
                       to,
                       [to](const std::vector<Expr>& v) {
                         return ir::make_cast(to.with_lanes(v[0].type().lanes), v[0]);
                       },
                       [to](const std::vector<Scalar>& v) { return ir::eval_cast(to, v[0]); }});
    }
  }
  return cases;
}

class Arithmetic : public ::testing::TestWithParam<int> {};

TEST_P(Arithmetic, Binary) {
  run_cases(binary_cases(), GetParam(), backends_for(GetParam()));
}
TEST_P(Arithmetic, Constant) {
  run_cases(constant_cases(), GetParam(), backends_for(GetParam()));
}
TEST_P(Arithmetic, Unary) {
  run_cases(unary_cases(), GetParam(), backends_for(GetParam()));
}
TEST_P(Arithmetic, Cast) {
  run_cases(cast_cases(), GetParam(), backends_for(GetParam()));
}

// gcc 12 breaks off where __builtin_convertvector widens floats to vectors twice as wide as the
// machine's, and these are compared and masked (helpers_arith.cpp, vector_cast).
TEST(OperatorsOfCasts, WidenedAndCompared) {
  const Type wide = Type::f(64);
  const auto widened = [&](const Expr& e) {
    return ir::make_cast(wide.with_lanes(e.type().lanes), e);
  };
  std::vector<Case> cases;
  for (ir::BinaryOp op : {ir::BinaryOp::Min, ir::BinaryOp::Max, ir::BinaryOp::Le})
    cases.push_back({std::string(word(op)) + "_of_widened",
                     {Type::i(64), Type::f(32)},
                     ir::is_comparison(op) ? Type::boolean() : wide,
                     [=](const std::vector<Expr>& v) {
                       return ir::make_binary(op, widened(v[0]), widened(v[1]));
                     },
                     [=](const std::vector<Scalar>& v) {
                       return ir::eval_binary(op, ir::eval_cast(wide, v[0]),
                                              ir::eval_cast(wide, v[1]));
                     }});
  for (const int lanes : {3, 4, 8})
    run_cases(cases, lanes, {Backend::Jit, Backend::Gcc, Backend::Clang});
}

INSTANTIATE_TEST_SUITE_P(Lanes, Arithmetic, ::testing::Values(1, 2, 3, 4, 8, 16, 32),
                         [](const auto& info) { return "x" + std::to_string(info.param); });

}  // namespace

}  // namespace hocket::codegen::testing
