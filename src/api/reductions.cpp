#include "api/reductions.h"

#include "api/contents.h"
#include "api/free_vars.h"

namespace hocket {

using support::Place;

namespace {

enum class Kind : uint8_t { Sum, Product, Maximum, Minimum };

const char* spelling(Kind k) {
  switch (k) {
    case Kind::Sum:
      return "sum";
    case Kind::Product:
      return "product";
    case Kind::Maximum:
      return "maximum";
    case Kind::Minimum:
      return "minimum";
  }
  return "";
}

Expr start_of(Kind k, Type type) {
  if (k == Kind::Maximum) return type.min();
  if (k == Kind::Minimum) return type.max();
  const int neutral = k == Kind::Product ? 1 : 0;
  return type.is_float() ? Expr(ir::make_float(type, neutral)) : Expr(ir::make_int(type, neutral));
}

Expr step_of(Kind k, const Here& now, const Here& next) {
  switch (k) {
    case Kind::Sum:
      return now + next;
    case Kind::Product:
      return now * next;
    case Kind::Maximum:
      return max(now, next);
    case Kind::Minimum:
      return min(now, next);
  }
  return next.value;
}

const support::RefCounted* domain_of(const ir::Symbol& s) {
  return dynamic_cast<api::DomainContents*>(s.payload());
}

// The one domain that the variables belong to.
const support::RefCounted* only_domain(Kind k, const std::vector<ir::Symbol>& variables,
                                       const Place& place) {
  const support::RefCounted* found = nullptr;
  for (const ir::Symbol& v : variables) {
    const support::RefCounted* d = domain_of(v);
    if (d == nullptr || d == found) continue;
    const std::string word = spelling(k);
    if (found != nullptr)
      refuse("`" + word + "` reads two reduction domains: say which one, " + word + "(r, e)",
             place);
    found = d;
  }
  return found;
}

Expr reduce(Kind k, const RDom* over, const Here& e, const AsFunc& as) {
  const std::source_location at = e.where;
  const Place place = Place::of(at);
  ir::FrontOperand value = api::operand_of(e);
  const std::vector<ir::Symbol> variables = api::free_variables(value.expr);
  const support::RefCounted* domain =
      over != nullptr ? over->domain().get() : only_domain(k, variables, place);
  bool walks = false;
  for (const ir::Symbol& v : variables)
    walks = walks || (domain != nullptr && domain_of(v) == domain);
  if (!walks)
    refuse("`" + std::string(spelling(k)) + "` of an expression that reads no variable of an RDom",
           place);

  // A reduction variable of another domain is an argument here: it stands still. It gets no name,
  // since the domain may have the same one.
  std::vector<Here> args, given;
  ir::Substitution own;
  for (const ir::Symbol& v : variables) {
    if (domain_of(v) == domain) continue;
    given.push_back(Here(Expr(ir::make_var(v)), at));
    const Var arg = domain_of(v) == nullptr ? Var(v) : Var(at);
    if (domain_of(v) != nullptr) own[v] = ir::make_var(arg.symbol());
    args.push_back(Here(arg, at));
  }
  value.expr = ir::substitute(value.expr, own);
  if (value.expr.type().is_index()) value.expr = ir::make_cast(ir::Type::i(32), value.expr);

  const Func f = as ? *as : Func(spelling(k), at);
  if (f.defined())
    refuse("`" + f.name() + "` is defined already: `" + spelling(k) + "` takes an undefined Func",
           place);
  const Type type = value.expr.type();
  FuncRef(f.contents(), args, at) = Here(start_of(k, type), at);
  const Here now(Expr(FuncRef(f.contents(), args, at)), at);
  FuncRef(f.contents(), args, at) = Here(step_of(k, now, Here(Expr(std::move(value)), at)), at);
  return Expr(FuncRef(f.contents(), given, at));
}

}  // namespace

Expr sum(Here e, const AsFunc& as) {
  return reduce(Kind::Sum, nullptr, e, as);
}
Expr sum(const RDom& over, Here e, const AsFunc& as) {
  return reduce(Kind::Sum, &over, e, as);
}
Expr product(Here e, const AsFunc& as) {
  return reduce(Kind::Product, nullptr, e, as);
}
Expr product(const RDom& over, Here e, const AsFunc& as) {
  return reduce(Kind::Product, &over, e, as);
}
Expr maximum(Here e, const AsFunc& as) {
  return reduce(Kind::Maximum, nullptr, e, as);
}
Expr maximum(const RDom& over, Here e, const AsFunc& as) {
  return reduce(Kind::Maximum, &over, e, as);
}
Expr minimum(Here e, const AsFunc& as) {
  return reduce(Kind::Minimum, nullptr, e, as);
}
Expr minimum(const RDom& over, Here e, const AsFunc& as) {
  return reduce(Kind::Minimum, &over, e, as);
}

}  // namespace hocket
