#include "text/entry.h"

#include "diag/kinds_parse.h"

namespace hocket::text {

namespace {

using diag::Diagnostic;
using ir::EntryArg;
using ir::ParamKind;

constexpr int kUserCheckFailed = -13;

class EntryElaborator {
 public:
  EntryElaborator(const ItemSyntax& item, const std::vector<ir::Param>& params,
                  const Source& source, LoopExprs& exprs)
      : item_(item), params_(params), source_(source), exprs_(exprs) {}

  Result<ir::PipelineEntry> run() {
    ir::PipelineEntry entry;
    entry.pipeline = item_.entry_name->name;
    for (const Line& l : item_.entry) {
      if (l.kind == LineKind::Check) {
        ir::EntryCheck c;
        HOCKET_TRY(c.cond, exprs_.scalar_condition(*l.value));
        c.code = static_cast<int>(l.code.value_or(kUserCheckFailed));
        c.message = l.word;
        if (l.target) HOCKET_CHECK(asked(*l.target, c));
        asked_.push_back(l.target ? l.target->spot : l.spot);
        entry.checks.push_back(std::move(c));
      } else {
        HOCKET_TRY(EntryArg a, argument(l));
        entry.args.push_back(std::move(a));
      }
    }
    for (size_t i = 0; i < entry.checks.size(); ++i) {
      const ir::EntryCheck& c = entry.checks[i];
      if (!c.argument.defined()) continue;
      const size_t at = entry.position(c.argument);
      if (at == entry.args.size() || static_cast<size_t>(c.dimension) >= entry.args[at].dims.size())
        return bad(asked_[i], "has a check of a dimension that no argument has");
    }
    return entry;
  }

 private:
  Diagnostic bad(const Spot& s, const std::string& what) const {
    return Diagnostic(diag::kind::malformed_entry, source_.place(s))
        .arg("proc", item_.name.name)
        .arg("what", what);
  }
  const ir::Param* find(const std::string& name) const {
    for (const ir::Param& p : params_)
      if (p.sym.name() == name) return &p;
    return nullptr;
  }
  // `a[0]`: the dimension that a check asks about.
  Result<void> asked(const Syntax& s, ir::EntryCheck& c) const {
    const bool element = s.kind == SyntaxKind::Index && s.items.size() == 2 && s[0].path() &&
                         s[1].kind == SyntaxKind::Integer && s[1].integer < 100000;
    const ir::Param* p = element ? find(*s[0].path()) : nullptr;
    if (p == nullptr) return bad(s.spot, "has a check of a dimension that no argument has");
    c.argument = p->sym;
    c.dimension = static_cast<int>(s[1].integer);
    return {};
  }
  Result<Expr> optional(const Syntax& s, ir::Type type) {
    if (s.kind == SyntaxKind::Hole) return Expr();
    return exprs_.value(s, type, "the end of a range");
  }

  Result<EntryArg> argument(const Line& l) {
    const NameSyntax& n = l.names[0];
    EntryArg a;
    a.kind = l.kind == LineKind::Scalar  ? EntryArg::Kind::Scalar
             : l.kind == LineKind::Input ? EntryArg::Kind::Input
                                         : EntryArg::Kind::Output;
    const ir::Param* p = find(n.name);
    if (!p) {
      Diagnostic d = bad(n.spot, "names `" + n.name + "`, which is no parameter");
      std::vector<std::string> known;
      for (const ir::Param& q : params_) known.push_back(q.sym.name());
      did_you_mean(d, n.name, known);
      return d;
    }
    bool buffer = p->kind == ParamKind::Buffer;
    if (buffer == (l.kind == LineKind::Scalar))
      return bad(n.spot, buffer ? "takes the buffer `" + n.name + "` as a scalar"
                                : "takes the scalar `" + n.name + "` as a buffer")
          .label(p->sym.place(), "`" + n.name + "` is defined here");
    a.sym = p->sym;
    if (l.value) {
      HOCKET_TRY(a.default_value, exprs_.default_number(*l.value, p->type(), n.name));
    }
    if (l.has_range) {
      HOCKET_TRY(a.range_min, optional(*l.exprs[0], p->type()));
      HOCKET_TRY(a.range_max, optional(*l.exprs[1], p->type()));
    }
    for (const Line& d : l.body) {
      HOCKET_TRY(ir::EntryDim dim, this->dim(d));
      a.dims.push_back(std::move(dim));
    }
    if (buffer && !item_.flat && !shaped(*p, a))
      return bad(n.spot, "gives `" + n.name + "` other extents than its shape, the last one first")
          .label(p->sym.place(), "`" + n.name + "` is defined here");
    return a;
  }

  // The entry asks about the extents that it names: a buffer of another shape would be accessed
  // past what was asked for.
  static bool shaped(const ir::Param& p, const EntryArg& a) {
    if (p.shape.size() != a.dims.size()) return false;
    for (size_t d = 0; d < a.dims.size(); ++d) {
      const ir::Symbol& named = a.dims[d].extent;
      const auto* extent = p.shape[a.dims.size() - 1 - d].as<ir::VarRef>();
      if (named.defined() && (extent == nullptr || !(extent->sym == named))) return false;
    }
    return true;
  }

  Result<ir::EntryDim> dim(const Line& l) {
    ir::EntryDim d;
    ir::Symbol* carriers[] = {&d.min, &d.extent, &d.stride};
    for (size_t i = 0; i < 3; ++i) {
      const Syntax& s = *l.exprs[i];
      if (s.kind == SyntaxKind::Hole) continue;
      std::optional<std::string> path = s.path();
      const ir::Param* p = path ? find(*path) : nullptr;
      if (!p || (p->kind != ParamKind::Index && p->kind != ParamKind::Size))
        return bad(s.spot, "has a dimension that no index parameter carries");
      *carriers[i] = p->sym;
    }
    if (l.exprs.size() > 3) {
      HOCKET_TRY(d.required_min, optional(*l.exprs[3], ir::Type::index()));
      HOCKET_TRY(d.required_max, optional(*l.exprs[4], ir::Type::index()));
    }
    return d;
  }

  std::vector<Spot> asked_;  // of each check
  const ItemSyntax& item_;
  const std::vector<ir::Param>& params_;
  const Source& source_;
  LoopExprs& exprs_;
};

}  // namespace

Result<ir::PipelineEntry> elaborate_entry(const ItemSyntax& item,
                                          const std::vector<ir::Param>& params,
                                          const Source& source, LoopExprs& exprs) {
  return EntryElaborator(item, params, source, exprs).run();
}

}  // namespace hocket::text
