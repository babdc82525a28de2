// The command line as a whole: which verbs there are, and what becomes of their refusals.
#include "diag/render.h"
#include "support/assert.h"
#include "tools/verbs.h"

namespace hocket::tools {

namespace {

struct Entry {
  const char* name;
  const char* what;
  Verb (*add)(CLI::App&);
};
constexpr Entry kVerbs[] = {
    {"run", "run a pipeline on image files, or a loop program on random numbers", add_run},
    {"show", "print a program at some place of its way down", add_show},
    {"check", "judge a program: rules, proofs, runs on small sizes against its meaning", add_check},
    {"bench", "time a program", add_bench},
    {"compile", "write an object with its header, or other output", add_compile},
    {"explain", "print the page behind the code of a message", add_explain},
    {"fmt", "bring .hk files into their usual shape", add_fmt},
};

}  // namespace

void Console::report(const diag::Diagnostic& diagnostic) const {
  if (json)
    err << diag::render_json(diagnostic) << "\n";
  else
    err << diag::render_text(diagnostic);
}

int run_command(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app("Hocket: one algorithm, shared out between loops, lanes and threads", "hocket");
  app.require_subcommand(1);
  int code = 0;
  Console console{out, err};
  for (const Entry& e : kVerbs) {
    CLI::App* verb = app.add_subcommand(e.name, e.what);
    verb->callback([&code, &console, run = e.add(*verb)] {
      diag::Result<int> result = run(console);
      if (result) {
        code = *result;
        return;
      }
      console.report(result.error());
      code = 1;
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e, out, err) == 0 ? 0 : 2;
  } catch (const support::InternalError& e) {
    console.report(diag::internal_bug(e));
    return 1;
  }
  return code;
}

}  // namespace hocket::tools
