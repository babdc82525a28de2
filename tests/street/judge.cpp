#include "judge.h"

#include <sys/mman.h>

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
#include "schedule/draft.h"
#include "schedule/seal.h"

namespace hocket::street {

using namespace ir;
using interp::Tensor;

namespace {

// Bytes whose end (or start) meets a page that cannot be touched.
class Guarded {
 public:
  Guarded(size_t bytes, bool at_end) {
    size_t page = 4096, whole = (bytes + page - 1) / page * page;
    size_ = whole + 2 * page;
    base_ =
        static_cast<uint8_t*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (whole > 0) mprotect(base_ + page, whole, PROT_READ | PROT_WRITE);
    data_ = base_ + page + (at_end ? whole - bytes : 0);
  }
  Guarded(const Guarded&) = delete;
  ~Guarded() { munmap(base_, size_); }
  uint8_t* data() const { return data_; }

 private:
  uint8_t *base_, *data_;
  size_t size_;
};

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

struct Run {
  ProcRef loops;
  std::vector<Tensor> inputs, wanted;
  std::vector<Scalar> scalars;
};

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
    }
  return found;
}

// Arguments in the order of the entry, outputs fresh.
struct Arguments {
  std::vector<Tensor> outputs;
  interp::Arguments list;
};

Arguments arguments(const Case& c, Run& run) {
  Arguments out;
  for (const Tensor& t : run.wanted)
    out.outputs.push_back(Tensor::of_box(t.type(), t.mins(), t.extents()));
  size_t input = 0, scalar = 0, output = 0;
  for (const EntryArg& arg : run.loops->entry->args) {
    if (arg.kind == EntryArg::Kind::Scalar) out.list.emplace_back(run.scalars[scalar++]);
    if (arg.kind == EntryArg::Kind::Input) out.list.emplace_back(run.inputs[input++]);
    if (arg.kind == EntryArg::Kind::Output) out.list.emplace_back(out.outputs[output++]);
  }
  (void)c;
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
  Arguments args = arguments(c, run);
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

std::string native(const Case& c, Run& run, const ProcRef& flat) {
  codegen::JitOptions options;
  int count = 0;
  const hocket_runtime_symbol_t* table = hocket_runtime_table(&count);
  options.runtime.assign(table, table + count);
  auto module = codegen::JitModule::compile({flat}, options);
  if (!module) return "llvm: " + module.error().message();
  codegen::PipelineSymbols symbols = module->pipeline(flat->entry->pipeline);
  for (bool at_end : {true, false}) {
    Arguments args = arguments(c, run);
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
      Type ty = t.type();
      b.type.code = static_cast<uint8_t>(ty.is_float()  ? HOCKET_TYPE_FLOAT
                                         : ty.is_bool() ? HOCKET_TYPE_BOOL
                                         : ty.is_uint() ? HOCKET_TYPE_UINT
                                                        : HOCKET_TYPE_INT);
      b.type.bits = ty.bits;
      b.type.lanes = 1;
      b.dimensions = t.rank();
      b.dim = dims.back().data();
      buffers.push_back(b);
      tensors.push_back(&t);
      pointers.push_back(&buffers.back());
    }
    int code = symbols.argv(nullptr, pointers.data());
    if (code != 0) {
      const hocket_error_t* e = hocket_last_error();
      char text[512] = "";
      if (e) hocket_error_message(e, text, sizeof text);
      return "llvm: code " + std::to_string(code) + " " + text;
    }
    for (size_t i = 0; i < tensors.size(); ++i) {
      size_t bytes = static_cast<size_t>(tensors[i]->cells()) *
                     static_cast<size_t>(tensors[i]->type().bytes());
      if (bytes) std::memcpy(tensors[i]->data(), memory[i]->data(), bytes);
      tensors[i]->mark_computed();
    }
    std::string wrong = compare(args.outputs, run, c, "llvm");
    if (!wrong.empty()) return wrong;
  }
  return "";
}

Verdict fail(std::string text) {
  return {Verdict::Kind::Fail, std::move(text)};
}

Verdict judge_unguarded(const Case& c, const JudgeOptions& options) {
  if (auto v = verify(*c.algorithm); !v) return fail("verify algorithm: " + v.error().message());
  schedule::Plan draft = schedule::default_plan(c.algorithm);
  for (const Directive& d : c.schedule.directives)
    if (auto r = schedule::apply(draft, d); !r)
      return {Verdict::Kind::Refused, std::string(r.error().kind->code)};
  auto sealed = schedule::seal(draft);
  if (!sealed) return {Verdict::Kind::Refused, std::string(sealed.error().kind->code)};
  Run run;
  auto loops = lower::loops::to_loops(sealed->plan);
  if (!loops) return {Verdict::Kind::Refused, std::string(loops.error().kind->code)};
  run.loops = *loops;
  if (auto v = verify(*run.loops); !v) return fail("verify loops: " + diag::render_text(v.error()));

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
        if (hi - lo > 4000) return {Verdict::Kind::Meaningless, "input too large"};
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
      if (hi >= lo && (lo < min || hi > min + extent - 1)) return {Verdict::Kind::Refused, "entry"};
    }
  }
  auto wanted = interp::evaluate(*c.algorithm, bindings, regions);
  if (!wanted) {
    std::string text = wanted.error().message();
    if (text.find("outside") != std::string::npos || text.find("region") != std::string::npos)
      return fail("evaluate: " + diag::render_text(wanted.error()));
    return {Verdict::Kind::Meaningless, text};
  }
  run.wanted = std::move(*wanted);

  std::string wrong = interpret(c, run, run.loops, true, "loop form");
  if (!wrong.empty()) return fail(wrong);
  if (!options.flat) return {};
  target::Target target = target::host();
  auto flat = lower::to_flat(run.loops, target);
  if (!flat) return fail("to_flat: " + diag::render_text(flat.error()));
  if (auto v = verify(**flat); !v) return fail("verify flat: " + diag::render_text(v.error()));
  wrong = interpret(c, run, *flat, false, "flat form");
  if (!wrong.empty()) return fail(wrong);
  if (options.llvm) wrong = native(c, run, *flat);
  if (!wrong.empty()) return fail(wrong);
  return {};
}

}  // namespace

Verdict judge(const Case& c, const JudgeOptions& options) {
  try {
    return judge_unguarded(c, options);
  } catch (const support::InternalError& e) {
    return fail(std::string("assertion: ") + e.what());
  } catch (const std::string& s) {
    return fail(s);
  }
}

std::string describe(const Case& c) {
  std::string out = to_text(*c.algorithm) + "\n" + to_text(c.schedule) + "\n# outputs:";
  for (const auto& box : c.outputs) {
    out += " [";
    for (auto [min, extent] : box) out += " " + std::to_string(min) + "+" + std::to_string(extent);
    out += " ]";
  }
  return out + " data " + std::to_string(c.data) + "\n";
}

namespace {

bool fails(const Case& c, const JudgeOptions& options) {
  return judge(c, options).kind == Verdict::Kind::Fail;
}

// Simpler expressions of the same type that stand inside e, or e with one child simplified.
void simpler(const Expr& e, std::vector<Expr>& out) {
  for (const Expr& child : children(e))
    if (child.type() == e.type()) out.push_back(child);
  std::vector<Expr> kids = children(e);
  for (size_t i = 0; i < kids.size(); ++i) {
    std::vector<Expr> smaller;
    simpler(kids[i], smaller);
    for (const Expr& s : smaller) {
      size_t at = 0;
      out.push_back(map_children(e, [&](const Expr& k) { return at++ == i ? s : k; }));
    }
  }
}

}  // namespace

Case reduce(Case c, const JudgeOptions& options) {
  int budget = 600;
  for (bool progress = true; progress && budget > 0;) {
    progress = false;
    auto attempt = [&](Case smaller) {
      if (budget-- <= 0 || !fails(smaller, options)) return false;
      c = std::move(smaller);
      progress = true;
      return true;
    };
    for (size_t i = c.schedule.directives.size(); i-- > 0;) {
      Case s = c;
      s.schedule.directives.erase(s.schedule.directives.begin() + static_cast<std::ptrdiff_t>(i));
      attempt(std::move(s));
    }
    for (size_t o = 0; o < c.outputs.size(); ++o)
      for (size_t d = 0; d < c.outputs[o].size(); ++d) {
        for (int64_t e : {c.outputs[o][d].second / 2, c.outputs[o][d].second - 1}) {
          Case s = c;
          if (e < 0 || e >= s.outputs[o][d].second) continue;
          s.outputs[o][d].second = e;
          attempt(std::move(s));
        }
        if (c.outputs[o][d].first != 0) {
          Case s = c;
          s.outputs[o][d].first = 0;
          attempt(std::move(s));
        }
      }
    for (size_t f = 0; f < c.algorithm->funcs.size(); ++f) {
      if (!c.algorithm->funcs[f].updates.empty()) {
        Case s = c;
        auto a = std::make_shared<Algorithm>(*c.algorithm);
        a->funcs[f].updates.pop_back();
        s.algorithm = a;
        attempt(std::move(s));
      }
      for (int stage = 0; stage < c.algorithm->funcs[f].num_stages(); ++stage) {
        std::vector<Expr> options_here;
        simpler(c.algorithm->funcs[f].stage(stage).values[0], options_here);
        for (const Expr& e : options_here) {
          Case s = c;
          auto a = std::make_shared<Algorithm>(*c.algorithm);
          (stage == 0 ? a->funcs[f].pure : a->funcs[f].updates[static_cast<size_t>(stage - 1)])
              .values[0] = e;
          s.algorithm = a;
          if (attempt(std::move(s))) break;
        }
      }
    }
  }
  return c;
}

}  // namespace hocket::street
