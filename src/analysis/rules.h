// The rules of the simplifier that are not plain affine arithmetic, as data.
//
// A rule is text: `(add (add x c0) c1)` becomes `(add x (fold add c0 c1))` for the types it names.
// x, y, z stand for any expression (the same letter, the same expression), c0, c1, c2 for
// constants, numbers for themselves. `fold` is computed by ir/semantics.h when the rule applies; a
// poison fold means that the rule does not. Commutative operators match either way round. Every
// rule is proved by tests/analysis/run/rules_test.cpp for every domain it names: one that is not
// proved is not in the table. Called by: simplify.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hocket::analysis {

// For which operand types a rule holds.
enum RuleDomain : uint8_t {
  kIndex = 1,   // unbounded integers
  kWrap = 2,    // i8, i16 and unsigned types: two's complement at any width
  kPoison = 4,  // i32, i64: overflow is poison, so a rule may assume there is none
  kFloat = 8,   // IEEE, all formats
  kBool = 16,
  kIntegers = kIndex | kWrap | kPoison,
};

struct Rule {
  const char* name;
  const char* pattern;
  const char* replacement;
  const char* condition;  // over the constants: `(gt c0 0)`, `(and ...)`; empty: always
  uint8_t domains;
};

const std::vector<Rule>& simplifier_rules();

// A rule ready to match; the pieces are open so that tests can prove them.
struct PatternNode {
  enum class Kind : uint8_t {
    Any,
    Constant,
    Literal,
    Unary,
    Binary,
    Select,
    Fold
  } kind = Kind::Any;
  int slot = 0;           // Any: 0..2, Constant: 0..2
  int64_t literal = 0;    // Literal
  ir::UnaryOp unary{};    // Unary, Fold of one
  ir::BinaryOp binary{};  // Binary, Fold of two
  std::vector<PatternNode> kids;
};
struct CompiledRule {
  const Rule* rule = nullptr;
  PatternNode pattern, replacement;
  PatternNode condition;  // kind Any with no meaning where there is none
  bool has_condition = false;
};
// Throws InternalError on text that is no rule (a bug in the table).
CompiledRule compile_rule(const Rule& rule);

// The domain of an element type (one bit).
uint8_t rule_domain(ir::Type operand_type);
// The first rule that applies to e, applied once; undefined where none does.
ir::Expr apply_rules(const ir::Expr& e);
// One rule, for tests.
ir::Expr apply_rule(const CompiledRule& rule, const ir::Expr& e);

}  // namespace hocket::analysis
