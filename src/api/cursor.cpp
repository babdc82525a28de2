#include "api/cursor.h"

#include "api/error.h"
#include "ir/print.h"
#include "rewrite/pattern.h"

namespace hocket {

using support::Place;

namespace {

// How a pattern without a number finds statements of this kind and name.
std::string plain_pattern(const ir::Stmt& s) {
  if (const auto* f = s.as<ir::For>()) return f->var.name();
  if (const auto* l = s.as<ir::Let>()) return l->sym.name() + " = _";
  return rewrite::spoken(s);
}

}  // namespace

ir::Stmt Cursor::stmt() const {
  return rewrite::locate(*proc_, id_)->stmt;
}

std::string Cursor::text() const {
  return ir::to_text(ir::Body{stmt()});
}

std::string Cursor::name() const {
  const ir::Stmt s = stmt();
  if (const auto* f = s.as<ir::For>()) return f->var.name();
  if (const auto* st = s.as<ir::Store>()) return st->buffer.name();
  if (const auto* c = s.as<ir::CallStmt>()) return c->callee->name();
  const ir::Symbol bound = rewrite::binder(s);
  return bound.defined() ? bound.name() : "";
}

std::string Cursor::pattern() const {
  return api::pattern_in(proc_, *this, {});
}

std::string api::pattern_in(const ir::ProcRef& proc, const Cursor& cursor, const Place& place) {
  const std::optional<rewrite::Located> at = rewrite::locate(*proc, cursor.id());
  if (!at)
    refuse("`" + plain_pattern(cursor.stmt()) + "`, which the cursor points at, is not in `" +
               proc->name() + "`",
           place);
  const std::string plain = plain_pattern(at->stmt);
  const auto found = rewrite::find_all(*proc, plain, place);
  if (!found.ok())
    refuse("no pattern finds `" + plain + "`: its name is no plain word, or no pattern is for it",
           place);
  for (size_t n = 0; n < found->size(); ++n)
    if (found.value()[n].id() == cursor.id())
      return n == 0 ? plain : plain + " #" + std::to_string(n);
  refuse("no pattern finds `" + plain + "`", place);
}

Cursor Cursor::parent(Where where) const {
  const rewrite::Located at = *rewrite::locate(*proc_, id_);
  if (at.parents.empty())
    refuse("`" + rewrite::spoken(at.stmt) + "` has no loop or branch around it", Place::of(where));
  return {proc_, at.parents.back().id()};
}

Cursor Cursor::beside(bool after, Where where) const {
  const rewrite::Located at = *rewrite::locate(*proc_, id_);
  if (after ? at.at + 1 >= at.list.size() : at.at == 0)
    refuse("`" + rewrite::spoken(at.stmt) + "` is the " + (after ? "last" : "first") +
               " statement of its block",
           Place::of(where));
  return {proc_, at.list[after ? at.at + 1 : at.at - 1].id()};
}
Cursor Cursor::next(Where where) const {
  return beside(true, where);
}
Cursor Cursor::prev(Where where) const {
  return beside(false, where);
}

std::vector<Cursor> Cursor::list(const ir::Body& body) const {
  std::vector<Cursor> out;
  for (const ir::Stmt& s : body) out.emplace_back(proc_, s.id());
  return out;
}
std::vector<Cursor> Cursor::body() const {
  const ir::Stmt s = stmt();
  if (const auto* f = s.as<ir::For>()) return list(f->body);
  if (const auto* b = s.as<ir::If>()) return list(b->then_body);
  return {};
}
std::vector<Cursor> Cursor::orelse() const {
  const ir::Stmt s = stmt();
  if (const auto* b = s.as<ir::If>()) return list(b->else_body);
  return {};
}

}  // namespace hocket
