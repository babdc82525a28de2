#include "text/pipelines.h"

#include <algorithm>
#include <unordered_map>

#include "diag/kinds_parse.h"
#include "ir/visit.h"
#include "text/pipeline_elaborator.h"

namespace hocket::text {

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
  if (target.kind == SyntaxKind::Apply && target[0].kind == SyntaxKind::Word)
    return refuse(diag::kind::reserved_word, target[0].spot).arg("word", target[0].text);
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

// An update may read a Func that is first defined below the one it updates. Producers come first;
// what is in order already stays as it was written.
void PipelineElaborator::producers_first() {
  std::vector<Func>& funcs = algorithm_.funcs;
  std::unordered_map<Symbol, size_t> number;
  for (size_t i = 0; i < funcs.size(); ++i) number.emplace(funcs[i].sym, i);
  std::vector<std::vector<size_t>> reads(funcs.size());
  for (size_t i = 0; i < funcs.size(); ++i) {
    auto look = [&](const Expr& e) {
      if (!e.defined()) return;
      ir::for_each(e, [&](const Expr& n) {
        const auto* c = n.as<ir::Call>();
        const auto read = c ? number.find(c->func) : number.end();
        if (read != number.end() && read->second != i) reads[i].push_back(read->second);
      });
    };
    for (int s = 0; s < funcs[i].num_stages(); ++s) {
      for (const Expr& e : funcs[i].stage(s).args) look(e);
      for (const Expr& e : funcs[i].stage(s).values) look(e);
      look(funcs[i].stage(s).domain.where);
    }
  }
  std::vector<Func> ordered;
  std::vector<bool> begun(funcs.size());
  for (size_t first = 0; first < funcs.size(); ++first) {
    if (begun[first]) continue;
    begun[first] = true;
    std::vector<std::pair<size_t, size_t>> path = {{first, 0}};  // a Func, how many reads are done
    while (!path.empty()) {
      auto& [at, done] = path.back();
      if (done == reads[at].size()) {
        ordered.push_back(std::move(funcs[at]));
        path.pop_back();
      } else if (const size_t next = reads[at][done++]; !begun[next]) {
        begun[next] = true;
        path.emplace_back(next, 0);
      }
    }
  }
  funcs = std::move(ordered);
}

Result<ir::AlgorithmRef> PipelineElaborator::run() {
  algorithm_.name = item_.name.name;
  algorithm_.place = place(item_.name.spot);
  algorithm_.mode = mode_;
  HOCKET_CHECK(inputs());
  for (const Line& l : item_.body) HOCKET_CHECK(line(l));
  HOCKET_CHECK(outputs());
  producers_first();
  return std::make_shared<const Algorithm>(std::move(algorithm_));
}

Result<ir::AlgorithmRef> elaborate_pipeline(const ItemSyntax& item, const Source& source) {
  return PipelineElaborator(item, source).run();
}

}  // namespace hocket::text
