#include "driver/compile.h"

#include "codegen/c/source.h"
#include "codegen/common/exports.h"
#include "driver/dry_run.h"
#include "lower/loops/lower.h"
#include "rewrite/apply.h"
#include "schedule/seal.h"
#include "target/check_instructions.h"
#include "target/check_memories.h"

namespace hocket::driver {

using diag::Result;
using ir::ProcRef;

namespace {

codegen::JitOptions code_options(const Options& options) {
  codegen::JitOptions code;
  code.target = options.target;
  code.optimise = options.optimise;
  code.verify = options.passes.verify;
  code.externs = options.externs;
  int count = 0;
  const hocket_runtime_symbol_t* table = hocket_runtime_table(&count);
  code.runtime.assign(table, table + count);
  return code;
}

codegen::COptions c_options(const Options& options) {
  codegen::COptions c;
  c.target = options.target.to_string();
  return c;
}

}  // namespace

Result<Artifact> compile(const Source& source, Product product, const Options& options) {
  Artifact out;
  Passes passes(options.passes);
  ProcRef proc = source.proc;

  if (source.algorithm) {
    // Algorithm + Schedule -> plan. Every name is resolved once and every rule between Funcs is
    // judged before anything is built, so that a refusal leaves nothing half done.
    const schedule::DryRun dry = options.dry_run ? dry_run() : schedule::DryRun{};
    HOCKET_TRY(schedule::Sealed sealed, passes.time("schedule", [&] {
      return schedule::plan_schedule(source.algorithm, source.schedule, dry);
    }));
    out.warnings = std::move(sealed.warnings);

    // Plan -> loop form. Here regions become known: from now on there are loops, buffers and
    // stores, each store with the point that it computes.
    HOCKET_TRY(proc, passes.run("loops", [&] {
      return lower::loops::to_loops(sealed.plan, dry, lower::loops::Folds::Checked, &out.warnings,
                                    passes.steps());
    }));
  }

  if (source.trace) {
    // Loop program -> loop program, step by step; each step is proved before it counts.
    HOCKET_TRY(const rewrite::State state, passes.time("rewrites", [&] {
      return rewrite::replay(proc, *source.trace, rewrite::Library{source.library});
    }));
    out.trace = state.trace();
    HOCKET_TRY(proc, passes.run("rewritten", [&] { return Result<ProcRef>(state.proc()); }));
  }

  const bool starts_flat = proc->form == ir::Form::Flat;
  out.name = codegen::exported_name(*proc);
  if (!starts_flat) out.loops = proc;
  if (product == Product::Loops) {
    out.times = passes.times();
    return out;
  }

  // Which memories a target has, who may touch them and which instructions it knows counts from
  // here on: a trace passes through programs that could not be lowered.
  if (!starts_flat) {
    HOCKET_CHECK(lower::check_entry(*proc));
    HOCKET_CHECK(passes.time("memories", [&] { return target::check_memories(*proc); }));
    HOCKET_CHECK(passes.time("instructions",
                             [&] { return target::check_instructions(*proc, options.target); }));
  }

  // Loop form -> C, for loop programs: the text keeps the loops as they were written. What cannot
  // become flat form is refused here as well, so that no back end takes what another one refuses.
  if (product == Product::CText && !proc->entry) {
    if (!starts_flat)
      HOCKET_CHECK(
          passes.time("flat", [&] { return lower::to_flat(proc, options.target, options.flat); }));
    HOCKET_TRY(out.text,
               passes.time("c", [&] { return codegen::c_source({proc}, c_options(options)); }));
    out.times = passes.times();
    return out;
  }

  // Loop form -> flat form, one pass after the other (lower/flat/to_flat.h says what each is for):
  // a loop program that was written or rewritten takes the same way from here as a pipeline.
  const lower::FlatContext context{options.target, options.flat};
  if (!starts_flat) {
    for (const lower::FlatPass& pass : lower::flat_passes()) {
      HOCKET_TRY(proc, passes.run(pass.name, [&] { return pass.run(proc, context); }, pass.leaves));
    }
  }
  out.flat = proc;

  // Flat form -> code. LLVM sees what flat form says and nothing of algorithms or schedules.
  const codegen::JitOptions code = code_options(options);
  if (product == Product::Code) {
    HOCKET_TRY(codegen::JitModule module,
               passes.time("code", [&] { return codegen::JitModule::compile({proc}, code); }));
    out.code = std::make_shared<const codegen::JitModule>(std::move(module));
  } else if (product == Product::CText) {
    HOCKET_TRY(out.text,
               passes.time("c", [&] { return codegen::c_source({proc}, c_options(options)); }));
  } else if (product != Product::Flat) {
    if (product == Product::Object)
      HOCKET_CHECK(codegen::check_exports({proc}, codegen::Exported::Shipped));
    codegen::CodeOptions readable = code;
    readable.keep_names = product == Product::LlvmText;
    HOCKET_TRY(codegen::LlvmModule module,
               passes.time("llvm", [&] { return codegen::LlvmModule::build({proc}, readable); }));
    if (product == Product::LlvmText) out.text = module.ir_text();
    if (product == Product::Assembly) {
      HOCKET_TRY(out.text, std::move(module).assembly());
    } else if (product == Product::Object) {
      HOCKET_TRY(out.text, std::move(module).object());
    }
  }
  out.times = passes.times();
  return out;
}

}  // namespace hocket::driver
