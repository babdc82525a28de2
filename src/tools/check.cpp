// hocket check FILE: the judge of every program of a file, each to its end.
//
// A pipeline under each of its schedules: the rules, the invariants after every pass, then runs of
// loop form and flat form on small sizes, forwards and in random order, every stored value compared
// with the algorithm. A loop program, as written and after each of its traces: its claims, proved,
// refuted with a witness, or unknown with the missing fact, runs on small sizes, and whether it can
// be lowered. Diagnostics go to stderr, one summary a program and schedule to stdout; the status is
// 1 where anything is refused, refuted or unknown, as what only runs can show is without a run.
#include "diag/kinds_check.h"
#include "diag/kinds_parse.h"
#include "diag/kinds_target.h"
#include "driver/agreement.h"
#include "driver/loop_check.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "target/check_memories.h"
#include "tools/program.h"
#include "tools/verbs.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;

namespace {

struct CheckOptions {
  ProgramOptions program;
  int64_t largest = 21;
};

class Check {
 public:
  Check(const Program& program, const CheckOptions& options, const Console& console)
      : program_(program), options_(options), console_(console) {}

  // Whether all is well.
  bool go() {
    if (program_.is_pipeline())
      pipelines();
    else
      loops();
    return well_;
  }

 private:
  void settle(const Result<void>& result) {
    if (result) return;
    console_.report(result.error());
    well_ = false;
  }

  void pipelines() {
    if (!program_.schedule.empty()) return settle(pipeline(program_.source.schedule));
    settle(pipeline({}));
    for (const text::Item& item : program_.file.items)
      if (const auto* s = std::get_if<ir::Schedule>(&item.value);
          s != nullptr && s->pipeline == program_.name)
        settle(pipeline(*s));
  }

  Result<void> pipeline(const ir::Schedule& schedule) {
    driver::Options options = program_.options;
    options.passes.verify = true;
    const ir::Algorithm& algorithm = *program_.source.algorithm;
    HOCKET_CHECK(ir::verify(algorithm));
    HOCKET_TRY(const driver::Artifact made,
               driver::compile(driver::Source(program_.source.algorithm, schedule),
                               driver::Product::Flat, options));
    for (const Diagnostic& w : made.warnings) console_.report(w);
    const std::string name = schedule.name.empty() ? "(default)" : schedule.name;
    driver::Agreement runs;
    for (const ir::ProcRef& proc : {made.loops, made.flat})
      HOCKET_CHECK(
          driver::check_agreement(*proc, algorithm, schedule.name, options_.largest, runs));
    console_.out << program_.name << ", schedule " << name << ": invariants hold, ";
    if (runs.count == 0) {
      console_.out << "not checked by runs: " << runs.skipped << "\n";
      return Diagnostic(diag::kind::not_checked_by_runs, schedule.place)
          .arg("program", program_.name)
          .arg("schedule", name)
          .arg("reason", runs.skipped);
    }
    console_.out << runs.count << " runs agree with the algorithm\n";
    if (!runs.skipped.empty()) console_.out << "  not run: " << runs.skipped << "\n";
    return {};
  }

  void loops() {
    std::vector<const ir::Trace*> traces;
    for (const text::Item& item : program_.file.items)
      if (const auto* t = std::get_if<ir::Trace>(&item.value); t && t->proc == program_.name)
        traces.push_back(t);
    const bool helps = is_called();
    if (!program_.source.trace) settle(proc(program_.source.proc, "", !helps && traces.empty()));
    const ir::ProcRef original = program_.file.proc(program_.name);
    for (const ir::Trace* t : traces)
      if (program_.schedule.empty() || t->name == program_.schedule)
        settle(trace(original, *t, !helps));
  }

  // Every step is proved again, or the check of the trace ends with its refusal.
  Result<void> trace(const ir::ProcRef& original, const ir::Trace& trace, bool alone) {
    HOCKET_TRY(const rewrite::State state, replay_trace(program_.file, original, trace));
    int trusted = 0;
    for (const ir::TraceStep& s : state.trace().steps) trusted += s.verdict == ir::Verdict::Trusted;
    const size_t proved = state.trace().steps.size() - static_cast<size_t>(trusted);
    console_.out << program_.name << ", trace " << trace.name << ": " << proved << " steps proved, "
                 << trusted << " trusted\n";
    return proc(state.proc(), ", trace " + trace.name, alone);
  }

  // Does another proc of the file call this one? What it allocates may be its callers' affair then.
  bool is_called() const {
    bool found = false;
    for (const ir::ProcRef& p : program_.file.procs())
      ir::for_each_stmt(p->body, [&](const ir::Stmt& s) {
        const auto* c = s.as<ir::CallStmt>();
        found = found || (c && c->callee->name() == program_.name && p->name() != program_.name);
        return !found;
      });
    return found;
  }

  // `alone`: it is to be lowered as it is, not by its traces or as a part of what calls it.
  Result<void> proc(const ir::ProcRef& proc, const std::string& after, bool alone) {
    HOCKET_CHECK(ir::verify(*proc));
    if (proc->form == ir::Form::Flat) {
      console_.out << program_.name << ": invariants hold, flat form has no claims\n";
      return {};
    }
    HOCKET_CHECK(target::check_memories(*proc));
    const driver::LoopJudgement judgement = driver::judge_loop_program(*proc);
    for (const Diagnostic& d : judgement.refuted) console_.report(d);
    for (const Diagnostic& d : judgement.unknown) console_.report(d);
    well_ = well_ && judgement.holds();
    console_.out << program_.name << after << ": " << judgement.proved << " claims proved, "
                 << judgement.refuted.size() << " refuted, " << judgement.unknown.size()
                 << " unknown, " << judgement.runs << " runs\n";
    if (!judgement.not_run.empty()) console_.out << "  not run: " << judgement.not_run << "\n";
    return alone && judgement.holds() ? lowers(proc) : Result<void>();
  }

  // What is right may still be impossible: a frame of unknown size, a loop of too many copies. None
  // of this is what another machine can do, or an entry that is to be judged and not to be called.
  Result<void> lowers(const ir::ProcRef& proc) const {
    const Result<driver::Artifact> made =
        driver::compile(driver::Source(proc), driver::Product::Flat, program_.options);
    if (made || made.error().is(diag::kind::instruction_needs_feature) ||
        made.error().is(diag::kind::malformed_entry))
      return {};
    return made.error();
  }

  const Program& program_;
  const CheckOptions& options_;
  const Console& console_;
  bool well_ = true;
};

}  // namespace

Verb add_check(CLI::App& verb) {
  auto o = std::make_shared<CheckOptions>();
  add_program_options(verb, o->program);
  verb.add_option("--size", o->largest, "the largest size of the runs, at least 1");
  return [o](Console& console) -> Result<int> {
    HOCKET_CHECK(at_least("--size", o->largest, 1));
    HOCKET_TRY(const std::vector<std::string> names, programs_meant(o->program));
    bool well = true;
    for (const std::string& name : names) {
      ProgramOptions one = o->program;
      one.program = name;
      HOCKET_TRY(const Program program, load_program(one));
      well = Check(program, *o, console).go() && well;
    }
    return well ? 0 : 1;
  };
}

}  // namespace hocket::tools
