// hocket bench FILE: time a program under its schedules, one line each.
//
// A pipeline runs on random numbers with outputs of --size (without it of the size that a `bound`
// asks for; inputs, and outputs that others read, as large as needed); a loop program on tensors of
// the sizes that --set names. The smallest and the middle of the times count. A schedule that is
// refused is listed behind the times of the others.
#include <algorithm>
#include <chrono>
#include <iomanip>

#include "diag/kinds_driver.h"
#include "diag/kinds_target.h"
#include "driver/callable.h"
#include "interp/value.h"
#include "ir/semantics.h"
#include "tools/door.h"
#include "tools/loop_run.h"
#include "tools/output_box.h"
#include "tools/pictures.h"
#include "tools/plain_loops.h"
#include "tools/program.h"
#include "tools/verbs.h"

namespace hocket::tools {

using diag::Result;
using driver::Callable;

namespace {

constexpr int kMostSeconds = 86400;
constexpr int kMostRounds = 256;  // until outputs that read each other are large enough

struct BenchOptions {
  ProgramOptions program;
  std::vector<int64_t> size = {4096, 3072};
  std::vector<std::string> set;
  double seconds = 1;
  std::optional<int64_t> threads;
  bool sized = false;  // --size was given
  bool strict = false;
};

struct Times {
  double least = 0, middle = 0;
  int runs = 0;
  std::string size;  // of the output, where the schedule's `bound` asks for another than the usual
};

template <class Run>
Result<Times> measure(double seconds, Run&& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> ms;
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(seconds));
  HOCKET_CHECK(run());
  do {
    const Clock::time_point start = Clock::now();
    HOCKET_CHECK(run());
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  } while (ms.size() < 3 || (Clock::now() < end && ms.size() < 10000));
  std::sort(ms.begin(), ms.end());
  return Times{ms.front(), ms[ms.size() / 2], static_cast<int>(ms.size()), ""};
}

// Random numbers without branches; the same on every machine.
void fill(Plane& p) {
  uint64_t x = 88172645463325252ull;
  if (p.buffer.type.code == HOCKET_TYPE_FLOAT && p.buffer.type.bits == 32) {
    float* f = reinterpret_cast<float*>(p.bytes.data());
    for (size_t i = 0; i < p.bytes.size() / 4; ++i) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      f[i] = static_cast<float>(x % 256) / 64;
    }
    return;
  }
  const bool boolean = p.buffer.type.code == HOCKET_TYPE_BOOL;
  for (uint8_t& b : p.bytes) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    b = static_cast<uint8_t>(boolean ? x & 1 : x);
  }
}

std::string spoken(const hocket_argument_t& a) {
  return "`" + std::string(a.name) + "`";
}

Result<void> check_options(const BenchOptions& o) {
  for (const int64_t n : o.size) HOCKET_CHECK(at_least("--size", n, 1));
  if (o.threads) HOCKET_CHECK(at_least("--threads", *o.threads, 1));
  if (o.seconds > 0 && o.seconds <= kMostSeconds) return {};
  return diag::Diagnostic(diag::kind::bad_option)
      .arg("option", std::string("--seconds"))
      .arg("takes", "a time above 0, at most " + std::to_string(kMostSeconds) + " seconds")
      .arg("given", std::to_string(o.seconds));
}

// Outputs of the size that is asked for, larger where another output reads more of one. Without a
// schedule the entry says just that; what a schedule rounds up to is refused as in every call.
Result<Boxes> output_boxes(const Program& program, const BenchOptions& o, const Given& given) {
  HOCKET_TRY(const ir::ProcRef plain, plain_loops(program.source.algorithm, program.options));
  Regions regions(*plain->entry, given);
  Boxes boxes;
  for (const ir::Symbol& output : regions.outputs()) {
    Box box;
    for (size_t d = 0; d < program.source.algorithm->find(output)->args.size(); ++d)
      box.extent.push_back(d < o.size.size() ? o.size[d] : 3);
    box.min.resize(box.extent.size());
    boxes.push_back(std::move(box));
  }
  for (int round = 0; round < kMostRounds; ++round) {
    bool rests = true;
    for (const ir::EntryArg& arg : regions.entry().args) {
      if (arg.kind != ir::EntryArg::Kind::Output) continue;
      const std::vector<std::optional<Range>> need = regions.needed(arg, boxes);
      Box& box = boxes[regions.output_of(arg)];
      for (size_t d = 0; d < box.rank(); ++d) {
        if (!need[d] || need[d]->max < need[d]->min) continue;
        const int64_t low = std::min(box.min[d], need[d]->min);
        const int64_t high = std::max(box.min[d] + box.extent[d] - 1, need[d]->max);
        if (low == box.min[d] && high - low + 1 == box.extent[d]) continue;
        rests = false;
        box.min[d] = low;
        box.extent[d] = high - low + 1;
      }
    }
    if (rests) break;
  }
  return boxes;
}

// Outputs that the schedule bounds get those bounds; their extents in words where that is another
// size, else nothing.
std::string bound_size(Regions& regions, Boxes& boxes) {
  const Boxes usual = boxes;
  regions.bound(boxes);
  std::string size;
  for (size_t u = 0; u < boxes.size(); ++u) {
    if (boxes[u].extent == usual[u].extent) continue;
    size += (size.empty() ? "" : ", ") + regions.outputs()[u].name() + " ";
    for (size_t d = 0; d < boxes[u].rank(); ++d)
      size += (d ? " x " : "") + std::to_string(boxes[u].extent[d]);
  }
  return size;
}

Result<Times> time_pipeline(const Program& program, const Callable& code, const BenchOptions& o) {
  const hocket_metadata_t& meta = *code.metadata();
  const ir::PipelineEntry& entry = *code.artifact().flat->entry;
  std::vector<Plane> planes(static_cast<size_t>(meta.num_arguments));
  std::vector<uint64_t> scalars(planes.size());
  std::vector<void*> args(planes.size());
  const Scalars given(o.set);
  std::vector<std::string> names;
  const ir::EntryArg* largest = nullptr;
  for (const ir::EntryArg& a : entry.args) {
    if (a.kind == ir::EntryArg::Kind::Scalar) names.push_back(a.sym.name());
    if (a.kind == ir::EntryArg::Kind::Output &&
        (largest == nullptr || a.dims.size() > largest->dims.size()))
      largest = &a;
  }
  if (largest != nullptr && o.sized && o.size.size() != largest->dims.size())
    return diag::Diagnostic(diag::kind::bad_option)
        .arg("option", std::string("--size"))
        .arg("takes", std::to_string(largest->dims.size()) + " extents, as `" +
                          largest->sym.name() + "` has so many dimensions")
        .arg("given", static_cast<int64_t>(o.size.size()));
  HOCKET_CHECK(given.check_names(program.name, names));
  Given whole;
  for (size_t i = 0; i < planes.size(); ++i) {
    if (meta.arguments[i].kind != HOCKET_ARGUMENT_SCALAR) continue;
    const ir::Symbol& sym = entry.args[i].sym;
    HOCKET_TRY(scalars[i], given.bits(program.name, sym, entry.args[i].default_value));
    args[i] = &scalars[i];
    if (!sym.type().is_float())
      whole.scalars[sym.name()] = ir::load_bytes(sym.type(), &scalars[i]).i;
  }
  HOCKET_TRY(Boxes boxes, output_boxes(program, o, whole));
  Regions regions(entry, whole);
  std::string size;
  if (!o.sized) size = bound_size(regions, boxes);
  for (size_t i = 0; i < planes.size(); ++i) {
    const hocket_argument_t& a = meta.arguments[i];
    if (a.kind == HOCKET_ARGUMENT_SCALAR) continue;
    std::vector<hocket_dim_t> dims;
    for (int d = 0; d < a.dimensions; ++d)
      dims.push_back(
          {0, static_cast<size_t>(d) < o.size.size() ? o.size[static_cast<size_t>(d)] : 3, 1});
    if (a.kind == HOCKET_ARGUMENT_OUTPUT) {
      const Box& box = boxes[regions.output_of(entry.args[i])];
      for (size_t d = 0; d < box.rank(); ++d) dims[d] = {box.min[d], box.extent[d], 1};
      HOCKET_TRY(planes[i], Plane::make(spoken(a), a.type, dims));
      planes[i].address();
    } else {
      planes[i].dims = dims;
      planes[i].buffer.type = a.type;
      planes[i].address()->host = nullptr;
    }
    args[i] = &planes[i].buffer;
  }
  HOCKET_CHECK(code.run(args));  // the bounds query, where there are inputs
  for (size_t i = 0; i < planes.size(); ++i) {
    if (meta.arguments[i].kind != HOCKET_ARGUMENT_INPUT) continue;
    HOCKET_TRY(planes[i],
               Plane::make(spoken(meta.arguments[i]), meta.arguments[i].type, planes[i].dims));
    fill(planes[i]);
    args[i] = planes[i].address();
  }
  HOCKET_TRY(Times times, measure(o.seconds, [&] { return code.run(args); }));
  times.size = std::move(size);
  return times;
}

struct Timed {
  Times run;
  double compile_ms = 0;
};

// What was set, without the parameters that a trace has made numbers of (`partial_eval`).
std::vector<std::string> still_asked(const ir::Proc& before, const ir::Proc& after,
                                     const std::vector<std::string>& set) {
  const auto has = [](const ir::Proc& proc, const std::string& name) {
    return std::any_of(proc.params.begin(), proc.params.end(),
                       [&](const ir::Param& p) { return p.sym.name() == name; });
  };
  std::vector<std::string> out;
  for (const std::string& word : set) {
    const std::string name = word.substr(0, word.find('='));
    if (has(after, name) || !has(before, name)) out.push_back(word);
  }
  return out;
}

// Nothing where the judge has refused the program, and has said why, with this code.
Result<std::optional<Timed>> time_one(const Program& program, const driver::Source& written,
                                      const BenchOptions& o, const Console& console,
                                      std::string& code) {
  HOCKET_TRY(const std::optional<driver::Source> source,
             judged(written, program.options, o.strict, console, &code));
  if (!source) return std::optional<Timed>();
  const auto start = std::chrono::steady_clock::now();
  HOCKET_TRY(const Callable compiled, Callable::make(*source, program.options));
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  Timed out{{}, spent.count()};
  if (program.is_pipeline()) {
    HOCKET_TRY(out.run, time_pipeline(program, compiled, o));
  } else {
    const driver::Artifact& made = compiled.artifact();
    const ir::Proc& called = made.loops ? *made.loops : *made.flat;
    HOCKET_TRY(
        LoopArguments arguments,
        LoopArguments::make(called, Scalars(still_asked(*program.source.proc, called, o.set))));
    HOCKET_TRY(out.run, measure(o.seconds, [&] { return compiled.run(arguments.addresses()); }));
  }
  return std::optional(out);
}

void print(const std::string& name, const Timed& t, std::ostream& out) {
  out << std::left << std::setw(16) << name << std::right << std::fixed << std::setprecision(3)
      << std::setw(10) << t.run.least << " ms least" << std::setw(10) << t.run.middle
      << " ms middle" << std::setw(8) << t.run.runs << " runs" << std::setw(9)
      << std::setprecision(1) << t.compile_ms << " ms to compile";
  if (!t.run.size.empty()) out << ", " << t.run.size << " as `bound` asks";
  out << "\n";
}

}  // namespace

Verb add_bench(CLI::App& verb) {
  auto o = std::make_shared<BenchOptions>();
  add_program_options(verb, o->program);
  const CLI::Option* size =
      verb.add_option("--size", o->size, "extents of the output")->delimiter('x');
  verb.add_option("--set", o->set, "NAME=VALUE of a parameter or size")->allow_extra_args(false);
  verb.add_option("--seconds", o->seconds, "how long to time each schedule");
  verb.add_option("--threads", o->threads, "threads of parallel loops");
  add_strict_option(verb, o->strict);
  return [o, size](Console& console) -> Result<int> {
    o->sized = size->count() > 0;
    HOCKET_CHECK(check_options(*o));
    HOCKET_TRY(Program program, load_program(o->program));
    if (o->sized && !program.is_pipeline())
      return diag::Diagnostic(diag::kind::bad_option)
          .arg("option", std::string("--size"))
          .arg("takes", std::string("the extents of a pipeline's output"))
          .arg("given", std::string("for a loop program"))
          .help("--set n=64");
    if (o->threads)
      hocket_set_num_threads(static_cast<int32_t>(std::min<int64_t>(*o->threads, 4096)));
    std::vector<std::pair<std::string, driver::Source>> sources = {
        {program.schedule, program.source}};
    HOCKET_TRY(const std::vector<ir::ProcRef> library, library_of(program.file));
    if (program.schedule.empty())
      for (const text::Item& item : program.file.items) {
        auto* s = std::get_if<ir::Schedule>(&item.value);
        auto* t = std::get_if<ir::Trace>(&item.value);
        if (s && s->pipeline == program.name)
          sources.emplace_back(s->name, driver::Source(program.source.algorithm, *s));
        if (t && t->proc == program.name)
          sources.emplace_back(t->name, driver::Source(program.source.proc, *t, library));
      }
    std::string refused;
    std::string elsewhere;  // what is written for machines that have other instructions
    for (const auto& [name, written] : sources) {
      const std::string spoken_name = name.empty() ? "(default)" : name;
      std::string code;
      Result<std::optional<Timed>> timed = time_one(program, written, *o, console, code);
      if (timed && *timed) {
        print(spoken_name, **timed, console.out);
        continue;
      }
      if (!timed && about_command_line(timed.error())) return std::move(timed).take_failure();
      if (!timed && timed.error().is(diag::kind::instruction_needs_feature) && sources.size() > 1) {
        elsewhere += "not timed: " + spoken_name + ", " + timed.error().message() + "\n";
        continue;
      }
      // One that is refused does not keep the others from being timed.
      if (!timed) {
        console.report(timed.error());
        code = timed.error().kind->code;
      }
      refused += "not timed: " + spoken_name + ", refused with " + code + "\n";
    }
    console.out << elsewhere;
    console.out << refused;
    return refused.empty() ? 0 : 1;
  };
}

}  // namespace hocket::tools
