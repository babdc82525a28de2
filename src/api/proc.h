// Loop programs: a procedure in loop form, the rewrites applied to it, and what it can be made
// into.
//
//   const Proc fast = gemm.split("i", 6, {"io", "ii"}, Tail::CutAndGuard)
//                         .reorder("ii", "j")
//                         .simplify();
//   fast.run(M, N, K, a, b, c);            // native code
//   std::cout << fast.text() << fast.trace_text("avx2");
//
// A Proc is a value that does not change: each step gives another one, after it was proved to
// compute the same. A step that is refuted (with a witness, R02xx), unknown (with the missing fact,
// R03xx) or malformed (R00xx) throws hocket::Error with the place of the verb. The steps are those
// of docs/rewrites.md, declared from the one table of operators; optional arguments come last.
// Everything that is made of a Proc takes the road of driver/compile. Used by: users.
#pragma once

#include <concepts>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "api/buffer.h"
#include "api/cursor.h"
#include "api/step.h"
#include "driver/callable.h"
#include "driver/loop_call.h"
#include "ir/proc.h"
#include "ir/trace.h"
#include "support/for_each.h"

namespace hocket {

using driver::Callable;

namespace api {
struct ProcState;
}
class Library;

// What a call of a loop program hands over: a number; a pointer to the first element, of memory
// that is as large and as dense as the parameter says; or a Buffer, whose dimension 0 is the last
// index, since it is the fastest of both: A[i, k] is buffer(k, i).
class RunArgument {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  RunArgument(T value) {
    argument_.number = std::is_floating_point_v<T>
                           ? ir::Scalar::of_float(type_of<T>(), static_cast<double>(value))
                           : ir::Scalar::of_int(type_of<T>(), static_cast<int64_t>(value));
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  RunArgument(T* data) {
    argument_.is_memory = true;
    argument_.read_only = std::is_const_v<T>;
    argument_.data = const_cast<std::remove_const_t<T>*>(data);
    argument_.type = type_of<std::remove_const_t<T>>();
  }
  RunArgument(const BufferBase& buffer);
  const driver::LoopArgument& argument() const { return argument_; }

 private:
  driver::LoopArgument argument_;
};

class Proc {
 public:
  using Where = std::source_location;
  // `library`: procs that steps may name beside the instructions of targets/.
  explicit Proc(ir::ProcRef proc, std::vector<ir::ProcRef> library = {});

  const std::string& name() const { return ir()->name(); }
  const ir::ProcRef& ir() const;
  // As .hk text, which parses back to the identical program: with the procs that it calls before
  // it, or alone.
  std::string text() const;
  std::string text_alone() const;
  // Knows the procs of the library too; later ones hide earlier ones of the same name.
  [[nodiscard]] Proc with(const Library& library) const;

  // ---- Cursors ----------------------------------------------------------------------------------
  // The first match of a pattern (docs/rewrites.md), all of them, the loop of that name.
  Cursor find(const std::string& pattern, Where where = Where::current()) const;
  std::vector<Cursor> find_all(const std::string& pattern, Where where = Where::current()) const;
  Cursor find_loop(const std::string& name, Where where = Where::current()) const;
  std::vector<Cursor> body() const;
  // The same statement here; refused where it is gone.
  Cursor forward(const Cursor& cursor, Where where = Where::current()) const;
  bool contains(const Cursor& cursor) const;

  // ---- Steps ------------------------------------------------------------------------------------
#define HOCKET_PARAMETER(Kind, name, ...) HOCKET_PARAMETER_##__VA_OPT__(OPTIONAL)(Kind, name)
#define HOCKET_PARAMETER_(Kind, name) const step::Kind &name,
#define HOCKET_PARAMETER_OPTIONAL(Kind, name) const std::optional<step::Kind>&name = {},
#define HOCKET_OPERATOR(name, method, run, also, doc, ...)                               \
  [[nodiscard]] Proc method(HOCKET_FOR_EACH(HOCKET_PARAMETER, __VA_ARGS__) Where where = \
                                Where::current()) const;
#include "rewrite/operators.def"
#undef HOCKET_OPERATOR
#undef HOCKET_PARAMETER
#undef HOCKET_PARAMETER_
#undef HOCKET_PARAMETER_OPTIONAL
  // Any step by its name in docs/rewrites.md:
  // apply("unroll", {"ii"}), apply("split", {"i", 8, names, StepArgument("tail", Tail::Cut)}).
  [[nodiscard]] Proc apply(const std::string& op, const std::vector<StepArgument>& arguments = {},
                           Where where = Where::current()) const;

  // The steps that led here, each with its verdict; as text, which replays.
  const ir::Trace& trace() const;
  std::string trace_text(const std::string& name = "rewrites") const;
  // A file that holds all of it: the procs of the library that the steps name, the proc before the
  // first step, the steps. `hocket check` judges it, Library::parse reads it back.
  std::string file_text(const std::string& name = "rewrites") const;
  // The proc before the first step.
  Proc origin() const;
  // The steps of a trace, each judged anew; text holds one trace.
  [[nodiscard]] Proc replay(const ir::Trace& trace, Where where = Where::current()) const;
  [[nodiscard]] Proc replay(std::string_view text, Where where = Where::current()) const;

  // ---- Running and compiling --------------------------------------------------------------------
  // Native code, compiled at the first call, on arguments that are checked before anything is
  // written (D0201): count, kinds, types, ranks, extents, sizes, shared memory.
  template <class... Rest>
  void run(support::Located<RunArgument> first, Rest&&... rest) const {
    run_with({first.value, RunArgument(std::forward<Rest>(rest))...}, first.where);
  }
  void run_with(const std::vector<RunArgument>& arguments, Where where = Where::current()) const;
  // The same by the interpreter: slow, with bounds, races and values never computed checked.
  template <class... Rest>
  void interpret(support::Located<RunArgument> first, Rest&&... rest) const {
    interpret_with({first.value, RunArgument(std::forward<Rest>(rest))...}, first.where);
  }
  void interpret_with(const std::vector<RunArgument>& arguments,
                      Where where = Where::current()) const;

  // The bare form of docs/abi.md: addresses in, a code out, nothing checked but sizes and asserts.
  Callable compile_to_callable(const driver::Options& options = {},
                               Where where = Where::current()) const;
  // base_name.o and base_name.h; one C file; the same text.
  void compile_to_object(const std::string& base_name, const driver::Options& options = {},
                         Where where = Where::current()) const;
  void compile_to_c(const std::string& file, const driver::Options& options = {},
                    Where where = Where::current()) const;
  std::string c_text(const driver::Options& options = {}, Where where = Where::current()) const;
  // For everything else that the driver offers.
  driver::Source source() const { return driver::Source(ir()); }

 private:
  void check_claims() const;
  explicit Proc(std::shared_ptr<const api::ProcState> state) : state_(std::move(state)) {}
  driver::Artifact made(driver::Product product, const driver::Options& options, Where where) const;
  std::shared_ptr<const api::ProcState> state_;
};

}  // namespace hocket
