// The command line as a whole: which verbs there are, and what becomes of their refusals.
#include <algorithm>
#include <cctype>
#include <new>
#include <stdexcept>

#include "diag/kinds_driver.h"
#include "diag/kinds_target.h"
#include "diag/kinds_verify.h"
#include "diag/render.h"
#include "support/assert.h"
#include "support/edit_distance.h"
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

namespace {

// What CLI11 says of a command line in the way of our messages; of words that begin with no verb,
// which verbs there are, and the one that may have been meant.
diag::Diagnostic bad_command_line(const CLI::ParseError& e, int argc, const char* const* argv) {
  diag::Diagnostic d(diag::kind::bad_command_line);
  std::string words = e.what();
  while (!words.empty() && (words.back() == '\n' || words.back() == '.')) words.pop_back();
  // "A subcommand is required", "INPUT is required".
  if (words.size() > 1 && std::isupper(static_cast<unsigned char>(words[1])) == 0)
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  std::vector<std::string> verbs;
  std::string list;
  for (const Entry& v : kVerbs) {
    verbs.emplace_back(v.name);
    list += (list.empty() ? "" : ", ") + verbs.back();
  }
  const std::string first = argc > 1 ? argv[1] : "";
  const bool verb = std::find(verbs.begin(), verbs.end(), first) != verbs.end();
  if (first.empty()) words = "a verb is missing: " + list;
  if (!verb && !first.empty() && first[0] != '-')
    words = "there is no verb `" + first + "`: " + list;
  d.arg("message", words);
  if (!verb) {
    for (const std::string& near : support::close_names(first, verbs, 1))
      d.help("did you mean `hocket " + near + "`?");
    d.help("hocket --help");
  } else {
    d.help("hocket " + first + " --help");
  }
  return d;
}

diag::Diagnostic unexpected(const std::exception& e) {
  if (dynamic_cast<const std::bad_alloc*>(&e) != nullptr ||
      dynamic_cast<const std::length_error*>(&e) != nullptr)
    return diag::Diagnostic(diag::kind::out_of_memory)
        .arg("what", std::string("this command"))
        .arg("bytes", std::string("too many"));
  return diag::Diagnostic(diag::kind::internal_bug)
      .arg("message", std::string(e.what()))
      .arg("file", std::string("command.cpp"))
      .arg("line", std::int64_t{0});
}

}  // namespace

bool about_command_line(const diag::Diagnostic& refusal) {
  namespace kind = diag::kind;
  // A name that a file lacks is the file's fault where the file says it.
  if (refusal.kind == diag::Kind(kind::no_such_item)) return !refusal.place.known();
  // Where there is no program at all no word would help.
  if (refusal.kind == diag::Kind(kind::which_item)) return !refusal.helps.empty();
  constexpr diag::Kind kinds[] = {
      kind::unknown_code,     kind::unknown_form,   kind::wrong_images,
      kind::missing_value,    kind::bad_option,     kind::bad_value,
      kind::bad_command_line, kind::unknown_target, kind::unknown_target_feature};
  return std::find(std::begin(kinds), std::end(kinds), refusal.kind) != std::end(kinds);
}

int run_command(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app("Hocket: one algorithm, shared out between loops, lanes and threads", "hocket");
  app.require_subcommand(1);
  int code = 0;
  Console console{out, err};
  for (const Entry& e : kVerbs) {
    CLI::App* verb = app.add_subcommand(e.name, e.what);
    verb->add_flag("--json", console.json, "diagnostics as JSON on stderr, one object a line");
    verb->callback([&code, &console, run = e.add(*verb)] {
      diag::Result<int> result = run(console);
      if (result) {
        code = *result;
        return;
      }
      console.report(result.error());
      code = about_command_line(result.error()) ? 2 : 1;
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, out, err);  // --help
    for (int i = 1; i < argc; ++i) console.json = console.json || std::string(argv[i]) == "--json";
    console.report(bad_command_line(e, argc, argv));
    return 2;
  } catch (const support::InternalError& e) {
    console.report(diag::internal_bug(e));
    return 1;
  } catch (const std::exception& e) {
    console.report(unexpected(e));
    return 1;
  }
  out.flush();
  if (!out) {  // a full disk: what was printed is not all there
    console.report(
        diag::Diagnostic(diag::kind::cannot_write).arg("file", std::string("standard output")));
    return 1;
  }
  return code;
}

}  // namespace hocket::tools
