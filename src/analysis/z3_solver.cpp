#include "analysis/z3_solver.h"

#include <z3++.h>

#include <optional>

#include "analysis/bound_search.h"
#include "analysis/cpu_limit.h"
#include "analysis/order.h"

namespace hocket::analysis {

using namespace ir;

namespace {

class Translation {
 public:
  explicit Translation(z3::context& c) : c_(c), side_(c) {}

  z3::expr number(const BigInt& v) { return c_.int_val(v.to_string().c_str()); }

  z3::expr integer(const Expr& e) {
    Type t = e.type();
    switch (e.kind()) {
      case ExprKind::IntImm: {
        int64_t v = e.as<IntImm>()->value;
        return number(t.is_uint() ? BigInt(static_cast<uint64_t>(v)) : BigInt(v));
      }
      case ExprKind::Unary: {
        const auto* u = e.as<Unary>();
        if (u->op == UnaryOp::Neg) return settle(t, -integer(u->a));
        if (u->op == UnaryOp::Abs) {
          z3::expr a = integer(u->a);
          return settle(t, z3::ite(a < 0, -a, a));
        }
        break;
      }
      case ExprKind::Select: {
        const auto* s = e.as<Select>();
        return z3::ite(truth(s->cond), integer(s->t), integer(s->f));
      }
      case ExprKind::Cast: {
        const Expr& a = e.as<Cast>()->a;
        if (a.type().is_bool()) return z3::ite(truth(a), number(1), number(0));
        if (!a.type().is_integral()) break;
        ConstRange from = type_range(a.type()), to = type_range(t);
        z3::expr v = integer(a);
        if (to.min <= from.min && from.max <= to.max) return v;
        return wrap(t, v);
      }
      case ExprKind::Binary: {
        const auto* b = e.as<Binary>();
        switch (b->op) {
          case BinaryOp::Add:
            return settle(t, integer(b->a) + integer(b->b));
          case BinaryOp::Sub:
            return settle(t, integer(b->a) - integer(b->b));
          case BinaryOp::Mul:
            products_ = products_ || (!is_int(b->a) && !is_int(b->b));
            return settle(t, integer(b->a) * integer(b->b));
          case BinaryOp::Div:
          case BinaryOp::Mod: {
            z3::expr x = integer(b->a), y = integer(b->b);
            int64_t k = 0;
            bool safe = is_int(b->b, &k) && k != 0;
            products_ = products_ || !is_int(b->b);
            z3::expr r = b->op == BinaryOp::Div ? x / y : z3::mod(x, y);
            if (!safe) r = z3::ite(y == 0, number(0), r);
            return settle(t, r);
          }
          case BinaryOp::Min: {
            z3::expr x = integer(b->a), y = integer(b->b);
            return z3::ite(x < y, x, y);
          }
          case BinaryOp::Max: {
            z3::expr x = integer(b->a), y = integer(b->b);
            return z3::ite(x > y, x, y);
          }
          default:
            break;
        }
        break;
      }
      default:
        break;
    }
    return term(e);
  }

  z3::expr truth(const Expr& e) {
    int64_t v = 0;
    if (is_int(e, &v)) return c_.bool_val(v != 0);
    if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Not) return !truth(u->a);
    if (const auto* s = e.as<Select>()) {
      return z3::ite(truth(s->cond), truth(s->t), truth(s->f));
    }
    if (const auto* b = e.as<Binary>()) {
      Type o = b->a.type();
      if (o.is_bool()) {
        z3::expr x = truth(b->a), y = truth(b->b);
        switch (b->op) {
          case BinaryOp::And:
          case BinaryOp::BitAnd:
          case BinaryOp::Min:
            return x && y;
          case BinaryOp::Or:
          case BinaryOp::BitOr:
          case BinaryOp::Max:
            return x || y;
          case BinaryOp::Eq:
            return x == y;
          case BinaryOp::BitXor:
          case BinaryOp::Ne:
            return x != y;
          case BinaryOp::Lt:
            return !x && y;
          case BinaryOp::Le:
            return !x || y;
          case BinaryOp::Gt:
            return x && !y;
          case BinaryOp::Ge:
            return x || !y;
          default:
            break;
        }
      } else if (o.is_integral() && !o.is_vector() && is_comparison(b->op)) {
        z3::expr x = integer(b->a), y = integer(b->b);
        switch (b->op) {
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
          default:
            return x >= y;
        }
      }
    }
    return term(e) == 1;
  }

  z3::expr form(const Affine& a) {
    z3::expr sum = number(a.constant());
    for (const Affine::Term& t : a.terms()) sum = sum + number(t.coef) * integer(t.atom);
    return sum;
  }

  // Ranges of types of the terms named so far.
  const z3::expr_vector& side() const { return side_; }
  const std::vector<std::pair<Expr, z3::expr>>& terms() const { return terms_; }
  bool products() const { return products_; }

 private:
  z3::expr wrap(Type t, const z3::expr& v) {
    z3::expr size = number(support::pow(2, t.bits));
    if (t.is_uint()) return z3::mod(v, size);
    z3::expr half = number(support::pow(2, t.bits - 1u));
    return z3::mod(v + half, size) - half;
  }
  z3::expr settle(Type t, const z3::expr& v) { return t.wraps() ? wrap(t, v) : v; }

  z3::expr term(const Expr& e) {
    for (const auto& [known, variable] : terms_) {
      if (same(known, e)) return variable;
    }
    std::string name = "t" + std::to_string(terms_.size());
    z3::expr v = c_.int_const(name.c_str());
    Type t = e.type();
    if (t.is_bool() || (t.is_integral() && !t.is_index())) {
      ConstRange r = type_range(t);
      side_.push_back(v >= number(r.min));
      side_.push_back(v <= number(r.max));
    }
    terms_.emplace_back(e, v);
    return v;
  }

  z3::context& c_;
  z3::expr_vector side_;
  std::vector<std::pair<Expr, z3::expr>> terms_;
  bool products_ = false;  // of two unknowns
};

}  // namespace

struct Z3Solver::Impl {
  z3::context context;
};

Z3Solver::Z3Solver() = default;
Z3Solver::~Z3Solver() = default;

Z3Solver::Answer Z3Solver::refute(const Expr& condition, const Facts& facts, int timeout_ms,
                                  bool small_model) {
  Answer answer;
  try {
    if (!impl_) impl_ = std::make_unique<Impl>();
    z3::context& c = impl_->context;
    Translation t(c);
    z3::expr_vector all(c);
    all.push_back(!t.truth(condition));
    for (const Expr& atom : facts.known_atoms()) {
      const Facts::Known* k = facts.find(atom);
      if (!k || (k->lower.empty() && k->upper.empty() && !k->value)) continue;
      z3::expr self = t.integer(atom);
      if (k->value) all.push_back(self == t.form(*k->value));
      for (const Affine& a : k->lower) all.push_back(self >= t.form(a));
      for (const Affine& a : k->upper) all.push_back(self <= t.form(a));
    }
    for (const Affine& a : facts.constraints()) all.push_back(t.form(a) >= 0);
    for (const Expr& e : facts.conditions()) all.push_back(t.truth(e));
    for (unsigned i = 0; i < t.side().size(); i++) all.push_back(t.side()[static_cast<int>(i)]);

    // The simple solver is ten times as fast; products of unknowns want the other one.
    z3::solver solver = t.products() ? z3::solver(c) : z3::solver(c, z3::solver::simple());
    for (unsigned i = 0; i < all.size(); i++) solver.add(all[static_cast<int>(i)]);

    const CpuLimit limit(timeout_ms, [&c] { c.interrupt(); });
    z3::check_result result = solver.check();
    if (result == z3::unsat) {
      answer.outcome = Outcome::NoModel;
      return answer;
    }
    if (result == z3::unknown) {
      answer.reason = limit.reached() ? "no answer within the limit of computing time"
                                      : solver.reason_unknown();
      return answer;
    }
    std::optional<z3::model> model(solver.get_model());
    if (small_model) {
      for (int largest : {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 256}) {
        solver.push();
        for (const auto& [e, v] : t.terms()) {
          solver.add(v <= largest);
          solver.add(v >= -largest);
        }
        bool found = solver.check() == z3::sat;
        if (found) model.emplace(solver.get_model());
        solver.pop();
        if (found || limit.reached()) break;
      }
    }
    for (const auto& [e, v] : t.terms()) {
      z3::expr value = model->eval(v, true);
      auto number = BigInt::parse(value.is_numeral() ? value.get_decimal_string(0) : "");
      if (!number) {
        answer.reason = "a model without numbers";
        return answer;
      }
      answer.values.emplace_back(e, *number);
      bool free = e.kind() == ExprKind::VarRef || e.kind() == ExprKind::BufferField;
      if (!free) answer.opaque.push_back(e);
    }
    answer.outcome = Outcome::Model;
  } catch (const z3::exception& problem) {
    answer = {};
    answer.reason = problem.msg();
  }
  return answer;
}

}  // namespace hocket::analysis
