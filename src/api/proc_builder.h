// Loop programs written in C++: parameters, then statements in the order in which they are said.
//
//   ProcBuilder b("gemm");
//   const Expr M = b.size("M"), N = b.size("N"), K = b.size("K");
//   const Tensor A = b.tensor("A", Float(32), {M, K}), B = b.tensor("B", Float(32), {K, N});
//   const Tensor C = b.tensor("C", Float(32), {M, N});
//   b.seq("i", 0, M, [&](Expr i) {
//     b.seq("j", 0, N, [&](Expr j) {
//       b.seq("k", 0, K, [&](Expr k) { C[i][j] += A[i][k] * B[k][j]; });
//     });
//   });
//   const Proc gemm = b.build();
//
// It is the program that the same lines of text are, with the same checks and the same messages,
// at the line of the call; a statement that is refused is not there. Names are spoken names: two
// loops may have one. Used by: users, through hocket.h.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "api/expr.h"
#include "api/proc.h"
#include "api/tensor.h"

namespace hocket {

using LoopKind = ir::LoopKind;

// What a call hands over: a number, a buffer, a window of one.
class CallArgument {
 public:
  CallArgument(const Tensor& whole) : tensor_(whole.tensor()), whole_(true) {}
  CallArgument(const TensorRef& part) : tensor_(part.tensor()), part_({part}) {}
  template <class E>
    requires(std::convertible_to<E, Expr> && !std::derived_from<std::remove_cvref_t<E>, Tensor> &&
             !std::same_as<std::remove_cvref_t<E>, TensorRef>)
  CallArgument(E&& value) : value_(std::forward<E>(value)) {}

 private:
  friend class ProcBuilder;
  Expr value_;
  TensorName tensor_;
  bool whole_ = false;
  std::vector<TensorRef> part_;
};

class ProcBuilder {
 public:
  using Where = std::source_location;
  using Block = std::function<void()>;
  using LoopBlock = std::function<void(Expr)>;

  explicit ProcBuilder(const std::string& name, Where where = Where::current());

  // ---- Parameters, in the order of the call -----------------------------------------------------
  Expr size(const std::string& name, Where where = Where::current());   // at least 1
  Expr index(const std::string& name, Where where = Where::current());  // any 64-bit number
  Expr scalar(const std::string& name, Type type, Where where = Where::current());  // by value
  // A dense buffer, outermost extent first; without extents one element, passed by address.
  Tensor tensor(const std::string& name, Type type, const std::vector<Expr>& shape,
                const std::string& memory = "DRAM", Where where = Where::current());
  // A buffer with strides of its own: `[f32][n]`.
  Tensor window_param(const std::string& name, Type type, const std::vector<Expr>& shape,
                      const std::string& memory = "DRAM", Where where = Where::current());
  // What holds when the proc is called: assumed in the body, proved at calls, checked at entry.
  void assert_(const Expr& condition, Where where = Where::current());
  // Makes it an instruction: the body says what the C text does. {name} is a scalar, {name_data}
  // the first element of a buffer, {name_ptr} its address; `global` stands once in the file.
  void instr(const std::string& c_template, const std::vector<std::string>& features = {},
             const std::string& global = "", Where where = Where::current());

  // ---- Statements -------------------------------------------------------------------------------
  // for name in kind(lo, hi): half open, no iteration where hi <= lo.
  void seq(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
           Where where = Where::current());
  void par(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,  // in any order
           Where where = Where::current());
  void parallel(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,  // threads
                Where where = Where::current());
  void vectorize(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
                 Where where = Where::current());
  void unroll(const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
              Where where = Where::current());
  void loop(LoopKind kind, const std::string& name, Expr lo, Expr hi, const LoopBlock& body,
            Where where = Where::current());
  void if_(const Expr& condition, const Block& then, Where where = Where::current());
  void if_(const Expr& condition, const Block& then, const Block& otherwise,
           Where where = Where::current());
  // A name for a value, to the end of the block.
  Expr let(const std::string& name, const Expr& value, Where where = Where::current());
  Expr let(const std::string& name, Type type, const Expr& value, Where where = Where::current());
  // Memory to the end of the block; its elements have no value before they are stored to.
  Tensor alloc(const std::string& name, Type type, const std::vector<Expr>& shape = {},
               const std::string& memory = "DRAM", Where where = Where::current());
  // A name for a part of a buffer: b.window("w", A[range(0, 8)][j]).
  Tensor window(const std::string& name, const TensorRef& part, Where where = Where::current());
  // Sizes and scalars by value, buffers as a whole or as a window of the same rank and type.
  template <class... A>
  void call(support::Located<Proc> callee, A&&... arguments) {
    call_with(callee.value, std::vector<CallArgument>{CallArgument(std::forward<A>(arguments))...},
              callee.where);
  }
  void call_with(const Proc& callee, const std::vector<CallArgument>& arguments,
                 Where where = Where::current());
  // Leaves the proc with the code (HOCKET_ERROR_USER_CHECK_FAILED) unless the condition holds.
  void check(const Expr& condition, const std::string& message, int code = -13,
             Where where = Where::current());
  void pass(Where where = Where::current());

  // The proc; the builder is used up.
  Proc build(Where where = Where::current());

 private:
  ir::Symbol parameter(ir::Param param, const std::string& name, Type type, Where where);
  Tensor buffer(bool window, const std::string& name, Type type, const std::vector<Expr>& shape,
                const std::string& memory, Where where);
  ir::Body block(const std::function<void()>& say, const ir::Symbol& binds = {});
  ir::Expr argument(const ir::Proc& callee, size_t i, const CallArgument& given, Where where) const;
  support::Ref<api::ProcContents> contents_;
  std::vector<ir::ProcRef> library_;  // of the procs that it calls
};

}  // namespace hocket
