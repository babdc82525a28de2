// hocket compile FILE -o NAME: an object or C text with its header, or text of another form.

#include "diag/kinds_driver.h"
#include "driver/header.h"
#include "driver/written_text.h"
#include "tools/door.h"
#include "tools/verbs.h"

namespace hocket::tools {

using diag::Result;
using driver::Product;

Verb add_compile(CLI::App& verb) {
  struct Options {
    ProgramOptions program;
    std::string out, emit = "object";
    bool strict = false;
  };
  auto o = std::make_shared<Options>();
  add_program_options(verb, o->program);
  verb.add_option("-o,--output", o->out, "the files' name without ending; else the program's");
  verb.add_option("--emit", o->emit, "object or c (each with a header), asm or llvm");
  add_strict_option(verb, o->strict);
  return [o](Console& console) -> Result<int> {
    HOCKET_TRY(Program program, load_program(o->program));
    if (o->out.empty() && program.name.find('/') != std::string::npos)
      return diag::Diagnostic(diag::kind::outside_folder).arg("name", program.name);
    struct Kind {
      const char* word;
      Product product;
      const char* ending;
    };
    constexpr Kind kinds[] = {{"object", Product::Object, ".o"},
                              {"asm", Product::Assembly, ".s"},
                              {"llvm", Product::LlvmText, ".ll"},
                              {"c", Product::CText, ".c"}};
    std::vector<std::string> known;
    for (const Kind& k : kinds) {
      known.push_back(k.word);
      if (o->emit != k.word) continue;
      HOCKET_TRY(const std::optional<driver::Source> source,
                 judged(program.source, program.options, o->strict, console));
      if (!source) return 1;
      HOCKET_TRY(driver::Artifact made, driver::compile(*source, k.product, program.options));
      for (const diag::Diagnostic& w : made.warnings) console.report(w);
      const std::string base = o->out.empty() ? made.name : o->out;
      const std::string first = base + k.ending, header = base + ".h";
      const bool two = k.product == Product::Object || k.product == Product::CText;
      const ir::Proc& proc =
          made.flat ? *made.flat : *made.loops;  // C of loop programs stays loops
      std::vector<driver::WrittenText> files{{first, made.text}};
      if (two) files.push_back({header, driver::header_text(proc)});
      HOCKET_CHECK(driver::write_texts(files));
      console.out << first << "\n";
      if (two) console.out << header << "\n";
      return 0;
    }
    return unknown_word("output", o->emit, known);
  };
}

}  // namespace hocket::tools
