#include "ir/print.h"

#include <unordered_set>

#include "ir/printer.h"
#include "ir/visit.h"

namespace hocket::ir {

namespace {

// Callees before callers, each once.
void collect(const Proc& p, std::unordered_set<const Proc*>& seen, std::vector<const Proc*>& out) {
  if (!seen.insert(&p).second) return;
  for_each_stmt(p.body, [&](const Stmt& s) {
    if (const auto* c = s.as<CallStmt>()) collect(*c->callee, seen, out);
    return true;
  });
  out.push_back(&p);
}

std::string together(const std::vector<const Proc*>& wanted) {
  std::unordered_set<const Proc*> seen;
  std::vector<const Proc*> procs;
  Printer printer;
  for (const Proc* p : wanted) {
    collect(*p, seen, procs);
    printer.reserve_proc_name(*p);
  }
  std::string out;
  for (const Proc* q : procs) {
    printer.proc(*q);
    if (!out.empty()) out += "\n";
    out += printer.take();
  }
  return out;
}

}  // namespace

std::string to_text(const Expr& e) {
  Printer p;
  p.expr(e);
  return p.take();
}

std::string to_text(const Body& body, int indent) {
  Printer p;
  p.body(body, indent);
  return p.take();
}

std::string to_text(const Proc& p) {
  return together({&p});
}

std::string to_text(const std::vector<ProcRef>& procs) {
  std::vector<const Proc*> wanted;
  for (const ProcRef& p : procs) wanted.push_back(p.get());
  return together(wanted);
}

std::string to_text_alone(const Proc& p) {
  Printer printer;
  printer.reserve_proc_name(p);
  printer.proc(p);
  return printer.take();
}

std::string to_text(const Algorithm& a) {
  Printer p;
  p.algorithm(a);
  return p.take();
}

}  // namespace hocket::ir
