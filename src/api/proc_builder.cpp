#include "api/proc_builder.h"

#include "api/loop_contents.h"
#include "diag/kinds_parse.h"
#include "ir/verify.h"
#include "support/strings.h"
#include "target/memory.h"

namespace hocket {

using diag::Diagnostic;
using ir::ParamKind;
using support::Place;

namespace {

void check_name(const std::string& name, const Place& place) {
  if (name.empty()) refuse("a name has at least one letter", place);
}

void check_element(Type type, const Place& place) {
  if (type.lanes() != 1 || type.is_index())
    refuse("a buffer of " + type.name() + ": elements are numbers or bool", place);
}

}  // namespace

ProcBuilder::ProcBuilder(const std::string& name, Where where)
    : contents_(support::make_ref<api::ProcContents>()) {
  const Place place = Place::of(where);
  check_name(name, place);
  contents_->proc.sym = ir::Symbol::fresh(name, Type(), place);
  contents_->proc.place = place;
  contents_->open.emplace_back();
}

// ---- Parameters -------------------------------------------------------------------------------

ir::Symbol ProcBuilder::parameter(ir::Param param, const std::string& name, Type type,
                                  Where where) {
  const Place place = Place::of(where);
  contents_->check_open(place);
  check_name(name, place);
  if (contents_->started)
    refuse("parameter `" + name + "` after the first statement of `" + contents_->proc.name() + "`",
           place);
  for (const ir::Param& p : contents_->proc.params)
    if (p.sym.name() == name)
      throw Error(Diagnostic(diag::kind::defined_twice, place)
                      .arg("name", name)
                      .label(p.sym.place(), "the other one"));
  param.sym = ir::Symbol::fresh(name, type, place);
  contents_->proc.params.push_back(param);
  contents_->open.front().binds.insert(param.sym);
  return param.sym;
}

Expr ProcBuilder::size(const std::string& name, Where where) {
  ir::Param p;
  p.kind = ParamKind::Size;
  return Expr(ir::make_var(parameter(std::move(p), name, Type::index(), where)));
}

Expr ProcBuilder::index(const std::string& name, Where where) {
  return Expr(ir::make_var(parameter({}, name, Type::index(), where)));
}

Expr ProcBuilder::scalar(const std::string& name, Type type, Where where) {
  if (type.is_index()) return index(name, where);
  if (type.lanes() != 1) refuse("a vector as a parameter", Place::of(where));
  ir::Param p;
  p.kind = ParamKind::Scalar;
  return Expr(ir::make_var(parameter(std::move(p), name, type, where)));
}

Tensor ProcBuilder::buffer(bool window, const std::string& name, Type type,
                           const std::vector<Expr>& shape, const std::string& memory, Where where) {
  check_element(type, Place::of(where));
  or_throw(target::memory(memory, Place::of(where)));
  ir::Param p;
  p.kind = ParamKind::Buffer;
  p.window = window;
  p.memory = memory;
  for (const Expr& e : shape) p.shape.push_back(contents_->index(Here(e, where), true));
  TensorName t{contents_, {}, p.shape, window};
  t.symbol = parameter(std::move(p), name, type, where);
  return Tensor(std::move(t));
}

Tensor ProcBuilder::tensor(const std::string& name, Type type, const std::vector<Expr>& shape,
                           const std::string& memory, Where where) {
  return buffer(false, name, type, shape, memory, where);
}
Tensor ProcBuilder::window_param(const std::string& name, Type type, const std::vector<Expr>& shape,
                                 const std::string& memory, Where where) {
  return buffer(true, name, type, shape, memory, where);
}

void ProcBuilder::assert_(const Expr& condition, Where where) {
  const Place place = Place::of(where);
  contents_->check_open(place);
  if (contents_->started) throw Error(Diagnostic(diag::kind::late_assert, place));
  contents_->proc.preconditions.push_back(contents_->condition(Here(condition, where), true));
}

void ProcBuilder::instr(const std::string& c_template, const std::vector<std::string>& features,
                        const std::string& global, Where where) {
  contents_->check_open(Place::of(where));
  contents_->proc.instr = ir::Instr{c_template, global, features};
}

// ---- Statements -------------------------------------------------------------------------------

// What `say` says goes into a list of its own, which ends with it, also where it throws.
ir::Body ProcBuilder::block(const std::function<void()>& say, const ir::Symbol& binds) {
  struct Level {
    api::ProcContents& contents;
    explicit Level(api::ProcContents& c) : contents(c) { c.open.emplace_back(); }
    ~Level() { contents.open.pop_back(); }
  } const level(*contents_);
  if (binds.defined()) contents_->open.back().binds.insert(binds);
  say();
  return std::move(contents_->open.back().body);
}

void ProcBuilder::loop(LoopKind kind, const std::string& name, Expr lo, Expr hi,
                       const LoopBlock& body, Where where) {
  const Place place = Place::of(where);
  contents_->check_open(place);
  check_name(name, place);
  const std::string what = "a bound of the loop `" + name + "`";
  const ir::Expr first = contents_->control(Here(lo, where), what),
                 end = contents_->control(Here(hi, where), what);
  const ir::Symbol var = ir::Symbol::fresh(name, Type::index(), place);
  contents_->started = true;
  ir::Body inside = block([&] { body(Expr(ir::make_var(var))); }, var);
  contents_->say(ir::make_for(var, first, end, kind, std::move(inside), place), place);
}
void ProcBuilder::seq(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
                      Where where) {
  loop(LoopKind::Seq, name, std::move(lo), std::move(hi), body, where);
}
void ProcBuilder::par(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
                      Where where) {
  loop(LoopKind::Unordered, name, std::move(lo), std::move(hi), body, where);
}
void ProcBuilder::parallel(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
                           Where where) {
  loop(LoopKind::Parallel, name, std::move(lo), std::move(hi), body, where);
}
void ProcBuilder::vectorize(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
                            Where where) {
  loop(LoopKind::Vectorized, name, std::move(lo), std::move(hi), body, where);
}
void ProcBuilder::unroll(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
                         Where where) {
  loop(LoopKind::Unrolled, name, std::move(lo), std::move(hi), body, where);
}

void ProcBuilder::if_(const Expr& condition, const Block& then, Where where) {
  if_(condition, then, [] {}, where);
}
void ProcBuilder::if_(const Expr& condition, const Block& then, const Block& otherwise,
                      Where where) {
  const Place place = Place::of(where);
  contents_->check_open(place);
  const ir::Expr cond = contents_->condition(Here(condition, where));
  contents_->started = true;
  ir::Body yes = block(then), no = block(otherwise);
  contents_->say(ir::make_if(cond, std::move(yes), std::move(no), place), place);
}

Expr ProcBuilder::let(const std::string& name, const Expr& value, Where where) {
  const Place place = Place::of(where);
  const ir::Expr e = or_throw(ir::front_expr(api::operand_of(Here(value, where)), place));
  return let(name, e.type(), Expr(e), where);
}
Expr ProcBuilder::let(const std::string& name, Type type, const Expr& value, Where where) {
  const Place place = Place::of(where);
  contents_->check_open(place);
  check_name(name, place);
  if (type.lanes() != 1) refuse("a vector as a let", place);
  const ir::Expr e =
      type.is_index() ? contents_->index(Here(value, where))
                      : contents_->value(Here(value, where), type, "the value of `" + name + "`");
  const ir::Symbol sym = ir::Symbol::fresh(name, type, place);
  contents_->say(ir::make_let(sym, e, place), place, sym);
  return Expr(ir::make_var(sym));
}

Tensor ProcBuilder::alloc(const std::string& name, Type type, const std::vector<Expr>& shape,
                          const std::string& memory, Where where) {
  const Place place = Place::of(where);
  check_name(name, place);
  or_throw(target::memory(memory, place));
  check_element(type, place);
  TensorName t{contents_, ir::Symbol::fresh(name, type, place), {}, false};
  for (const Expr& e : shape)
    t.shape.push_back(contents_->control(Here(e, where), "the shape of `" + name + "`"));
  contents_->say(ir::make_alloc(t.symbol, t.shape, memory, place), place, t.symbol);
  return Tensor(std::move(t));
}

Tensor ProcBuilder::window(const std::string& name, const TensorRef& part, Where where) {
  const Place place = Place::of(where);
  check_name(name, place);
  const ir::Expr w = part.window(place);
  TensorName t{contents_, ir::Symbol::fresh(name, w.type(), place), {}, true};
  for (const ir::WindowDim& d : w.as<ir::Window>()->dims)
    if (!d.is_point()) t.shape.push_back(ir::is_int_equal(d.lo, 0) ? d.hi : d.hi - d.lo);
  contents_->say(ir::make_window_stmt(t.symbol, w, place), place, t.symbol);
  return Tensor(std::move(t));
}

ir::Expr ProcBuilder::argument(const ir::Proc& callee, size_t i, const CallArgument& given,
                               Where where) const {
  const ir::Param& p = callee.params[i];
  const Place place = Place::of(where);
  const auto value = [&] {
    if (given.whole_) return Here(Expr(Tensor(given.tensor_)), where);
    return Here(given.part_.empty() ? given.value_ : Expr(given.part_.front()), where);
  };
  const std::string what = "argument " + std::to_string(i + 1) + " of `" + callee.name() + "`";
  if (p.kind == ParamKind::Size || p.kind == ParamKind::Index)
    return contents_->control(value(), what);
  if (p.kind == ParamKind::Scalar) return contents_->value(value(), p.type(), what);

  std::string shape = "[";
  for (size_t d = 0; d < p.shape.size(); ++d) shape += d ? ", _" : "_";
  shape += "]";
  const std::string as_window = "[" + p.type().name() + "]" + shape;
  auto bad = [&](const std::string& what, const std::string& note = "") {
    Diagnostic e = Diagnostic(diag::kind::call_mismatch, place)
                       .arg("number", static_cast<int64_t>(i + 1))
                       .arg("proc", callee.name())
                       .arg("given", what)
                       .arg("wanted", p.window ? as_window : p.type().name() + shape);
    return Error(note.empty() ? e : std::move(e).note(note));
  };
  if (!given.whole_ && given.part_.empty()) throw bad("an expression");
  contents_->check_buffer(given.tensor_.symbol, place);
  const size_t rank = given.whole_ ? given.tensor_.shape.size() : given.part_.front().rank();
  // One element is dense whatever surrounds it.
  const bool window = rank != 0 && (!given.whole_ || given.tensor_.window);
  const ir::Expr e =
      given.whole_ ? ir::make_var(given.tensor_.symbol) : given.part_.front().window(place);
  if (e.type() != p.type()) throw bad("a buffer of " + e.type().name());
  if (rank != p.shape.size()) throw bad("a buffer with " + support::counted(rank, "dimension"));
  if (window && !p.window)
    throw bad("a window", "`" + p.sym.name() + ": " + as_window + "` would take it");
  return e;
}

void ProcBuilder::call_with(const Proc& callee, const std::vector<CallArgument>& arguments,
                            Where where) {
  const Place place = Place::of(where);
  const ir::Proc& proc = *callee.ir();
  if (arguments.size() != proc.params.size())
    throw Error(Diagnostic(diag::kind::wrong_count, place)
                    .arg("name", proc.name())
                    .arg("wanted", std::to_string(proc.params.size()))
                    .arg("of", "arguments")
                    .arg("given", static_cast<int64_t>(arguments.size())));
  if (proc.entry || proc.form != ir::Form::Loops)
    refuse("`" + proc.name() + "` is no loop program: loop programs call only those", place);
  std::vector<ir::Expr> args;
  for (size_t i = 0; i < arguments.size(); ++i)
    args.push_back(argument(proc, i, arguments[i], where));
  contents_->say(ir::make_call(callee.ir(), std::move(args), place), place);
  library_.push_back(callee.ir());
}

void ProcBuilder::check(const Expr& condition, const std::string& message, int code, Where where) {
  const Place place = Place::of(where);
  contents_->say(ir::make_check(contents_->condition(Here(condition, where)), code, message, place),
                 place);
}

void ProcBuilder::pass(Where where) {
  contents_->say(ir::make_pass(Place::of(where)), Place::of(where));
}

Proc ProcBuilder::build(Where where) {
  const Place place = Place::of(where);
  contents_->check_open(place);
  if (contents_->open.size() != 1)
    refuse("`" + contents_->proc.name() + "` is built inside one of its own blocks", place);
  ir::Proc proc = contents_->proc;
  proc.body = contents_->open.front().body;
  or_throw(ir::verify(proc));
  contents_->built = true;
  return Proc(ir::ProcRef(new ir::Proc(std::move(proc))), library_);
}

}  // namespace hocket
