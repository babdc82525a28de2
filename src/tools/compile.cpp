// hocket compile FILE -o NAME: an object with its header, or text of another form.
#include "driver/header.h"
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
  verb.add_option("--emit", o->emit, "object (with a header), asm, llvm or c");
  add_strict_option(verb, o->strict);
  return [o](Console& console) -> Result<int> {
    HOCKET_TRY(Program program, load_program(o->program));
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
      HOCKET_CHECK(write_text(base + k.ending, made.text));
      console.out << base << k.ending << "\n";
      if (k.product != Product::Object) return 0;
      HOCKET_CHECK(write_text(base + ".h", driver::header_text(*made.flat)));
      console.out << base << ".h\n";
      return 0;
    }
    return unknown_word("output", o->emit, known);
  };
}

}  // namespace hocket::tools
