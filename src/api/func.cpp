#include "api/func.h"

#include <iostream>

#include "api/contents.h"
#include "api/free_vars.h"
#include "driver/dry_run.h"
#include "schedule/draft.h"
#include "schedule/trial.h"
#include "support/strings.h"
#include "target/memory.h"

namespace hocket {

using api::FuncContents;
using support::Place;

namespace {

std::string spoken(const FuncContents& c) {
  const std::string& name = c.func.sym.name();
  return name.empty() ? "f@" + c.func.place.spoken() : name;
}

// The Func on its own, for the verbs that only look at its loops.
void start_draft(FuncContents& c) {
  auto alone = std::make_shared<ir::Algorithm>();
  ir::Func f = c.func;
  if (f.sym.name().empty()) f.sym = ir::Symbol::fresh(spoken(c), f.sym.type(), f.place);
  alone->name = f.sym.name();
  c.draft_names.clear();
  for (ir::Symbol& arg : f.args)
    if (arg.name().empty())
      arg = ir::Symbol::fresh(api::word_of(arg, c.draft_names), arg.type(), arg.place());
  alone->outputs = {f.sym};
  alone->funcs.push_back(std::move(f));
  c.draft = schedule::default_plan(alone);
}

// Runs the Func with its producers in one piece, its stages as the draft has them.
schedule::DryRun dry_run_of(FuncContents& c) {
  schedule::DryRun dry;
  dry.replay = [&c](const schedule::Plan& draft,
                    const schedule::Judgement& judge) -> schedule::Replay {
    try {
      const api::Snapshot now = api::snapshot({support::Ref<FuncContents>(&c)}, "");
      schedule::Plan whole = schedule::all_at_root(now.algorithm);
      whole.of(now.algorithm->outputs.front()).stages = draft.funcs.front().stages;
      return driver::dry_run().replay(whole, judge);
    } catch (const Error& e) {  // a producer that is not defined yet
      return {{}, "it cannot be run: " + e.diagnostic().message()};
    }
  };
  return dry;
}

bool is_of_own_loops(ir::Verb v) {
  switch (v) {
    case ir::Verb::ComputeRoot:
    case ir::Verb::ComputeAt:
    case ir::Verb::ComputeInline:
    case ir::Verb::StoreRoot:
    case ir::Verb::StoreAt:
    case ir::Verb::Bound:
    case ir::Verb::FoldStorage:  // a Func has storage once another one reads it
    case ir::Verb::ReorderStorage:
    case ir::Verb::StoreIn:
      return false;
    default:
      return true;
  }
}

// Judges the directive where it is said, and keeps it.
void keep(FuncContents& c, api::Said said) {
  if (!c.defined)
    refuse("`" + spoken(c) + "` is scheduled before it is defined", said.directive.place);
  if (is_of_own_loops(said.directive.verb)) {
    if (!c.draft) start_draft(c);
    ir::Directive d = said.directive;
    d.func = c.draft->funcs.front().func.name();
    for (const ir::Symbol& l : said.loops) d.names.push_back(api::word_of(l, c.draft_names));
    or_throw(schedule::apply(*c.draft, d, dry_run_of(c)));
  }
  c.said.push_back(std::move(said));
  ++c.version;
}

ir::Directive directive(ir::Verb verb, int stage, std::source_location where) {
  ir::Directive d;
  d.verb = verb;
  d.stage = stage;
  d.place = Place::of(where);
  return d;
}

}  // namespace

// ---- Stages -------------------------------------------------------------------------------------

std::string Stage::name() const {
  return stage_ == 0 ? spoken(*contents_)
                     : spoken(*contents_) + ".update(" + std::to_string(stage_ - 1) + ")";
}

void Stage::say(ir::Verb verb, const std::vector<Loop>& loops, std::vector<int64_t> factors,
                TailStrategy tail, Where where) {
  api::Said said;
  said.directive = directive(verb, stage_, where);
  said.directive.factors = std::move(factors);
  said.directive.tail = tail;
  for (const Loop& l : loops) said.loops.push_back(l.symbol());
  keep(*contents_, std::move(said));
}

// ---- Funcs --------------------------------------------------------------------------------------

Func::Func(Where where) : Func(std::string(), where) {}
Func::Func(const std::string& name, Where where) : Stage(support::make_ref<FuncContents>(), 0) {
  contents_->func.place = Place::of(where);
  contents_->func.sym = ir::Symbol::fresh(name, ir::Type::i(32), contents_->func.place);
  contents_->identity = contents_->func.sym;
}

Func::Func(const ImageParam& image, Where where) : Func(image.name(), where) {
  std::vector<Var> vars;
  std::vector<Here> at;
  for (const std::string& dim : image.contents()->image.dims) {
    vars.emplace_back(dim, where);
    at.push_back(Here(vars.back(), where));
  }
  (*this)(vars, where) = Here(image.call(at), where);
}
Func::Func(const BufferBase& buffer, Where where) : Func(api::input_of(buffer, where), where) {}
Func::Func(const Expr& value, Where where) : Func(std::string(), where) {
  std::vector<Here> at;
  for (const ir::Symbol& v : api::free_variables(api::operand_of(Here(value, where)).expr))
    at.push_back(Here(Expr(ir::make_var(v)), where));
  FuncRef(contents_, std::move(at), where) = Here(value, where);
}

FuncRef Func::operator()(const std::vector<Var>& at, Where where) const {
  std::vector<Here> args;
  for (const Var& v : at) args.push_back(Here(v, where));
  return FuncRef(contents_, std::move(args), where);
}
bool Func::defined() const {
  return contents_->defined;
}
int Func::dimensions() const {
  return static_cast<int>(contents_->func.args.size());
}
std::vector<Var> Func::args() const {
  std::vector<Var> out;
  for (const ir::Symbol& a : contents_->func.args) out.push_back(Var(a));
  return out;
}
int Func::num_updates() const {
  return static_cast<int>(contents_->func.updates.size());
}
Type Func::type() const {
  return contents_->func.sym.type();
}

Expr Func::value(Where where) const {
  const std::vector<ir::Expr>& values = contents_->func.pure.values;
  if (values.size() != 1)
    refuse("`" + spoken(*contents_) + "` has " + support::counted(values.size(), "value"),
           Place::of(where));
  return Expr(values[0]);
}
Expr Func::update_value(int i, Where where) const {
  return Expr(contents_->func.stage(update(i, where).index()).values[0]);
}
std::vector<Expr> Func::update_args(int i, Where where) const {
  std::vector<Expr> out;
  for (const ir::Expr& e : contents_->func.stage(update(i, where).index()).args)
    out.push_back(Expr(e));
  return out;
}

Stage Func::update(int i, Where where) const {
  if (i < 0 || i >= num_updates())
    refuse("`" + spoken(*contents_) + "` has no `update(" + std::to_string(i) + ")`: it has " +
               support::counted(contents_->func.updates.size(), "update"),
           Place::of(where));
  return Stage(contents_, i + 1);
}

Func& Func::compute_root(Where w) {
  say(ir::Verb::ComputeRoot, {}, {}, TailStrategy::Auto, w);
  return *this;
}
Func& Func::compute_inline(Where w) {
  say(ir::Verb::ComputeInline, {}, {}, TailStrategy::Auto, w);
  return *this;
}
Func& Func::store_root(Where w) {
  say(ir::Verb::StoreRoot, {}, {}, TailStrategy::Auto, w);
  return *this;
}

namespace {

api::Said at(ir::Verb verb, const Stage& consumer, const Loop& loop, std::source_location where) {
  api::Said said;
  said.directive = directive(verb, 0, where);
  said.directive.site_stage = consumer.index();
  said.site = consumer.contents()->identity;
  said.loops = {loop.symbol()};
  return said;
}

}  // namespace

Func& Func::compute_at(const Stage& consumer, Loop loop, Where w) {
  keep(*contents_, at(ir::Verb::ComputeAt, consumer, loop, w));
  return *this;
}
Func& Func::store_at(const Stage& consumer, Loop loop, Where w) {
  keep(*contents_, at(ir::Verb::StoreAt, consumer, loop, w));
  return *this;
}

LoopLevel::LoopLevel(const Stage& consumer, Loop loop)
    : kind_(Kind::At),
      consumer_(consumer.contents()),
      stage_(consumer.index()),
      loop_(std::move(loop)) {}
Stage LoopLevel::stage() const {
  return Stage(consumer_, stage_);
}

Func& Func::compute_at(const LoopLevel& level, Where w) {
  if (level.is_root()) return compute_root(w);
  if (level.is_inlined()) return compute_inline(w);
  return compute_at(level.stage(), level.loop(), w);
}
Func& Func::store_at(const LoopLevel& level, Where w) {
  if (level.is_root()) return store_root(w);
  if (level.is_inlined())
    refuse("`" + spoken(*contents_) + "` has no storage where it is inlined: say compute_inline",
           Place::of(w));
  return store_at(level.stage(), level.loop(), w);
}

Func& Func::chunk(Loop loop, Where w) {
  api::Said said;
  said.directive = directive(ir::Verb::ComputeAt, 0, w);  // the site is found at the snapshot
  said.loops = {loop.symbol()};
  keep(*contents_, std::move(said));
  return *this;
}
Func& Func::bound(Loop dim, Expr min, Expr extent, Where w) {
  api::Said said;
  said.directive = directive(ir::Verb::Bound, 0, w);
  said.directive.exprs = {or_throw(ir::front_coordinate(min.operand(), Place::of(w))),
                          or_throw(ir::front_coordinate(extent.operand(), Place::of(w)))};
  for (const ir::Expr& e : said.directive.exprs)
    api::refuse_values(e, "the bounds of `" + name() + "`", Place::of(w));
  said.loops = {dim.symbol()};
  keep(*contents_, std::move(said));
  return *this;
}
Func& Func::fold_storage(Loop dim, int64_t extent, Where w) {
  say(ir::Verb::FoldStorage, {dim}, {extent}, TailStrategy::Auto, w);
  return *this;
}
Func& Func::reorder_storage(const std::vector<Loop>& dims, Where w) {
  say(ir::Verb::ReorderStorage, dims, {}, TailStrategy::Auto, w);
  return *this;
}
Func& Func::store_in(const std::string& memory, Where w) {
  api::Said said;
  said.directive = directive(ir::Verb::StoreIn, 0, w);
  or_throw(target::memory(memory, said.directive.place));
  said.directive.names = {memory};
  keep(*contents_, std::move(said));
  return *this;
}

Func& Func::store_in(MemoryType memory, Where w) {
  if (memory == MemoryType::Heap) return store_in(std::string("DRAM"), w);
  if (memory == MemoryType::Stack) return store_in(std::string("DRAM_STACK"), w);
  std::erase_if(contents_->said,
                [](const api::Said& s) { return s.directive.verb == ir::Verb::StoreIn; });
  ++contents_->version;
  return *this;
}

}  // namespace hocket
