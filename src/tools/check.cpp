// hocket check FILE: the judge. A pipeline under each of its schedules: the rules, the invariants
// after every pass, then runs of loop form and flat form on small sizes, forwards and in random
// order, every stored value compared with the algorithm. A loop program: its obligations, proved,
// refuted with numbers, or unknown with the missing fact.
#include "analysis/bounds_check.h"
#include "diag/render.h"
#include "driver/agreement.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "rewrite/kernel/replay.h"
#include "target/check_memories.h"
#include "tools/program.h"
#include "tools/verbs.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;

namespace {

Result<void> check_pipeline(const Program& program, const ir::Schedule& schedule, int64_t largest,
                            Console& console) {
  driver::Options options = program.options;
  options.passes.verify = true;
  HOCKET_CHECK(ir::verify(*program.source.algorithm));
  HOCKET_TRY(driver::Artifact made,
             driver::compile(driver::Source(program.source.algorithm, schedule),
                             driver::Product::Flat, options));
  for (const Diagnostic& w : made.warnings) console.err << diag::render_text(w);
  const ir::Algorithm& algorithm = *program.source.algorithm;
  driver::Agreement runs;
  HOCKET_CHECK(driver::check_agreement(*made.loops, algorithm, schedule.name, largest, runs));
  HOCKET_CHECK(driver::check_agreement(*made.flat, algorithm, schedule.name, largest, runs));
  console.out << program.name << ", schedule "
              << (schedule.name.empty() ? "(default)" : schedule.name) << ": invariants hold, "
              << runs.count << " runs agree with the algorithm\n";
  if (!runs.skipped.empty()) console.out << "  not run: " << runs.skipped << "\n";
  return {};
}

Result<int> check_proc(const Program& program, Console& console) {
  const ir::Proc& proc = *program.source.proc;
  HOCKET_CHECK(ir::verify(proc));
  HOCKET_CHECK(target::check_memories(proc));
  analysis::BoundsOptions options;
  options.keep_proved = true;
  int proved = 0, failed = 0;
  for (const analysis::Obligation& o : analysis::check_bounds(proc, options)) {
    if (o.proved()) {
      ++proved;
      continue;
    }
    ++failed;
    // Refuted is what a run has shown.
    std::vector<std::string> witness;
    if (o.answer.refuted()) {
      rewrite::Sizes sizes(o.answer.proof.model.begin(), o.answer.proof.model.end());
      if (o.answer.clash)
        sizes.insert(sizes.end(), o.answer.clash->sizes.begin(), o.answer.clash->sizes.end());
      witness = rewrite::replay_fault(proc, sizes);
    }
    const bool refuted = !witness.empty();
    console.out << (refuted ? "refuted" : "unknown");
    if (o.condition.defined()) console.out << ": " << ir::to_text(o.condition);
    if (o.stmt.defined() && o.stmt.place().known())
      console.out << "   (" << o.stmt.place().spoken() << ")";
    console.out << "\n";
    for (const std::string& line : witness) console.out << "  witness: " << line << "\n";
    if (!refuted && o.answer.refuted())
      console.out << "  missing: no run at small sizes shows it\n";
    else if (!refuted && !o.answer.missing.empty())
      console.out << "  missing: " << o.answer.missing << "\n";
  }
  console.out << program.name << ": " << proved << " obligations proved, " << failed << " not\n";
  return failed == 0 ? 0 : 1;
}

// Every trace of the program, replayed: each step is proved again or the check ends with its
// refusal.
Result<void> check_traces(const Program& program, Console& console) {
  const ir::ProcRef original = program.file.proc(program.name);
  for (const text::Item& item : program.file.items) {
    const auto* trace = std::get_if<ir::Trace>(&item.value);
    if (!trace || trace->proc != program.name) continue;
    HOCKET_TRY(rewrite::State state, replay_trace(program.file, original, *trace));
    HOCKET_CHECK(target::check_memories(*state.proc()));
    int trusted = 0;
    for (const ir::TraceStep& s : state.trace().steps) trusted += s.verdict == ir::Verdict::Trusted;
    console.out << program.name << ", trace " << trace->name << ": "
                << state.trace().steps.size() - static_cast<size_t>(trusted) << " steps proved, "
                << trusted << " trusted\n";
  }
  return {};
}

}  // namespace

Verb add_check(CLI::App& verb) {
  struct Options {
    ProgramOptions program;
    int64_t largest = 21;
  };
  auto o = std::make_shared<Options>();
  add_program_options(verb, o->program);
  verb.add_option("--size", o->largest, "the largest size of the runs");
  return [o](Console& console) -> Result<int> {
    HOCKET_TRY(Program program, load_program(o->program));
    if (!program.is_pipeline()) {
      HOCKET_CHECK(check_traces(program, console));
      return check_proc(program, console);
    }
    if (!program.schedule.empty()) {
      HOCKET_CHECK(check_pipeline(program, program.source.schedule, o->largest, console));
      return 0;
    }
    HOCKET_CHECK(check_pipeline(program, {}, o->largest, console));
    for (const text::Item& item : program.file.items)
      if (auto* s = std::get_if<ir::Schedule>(&item.value); s && s->pipeline == program.name)
        HOCKET_CHECK(check_pipeline(program, *s, o->largest, console));
    return 0;
  };
}

}  // namespace hocket::tools
