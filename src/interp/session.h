// What a run of a loop program and a run of a pipeline have in common: the compiled proc, the
// machine, the judge of its blocks, and how a run ends. Called by run.cpp and pipeline.cpp.
#pragma once

#include <functional>
#include <memory>

#include "interp/machine.h"

namespace hocket::interp {

class Session {
 public:
  Session(const ir::Proc& proc, const RunOptions& options);

  bool ready() const { return machine != nullptr; }
  // Runs the body, then `at_end` unless the body left early; findings go to the outcome.
  void execute(const std::function<void()>& at_end);
  Outcome refuse(EntryError error);
  Outcome take_outcome();

  std::unique_ptr<Evaluator> evaluator;  // with options.blocks
  std::unique_ptr<BlockJudge> judge;
  std::unique_ptr<ProgramCode> program;
  const ProcCode* code = nullptr;
  std::unique_ptr<Machine> machine;

 private:
  Outcome outcome_;
};

}  // namespace hocket::interp
