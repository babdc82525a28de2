#include "api/expr.h"

#include "api/contents.h"
#include "diag/kinds_driver.h"

namespace hocket {

using ir::BinaryOp;
using ir::FrontOperand;
using ir::NumericMode;
using ir::UnaryOp;
using support::Place;

const FrontOperand& api::operand_of(const Here& h) {
  if (!h.value.defined()) throw Error(ir::no_value(Place::of(h.where)));
  return h.value.operand();
}

using api::operand_of;

namespace {

Expr made(diag::Result<FrontOperand> r) {
  return Expr(or_throw(std::move(r)));
}

Expr binary(BinaryOp op, const Here& a, const Here& b) {
  return made(ir::front_binary(op, operand_of(a), operand_of(b), NumericMode::Contract,
                               Place::of(b.where)));
}

// `&&` and `||` of integers ask whether they are not zero, as in C++.
Here truth(const Here& h) {
  return Here(Expr(or_throw(ir::front_condition(operand_of(h), Place::of(h.where)))), h.where);
}

Expr unary(UnaryOp op, const Here& a) {
  return made(ir::front_unary(op, operand_of(a), NumericMode::Contract, Place::of(a.where)));
}

}  // namespace

Var::Var(std::source_location where)
    : symbol_(ir::Symbol::fresh("", ir::Type::index(), Place::of(where))) {}
Var::Var(const std::string& name, std::source_location where)
    : symbol_(ir::Symbol::fresh(name, ir::Type::index(), Place::of(where))) {}
RVar::RVar(std::source_location where) : symbol_(Var(where).symbol()) {}
RVar::RVar(const std::string& name, std::source_location where)
    : symbol_(Var(name, where).symbol()) {}

RDom::RDom(const std::vector<std::pair<Expr, Expr>>& ranges, const std::string& name,
           std::source_location where) {
  std::vector<Expr> pairs;
  for (const auto& [min, extent] : ranges) {
    pairs.push_back(min);
    pairs.push_back(extent);
  }
  make(pairs, name, where);
}

RDom::RDom(const ImageParam& image, const std::string& name, std::source_location where) {
  std::vector<Expr> pairs;
  for (int d = 0; d < image.dimensions(); ++d) {
    pairs.push_back(image.min(d, where));
    pairs.push_back(image.extent(d, where));
  }
  make(pairs, name, where);
}
RDom::RDom(const BufferBase& buffer, const std::string& name, std::source_location where)
    : RDom(api::input_of(buffer, where), name, where) {}

void RDom::make(const std::vector<Expr>& pairs, const std::string& name,
                std::source_location where) {
  const Place place = Place::of(where);
  if (pairs.empty() || pairs.size() > 8) refuse("an RDom has one to four dimensions", place);
  auto contents = support::make_ref<api::DomainContents>();
  contents->name = name;
  domain_ = contents;
  const char* const letters[] = {"x", "y", "z", "w"};
  for (size_t d = 0; d < pairs.size() / 2; ++d) {
    const std::string spoken = pairs.size() == 2 ? name : name + "." + letters[d];
    ir::Symbol symbol = ir::Symbol::fresh(spoken, ir::Type::index(), place);
    ir::RVar var;
    var.sym = symbol;
    var.min = or_throw(ir::front_coordinate(pairs[2 * d].operand(), place));
    var.extent = or_throw(ir::front_coordinate(pairs[2 * d + 1].operand(), place));
    for (const ir::Expr& end : {var.min, var.extent}) {
      api::refuse_values(end, "the bounds of `" + spoken + "`", place);
      ir::for_each(end, [&](const ir::Expr& e) {
        const auto* v = e.as<ir::VarRef>();
        const bool runs = v && (!v->sym.payload() ||
                                dynamic_cast<api::DomainContents*>(v->sym.payload()) != nullptr);
        if (runs)
          refuse("the bounds of `" + spoken + "` depend on `" + v->sym.name() +
                     "`, which is no parameter",
                 place);
      });
    }
    contents->domain.vars.push_back(var);
    vars_.push_back(RVar(symbol.with_payload(domain_)));
  }
  RVar* const named[] = {&x, &y, &z, &w};
  for (size_t d = 0; d < vars_.size(); ++d) *named[d] = vars_[d];
}

void RDom::where(Here condition) {
  const Place place = Place::of(condition.where);
  if (!domain_) refuse("this RDom has no dimensions", place);
  auto& own = static_cast<api::DomainContents&>(*domain_);
  if (own.used.known())
    throw Error(diag::Diagnostic(diag::kind::bad_argument, place)
                    .arg("message", "`" + own.name + "` takes no condition any more: `" + own.user +
                                        "` is defined over it, by what was said before")
                    .label(own.used, "this definition is over `" + own.name + "`"));
  const ir::Expr given = or_throw(ir::front_condition(operand_of(condition), place));
  ir::for_each(given, [&](const ir::Expr& e) {
    const auto* v = e.as<ir::VarRef>();
    if (!v || v->sym.payload() == domain_.get()) return;
    if (!v->sym.payload() || dynamic_cast<api::DomainContents*>(v->sym.payload()) != nullptr)
      refuse("the condition of `" + own.name + "` reads `" +
                 (v->sym.name().empty() ? "a Var" : v->sym.name()) +
                 "`, which is no variable of it and no parameter",
             place);
  });
  // The domain would keep itself alive through the payload of its own variables.
  const ir::Expr cond = ir::map_exprs(given, [&](const ir::Expr& e) {
    const auto* v = e.as<ir::VarRef>();
    return v && v->sym.payload() == domain_.get() ? ir::make_var(v->sym.without_payload()) : e;
  });
  ir::Expr& all = own.domain.where;
  all = all.defined() ? ir::make_binary(BinaryOp::And, all, cond) : cond;
}

Expr operator+(Here a, Here b) {
  return binary(BinaryOp::Add, a, b);
}
Expr operator-(Here a, Here b) {
  return binary(BinaryOp::Sub, a, b);
}
Expr operator*(Here a, Here b) {
  return binary(BinaryOp::Mul, a, b);
}
Expr operator/(Here a, Here b) {
  return binary(BinaryOp::Div, a, b);
}
Expr operator%(Here a, Here b) {
  return binary(BinaryOp::Mod, a, b);
}
Expr operator&(Here a, Here b) {
  return binary(BinaryOp::BitAnd, a, b);
}
Expr operator|(Here a, Here b) {
  return binary(BinaryOp::BitOr, a, b);
}
Expr operator^(Here a, Here b) {
  return binary(BinaryOp::BitXor, a, b);
}
Expr operator<<(Here a, Here b) {
  return binary(BinaryOp::Shl, a, b);
}
Expr operator>>(Here a, Here b) {
  return binary(BinaryOp::Shr, a, b);
}
Expr operator==(Here a, Here b) {
  return binary(BinaryOp::Eq, a, b);
}
Expr operator!=(Here a, Here b) {
  return binary(BinaryOp::Ne, a, b);
}
Expr operator<(Here a, Here b) {
  return binary(BinaryOp::Lt, a, b);
}
Expr operator<=(Here a, Here b) {
  return binary(BinaryOp::Le, a, b);
}
Expr operator>(Here a, Here b) {
  return binary(BinaryOp::Gt, a, b);
}
Expr operator>=(Here a, Here b) {
  return binary(BinaryOp::Ge, a, b);
}
Expr operator&&(Here a, Here b) {
  return binary(BinaryOp::And, truth(a), truth(b));
}
Expr operator||(Here a, Here b) {
  return binary(BinaryOp::Or, truth(a), truth(b));
}
Expr operator-(Here a) {
  return unary(UnaryOp::Neg, a);
}
Expr operator~(Here a) {
  return unary(UnaryOp::BitNot, a);
}
Expr operator!(Here a) {
  return unary(UnaryOp::Not, truth(a));
}

Expr min(Here a, Here b) {
  return binary(BinaryOp::Min, a, b);
}
Expr max(Here a, Here b) {
  return binary(BinaryOp::Max, a, b);
}
Expr abs(Here a) {
  return unary(UnaryOp::Abs, a);
}
Expr sqrt(Here a) {
  return unary(UnaryOp::Sqrt, a);
}
Expr floor(Here a) {
  return unary(UnaryOp::Floor, a);
}
Expr ceil(Here a) {
  return unary(UnaryOp::Ceil, a);
}
Expr trunc(Here a) {
  return unary(UnaryOp::Trunc, a);
}
Expr round(Here a) {
  return unary(UnaryOp::Round, a);
}
Expr fma(Here a, Here b, Here c) {
  return made(ir::front_fma(operand_of(a), operand_of(b), operand_of(c), Place::of(a.where)));
}
Expr clamp(Here v, Here low, Here high) {
  return made(
      ir::front_clamp(operand_of(v), operand_of(low), operand_of(high), Place::of(v.where)));
}
Expr select(Here c, Here t, Here f) {
  return made(ir::front_select(operand_of(c), operand_of(t), operand_of(f), Place::of(c.where)));
}
Expr cast(Type type, Here a) {
  return made(ir::front_cast(type, operand_of(a), Place::of(a.where)));
}
Expr strict(Here a) {
  FrontOperand o = operand_of(a);
  o.strict = true;
  return Expr(std::move(o));
}

}  // namespace hocket
