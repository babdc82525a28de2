#include "judge_program.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "codegen/c/source.h"
#include "codegen/llvm/jit.h"
#include "diag/render.h"
#include "interp/run.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "lower/flat/to_flat.h"
#include "reads_back.h"
#include "rewrite/apply.h"
#include "text/parser.h"
#include "verified_flat.h"

namespace hocket::street {

using namespace ir;
using interp::Tensor;

const std::vector<ProcRef>& instructions() {
  static const std::vector<ProcRef> procs = [] {
    std::ostringstream text;
    text << std::ifstream(HOCKET_TEST_SOURCE "/targets/x86.hk").rdbuf();
    auto file = text::parse(text.str(), "x86.hk");
    HOCKET_ASSERT(file.ok(), "targets/x86.hk cannot be read");
    return file->procs();
  }();
  return procs;
}

std::vector<ProcRef> ProgramCase::library() const {
  std::vector<ProcRef> all = instructions();
  all.insert(all.end(), callees.begin(), callees.end());
  return all;
}

ProgramCase parse_program(const std::string& text, std::string* refused) {
  ProgramCase c;
  text::Known known;
  known.procs = instructions();
  auto file = text::parse(text, "program.hk", known);
  if (!file.ok()) {
    *refused = diag::render_text(file.error());
    return c;
  }
  for (const ProcRef& p : file->procs()) {
    if (p->name() == "p") c.proc = p;
    if (p->name() != "p") c.callees.push_back(p);
  }
  for (const text::Item& i : file->items)
    if (const auto* t = std::get_if<Trace>(&i.value)) c.steps = t->steps;
  if (!c.proc) *refused = "there is no `p`";
  return c;
}

// The two programs and what the one before leaves at every size.
struct ProgramRun {
  ProcRef before, after;  // under unique names
  struct Sizes {
    std::unordered_map<std::string, int64_t> values;
    std::vector<Tensor> start, before, after;  // in the order of the buffer parameters
    int code = 0;
  };
  std::vector<Sizes> sizes;
};

namespace {

Verdict fail(std::string text) {
  return {Verdict::Kind::Fail, std::move(text), -1};
}
Verdict meaningless(std::string text) {
  return {Verdict::Kind::Meaningless, std::move(text), -1};
}

ProcRef named(const ProcRef& p, const std::string& name) {
  return edited(p, [&](Proc& q) { q.sym = Symbol::fresh(name, p->sym.type()); });
}

// Sizes that a step fixed keep that value before the step as well.
std::unordered_map<std::string, int64_t> fixed(const std::vector<TraceStep>& steps) {
  std::unordered_map<std::string, int64_t> out;
  for (const TraceStep& s : steps)
    if (s.op == "partial_eval" && s.args.size() == 2) out[s.args[0].text] = s.args[1].number;
  return out;
}

// From here on results may differ from those of the program before.
bool changes_numbers(const std::vector<TraceStep>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const TraceStep& s) {
    return s.op == "set_precision" || (s.op == "stage_mem" && !s.keywords.empty());
  });
}

// Arguments of a program; nothing where a shape has no extent at these sizes.
bool make_tensors(const Proc& proc, const std::unordered_map<std::string, int64_t>& values,
                  uint64_t seed, std::vector<Tensor>& out) {
  for (const Param& p : proc.params) {
    if (p.kind != ParamKind::Buffer) continue;
    std::vector<int64_t> extents, strides;
    for (const Expr& e : p.shape) {
      auto v = analysis::evaluate(e, [&](const Expr& t) -> std::optional<analysis::BigInt> {
        return analysis::BigInt(values.at(t.as<VarRef>()->sym.name()));
      });
      const int64_t n = v ? v->to_int64().value_or(-1) : -1;
      extents.push_back(std::max<int64_t>(n, 0));
    }
    int64_t stride = p.window ? 1 + static_cast<int64_t>(seed % 2) : 1;
    for (size_t d = extents.size(); d-- > 0;) {
      strides.insert(strides.begin(), stride);
      stride = (stride * std::max<int64_t>(extents[d], 1)) +
               (p.window ? static_cast<int64_t>(seed % 3) : 0);
    }
    const std::vector<int64_t> mins(extents.size(), 0);
    Tensor t = p.window ? Tensor::with_strides(p.type(), mins, extents, strides)
                        : Tensor::row_major(p.type(), extents);
    if (p.type().is_int() && !p.type().wraps())
      t.fill_random(seed + out.size(), -99, 99);
    else
      t.fill_random(seed + out.size());
    // One case in eight has ends of types, infinities and no numbers among its values.
    interp::Random r(seed + 77);
    if (seed % 8 == 7 && (p.type().is_float() || p.type().wraps()))
      t.for_each_point([&](std::span<const int64_t> at) {
        if (r.one_in(4)) t.set(at, r.corner(p.type()));
      });
    out.push_back(std::move(t));
  }
  return true;
}

Scalar scalar_value(Type type, uint64_t seed) {
  interp::Random r(seed);
  return type.is_float() ? r.value(type) : Scalar::of_int(type, r.between(0, 9));
}

std::string interpret(const Proc& proc, const ProgramRun::Sizes& at, uint64_t seed,
                      std::vector<Tensor>& tensors, int& code, uint64_t order) {
  interp::Arguments args;
  size_t next = 0;
  for (const Param& p : proc.params) {
    if (p.kind == ParamKind::Buffer)
      args.emplace_back(tensors[next++]);
    else if (p.kind == ParamKind::Scalar)
      args.emplace_back(scalar_value(p.type(), seed));
    else
      args.emplace_back(at.values.at(p.sym.name()));
  }
  interp::RunOptions options;
  options.order = order % 3 == 0   ? interp::Order::Reverse
                  : order % 3 == 1 ? interp::Order::Forward
                                   : interp::Order::Random;
  options.seed = seed;
  const interp::Outcome out = interp::run(proc, args, options);
  code = out.code;
  return out.findings.empty() ? "" : out.text();
}

std::string differ(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted,
                   const Proc& proc, const std::string& who) {
  size_t next = 0;
  for (const Param& p : proc.params) {
    if (p.kind != ParamKind::Buffer) continue;
    const Tensor &g = got[next], &w = wanted[next];
    ++next;
    if (auto at = interp::first_difference(g, w))
      return who + ": `" + p.sym.name() + "` at " + interp::spoken(*at) + " is " +
             interp::spoken(g.at(*at)) + ", the program says " + interp::spoken(w.at(*at));
  }
  return "";
}

// Guarded copies of the arguments, at either end of their pages.
std::string native(const ProgramCase& c, const Proc& proc, const ProgramRun::Sizes& at,
                   const std::vector<Tensor>& wanted, Argv entry, const std::string& who) {
  if (!entry) return who + ": there is no entry";
  for (const bool at_end : {true, false}) {
    std::vector<Tensor> got = at.start;
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<std::vector<uint8_t>> values;
    std::vector<void*> pointers;
    size_t next = 0;
    for (const Param& p : proc.params) {
      if (p.kind != ParamKind::Buffer) {
        values.emplace_back(8);
        const Scalar s = p.kind == ParamKind::Scalar
                             ? scalar_value(p.type(), c.data)
                             : Scalar::of_int(Type::index(), at.values.at(p.sym.name()));
        store_bytes(s, values.back().data());
        pointers.push_back(values.back().data());
        continue;
      }
      const Tensor& t = got[next++];
      const size_t bytes = static_cast<size_t>(t.cells()) * static_cast<size_t>(t.type().bytes());
      memory.push_back(std::make_unique<Guarded>(bytes, at_end));
      if (bytes) std::memcpy(memory.back()->data(), t.data(), bytes);
      if (!p.window || p.shape.empty()) {
        pointers.push_back(memory.back()->data());
        continue;
      }
      values.emplace_back(sizeof(void*) + p.shape.size() * 8);  // struct hocket_win_<type>_<rank>
      void* data = memory.back()->data();
      std::memcpy(values.back().data(), &data, sizeof data);
      std::memcpy(values.back().data() + sizeof data, t.strides().data(), p.shape.size() * 8);
      pointers.push_back(values.back().data());
    }
    set_fault_note(describe(c) + "# " + who + "\n");
    pointers.push_back(nullptr);
    const Called called = call_guarded(entry, pointers.data());
    if (called.fault) return who + ": touches memory outside its buffers";
    if (called.code != at.code)
      return who + ": " + spoken_code(called.code) + ", the program returns " +
             std::to_string(at.code);
    for (size_t i = 0; i < got.size(); ++i) {
      const size_t bytes =
          static_cast<size_t>(got[i].cells()) * static_cast<size_t>(got[i].type().bytes());
      if (bytes) std::memcpy(got[i].data(), memory[i]->data(), bytes);
      got[i].mark_computed();
    }
    std::string wrong = differ(got, wanted, proc, who);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string at_sizes(const ProgramRun::Sizes& s, const Proc& proc) {
  std::string out = " at";
  for (const Param& p : proc.params)
    if (p.kind == ParamKind::Size || p.kind == ParamKind::Index)
      out += " " + p.sym.name() + "=" + std::to_string(s.values.at(p.sym.name()));
  return out;
}

std::string by_native(const ProgramCase& c, const ProgramRun& run, Argv before, Argv after,
                      const std::string& who) {
  for (const ProgramRun::Sizes& s : run.sizes) {
    std::string wrong = native(c, *run.before, s, s.before, before, who + " before");
    if (wrong.empty()) wrong = native(c, *run.after, s, s.after, after, who + " after");
    if (!wrong.empty()) return wrong + at_sizes(s, *run.before);
  }
  return "";
}

Verdict prepare_unguarded(const ProgramCase& c, const JudgeOptions& options,
                          const std::string& name, PreparedProgram& out) {
  ProgramRun& run = *out.run;
  if (auto v = verify(*c.proc); !v) return fail("verify before: " + v.error().message());
  rewrite::Library library{c.library()};
  rewrite::State state = rewrite::State::begin(c.proc);
  for (const TraceStep& s : c.steps) {
    auto next = rewrite::apply(state, s, library);
    if (!next)
      return {Verdict::Kind::Refused,
              std::string(next.error().kind->code) + ": " + next.error().message(), -1};
    state = std::move(next).value();
  }
  const ProcRef& after = state.proc();
  if (auto v = verify(*after); !v) return fail("verify after: " + diag::render_text(v.error()));
  run.before = named(c.proc, name + "b");
  run.after = named(after, name + "a");

  const auto by_step = fixed(c.steps);
  for (const std::vector<int64_t>& values : c.sizes) {
    ProgramRun::Sizes s;
    size_t next = 0;
    for (const Param& p : c.proc->params) {
      if (p.kind != ParamKind::Size && p.kind != ParamKind::Index) continue;
      const int64_t v = values.at(next++);
      const auto f = by_step.find(p.sym.name());
      s.values[p.sym.name()] = f == by_step.end() ? v : f->second;
    }
    make_tensors(*c.proc, s.values, c.data, s.start);
    s.before = s.after = s.start;
    std::string wrong = interpret(*run.before, s, c.data, s.before, s.code, 0);
    if (!wrong.empty()) return meaningless(wrong);
    for (const uint64_t order : {1, 2}) {
      std::vector<Tensor> again = s.start;
      wrong = interpret(*run.before, s, c.data, again, s.code, order);
      if (!wrong.empty()) return meaningless(wrong);
      if (!differ(again, s.before, *c.proc, "").empty())
        return meaningless("its order of iterations shows");
    }
    int code = 0;
    wrong = interpret(*run.after, s, c.data, s.after, code, c.data);
    // Other numbers, where a step was allowed to make them, may overflow.
    if (wrong.starts_with("poison") && changes_numbers(c.steps)) return meaningless(wrong);
    if (!wrong.empty()) return fail("interpreter after: " + wrong + at_sizes(s, *c.proc));
    if (code != s.code)
      return fail("interpreter after: code " + std::to_string(code) + " instead of " +
                  std::to_string(s.code) + at_sizes(s, *c.proc));
    if (!changes_numbers(c.steps)) wrong = differ(s.after, s.before, *c.proc, "interpreter after");
    if (!wrong.empty()) return fail(wrong + at_sizes(s, *c.proc));
    run.sizes.push_back(std::move(s));
  }

  const target::Target target = target::host();
  std::vector<ProcRef> flat;
  for (const ProcRef& p : {run.before, run.after}) {
    auto f = verified_flat(p, target);
    if (!f && f.error().kind->category != diag::Category::internal) return {};
    if (!f) return fail("to_flat: " + diag::render_text(f.error()));
    const std::string wrong = not_read_back(**f);
    if (!wrong.empty()) return fail(wrong);
    flat.push_back(*f);
  }
  out.native = true;
  if (options.llvm) {
    auto module = codegen::JitModule::compile(flat, jit_options());
    if (!module) return fail("llvm: " + module.error().message());
    std::string wrong = by_native(c, run, module->program(run.before->name()),
                                  module->program(run.after->name()), "llvm");
    if (!wrong.empty()) return fail(wrong);
  }
  for (const ProcRef& p : {run.before, run.after}) {
    auto text = codegen::c_source({p});
    if (!text && text.error().kind->category == diag::Category::internal)
      return fail("c: " + text.error().message());
    if (text) out.c_procs.push_back(p);
  }
  if (out.c_procs.size() != 2) out.c_procs.clear();
  return {};
}

template <class F>
Verdict without_throwing(F&& f) {
  try {
    return f();
  } catch (const support::InternalError& e) {
    return fail(std::string("assertion: ") + e.what());
  }
}

}  // namespace

PreparedProgram prepare(const ProgramCase& c, const JudgeOptions& options,
                        const std::string& name) {
  PreparedProgram out;
  out.run = std::make_shared<ProgramRun>();
  out.verdict = without_throwing([&] { return prepare_unguarded(c, options, name, out); });
  return out;
}

Verdict judge_c(const ProgramCase& c, const PreparedProgram& p, const CLibrary& library) {
  const std::string wrong = by_native(c, *p.run, library.find(p.run->before->name()),
                                      library.find(p.run->after->name()), "c");
  return wrong.empty() ? Verdict{} : fail(wrong);
}

Verdict judge(const ProgramCase& c, const JudgeOptions& options) {
  const PreparedProgram p = prepare(c, options, "p");
  if (!options.c || p.c_procs.empty() || p.verdict.kind != Verdict::Kind::Agree) return p.verdict;
  for (const Compiler compiler : {Compiler::Gcc, Compiler::Clang}) {
    const Compiled compiled = compile_c(p.c_procs, compiler);
    if (!compiled.library) return fail("c: " + compiled.said);
    Verdict v = judge_c(c, p, *compiled.library);
    if (v.kind != Verdict::Kind::Agree) return v;
  }
  return {};
}

std::string describe(const ProgramCase& c) {
  std::string out;
  const std::string text = to_text(*c.proc);
  for (const ProcRef& p : c.callees)
    if (text.find("def " + p->name() + "(") == std::string::npos) out += to_text_alone(*p) + "\n";
  out += text;
  Trace t;
  t.name = "t";
  t.proc = c.proc->name();
  t.steps = c.steps;
  out += "\n" + to_text(t) + "\n# sizes:";
  for (const auto& values : c.sizes) {
    out += " [";
    for (int64_t v : values) out += " " + std::to_string(v);
    out += " ]";
  }
  return out + " data " + std::to_string(c.data) + "\n";
}

namespace {

// The body without the n-th statement (depth first); false where there is none.
bool drop(Body& body, size_t& n, bool inner) {
  for (size_t i = 0; i < body.size(); ++i) {
    if (n-- == 0) {
      const Stmt s = body[i];
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
      if (inner) {
        if (const auto* b = s.as<If>())
          body.insert(body.begin() + static_cast<std::ptrdiff_t>(i), b->then_body.begin(),
                      b->then_body.end());
      }
      if (body.empty()) body.push_back(make_pass());
      return true;
    }
    if (const auto* f = body[i].as<For>()) {
      Body in = f->body;
      if (!drop(in, n, inner)) continue;
      body[i] = edited<For>(body[i], [&](For& l) { l.body = in; });
      return true;
    }
    if (const auto* b = body[i].as<If>()) {
      Body a = b->then_body, e = b->else_body;
      if (!drop(a, n, inner) && !drop(e, n, inner)) continue;
      if (e.size() == 1 && e[0].kind() == StmtKind::Pass) e.clear();
      body[i] = edited<If>(body[i], [&](If& l) {
        l.then_body = a;
        l.else_body = e;
      });
      return true;
    }
  }
  return false;
}

}  // namespace

ProgramCase reduce(ProgramCase c, const JudgeOf<ProgramCase>& judge, int budget) {
  auto attempt = [&](const ProgramCase& smaller) {
    if (budget-- <= 0 || judge(smaller).kind != Verdict::Kind::Fail) return false;
    c = smaller;
    return true;
  };
  for (size_t i = 0; i < c.sizes.size() && c.sizes.size() > 1; ++i) {
    ProgramCase s = c;
    s.sizes = {c.sizes[i]};
    if (attempt(s)) break;
  }
  for (bool progress = true; progress && budget > 0;) {
    progress = false;
    for (size_t i = c.steps.size(); i-- > 0;) {
      ProgramCase s = c;
      s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(i));
      progress |= attempt(s);
    }
    for (const bool inner : {false, true})
      for (size_t at = 0; budget > 0; ++at) {
        ProgramCase s = c;
        Body body = c.proc->body;
        size_t n = at;
        if (!drop(body, n, inner)) break;
        s.proc = edited(c.proc, [&](Proc& p) { p.body = body; });
        // Names as they will be read back.
        std::string refused;
        ProgramCase read = parse_program(describe(s), &refused);
        if (!refused.empty() || to_text(*read.proc) == to_text(*c.proc)) continue;
        read.sizes = s.sizes;
        read.data = s.data;
        if (attempt(read)) {
          progress = true;
          --at;
        }
      }
    for (size_t d = 0; d < c.sizes[0].size(); ++d)
      for (const int64_t v : {c.sizes[0][d] / 2, c.sizes[0][d] - 1}) {
        if (v < 0 || v >= c.sizes[0][d]) continue;
        ProgramCase s = c;
        s.sizes[0][d] = v;
        progress |= attempt(s);
      }
  }
  return c;
}

}  // namespace hocket::street
