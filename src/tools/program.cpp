#include "tools/program.h"

#include <fstream>
#include <sstream>

#include "diag/kinds_driver.h"
#include "driver/target_library.h"
#include "rewrite/apply.h"
#include "support/edit_distance.h"

namespace hocket::tools {

using diag::Diagnostic;
using diag::Result;
namespace kind = diag::kind;

void add_program_options(CLI::App& verb, ProgramOptions& options) {
  verb.add_option("file", options.file, "a .hk file")->required();
  verb.add_option("-p,--program", options.program, "which pipeline or loop program of the file");
  verb.add_option("-s,--schedule", options.schedule, "which schedule or trace of the file");
  verb.add_option("-t,--trace", options.trace,
                  "which trace of the file to replay on a loop program");
  verb.add_option("--target", options.target, "`host`, or features: x86-64-avx2-fma");
  verb.add_flag("--verify", options.verify, "check the program's invariants behind every pass");
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // A stream without a character would count as one that failed.
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad() || !in.is_open() || text.fail())
    return Diagnostic(kind::no_such_file).arg("file", path);
  return text.str();
}

namespace {

Diagnostic missing(const std::string& file, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known) {
  Diagnostic e(kind::no_such_item);
  e.arg("file", file).arg("what", what).arg("name", name);
  for (const std::string& near : support::close_names(name, known, 3))
    e.help("did you mean `" + near + "`?");
  std::string all;
  for (const std::string& k : known) all += (all.empty() ? "`" : ", `") + k + "`";
  if (!all.empty()) e.note("there is " + all);
  return e;
}

// A schedule or trace of that name is there, but not of this program.
std::string of_another(bool there, const std::string& what, const std::string& program) {
  return there ? what + " of `" + program + "` called" : what;
}

// What a command may work on: pipelines and loop programs; and those that have a name at all.
struct Names {
  std::vector<std::string> all, candidates;
};
Names names_of(const text::File& file) {
  Names names;
  for (const ir::AlgorithmRef& a : file.pipelines()) names.all.push_back(a->name);
  names.candidates = names.all;
  for (const ir::ProcRef& p : file.procs()) {
    names.all.push_back(p->name());
    if (!p->instr) names.candidates.push_back(p->name());
  }
  return names;
}

// Every schedule is for a pipeline of its file, every trace for a loop program.
Result<void> check_owners(const text::File& file, const std::string& path) {
  for (const text::Item& item : file.items) {
    std::string what, name;
    std::vector<std::string> known;
    if (const auto* s = std::get_if<ir::Schedule>(&item.value)) {
      if (file.pipeline(s->pipeline)) continue;
      what = "pipeline";
      name = s->pipeline;
      for (const ir::AlgorithmRef& a : file.pipelines()) known.push_back(a->name);
    } else if (const auto* t = std::get_if<ir::Trace>(&item.value)) {
      if (file.proc(t->proc)) continue;
      what = "loop program";
      name = t->proc;
      for (const ir::ProcRef& p : file.procs()) known.push_back(p->name());
    } else {
      continue;
    }
    Diagnostic e = missing(path, what, name, known);
    e.place = item.place;
    return e;
  }
  return {};
}

// The program that the words mean without --program: the one that a schedule or trace is for.
std::string implied(const text::File& file, const ProgramOptions& options) {
  if (!options.program.empty()) return options.program;
  if (const ir::Schedule* s = file.schedule(options.schedule)) return s->pipeline;
  for (const std::string& name : {options.trace, options.schedule})
    if (const ir::Trace* t = file.trace(name)) return t->proc;
  return "";
}

Diagnostic which(const ProgramOptions& options, const std::vector<std::string>& candidates) {
  Diagnostic e(kind::which_item);
  e.arg("file", options.file)
      .arg("what", candidates.empty() ? std::string("no program to work on")
                                      : std::to_string(candidates.size()) +
                                            " programs: say which one is meant with --program");
  for (const std::string& c : candidates) e.help("--program " + c);
  return e;
}

}  // namespace

Result<text::File> load_file(const std::string& path) {
  HOCKET_TRY(std::string source, read_text(path));
  text::Known known;
  HOCKET_TRY(known.procs, driver::target_procs());
  HOCKET_TRY(text::File file, text::parse(source, path, known));
  HOCKET_CHECK(check_owners(file, path));
  return file;
}

Result<std::vector<ir::ProcRef>> library_of(const text::File& file) {
  HOCKET_TRY(std::vector<ir::ProcRef> procs, driver::target_procs());
  for (const ir::ProcRef& p : file.procs()) procs.push_back(p);
  return procs;
}

Result<rewrite::State> replay_trace(const text::File& file, const ir::ProcRef& proc,
                                    const ir::Trace& trace) {
  rewrite::Library library;
  HOCKET_TRY(library.procs, library_of(file));
  return rewrite::replay(proc, trace, library);
}

Diagnostic unknown_word(const std::string& what, const std::string& word,
                        const std::vector<std::string>& known) {
  Diagnostic e(kind::unknown_form);
  std::string all;
  for (const std::string& k : known) all += (all.empty() ? "" : ", ") + k;
  e.arg("what", what)
      .arg("form", word)
      .arg("known", all.empty() ? "known: there is none" : "one of " + all);
  for (const std::string& near : support::close_names(word, known, 1))
    e.help("did you mean `" + near + "`?");
  return e;
}

Result<std::vector<std::string>> programs_meant(const ProgramOptions& options) {
  HOCKET_TRY(const text::File file, load_file(options.file));
  const std::string wanted = implied(file, options);
  if (!wanted.empty()) return std::vector<std::string>{wanted};
  const Names names = names_of(file);
  const bool named = !options.schedule.empty() || !options.trace.empty();
  if (names.candidates.empty() || (named && names.candidates.size() != 1))
    return which(options, names.candidates);
  return names.candidates;
}

Result<void> at_least(const std::string& option, int64_t value, int64_t least) {
  if (value >= least) return {};
  return Diagnostic(kind::bad_option)
      .arg("option", option)
      .arg("takes", "a whole number that is at least " + std::to_string(least))
      .arg("given", value);
}

Result<Program> load_program(const ProgramOptions& options) {
  HOCKET_TRY(text::File file, load_file(options.file));
  driver::Options how;
  HOCKET_TRY(how.target, target::parse_target(options.target));
  how.passes.verify = how.passes.verify || options.verify;

  const Names names = names_of(file);
  std::string wanted = implied(file, options);
  for (const ir::AlgorithmRef& a : file.pipelines()) {
    if (!file.proc(a->name) || (!wanted.empty() && wanted != a->name)) continue;
    return Diagnostic(kind::which_item)
        .arg("file", options.file)
        .arg("what", "a pipeline and a loop program that are both called `" + a->name +
                         "`: give one of them another name");
  }
  if (wanted.empty()) {
    if (names.candidates.size() != 1) return which(options, names.candidates);
    wanted = names.candidates.front();
  }

  if (ir::AlgorithmRef algorithm = file.pipeline(wanted)) {
    ir::Schedule schedule;
    if (!options.trace.empty()) {
      Diagnostic e = missing(options.file, of_another(true, "trace", wanted), options.trace, {});
      e.note("`" + wanted + "` is a pipeline: it has schedules");
      return e;
    }
    if (!options.schedule.empty()) {
      const ir::Schedule* found = file.schedule(options.schedule);
      if (!found || found->pipeline != wanted) {
        std::vector<std::string> known;
        for (const text::Item& item : file.items)
          if (auto* s = std::get_if<ir::Schedule>(&item.value); s && s->pipeline == wanted)
            known.push_back(s->name);
        Diagnostic e = missing(options.file, of_another(found != nullptr, "schedule", wanted),
                               options.schedule, known);
        if (found)
          e.note("`" + found->name + "` is a schedule of `" + found->pipeline + "`")
              .help("--program " + found->pipeline + " --schedule " + found->name);
        return e;
      }
      schedule = *found;
    }
    return Program{std::move(file), driver::Source(algorithm, schedule), std::move(how), wanted,
                   options.schedule};
  }
  if (ir::ProcRef proc = file.proc(wanted)) {
    const std::string& wish = options.trace.empty() ? options.schedule : options.trace;
    if (!wish.empty()) {
      const ir::Trace* trace = file.trace(wish);
      if (!trace || trace->proc != wanted) {
        std::vector<std::string> known;
        for (const text::Item& item : file.items)
          if (auto* t = std::get_if<ir::Trace>(&item.value); t && t->proc == wanted)
            known.push_back(t->name);
        Diagnostic e =
            missing(options.file, of_another(trace != nullptr, "trace", wanted), wish, known);
        if (trace)
          e.note("`" + wish + "` is a trace of `" + trace->proc + "`")
              .help("--program " + trace->proc + " --trace " + wish);
        return e;
      }
      HOCKET_TRY(std::vector<ir::ProcRef> library, library_of(file));
      driver::Source source(proc, *trace, std::move(library));
      return Program{std::move(file), std::move(source), std::move(how), wanted, wish};
    }
    return Program{std::move(file), driver::Source(proc), std::move(how), wanted, ""};
  }
  return missing(options.file, "program", wanted, names.all);
}

}  // namespace hocket::tools
