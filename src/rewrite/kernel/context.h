// What an operator gets: the program, its arguments by name, the judge.
//
// In: a step whose arguments apply.cpp sorted by the operator's signature. Out: typed arguments, or
// diagnostics that say what the operator takes. Called by: the operators of this folder.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "rewrite/edit.h"
#include "rewrite/kernel/judge.h"
#include "rewrite/pattern.h"
#include "rewrite/state.h"

namespace hocket::rewrite {

class Context {
 public:
  Context(const State& s, const ir::TraceStep& t, const Library& l, std::string sig)
      : state(s), step(t), library(l), judge(t), signature(std::move(sig)) {}

  const State& state;
  const ir::TraceStep& step;
  const Library& library;
  Judge judge;
  std::string signature;
  std::map<std::string, ir::Literal> args;

  const ir::ProcRef& proc() const { return state.proc(); }
  analysis::Dependence& dependence() { return judge.dependence(); }

  bool has(const std::string& arg) const { return args.count(arg) != 0; }
  diag::Result<std::string> text(const std::string& arg) const;
  std::string text_or(const std::string& arg, const std::string& otherwise) const;
  diag::Result<int64_t> number(const std::string& arg) const;
  diag::Result<int64_t> number_or(const std::string& arg, int64_t otherwise) const;
  bool flag(const std::string& arg) const;
  diag::Result<std::vector<std::string>> names(const std::string& arg, size_t count) const;
  diag::Result<std::vector<int64_t>> numbers(const std::string& arg) const;

  // The statement that the argument's pattern finds, of that kind.
  diag::Result<Located> stmt(const std::string& arg) const;
  diag::Result<Located> loop(const std::string& arg) const;
  // The allocation of that name; `#n` as in patterns.
  diag::Result<Located> alloc(const std::string& arg) const;
  // A buffer of the procedure, allocated or given, has that name; else refused with those near.
  diag::Result<void> buffer(const std::string& name) const;
  // An expression in the scope of a statement; a number stands for itself.
  diag::Result<ir::Expr> index(const std::string& arg, const Located& where) const;

  diag::Diagnostic refuse(diag::Kind kind) const;
  diag::Diagnostic bad_args(const std::string& reason) const;
  diag::Diagnostic cannot(const std::string& reason) const;

  analysis::Scope scope_before(const ir::ProcRef& p, uint64_t id) const;

 private:
  diag::Diagnostic no_buffer(const std::string& name, const std::vector<std::string>& known) const;
};

// After the change, loops around the statement that run at the same time are still free of races,
// and those of any order (`par`) of all but reductions.
void claim_no_races(Context& c, const ir::ProcRef& after, const std::vector<ir::Stmt>& parents,
                    std::vector<Claim>& claims);

// After the change, calls that are given the buffer, or a window of it, still get what they assert:
// its strides may be others than before.
void claim_asserts(Context& c, const ir::ProcRef& after, const ir::Symbol& buffer,
                   std::vector<Claim>& claims);

}  // namespace hocket::rewrite
