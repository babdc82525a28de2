// Inputs, parameters, reduction domains, declarations and boundary conditions of a pipeline.
#include <charconv>
#include <cmath>

#include "diag/kinds_parse.h"
#include "ir/sugar.h"
#include "text/pipeline_elaborator.h"

namespace hocket::text {

namespace {

std::optional<long double> number_of(const Expr& e) {
  if (!e.defined()) return std::nullopt;
  if (const auto* f = e.as<ir::FloatImm>()) return f->value;
  const auto* i = e.as<ir::IntImm>();
  if (i == nullptr) return std::nullopt;
  if (e.type().is_uint()) return static_cast<uint64_t>(i->value);
  return i->value;
}

std::string written(const std::optional<long double>& number, ir::Type type) {
  if (!number) return "_";
  if (type.is_float()) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, static_cast<double>(*number)).ptr;
    return {text, end};
  }
  return *number < 0 ? std::to_string(static_cast<int64_t>(*number))
                     : std::to_string(static_cast<uint64_t>(*number));
}

}  // namespace

// Ends that are numbers hold something, and the default.
Result<void> PipelineElaborator::check_range(const ir::ScalarParam& param, const ParamSyntax& p) {
  const std::optional<long double> least = number_of(param.min), most = number_of(param.max);
  const Type t = param.sym.type();
  const std::string range = "[" + written(least, t) + ", " + written(most, t) + "]";
  const auto none = [](const std::optional<long double>& end) { return end && std::isnan(*end); };
  if (none(least) || none(most) || (least && most && *least > *most))
    return refuse(diag::kind::parameter_range, least ? p.min->spot : p.max->spot)
        .arg("name", p.name.name)
        .arg("range", range)
        .arg("what", std::string("holds no number"));
  if (!param.default_value) return {};
  const long double given = *param.default_value;
  if ((least && !(given >= *least)) || (most && !(given <= *most)))
    return refuse(diag::kind::parameter_range, p.value->spot)
        .arg("name", p.name.name)
        .arg("range", range)
        .arg("what", "does not hold its default " + written(given, t));
  return {};
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
  HOCKET_CHECK(check_range(param, p));
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

// The name of a domain goes with its variables, that of a variable goes alone.
void PipelineElaborator::hide_domain(const std::string& name) {
  if (domains_.erase(name) == 0) {
    rvars_.erase(name);
    return;
  }
  for (auto it = rvars_.begin(); it != rvars_.end();)
    it = it->second.first == name ? rvars_.erase(it) : std::next(it);
}

Result<void> PipelineElaborator::rdom(const Line& l) {
  Domain d;
  for (const NameSyntax& n : l.names) d.name += (d.name.empty() ? "" : ", ") + n.name;
  size_t dims = l.exprs.size() / 2;
  bool pairs = l.exprs.size() % 2 == 0 && dims > 0;
  if (!pairs || (l.has_shape ? dims != l.names.size() : dims > 4))
    return count(d.name, l.has_shape ? std::to_string(2 * l.names.size()) : "2, 4, 6 or 8",
                 "bounds (min and extent of each variable)", l.exprs.size(), l.spot);
  // A domain may take names of earlier ones; from here on they mean the new one.
  hide_domain(d.name);
  for (const NameSyntax& n : l.names) hide_domain(n.name);
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
    where_ = Where::DomainCondition;
    domain_reads_.clear();
    HOCKET_TRY(d.domain.where, condition(*l.value));
    d.read = domain_reads_;
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
  if (!image) {
    std::vector<std::string> inputs;
    for (const ir::ImageParam& p : algorithm_.inputs) inputs.push_back(p.sym.name());
    Diagnostic e = unknown("input", *input, v[1].spot, inputs);
    if (find_func(*input)) e.note("`" + *input + "` is a Func; repeat_edge takes an input");
    return e;
  }
  algorithm_.funcs.push_back(ir::repeat_edge(*image, n.name, place(l.spot)));
  return {};
}

}  // namespace hocket::text
