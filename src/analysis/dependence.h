// Dependence: may these statements run in another order, and if not, who clashes with whom?
//
// Every question becomes: can two accesses, in two iterations each, touch one element? Loop
// variables, sizes and parameters are universal; what the scope knows (sizes at least 1, asserts,
// enclosing bounds and conditions) is assumed. In: statements and their scope. Out: proved; refuted
// with a clash in numbers (sizes, both iteration vectors, the element); or unknown with what is
// missing. Affine first, then Z3. Memory allocated inside the statements is private to one run of
// them. Buffers of different names do not overlap (checked at calls by bounds_check.h).
// Called by: rewrite (obligations), bounds_check.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/effects.h"
#include "analysis/prove.h"

namespace hocket::analysis {

using Iteration = std::vector<std::pair<ir::Symbol, int64_t>>;  // outermost first

struct Clash {
  struct Side {
    AccessKind kind = AccessKind::Read;
    ir::StoreOp op = ir::StoreOp::Assign;
    ir::Stmt stmt;
    Iteration iteration;  // the loops that the question is about, then those inside the statements
  };
  ir::Symbol buffer;
  std::vector<int64_t> element;
  Side first, second;  // in the order in which they run in the program as it stands
  Iteration sizes;     // every other free symbol
  // "iteration i=0, j=1 reads A[1, 0], which iteration i=1, j=0 writes (n=2)"
  std::string to_string() const;
};

struct Answer {
  ir::Verdict verdict = ir::Verdict::Unknown;
  std::string how;             // proved: "affine", "z3"
  std::optional<Clash> clash;  // refuted by two accesses
  Proof proof;                 // refuted by anything else: the values under which a condition fails
  std::string missing;         // unknown, or why it is refused
  bool proved() const { return verdict == ir::Verdict::Proved; }
  bool refuted() const { return verdict == ir::Verdict::Refuted; }
};

// Which pairs of reductions by one operator into one element may change places.
enum class Reductions : uint8_t {
  None,   // none
  Exact,  // where the result has the same bits in any order
  All,    // all: the user allowed reassociation
};

class Dependence {
 public:
  explicit Dependence(const ProveOptions& options = {});

  // a; b gives the same as b; a.
  Answer commutes(const ir::Body& a, const ir::Body& b, const Scope& scope,
                  Reductions reductions = Reductions::Exact);
  // No element is touched by both, one of them writing.
  Answer disjoint(const ir::Body& a, const ir::Body& b, const Scope& scope);
  // The iterations of a loop may run in any order and at the same time (races of parallel and
  // vectorized loops: Reductions::None, as nothing makes an update atomic).
  Answer iterations_independent(const ir::Stmt& loop, const Scope& scope, Reductions reductions);
  // for x: for y: body is for y: for x: body. The outer loop's body is the inner loop alone.
  Answer can_interchange(const ir::Stmt& outer, const Scope& scope,
                         Reductions reductions = Reductions::Exact);
  // for i: (s1; s2) is for i: s1; for i: s2, where s1 are the first `at` statements.
  Answer can_fission(const ir::Stmt& loop, size_t at, const Scope& scope,
                     Reductions reductions = Reductions::Exact);
  // for i in A: s1; for i in A: s2, fused to for i in A: (s1; s2): the bounds are equal, and no s1
  // of a later iteration clashes with an s2 of an earlier one.
  Answer can_fuse(const ir::Stmt& first, const ir::Stmt& second, const Scope& scope,
                  Reductions reductions = Reductions::Exact);
  // if c: (s1; s2) is if c: s1; if c: s2: what s1 writes does not change c.
  Answer can_fission_branch(const ir::Stmt& branch, size_t at, const Scope& scope);
  // Running the statements twice in a row is running them once.
  Answer idempotent(const ir::Body& body, const Scope& scope);
  // Any iterations of the loop may run again, later and in any order (overlapping tiles).
  Answer iterations_idempotent(const ir::Stmt& loop, const Scope& scope);
  // The loop runs at least once.
  Answer runs_at_least_once(const ir::Stmt& loop, const Scope& scope);
  // Nothing reads what `buffer` holds after the statement `after` of `body`, in `body` itself
  // (the list in which the buffer lives; the statement stands in it or deeper).
  Answer dead_after(const ir::Body& body, const ir::Symbol& buffer, uint64_t after,
                    const Scope& scope);
  // Every index of the access, one of `effects`, is inside the shape.
  Answer in_bounds(const Access& access, const Effects& effects, const std::vector<ir::Expr>& shape,
                   const Scope& scope);
  // The condition holds in the scope.
  Answer holds(const ir::Expr& condition, const Scope& scope);

  Prover& prover() { return prover_; }

 private:
  struct Pair;
  static Pair of_two_iterations(const ir::For& loop, const Scope& scope, Reductions reductions);
  Answer no_clash(const Effects& first, const Effects& second, const Pair& how);
  Answer from(Proof p, std::string missing);
  Prover prover_;
};

}  // namespace hocket::analysis
