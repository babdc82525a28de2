// Running and compiling Funcs and Pipelines: contents -> snapshot -> driver.
#include <array>
#include <iostream>

#include "api/contents.h"
#include "api/func.h"
#include "api/pipeline.h"
#include "diag/render.h"
#include "ir/print.h"

namespace hocket {

using support::Place;
using support::Ref;

namespace api {

bool Compiled::is_current() const {
  // Consumers come first: while a consumer stands as it was, it keeps its producers alive.
  for (size_t i = 0; i < made_from.funcs.size(); ++i)
    if (made_from.funcs[i]->version != made_from.versions[i]) return false;
  return true;
}

std::shared_ptr<const Compiled> compiled(const std::vector<Ref<FuncContents>>& outputs,
                                         const std::string& name) {
  FuncContents& first = *outputs.front();
  const std::lock_guard<std::mutex> lock(first.mutex);
  if (first.compiled && first.compiled->made_from.algorithm->outputs.size() == outputs.size() &&
      first.compiled->is_current())
    return first.compiled;
  Snapshot now = snapshot(outputs, name);
  driver::Callable code =
      or_throw(driver::Callable::make(driver::Source(now.algorithm, now.schedule)));
  std::vector<Slot> slots;
  for (const Ref<support::RefCounted>& a : now.arguments)
    slots.push_back({dynamic_cast<ImageContents*>(a.get()), dynamic_cast<ParamContents*>(a.get())});
  first.compiled =
      std::make_shared<const Compiled>(Compiled{std::move(code), std::move(now), std::move(slots)});
  return first.compiled;
}

namespace {

// Calls f with the addresses of all arguments.
template <class F>
auto with_arguments(const Compiled& code, hocket_buffer_t* const* outputs, size_t count, F&& f) {
  const size_t n = code.slots.size() + count;
  std::array<void*, 16> few;
  std::vector<void*> many;
  void** args = few.data();
  if (n > few.size()) {
    many.resize(n);
    args = many.data();
  }
  size_t at = 0;
  for (const Slot& s : code.slots) {
    if (s.image) {
      if (!s.image->bound.defined())
        refuse("no buffer is set for input `" + s.image->image.sym.name() + "`",
               s.image->image.place);
      args[at++] = s.image->bound.raw_buffer();
    } else {
      if (!s.param->set)
        refuse("no value is set for parameter `" + s.param->param.sym.name() + "`",
               s.param->param.place);
      args[at++] = &s.param->bits;
    }
  }
  for (size_t i = 0; i < count; ++i) args[at++] = outputs[i];
  return f(args, n);
}

}  // namespace

int32_t call(const Compiled& code, hocket_buffer_t* const* outputs, size_t count) {
  return with_arguments(code, outputs, count,
                        [&](void** args, size_t) { return code.callable.call(args); });
}

void call_or_throw(const Compiled& code, hocket_buffer_t* const* outputs, size_t count,
                   const std::source_location& where) {
  with_arguments(code, outputs, count, [&](void** args, size_t n) {
    diag::Result<void> done = code.callable.run({args, n});
    if (done.ok()) return;
    done.error().place = Place::of(where);
    throw Error(std::move(done.error()));
  });
}

}  // namespace api

namespace {

// Where the user's word decides what an output spans, an output of another size is refused.
void keep_bounds(const Func& f, const api::BufferBox& asked, api::BufferBox& box) {
  const api::FuncContents& c = *f.contents();
  for (const api::Said& s : c.said)
    for (size_t d = 0; d < box.size() && d < c.func.args.size(); ++d)
      if (s.directive.verb == ir::Verb::Bound && s.loops.front() == c.func.args[d])
        box[d] = asked[d];
}

}  // namespace

// ---- Pipeline -----------------------------------------------------------------------------------

Pipeline::Pipeline(std::vector<Func> outputs, std::string name)
    : outputs_(std::move(outputs)), name_(std::move(name)) {
  if (outputs_.empty()) refuse("a Pipeline has at least one output", {});
}

std::vector<Ref<api::FuncContents>> Pipeline::contents() const {
  std::vector<Ref<api::FuncContents>> out;
  for (const Func& f : outputs_) out.push_back(f.contents());
  return out;
}

Realization Pipeline::realize(const std::vector<int64_t>& sizes, Where where) {
  for (const Func& f : outputs_)
    if (!f.defined()) refuse("`" + f.name() + "` is never defined", Place::of(where));
  const std::shared_ptr<const api::Compiled> code = api::compiled(contents(), name_);
  api::BufferBox asked;
  for (const int64_t size : sizes) asked.emplace_back(0, size);
  std::vector<api::BufferBox> boxes(outputs_.size(), asked);
  api::grow_to_what_is_written(*code, boxes);
  for (size_t i = 0; i < outputs_.size(); ++i) keep_bounds(outputs_[i], asked, boxes[i]);
  const auto run = [&](const std::vector<api::BufferBox>& over) {
    std::vector<BufferBase> buffers;
    std::vector<hocket_buffer_t*> raw;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      std::vector<int64_t> mins, extents;
      for (const auto& [min, extent] : over[i]) mins.push_back(min), extents.push_back(extent);
      buffers.emplace_back(outputs_[i].type(), extents, nullptr, where);
      buffers.back().set_min(mins, where);
      raw.push_back(buffers.back().raw_buffer());
    }
    api::call_or_throw(*code, raw.data(), raw.size(), where);
    return buffers;
  };
  const std::vector<api::BufferBox> as_asked(outputs_.size(), asked);
  if (boxes == as_asked) return Realization(run(boxes), where);
  try {
    std::vector<BufferBase> whole = run(boxes);
    for (BufferBase& b : whole) b.crop(asked, where);
    return Realization(std::move(whole), where);
  } catch (const Error& larger) {  // why it was made larger is why it is refused in these sizes
    diag::Diagnostic refusal = larger.diagnostic();
    try {
      run(as_asked);
    } catch (const Error& e) {
      const std::string why = e.diagnostic().message();
      if (why != refusal.message()) refusal.note("the output was made larger than asked: " + why);
    }
    throw Error(std::move(refusal));
  }
}

void Pipeline::realize(const Realization& into, Where where) {
  if (into.size() != outputs_.size())
    refuse("this Pipeline has " + std::to_string(outputs_.size()) + " outputs, it is given " +
               std::to_string(into.size()) + " buffers",
           Place::of(where));
  std::vector<hocket_buffer_t*> raw;
  for (const BufferBase& b : into) raw.push_back(b.raw_buffer());
  api::call_or_throw(*api::compiled(contents(), name_), raw.data(), raw.size(), where);
}

driver::Source Pipeline::source() const {
  api::Snapshot s = api::snapshot(contents(), name_);
  return driver::Source(s.algorithm, s.schedule);
}

std::string Pipeline::text(Where) const {
  api::Snapshot s = api::snapshot(contents(), name_);
  s.schedule.name = "s";
  const std::string algorithm = ir::to_text(*s.algorithm);
  return s.schedule.directives.empty() ? algorithm : algorithm + "\n" + ir::to_text(s.schedule);
}

std::string Pipeline::loop_nest(Where) {
  return ir::to_text(*or_throw(driver::compile(source(), driver::Product::Loops)).loops);
}

std::vector<std::string> Pipeline::warnings(Where) {
  const driver::Artifact made = or_throw(driver::compile(source(), driver::Product::Loops));
  std::vector<std::string> out;
  for (const diag::Diagnostic& w : made.warnings) out.push_back(diag::render_text(w));
  return out;
}

// ---- Func ---------------------------------------------------------------------------------------

Buffer<> Func::realize(const std::vector<int64_t>& sizes, Where where) {
  return Pipeline(*this).realize(sizes, where);
}

void Func::realize(const BufferBase& into, Where where) {
  std::shared_ptr<const api::Compiled> code = api::compiled({contents_}, "");
  hocket_buffer_t* const raw = into.raw_buffer();
  api::call_or_throw(*code, &raw, 1, where);
}

void Func::realize(const Realization& into, Where where) {
  Pipeline(*this).realize(into, where);
}
void Func::compile_jit(Where) {
  api::compiled({contents_}, "");
}
std::string Func::loop_nest(Where where) {
  return Pipeline(*this).loop_nest(where);
}
std::vector<std::string> Func::warnings(Where where) {
  return Pipeline(*this).warnings(where);
}
std::string Func::text(Where where) const {
  return Pipeline(*this).text(where);
}
void Func::print_loop_nest(Where where) {
  std::cout << loop_nest(where);
}
driver::Source source_of(const Func& output) {
  return Pipeline(output).source();
}

}  // namespace hocket
