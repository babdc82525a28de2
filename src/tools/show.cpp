// hocket show FILE: a program at some place of its way down, or the order of its loops.
#include <iomanip>

#include "diag/kinds_driver.h"
#include "ir/print.h"
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
        std::string text = ir::to_text(*program.source.proc);
        if (!program.source.trace) return text;
        HOCKET_TRY(out, driver::compile(program.source, Product::Loops, program.options));
        return text + "\n" + ir::to_text(*out.trace);
      }
      std::string text = ir::to_text(*program.source.algorithm);
      if (!program.schedule.empty()) text += "\n" + ir::to_text(program.source.schedule);
      return text;
    }
    HOCKET_TRY(out, driver::compile(program.source, product, program.options));
    if (product == Product::Loops) return ir::to_text(out.loops ? *out.loops : *out.flat);
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
  verb.add_option("--func", o->func, "with --order: another Func than the output");
  verb.add_option("--size", o->size, "with --order: another size than 8");
  verb.add_flag("--times", o->times, "print the time of every step");
  verb.add_option("--after", o->after, "print the proc that this pass leaves as well");
  return [o](Console& console) -> Result<int> {
    HOCKET_TRY(Program program, load_program(o->program));
    if (!o->after.empty()) {
      program.options.passes.dump = [&](const std::string& pass, const ir::ProcRef& proc) {
        if (pass == o->after)
          console.out << "# after " << pass << "\n" << ir::to_text(*proc) << "\n";
      };
    }
    Artifact artifact;
    if (o->order) {
      if (!program.is_pipeline())
        return diag::Diagnostic(diag::kind::no_such_item)
            .arg("file", o->program.file)
            .arg("what", std::string("pipeline"))
            .arg("name", program.name)
            .note("orders are drawn of a pipeline's Funcs");
      HOCKET_TRY(artifact, driver::compile(program.source, Product::Loops, program.options));
      HOCKET_TRY(std::string grid,
                 draw_order(*artifact.loops, *program.source.algorithm, o->func, o->size));
      console.out << grid;
    } else {
      HOCKET_TRY(std::string text, text_of(program, *o, artifact));
      console.out << text;
    }
    for (const diag::Diagnostic& w : artifact.warnings) console.report(w);
    if (o->times)
      for (const driver::PassTime& t : artifact.times)
        console.out << "# " << std::left << std::setw(18) << t.name << std::right << std::fixed
                    << std::setprecision(3) << std::setw(9) << t.ms << " ms\n";
    return 0;
  };
}

}  // namespace hocket::tools
