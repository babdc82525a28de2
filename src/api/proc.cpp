#include "api/proc.h"

#include <mutex>
#include <optional>

#include "api/files.h"
#include "api/library.h"
#include "diag/kinds_driver.h"
#include "diag/kinds_rewrite.h"
#include "driver/header.h"
#include "driver/loop_check.h"
#include "driver/target_library.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "rewrite/apply.h"
#include "rewrite/pattern.h"
#include "text/parser.h"

namespace hocket {

using support::Place;

namespace api {

struct ProcState {
  rewrite::State state;
  ir::ProcRef origin;
  std::vector<ir::ProcRef> library;
  mutable std::mutex mutex;
  mutable std::optional<Callable> code;  // made by the first run
  mutable std::once_flag judging;
  mutable std::vector<diag::Diagnostic> refuted;  // once judged

  ProcState(rewrite::State s, ir::ProcRef first, std::vector<ir::ProcRef> known)
      : state(std::move(s)), origin(std::move(first)), library(std::move(known)) {}
};

}  // namespace api

namespace {

// The value, or its refusal thrown, at this place where it has none of its own.
template <class T>
T made_at(diag::Result<T> result, const Place& place) {
  if (!result.ok() && !result.error().place.known()) result.error().place = place;
  return or_throw(std::move(result));
}

}  // namespace

RunArgument::RunArgument(const BufferBase& buffer) {
  argument_.is_memory = argument_.has_layout = true;
  if (!buffer.defined()) return;
  argument_.data = buffer.raw_data();
  argument_.type = buffer.type();
  for (int d = buffer.dimensions(); d-- > 0;) {
    argument_.extents.push_back(buffer.extent(d));
    argument_.strides.push_back(buffer.stride(d));
  }
}

Proc::Proc(ir::ProcRef proc, std::vector<ir::ProcRef> library) {
  rewrite::State begin = rewrite::State::begin(proc);
  state_ =
      std::make_shared<const api::ProcState>(std::move(begin), std::move(proc), std::move(library));
}

const ir::ProcRef& Proc::ir() const {
  return state_->state.proc();
}
std::string Proc::text() const {
  return ir::to_text(*ir());
}
std::string Proc::text_alone() const {
  return ir::to_text_alone(*ir());
}

Proc Proc::with(const Library& library) const {
  std::vector<ir::ProcRef> known = state_->library;
  known.insert(known.end(), library.procs().begin(), library.procs().end());
  return Proc(std::make_shared<const api::ProcState>(state_->state, state_->origin, known));
}

// ---- Cursors ----------------------------------------------------------------------------------

Cursor Proc::find(const std::string& pattern, Where where) const {
  return {ir(), or_throw(rewrite::find_one(*ir(), pattern, Place::of(where))).id()};
}
std::vector<Cursor> Proc::find_all(const std::string& pattern, Where where) const {
  std::vector<Cursor> out;
  for (const ir::Stmt& s : or_throw(rewrite::find_all(*ir(), pattern, Place::of(where))))
    out.emplace_back(ir(), s.id());
  return out;
}
Cursor Proc::find_loop(const std::string& name, Where where) const {
  const bool plain = name.find_first_of(" #") == std::string::npos;
  const std::string pattern = plain ? "for " + name + " in _: _" : name;
  const ir::Stmt found = or_throw(rewrite::find_one(*ir(), pattern, Place::of(where)));
  if (found.kind() != ir::StmtKind::For)
    throw Error(diag::Diagnostic(diag::kind::wrong_statement, Place::of(where))
                    .arg("op", "find_loop")
                    .arg("wanted", "a loop")
                    .arg("pattern", name)
                    .arg("given", "`" + rewrite::spoken(found) + "`"));
  return {ir(), found.id()};
}
std::vector<Cursor> Proc::body() const {
  std::vector<Cursor> out;
  for (const ir::Stmt& s : ir()->body) out.emplace_back(ir(), s.id());
  return out;
}
bool Proc::contains(const Cursor& cursor) const {
  return rewrite::locate(*ir(), cursor.id()).has_value();
}
Cursor Proc::forward(const Cursor& cursor, Where where) const {
  if (!contains(cursor)) api::pattern_in(ir(), cursor, Place::of(where));  // refuses
  return {ir(), cursor.id()};
}

// ---- Steps ------------------------------------------------------------------------------------

Proc Proc::apply(const std::string& op, const std::vector<StepArgument>& arguments,
                 Where where) const {
  const Place place = Place::of(where);
  ir::TraceStep step;
  step.op = op;
  step.place = place;
  std::vector<ir::ProcRef> known = state_->library;
  for (const StepArgument& a : arguments) {
    ir::Literal value = a.literal(ir(), place);
    if (a.keyword().empty())
      step.args.push_back(std::move(value));
    else
      step.keywords.emplace_back(a.keyword(), std::move(value));
    if (const Callee* callee = a.callee(); callee && callee->proc()) {
      for (const ir::ProcRef& p : known)
        if (p->name() == callee->name() && !ir::equal(*p, *callee->proc()))
          refuse("`" + name() + "` already knows another procedure `" + callee->name() + "`",
                 place);
      known.push_back(callee->proc());
    }
  }
  rewrite::Library library{made_at(driver::target_procs(), place)};
  library.procs.insert(library.procs.end(), known.begin(), known.end());
  rewrite::State next = made_at(rewrite::apply(state_->state, step, library), place);
  return Proc(
      std::make_shared<const api::ProcState>(std::move(next), state_->origin, std::move(known)));
}

const ir::Trace& Proc::trace() const {
  return state_->state.trace();
}
std::string Proc::trace_text(const std::string& name) const {
  ir::Trace named = trace();
  named.name = name;
  return ir::to_text(named);
}
std::string Proc::file_text(const std::string& name) const {
  std::vector<ir::ProcRef> procs = rewrite::named_procs(trace(), rewrite::Library{state_->library});
  procs.push_back(state_->origin);
  return ir::to_text(procs) + "\n" + trace_text(name);
}
Proc Proc::origin() const {
  return Proc(state_->origin, state_->library);
}

Proc Proc::replay(const ir::Trace& trace, Where where) const {
  const Place place = Place::of(where);
  if (!trace.proc.empty() && trace.proc != name())
    refuse("trace `" + trace.name + "` is for `" + trace.proc + "`, not for `" + name() + "`",
           place);
  rewrite::Library library{made_at(driver::target_procs(), place)};
  library.procs.insert(library.procs.end(), state_->library.begin(), state_->library.end());
  rewrite::State state = state_->state;
  for (const ir::TraceStep& step : trace.steps) {
    auto next = rewrite::apply(state, step, library);
    if (!next.ok()) next.error().label(place, "replayed here");
    state = made_at(std::move(next), place);
  }
  return Proc(
      std::make_shared<const api::ProcState>(std::move(state), state_->origin, state_->library));
}

Proc Proc::replay(std::string_view text, Where where) const {
  const text::File file = or_throw(text::parse(text, "trace"));
  const ir::Trace* trace =
      file.items.size() == 1 ? std::get_if<ir::Trace>(&file.items[0].value) : nullptr;
  if (!trace) refuse("the text to replay holds one trace and nothing else", Place::of(where));
  return replay(*trace, where);
}

// ---- Running and compiling --------------------------------------------------------------------

namespace {

// Checked arguments; what `f` refuses, and what they are refused for, stands at the call.
template <class F>
void with_call(const ir::Proc& proc, const std::vector<RunArgument>& arguments, const Place& place,
               F&& f) {
  if (proc.entry) refuse("`" + proc.name() + "` is made from a pipeline; its Func runs it", place);
  std::vector<driver::LoopArgument> plain;
  for (const RunArgument& a : arguments) plain.push_back(a.argument());
  const driver::LoopCall call = made_at(driver::LoopCall::make(proc, plain), place);
  diag::Result<void> done = f(call);
  if (done.ok()) return;
  done.error().place = place;
  throw Error(std::move(done.error()));
}

}  // namespace

void Proc::run_with(const std::vector<RunArgument>& arguments, Where where) const {
  with_call(*ir(), arguments, Place::of(where), [&](const driver::LoopCall& call) {
    const Callable code = [&] {
      const std::lock_guard<std::mutex> lock(state_->mutex);
      if (!state_->code) state_->code = compile_to_callable({}, where);
      return *state_->code;
    }();
    return code.run(call.addresses());
  });
}

void Proc::interpret_with(const std::vector<RunArgument>& arguments, Where where) const {
  with_call(*ir(), arguments, Place::of(where),
            [&](const driver::LoopCall& call) { return call.run_guarded(*ir()); });
}

// A loop program runs without guards: what is refuted is neither run nor written, as on the command
// line. What is unknown is taken to hold. Judged once; pipelines have rules of their own.
void Proc::check_claims() const {
  if (ir()->entry) return;
  std::call_once(state_->judging,
                 [&] { state_->refuted = driver::judge_loop_program(*ir()).refuted; });
  if (!state_->refuted.empty()) throw Error(state_->refuted.front());
}

driver::Artifact Proc::made(driver::Product product, const driver::Options& options,
                            Where where) const {
  check_claims();
  return made_at(driver::compile(source(), product, options), Place::of(where));
}

Callable Proc::compile_to_callable(const driver::Options& options, Where where) const {
  return Callable(made(driver::Product::Code, options, where));
}
void Proc::compile_to_object(const std::string& base, const driver::Options& options,
                             Where where) const {
  const driver::Artifact object = made(driver::Product::Object, options, where);
  api::write_files({{base + ".o", object.text}, {base + ".h", driver::header_text(*object.flat)}},
                   where);
}
void Proc::compile_to_c(const std::string& file, const driver::Options& options,
                        Where where) const {
  api::write_files({{file, c_text(options, where)}}, where);
}
std::string Proc::c_text(const driver::Options& options, Where where) const {
  return made(driver::Product::CText, options, where).text;
}

}  // namespace hocket
