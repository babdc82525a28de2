#include "analysis/affine_prove.h"

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/bound_search.h"
#include "analysis/linear.h"
#include "analysis/order.h"
#include "analysis/simplify.h"
#include "ir/visit.h"

namespace hocket::analysis {

using namespace ir;

namespace {

// A conjunction of facts about integers and of opaque conditions.
struct Conjunct {
  std::vector<Affine> nonnegative, zero, nonzero;
  std::vector<std::pair<Expr, bool>> opaque;
};

class ToCases {
 public:
  ToCases(const Facts& facts, int limit) : facts_(facts), limit_(limit) {}

  // The cases in which e has the wanted truth; nothing where there are too many.
  std::optional<std::vector<Conjunct>> of(const Expr& e, bool truth) {
    int64_t v = 0;
    if (is_int(e, &v)) {
      if ((v != 0) == truth) return std::vector<Conjunct>(1);
      return std::vector<Conjunct>();
    }
    if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Not) return of(u->a, !truth);
    if (const auto* s = e.as<Select>(); s && s->t.type().is_bool()) {
      auto a = both(of(s->cond, true), of(s->t, truth));
      auto b = both(of(s->cond, false), of(s->f, truth));
      return either(std::move(a), std::move(b));
    }
    if (const auto* b = e.as<Binary>()) {
      if (b->op == BinaryOp::And || b->op == BinaryOp::Or) {
        bool conjunction = (b->op == BinaryOp::And) == truth;
        auto x = of(b->a, truth), y = of(b->b, truth);
        return conjunction ? both(std::move(x), std::move(y)) : either(std::move(x), std::move(y));
      }
      if (is_comparison(b->op) && b->a.type().is_bool()) {
        bool same_truth = (b->op == BinaryOp::Eq) == truth;
        if (b->op == BinaryOp::Eq || b->op == BinaryOp::Ne) {
          return either(both(of(b->a, true), of(b->b, same_truth)),
                        both(of(b->a, false), of(b->b, !same_truth)));
        }
      }
      if (is_comparison(b->op) && b->a.type().is_integral() && !b->a.type().is_vector()) {
        return comparison(b->op, b->a, b->b, truth);
      }
    }
    Conjunct c;
    c.opaque.emplace_back(e, truth);
    return std::vector<Conjunct>{std::move(c)};
  }

 private:
  using Cases = std::optional<std::vector<Conjunct>>;

  Cases comparison(BinaryOp op, const Expr& a, const Expr& b, bool truth) {
    Affine d = affine_of(b, facts_) - affine_of(a, facts_);  // b - a
    Conjunct c;
    switch (op) {
      case BinaryOp::Lt:
        c.nonnegative.push_back(truth ? d.add_constant(-1) : -d);
        break;
      case BinaryOp::Le:
        c.nonnegative.push_back(truth ? d : (-d).add_constant(-1));
        break;
      case BinaryOp::Gt:
        c.nonnegative.push_back(truth ? (-d).add_constant(-1) : d);
        break;
      case BinaryOp::Ge:
        c.nonnegative.push_back(truth ? -d : d.add_constant(-1));
        break;
      default:
        if ((op == BinaryOp::Eq) == truth) {
          c.zero.push_back(d);
        } else {
          c.nonzero.push_back(d);
        }
    }
    return std::vector<Conjunct>{std::move(c)};
  }

  Cases either(Cases a, Cases b) {
    if (!a || !b) return std::nullopt;
    for (Conjunct& c : *b) a->push_back(std::move(c));
    if (a->size() > static_cast<size_t>(limit_)) return std::nullopt;
    return a;
  }
  Cases both(Cases a, Cases b) {
    if (!a || !b || a->size() * b->size() > static_cast<size_t>(limit_)) return std::nullopt;
    std::vector<Conjunct> all;
    for (const Conjunct& x : *a) {
      for (const Conjunct& y : *b) {
        Conjunct c = x;
        c.nonnegative.insert(c.nonnegative.end(), y.nonnegative.begin(), y.nonnegative.end());
        c.zero.insert(c.zero.end(), y.zero.begin(), y.zero.end());
        c.nonzero.insert(c.nonzero.end(), y.nonzero.begin(), y.nonzero.end());
        c.opaque.insert(c.opaque.end(), y.opaque.begin(), y.opaque.end());
        all.push_back(std::move(c));
      }
    }
    return all;
  }

  const Facts& facts_;
  int limit_;
};

// One case: its constraints, closed under what defines and bounds their atoms.
class Case {
 public:
  Case(const Facts& facts, const AffineEffort& effort) : facts_(facts), effort_(effort) {}

  bool refute(const Conjunct& c, int& cases) {
    nonnegative_ = c.nonnegative;
    zero_ = c.zero;
    nonzero_ = c.nonzero;
    for (size_t i = 0; i < c.opaque.size(); i++) {
      const auto& [e, truth] = c.opaque[i];
      for (size_t j = 0; j < i; j++) {
        if (c.opaque[j].second != truth && same(c.opaque[j].first, e)) return true;
      }
      for (const Expr& known : facts_.conditions()) {
        if (same(known, e) && !truth) return true;
        const auto* n = known.as<Unary>();
        if (n && n->op == UnaryOp::Not && same(n->a, e) && truth) return true;
      }
    }
    for (const Expr& known : facts_.conditions()) {
      const auto* b = known.as<Binary>();
      if (b && b->op == BinaryOp::Ne && b->a.type().is_index()) {
        facts_nonzero_.push_back(affine_of(b->a, facts_) - affine_of(b->b, facts_));
      }
    }
    close();
    return refuted(cases);
  }

 private:
  int variable(const Expr& atom) {
    for (size_t i = 0; i < atoms_.size(); i++) {
      if (same(atoms_[i], atom)) return static_cast<int>(i);
    }
    atoms_.push_back(atom);
    return static_cast<int>(atoms_.size()) - 1;
  }
  bool has_variable(const Expr& atom) const {
    return std::any_of(atoms_.begin(), atoms_.end(), [&](const Expr& e) { return same(e, atom); });
  }
  void name_atoms(const Affine& a) {
    for (const Affine::Term& t : a.terms()) variable(t.atom);
  }
  void ge(Affine a) {
    name_atoms(a);
    nonnegative_.push_back(std::move(a));
  }
  void eq(Affine a) {
    name_atoms(a);
    zero_.push_back(std::move(a));
  }

  // What holds of each atom that is named, until no new atom is.
  void close() {
    for (const auto* list : {&nonnegative_, &zero_, &nonzero_}) {
      for (const Affine& a : *list) name_atoms(a);
    }
    std::vector<bool> used(facts_.constraints().size(), false);
    std::vector<bool> used_nonzero(facts_nonzero_.size(), false);
    size_t next = 0;
    while (next < atoms_.size() && atoms_.size() < 60) {
      while (next < atoms_.size() && atoms_.size() < 60) {
        Expr atom = atoms_[next++];
        define(atom);
      }
      for (size_t i = 0; i < used.size(); i++) {
        const Affine& a = facts_.constraints()[i];
        if (used[i] || !touches(a)) continue;
        used[i] = true;
        ge(a);
      }
      for (size_t i = 0; i < used_nonzero.size(); i++) {
        if (used_nonzero[i] || !touches(facts_nonzero_[i])) continue;
        used_nonzero[i] = true;
        name_atoms(facts_nonzero_[i]);
        nonzero_.push_back(facts_nonzero_[i]);
      }
    }
  }
  bool touches(const Affine& a) const {
    // Also through what stands inside an atom: n % 16 == 0 speaks of n.
    return std::any_of(a.terms().begin(), a.terms().end(), [&](const Affine::Term& t) {
      bool found = false;
      for_each(t.atom, [&](const Expr& e) {
        found = found || (e.kind() != ExprKind::IntImm && has_variable(e));
      });
      return found;
    });
  }

  void define(const Expr& atom) {
    Affine self = Affine::of_atom(atom);
    if (const Facts::Known* k = facts_.find(atom)) {
      if (k->value) eq(self - *k->value);
      for (const Affine& a : k->lower) ge(self - a);
      for (const Affine& a : k->upper) ge(a - self);
    }
    if (const auto* c = atom.as<Cast>()) {
      ConstRange r = data_range(c->a, facts_);
      ge(self - Affine(r.min));
      ge(Affine(r.max) - self);
      return;
    }
    const auto* b = atom.as<Binary>();
    if (!b) return;
    int64_t c = 0;
    bool by_number = is_int(b->b, &c) && c > 0;
    switch (b->op) {
      case BinaryOp::Div: {
        if (!by_number) break;
        // c * q <= x <= c * q + c - 1
        Affine x = parse_affine(b->a);
        ge(x - self.times(BigInt(c)));
        ge((self.times(BigInt(c)) - x).add_constant(BigInt(c) - BigInt(1)));
        break;
      }
      case BinaryOp::Mod: {
        if (!by_number) {
          ge(self);
          break;
        }
        Affine x = parse_affine(b->a);
        Affine q = Affine::of_atom(make_binary(BinaryOp::Div, b->a, b->b));
        eq(x - q.times(BigInt(c)) - self);
        break;
      }
      case BinaryOp::Min:
        ge(parse_affine(b->a) - self);
        ge(parse_affine(b->b) - self);
        break;
      case BinaryOp::Max:
        ge(self - parse_affine(b->a));
        ge(self - parse_affine(b->b));
        break;
      case BinaryOp::Mul:
        product(b, self);
        break;
      default:
        break;
    }
  }

  // (x - lo) * y >= 0 and (hi - x) * y >= 0 for y >= 0, and the same with the roles exchanged.
  void product(const Binary* b, const Affine& self) {
    if (products_++ > 8) return;
    for (int turn = 0; turn < 2; turn++) {
      const Expr &xe = turn ? b->b : b->a, &ye = turn ? b->a : b->b;
      Affine x = parse_affine(xe), y = parse_affine(ye);
      auto low = lower_bound(y, facts_);
      if (!low || low->sign() < 0) continue;
      if (auto l = lower_bound(x, facts_)) ge(self - y.times(*l));
      if (auto h = upper_bound(x, facts_)) ge(y.times(*h) - self);
      if (const Facts::Known* k = facts_.find(xe)) {
        for (const Affine& a : k->lower) ge(self - multiply(a, y));
        for (const Affine& a : k->upper) ge(multiply(a, y) - self);
      }
    }
  }

  Row row(const Affine& a) {
    Row r;
    for (const Affine::Term& t : a.terms()) r.coefs.emplace_back(variable(t.atom), t.coef);
    std::sort(r.coefs.begin(), r.coefs.end(),
              [](const auto& p, const auto& q) { return p.first < q.first; });
    r.constant = a.constant();
    return r;
  }

  bool infeasible() {
    LinearSystem s;
    for (const Affine& a : nonnegative_) s.nonnegative(row(a));
    for (const Affine& a : zero_) s.zero(row(a));
    return s.infeasible(effort_.max_rows);
  }

  bool refuted(int& cases) {
    if (infeasible()) return true;
    // Splits: something unequal is less or greater ...
    if (!nonzero_.empty()) {
      if (--cases < 0) return false;
      Affine d = nonzero_.back();
      Case less = *this, greater = *this;
      less.nonzero_.pop_back();
      greater.nonzero_.pop_back();
      less.nonnegative_.push_back((-d).add_constant(-1));
      greater.nonnegative_.push_back(d.add_constant(-1));
      return less.refuted(cases) && greater.refuted(cases);
    }
    // ... a min is one of its sides, a select the one that its condition says.
    for (size_t i = 0; i < atoms_.size(); i++) {
      if (split_.size() <= i) split_.resize(atoms_.size(), false);
      if (split_[i]) continue;
      Expr atom = atoms_[i];
      Affine self = Affine::of_atom(atom);
      const auto* b = atom.as<Binary>();
      if (b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max)) {
        if (--cases < 0) return false;
        split_[i] = true;
        Affine x = parse_affine(b->a), y = parse_affine(b->b);
        Case first = *this, second = *this;
        first.zero_.push_back(self - x);
        second.zero_.push_back(self - y);
        return first.refuted(cases) && second.refuted(cases);
      }
      if (const auto* s = atom.as<Select>()) {
        if (--cases < 0) return false;
        split_[i] = true;
        for (bool truth : {true, false}) {
          auto ways = ToCases(facts_, effort_.max_disjuncts).of(s->cond, truth);
          Conjunct none;
          if (!ways) ways = std::vector<Conjunct>(1);
          for (const Conjunct& w : *ways) {
            Case one = *this;
            one.zero_.push_back(self - parse_affine(truth ? s->t : s->f));
            for (const Affine& a : w.nonnegative) one.nonnegative_.push_back(a);
            for (const Affine& a : w.zero) one.zero_.push_back(a);
            for (const Affine& a : w.nonzero) one.nonzero_.push_back(a);
            one.close_again();
            if (!one.refuted(cases)) return false;
          }
        }
        return true;
      }
    }
    return split_products(cases);
  }

  // x * w and y * w with w >= 0: x < y, x == y or x > y, and each says how far the products are
  // apart. This is what rows of a symbolic width need.
  bool split_products(int& cases) {
    struct Product {
      Expr atom;
      Expr factor[2];
    };
    std::vector<Product> products;
    for (const Expr& atom : atoms_) {
      const auto* b = atom.as<Binary>();
      if (b && b->op == BinaryOp::Mul) products.push_back({atom, {b->a, b->b}});
    }
    for (size_t i = 0; i < products.size(); i++) {
      for (size_t j = i + 1; j < products.size(); j++) {
        for (int k = 0; k < 4; k++) {
          const Expr &w = products[i].factor[k % 2], &v = products[j].factor[k / 2];
          if (!same(w, v)) continue;
          int pair = static_cast<int>(i * 64 + j);
          if (std::find(pairs_.begin(), pairs_.end(), pair) != pairs_.end()) continue;
          if (!is_nonnegative(parse_affine(w), facts_)) continue;
          if (--cases < 0) return false;
          pairs_.push_back(pair);
          Affine d = parse_affine(products[i].factor[1 - k % 2]) -
                     parse_affine(products[j].factor[1 - k / 2]);
          Affine apart = Affine::of_atom(products[i].atom) - Affine::of_atom(products[j].atom);
          Affine width = parse_affine(w);
          Case less = *this, equal = *this, greater = *this;
          less.nonnegative_.push_back((-d).add_constant(-1));
          less.nonnegative_.push_back(-apart - width);
          equal.zero_.push_back(d);
          equal.zero_.push_back(apart);
          greater.nonnegative_.push_back(d.add_constant(-1));
          greater.nonnegative_.push_back(apart - width);
          for (Case* one : {&less, &equal, &greater}) {
            one->close_again();
            if (!one->refuted(cases)) return false;
          }
          return true;
        }
      }
    }
    return false;
  }

  // After new constraints were added: what defines the atoms that they bring.
  void close_again() {
    size_t from = atoms_.size();
    for (const auto* list : {&nonnegative_, &zero_, &nonzero_}) {
      for (size_t i = 0; i < list->size(); i++) {
        Affine a = (*list)[i];
        name_atoms(a);
      }
    }
    for (size_t i = from; i < atoms_.size() && atoms_.size() < 60; i++) {
      Expr atom = atoms_[i];
      define(atom);
    }
  }

  const Facts& facts_;
  const AffineEffort& effort_;
  std::vector<Expr> atoms_;
  std::vector<bool> split_;
  std::vector<int> pairs_;  // of products, split
  std::vector<Affine> nonnegative_, zero_, nonzero_, facts_nonzero_;
  int products_ = 0;
};

}  // namespace

bool affine_prove(const Expr& condition, const Facts& facts, const AffineEffort& effort) {
  if (facts.unreachable()) return true;
  auto opposite = ToCases(facts, effort.max_disjuncts).of(condition, false);
  if (!opposite) return false;
  int cases = effort.max_cases;
  for (const Conjunct& c : *opposite) {
    if (!Case(facts, effort).refute(c, cases)) return false;
  }
  return true;
}

}  // namespace hocket::analysis
