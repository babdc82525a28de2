// Invariants of algorithms (V0001 to V0003: verify_expr.h):
//
// V0004  variables are used where they range: pure arguments in the definition (in updates only
//        those that stand alone in their dimension's place on the left), reduction variables in
//        their update, parameters everywhere
// V0007  a call has one coordinate of type index per dimension, the type and number of the value
// V0008  no buffers, windows and vectors
// V0021  Funcs: distinct variables, the pure definition over exactly these, a value per type;
//        updates read their own Func at the same point along each pure dimension
// V0022  producers come before consumers; a Func reads itself only in its updates
// V0023  reduction domains: bounds of type index over parameters and sizes of inputs; `where` is a
//        bool, which may read values as an update does, but no pure variable
// V0024  outputs are Funcs, arguments are the inputs and parameters, each symbol is bound once,
//        ranges of parameters have the parameter's type
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "diag/kinds_verify.h"
#include "ir/verify.h"
#include "ir/verify_expr.h"
#include "ir/visit.h"

namespace hocket::ir {

namespace {

using diag::Diagnostic;
using diag::Result;
using support::Place;

class Verifier {
 public:
  explicit Verifier(const Algorithm& a) : algorithm_(a) {}
  Result<void> run();

 private:
  Diagnostic refuse(diag::Kind kind, const std::string& name, const std::string& what,
                    const Place& place) const {
    return Diagnostic(kind, place).arg("name", name).arg("what", what);
  }
  Diagnostic refuse(diag::Kind kind, const Expr& at, const Place& place) const {
    return Diagnostic(kind, place).arg("at", diag::LatePrinter([at] { return shown(at); }));
  }
  bool bind(const Symbol& s) { return s.defined() && ever_.insert(s).second; }
  Result<void> expr(const Expr& e, const Place& place);
  Result<void> call(const ir::Call& c, const Expr& at, const Place& place);
  Result<void> header();
  Result<void> domain(const Func& f, const Definition& d);
  Result<void> definition(const Func& f, int stage);

  const Algorithm& algorithm_;
  std::unordered_set<Symbol> ever_;
  std::unordered_set<Symbol> params_;             // always known
  std::unordered_set<Symbol> vars_;               // known in this definition
  std::unordered_map<Symbol, const Func*> done_;  // Funcs that may be read
  std::unordered_set<const ExprNode*> seen_;
  const Func* current_ = nullptr;
};

Result<void> Verifier::call(const ir::Call& c, const Expr& at, const Place& place) {
  size_t rank = 0;
  Type type;
  if (const ImageParam* image = algorithm_.find_input(c.func)) {
    rank = image->dims.size();
    type = c.value_index == 0 ? image->sym.type() : Type::index(0);
  } else {
    auto it = done_.find(c.func);
    if (it == done_.end())
      return Diagnostic(diag::kind::invariant_order, place)
          .arg("user", current_ ? current_->name() : algorithm_.name)
          .arg("name", c.func.name());
    rank = it->second->args.size();
    bool known =
        c.value_index >= 0 && static_cast<size_t>(c.value_index) < it->second->types.size();
    type = known ? it->second->types[static_cast<size_t>(c.value_index)] : Type::index(0);
  }
  bool fits = c.args.size() == rank && c.type == type;
  for (const Expr& a : c.args) fits = fits && a.defined() && a.type() == Type::index();
  if (!fits) return refuse(diag::kind::invariant_access, at, place).arg("name", c.func.name());
  return {};
}

Result<void> Verifier::expr(const Expr& e, const Place& place) {
  if (!e.defined()) return refuse(diag::kind::invariant_operands, e, place);
  if (!seen_.insert(e.get()).second) return {};
  switch (e.kind()) {
    case ExprKind::VarRef: {
      const Symbol& s = e.as<VarRef>()->sym;
      if (!params_.count(s) && !vars_.count(s))
        return refuse(diag::kind::invariant_scope, e, place).arg("name", s.name());
      if (e.type() != s.type())
        return refuse(diag::kind::invariant_reference, e, place).arg("name", s.name());
      break;
    }
    case ExprKind::Call:
      HOCKET_CHECK(call(*e.as<ir::Call>(), e, place));
      break;
    case ExprKind::BufferField: {
      const auto* b = e.as<BufferField>();
      const ImageParam* image = algorithm_.find_input(b->buffer);
      if (!image || b->dim < 0 || static_cast<size_t>(b->dim) >= image->dims.size())
        return refuse(diag::kind::invariant_access, e, place).arg("name", b->buffer.name());
      break;
    }
    case ExprKind::Load:
    case ExprKind::Window:
    case ExprKind::Ramp:
    case ExprKind::Broadcast:
    case ExprKind::Shuffle:
      return refuse(diag::kind::invariant_form, e, place).arg("form", "an algorithm");
    default:
      break;
  }
  HOCKET_CHECK(verify_types(e, false, place));
  for (const Expr& c : children(e)) HOCKET_CHECK(expr(c, place));
  return {};
}

Result<void> Verifier::header() {
  const Algorithm& a = algorithm_;
  auto bad = [&](const std::string& what) {
    return refuse(diag::kind::invariant_algorithm, a.name, what, a.place);
  };
  for (const ImageParam& p : a.inputs)
    if (!bind(p.sym) || p.sym.type().lanes != 1 || p.sym.type().is_index())
      return bad("an input without a symbol of its own and an element type");
  for (const ScalarParam& p : a.params) {
    if (!bind(p.sym) || p.sym.type().lanes != 1)
      return bad("a parameter without a symbol of its own and a scalar type");
    for (const Expr* e : {&p.min, &p.max}) {
      if (!e->defined()) continue;
      if (e->type() != p.sym.type())
        return bad("a range of `" + p.sym.name() + "` of another type");
      seen_.clear();
      HOCKET_CHECK(expr(*e, p.place));
    }
    params_.insert(p.sym);
  }
  std::unordered_set<Symbol> listed;
  for (const Symbol& s : a.ordered_arguments())
    if ((!a.find_input(s) && !a.find_param(s)) || !listed.insert(s).second)
      return bad("an argument that is no input and no parameter, or stands twice");
  if (listed.size() != a.inputs.size() + a.params.size())
    return bad("an input that is no argument");
  return {};
}

Result<void> Verifier::domain(const Func& f, const Definition& d) {
  auto bad = [&](const std::string& what) {
    return refuse(diag::kind::invariant_domain, f.name(), what, d.place);
  };
  auto over_params = [](const Expr& e) {
    bool ok = true;
    for_each(e, [&](const Expr& n) { ok &= n.as<ir::Call>() == nullptr; });
    return ok;
  };
  vars_.clear();
  for (const RVar& v : d.domain.vars) {
    for (const Expr* e : {&v.min, &v.extent}) {
      if (!e->defined() || e->type() != Type::index() || !over_params(*e))
        return bad("a bound that is no index over parameters");
      seen_.clear();
      HOCKET_CHECK(expr(*e, d.place));
    }
  }
  for (const RVar& v : d.domain.vars)
    if (!v.sym.defined() || v.sym.type() != Type::index() || !vars_.insert(v.sym).second)
      return bad("a variable without a symbol of its own");
  if (d.domain.where.defined()) {
    if (d.domain.where.type() != Type::boolean()) return bad("a `where` that is no bool");
    seen_.clear();
    HOCKET_CHECK(expr(d.domain.where, d.place));
  }
  return {};
}

Result<void> Verifier::definition(const Func& f, int stage) {
  const Definition& d = f.stage(stage);
  const Place& place = d.place.known() ? d.place : f.place;
  auto bad = [&](const std::string& what) {
    return refuse(diag::kind::invariant_func, f.name(), what, place);
  };
  if (d.args.size() != f.args.size()) return bad("a left side of another rank");
  if (d.values.size() != f.types.size()) return bad("another number of values than types");
  for (size_t i = 0; i < d.values.size(); ++i)
    if (!d.values[i].defined() || d.values[i].type() != f.types[i])
      return bad("a value of another type");
  if (stage == 0 && (!d.domain.vars.empty() || d.domain.where.defined()))
    return bad("a pure definition with a domain");
  HOCKET_CHECK(domain(f, d));
  for (size_t i = 0; i < d.args.size(); ++i) {
    if (!d.args[i].defined() || d.args[i].type() != Type::index())
      return bad("a coordinate that is no index");
    const auto* v = d.args[i].as<VarRef>();
    bool pure = v && v->sym == f.args[i];
    if (pure) vars_.insert(f.args[i]);
    if (stage == 0 && !pure) return bad("a pure definition over something else than its variables");
  }
  seen_.clear();
  for (const Expr& e : d.args) HOCKET_CHECK(expr(e, place));
  for (const Expr& e : d.values) HOCKET_CHECK(expr(e, place));
  if (stage > 0 && !check_self_reads(f, d, place).ok())
    return bad("an update that reads another point along a pure dimension");
  return {};
}

Result<void> Verifier::run() {
  HOCKET_CHECK(header());
  for (const Func& f : algorithm_.funcs) {
    current_ = &f;
    if (!bind(f.sym) || f.types.empty() || f.sym.type() != f.types[0])
      return refuse(diag::kind::invariant_func, f.sym.defined() ? f.name() : "(nothing)",
                    "no symbol of its own with the first value's type", f.place);
    for (Type t : f.types)
      if (t.lanes != 1 || t.is_index())
        return refuse(diag::kind::invariant_func, f.name(), "a value that is no data", f.place);
    for (const Symbol& s : f.args)
      if (!bind(s) || s.type() != Type::index())
        return refuse(diag::kind::invariant_func, f.name(),
                      "a variable without a symbol of its own", f.place);
    HOCKET_CHECK(definition(f, 0));
    done_.emplace(f.sym, &f);
    for (int s = 1; s < f.num_stages(); ++s) HOCKET_CHECK(definition(f, s));
  }
  if (algorithm_.outputs.empty())
    return refuse(diag::kind::invariant_algorithm, algorithm_.name, "no output", algorithm_.place);
  for (const Symbol& s : algorithm_.outputs)
    if (!algorithm_.find(s))
      return refuse(diag::kind::invariant_algorithm, algorithm_.name,
                    "an output that is no Func of it", algorithm_.place);
  return {};
}

}  // namespace

Result<void> verify(const Algorithm& a) {
  return Verifier(a).run();
}

}  // namespace hocket::ir
