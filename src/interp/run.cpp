#include "interp/run.h"

#include <map>

#include "abi/hocket_abi.h"
#include "interp/session.h"
#include "ir/print.h"

namespace hocket::interp {

std::string Outcome::text() const {
  std::string t;
  if (code != 0) {
    t += "code " + std::to_string(code);
    if (entry) {
      t += " at `" + entry->argument + "`";
      if (entry->dimension >= 0) t += " dimension " + std::to_string(entry->dimension);
      if (!entry->text.empty()) t += ": " + entry->text;
    }
    if (failed_check.defined()) t += ": " + failed_check.as<ir::Check>()->message;
    t += "\n";
  }
  for (const Finding& f : findings) t += f.text() + "\n";
  return t;
}

namespace {

EntryError refusal(int code, const ir::Param& p) {
  EntryError e;
  e.code = code;
  e.argument = p.sym.name();
  return e;
}

// Binds the arguments of a loop program and checks what its text asks of them, in its order.
std::optional<EntryError> bind(Machine& machine, const ProcCode& code, const Arguments& arguments,
                               std::map<Tensor*, Memory*>& memories) {
  const bool flat = code.proc->form == ir::Form::Flat;
  for (size_t i = 0; i < code.params.size(); ++i) {
    const ParamCode& p = code.params[i];
    const Argument& a = arguments[i];
    const bool buffer = p.param->kind == ir::ParamKind::Buffer;
    const ir::Type type = buffer ? p.param->type().element() : p.param->type();
    if (buffer != (a.tensor != nullptr)) return refusal(HOCKET_ERROR_BUFFER_NULL, *p.param);
    if (!buffer) {
      if (a.scalar.type != type) return refusal(HOCKET_ERROR_WRONG_TYPE, *p.param);
      machine.bind_scalar(p, a.scalar);
      continue;
    }
    Tensor& t = *a.tensor;
    if (t.type() != type) return refusal(HOCKET_ERROR_WRONG_TYPE, *p.param);
    const bool one_run = flat && p.shape.size() == 1 && t.rank() != 1;
    if (!one_run && t.rank() != static_cast<int>(p.shape.size()))
      return refusal(HOCKET_ERROR_WRONG_RANK, *p.param);
    Memory*& m = memories[&t];
    if (m == nullptr) m = machine.import(t, p.param->sym, p.reason);
    if (one_run) {
      machine.bind_tensor(p, m, {t.cells()}, {1});
    } else {
      machine.bind_tensor(p, m, t.extents(), t.strides());
    }
  }
  for (const ParamCode& p : code.params) {
    if (p.param->kind == ir::ParamKind::Size && machine.slots[p.slot].i < 1) {
      EntryError e = refusal(HOCKET_ERROR_SIZE_TOO_SMALL, *p.param);
      e.needed_min = 1;
      e.given_min = e.given_max = machine.slots[p.slot].i;
      return e;
    }
  }
  for (const ParamCode& p : code.params) {
    if (p.param->kind != ir::ParamKind::Buffer) continue;
    const View& v = machine.view_of(p);
    for (size_t d = 0; d < p.shape.size(); ++d) {
      const Val n = machine.value(p.shape[d]);
      if (n.poison || n.i == v.extent[d]) continue;
      EntryError e = refusal(HOCKET_ERROR_BUFFER_TOO_SMALL, *p.param);
      e.dimension = static_cast<int>(d);
      e.needed_max = n.i - 1;
      e.given_max = v.extent[d] - 1;
      return e;
    }
  }
  for (size_t i = 0; i < code.preconditions.size(); ++i) {
    const Val holds = machine.value(code.preconditions[i]);
    if (!holds.poison && holds.i) continue;
    EntryError e;
    e.code = HOCKET_ERROR_USER_CHECK_FAILED;
    e.argument = code.proc->name();
    e.text = ir::to_text(code.proc->preconditions[i]);
    return e;
  }
  return std::nullopt;
}

// Poison that the run left in an argument, and points whose updates are not complete.
void check_end(Machine& machine, const ProcCode& code, const RunOptions& options,
               BlockJudge* judge) {
  for (const ParamCode& p : code.params) {
    if (p.param->kind != ir::ParamKind::Buffer) continue;
    const Memory& m = *machine.view_of(p).memory;
    for (int64_t cell = 0; cell < m.size; ++cell) {
      const uint32_t poison = m.poison[static_cast<size_t>(cell)];
      if (poison == kHole) continue;
      Finding f;
      f.buffer = f.root = p.param->sym;
      if (poison != 0 && poison != p.reason && options.check_outputs) {
        f.kind = FindingKind::PoisonOutput;
        f.element = m.element(cell);
        f.reason = machine.reason(poison);
        machine.report(std::move(f), nullptr);
      } else if (judge && poison == 0 && !judge->complete(m.tags[static_cast<size_t>(cell)], &f)) {
        f.element = m.element(cell);
        machine.report(std::move(f), nullptr);
      }
    }
  }
}

}  // namespace

Outcome run(const ir::Proc& proc, const Arguments& arguments, const RunOptions& options) {
  HOCKET_ASSERT(arguments.size() == proc.params.size(), "one argument per parameter");
  Session session(proc, options);
  if (!session.ready()) return session.take_outcome();
  std::map<Tensor*, Memory*> memories;
  if (auto refused = bind(*session.machine, *session.code, arguments, memories)) {
    return session.refuse(std::move(*refused));
  }
  session.execute(
      [&] { check_end(*session.machine, *session.code, options, session.judge.get()); });
  for (const auto& [tensor, memory] : memories) session.machine->write_back(*memory, *tensor);
  return session.take_outcome();
}

}  // namespace hocket::interp
