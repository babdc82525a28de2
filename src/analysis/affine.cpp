#include "analysis/affine.h"

#include <algorithm>

#include "analysis/factors.h"
#include "analysis/order.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

Affine Affine::of_atom(const Expr& atom, const BigInt& coef) {
  Affine a;
  if (!coef.is_zero()) a.terms_.push_back({atom, coef});
  return a;
}

Affine Affine::of_symbol(const Symbol& sym, const BigInt& coef) {
  Expr v = make_var(sym);
  return of_atom(v.type().is_index() ? v : make_cast(Type::index(), v), coef);
}

BigInt Affine::coefficient(const Symbol& sym) const {
  for (const Term& t : terms_) {
    const Expr* e = &t.atom;
    if (const auto* c = e->as<Cast>()) e = &c->a;
    if (const auto* v = e->as<VarRef>(); v && v->sym == sym) return t.coef;
  }
  return 0;
}

BigInt Affine::coefficient(const Expr& atom) const {
  for (const Term& t : terms_) {
    if (same(t.atom, atom)) return t.coef;
  }
  return 0;
}

bool Affine::mentions(const Symbol& sym) const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [&](const Term& t) { return analysis::mentions(t.atom, sym); });
}

Affine& Affine::add_term(const Expr& atom, const BigInt& coef) {
  if (coef.is_zero()) return *this;
  for (size_t i = 0; i < terms_.size(); i++) {
    if (!same(terms_[i].atom, atom)) continue;
    terms_[i].coef += coef;
    if (terms_[i].coef.is_zero()) terms_.erase_at(i);
    return *this;
  }
  terms_.push_back({atom, coef});
  return *this;
}

Affine& Affine::add(const Affine& other, const BigInt& times) {
  if (&other == this) return *this = this->times(times + 1);
  for (const Term& t : other.terms_) add_term(t.atom, t.coef * times);
  constant_ += other.constant_ * times;
  return *this;
}

Affine Affine::times(const BigInt& factor) const {
  Affine r;
  if (factor.is_zero()) return r;
  r.terms_.reserve(terms_.size());
  for (const Term& t : terms_) r.terms_.push_back({t.atom, t.coef * factor});
  r.constant_ = constant_ * factor;
  return r;
}

Affine Affine::without(const Expr& atom) const {
  Affine r;
  for (const Term& t : terms_) {
    if (!same(t.atom, atom)) r.terms_.push_back(t);
  }
  r.constant_ = constant_;
  return r;
}

Affine Affine::substituted(const Expr& atom, const Affine& value) const {
  BigInt c = coefficient(atom);
  if (c.is_zero()) return *this;
  Affine r = without(atom);
  r.add(value, c);
  return r;
}

BigInt Affine::content() const {
  BigInt g = 0;
  for (const Term& t : terms_) g = gcd(g, t.coef);
  return g;
}

Affine operator+(const Affine& a, const Affine& b) {
  Affine r = a;
  return r.add(b), r;
}

Affine operator-(const Affine& a, const Affine& b) {
  Affine r = a;
  return r.add(b, -1), r;
}

bool operator==(const Affine& a, const Affine& b) {
  if (a.terms_.size() != b.terms_.size() || !(a.constant_ == b.constant_)) return false;
  for (const Affine::Term& t : a.terms_) {
    if (!(b.coefficient(t.atom) == t.coef)) return false;
  }
  return true;
}

std::vector<Affine::Term> written_order(const Affine& a) {
  std::vector<Affine::Term> terms(a.terms().begin(), a.terms().end());
  std::stable_sort(terms.begin(), terms.end(), [](const Affine::Term& x, const Affine::Term& y) {
    BigInt p = abs(x.coef), q = abs(y.coef);
    if (!(p == q)) return q < p;
    if (x.coef.sign() != y.coef.sign()) return x.coef.sign() > 0;
    return compare(x.atom, y.atom) < 0;
  });
  // A sum starts with something that is added.
  auto first = std::find_if(terms.begin(), terms.end(),
                            [](const Affine::Term& t) { return t.coef.sign() > 0; });
  if (first != terms.end()) std::rotate(terms.begin(), first, first + 1);
  return terms;
}

Expr index_expr(const BigInt& value) {
  if (auto small = value.to_int64()) return make_index(*small);
  BigInt base = support::pow(2, 62);
  return index_expr(floor_div(value, base)) * make_index(int64_t{1} << 62) +
         index_expr(floor_mod(value, base));
}

Expr Affine::to_expr() const {
  if (terms_.empty()) return index_expr(constant_);
  std::vector<Term> sorted;
  const Term *first = terms_.begin(), *last = terms_.end();
  if (terms_.size() > 1) {
    sorted = written_order(*this);
    first = sorted.data();
    last = first + sorted.size();
  }
  Expr sum;
  bool constant_done = constant_.is_zero();
  if (first->coef.sign() < 0) {
    sum = index_expr(constant_);
    constant_done = true;
  }
  for (; first != last; ++first) {
    const Term& t = *first;
    BigInt size = abs(t.coef);
    Expr e = size == BigInt(1) ? t.atom : t.atom * index_expr(size);
    if (!sum.defined()) {
      sum = e;
    } else {
      sum = t.coef.sign() > 0 ? sum + e : sum - e;
    }
  }
  if (constant_done) return sum;
  return constant_.sign() > 0 ? sum + index_expr(constant_) : sum - index_expr(abs(constant_));
}

namespace {

bool opens(Type t) {
  return t.is_index();
}

void parse_into(const Expr& e, const BigInt& times, Affine& out) {
  if (opens(e.type())) {
    if (const auto* i = e.as<IntImm>()) {
      out.add_constant(times * BigInt(i->value));
      return;
    }
    if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Neg) {
      parse_into(u->a, -times, out);
      return;
    }
    if (const auto* b = e.as<Binary>()) {
      int64_t c = 0;
      switch (b->op) {
        case BinaryOp::Add:
          parse_into(b->a, times, out);
          parse_into(b->b, times, out);
          return;
        case BinaryOp::Sub:
          parse_into(b->a, times, out);
          parse_into(b->b, -times, out);
          return;
        case BinaryOp::Mul:
          if (is_int(b->b, &c)) {
            parse_into(b->a, times * BigInt(c), out);
          } else if (is_int(b->a, &c)) {
            parse_into(b->b, times * BigInt(c), out);
          } else {
            out.add(multiply(parse_affine(b->a), parse_affine(b->b)), times);
          }
          return;
        default:
          break;
      }
    }
    out.add_term(e, times);
    return;
  }
  int64_t c = 0;
  if (is_int(e, &c) && !(e.type().is_uint() && e.type().bits == 64 && c < 0)) {
    out.add_constant(times * BigInt(c));
    return;
  }
  out.add_term(make_cast(Type::index(), e), times);
}

Expr product_of(const Expr& a, const Expr& b) {
  std::vector<Expr> factors;
  factors_of(a, factors);
  factors_of(b, factors);
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Expr& x, const Expr& y) { return compare(x, y) < 0; });
  Expr r = factors[0];
  for (size_t i = 1; i < factors.size(); i++) r = r * factors[i];
  return r;
}

}  // namespace

Affine parse_affine(const Expr& e) {
  Affine a;
  parse_into(e, 1, a);
  return a;
}

Affine multiply(const Affine& a, const Affine& b) {
  if (a.is_constant()) return b.times(a.constant());
  if (b.is_constant()) return a.times(b.constant());
  if (a.terms().size() * b.terms().size() > 16) {
    return Affine::of_atom(product_of(a.to_expr(), b.to_expr()));
  }
  Affine r(a.constant() * b.constant());
  for (const Affine::Term& x : a.terms()) {
    for (const Affine::Term& y : b.terms()) {
      r.add_term(product_of(x.atom, y.atom), x.coef * y.coef);
    }
    r.add_term(x.atom, x.coef * b.constant());
  }
  for (const Affine::Term& y : b.terms()) r.add_term(y.atom, y.coef * a.constant());
  return r;
}

int compare(const Affine& a, const Affine& b) {
  if (a.is_constant() != b.is_constant()) return a.is_constant() ? 1 : -1;
  std::vector<Affine::Term> x = written_order(a), y = written_order(b);
  for (size_t i = 0; i < std::min(x.size(), y.size()); i++) {
    if (int c = compare(x[i].atom, y[i].atom)) return c;
    if (!(x[i].coef == y[i].coef)) return x[i].coef < y[i].coef ? -1 : 1;
  }
  if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  return a.constant() < b.constant() ? -1 : b.constant() < a.constant() ? 1 : 0;
}

}  // namespace hocket::analysis
