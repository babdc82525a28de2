#include "interp/session.h"

#include <algorithm>

namespace hocket::interp {

namespace {
Finding stopped(diag::Diagnostic diagnostic) {
  Finding f;
  f.kind = FindingKind::EvaluatorStopped;
  f.diagnostic = std::move(diagnostic);
  return f;
}
}  // namespace

Session::Session(const ir::Proc& proc, const RunOptions& options) {
  if (options.blocks) {
    EvaluateOptions how;  // a step of the program is a few of the algorithm
    how.step_limit = std::min(how.step_limit, 4 * options.step_limit);
    auto made = Evaluator::make(*options.blocks->algorithm, *options.blocks->bindings,
                                options.blocks->regions, how, true);
    if (!made.ok()) {
      outcome_.findings.push_back(stopped(made.error()));
      return;
    }
    evaluator = std::move(made).value();
    judge = std::make_unique<BlockJudge>(*options.blocks, *evaluator);
  }
  program = std::make_unique<ProgramCode>(options.blocks ? options.blocks->algorithm : nullptr);
  code = program->compile_proc(proc);
  machine = std::make_unique<Machine>(*program, options, judge.get());
  machine->enter(*code);
}

void Session::execute(const std::function<void()>& at_end) {
  try {
    machine->execute();
    at_end();
  } catch (const Machine::Leave& leave) {
    outcome_.code = leave.code;
    outcome_.failed_check = ir::Stmt(support::Ref<const ir::StmtNode>(leave.check->source));
  } catch (const Machine::Stop&) {
  } catch (EvaluationStop& stop) {
    machine->findings.push_back(stopped(std::move(stop.diagnostic)));
  }
}

Outcome Session::refuse(EntryError error) {
  outcome_.code = error.code;
  outcome_.entry = std::move(error);
  return take_outcome();
}

Outcome Session::take_outcome() {
  if (machine) {
    outcome_.findings = std::move(machine->findings);
    outcome_.steps = machine->steps();
  }
  return std::move(outcome_);
}

}  // namespace hocket::interp
