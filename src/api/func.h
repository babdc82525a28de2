// Funcs: what is computed, and the verbs that say how.
//
// f(x, y) = e defines, f(r.x) += e updates, f(x + 1, y) reads. Verbs on f are of its pure
// definition, on f.update(i) of an update; each is judged where it is said. realize compiles what
// has changed since the last time and runs it. Used by: users, through hocket.h.
#pragma once

#include <initializer_list>
#include <source_location>
#include <string>
#include <vector>

#include "api/buffer.h"
#include "api/compile_to.h"
#include "api/expr.h"
#include "api/loop_level.h"
#include "api/memory_type.h"
#include "api/param.h"
#include "api/realization.h"
#include "driver/callable.h"
#include "ir/schedule.h"

namespace hocket {

namespace api {
struct FuncContents;
}

// What happens where a factor does not divide an extent.
struct TailStrategy {
  ir::Tail tail;
  constexpr TailStrategy(ir::Tail t) : tail(t) {}
  constexpr operator ir::Tail() const { return tail; }
  static const TailStrategy Auto, RoundUp, GuardWithIf, ShiftInwards, Guard;
};
inline constexpr TailStrategy TailStrategy::Auto{ir::Tail::Auto};
inline constexpr TailStrategy TailStrategy::RoundUp{ir::Tail::RoundUp};
inline constexpr TailStrategy TailStrategy::GuardWithIf{ir::Tail::Guard};
inline constexpr TailStrategy TailStrategy::Guard{ir::Tail::Guard};
inline constexpr TailStrategy TailStrategy::ShiftInwards{ir::Tail::ShiftInwards};

using Verb = ir::Verb;

class Func;

// The place `root` of 2012: f.compute_at(ROOT).
struct RootPlace {};
inline constexpr RootPlace ROOT{};

// The verbs of one stage, of a Func those of its first: what is said of a Func goes on with the
// Func, f.vectorize(x, 8).compute_root().
template <class Self>
class StageVerbs {
 public:
  using Where = std::source_location;
  Self& split(Loop old, Loop outer, Loop inner, int64_t factor,
              TailStrategy tail = TailStrategy::Auto, Where where = Where::current()) {
    return said(Verb::Split, {old, outer, inner}, {factor}, tail, where);
  }
  Self& fuse(Loop inner, Loop outer, Loop fused, Where where = Where::current()) {
    return said(Verb::Fuse, {inner, outer, fused}, {}, TailStrategy::Auto, where);
  }
  Self& tile(Loop x, Loop y, Loop xo, Loop yo, Loop xi, Loop yi, int64_t fx, int64_t fy,
             TailStrategy tail = TailStrategy::Auto, Where where = Where::current()) {
    return said(Verb::Tile, {x, y, xo, yo, xi, yi}, {fx, fy}, tail, where);
  }
  Self& tile(Loop x, Loop y, Loop xi, Loop yi, int64_t fx, int64_t fy,
             TailStrategy tail = TailStrategy::Auto, Where where = Where::current()) {
    return said(Verb::Tile, {x, y, xi, yi}, {fx, fy}, tail, where);
  }
  // As many loops as there are factors: split each, the inner halves inside all outer ones.
  Self& tile(const std::vector<Loop>& loops, const std::vector<Loop>& outer,
             const std::vector<Loop>& inner, const std::vector<int64_t>& factors,
             TailStrategy tail = TailStrategy::Auto, Where where = Where::current()) {
    self().tile_all(loops, outer, inner, factors, tail, where);
    return self();
  }
  Self& tile(const std::vector<Loop>& loops, const std::vector<Loop>& inner,
             const std::vector<int64_t>& factors, TailStrategy tail = TailStrategy::Auto,
             Where where = Where::current()) {
    return tile(loops, loops, inner, factors, tail, where);
  }
  Self& reorder(const std::vector<Loop>& loops, Where where = Where::current()) {
    return said(Verb::Reorder, loops, {}, TailStrategy::Auto, where);
  }
  template <class... L>
  Self& reorder(support::Located<Loop> first, Loop second, L&&... rest) {
    return reorder(std::vector<Loop>{first.value, second, Loop(rest)...}, first.where);
  }
  Self& rename(Loop old, Loop now, Where where = Where::current()) {
    return said(Verb::Rename, {old, now}, {}, TailStrategy::Auto, where);
  }
  Self& serial(Loop l, Where where = Where::current()) {
    return said(Verb::Serial, {l}, {}, TailStrategy::Auto, where);
  }
  Self& parallel(Loop l, Where where = Where::current()) {
    return said(Verb::Parallel, {l}, {}, TailStrategy::Auto, where);
  }
  Self& parallel(Loop l, int64_t factor, TailStrategy tail = TailStrategy::Auto,
                 Where where = Where::current()) {
    return said(Verb::Parallel, {l}, {factor}, tail, where);
  }
  Self& vectorize(Loop l, Where where = Where::current()) {
    return said(Verb::Vectorize, {l}, {}, TailStrategy::Auto, where);
  }
  Self& vectorize(Loop l, int64_t factor, TailStrategy tail = TailStrategy::Auto,
                  Where where = Where::current()) {
    return said(Verb::Vectorize, {l}, {factor}, tail, where);
  }
  Self& unroll(Loop l, Where where = Where::current()) {
    return said(Verb::Unroll, {l}, {}, TailStrategy::Auto, where);
  }
  Self& unroll(Loop l, int64_t factor, TailStrategy tail = TailStrategy::Auto,
               Where where = Where::current()) {
    return said(Verb::Unroll, {l}, {factor}, tail, where);
  }
  Self& stream_stores(Where where = Where::current()) {
    return said(Verb::StreamStores, {}, {}, TailStrategy::Auto, where);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  Self& said(Verb verb, const std::vector<Loop>& loops, std::vector<int64_t> factors,
             TailStrategy tail, Where where) {
    self().say(verb, loops, std::move(factors), tail, where);
    return self();
  }
};

class Stage : public StageVerbs<Stage> {
 public:
  Stage(support::Ref<api::FuncContents> contents, int stage)
      : contents_(std::move(contents)), stage_(stage) {}

  std::string name() const;
  const support::Ref<api::FuncContents>& contents() const { return contents_; }
  int index() const { return stage_; }

 protected:
  template <class Self>
  friend class StageVerbs;
  friend class Func;
  void say(Verb verb, const std::vector<Loop>& loops, std::vector<int64_t> factors,
           TailStrategy tail, Where where);
  void tile_all(const std::vector<Loop>& loops, const std::vector<Loop>& outer,
                const std::vector<Loop>& inner, const std::vector<int64_t>& factors,
                TailStrategy tail, Where where);
  support::Ref<api::FuncContents> contents_;
  int stage_ = 0;
};

// f(...) on either side of an equals sign.
class FuncRef {
 public:
  FuncRef(support::Ref<api::FuncContents> contents, std::vector<Here> args,
          std::source_location where)
      : contents_(std::move(contents)), args_(std::move(args)), where_(where) {}

  Stage operator=(Here value);
  Stage operator=(const FuncRef& value);
  Stage operator=(const std::vector<Expr>& values);  // several values
  Stage operator+=(Here value);
  Stage operator-=(Here value);
  Stage operator*=(Here value);
  Stage operator/=(Here value);
  Stage operator&=(Here value);
  Stage operator|=(Here value);
  Stage operator^=(Here value);
  Stage operator++(int) { return *this += Here(1, where_); }
  operator Expr() const;
  Expr operator[](int value) const;  // one of several values

 private:
  // `right`: what stands right of the operator of an update.
  Stage define(std::vector<Expr> values, std::source_location where, const Here* right = nullptr);
  Stage reduce(ir::BinaryOp op, double start, const Here& value);
  support::Ref<api::FuncContents> contents_;
  std::vector<Here> args_;
  std::source_location where_;
};

class Func : public Stage, public StageVerbs<Func>, public api::CompileTo<Func> {
 public:
  using Where = Stage::Where;
  using StageVerbs<Func>::split;
  using StageVerbs<Func>::fuse;
  using StageVerbs<Func>::tile;
  using StageVerbs<Func>::reorder;
  using StageVerbs<Func>::rename;
  using StageVerbs<Func>::serial;
  using StageVerbs<Func>::parallel;
  using StageVerbs<Func>::vectorize;
  using StageVerbs<Func>::unroll;
  using StageVerbs<Func>::stream_stores;
  Func(Where where = Where::current());
  explicit Func(const std::string& name, Where where = Where::current());
  // The image or buffer at every coordinate that it has.
  Func(const ImageParam& image, Where where = Where::current());
  explicit Func(const BufferBase& buffer, Where where = Where::current());
  // Over the Vars of the expression, in the order in which they appear.
  explicit Func(const Expr& value, Where where = Where::current());
  explicit Func(support::Ref<api::FuncContents> contents) : Stage(std::move(contents), 0) {}

  template <class... E>
    requires(std::convertible_to<E, Expr> && ...)
  FuncRef operator()(support::Located<Expr> first, E&&... rest) const {
    return FuncRef(contents_, {first, Here(std::forward<E>(rest), first.where)...}, first.where);
  }
  FuncRef operator()(const std::vector<Var>& at, Where where = Where::current()) const;
  FuncRef operator()(Where where = Where::current()) const {
    return FuncRef(contents_, {}, where);  // without dimensions
  }
  bool defined() const;
  int dimensions() const;
  std::vector<Var> args() const;
  Stage update(int i = 0, Where where = Where::current()) const;
  int num_updates() const;
  Type type() const;
  // What stands in the definitions, to look at: f(x, y) reads the Func, not these.
  Expr value(Where where = Where::current()) const;
  Expr update_value(int i = 0, Where where = Where::current()) const;
  std::vector<Expr> update_args(int i = 0, Where where = Where::current()) const;

  Func& compute_root(Where where = Where::current());
  Func& compute_inline(Where where = Where::current());
  Func& compute_at(const Stage& consumer, Loop at, Where where = Where::current());
  Func& compute_at(const LoopLevel& level, Where where = Where::current());
  Func& compute_at(RootPlace, Where where = Where::current()) { return compute_root(where); }
  Func& store_root(Where where = Where::current());
  Func& store_at(const Stage& consumer, Loop at, Where where = Where::current());
  Func& store_at(const LoopLevel& level, Where where = Where::current());
  Func& bound(Loop dim, Expr min, Expr extent, Where where = Where::current());
  Func& fold_storage(Loop dim, int64_t extent, Where where = Where::current());
  Func& reorder_storage(const std::vector<Loop>& dims, Where where = Where::current());
  template <class... L>
  Func& reorder_storage(support::Located<Loop> first, Loop second, L&&... rest) {
    return reorder_storage(std::vector<Loop>{first.value, second, Loop(rest)...}, first.where);
  }
  Func& store_in(const std::string& memory, Where where = Where::current());
  Func& store_in(MemoryType memory, Where where = Where::current());
  // The names of 2012.
  Func& root(Where where = Where::current()) { return compute_root(where); }
  Func& inline_(Where where = Where::current()) { return compute_inline(where); }
  // chunk(x): at loop x of the only Func that reads this one.
  Func& chunk(Loop at, Where where = Where::current());

  // Without sizes: a Func without dimensions. Where the schedule writes more than an output of
  // these sizes (a tail that is rounded up, or shifted inwards in less than a tile), the buffer is
  // made so large and cropped.
  Buffer<> realize(const std::vector<int64_t>& sizes = {}, Where where = Where::current());
  Buffer<> realize(std::initializer_list<int64_t> sizes, Where where = Where::current()) {
    return realize(std::vector<int64_t>(sizes), where);
  }
  template <std::integral I>
    requires(!std::same_as<I, int64_t>)
  Buffer<> realize(const std::vector<I>& sizes, Where where = Where::current()) {
    return realize(std::vector<int64_t>(sizes.begin(), sizes.end()), where);
  }
  void realize(const BufferBase& into, Where where = Where::current());
  void realize(const Realization& into, Where where = Where::current());
  // Gives every ImageParam that has no buffer one of zeroes, as large as an output of these sizes,
  // or over this box, needs it.
  void infer_input_bounds(const std::vector<int64_t>& sizes, Where where = Where::current());
  void infer_input_bounds(const BufferBase& output, Where where = Where::current());
  void compile_jit(Where where = Where::current());
  std::string loop_nest(Where where = Where::current());  // loop form, as text
  // The Func with what it reads, and the schedule, as .hk text, which reads back to the same.
  std::string text(Where where = Where::current()) const;
  void print_loop_nest(Where where = Where::current());
  // What the schedule asks for and does not get (S0501 to S0503): each as its text with the place.
  std::vector<std::string> warnings(Where where = Where::current());

 private:
  friend class StageVerbs<Func>;
};

// The algorithm and schedule as data, for everything that the driver offers.
driver::Source source_of(const Func& output);

}  // namespace hocket
