#include "analysis/rules.h"

#include <array>
#include <cstring>
#include <optional>

#include "analysis/order.h"
#include "ir/semantics.h"

namespace hocket::analysis {

using namespace ir;

const std::vector<Rule>& simplifier_rules() {
  constexpr uint8_t kData = kWrap | kPoison;
  static const std::vector<Rule> rules = {
      // sums
      {"add zero", "(add x 0)", "x", "", kData},
      {"sub zero", "(sub x 0)", "x", "", kData | kFloat},
      {"sub self", "(sub x x)", "0", "", kData},
      {"add constants", "(add (add x c0) c1)", "(add x (fold add c0 c1))", "", kData},
      {"add after sub constant", "(add (sub x c0) c1)", "(add x (fold sub c1 c0))", "", kData},
      {"sub after add constant", "(sub (add x c0) c1)", "(add x (fold sub c0 c1))", "", kData},
      {"sub constants", "(sub (sub x c0) c1)", "(sub x (fold add c0 c1))", "", kData},
      {"constant minus sum", "(sub c0 (add x c1))", "(sub (fold sub c0 c1) x)", "", kData},
      {"constant minus difference", "(sub c0 (sub c1 x))", "(add x (fold sub c0 c1))", "", kData},
      {"sub undoes add", "(sub (add x y) y)", "x", "", kData},
      {"add undoes sub", "(add (sub x y) y)", "x", "", kData},
      {"sub of its own part", "(sub x (add x y))", "(neg y)", "", kWrap},
      {"neg neg", "(neg (neg x))", "x", "", kData | kFloat},
      {"add neg", "(add x (neg y))", "(sub x y)", "", kData | kFloat},
      {"sub neg", "(sub x (neg y))", "(add x y)", "", kData | kFloat},
      {"abs abs", "(abs (abs x))", "(abs x)", "", kData | kFloat},
      // products
      {"mul one", "(mul x 1)", "x", "", kData | kFloat},
      {"mul zero", "(mul x 0)", "0", "", kData},
      {"mul constants", "(mul (mul x c0) c1)", "(mul x (fold mul c0 c1))", "", kData},
      // Euclidean division
      {"div one", "(div x 1)", "x", "", kData | kFloat},
      {"div by zero", "(div x 0)", "0", "", kIntegers},
      {"div of zero", "(div 0 x)", "0", "", kIntegers},
      {"div div", "(div (div x c0) c1)", "(div x (fold mul c0 c1))",
       "(and (gt c0 0) (and (gt c1 0) (eq (fold div (fold mul c0 c1) c1) c0)))", kData},
      {"mod one", "(mod x 1)", "0", "", kData},
      {"mod by zero", "(mod x 0)", "0", "", kIntegers},
      {"mod of zero", "(mod 0 x)", "0", "", kIntegers},
      {"mod mod", "(mod (mod x c0) c1)", "(mod x c1)",
       "(and (gt c0 0) (and (gt c1 0) (eq (fold mod c0 c1) 0)))", kData},
      {"div of mod", "(div (mod x c0) c0)", "0", "(gt c0 0)", kData},
      // min and max
      {"min self", "(min x x)", "x", "", kData | kFloat},
      {"max self", "(max x x)", "x", "", kData | kFloat},
      {"min constants", "(min (min x c0) c1)", "(min x (fold min c0 c1))", "", kData},
      {"max constants", "(max (max x c0) c1)", "(max x (fold max c0 c1))", "", kData},
      {"min again", "(min (min x y) y)", "(min x y)", "", kData},
      {"max again", "(max (max x y) y)", "(max x y)", "", kData},
      {"min of max", "(min (max x y) y)", "y", "", kData},
      {"max of min", "(max (min x y) y)", "y", "", kData},
      {"clamp above its top", "(max (min x c0) c1)", "c1", "(ge c1 c0)", kData},
      {"clamp below its bottom", "(min (max x c0) c1)", "c1", "(le c1 c0)", kData},
      // comparisons
      {"less self", "(lt x x)", "false", "", kIntegers | kFloat},
      {"less or equal self", "(le x x)", "true", "", kIntegers},
      {"greater self", "(gt x x)", "false", "", kIntegers | kFloat},
      {"greater or equal self", "(ge x x)", "true", "", kIntegers},
      {"equal self", "(eq x x)", "true", "", kIntegers | kBool},
      {"unequal self", "(ne x x)", "false", "", kIntegers | kBool},
      {"equal up to constant", "(eq (add x c0) c1)", "(eq x (fold sub c1 c0))", "", kData},
      {"unequal up to constant", "(ne (add x c0) c1)", "(ne x (fold sub c1 c0))", "", kData},
      {"less up to summand", "(lt (add x y) (add z y))", "(lt x z)", "", kPoison},
      {"less or equal up to summand", "(le (add x y) (add z y))", "(le x z)", "", kPoison},
      {"less up to constant", "(lt (add x c0) c1)", "(lt x (fold sub c1 c0))", "", kPoison},
      {"less or equal up to constant", "(le (add x c0) c1)", "(le x (fold sub c1 c0))", "",
       kPoison},
      // bool
      {"and true", "(and x true)", "x", "", kBool},
      {"and false", "(and x false)", "false", "", kBool},
      {"and self", "(and x x)", "x", "", kBool},
      {"and opposite", "(and x (not x))", "false", "", kBool},
      {"and again", "(and (and x y) y)", "(and x y)", "", kBool},
      {"or true", "(or x true)", "true", "", kBool},
      {"or false", "(or x false)", "x", "", kBool},
      {"or self", "(or x x)", "x", "", kBool},
      {"or opposite", "(or x (not x))", "true", "", kBool},
      {"or again", "(or (or x y) y)", "(or x y)", "", kBool},
      {"not not", "(not (not x))", "x", "", kBool},
      {"not less", "(not (lt x y))", "(ge x y)", "", kIntegers},
      {"not less or equal", "(not (le x y))", "(gt x y)", "", kIntegers},
      {"not greater", "(not (gt x y))", "(le x y)", "", kIntegers},
      {"not greater or equal", "(not (ge x y))", "(lt x y)", "", kIntegers},
      {"not equal", "(not (eq x y))", "(ne x y)", "", kIntegers | kFloat | kBool},
      {"not unequal", "(not (ne x y))", "(eq x y)", "", kIntegers | kFloat | kBool},
      // bits
      {"bit and zero", "(bitand x 0)", "0", "", kData},
      {"bit and self", "(bitand x x)", "x", "", kData},
      {"bit and constants", "(bitand (bitand x c0) c1)", "(bitand x (fold bitand c0 c1))", "",
       kData},
      {"bit or zero", "(bitor x 0)", "x", "", kData},
      {"bit or self", "(bitor x x)", "x", "", kData},
      {"bit xor zero", "(bitxor x 0)", "x", "", kData},
      {"bit xor self", "(bitxor x x)", "0", "", kData},
      {"bit not twice", "(bitnot (bitnot x))", "x", "", kData},
      {"shift left zero", "(shl x 0)", "x", "", kData},
      {"shift right zero", "(shr x 0)", "x", "", kData},
  };
  return rules;
}

namespace {

struct Names {
  const char* name;
  BinaryOp op;
};
constexpr Names kBinary[] = {
    {"add", BinaryOp::Add},       {"sub", BinaryOp::Sub},     {"mul", BinaryOp::Mul},
    {"div", BinaryOp::Div},       {"mod", BinaryOp::Mod},     {"min", BinaryOp::Min},
    {"max", BinaryOp::Max},       {"and", BinaryOp::And},     {"or", BinaryOp::Or},
    {"bitand", BinaryOp::BitAnd}, {"bitor", BinaryOp::BitOr}, {"bitxor", BinaryOp::BitXor},
    {"shl", BinaryOp::Shl},       {"shr", BinaryOp::Shr},     {"eq", BinaryOp::Eq},
    {"ne", BinaryOp::Ne},         {"lt", BinaryOp::Lt},       {"le", BinaryOp::Le},
    {"gt", BinaryOp::Gt},         {"ge", BinaryOp::Ge},
};
struct UnaryNames {
  const char* name;
  UnaryOp op;
};
constexpr UnaryNames kUnary[] = {{"neg", UnaryOp::Neg},
                                 {"not", UnaryOp::Not},
                                 {"bitnot", UnaryOp::BitNot},
                                 {"abs", UnaryOp::Abs}};

class Reader {
 public:
  explicit Reader(const char* text) : at_(text), whole_(text) {}

  PatternNode read() {
    PatternNode n = node();
    skip();
    HOCKET_ASSERT(*at_ == 0, std::string("text after a rule: ") + whole_);
    return n;
  }

 private:
  void skip() {
    while (*at_ == ' ') at_++;
  }
  std::string word() {
    skip();
    const char* from = at_;
    while (*at_ && *at_ != ' ' && *at_ != '(' && *at_ != ')') at_++;
    return std::string(from, at_);
  }
  PatternNode node() {
    skip();
    PatternNode n;
    if (*at_ != '(') {
      std::string w = word();
      if (w == "x" || w == "y" || w == "z") {
        n.slot = w[0] - 'x';
      } else if (w.size() == 2 && w[0] == 'c' && w[1] >= '0' && w[1] <= '2') {
        n.kind = PatternNode::Kind::Constant;
        n.slot = w[1] - '0';
      } else if (w == "true" || w == "false") {
        n.kind = PatternNode::Kind::Literal;
        n.literal = w == "true";
        n.slot = 1;  // a bool whatever the operands are
      } else {
        HOCKET_ASSERT(!w.empty() && (w[0] == '-' || (w[0] >= '0' && w[0] <= '9')),
                      std::string("word in a rule: ") + whole_);
        n.kind = PatternNode::Kind::Literal;
        n.literal = std::stoll(w);
      }
      return n;
    }
    at_++;
    std::string op = word();
    bool fold = op == "fold";
    if (fold) op = word();
    bool found = false;
    for (const Names& k : kBinary) {
      if (op == k.name) {
        n.kind = PatternNode::Kind::Binary;
        n.binary = k.op;
        found = true;
      }
    }
    for (const UnaryNames& k : kUnary) {
      if (op == k.name) {
        n.kind = PatternNode::Kind::Unary;
        n.unary = k.op;
        found = true;
      }
    }
    HOCKET_ASSERT(found, std::string("operator in a rule: ") + whole_);
    n.kids.push_back(node());
    if (n.kind == PatternNode::Kind::Binary) n.kids.push_back(node());
    if (fold) n.kind = PatternNode::Kind::Fold;
    skip();
    HOCKET_ASSERT(*at_ == ')', std::string("brackets of a rule: ") + whole_);
    at_++;
    return n;
  }

  const char* at_;
  const char* whole_;
};

bool commutes(BinaryOp op, uint8_t domain) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Mul:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
      return true;
    case BinaryOp::Min:
    case BinaryOp::Max:
      return domain != kFloat;  // with a NaN the second operand wins
    default:
      return false;
  }
}

struct Match {
  std::array<Expr, 3> any;
  std::array<Expr, 3> constant;
  Type operand;  // the type of the expressions that the rule speaks of
};

Expr scalar_constant(const Expr& e) {
  if (e.kind() == ExprKind::Broadcast) return scalar_constant(e.as<Broadcast>()->value);
  if (e.kind() == ExprKind::IntImm || e.kind() == ExprKind::FloatImm) return e;
  return {};
}

bool is_literal(const Expr& e, int64_t value) {
  Expr c = scalar_constant(e);
  if (!c.defined()) return false;
  if (const auto* i = c.as<IntImm>()) return i->value == value;
  double v = c.as<FloatImm>()->value, w = static_cast<double>(value);
  return std::memcmp(&v, &w, sizeof v) == 0;  // 0.0 is not -0.0
}

bool match(const PatternNode& p, const Expr& e, uint8_t domain, Match& m) {
  switch (p.kind) {
    case PatternNode::Kind::Any: {
      Expr& slot = m.any[static_cast<size_t>(p.slot)];
      if (slot.defined()) return same(slot, e);
      slot = e;
      return true;
    }
    case PatternNode::Kind::Constant: {
      Expr c = scalar_constant(e);
      if (!c.defined()) return false;
      Expr& slot = m.constant[static_cast<size_t>(p.slot)];
      if (slot.defined()) return same(slot, c);
      slot = c;
      return true;
    }
    case PatternNode::Kind::Literal:
      return is_literal(e, p.literal);
    case PatternNode::Kind::Unary: {
      const auto* u = e.as<Unary>();
      return u && u->op == p.unary && match(p.kids[0], u->a, domain, m);
    }
    case PatternNode::Kind::Binary: {
      const auto* b = e.as<Binary>();
      if (!b || b->op != p.binary) return false;
      Match before = m;
      if (match(p.kids[0], b->a, domain, m) && match(p.kids[1], b->b, domain, m)) return true;
      if (!commutes(b->op, domain)) return false;
      m = before;
      return match(p.kids[0], b->b, domain, m) && match(p.kids[1], b->a, domain, m);
    }
    default:
      return false;
  }
}

Scalar scalar_of(const Expr& c) {
  if (const auto* i = c.as<IntImm>()) return Scalar::of_int(c.type(), i->value);
  return Scalar::of_float(c.type(), c.as<FloatImm>()->value);
}

std::optional<Scalar> fold(const PatternNode& p, const Match& m) {
  switch (p.kind) {
    case PatternNode::Kind::Constant:
      return scalar_of(m.constant[static_cast<size_t>(p.slot)]);
    case PatternNode::Kind::Literal:
      return scalar_of(make_const(m.operand.element(), p.literal));
    case PatternNode::Kind::Fold:
    case PatternNode::Kind::Binary:
    case PatternNode::Kind::Unary: {
      auto a = fold(p.kids[0], m);
      if (!a || a->poison) return std::nullopt;
      Scalar r;
      if (p.kids.size() == 2) {
        auto b = fold(p.kids[1], m);
        if (!b || b->poison) return std::nullopt;
        r = eval_binary(p.binary, *a, *b);
      } else {
        r = eval_unary(p.unary, *a);
      }
      if (r.poison) return std::nullopt;
      return r;
    }
    default:
      return std::nullopt;
  }
}

Expr constant_of(const Scalar& s, int lanes) {
  Expr e = s.type.is_float() ? make_float(s.type, s.f) : make_int(s.type, s.i);
  return make_broadcast(e, lanes);
}

Expr build(const PatternNode& p, const Match& m) {
  int lanes = m.operand.lanes;
  switch (p.kind) {
    case PatternNode::Kind::Any:
      return m.any[static_cast<size_t>(p.slot)];
    case PatternNode::Kind::Constant:
      return make_broadcast(m.constant[static_cast<size_t>(p.slot)], lanes);
    case PatternNode::Kind::Literal:
      return make_const(p.slot == 1 ? Type::boolean(lanes) : m.operand, p.literal);
    case PatternNode::Kind::Fold: {
      auto v = fold(p, m);
      return v ? constant_of(*v, lanes) : Expr();
    }
    case PatternNode::Kind::Unary: {
      Expr a = build(p.kids[0], m);
      return a.defined() ? make_unary(p.unary, a) : Expr();
    }
    case PatternNode::Kind::Binary: {
      Expr a = build(p.kids[0], m), b = build(p.kids[1], m);
      return a.defined() && b.defined() ? make_binary(p.binary, a, b) : Expr();
    }
    default:
      return {};
  }
}

// The type that the letters of a rule have when it is matched against e: that of the operands where
// the pattern is a comparison, or the negation of one. Nothing where e is no such thing.
std::optional<Type> operand_type(const PatternNode& p, const Expr& e) {
  if (p.kind == PatternNode::Kind::Binary && is_comparison(p.binary)) {
    const auto* b = e.as<Binary>();
    if (!b || b->op != p.binary) return std::nullopt;
    return b->a.type();
  }
  if (p.kind == PatternNode::Kind::Unary && p.unary == UnaryOp::Not) {
    const auto* u = e.as<Unary>();
    if (!u || u->op != UnaryOp::Not) return std::nullopt;
    return operand_type(p.kids[0], u->a);
  }
  return e.type();
}

const std::vector<std::vector<CompiledRule>>& rules_by_root() {
  static const std::vector<std::vector<CompiledRule>> table = [] {
    std::vector<std::vector<CompiledRule>> t(64);
    for (const Rule& r : simplifier_rules()) {
      CompiledRule c = compile_rule(r);
      size_t key = c.pattern.kind == PatternNode::Kind::Unary
                       ? static_cast<size_t>(c.pattern.unary)
                       : 32 + static_cast<size_t>(c.pattern.binary);
      t[key].push_back(std::move(c));
    }
    return t;
  }();
  return table;
}

}  // namespace

CompiledRule compile_rule(const Rule& rule) {
  CompiledRule c;
  c.rule = &rule;
  c.pattern = Reader(rule.pattern).read();
  c.replacement = Reader(rule.replacement).read();
  if (*rule.condition) {
    c.condition = Reader(rule.condition).read();
    c.has_condition = true;
  }
  return c;
}

uint8_t rule_domain(Type t) {
  if (t.is_float()) return kFloat;
  if (t.is_bool()) return kBool;
  if (t.is_index()) return kIndex;
  return t.wraps() ? kWrap : kPoison;
}

Expr apply_rule(const CompiledRule& rule, const Expr& e) {
  Match m;
  auto operand = operand_type(rule.pattern, e);
  if (!operand) return {};
  m.operand = *operand;
  uint8_t domain = rule_domain(m.operand);
  if (!(rule.rule->domains & domain)) return {};
  if (!match(rule.pattern, e, domain, m)) return {};
  if (rule.has_condition) {
    const PatternNode* c = &rule.condition;
    // Conjunctions are read without evaluating what a false part protects.
    while (c->kind == PatternNode::Kind::Binary && c->binary == BinaryOp::And) {
      auto first = fold(c->kids[0], m);
      if (!first || !first->truth()) return {};
      c = &c->kids[1];
    }
    auto last = fold(*c, m);
    if (!last || !last->truth()) return {};
  }
  return build(rule.replacement, m);
}

Expr apply_rules(const Expr& e) {
  size_t key = 0;
  if (const auto* u = e.as<Unary>()) {
    key = static_cast<size_t>(u->op);
  } else if (const auto* b = e.as<Binary>()) {
    key = 32 + static_cast<size_t>(b->op);
  } else {
    return {};
  }
  for (const CompiledRule& r : rules_by_root()[key]) {
    if (Expr out = apply_rule(r, e); out.defined()) return out;
  }
  return {};
}

}  // namespace hocket::analysis
