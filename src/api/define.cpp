// Definitions: what f(x, y) = e and its updates leave in the contents of f.
#include <algorithm>

#include "api/contents.h"
#include "api/func.h"
#include "diag/kinds_parse.h"
#include "support/strings.h"

namespace hocket {

using api::FuncContents;
using support::Place;
using support::Ref;

namespace {

// A Func that is read inside its own definition must not keep itself alive.
ir::Expr without_self(const ir::Expr& e, const FuncContents* self) {
  return ir::map_exprs(e, [&](const ir::Expr& n) {
    auto* c = n.as<ir::Call>();
    return c && c->func.payload() == self
               ? ir::make_call(c->func.without_payload(), n.type(), c->args, c->value_index)
               : n;
  });
}

// A domain whose condition reads the Func must not be kept alive by that Func.
ir::Expr without_domain(const ir::Expr& e, const api::DomainContents* domain) {
  return ir::map_exprs(e, [&](const ir::Expr& n) {
    const auto* v = n.as<ir::VarRef>();
    return v && v->sym.payload() == domain ? ir::make_var(v->sym.without_payload()) : n;
  });
}

// The reduction domain that the expressions walk over; refuses two of them.
Ref<api::DomainContents> domain_of(const std::vector<ir::Expr>& exprs, const Place& place) {
  api::DomainContents* found = nullptr;
  for (const ir::Expr& root : exprs)
    ir::for_each(root, [&](const ir::Expr& e) {
      auto* v = e.as<ir::VarRef>();
      if (!v || !v->sym.payload()) return;
      auto* d = dynamic_cast<api::DomainContents*>(v->sym.payload());
      if (!d) return;
      if (found && found != d) refuse("one definition reads two reduction domains", place);
      found = d;
    });
  return Ref<api::DomainContents>(found);
}

// A Var ranges over a dimension only where it stands alone in that dimension's place on the left.
void check_pure(const ir::Func& f, const ir::Definition& d, const Place& place) {
  const auto look = [&](const ir::Expr& root) {
    ir::for_each(root, [&](const ir::Expr& e) {
      const auto* v = e.as<ir::VarRef>();
      if (!v || v->sym.payload()) return;  // of a parameter or a domain
      for (size_t i = 0; i < d.args.size(); ++i) {
        const auto* own = d.args[i].as<ir::VarRef>();
        if (own && own->sym == v->sym && f.args[i] == v->sym) return;
      }
      throw Error(diag::Diagnostic(diag::kind::variable_not_pure, place)
                      .arg("name", v->sym.name().empty() ? "a Var" : v->sym.name()));
    });
  };
  for (const ir::Expr& e : d.args) look(e);
  for (const ir::Expr& e : d.values) look(e);
}

// A value without a type to match: coordinates become the 32-bit numbers they are as data.
ir::Expr own_value(const ir::FrontOperand& e, const Place& place) {
  ir::Expr value = or_throw(ir::front_expr(e, place));
  return value.type().is_index() ? ir::make_cast(ir::Type::i(32), value) : value;
}

ir::Expr start_value(ir::Type type, double start) {
  if (type.is_bool()) return ir::make_bool(start != 0);
  if (type.is_float()) return ir::make_float(type, start);
  // All bits of an unsigned type are its greatest value.
  return ir::make_int(type,
                      start < 0 && type.is_uint() ? type.max_value() : static_cast<int64_t>(start));
}

Expr updated(ir::BinaryOp op, const Here& now, const Here& value) {
  switch (op) {
    case ir::BinaryOp::Sub:
      return now - value;
    case ir::BinaryOp::Mul:
      return now * value;
    case ir::BinaryOp::Div:
      return now / value;
    case ir::BinaryOp::BitAnd:
      return now & value;
    case ir::BinaryOp::BitOr:
      return now | value;
    case ir::BinaryOp::BitXor:
      return now ^ value;
    default:
      return now + value;
  }
}

}  // namespace

void api::refuse_values(const ir::Expr& e, const std::string& what, const Place& place) {
  ir::for_each(e, [&](const ir::Expr& n) {
    const auto* c = n.as<ir::Call>();
    if (c)
      refuse(what + " cannot read `" + c->func.name() +
                 "`: they are known before anything is computed",
             place);
  });
}

Stage FuncRef::define(std::vector<Expr> given, std::source_location where, const Here* right) {
  const Place place = Place::of(where);
  FuncContents& c = *contents_;
  std::vector<ir::Expr> args, values;
  for (const Here& a : args_) {
    args.push_back(
        without_self(or_throw(ir::front_coordinate(api::operand_of(a), Place::of(a.where))), &c));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const ir::FrontOperand operand = api::operand_of(Here(given[i], where));
    const bool typed = c.defined && i < c.func.types.size();
    ir::Expr value =
        !typed ? own_value(operand, place)
        : right
            ? or_throw(ir::front_updated(operand, api::operand_of(*right), c.func.types[i], place))
            : or_throw(ir::front_value(operand, c.func.types[i], place));
    values.push_back(without_self(value, &c));
  }
  std::vector<ir::Expr> all = args;
  all.insert(all.end(), values.begin(), values.end());
  const Ref<api::DomainContents> domain = domain_of(all, place);

  ir::Definition d;
  d.place = place;
  d.args = args;
  d.values = values;
  if (!c.defined) {
    if (domain)
      refuse("a pure definition reads a reduction variable: define `" + c.func.sym.name() +
                 "` over Vars first",
             place);
    for (size_t i = 0; i < args.size(); ++i) {
      auto* v = args[i].as<ir::VarRef>();
      if (!v || v->sym.payload())
        refuse("argument " + std::to_string(i) + " of a pure definition is no Var", place);
      for (const ir::Symbol& earlier : c.func.args)
        if (earlier == v->sym) refuse("a Var is two arguments of one definition", place);
      c.func.args.push_back(v->sym);
    }
    ir::Func& f = c.func;
    f.place = place;
    for (const ir::Expr& v : values) f.types.push_back(v.type());
    f.sym = ir::Symbol::fresh(f.sym.name(), f.types[0], place);
    f.pure = std::move(d);
    c.defined = true;
  } else {
    if (args.size() != c.func.args.size())
      refuse("`" + c.func.sym.name() + "` has " + std::to_string(c.func.args.size()) +
                 " dimensions, this update gives " + std::to_string(args.size()),
             place);
    // A Var that stands for the whole dimension is the definition's own, whatever it was called.
    ir::Substitution own;
    for (size_t i = 0; i < args.size(); ++i)
      if (auto* v = args[i].as<ir::VarRef>(); v && !v->sym.payload() && v->sym != c.func.args[i])
        own[v->sym] = ir::make_var(c.func.args[i]);
    for (ir::Expr& e : d.args) e = ir::substitute(e, own);
    for (ir::Expr& e : d.values) e = ir::substitute(e, own);
    if (domain) d.domain = domain->domain;
    if (d.domain.where.defined()) d.domain.where = without_self(d.domain.where, &c);
    check_pure(c.func, d, place);
    for (const ir::RVar& r : d.domain.vars)
      for (const ir::Symbol& arg : c.func.args)
        if (!arg.name().empty() && arg.name() == r.sym.name())
          refuse("`" + arg.name() + "` is a dimension and a reduction variable of `" +
                     c.func.sym.name() + "`: give one another name",
                 place);
    or_throw(ir::check_self_reads(c.func, d, place));
    if (domain) {
      for (ir::Expr& e : d.args) e = without_domain(e, domain.get());
      for (ir::Expr& e : d.values) e = without_domain(e, domain.get());
      if (!domain->used.known()) domain->user = c.func.sym.name(), domain->used = place;
    }
    c.func.updates.push_back(std::move(d));
  }
  c.draft.reset();
  ++c.version;
  return Stage(contents_, static_cast<int>(c.func.updates.size()));
}

Stage FuncRef::operator=(Here value) {
  return define({value.value}, value.where);
}
Stage FuncRef::operator=(const FuncRef& value) {
  return define({Expr(value)}, value.where_);
}
Stage FuncRef::operator=(const std::vector<Expr>& values) {
  return define(values, where_);
}

// An update by an operator; where there is no pure definition yet, it starts from the operator's
// neutral value over fresh arguments.
Stage FuncRef::reduce(ir::BinaryOp op, double start, const Here& value) {
  FuncContents& c = *contents_;
  if (!c.defined) {
    const ir::Type type = own_value(api::operand_of(value), Place::of(value.where)).type();
    std::vector<Here> own;
    for (const Here& a : args_) {
      auto* v = a.value.operand().expr.as<ir::VarRef>();
      const bool pure = v && !v->sym.payload();
      own.push_back(pure ? a : Here(Var(where_), where_));
    }
    FuncRef(contents_, own, where_).define({Expr(start_value(type, start))}, where_);
  }
  const Here now(Expr(*this), where_);
  return define({updated(op, now, value)}, value.where, &value);
}
Stage FuncRef::operator+=(Here v) {
  return reduce(ir::BinaryOp::Add, 0, v);
}
Stage FuncRef::operator-=(Here v) {
  return reduce(ir::BinaryOp::Sub, 0, v);
}
Stage FuncRef::operator*=(Here v) {
  return reduce(ir::BinaryOp::Mul, 1, v);
}
Stage FuncRef::operator/=(Here v) {
  return reduce(ir::BinaryOp::Div, 1, v);
}
Stage FuncRef::operator&=(Here v) {
  return reduce(ir::BinaryOp::BitAnd, -1, v);
}
Stage FuncRef::operator|=(Here v) {
  return reduce(ir::BinaryOp::BitOr, 0, v);
}
Stage FuncRef::operator^=(Here v) {
  return reduce(ir::BinaryOp::BitXor, 0, v);
}

Expr FuncRef::operator[](int value) const {
  const FuncContents& c = *contents_;
  const Place place = Place::of(where_);
  if (!c.defined) refuse("`" + c.func.sym.name() + "` is read before it is defined", place);
  if (args_.size() != c.func.args.size())
    refuse("`" + c.func.sym.name() + "` has " + support::counted(c.func.args.size(), "dimension") +
               " and is read with " + support::counted(args_.size(), "coordinate"),
           place);
  if (value < 0 || value >= static_cast<int>(c.func.types.size()))
    refuse("`" + c.func.sym.name() + "` has no value " + std::to_string(value), place);
  std::vector<ir::Expr> args;
  for (const Here& a : args_)
    args.push_back(or_throw(ir::front_coordinate(a.value.operand(), Place::of(a.where))));
  return Expr(ir::make_call(c.func.sym.with_payload(contents_),
                            c.func.types[static_cast<size_t>(value)], std::move(args), value));
}
FuncRef::operator Expr() const {
  if (contents_->func.types.size() > 1)
    refuse("`" + contents_->func.sym.name() + "` has several values: say which one, f(x)[0]",
           Place::of(where_));
  return (*this)[0];
}

}  // namespace hocket
