#include "ir/algorithm.h"

#include "diag/kinds_parse.h"
#include "ir/print.h"
#include "ir/visit.h"

namespace hocket::ir {

void for_each_call(const Definition& d, const std::function<void(const Call&)>& f) {
  auto visit = [&](const Expr& e) {
    if (!e.defined()) return;
    for_each(e, [&](const Expr& n) {
      if (const auto* c = n.as<Call>()) f(*c);
    });
  };
  for (const Expr& e : d.args) visit(e);
  for (const Expr& e : d.values) visit(e);
  visit(d.domain.where);
  for (const RVar& r : d.domain.vars) {
    visit(r.min);
    visit(r.extent);
  }
}

bool is_pure_dim(const Func& f, int stage, int p) {
  const Definition& d = f.stage(stage);
  const auto* v = d.args[static_cast<size_t>(p)].as<VarRef>();
  if (!v || !(v->sym == f.args[static_cast<size_t>(p)])) return false;
  bool pure = true;
  for_each_call(d, [&](const Call& c) {
    if (!(c.func == f.sym)) return;
    const auto* a = c.args[static_cast<size_t>(p)].as<VarRef>();
    pure = pure && a && a->sym == v->sym;
  });
  return pure;
}

diag::Result<void> check_self_reads(const Func& f, const Definition& update,
                                    const support::Place& place) {
  Expr moved;
  size_t dim = 0;
  auto look = [&](const Expr& e) {
    if (!e.defined() || moved.defined()) return;
    for_each(e, [&](const Expr& n) {
      const auto* call = n.as<Call>();
      if (!call || !(call->func == f.sym) || moved.defined()) return;
      for (size_t i = 0; i < f.args.size(); ++i) {
        const auto* pure = update.args[i].as<VarRef>();
        const auto* read = call->args[i].as<VarRef>();
        if (!pure || !(pure->sym == f.args[i]) || (read && read->sym == f.args[i])) continue;
        moved = n;
        dim = i;
        return;
      }
    });
  };
  for (const Expr& e : update.args) look(e);
  for (const Expr& e : update.values) look(e);
  look(update.domain.where);
  if (!moved.defined()) return {};
  return diag::Diagnostic(diag::kind::update_reads_moved, place)
      .arg("func", f.name())
      .arg("read", [moved] { return to_text(moved); })
      .arg("dim", f.args[dim].name())
      .label(f.place, "`" + f.name() + "` is defined here");
}

const Func* Algorithm::find(const Symbol& s) const {
  for (const Func& f : funcs)
    if (f.sym == s) return &f;
  return nullptr;
}

const Func* Algorithm::find(std::string_view name) const {
  for (const Func& f : funcs)
    if (f.name() == name) return &f;
  return nullptr;
}

const ImageParam* Algorithm::find_input(const Symbol& s) const {
  for (const ImageParam& p : inputs)
    if (p.sym == s) return &p;
  return nullptr;
}

bool Algorithm::is_output(const Symbol& s) const {
  for (const Symbol& o : outputs)
    if (o == s) return true;
  return false;
}

const ScalarParam* Algorithm::find_param(const Symbol& s) const {
  for (const ScalarParam& p : params)
    if (p.sym == s) return &p;
  return nullptr;
}

std::vector<Symbol> Algorithm::ordered_arguments() const {
  if (!arguments.empty()) return arguments;
  std::vector<Symbol> out;
  for (const ImageParam& p : inputs) out.push_back(p.sym);
  for (const ScalarParam& p : params) out.push_back(p.sym);
  return out;
}

}  // namespace hocket::ir
