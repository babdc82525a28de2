// From the contents behind Funcs to an Algorithm and a Schedule as data.
//
// Names are settled here: nameless Funcs, images, parameters and loops get one by their position,
// equal names are told apart. Every definition gets Vars of its own, and no symbol keeps contents
// alive any more. Called by: realize.cpp.
#include <set>
#include <unordered_map>

#include "api/contents.h"
#include "api/error.h"
#include "schedule/stage_facts.h"

namespace hocket::api {

using support::Ref;

std::string word_of(const ir::Symbol& loop, std::vector<ir::Symbol>& nameless) {
  if (!loop.name().empty()) return loop.name();
  for (size_t i = 0; i < nameless.size(); ++i)
    if (nameless[i] == loop) return "v" + std::to_string(i);
  nameless.push_back(loop);
  return "v" + std::to_string(nameless.size() - 1);
}

namespace {

class Freeze {
 public:
  Snapshot run(const std::vector<Ref<FuncContents>>& outputs, const std::string& name) {
    algorithm_ = std::make_shared<ir::Algorithm>();
    for (const Ref<FuncContents>& o : outputs) visit(o.get());
    algorithm_->name = !name.empty() ? name : word(outputs.front()->func.sym, "f", func_names_);
    for (const Ref<FuncContents>& o : outputs)
      algorithm_->outputs.push_back(renamed_.at(o->func.sym));
    out_.schedule.pipeline = algorithm_->name;
    for (const FuncContents* c : order_) loops_of(*c);
    for (const FuncContents* c : order_) directives_of(*c);
    for (auto c = order_.rbegin(); c != order_.rend(); ++c) {
      out_.funcs.push_back(*c);
      out_.versions.push_back((*c)->version);
    }
    out_.arguments = std::move(images_);
    for (Ref<support::RefCounted>& p : params_) out_.arguments.push_back(std::move(p));
    out_.algorithm = std::move(algorithm_);
    return std::move(out_);
  }

 private:
  // The name a symbol goes by; the first to ask gets its own.
  std::string word(const ir::Symbol& s, const std::string& plain, std::set<std::string>& used) {
    if (auto known = renamed_.find(s); known != renamed_.end()) return known->second.name();
    const std::string wish = s.name().empty() ? plain : s.name();
    std::string name = wish;
    for (int k = 1; !used.insert(name).second; ++k) name = wish + "_" + std::to_string(k);
    return name;
  }

  const ir::Symbol& rename(const ir::Symbol& s, const std::string& plain) {
    auto [at, fresh] = renamed_.try_emplace(s);
    if (fresh) {
      renamed_.erase(at);
      const std::string name = word(s, plain, func_names_);
      at = renamed_
               .emplace(s, name == s.name() ? s.without_payload()
                                            : ir::Symbol::fresh(name, s.type(), s.place()))
               .first;
    }
    return at->second;
  }

  void visit(FuncContents* c) {
    if (renamed_.count(c->func.sym)) return;
    if (!c->defined)
      refuse("`" + (c->func.sym.name().empty() ? "f" : c->func.sym.name()) + "` is never defined",
             c->func.place);
    if (!open_.insert(c).second)
      refuse("`" + c->func.sym.name() + "` is defined in terms of itself", c->func.place);
    ir::Func f = c->func;
    // Producers first: the expressions of a Func are read before it gets its place.
    for (int s = 0; s < f.num_stages(); ++s) {
      const ir::Definition& d = f.stage(s);
      for (const ir::Expr& e : d.args) meet(e);
      for (const ir::Expr& e : d.values) meet(e);
      for (const ir::RVar& r : d.domain.vars) meet(r.min), meet(r.extent);
      if (d.domain.where.defined()) meet(d.domain.where);
    }
    for (const Said& s : c->said)  // `bound` may be over a parameter that nothing else reads
      for (const ir::Expr& e : s.directive.exprs) meet(e);
    open_.erase(c);
    f.sym = rename(c->func.sym, "f");
    std::vector<ir::Symbol> nameless;
    std::unordered_map<ir::Symbol, ir::Symbol> own;
    for (ir::Symbol& arg : f.args) {
      const ir::Symbol fresh = ir::Symbol::fresh(word_of(arg, nameless), arg.type(), arg.place());
      own.emplace(arg, fresh);
      arg = fresh;
    }
    freeze(f.pure, own, f);
    for (ir::Definition& d : f.updates) {
      std::unordered_map<ir::Symbol, ir::Symbol> inner = own;
      for (ir::RVar& r : d.domain.vars) {
        const ir::Symbol fresh = ir::Symbol::fresh(r.sym.name(), r.sym.type(), r.sym.place());
        inner.emplace(r.sym, fresh);
        r.sym = fresh;
      }
      freeze(d, inner, f);
    }
    algorithm_->funcs.push_back(std::move(f));
    order_.push_back(c);
  }

  void meet(const ir::Expr& root) {
    ir::for_each(root, [&](const ir::Expr& e) {
      const ir::Symbol* s = nullptr;
      if (auto* c = e.as<ir::Call>()) s = &c->func;
      if (auto* b = e.as<ir::BufferField>()) s = &b->buffer;
      if (auto* v = e.as<ir::VarRef>()) s = &v->sym;
      if (!s || !s->payload()) return;
      if (auto* f = dynamic_cast<FuncContents*>(s->payload())) return visit(f);
      if (renamed_.count(*s)) return;
      if (auto* image = dynamic_cast<ImageContents*>(s->payload())) {
        ir::ImageParam p = image->image;
        p.sym = rename(*s, "input");
        algorithm_->inputs.push_back(std::move(p));
        images_.push_back(Ref<support::RefCounted>(image));
      } else if (auto* param = dynamic_cast<ParamContents*>(s->payload())) {
        ir::ScalarParam p = param->param;
        p.sym = rename(*s, "p");
        algorithm_->params.push_back(std::move(p));
        params_.push_back(Ref<support::RefCounted>(param));
      }
    });
  }

  void freeze(ir::Definition& d, const std::unordered_map<ir::Symbol, ir::Symbol>& own,
              const ir::Func& f) {
    auto change = [&](ir::Expr& e) {
      if (!e.defined()) return;
      e = ir::map_exprs(e, [&](const ir::Expr& n) -> ir::Expr {
        if (auto* v = n.as<ir::VarRef>()) {
          if (auto mine = own.find(v->sym); mine != own.end()) return ir::make_var(mine->second);
          if (auto known = renamed_.find(v->sym); known != renamed_.end())
            return ir::make_var(known->second);
          refuse("`" + v->sym.name() + "` is no argument of `" + f.name() + "`", d.place);
        }
        if (auto* c = n.as<ir::Call>())
          return ir::make_call(renamed_.at(c->func), c->type, c->args, c->value_index);
        if (auto* b = n.as<ir::BufferField>())
          return ir::make_buffer_field(renamed_.at(b->buffer), b->field, b->dim);
        return n;
      });
    };
    for (ir::Expr& e : d.args) change(e);
    for (ir::Expr& e : d.values) change(e);
    for (ir::RVar& r : d.domain.vars) change(r.min), change(r.extent);
    change(d.domain.where);
  }

  // The words of a Func's nameless loops: arguments first, then in the order they were said.
  void loops_of(const FuncContents& c) {
    std::vector<ir::Symbol>& nameless = nameless_[&c];
    for (const ir::Symbol& a : c.func.args) word_of(a, nameless);
    for (const Said& s : c.said)
      if (!s.site.defined())
        for (const ir::Symbol& l : s.loops) word_of(l, nameless);
  }

  const FuncContents* contents_of(const ir::Symbol& identity) const {
    for (const FuncContents* c : order_)
      if (c->identity == identity) return c;
    return nullptr;
  }

  // The only Func that reads this one.
  const FuncContents* only_consumer(const FuncContents& c, const support::Place& place) const {
    const FuncContents* found = nullptr;
    for (const FuncContents* other : order_) {
      if (other == &c) continue;
      bool reads = false;
      for (int s = 0; s < other->func.num_stages(); ++s)
        ir::for_each_call(other->func.stage(s),
                          [&](const ir::Call& call) { reads = reads || call.func == c.func.sym; });
      if (!reads) continue;
      if (found)
        refuse("`" + c.func.sym.name() + "` has several users: say compute_at and which one",
               place);
      found = other;
    }
    if (!found) refuse("nobody reads `" + c.func.sym.name() + "`", place);
    return found;
  }

  void directives_of(const FuncContents& c) {
    for (const Said& s : c.said) {
      ir::Directive d = s.directive;
      d.func = renamed_.at(c.func.sym).name();
      const FuncContents* loops_from = &c;
      if (d.verb == ir::Verb::ComputeAt || d.verb == ir::Verb::StoreAt) {
        loops_from = s.site.defined() ? contents_of(s.site) : only_consumer(c, d.place);
        if (!loops_from) refuse("`" + s.site.name() + "` is not part of this pipeline", d.place);
        d.names.push_back(renamed_.at(loops_from->func.sym).name());
      }
      for (const ir::Symbol& l : s.loops) d.names.push_back(word_of(l, nameless_[loops_from]));
      for (ir::Expr& e : d.exprs)
        e = ir::map_exprs(e, [&](const ir::Expr& n) -> ir::Expr {
          auto* v = n.as<ir::VarRef>();
          auto* b = n.as<ir::BufferField>();
          const ir::Symbol* sym = v ? &v->sym : b ? &b->buffer : nullptr;
          if (!sym) return n;
          auto known = renamed_.find(*sym);
          if (known == renamed_.end())
            refuse("`" + sym->name() + "` is no argument of this pipeline", d.place);
          return v ? ir::make_var(known->second)
                   : ir::make_buffer_field(known->second, b->field, b->dim);
        });
      out_.schedule.directives.push_back(std::move(d));
    }
  }

  Snapshot out_;
  std::shared_ptr<ir::Algorithm> algorithm_;
  std::vector<const FuncContents*> order_;  // producers first
  std::set<const FuncContents*> open_;
  std::unordered_map<ir::Symbol, ir::Symbol> renamed_;
  std::set<std::string> func_names_;
  std::unordered_map<const FuncContents*, std::vector<ir::Symbol>> nameless_;
  std::vector<Ref<support::RefCounted>> images_, params_;
};

}  // namespace

Snapshot snapshot(const std::vector<Ref<FuncContents>>& outputs, const std::string& name) {
  return Freeze().run(outputs, name);
}

}  // namespace hocket::api
