// What names and calls mean in the expressions of a pipeline.
#include "diag/kinds_parse.h"
#include "ir/sugar.h"
#include "text/image_fields.h"
#include "text/pipeline_elaborator.h"

namespace hocket::text {

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
    if (where_ == Where::DomainCondition)
      domain_reads_.push_back(*name);  // whoever uses the domain is the reader
    else if (where_ != Where::Update || *name != current_)
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
    Diagnostic d = unknown("Func or input", *name, s.spot, known_names());
    if (*name == current_ && where_ == Where::Pure)
      d.note("a Func reads itself in an update, over a reduction domain: `" + *name +
             "(x) = 0` first, then `" + *name + "(r) = " + *name + "(r - 1) + ...`");
    return d;
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
    if (head && !(path && (find_func(*path) || find_image(*path)))) {
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

}  // namespace hocket::text
