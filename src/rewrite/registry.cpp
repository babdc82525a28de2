#include "rewrite/registry.h"

#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

const std::vector<Operator>& all_operators() {
  static const std::vector<Operator> table = {
      {"split",
       {"divide_loop"},
       "loop, factor, names, tail=guard, perfect=False",
       "a loop becomes two, one inside the other",
       split},
      {"reorder",
       {"reorder_loops", "interchange"},
       "outer, inner",
       "two loops change places",
       reorder},
      {"unroll", {"unroll_loop"}, "loop", "a constant loop becomes copies of its body", unroll},
      {"fission",
       {"fission_after"},
       "stmt, n_lifts=1",
       "a loop or branch is cut behind a statement",
       fission},
      {"fuse", {}, "first, second", "two loops with the same bounds become one", fuse},
      {"cut_loop", {}, "loop, point", "a loop becomes two, one after the other", cut_loop},
      {"extend_loop",
       {},
       "loop, hi",
       "a loop gets iterations whose results nobody reads",
       extend_loop},
      {"remove_loop", {}, "loop", "a loop that repeats itself becomes its body", remove_loop},
      {"lift_if", {"lift_scope"}, "branch", "a branch leaves the loop around it", lift_if},
      {"reorder_stmts", {}, "first", "a statement and the next one change places", reorder_stmts},
      {"parallelize",
       {"parallelize_loop"},
       "loop",
       "a loop's iterations run on threads",
       parallelize},
      {"vectorize", {}, "loop", "a constant loop's iterations run as lanes", vectorize},
      {"to_seq", {"par_to_seq"}, "loop", "a loop's iterations run in order", to_seq},
      {"stage_mem",
       {},
       "block, window, name, accum=False",
       "a block works on a copy of a window",
       stage_mem},
      {"bind_expr",
       {},
       "stmt, buffer, name",
       "an element that a store reads gets a buffer of its own",
       bind_expr},
      {"expand_dim",
       {},
       "buffer, extent, index",
       "a buffer gets one more dimension in front",
       expand_dim},
      {"resize_dim",
       {},
       "buffer, dim, extent, offset=0",
       "a dimension gets another extent",
       resize_dim},
      {"divide_dim", {}, "buffer, dim, factor", "a dimension becomes two", divide_dim},
      {"rearrange_dim", {}, "buffer, order", "dimensions change places", rearrange_dim},
      {"lift_alloc",
       {},
       "buffer, n_lifts=1",
       "an allocation leaves the loops around it",
       lift_alloc},
      {"set_memory", {}, "buffer, memory", "a buffer lives in another memory", set_memory},
      {"set_precision", {}, "buffer, type", "a buffer holds another type of number", set_precision},
      {"replace",
       {},
       "stmt, callee",
       "statements become a call of a procedure that does the same",
       replace},
      {"replace_all", {}, "callee", "the same wherever it applies", replace_all},
      {"inline", {}, "call", "a call becomes the body of what it calls", inline_call},
      {"partial_eval", {}, "size, value", "a size becomes a number", partial_eval},
      {"simplify", {}, "", "index expressions in normal form, dead branches gone", simplify_proc},
      {"rename", {}, "name", "another name of the procedure", rename_proc},
      {"allow",
       {},
       "what, name=_",
       "reassociation or precision of a buffer may change from here on",
       allow},
  };
  return table;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& o : all_operators()) {
    if (o.name == name) return &o;
    for (std::string_view a : o.aliases)
      if (a == name) return &o;
  }
  return nullptr;
}

}  // namespace hocket::rewrite
