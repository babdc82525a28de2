// Row call: what calling an empty pipeline costs, through realize and through a callable.
// In: nothing beyond the common options. Out: the row's JSON, milliseconds a call. Called by:
// bench/run.
#include "contestants/contestants.h"
#include "harness/rivals.h"
#include "harness/row_main.h"

using namespace hocket::bench;

int main(int argc, char** argv) {
  RowOptions options = start_row(argc, argv);
  options.frame = "empty";
  options.measure.cold_rounds = 0;
  CallProblem problem;

  Registry registry;
  Place realize{"call", "realize"}, callable{"call", "callable"};
  if (!options.ours_only) {
    load_rival("call_halide", registry, problem, {"halide", false, "", {realize, callable}});
  }
#ifdef HOCKET_BENCH_HAS_CALL
  register_hocket_call(registry, problem);
#else
  registry.add_absent({"hocket", true, "not built", {realize, callable}});
#endif
  return finish_row(options, registry, 0);
}
