#include "tools/door.h"

#include "driver/loop_check.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;

void add_strict_option(CLI::App& verb, bool& strict) {
  verb.add_flag("--strict", strict, "refuse a loop program with a claim that is not proved");
}

Result<std::optional<driver::Source>> judged(const driver::Source& source,
                                             const driver::Options& options, bool strict,
                                             const Console& console, std::string* code) {
  if (!source.proc || source.proc->form == ir::Form::Flat) return std::optional(source);
  ir::ProcRef proc = source.proc;
  if (source.trace) {
    HOCKET_TRY(const driver::Artifact rewritten,
               driver::compile(source, driver::Product::Loops, options));
    proc = rewritten.loops;
  }
  const driver::LoopJudgement judgement = driver::judge_loop_program(*proc);
  for (const Diagnostic& d : judgement.refuted) console.report(d);
  for (const Diagnostic& d : judgement.unknown) console.report(strict ? d : driver::assumed(d));
  if (!judgement.refuted.empty() || (strict && !judgement.unknown.empty())) {
    if (code != nullptr)
      *code = (judgement.refuted.empty() ? judgement.unknown : judgement.refuted)[0].kind->code;
    return std::optional<driver::Source>();
  }
  return std::optional(driver::Source(proc));
}

}  // namespace hocket::tools
