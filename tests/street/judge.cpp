#include "judge.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "abi/hocket_abi.h"
#include "analysis/simplify.h"
#include "codegen/llvm/jit.h"
#include "diag/render.h"
#include "interp/run.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "lower/flat/to_flat.h"
#include "lower/loops/lower.h"
#include "random_pipeline.h"
#include "reads_back.h"
#include "schedule/draft.h"
#include "schedule/seal.h"
#include "verified_flat.h"

namespace hocket::street {

using namespace ir;
using interp::Tensor;

// What a case is run with: sizes are chosen, inputs filled, the answer is known.
struct Run {
  ProcRef loops, flat;
  std::vector<Tensor> inputs, wanted;
  std::vector<Scalar> scalars;
};

namespace {

int64_t constant(const Expr& e, const Substitution& values) {
  Expr r = analysis::simplify(substitute(e, values));
  int64_t v = 0;
  if (!is_int(r, &v)) throw std::string("region is no number: " + to_text(r));
  return v;
}

Tensor input_tensor(const ImageParam& p, const std::vector<int64_t>& mins,
                    const std::vector<int64_t>& extents, uint64_t seed) {
  Tensor t = Tensor::of_box(p.sym.type(), mins, extents);
  t.for_each_point([&](std::span<const int64_t> at) {
    t.set(at, input_value(p.sym.type(), seed + p.sym.name().size(), at));
  });
  return t;
}

bool reads_fields(const Algorithm& a, const Symbol& input) {
  bool found = false;
  auto look = [&](const Expr& e) {
    if (!e.defined()) return;
    for_each(e, [&](const Expr& n) {
      const auto* f = n.as<BufferField>();
      found = found || (f && f->buffer == input);
    });
  };
  for (const Func& f : a.funcs)
    for (int s = 0; s < f.num_stages(); ++s) {
      for (const Expr& e : f.stage(s).args) look(e);
      for (const Expr& e : f.stage(s).values) look(e);
      look(f.stage(s).domain.where);
    }
  return found;
}

// Arguments in the order of the entry, outputs fresh.
struct Arguments {
  std::vector<Tensor> outputs;
  interp::Arguments list;
};

Arguments arguments(Run& run) {
  Arguments out;
  for (const Tensor& t : run.wanted)
    out.outputs.push_back(Tensor::of_box(t.type(), t.mins(), t.extents()));
  size_t input = 0, scalar = 0, output = 0;
  for (const EntryArg& arg : run.loops->entry->args) {
    if (arg.kind == EntryArg::Kind::Scalar) out.list.emplace_back(run.scalars[scalar++]);
    if (arg.kind == EntryArg::Kind::Input) out.list.emplace_back(run.inputs[input++]);
    if (arg.kind == EntryArg::Kind::Output) out.list.emplace_back(out.outputs[output++]);
  }
  return out;
}

std::string compare(const std::vector<Tensor>& got, const Run& run, const Case& c,
                    const std::string& who) {
  for (size_t i = 0; i < got.size(); ++i) {
    auto at = interp::first_difference(got[i], run.wanted[i]);
    if (!at) continue;
    return who + ": output `" + c.algorithm->outputs[i].name() + "` at " + interp::spoken(*at) +
           " is " + interp::spoken(got[i].at(*at)) + ", the algorithm says " +
           interp::spoken(run.wanted[i].at(*at));
  }
  return "";
}

std::string interpret(const Case& c, Run& run, const ProcRef& proc, bool blocks,
                      const std::string& who) {
  Arguments args = arguments(run);
  interp::RunOptions options;
  options.order = c.data % 3 == 0   ? interp::Order::Reverse
                  : c.data % 3 == 1 ? interp::Order::Forward
                                    : interp::Order::Random;
  if (blocks) {
    interp::BlockCheck check;
    check.algorithm = c.algorithm.get();
    options.blocks = check;
  }
  interp::Outcome outcome = interp::run_pipeline(*proc, args.list, options);
  if (!outcome.ok()) {
    std::string text = outcome.text();
    if (outcome.entry)
      text += " entry error " + std::to_string(outcome.entry->code) + " on " +
              outcome.entry->argument + " dim " + std::to_string(outcome.entry->dimension) +
              " needs [" + std::to_string(outcome.entry->needed_min) + ", " +
              std::to_string(outcome.entry->needed_max) + "] given [" +
              std::to_string(outcome.entry->given_min) + ", " +
              std::to_string(outcome.entry->given_max) + "]";
    return who + ": code " + std::to_string(outcome.code) + " " + text;
  }
  return compare(args.outputs, run, c, who);
}

// The entry on guarded copies of the arguments, at either end of their pages.
std::string native(const Case& c, Run& run, Argv entry, const std::string& who) {
  for (bool at_end : {true, false}) {
    Arguments args = arguments(run);
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<std::vector<hocket_dim_t>> dims;
    std::vector<hocket_buffer_t> buffers;
    std::vector<std::vector<uint8_t>> scalars;
    std::vector<Tensor*> tensors;
    size_t n = args.list.size();
    dims.reserve(n);
    buffers.reserve(n);
    scalars.reserve(n);
    std::vector<void*> pointers;
    for (interp::Argument& a : args.list) {
      if (!a.tensor) {
        scalars.emplace_back(8);
        store_bytes(a.scalar, scalars.back().data());
        pointers.push_back(scalars.back().data());
        continue;
      }
      Tensor& t = *a.tensor;
      size_t bytes = static_cast<size_t>(t.cells()) * static_cast<size_t>(t.type().bytes());
      memory.push_back(std::make_unique<Guarded>(bytes, at_end));
      if (bytes) std::memcpy(memory.back()->data(), t.data(), bytes);
      std::vector<hocket_dim_t> d;
      for (int k = 0; k < t.rank(); ++k) d.push_back({t.min(k), t.extent(k), t.stride(k)});
      dims.push_back(std::move(d));
      hocket_buffer_t b;
      std::memset(&b, 0, sizeof b);
      b.host = memory.back()->data();
      b.type = abi_type(t.type());
      b.dimensions = t.rank();
      b.dim = dims.back().data();
      buffers.push_back(b);
      tensors.push_back(&t);
      pointers.push_back(&buffers.back());
    }
    set_fault_note(describe(c) + "# " + who + "\n");
    const Called called = call_guarded(entry, pointers.data());
    if (called.fault) return who + ": touches memory outside its buffers";
    if (called.code != 0) return who + ": " + spoken_code(called.code);
    for (size_t i = 0; i < tensors.size(); ++i) {
      size_t bytes = static_cast<size_t>(tensors[i]->cells()) *
                     static_cast<size_t>(tensors[i]->type().bytes());
      const bool output = std::any_of(args.outputs.begin(), args.outputs.end(),
                                      [&](const Tensor& o) { return &o == tensors[i]; });
      if (bytes == 0) continue;
      if (!output && std::memcmp(tensors[i]->data(), memory[i]->data(), bytes) != 0)
        return who + ": an input has changed";
      std::memcpy(tensors[i]->data(), memory[i]->data(), bytes);
      tensors[i]->mark_computed();
    }
    std::string wrong = compare(args.outputs, run, c, who);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string by_llvm(const Case& c, Run& run) {
  auto module = codegen::JitModule::compile({run.flat}, jit_options());
  if (!module) return "llvm: " + module.error().message();
  return native(c, run, module->pipeline(run.flat->entry->pipeline).argv, "llvm");
}

Verdict fail(std::string text) {
  return {Verdict::Kind::Fail, std::move(text), -1};
}

Verdict refused(const diag::Diagnostic& d, int at = -1) {
  return {Verdict::Kind::Refused, std::string(d.kind->code), at};
}

// Can every Func be computed before all others? Then each region it needs is bounded, and it stays
// so wherever Funcs are computed.
bool is_bounded(const Case& c) {
  schedule::Plan draft = schedule::default_plan(c.algorithm);
  for (const Func& f : c.algorithm->funcs) {
    Directive d;
    d.func = f.sym.name();
    d.verb = Verb::ComputeRoot;
    if (!schedule::apply(draft, d)) return false;
  }
  auto sealed = schedule::seal(draft);
  return sealed && lower::loops::to_loops(sealed->plan);
}

Verdict prepare_unguarded(const Case& c, const JudgeOptions& options, Run& run) {
  if (auto v = verify(*c.algorithm); !v) return fail("verify algorithm: " + v.error().message());
  std::string wrong = not_read_back(*c.algorithm, c.schedule);
  if (!wrong.empty()) return fail(wrong);
  schedule::Plan draft = schedule::default_plan(c.algorithm);
  for (size_t i = 0; i < c.schedule.directives.size(); ++i)
    if (auto r = schedule::apply(draft, c.schedule.directives[i]); !r)
      return refused(r.error(), static_cast<int>(i));
  auto sealed = schedule::seal(draft);
  if (!sealed) return refused(sealed.error());
  auto loops = lower::loops::to_loops(sealed->plan);
  if (!loops && std::string(loops.error().kind->code) == "S0301" && is_bounded(c))
    return fail("refused, and untrue: " + loops.error().message());
  if (!loops) return refused(loops.error());
  run.loops = *loops;
  if (auto v = verify(*run.loops); !v) return fail("verify loops: " + diag::render_text(v.error()));
  wrong = not_read_back(*run.loops);
  if (!wrong.empty()) return fail(wrong);

  // Sizes: outputs are given, inputs get exactly what the entry asks for.
  Substitution values;
  size_t output = 0;
  interp::Random random(c.data);
  interp::Bindings bindings;
  for (const EntryArg& arg : run.loops->entry->args) {
    if (arg.kind == EntryArg::Kind::Scalar) {
      Scalar s = Scalar::of_int(arg.sym.type(), random.between(-5, 5));
      run.scalars.push_back(s);
      bindings.scalar(arg.sym, s);
      values.emplace(arg.sym, make_int(arg.sym.type(), s.i));
    }
    if (arg.kind == EntryArg::Kind::Output) {
      for (size_t d = 0; d < arg.dims.size(); ++d) {
        values.emplace(arg.dims[d].min, make_index(c.outputs[output][d].first));
        values.emplace(arg.dims[d].extent, make_index(c.outputs[output][d].second));
      }
      ++output;
    }
  }
  for (const EntryArg& arg : run.loops->entry->args) {
    if (arg.kind != EntryArg::Kind::Input) continue;
    const ImageParam& p = *c.algorithm->find_input(arg.sym);
    std::vector<int64_t> mins, extents;
    if (reads_fields(*c.algorithm, arg.sym)) {  // its size is part of the meaning: fixed, large
      for (size_t d = 0; d < arg.dims.size(); ++d) {
        mins.push_back(-40);
        extents.push_back(110);
      }
    } else {
      for (size_t d = 0; d < arg.dims.size(); ++d) {
        int64_t lo = constant(arg.dims[d].required_min, values),
                hi = constant(arg.dims[d].required_max, values);
        if (hi - lo > 4000) return {Verdict::Kind::Meaningless, "input too large", -1};
        mins.push_back(lo);
        extents.push_back(std::max<int64_t>(hi - lo + 1, 0));
      }
    }
    for (size_t d = 0; d < arg.dims.size(); ++d) {
      values.emplace(arg.dims[d].min, make_index(mins[d]));
      values.emplace(arg.dims[d].extent, make_index(extents[d]));
    }
    run.inputs.push_back(input_tensor(p, mins, extents, c.data));
    bindings.image(arg.sym, run.inputs.back());
  }
  std::vector<interp::Region> regions;
  for (const auto& box : c.outputs) {
    interp::Region r;
    for (auto [min, extent] : box) {
      r.mins.push_back(min);
      r.extents.push_back(extent);
    }
    regions.push_back(std::move(r));
  }
  // Sizes that a tail cannot serve are refused at entry; that is an answer, not a failure.
  for (const EntryArg& arg : run.loops->entry->args) {
    for (size_t d = 0; d < arg.dims.size(); ++d) {
      int64_t lo = constant(arg.dims[d].required_min, values),
              hi = constant(arg.dims[d].required_max, values);
      int64_t min = constant(make_var(arg.dims[d].min), values),
              extent = constant(make_var(arg.dims[d].extent), values);
      if (hi >= lo && (lo < min || hi > min + extent - 1))
        return {Verdict::Kind::Refused, "entry", -1};
    }
  }
  for (const EntryCheck& check : run.loops->entry->checks)
    if (constant(check.cond, values) == 0) return {Verdict::Kind::Refused, "entry", -1};
  auto wanted = interp::evaluate(*c.algorithm, bindings, regions);
  if (!wanted) {
    std::string text = wanted.error().message();
    if (text.find("outside") != std::string::npos || text.find("region") != std::string::npos)
      return fail("evaluate: " + diag::render_text(wanted.error()));
    return {Verdict::Kind::Meaningless, text, -1};
  }
  run.wanted = std::move(*wanted);

  wrong = interpret(c, run, run.loops, true, "loop form");
  if (!wrong.empty()) return fail(wrong);
  if (!options.flat) return {};
  const target::Target& target = target::host();
  auto flat = verified_flat(run.loops, target);
  if (!flat && flat.error().kind->category != diag::Category::internal)
    return refused(flat.error());
  if (!flat) return fail("to_flat: " + diag::render_text(flat.error()));
  wrong = interpret(c, run, *flat, false, "flat form");
  if (!wrong.empty()) return fail(wrong);
  run.flat = *flat;
  wrong = not_read_back(*run.flat);
  if (!wrong.empty()) return fail(wrong);
  if (options.llvm) wrong = by_llvm(c, run);
  if (!wrong.empty()) return fail(wrong);
  return {};
}

template <class F>
Verdict without_throwing(F&& f) {
  try {
    return f();
  } catch (const support::InternalError& e) {
    return fail(std::string("assertion: ") + e.what());
  } catch (const std::string& s) {
    return fail(s);
  }
}

}  // namespace

Prepared prepare(const Case& c, const JudgeOptions& options) {
  Prepared out;
  out.run = std::make_shared<Run>();
  out.verdict = without_throwing([&] { return prepare_unguarded(c, options, *out.run); });
  return out;
}

// Names in a library are unique: the proc goes by another one there.
ProcRef c_proc(const Prepared& p, const std::string& name) {
  auto entry = std::make_shared<PipelineEntry>(*p.run->flat->entry);
  entry->pipeline = name;
  return edited(p.run->flat, [&](Proc& proc) { proc.entry = entry; });
}

Verdict judge_c(const Case& c, const Prepared& p, const CLibrary& library,
                const std::string& name) {
  const Argv entry = library.find(name);
  if (!entry) return fail("c: the library has no `" + name + "`");
  const std::string wrong = native(c, *p.run, entry, "c");
  return wrong.empty() ? Verdict{} : fail(wrong);
}

Verdict judge(const Case& c, const JudgeOptions& options) {
  const Prepared p = prepare(c, options);
  if (!options.flat || !options.c || p.verdict.kind != Verdict::Kind::Agree) return p.verdict;
  return without_throwing([&]() -> Verdict {
    for (const Compiler compiler : {Compiler::Gcc, Compiler::Clang}) {
      const Compiled compiled = compile_c({c_proc(p, "p")}, compiler);
      if (!compiled.library) return fail("c: " + compiled.said);
      Verdict v = judge_c(c, p, *compiled.library, "p");
      if (v.kind != Verdict::Kind::Agree) return v;
    }
    return {};
  });
}

}  // namespace hocket::street
