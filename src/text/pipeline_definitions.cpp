// Definitions and updates of a pipeline.
#include <limits>

#include "diag/kinds_parse.h"
#include "ir/sugar.h"
#include "text/pipeline_elaborator.h"

namespace hocket::text {

// The right side, of the given types or of its own.
Result<std::vector<Expr>> PipelineElaborator::values(const Line& l,
                                                     const std::vector<Type>* types) {
  std::vector<const Syntax*> parts;
  if (l.value->kind == SyntaxKind::Tuple) {
    for (const SyntaxRef& i : l.value->items) parts.push_back(i.get());
  } else {
    parts.push_back(l.value.get());
  }
  if (types && types->size() != parts.size())
    return refuse(diag::kind::wrong_values, l.value->spot)
        .arg("func", current_)
        .arg("wanted", static_cast<int64_t>(types->size()))
        .arg("given", static_cast<int64_t>(parts.size()))
        .label(place_of(current_), "`" + current_ + "` is defined here");
  std::vector<Expr> out;
  for (size_t i = 0; i < parts.size(); ++i) {
    Expr e;
    if (types) {
      HOCKET_TRY(e, value(*parts[i], (*types)[i], "the value of `" + current_ + "`"));
    } else {
      HOCKET_TRY(e, expr(*parts[i]));
      if (e.type().is_index()) e = ir::make_cast(Type::i(32), e);
    }
    out.push_back(std::move(e));
  }
  return out;
}

Result<void> PipelineElaborator::pure(const std::string& name, const Line& l) {
  const Syntax& target = *l.target;
  where_ = Where::Pure;
  std::vector<Symbol> args;
  for (size_t i = 1; i < target.items.size(); ++i) {
    std::optional<std::string> arg = target[i].path();
    if (!arg || rvars_.count(*arg) || vars_.count(*arg) || target.has_split)
      return refuse(diag::kind::argument_not_variable, target[i].spot)
          .arg("func", name)
          .arg("given", target.has_split           ? "`;`"
                        : arg && vars_.count(*arg) ? "`" + *arg + "` twice"
                        : arg                      ? "the reduction variable `" + *arg + "`"
                                                   : spoken(target[i]));
    args.push_back(Symbol::fresh(*arg, Type::index(), place(target[i].spot)));
    vars_.emplace(*arg, args.back());
  }
  auto declared = declared_.find(name);
  const std::vector<Type>* types = declared == declared_.end() ? nullptr : &declared->second.types;
  if (types && declared->second.args.size() != args.size())
    return rank(name, declared->second.args.size(), args.size(), target.spot,
                place(declared->second.spot));
  HOCKET_TRY(std::vector<Expr> exprs, values(l, types));
  std::vector<Type> own;
  for (const Expr& e : exprs) own.push_back(e.type());
  add(name, std::move(own), std::move(args), l).pure.values = std::move(exprs);
  return over(l);  // a domain that is named here is refused
}

// `hist(e) += v` of a Func without a definition: the value from which it starts.
Result<void> PipelineElaborator::identity(const std::string& name, const Line& l) {
  const Syntax& target = *l.target;
  std::vector<std::string> names;
  std::vector<Type> types;
  auto declared = declared_.find(name);
  if (declared != declared_.end()) {
    names = declared->second.args;
    types = declared->second.types;
    if (types.size() != 1)
      return refuse(diag::kind::update_without_definition, l.spot).arg("func", name);
    if (names.size() + 1 != target.items.size())
      return rank(name, names.size(), target.items.size() - 1, target.spot,
                  place(declared->second.spot));
  } else {
    static constexpr const char* kNames[] = {"x", "y", "z", "w"};
    for (size_t i = 1; i < target.items.size(); ++i) {
      std::optional<std::string> arg = target[i].path();
      bool variable = arg && !rvars_.count(*arg) &&
                      std::none_of(algorithm_.params.begin(), algorithm_.params.end(),
                                   [&](const ir::ScalarParam& p) { return p.sym.name() == *arg; });
      std::string n = variable ? *arg : i <= 4 ? kNames[i - 1] : "x" + std::to_string(i);
      while (std::find(names.begin(), names.end(), n) != names.end()) n += "_";
      names.push_back(n);
    }
    // The value says the type; it may read the pure dimensions.
    where_ = Where::Update;
    for (const std::string& n : names) vars_.emplace(n, Symbol::fresh(n, Type::index()));
    HOCKET_TRY(std::vector<Expr> exprs, values(l, nullptr));
    if (exprs.size() != 1)
      return refuse(diag::kind::update_without_definition, l.spot).arg("func", name);
    types.push_back(exprs[0].type());
    vars_.clear();
    domain_ = nullptr;
  }
  std::vector<Symbol> args;
  for (const std::string& n : names) args.push_back(Symbol::fresh(n, Type::index(), place(l.spot)));
  Type t = types[0];
  if (t.is_bool())
    return refuse(diag::kind::operator_undefined, l.spot).arg("op", l.op).arg("type", t.name());
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Expr start = ir::make_const(t, l.op == "*=" ? 1 : 0);
  if (l.op == "min=")
    start = t.is_float() ? ir::make_float(t, kInf) : ir::make_int(t, t.max_value());
  if (l.op == "max=")
    start = t.is_float() ? ir::make_float(t, -kInf) : ir::make_int(t, t.min_value());
  add(name, std::move(types), std::move(args), l).pure.values = {start};
  return {};
}

Result<void> PipelineElaborator::over(const Line& l) {
  for (const NameSyntax& n : l.names) {
    auto v = rvars_.find(n.name);
    auto d = domains_.find(n.name);
    if (v == rvars_.end() && d == domains_.end())
      return unknown("reduction domain", n.name, n.spot, known_names());
    HOCKET_CHECK(
        use_domain(d != domains_.end() ? &d->second : &domains_.at(v->second.first), n.spot));
  }
  return {};
}

Result<void> PipelineElaborator::update(Func& f, const Line& l) {
  const Syntax& target = *l.target;
  auto reader = readers_.find(f.name());
  if (reader != readers_.end())
    return refuse(diag::kind::update_after_use, l.spot)
        .arg("func", f.name())
        .arg("user", reader->second.name)
        .label(reader->second.place, "`" + f.name() + "` is read here");
  if (target.items.size() - 1 != f.args.size() || target.has_split)
    return rank(f.name(), f.args.size(), target.items.size() - 1, target.spot, f.place);
  where_ = Where::Update;
  ir::Definition d;
  d.place = place(l.spot);
  for (size_t i = 0; i < f.args.size(); ++i) {
    if (target[i + 1].path() == f.args[i].name()) {
      if (auto r = rvars_.find(f.args[i].name()); r != rvars_.end())
        return twice(f.args[i].name(), target[i + 1].spot, r->second.second.place());
      vars_.emplace(f.args[i].name(), f.args[i]);
    } else {
      impure_.emplace(f.args[i].name(), target[i + 1].spot);
    }
  }
  for (size_t i = 0; i < f.args.size(); ++i) {
    HOCKET_TRY(Expr a, coordinate(target[i + 1]));
    d.args.push_back(std::move(a));
  }
  if (l.op == "=") {
    HOCKET_TRY(d.values, values(l, &f.types));
  } else {
    if (f.types.size() != 1 || l.value->kind == SyntaxKind::Tuple)
      return refuse(diag::kind::wrong_values, l.value->spot)
          .arg("func", f.name())
          .arg("wanted", static_cast<int64_t>(f.types.size()))
          .arg("given",
               "`" + l.op + "` and " + (l.value->kind == SyntaxKind::Tuple ? "several" : "one"));
    ir::BinaryOp op = l.op == "+="     ? ir::BinaryOp::Add
                      : l.op == "-="   ? ir::BinaryOp::Sub
                      : l.op == "*="   ? ir::BinaryOp::Mul
                      : l.op == "min=" ? ir::BinaryOp::Min
                                       : ir::BinaryOp::Max;
    FrontOperand self = typed(ir::make_call(f.sym, f.types[0], d.args));
    HOCKET_TRY(FrontOperand v, operand(*l.value, f.types[0]));
    HOCKET_TRY(FrontOperand sum, ir::front_binary(op, self, v, mode_, place(l.value->spot)));
    HOCKET_TRY(Expr e, ir::front_updated(sum, v, f.types[0], place(l.value->spot),
                                         "the value of `" + f.name() + "`"));
    d.values.push_back(std::move(e));
  }
  HOCKET_CHECK(over(l));
  if (domain_) {
    d.domain = domain_->domain;
    for (const std::string& read : domain_->read)
      if (read != f.name()) readers_.emplace(read, Reader{f.name(), d.place});
  }
  HOCKET_CHECK(ir::check_self_reads(f, d, d.place));
  f.updates.push_back(std::move(d));
  return {};
}

}  // namespace hocket::text
