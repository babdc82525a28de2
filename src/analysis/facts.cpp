#include "analysis/facts.h"

#include <algorithm>

#include "analysis/order.h"
#include "analysis/simplify.h"
#include "analysis/walk.h"

namespace hocket::analysis {

using namespace ir;

Facts::Data& Facts::change() {
  if (!data_) {
    data_ = std::make_shared<Data>();
  } else if (data_.use_count() > 1) {
    data_ = std::make_shared<Data>(*data_);
  }
  return *data_;
}

namespace {
// The symbol that an atom is, through the cast of a data symbol to index.
const Symbol* symbol_of(const Expr& atom) {
  const Expr* e = &atom;
  if (const auto* c = e->as<Cast>(); c && c->type.is_index()) e = &c->a;
  const auto* v = e->as<VarRef>();
  return v ? &v->sym : nullptr;
}

// A lower bound that is a max is several lower bounds; an upper one that is a min likewise.
void split_bound(const Affine& form, bool lower, std::vector<Affine>& out) {
  if (out.size() < 8) {
    for (const Affine::Term& t : form.terms()) {
      const auto* b = t.atom.as<Binary>();
      if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max)) continue;
      bool opens = (b->op == BinaryOp::Max) == (lower == (t.coef.sign() > 0));
      if (!opens) continue;
      for (const Expr* side : {&b->a, &b->b}) {
        split_bound(form.substituted(t.atom, parse_affine(*side)), lower, out);
      }
      return;
    }
  }
  out.push_back(form);
}
}  // namespace

const Facts::Known* Facts::find(const Symbol& s) const {
  if (!data_) return nullptr;
  auto it = data_->symbols.find(s);
  return it == data_->symbols.end() ? nullptr : &it->second;
}

const Facts::Known* Facts::find(const Expr& atom) const {
  if (!data_) return nullptr;
  if (const Symbol* s = symbol_of(atom)) return find(*s);
  for (const auto& [e, k] : data_->others) {
    if (same(e, atom)) return &k;
  }
  return nullptr;
}

Facts::Known& Facts::known(const Expr& atom) {
  Data& d = change();
  if (const Symbol* s = symbol_of(atom)) {
    auto [it, made] = d.symbols.try_emplace(*s);
    if (made) {
      it->second.rank = ++d.next_rank;
      d.order.push_back(atom);
    }
    return it->second;
  }
  for (auto& [e, k] : d.others) {
    if (same(e, atom)) return k;
  }
  d.others.emplace_back(atom, Known{});
  d.others.back().second.rank = ++d.next_rank;
  d.order.push_back(atom);
  return d.others.back().second;
}

void Facts::bound_atom(const Expr& atom, const Affine& end, bool lower) {
  std::vector<Affine> ends;
  split_bound(end, lower, ends);
  Known& k = known(atom);
  for (Affine& e : ends) {
    auto& list = lower ? k.lower : k.upper;
    if (std::find(list.begin(), list.end(), e) == list.end()) list.push_back(std::move(e));
  }
}

bool exact_end(const ir::Expr& e) {
  if (const auto* b = e.as<ir::Binary>())
    return (b->op == ir::BinaryOp::Min || b->op == ir::BinaryOp::Max) && exact_end(b->a) &&
           exact_end(b->b);
  // Sizes are below 2^31, so that their cast to 32 bits and more is the number itself.
  if (const auto* c = e.as<ir::Cast>())
    return c->a.type().is_index() && e.type().bits >= 32 && exact_end(c->a);
  return ir::is_int(e) || e.as<ir::VarRef>() || e.as<ir::BufferField>();
}

void Facts::bound(const Symbol& s, const Expr& lo, const Expr& hi) {
  // Ends are read before the symbol is known, so that they rank below it.
  Affine low, high;
  if (lo.defined()) low = affine_of(lo, *this);
  if (hi.defined()) high = affine_of(hi, *this);
  for (const Affine* a : {&low, &high}) {
    for (const Affine::Term& t : a->terms()) {
      any_node(t.atom, [&](const Expr& e) {
        if (e.kind() == ExprKind::VarRef && !find(e)) known(e);
        return false;
      });
    }
  }
  Expr atom = Affine::of_symbol(s).terms()[0].atom;
  int own = known(atom).rank;
  // An end that was made known after the symbol itself is a condition, not a step of elimination.
  auto later = [&](const Affine& end) {
    bool found = false;
    for (const Affine::Term& t : end.terms()) {
      found = found || any_node(t.atom, [&](const Expr& e) {
                const Known* k = find(e);
                return k && k->rank >= own;
              });
    }
    return found;
  };
  if (lo.defined()) {
    if (later(low)) {
      assume_nonnegative(Affine::of_atom(atom) - low);
    } else {
      bound_atom(atom, low, true);
    }
  }
  if (hi.defined()) {
    if (later(high)) {
      assume_nonnegative(high - Affine::of_atom(atom));
    } else {
      bound_atom(atom, high, false);
    }
  }
}

void Facts::define(const Symbol& s, const Expr& value) {
  if (!value.type().is_integral() || value.type().is_vector()) {
    known(make_var(s));
    return;
  }
  Affine v = affine_of(value, *this);
  for (const Affine::Term& t : v.terms()) {
    any_node(t.atom, [&](const Expr& e) {
      if (e.kind() == ExprKind::VarRef && !find(e)) known(e);
      return false;
    });
  }
  known(make_var(s)).value = std::move(v);
}

void Facts::assume(const Expr& given) {
  const Expr condition = simplify(given, *this);
  int64_t truth = 0;
  if (is_int(condition, &truth)) {
    if (!truth) change().unreachable = true;
    return;
  }
  if (const auto* b = condition.as<Binary>()) {
    if (b->op == BinaryOp::And) {
      assume(b->a);
      assume(b->b);
      return;
    }
    if (is_comparison(b->op) && b->a.type().is_integral() && !b->a.type().is_vector()) {
      Affine d = affine_of(b->b, *this) - affine_of(b->a, *this);
      switch (b->op) {
        case BinaryOp::Le:
          assume_nonnegative(d);
          break;
        case BinaryOp::Lt:
          assume_nonnegative(d.add_constant(-1));
          break;
        case BinaryOp::Ge:
          assume_nonnegative(-d);
          break;
        case BinaryOp::Gt:
          assume_nonnegative((-d).add_constant(-1));
          break;
        case BinaryOp::Eq:
          assume_nonnegative(d);
          assume_nonnegative(-d);
          break;
        default:
          break;
      }
    }
  }
  if (const auto* u = condition.as<Unary>(); u && u->op == UnaryOp::Not) {
    if (const auto* b = u->a.as<Binary>()) {
      if (b->op == BinaryOp::Or) {
        assume(make_unary(UnaryOp::Not, b->a));
        assume(make_unary(UnaryOp::Not, b->b));
        return;
      }
      if (is_comparison(b->op) && b->a.type().is_integral() && !b->a.type().is_vector()) {
        auto flip = [&](BinaryOp op) { assume(make_binary(op, b->a, b->b)); };
        switch (b->op) {
          case BinaryOp::Lt:
            return flip(BinaryOp::Ge);
          case BinaryOp::Le:
            return flip(BinaryOp::Gt);
          case BinaryOp::Gt:
            return flip(BinaryOp::Le);
          case BinaryOp::Ge:
            return flip(BinaryOp::Lt);
          case BinaryOp::Ne:
            return flip(BinaryOp::Eq);
          case BinaryOp::Eq:
            return flip(BinaryOp::Ne);
          default:
            break;
        }
      }
    }
  }
  change().conditions.push_back(condition);
}

void Facts::assume_nonnegative(const Affine& form) {
  if (form.is_constant()) {
    if (form.constant().sign() < 0) change().unreachable = true;
    return;
  }
  // Opened so that a min (max) that must be large (small) says so of each of its sides.
  std::vector<Affine> forms;
  split_bound(form, /*lower=*/false, forms);
  for (const Affine& f : forms) {
    change().constraints.push_back(f);
    // The atom known last, where it stands alone, is bounded by the rest.
    const Affine::Term* last = nullptr;
    int last_rank = -1;
    for (const Affine::Term& t : f.terms()) {
      bool plain = symbol_of(t.atom) || t.atom.kind() == ExprKind::BufferField;
      if (!plain) continue;
      int rank = known(t.atom).rank;
      if (rank > last_rank) {
        last_rank = rank;
        last = &t;
      }
    }
    if (!last) continue;
    BigInt size = abs(last->coef);
    bool lower = last->coef.sign() > 0;
    Affine rest = f.without(last->atom);
    bool inside = false;  // the atom occurs in another one as well: no bound by elimination
    for (const Affine::Term& t : rest.terms()) {
      inside = inside || any_node(t.atom, [&](const Expr& e) {
                 const Known* k = find(e);
                 return same(e, last->atom) || (k && k->rank > last_rank);
               });
    }
    if (inside) continue;
    if (size == BigInt(1)) {
      bound_atom(last->atom, lower ? -rest : rest, lower);
    } else if (rest.is_constant()) {
      // coef * x + c >= 0
      const BigInt& c = rest.constant();
      bound_atom(last->atom, lower ? Affine(ceil_div(-c, size)) : Affine(floor_div(c, size)),
                 lower);
    }
  }
}

const std::vector<Expr>& Facts::conditions() const {
  static const std::vector<Expr> none;
  return data_ ? data_->conditions : none;
}

const std::vector<Affine>& Facts::constraints() const {
  static const std::vector<Affine> none;
  return data_ ? data_->constraints : none;
}

const std::vector<Expr>& Facts::known_atoms() const {
  static const std::vector<Expr> none;
  return data_ ? data_->order : none;
}

namespace {

Expr both(const Expr& a, const Expr& b) {
  return a.defined() ? make_binary(BinaryOp::And, a, b) : b;
}

Expr le(const Expr& a, const Expr& b) {
  return make_binary(BinaryOp::Le, a, b);
}

bool is_number(const Expr& e) {
  return e.defined() && (is_int(e) || e.as<FloatImm>());
}

// Each dimension holds what is needed of it, or one of them needs nothing.
Expr region_is_there(const EntryArg& arg) {
  Expr there, nothing;
  for (const EntryDim& d : arg.dims) {
    if (!d.min.defined() || !d.extent.defined()) return {};
    const Expr low = d.required_min.defined() ? d.required_min : make_index(0);
    const Expr high = d.required_max.defined() ? d.required_max : make_index(-1);
    const Expr past = make_binary(BinaryOp::Add, make_var(d.min), make_var(d.extent));
    there = both(there, make_binary(BinaryOp::Le, make_var(d.min), low));
    there = both(there, make_binary(BinaryOp::Lt, high, past));
    const Expr empty = make_binary(BinaryOp::Lt, high, low);
    nothing = nothing.defined() ? make_binary(BinaryOp::Or, nothing, empty) : empty;
  }
  return there.defined() ? make_binary(BinaryOp::Or, nothing, there) : Expr();
}

}  // namespace

std::vector<Expr> coordinate_limits(const Symbol& min, const Symbol& extent) {
  const Expr from = make_var(min), length = make_var(extent);
  return {le(make_index(0), length), le(length, make_index(INT32_MAX)),
          le(make_index(INT32_MIN), from), le(from, make_index(INT32_MAX)),
          le(make_binary(BinaryOp::Add, from, length), make_index(int64_t{1} << 31))};
}

std::vector<Expr> entry_conditions(const Proc& proc) {
  std::vector<Expr> out;
  if (!proc.entry) return out;
  for (const EntryArg& arg : proc.entry->args) {
    for (const EntryDim& d : arg.dims) {
      if (!d.min.defined() || !d.extent.defined()) continue;
      for (Expr& limit : coordinate_limits(d.min, d.extent)) out.push_back(std::move(limit));
    }
    if (Expr there = region_is_there(arg); there.defined()) out.push_back(std::move(there));
    if (arg.kind != EntryArg::Kind::Scalar) continue;
    // Other ends than numbers are checks of their own, where the text has them.
    const Expr value = make_var(arg.sym);
    if (is_number(arg.range_min)) out.push_back(le(arg.range_min, value));
    if (is_number(arg.range_max)) out.push_back(le(value, arg.range_max));
  }
  for (const EntryCheck& c : proc.entry->checks) out.push_back(c.cond);
  return out;
}

Facts facts_of(const Proc& proc) {
  Facts facts;
  for (const Param& p : proc.params) {
    if (p.kind == ParamKind::Size) facts.bound(p.sym, make_index(1), {});
  }
  for (const Expr& p : proc.preconditions) facts.assume(p);
  for (const Expr& c : entry_conditions(proc)) facts.assume(c);
  return facts;
}

}  // namespace hocket::analysis
