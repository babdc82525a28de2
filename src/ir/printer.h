// The printer behind print.h: one class, its parts in print_expr.cpp, print_proc.cpp and
// print_algorithm.cpp. What it prints, text/ reads back to the identical program, so every rule
// here has its mirror in the front door (arith.h): a number is bare only where the other operand or
// the place gives it its type, and `strict` keeps a product from being contracted again.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/algorithm.h"
#include "ir/names.h"
#include "ir/proc.h"
#include "ir/schedule.h"

namespace hocket::ir {

class Printer {
 public:
  explicit Printer(NumericMode mode = NumericMode::Contract) : mode_(mode) {}

  // `bare`: the place gives a number its type. `strength`: how tightly what stands around binds.
  void expr(const Expr& e, bool bare = false, int strength = 0);
  void body(const Body& body, int level);
  void proc(const Proc& p);
  void algorithm(const Algorithm& a);
  void directive(const Directive& d);
  // `bv.update(0)`: whom a directive is said of.
  void subject(const Directive& d);
  void verb(const Directive& d);

  // The proc that is asked for keeps its name where a callee has the same one.
  void reserve_proc_name(const Proc& p) { proc_name(p); }

  std::string take() {
    std::string text = std::move(out_);
    out_.clear();
    return text;
  }

 private:
  void exprs(const std::vector<Expr>& list, bool bare = true);
  void coordinates(const std::vector<Expr>& list);
  void pair(const Expr& a, const Expr& b);
  void binary(const Binary& b, int strength);
  void load(const Symbol& buffer, const std::vector<Expr>& indices, const Expr& predicate,
            int64_t align);
  void window(const Window& w, bool in_call);
  void stmt(const Stmt& s, int level);
  void store(const Store& s, int level);
  void block(const BlockHeader& b);
  void call(const CallStmt& c);
  void if_chain(const If& i, int level);
  void param(const Param& p);
  void header(const Proc& p);
  void entry(const PipelineEntry& e);
  void optional_expr(const Expr& e);
  void pipeline_header(const Algorithm& a);
  void definition(const Func& f, int stage, const std::string& name);
  void domain(const ReductionDomain& d);
  void values(const Func& f, const Definition& d);
  bool self_update(const Func& f, const Definition& d);
  void line(int level) { out_.append(static_cast<size_t>(level) * 4, ' '); }
  const std::string& proc_name(const Proc& p);

  std::string out_;
  NumericMode mode_;
  Names names_;
  Names block_funcs_;  // Funcs of block headers: a namespace of their own
  Names proc_names_;
  const Algorithm* algorithm_ = nullptr;
  std::map<std::string, std::pair<ReductionDomain, std::vector<std::string>>> shown_domains_;
};

bool is_number(const Expr& e);  // an immediate other than a bool

}  // namespace hocket::ir
