// hocket show FILE: a program at some place of its way down, or the order of its loops.
#include <algorithm>
#include <iomanip>

#include "diag/kinds_driver.h"
#include "ir/print.h"
#include "rewrite/apply.h"
#include "tools/order.h"
#include "tools/program.h"
#include "tools/verbs.h"

namespace hocket::tools {

using diag::Result;
using driver::Artifact;
using driver::Product;

namespace {

struct ShowOptions {
  ProgramOptions program;
  std::string form = "loops", func, after;
  bool order = false, times = false;
  int64_t size = 8;
};

Result<std::string> text_of(const Program& program, const ShowOptions& o, Artifact& out) {
  const std::vector<std::pair<std::string, Product>> forms = {
      {"algorithm", Product::Loops}, {"loops", Product::Loops},  {"flat", Product::Flat},
      {"llvm", Product::LlvmText},   {"asm", Product::Assembly}, {"c", Product::CText}};
  std::vector<std::string> words;
  for (const auto& [word, product] : forms) {
    words.push_back(word);
    if (word != o.form) continue;
    if (word == "algorithm") {
      if (!program.is_pipeline()) {
        if (!program.source.trace) return ir::to_text(*program.source.proc);
        HOCKET_TRY(out, driver::compile(program.source, Product::Loops, program.options));
        // What its steps name, but for the instructions of targets/, which every text knows.
        std::vector<ir::ProcRef> procs =
            rewrite::named_procs(*out.trace, rewrite::Library{program.file.procs()});
        procs.push_back(program.source.proc);
        return ir::to_text(procs) + "\n" + ir::to_text(*out.trace);
      }
      std::string text = ir::to_text(*program.source.algorithm);
      if (!program.schedule.empty()) text += "\n" + ir::to_text(program.source.schedule);
      return text;
    }
    HOCKET_TRY(out, driver::compile(program.source, product, program.options));
    // A program that is written in flat form has no other loops.
    if (product == Product::Loops)
      return ir::to_text(out.loops ? *out.loops : *program.source.proc);
    if (product == Product::Flat) return ir::to_text(*out.flat);
    return out.text;
  }
  return unknown_word("form", o.form, words);
}

}  // namespace

Verb add_show(CLI::App& verb) {
  auto o = std::make_shared<ShowOptions>();
  add_program_options(verb, o->program);
  verb.add_option("-f,--form", o->form, "algorithm, loops, flat, llvm, asm or c");
  verb.add_flag("--order", o->order, "draw the order in which the loops visit an 8 x 8 output");
  const CLI::Option* func =
      verb.add_option("--func", o->func,
                      "with --order: another Func, stage (`f.update(0)`) or argument than the last "
                      "output");
  const CLI::Option* size = verb.add_option("--size", o->size, "with --order: another size than 8");
  verb.add_flag("--times", o->times, "print the time of every step");
  verb.add_option("--after", o->after, "print what this step leaves as well");
  return [o, func, size](Console& console) -> Result<int> {
    for (const CLI::Option* option : {func, size})
      if (!o->order && option->count() > 0)
        return diag::Diagnostic(diag::kind::bad_option)
            .arg("option", option->get_name())
            .arg("takes", std::string("what --order draws"))
            .arg("given", std::string("without --order"))
            .help("--order " + option->get_name() + " " + option->results().front());
    HOCKET_TRY(Program program, load_program(o->program));
    std::vector<std::string> passes;
    std::string after;
    program.options.passes.dump = [&](const std::string& pass, const ir::ProcRef& proc) {
      passes.push_back(pass);
      if (pass == o->after) after += "# after " + pass + "\n" + ir::to_text(*proc) + "\n";
    };
    program.options.passes.dump_step = [&](const std::string& step, const std::string& left) {
      if (step == o->after) after += (after.empty() ? "# after " + step + "\n" : "") + left;
      if (std::find(passes.begin(), passes.end(), step) == passes.end()) passes.push_back(step);
    };
    Artifact artifact;
    std::string text;
    if (o->order) {
      if (!program.is_pipeline() && program.source.proc->form == ir::Form::Flat)
        return diag::Diagnostic(diag::kind::no_order)
            .arg("name", program.name)
            .arg("why", std::string("it is in flat form"));
      HOCKET_TRY(artifact, driver::compile(program.source, Product::Loops, program.options));
      if (program.is_pipeline()) {
        HOCKET_TRY(text, draw_order(*artifact.loops, *program.source.algorithm, o->func, o->size));
      } else {
        HOCKET_TRY(text, draw_order(*artifact.loops, o->func, o->size));
      }
    } else {
      HOCKET_TRY(text, text_of(program, *o, artifact));
    }
    if (!o->after.empty() && std::find(passes.begin(), passes.end(), o->after) == passes.end())
      return unknown_word("pass", o->after, passes);
    console.out << after << text;
    for (const diag::Diagnostic& w : artifact.warnings) console.report(w);
    if (o->times)
      for (const driver::PassTime& t : artifact.times)
        console.out << "# " << std::left << std::setw(18) << t.name << std::right << std::fixed
                    << std::setprecision(3) << std::setw(9) << t.ms << " ms\n";
    return 0;
  };
}

}  // namespace hocket::tools
