#include "text/pipelines.h"

#include <algorithm>
#include <limits>
#include <map>

#include "diag/kinds_parse.h"
#include "ir/read/elaborate.h"
#include "ir/sugar.h"
#include "text/image_fields.h"

namespace hocket::text {

namespace {

using diag::Diagnostic;
using ir::Algorithm;
using ir::Func;
using ir::Symbol;
using ir::Type;

struct Domain {
  std::string name;  // of the domain, or its variables joined
  ir::ReductionDomain domain;
};

// `hist: u32(i)` before the first definition.
struct Declared {
  std::vector<Type> types;
  std::vector<std::string> args;
  Spot spot;
};

class PipelineElaborator : public Elaborator {
 public:
  PipelineElaborator(const ItemSyntax& item, const Source& source)
      : Elaborator(source, item.strict ? ir::NumericMode::Strict : ir::NumericMode::Contract),
        item_(item) {}
  Result<ir::AlgorithmRef> run();

 protected:
  Result<FrontOperand> variable(const std::string& path, const Syntax& at) override;
  Result<FrontOperand> application(const Syntax& s) override;
  Result<FrontOperand> indexed(const Syntax& s) override;

 private:
  // Where the expression stands that is being read.
  enum class Where { Header, DomainBounds, Pure, Update };

  Result<void> inputs();
  Result<void> scalar(const ParamSyntax& p);
  Result<void> outputs();
  Result<void> line(const Line& l);
  Result<void> rdom(const Line& l);
  Result<void> declare(const Line& l);
  Result<void> define(const Line& l);
  Result<void> boundary(const Line& l);
  Result<void> pure(const std::string& name, const Line& l);
  Result<void> identity(const std::string& name, const Line& l);
  Result<void> update(Func& f, const Line& l);
  Result<void> over(const Line& l);
  Result<std::vector<Expr>> values(const Line& l, const std::vector<Type>* types);
  Result<Expr> call(const Syntax& s, int value_index);
  Result<void> check_new(const NameSyntax& n) const;
  support::Place place_of(const std::string& name) const;
  Diagnostic rank(const std::string& name, size_t wanted, size_t given, const Spot& s,
                  const support::Place& defined) const;
  Result<void> use_domain(const Domain* d, const Spot& spot);
  Func& add(const std::string& name, std::vector<Type> types, std::vector<Symbol> args,
            const Line& l);

  Func* find_func(const std::string& name) {
    for (Func& f : algorithm_.funcs)
      if (f.name() == name) return &f;
    return nullptr;
  }
  const ir::ImageParam* find_image(const std::string& name) const {
    for (const ir::ImageParam& p : algorithm_.inputs)
      if (p.sym.name() == name) return &p;
    return nullptr;
  }
  std::vector<std::string> known_names() const;

  const ItemSyntax& item_;
  Algorithm algorithm_;
  std::map<std::string, Domain> domains_;                        // by name
  std::map<std::string, std::pair<std::string, Symbol>> rvars_;  // spelling: domain, variable
  std::map<std::string, Declared> declared_;
  struct Reader {
    std::string name;
    support::Place place;
  };
  std::map<std::string, Reader> readers_;  // Func: who has read it
  // The definition that is being read.
  Where where_ = Where::Header;
  std::string current_;
  std::map<std::string, Symbol> vars_;
  std::map<std::string, Spot> impure_;  // arguments of the Func that are no pure dimension here
  const Domain* domain_ = nullptr;
  Spot domain_spot_;  // where it was named first
};

std::vector<std::string> PipelineElaborator::known_names() const {
  std::vector<std::string> names;
  for (const auto& [name, sym] : vars_) names.push_back(name);
  for (const auto& [name, domain] : rvars_) names.push_back(name);
  for (const ir::ImageParam& p : algorithm_.inputs) names.push_back(p.sym.name());
  for (const ir::ScalarParam& p : algorithm_.params) names.push_back(p.sym.name());
  for (const Func& f : algorithm_.funcs) names.push_back(f.name());
  return names;
}

Result<void> PipelineElaborator::use_domain(const Domain* d, const Spot& spot) {
  if (where_ == Where::Pure)
    return refuse(diag::kind::reduction_in_pure, spot)
        .arg("func", current_)
        .arg("name", d->name)
        .label(d->domain.vars[0].sym.place(), "`" + d->name + "` is defined here");
  if (domain_ && domain_ != d)
    return refuse(diag::kind::two_domains, spot)
        .arg("a", domain_->name)
        .arg("b", d->name)
        .label(place(domain_spot_), "`" + domain_->name + "` is used here");
  if (!domain_) domain_spot_ = spot;
  domain_ = d;
  return {};
}

Result<FrontOperand> PipelineElaborator::variable(const std::string& path, const Syntax& at) {
  auto var = vars_.find(path);
  if (var != vars_.end()) return typed(ir::make_var(var->second));
  auto rvar = rvars_.find(path);
  if (rvar != rvars_.end() && (where_ == Where::Pure || where_ == Where::Update)) {
    HOCKET_CHECK(use_domain(&domains_.at(rvar->second.first), at.spot));
    return typed(ir::make_var(rvar->second.second));
  }
  for (const ir::ScalarParam& p : algorithm_.params)
    if (p.sym.name() == path) return typed(ir::make_var(p.sym));
  if (auto dim = impure_.find(path); dim != impure_.end())
    return refuse(diag::kind::variable_not_pure, at.spot)
        .arg("name", path)
        .label(place(dim->second), "this stands in the place of `" + path + "`");
  auto used_as_variable = [&](const char* is) {
    Diagnostic d = refuse(diag::kind::wrong_use, at.spot)
                       .arg("name", path)
                       .arg("is", is)
                       .arg("used", "a variable");
    d.label(place_of(path), "`" + path + "` is defined here");
    return d;
  };
  if (find_func(path)) return used_as_variable("a Func");
  if (find_image(path)) return used_as_variable("an input image");
  if (domains_.count(path)) return used_as_variable("a reduction domain");
  if (at.kind == SyntaxKind::Field && domains_.count(at[0].text)) {
    Diagnostic d =
        refuse(diag::kind::unknown_field, at.spot).arg("name", at[0].text).arg("field", at.text);
    d.label(place_of(at[0].text), "`" + at[0].text + "` is defined here");
    did_you_mean(d, path, known_names());
    return d;
  }
  return unknown("variable or parameter", path, at.spot, known_names());
}

// A Func or an input at coordinates.
Result<Expr> PipelineElaborator::call(const Syntax& s, int value_index) {
  std::optional<std::string> name = s[0].path();
  if (!name)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", spoken(s[0]))
        .arg("wanted", "the name of a Func or an input before the parenthesis");
  size_t rank = 0, values = 1;
  Symbol sym;
  Type type;
  if (const ir::ImageParam* image = find_image(*name)) {
    sym = image->sym;
    rank = image->dims.size();
    type = sym.type();
  } else if (const Func* f = find_func(*name)) {
    if (where_ == Where::DomainBounds || where_ == Where::Header)
      return refuse(diag::kind::domain_not_over_parameters, s.spot)
          .arg("which", where_ == Where::Header ? "the default and range" : "the bounds")
          .arg("name", current_)
          .arg("what", "the Func `" + *name + "`");
    if (where_ != Where::Update || *name != current_)
      readers_.emplace(*name, Reader{current_, place(s.spot)});
    sym = f->sym;
    rank = f->args.size();
    values = f->types.size();
    type = f->types[std::min(static_cast<size_t>(std::max(value_index, 0)), values - 1)];
  } else if (vars_.count(*name) || rvars_.count(*name) || domains_.count(*name) ||
             std::any_of(algorithm_.params.begin(), algorithm_.params.end(),
                         [&](const ir::ScalarParam& p) { return p.sym.name() == *name; })) {
    Diagnostic d = refuse(diag::kind::wrong_use, s.spot)
                       .arg("name", *name)
                       .arg("is", domains_.count(*name) ? "a reduction domain" : "a variable")
                       .arg("used", "a Func");
    d.label(place_of(*name), "`" + *name + "` is defined here");
    return d;
  } else {
    return unknown("Func or input", *name, s.spot, known_names());
  }
  if (where_ == Where::DomainBounds || where_ == Where::Header)
    return refuse(diag::kind::domain_not_over_parameters, s.spot)
        .arg("which", where_ == Where::Header ? "the default and range" : "the bounds")
        .arg("name", current_)
        .arg("what", "the pixels of `" + *name + "`");
  size_t given = s.items.size() - 1;
  if (given != rank || s.has_split) return this->rank(*name, rank, given, s.spot, sym.place());
  if (value_index < 0 ? values > 1 : static_cast<size_t>(value_index) >= values)
    return refuse(diag::kind::wrong_values, s.spot)
        .arg("func", *name)
        .arg("wanted", static_cast<int64_t>(values))
        .arg("given", value_index < 0 ? std::string("no number, as in `f(x)[0]`")
                                      : "number " + std::to_string(value_index))
        .label(sym.place(), "`" + *name + "` is defined here");
  std::vector<Expr> args;
  for (size_t i = 1; i < s.items.size(); ++i) {
    HOCKET_TRY(Expr a, coordinate(s[i]));
    args.push_back(std::move(a));
  }
  return ir::make_call(sym, type, std::move(args), std::max(value_index, 0));
}

Result<FrontOperand> PipelineElaborator::application(const Syntax& s) {
  // `input.min(x)`, unless something is called `input.min`.
  if (s[0].kind == SyntaxKind::Field) {
    std::optional<std::string> path = s[0].path(), head = s[0][0].path();
    if (head && !find_func(*path) && !find_image(*path)) {
      if (const ir::ImageParam* image = find_image(*head)) {
        HOCKET_TRY(Expr e, image_field(*image, s, source_));
        return typed(std::move(e));
      }
    }
  }
  HOCKET_TRY(Expr e, call(s, -1));
  return typed(std::move(e));
}

// `f(x)[1]`
Result<FrontOperand> PipelineElaborator::indexed(const Syntax& s) {
  bool number = s.items.size() == 2 && s[1].kind == SyntaxKind::Integer && s[1].integer < 1000;
  if (s[0].kind != SyntaxKind::Apply || s[0][0].kind == SyntaxKind::Word || !number)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", "an index in brackets")
        .arg("wanted", "a Func at coordinates, such as `f(x)` or `f(x)[1]`,");
  HOCKET_TRY(Expr e, call(s[0], static_cast<int>(s[1].integer)));
  return typed(std::move(e));
}

// Where a name is defined; not known where nothing is called so.
support::Place PipelineElaborator::place_of(const std::string& name) const {
  if (auto v = vars_.find(name); v != vars_.end()) return v->second.place();
  if (auto r = rvars_.find(name); r != rvars_.end()) return r->second.second.place();
  if (auto d = domains_.find(name); d != domains_.end())
    return d->second.domain.vars[0].sym.place();
  for (const ir::ImageParam& p : algorithm_.inputs)
    if (p.sym.name() == name) return p.place;
  for (const ir::ScalarParam& p : algorithm_.params)
    if (p.sym.name() == name) return p.place;
  for (const Func& f : algorithm_.funcs)
    if (f.name() == name) return f.place;
  return {};
}

Result<void> PipelineElaborator::check_new(const NameSyntax& n) const {
  if (support::Place first = place_of(n.name); first.known()) return twice(n.name, n.spot, first);
  return {};
}

Diagnostic PipelineElaborator::rank(const std::string& name, size_t wanted, size_t given,
                                    const Spot& s, const support::Place& defined) const {
  Diagnostic d = refuse(diag::kind::wrong_rank, s)
                     .arg("name", name)
                     .arg("wanted", static_cast<int64_t>(wanted))
                     .arg("of", wanted == 1 ? "dimension" : "dimensions")
                     .arg("given", static_cast<int64_t>(given));
  d.label(defined, "`" + name + "` is defined here");
  return d;
}

Result<void> PipelineElaborator::scalar(const ParamSyntax& p) {
  ir::ScalarParam param;
  HOCKET_TRY(Type t, type(p.type));
  param.place = place(p.name.spot);
  param.sym = Symbol::fresh(p.name.name, t, param.place);
  if (p.value) {
    HOCKET_TRY(param.default_value, default_number(*p.value, t, p.name.name));
  }
  auto end = [&](const SyntaxRef& s, Expr& to) -> Result<void> {
    if (!s || s->kind == SyntaxKind::Hole) return {};
    HOCKET_TRY(to, value(*s, t, "the range of `" + p.name.name + "`"));
    return {};
  };
  HOCKET_CHECK(end(p.min, param.min));
  HOCKET_CHECK(end(p.max, param.max));
  algorithm_.arguments.push_back(param.sym);
  algorithm_.params.push_back(std::move(param));
  return {};
}

Result<void> PipelineElaborator::inputs() {
  for (const ParamSyntax& p : item_.params) {
    HOCKET_CHECK(check_new(p.name));
    current_ = p.name.name;
    if (!p.image) {
      HOCKET_CHECK(scalar(p));
      continue;
    }
    ir::ImageParam image;
    HOCKET_TRY(Type t, type(p.type, false));
    image.place = place(p.name.spot);
    image.sym = Symbol::fresh(p.name.name, t, image.place);
    std::map<std::string, Spot> seen;
    for (const NameSyntax& d : p.dims) {
      auto [first, is_new] = seen.emplace(d.name, d.spot);
      if (!is_new) return twice(d.name, d.spot, place(first->second));
      image.dims.push_back(d.name);
    }
    algorithm_.arguments.push_back(image.sym);
    algorithm_.inputs.push_back(std::move(image));
  }
  return {};
}

Result<void> PipelineElaborator::rdom(const Line& l) {
  Domain d;
  for (const NameSyntax& n : l.names) d.name += (d.name.empty() ? "" : ", ") + n.name;
  size_t dims = l.exprs.size() / 2;
  bool pairs = l.exprs.size() % 2 == 0 && dims > 0;
  if (!pairs || (l.has_shape ? dims != l.names.size() : dims > 4))
    return count(d.name, l.has_shape ? std::to_string(2 * l.names.size()) : "2, 4, 6 or 8",
                 "bounds (min and extent of each variable)", l.exprs.size(), l.spot);
  // A domain may take the name of an earlier one; from here on the name means the new one.
  for (auto it = rvars_.begin(); it != rvars_.end();)
    it = it->second.first == d.name ? rvars_.erase(it) : std::next(it);
  domains_.erase(d.name);
  static constexpr const char* kSuffix[] = {".x", ".y", ".z", ".w"};
  std::map<std::string, Symbol> inner;
  where_ = Where::DomainBounds;
  current_ = d.name;
  vars_.clear();
  impure_.clear();
  for (size_t i = 0; i < dims; ++i) {
    const NameSyntax& n = l.has_shape ? l.names[i] : l.names[0];
    std::string spelling = l.has_shape || dims == 1 ? n.name : n.name + kSuffix[i];
    if (l.has_shape || i == 0) HOCKET_CHECK(check_new(n));
    if (auto first = inner.find(spelling); first != inner.end())
      return twice(spelling, n.spot, first->second.place());
    if (auto first = rvars_.find(spelling); first != rvars_.end())
      return twice(spelling, n.spot, first->second.second.place());
    ir::RVar v;
    v.sym = Symbol::fresh(spelling, Type::index(), place(n.spot));
    HOCKET_TRY(v.min, coordinate(*l.exprs[2 * i]));
    HOCKET_TRY(v.extent, coordinate(*l.exprs[2 * i + 1]));
    inner.emplace(spelling, v.sym);
    // `r.x` of a domain with one variable is `r`.
    if (!l.has_shape && dims == 1) inner.emplace(spelling + ".x", v.sym);
    d.domain.vars.push_back(std::move(v));
  }
  if (l.value) {
    vars_ = inner;
    HOCKET_TRY(d.domain.where, condition(*l.value));
    vars_.clear();
  }
  for (const auto& [spelling, sym] : inner) rvars_[spelling] = {d.name, sym};
  domains_.emplace(d.name, std::move(d));
  return {};
}

Result<void> PipelineElaborator::declare(const Line& l) {
  HOCKET_CHECK(check_new(l.names[0]));
  Declared d;
  d.spot = l.spot;
  for (const TypeSyntax& t : l.types) {
    HOCKET_TRY(Type type, this->type(t, false));
    d.types.push_back(type);
  }
  for (size_t i = 1; i < l.names.size(); ++i) {
    for (size_t j = 1; j < i; ++j)
      if (l.names[j].name == l.names[i].name)
        return twice(l.names[i].name, l.names[i].spot, place(l.names[j].spot));
    d.args.push_back(l.names[i].name);
  }
  auto [first, is_new] = declared_.emplace(l.names[0].name, std::move(d));
  if (!is_new) return twice(l.names[0].name, l.names[0].spot, place(first->second.spot));
  return {};
}

Func& PipelineElaborator::add(const std::string& name, std::vector<Type> types,
                              std::vector<Symbol> args, const Line& l) {
  Func f;
  f.place = place(l.spot);
  f.sym = Symbol::fresh(name, types[0], f.place);
  f.types = std::move(types);
  f.args = std::move(args);
  f.pure.place = f.place;
  for (const Symbol& a : f.args) f.pure.args.push_back(ir::make_var(a));
  declared_.erase(name);
  algorithm_.funcs.push_back(std::move(f));
  return algorithm_.funcs.back();
}

Result<void> PipelineElaborator::boundary(const Line& l) {
  const Syntax& v = *l.value;
  NameSyntax n{*l.target->path(), l.target->spot, true};
  HOCKET_CHECK(check_new(n));
  std::optional<std::string> input = v.items.size() == 2 ? v[1].path() : std::nullopt;
  if (!input) return count("repeat_edge", "1", "argument: an input", v.items.size() - 1, v.spot);
  const ir::ImageParam* image = find_image(*input);
  if (!image) return unknown("input", *input, v[1].spot, known_names());
  algorithm_.funcs.push_back(ir::repeat_edge(*image, n.name, place(l.spot)));
  return {};
}

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
    HOCKET_TRY(Expr e, ir::front_value(sum, f.types[0], place(l.value->spot),
                                       "the value of `" + f.name() + "`"));
    d.values.push_back(std::move(e));
  }
  HOCKET_CHECK(over(l));
  if (domain_) d.domain = domain_->domain;
  f.updates.push_back(std::move(d));
  return {};
}

Result<void> PipelineElaborator::define(const Line& l) {
  const Syntax& target = *l.target;
  vars_.clear();
  impure_.clear();
  domain_ = nullptr;
  bool edge = l.value->kind == SyntaxKind::Apply && (*l.value)[0].kind == SyntaxKind::Word &&
              (*l.value)[0].text == "repeat_edge";
  if (edge && l.op == "=" && target.path()) return boundary(l);
  std::optional<std::string> name =
      target.kind == SyntaxKind::Apply ? target[0].path() : std::nullopt;
  if (!name)
    return refuse(diag::kind::unexpected_text, target.spot)
        .arg("found", spoken(target))
        .arg("wanted", "a Func at coordinates, such as `f(x, y)`,");
  current_ = *name;
  NameSyntax n{*name, target[0].spot, true};
  if (Func* f = find_func(*name)) {
    size_t index = static_cast<size_t>(f - algorithm_.funcs.data());
    return update(algorithm_.funcs[index], l);
  }
  HOCKET_CHECK(check_new(n));
  if (l.op == "=") return pure(*name, l);
  HOCKET_CHECK(identity(*name, l));
  vars_.clear();
  return update(algorithm_.funcs.back(), l);
}

Result<void> PipelineElaborator::line(const Line& l) {
  switch (l.kind) {
    case LineKind::Rdom:
      return rdom(l);
    case LineKind::Declare:
      return declare(l);
    default:
      return define(l);
  }
}

Result<void> PipelineElaborator::outputs() {
  for (const auto& [name, d] : declared_)
    return refuse(diag::kind::output_undefined, d.spot).arg("what", "Func").arg("name", name);
  for (const NameSyntax& n : item_.outputs) {
    Func* f = find_func(n.name);
    if (!f) {
      Diagnostic d =
          refuse(diag::kind::output_undefined, n.spot).arg("what", "output").arg("name", n.name);
      std::vector<std::string> funcs;
      for (const Func& g : algorithm_.funcs) funcs.push_back(g.name());
      did_you_mean(d, n.name, funcs);
      return d;
    }
    if (algorithm_.is_output(f->sym)) {
      auto first = std::find_if(item_.outputs.begin(), item_.outputs.end(),
                                [&](const NameSyntax& o) { return o.name == n.name; });
      return twice(n.name, n.spot, place(first->spot));
    }
    algorithm_.outputs.push_back(f->sym);
  }
  if (algorithm_.outputs.empty())
    return refuse(diag::kind::unexpected_text, item_.spot)
        .arg("found", "a pipeline without outputs")
        .arg("wanted", "at least one output");
  return {};
}

Result<ir::AlgorithmRef> PipelineElaborator::run() {
  algorithm_.name = item_.name.name;
  algorithm_.place = place(item_.name.spot);
  algorithm_.mode = mode_;
  HOCKET_CHECK(inputs());
  for (const Line& l : item_.body) HOCKET_CHECK(line(l));
  HOCKET_CHECK(outputs());
  return std::make_shared<const Algorithm>(std::move(algorithm_));
}

}  // namespace

Result<ir::AlgorithmRef> elaborate_pipeline(const ItemSyntax& item, const Source& source) {
  return PipelineElaborator(item, source).run();
}

}  // namespace hocket::text
