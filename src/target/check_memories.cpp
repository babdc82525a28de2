#include "target/check_memories.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "diag/kinds_target.h"
#include "ir/visit.h"
#include "target/memory.h"

namespace hocket::target {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

namespace {

class MemoryCheck {
 public:
  Result<void> run(const Proc& proc) {
    // An instruction's body says what the instruction does to its registers.
    if (proc.instr || !seen_.insert(&proc).second) return {};
    for (const Param& p : proc.params)
      if (p.kind == ParamKind::Buffer)
        HOCKET_CHECK(buffer(p.sym, p.shape, p.memory, p.sym.place()));
    Result<void> result;
    for_each_stmt(proc.body, [&](const Stmt& s) {
      if (result.ok()) result = stmt(s);
      return result.ok();
    });
    return result;
  }

  Result<void> calls_with(const Proc& proc, const Symbol& buffer) {
    Result<void> result;
    for_each_stmt(proc.body, [&](const Stmt& s) {
      if (const auto* a = s.as<Alloc>(); a && a->buffer == buffer)
        memory_of_[buffer] = find_memory(a->memory);
      if (const auto* w = s.as<WindowStmt>()) window(*w);
      if (const auto* c = s.as<CallStmt>(); c && result.ok()) result = call(*c, s.place());
      return result.ok();
    });
    return result;
  }

 private:
  Result<void> buffer(const Symbol& sym, const std::vector<Expr>& shape, const std::string& name,
                      const support::Place& place) {
    HOCKET_TRY(const Memory* m, memory(name, place));
    int64_t innermost = 0;
    if (!shape.empty()) is_int(shape.back(), &innermost);
    HOCKET_CHECK(check_memory(*m, sym.name(), sym.type(), innermost, place));
    memory_of_[sym] = m;
    return {};
  }

  void window(const WindowStmt& w) {
    auto m = memory_of_.find(w.window.as<Window>()->buffer);
    if (m != memory_of_.end()) memory_of_[w.sym] = m->second;
  }

  Result<void> direct(const Symbol& sym, const support::Place& place, const char* verb) const {
    auto m = memory_of_.find(sym);
    if (m == memory_of_.end() || m->second->direct) return {};
    return Diagnostic(diag::kind::memory_needs_instruction, place)
        .arg("buffer", sym.name())
        .arg("memory", std::string(m->second->name))
        .arg("verb", verb);
  }

  Result<void> stmt(const Stmt& s) {
    if (const auto* a = s.as<Alloc>())
      HOCKET_CHECK(buffer(a->buffer, a->shape, a->memory, s.place()));
    if (const auto* w = s.as<WindowStmt>()) window(*w);
    if (const auto* st = s.as<Store>()) HOCKET_CHECK(direct(st->buffer, s.place(), "written"));
    for (const Expr& root : roots(s)) HOCKET_CHECK(loads(root, s.place()));
    if (const auto* c = s.as<CallStmt>()) {
      HOCKET_CHECK(call(*c, s.place()));
      return run(*c->callee);
    }
    return {};
  }

  // The expressions of the statement itself, without those of the statements inside.
  static std::vector<Expr> roots(const Stmt& s) {
    if (const auto* f = s.as<For>()) return {f->lo, f->hi};
    if (const auto* i = s.as<If>()) return {i->cond};
    std::vector<Expr> out;
    for_each_root({s}, [&](const Expr& e) { out.push_back(e); }, false);
    return out;
  }

  Result<void> loads(const Expr& root, const support::Place& place) const {
    Result<void> result;
    for_each(root, [&](const Expr& e) {
      const auto* l = e.as<Load>();
      if (l && result.ok()) result = direct(l->buffer, place, "read");
    });
    return result;
  }

  Result<void> call(const CallStmt& c, const support::Place& place) {
    for (size_t i = 0; i < c.callee->params.size(); ++i) {
      const Param& p = c.callee->params[i];
      if (p.kind != ParamKind::Buffer) continue;
      const auto* w = c.args[i].as<Window>();
      const auto* v = c.args[i].as<VarRef>();
      const Symbol given = w ? w->buffer : v->sym;
      auto m = memory_of_.find(given);
      if (m == memory_of_.end() || memory_fits(p.memory, m->second->name)) continue;
      return Diagnostic(diag::kind::argument_in_other_memory, place)
          .arg("buffer", given.name())
          .arg("given", std::string(m->second->name))
          .arg("param", p.sym.name())
          .arg("callee", c.callee->name())
          .arg("wanted", p.memory);
    }
    return {};
  }

  std::unordered_map<Symbol, const Memory*> memory_of_;
  std::unordered_set<const Proc*> seen_;
};

}  // namespace

bool memory_fits(std::string_view wanted, std::string_view given) {
  if (wanted == given) return true;
  const Memory *w = find_memory(wanted), *g = find_memory(given);
  return w && g && w->direct && g->direct;
}

Result<void> check_calls(const Proc& proc, const Symbol& buffer) {
  return MemoryCheck().calls_with(proc, buffer);
}

Result<void> check_memories(const Proc& proc) {
  return MemoryCheck().run(proc);
}

}  // namespace hocket::target
