#include "rewrite/kernel/context.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/simplify.h"
#include "diag/kinds_rewrite.h"
#include "ir/print.h"
#include "ir/read/control.h"
#include "rewrite/kernel/call_body.h"
#include "support/edit_distance.h"

namespace hocket::rewrite {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

std::vector<std::string> allocated(const Proc& proc) {
  std::vector<std::string> names;
  for_each_stmt(proc.body, [&](const Stmt& s) {
    if (const auto* a = s.as<Alloc>()) names.push_back(a->buffer.name());
    return true;
  });
  return names;
}

}  // namespace

Diagnostic Context::refuse(diag::Kind kind) const {
  return Diagnostic(kind, step.place).arg("op", step.op);
}
Diagnostic Context::bad_args(const std::string& reason) const {
  return refuse(diag::kind::rewrite_arguments).arg("signature", signature).arg("reason", reason);
}
Diagnostic Context::cannot(const std::string& reason) const {
  return refuse(diag::kind::cannot_rewrite).arg("reason", reason);
}

Result<std::string> Context::text(const std::string& arg) const {
  auto it = args.find(arg);
  if (it == args.end()) return bad_args("`" + arg + "` is missing");
  if (it->second.kind == Literal::Kind::Name || it->second.kind == Literal::Kind::String)
    return it->second.text;
  if (it->second.kind == Literal::Kind::Int) return std::to_string(it->second.number);
  return bad_args("`" + arg + "` is a name or a string");
}
std::string Context::text_or(const std::string& arg, const std::string& otherwise) const {
  auto r = text(arg);
  return r.ok() ? r.value() : otherwise;
}
Result<int64_t> Context::number(const std::string& arg) const {
  auto it = args.find(arg);
  if (it == args.end()) return bad_args("`" + arg + "` is missing");
  if (it->second.kind != Literal::Kind::Int) return bad_args("`" + arg + "` is a number");
  return it->second.number;
}
Result<int64_t> Context::number_or(const std::string& arg, int64_t otherwise) const {
  if (!has(arg)) return otherwise;
  return number(arg);
}
bool Context::flag(const std::string& arg) const {
  auto it = args.find(arg);
  return it != args.end() && it->second.number != 0;
}
Result<std::vector<std::string>> Context::names(const std::string& arg, size_t count) const {
  auto it = args.find(arg);
  if (it == args.end()) return bad_args("`" + arg + "` is missing");
  const std::string wanted = "`" + arg + "` is a list of " + std::to_string(count) + " names";
  if (it->second.kind != Literal::Kind::List || it->second.items.size() != count)
    return bad_args(wanted);
  std::vector<std::string> out;
  for (const Literal& l : it->second.items) {
    if ((l.kind != Literal::Kind::Name && l.kind != Literal::Kind::String) || l.text.empty())
      return bad_args(wanted);
    out.push_back(l.text);
  }
  return out;
}
Result<std::vector<int64_t>> Context::numbers(const std::string& arg) const {
  auto it = args.find(arg);
  if (it == args.end()) return bad_args("`" + arg + "` is missing");
  if (it->second.kind != Literal::Kind::List) return bad_args("`" + arg + "` is a list of numbers");
  std::vector<int64_t> out;
  for (const Literal& l : it->second.items) {
    if (l.kind != Literal::Kind::Int) return bad_args("`" + arg + "` is a list of numbers");
    out.push_back(l.number);
  }
  return out;
}

Result<Located> Context::stmt(const std::string& arg) const {
  HOCKET_TRY(std::string pattern, text(arg));
  HOCKET_TRY(Stmt s, find_one(*proc(), pattern, step.place));
  return *locate(*proc(), s.id());
}
Result<Located> Context::loop(const std::string& arg) const {
  HOCKET_TRY(Located l, stmt(arg));
  if (l.stmt.kind() == StmtKind::For) return l;
  HOCKET_TRY(std::string pattern, text(arg));
  return refuse(diag::kind::wrong_statement)
      .arg("wanted", "a loop")
      .arg("pattern", pattern)
      .arg("given", "`" + spoken(l.stmt) + "`");
}
Result<Located> Context::alloc(const std::string& arg) const {
  HOCKET_TRY(std::string name, text(arg));
  const bool plain = name.find(':') == std::string::npos;
  const size_t hash = name.find('#');
  std::string pattern = name;
  if (plain)
    pattern = hash == std::string::npos ? name + ": _"
                                        : name.substr(0, hash) + ": _ " + name.substr(hash);
  auto found = find_one(*proc(), pattern, step.place);
  if (found.ok() && found->kind() == StmtKind::Alloc) return *locate(*proc(), found->id());
  if (!found.ok() && !found.error().is(diag::kind::nothing_matches))
    return std::move(found).take_failure();
  for (const Param& p : proc()->params)
    if (p.sym.name() == name)
      return refuse(diag::kind::wrong_statement)
          .arg("wanted", "a buffer that the procedure allocates")
          .arg("pattern", name)
          .arg("given", "a parameter, which its callers give");
  return no_buffer(name, allocated(*proc()));
}
Diagnostic Context::no_buffer(const std::string& name,
                              const std::vector<std::string>& known) const {
  Diagnostic d = refuse(diag::kind::unknown_buffer).arg("proc", proc()->name()).arg("name", name);
  for (const std::string& n : support::close_names(name, known))
    d.help("did you mean `" + n + "`?");
  return d;
}
Result<void> Context::buffer(const std::string& name) const {
  std::vector<std::string> known = allocated(*proc());
  for (const Param& p : proc()->params)
    if (p.kind == ParamKind::Buffer) known.push_back(p.sym.name());
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  return no_buffer(name, known);
}
Result<Expr> Context::index(const std::string& arg, const Located& where) const {
  HOCKET_TRY(std::string t, text(arg));
  HOCKET_TRY(Expr e, read_expr(t, visible(*proc(), where), step.place));
  if (!e.type().is_index()) return bad_args("`" + arg + "` is an index");
  HOCKET_CHECK(read::check_control(e, "`" + arg + "` of `" + step.op + "`", step.place));
  return e;
}

analysis::Scope Context::scope_before(const ProcRef& p, uint64_t id) const {
  auto scope = analysis::scope_at(*p, id);
  HOCKET_ASSERT(scope.has_value(), "no scope of a statement");
  return *std::move(scope);
}

void claim_no_races(Context& c, const ProcRef& after, const std::vector<Stmt>& parents,
                    std::vector<Claim>& claims) {
  for (const Stmt& p : parents) {
    const auto* f = p.as<For>();
    const bool any_order = f && f->loop == LoopKind::Unordered;
    if (!f || (!any_order && f->loop != LoopKind::Parallel && f->loop != LoopKind::Vectorized))
      continue;
    auto now = locate(*after, p.id());
    if (!now) continue;
    claims.push_back({"iterations of " + std::string(spelling(f->loop)) + " loop `" +
                          f->var.name() + "` touch elements of their own",
                      c.dependence().iterations_independent(
                          now->stmt, c.scope_before(after, p.id()),
                          any_order ? analysis::Reductions::All : analysis::Reductions::None)});
  }
}

void claim_asserts(Context& c, const ProcRef& after, const Symbol& buffer,
                   std::vector<Claim>& claims) {
  std::unordered_set<Symbol> names{buffer};
  for_each_stmt(after->body, [&](const Stmt& s) {
    const auto* w = s.as<WindowStmt>();
    if (w && names.contains(w->window.as<Window>()->buffer)) names.insert(w->sym);
    const auto* call = s.as<CallStmt>();
    if (!call || call->callee->preconditions.empty()) return true;
    bool given = false;
    for (const Expr& a : call->args) {
      const auto* shown = a.as<Window>();
      const auto* whole = a.as<VarRef>();
      given |= (shown && names.contains(shown->buffer)) || (whole && names.contains(whole->sym));
    }
    if (!given) return true;
    const analysis::Scope scope = c.scope_before(after, s.id());
    auto dense = [&](const Symbol& b) -> const std::vector<Expr>* {
      auto it = scope.buffers.find(b);
      return it == scope.buffers.end() || it->second.strided ? nullptr : &it->second.shape;
    };
    for (const Expr& e : call->callee->preconditions) {
      const Expr here = at_call(e, *call->callee, call->args, dense);
      if (!is_int_equal(analysis::simplify(here, scope.facts), 1))
        claims.push_back({"`" + to_text(e) + "`, which `" + call->callee->name() + "` asserts",
                          c.dependence().holds(here, scope)});
    }
    return true;
  });
}

}  // namespace hocket::rewrite
