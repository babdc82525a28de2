// The machine: executes compiled procs over shadowed memory, with every guard on.
//
// In: ProcCode and bound parameters. Out: findings, through exceptions Leave (a failed Check) and
// Stop (enough findings). machine.cpp has the statements, machine_access.cpp the loads, stores and
// windows. Called by run.cpp and pipeline.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interp/blocks.h"
#include "interp/eval.h"
#include "interp/memory.h"
#include "interp/program.h"
#include "interp/run.h"
#include "interp/strands.h"

namespace hocket::interp {

class Machine {
 public:
  Machine(ProgramCode& program, const RunOptions& options, BlockJudge* judge);

  struct Leave {
    int code;
    const Code* check;
  };
  struct Stop {};

  // Makes room for the frame of the proc that is run; then bind its parameters.
  void enter(const ProcCode& proc);
  void bind_scalar(const ParamCode& p, const ir::Scalar& value);
  // `extents` and `strides` outermost first, of the view; the memory holds the tensor's cells.
  void bind_tensor(const ParamCode& p, Memory* memory, const std::vector<int64_t>& extents,
                   const std::vector<int64_t>& strides);
  Memory* import(const Tensor& tensor, const ir::Symbol& buffer, uint32_t reason);
  void write_back(const Memory& memory, Tensor& tensor) const;
  Val value(const XNode* root);  // an expression over the bound parameters
  const View& view_of(const ParamCode& p) const { return views_[p.view]; }

  void execute();  // the body; throws Leave and Stop

  // Adds a finding; throws Stop when there are enough. `c` may be null.
  void report(Finding f, const Code* c);
  std::vector<Finding> findings;
  int64_t steps() const { return options_.step_limit - steps_left_; }
  const Reason& reason(uint32_t r) const { return program_.reasons[r]; }

  // Env of eval():
  Val* slots = nullptr;
  int lane = 0;
  uint64_t epoch = 0;
  CacheCell* cache = nullptr;
  bool eager = false;
  uint64_t new_epoch() { return ++last_epoch_; }
  Val leaf(const XNode* n);

 private:
  void list(const CodeList& l);
  void statement(const Code& c);
  void loop(const Code& c);
  void iteration(const Code& c, int64_t i);
  void let(const Code& c);
  void store(const Code& c);
  void store_lanes(const Code& c);
  void execute_unused(const Code& c);
  void allocate(const Code& c);
  void release(const Code& alloc);
  void free_early(const Code& c);
  void call(const Code& c);
  void check_argument(const Code& c, const ProcCode& callee, size_t i);
  void check_aliasing(const Code& c, const ProcCode& callee);
  void window(const Code& c, const WindowCode& w, View& to);
  Val combined(const Code& c, Memory& m, int64_t cell, Val value, Val factor);
  void find_lane_conflict(const Code& c, const Memory& m);
  void start_tracking(const Code& c, const Memory& m, int64_t cell);
  Tag tag_of(const Code& c, Val result);

  Val run_root(const XNode* n) {
    epoch = ++last_epoch_;
    return eval(*this, n);
  }
  void tick() {
    if (--steps_left_ < 0) [[unlikely]]
      out_of_steps();
  }
  [[noreturn]] void out_of_steps();
  Val needed(const Code& c, const XNode* root, FindingKind kind);
  // The cell of a store's element; -1 after a finding.
  int64_t target(const Code& c, const View& v);
  Val load(const Access& a, const XNode& n);
  Val load_at_poison(const Access& a, Val index);
  bool cell_in_view(const View& v, int64_t cell) const;
  bool range_of(const XNode* n, __int128* lo, __int128* hi);
  // `own`: by a store that reduces into this cell.
  void log_read(Memory& m, int64_t cell, bool own) {
    if (strands_.depth() > 0 && m.born != strands_.current()) log_read_slow(m, cell, own);
  }
  void log_write(Memory& m, int64_t cell, const Val& value) {
    if (strands_.depth() > 0 && m.born != strands_.current()) log_write_slow(m, cell, value);
  }
  void log_read_slow(Memory& m, int64_t cell, bool own);
  void log_write_slow(Memory& m, int64_t cell, const Val& value);
  bool computes_again(const Memory& m, int64_t cell, const Val& value, uint32_t other) const;
  bool old_strand(const Memory& m, uint32_t s) const {
    return s < m.first_strand || s < strands_.era();
  }
  bool reduce_alike(const Clash& clash, uint32_t other_stmt) const;
  void race(const Memory& m, int64_t cell, const Clash& clash, uint32_t other_stmt,
            const Val* written, bool other_writes);
  void check_alignment(uint32_t view, const Memory& m, int64_t cell, int64_t align);
  void out_of_bounds(uint32_t view, const std::vector<const XNode*>& index, const Code* c);

  Finding at_memory(FindingKind kind, const Memory& m, int64_t cell) const;
  ir::Symbol name_of(uint32_t view) const { return proc_->buffer_of_view[view]; }

  ProgramCode& program_;
  const RunOptions options_;
  BlockJudge* judge_;
  bool tracking_;  // tags are kept
  const ProcCode* proc_ = nullptr;
  const Code* current_ = nullptr;
  int64_t steps_left_ = 0;
  int64_t memory_left_ = 0;
  uint64_t last_epoch_ = 0;
  Random random_;

  std::vector<Val> slot_stack_;
  std::vector<Tag> slot_tags_;  // of Lets that are copies
  std::vector<View> view_stack_;
  std::vector<int64_t> dim_stack_;
  std::vector<CacheCell> cache_cells_;
  View* views_ = nullptr;
  Tag* tags_ = nullptr;
  int64_t* dims_ = nullptr;
  MemoryPool pool_;
  Strands strands_;
  struct Around {
    const Code* loop;
    int64_t value;
  };
  std::vector<Around> around_;  // loops we are in, callers' first

  Tag last_loaded_;
  bool collecting_ = false;
  std::vector<Tag> loaded_;  // [0] is the written cell's
  struct Lane {
    int64_t cell;
    Val value;
    Tag tag;
    int lane;
  };
  std::vector<Lane> lane_buffer_;
  std::vector<int64_t> point_buffer_, reduction_buffer_;
};

}  // namespace hocket::interp
