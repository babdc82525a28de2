// Accesses of iterations that may run at the same time, or in any order: what of them clashes.
//
// In: each read and write of a cell inside a racy loop. Out: findings of kind Race. The log of a
// cell (memory.h) and the tree of strands (strands.h) say who runs beside whom. Called by:
// machine.h, for every access below a racy loop.
#include "interp/machine.h"

namespace hocket::interp {

void Machine::log_read_slow(Memory& m, int64_t cell, bool own) {
  if (m.log.size() < static_cast<size_t>(m.size)) m.log.resize(static_cast<size_t>(m.size));
  CellLog& l = m.log[static_cast<size_t>(cell)];
  const uint32_t me = strands_.current();
  Clash clash;
  if (l.write_strand != me && !old_strand(m, l.write_strand) &&
      strands_.beside(l.write_strand, &clash)) {
    if (!own || !reduce_alike(clash, l.write_stmt))
      race(m, cell, clash, l.write_stmt, nullptr, true);
  }
  if (l.read_strand == me) {
    l.own_read = l.own_read && own;
    return;
  }
  if (!old_strand(m, l.read_strand) && strands_.beside(l.read_strand, &clash)) return;
  l.read_strand = me;
  l.read_stmt = current_->number;
  l.own_read = own;
}

// A tail that shifts inwards computes some points of a pure definition in two iterations of a
// parallel loop: the same value is written twice, which no order of the two can change. Flat form
// of a pipeline has lost some of its headers; there the equal value speaks alone.
bool Machine::computes_again(const Memory& m, int64_t cell, const Val& value,
                             uint32_t other) const {
  const size_t i = static_cast<size_t>(cell);
  if (value.poison || m.poison[i] || m.value[i] != value.i) return false;
  const bool lowered = proc_->proc->form == ir::Form::Flat && proc_->proc->entry;
  const auto point = [](const ir::StmtNode* s) -> const ir::Store* {
    if (s->kind != ir::StmtKind::Store) return nullptr;
    const ir::Store* store = static_cast<const ir::Store*>(s);
    return store->op == ir::StoreOp::Assign && (!store->block || store->block->stage == 0)
               ? store
               : nullptr;
  };
  const ir::Store* now = point(current_->source);
  const ir::Store* before = point(program_.by_number[other]->source);
  if (!now || !before) return false;
  if (!now->block || !before->block) return lowered;
  return now->block->func == before->block->func;
}

void Machine::log_write_slow(Memory& m, int64_t cell, const Val& value) {
  if (m.log.size() < static_cast<size_t>(m.size)) m.log.resize(static_cast<size_t>(m.size));
  CellLog& l = m.log[static_cast<size_t>(cell)];
  const uint32_t me = strands_.current();
  Clash clash;
  const auto beside = [&](uint32_t s) {
    return s != me && !old_strand(m, s) && strands_.beside(s, &clash);
  };
  if (beside(l.write_strand) && !reduce_alike(clash, l.write_stmt)) {
    if (!computes_again(m, cell, value, l.write_stmt))
      race(m, cell, clash, l.write_stmt, &value, true);
  } else if (beside(l.read_strand) && !(l.own_read && reduce_alike(clash, l.read_stmt))) {
    race(m, cell, clash, l.read_stmt, &value, false);
  }
  l.write_strand = me;
  l.write_stmt = current_->number;
}

// Stores of two iterations of a `par` loop that reduce into one element by the same operator: any
// order gives what the loop means.
bool Machine::reduce_alike(const Clash& clash, uint32_t other) const {
  if (program_.by_number[clash.loop]->loop != ir::LoopKind::Unordered) return false;
  const auto op = [](const ir::StmtNode* s) {
    return s->kind == ir::StmtKind::Store ? static_cast<const ir::Store*>(s)->op
                                          : ir::StoreOp::Assign;
  };
  const ir::StoreOp now = op(current_->source);
  return now != ir::StoreOp::Assign && now == op(program_.by_number[other]->source);
}

void Machine::race(const Memory& m, int64_t cell, const Clash& clash, uint32_t other,
                   const Val* written, bool other_writes) {
  const Code& loop = *program_.by_number[clash.loop];
  Finding f = at_memory(FindingKind::Race, m, cell);
  f.loop = static_cast<const ir::For*>(loop.source)->var;
  f.iteration = clash.iteration;
  f.other_iteration = clash.other_iteration;
  f.other = ir::Stmt(support::Ref<const ir::StmtNode>(program_.by_number[other]->source));
  f.writes = written != nullptr;
  f.other_writes = other_writes;
  const size_t at = static_cast<size_t>(cell);
  f.expected = to_scalar(m.type, {m.value[at], m.poison[at]});
  if (written) f.actual = to_scalar(m.type, *written);
  report(std::move(f), current_);
}

}  // namespace hocket::interp
