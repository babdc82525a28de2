// Algorithms as `pipeline` items: inputs, Funcs in their order, updates with their domains. In: an
// algorithm. Out: text that parses back to it. Called by: to_text (print.h).
#include <unordered_set>

#include "ir/equal.h"
#include "ir/printer.h"
#include "ir/visit.h"
#include "ir/words.h"

namespace hocket::ir {

namespace {

std::string list_of(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : ", ") + p;
  return out;
}

void collect(const Expr& e, std::unordered_set<Symbol>& out) {
  for_each(e, [&](const Expr& n) {
    if (const auto* v = n.as<VarRef>()) out.insert(v->sym);
    if (const auto* c = n.as<Call>()) out.insert(c->func);
    if (const auto* b = n.as<BufferField>()) out.insert(b->buffer);
  });
}

std::unordered_set<Symbol> symbols_of(const Func& f) {
  std::unordered_set<Symbol> out;
  for (int s = 0; s < f.num_stages(); ++s) {
    const Definition& d = f.stage(s);
    for (const Expr& e : d.args) collect(e, out);
    for (const Expr& e : d.values) collect(e, out);
    for (const RVar& v : d.domain.vars) collect(v.min, out), collect(v.extent, out);
    if (d.domain.where.defined()) collect(d.domain.where, out);
  }
  return out;
}

bool domain_shows(const Definition& d) {
  std::unordered_set<Symbol> used;
  for (const Expr& e : d.args) collect(e, used);
  for (const Expr& e : d.values) collect(e, used);
  for (const RVar& v : d.domain.vars)
    if (used.count(v.sym)) return true;
  return false;
}

// `r` where the variables are spelled r.x, r.y, ... (or just `r`, for a single one); else empty.
std::string common_base(const ReductionDomain& d) {
  static const char* const kSuffix[] = {".x", ".y", ".z", ".w"};
  if (d.vars.size() == 1) {
    const std::string& n = d.vars[0].sym.name();
    return n.find('.') == std::string::npos ? n : "";
  }
  if (d.vars.size() > 4) return "";
  const std::string& first = d.vars[0].sym.name();
  std::string base = first.substr(0, first.find('.'));
  for (size_t i = 0; i < d.vars.size(); ++i)
    if (d.vars[i].sym.name() != base + kSuffix[i]) return "";
  return base;
}

bool same_domain(const ReductionDomain& a, const ReductionDomain& b) {
  if (a.vars.size() != b.vars.size() || !equal(a.where, b.where)) return false;
  for (size_t i = 0; i < a.vars.size(); ++i)
    if (!(a.vars[i].sym == b.vars[i].sym) || !equal(a.vars[i].min, b.vars[i].min) ||
        !equal(a.vars[i].extent, b.vars[i].extent))
      return false;
  return true;
}

bool shares_a_name(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (const std::string& x : a)
    for (const std::string& y : b)
      if (x == y) return true;
  return false;
}

}  // namespace

void Printer::pipeline_header(const Algorithm& a) {
  std::string head = "pipeline " + spell_name(a.name) + "(";
  std::vector<std::string> parts;
  for (const Symbol& s : a.ordered_arguments()) {
    out_ = names_.bind(s) + ": " + s.type().name();
    if (const ImageParam* image = a.find_input(s)) {
      std::vector<std::string> dims;
      for (const std::string& d : image->dims) dims.push_back(spell_name(d));
      out_ += "(" + list_of(dims) + ")";
    } else if (const ScalarParam* p = a.find_param(s)) {
      if (p->default_value) out_ += " = " + spell_default(*p->default_value, s.type());
      if (p->min.defined() || p->max.defined()) {
        out_ += " in [";
        optional_expr(p->min);
        out_ += ", ";
        optional_expr(p->max);
        out_ += "]";
      }
    }
    parts.push_back(std::move(out_));
  }
  for (const Func& f : a.funcs) names_.bind(f.sym);
  std::string tail = ") -> ";
  std::vector<std::string> outputs;
  for (const Symbol& s : a.outputs) outputs.push_back(names_.name(s));
  tail += outputs.size() == 1 ? outputs[0] : "(" + list_of(outputs) + ")";
  tail += a.mode == NumericMode::Strict ? " strict:" : ":";
  out_ = wrapped(head, parts, tail) + "\n";
}

void Printer::domain(const ReductionDomain& d) {
  std::string base = common_base(d);
  std::vector<std::string> names;
  bool plain = !base.empty();
  for (const RVar& v : d.vars) {
    names.push_back(names_.bind(v.sym));
    plain &= names.back() == v.sym.name();
  }
  std::string head = plain ? base : "(" + list_of(names) + ")";
  // A domain that several updates share is declared once.
  auto shown = shown_domains_.find(head);
  if (shown != shown_domains_.end() && shown->second.second == names &&
      same_domain(shown->second.first, d))
    return;
  // The new variables take the names from every domain shown before.
  for (auto it = shown_domains_.begin(); it != shown_domains_.end();)
    it = shares_a_name(it->second.second, names) ? shown_domains_.erase(it) : std::next(it);
  shown_domains_[head] = {d, names};
  line(1);
  out_ += "rdom " + head + "(";
  for (size_t i = 0; i < d.vars.size(); ++i) {
    if (i > 0) out_ += ", ";
    expr(d.vars[i].min, true);
    out_ += ", ";
    expr(d.vars[i].extent, true);
  }
  out_ += ")";
  if (d.where.defined()) {
    out_ += " where ";
    expr(d.where);
  }
  out_ += "\n";
}

// Prints `f(x) += v` where the single value is the Func itself at the same place, op v.
bool Printer::self_update(const Func& f, const Definition& d) {
  if (f.types.size() != 1 || d.values.size() != 1) return false;
  auto is_self = [&](const Expr& e) {
    const auto* c = e.as<Call>();
    if (!c || !(c->func == f.sym) || c->value_index != 0 || c->args.size() != d.args.size())
      return false;
    for (size_t i = 0; i < d.args.size(); ++i)
      if (!equal(c->args[i], d.args[i])) return false;
    return true;
  };
  bool contract = mode_ == NumericMode::Contract;
  if (const auto* m = d.values[0].as<Fma>(); m && contract && is_self(m->c)) {
    out_ += " += ";
    // Read back as a product, which the update contracts again.
    expr(make_binary(BinaryOp::Mul, m->a, m->b), true);
    return true;
  }
  const auto* b = d.values[0].as<Binary>();
  if (!b || !is_self(b->a)) return false;
  const char* op = b->op == BinaryOp::Add   ? " += "
                   : b->op == BinaryOp::Mul ? " *= "
                   : b->op == BinaryOp::Min ? " min= "
                   : b->op == BinaryOp::Max ? " max= "
                                            : nullptr;
  if (!op) return false;
  out_ += op;
  const auto* product = b->b.as<Binary>();
  bool strict = contract && b->op == BinaryOp::Add && product && product->op == BinaryOp::Mul &&
                product->type.is_float();
  if (strict) out_ += "strict(";
  expr(b->b, true);
  if (strict) out_ += ")";
  return true;
}

void Printer::values(const Func& f, const Definition& d) {
  out_ += " = ";
  // The pure definition gives the types, so its numbers say theirs.
  bool bare = &d != &f.pure;
  if (d.values.size() == 1) {
    expr(d.values[0], bare);
  } else {
    out_ += "(";
    exprs(d.values, bare);
    out_ += ")";
  }
}

void Printer::definition(const Func& f, int stage, const std::string& name) {
  const Definition& d = f.stage(stage);
  bool domain_is_used = true;
  if (!d.domain.vars.empty()) {
    domain(d.domain);
    domain_is_used = domain_shows(d);
  }
  line(1);
  out_ += name + "(";
  coordinates(d.args);
  out_ += ")";
  if (stage == 0 || !self_update(f, d)) values(f, d);
  if (!domain_is_used) {
    std::vector<std::string> vars;
    for (const RVar& v : d.domain.vars) vars.push_back(names_.name(v.sym));
    out_ += " over (" + list_of(vars) + ")";
  }
  out_ += "\n";
}

void Printer::algorithm(const Algorithm& a) {
  algorithm_ = &a;
  mode_ = a.mode;
  names_ = Names();
  shown_domains_.clear();
  names_.open();
  pipeline_header(a);
  const Names global = names_;
  for (const Func& f : a.funcs) {
    // Variables hide what the definition does not read: `f(x)` may stand beside a parameter `x`.
    std::unordered_set<Symbol> used = symbols_of(f);
    const std::string name = Names(global).name(f.sym);
    names_ = global;
    names_.keep_only([&](const Symbol& s) { return used.count(s) != 0; });
    names_.open();
    for (const Symbol& s : f.args) names_.bind(s);
    for (int s = 0; s < f.num_stages(); ++s) {
      names_.open();
      definition(f, s, name);
      names_.close();
    }
  }
  if (a.funcs.empty()) {
    line(1);
    out_ += "...\n";
  }
  algorithm_ = nullptr;
}

}  // namespace hocket::ir
