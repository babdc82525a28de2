// Row compile.first: from Func to running code in a warm process, the blur under the schedule of
// Halide's paper of 2012.
// In: nothing beyond the common options. Out: the row's JSON. Called by: bench/run.
#include "contestants/contestants.h"
#include "harness/rivals.h"
#include "harness/row_main.h"

using namespace hocket::bench;

int main(int argc, char** argv) {
  RowOptions options = start_row(argc, argv);
  options.frame = "blur";
  // One run right before another would not make the second any warmer; nor is there a cold case.
  options.measure.warm_before_each = false;
  options.measure.cold_rounds = 0;
  BlurFrame frame(512, 64, options.threads);
  CompileProblem problem{&frame};

  Registry registry;
  Place place{"compile.first", ""};
  if (!options.ours_only) {
    load_rival("compile_halide", registry, problem, {"halide", false, "", {place}});
  }
#ifdef HOCKET_BENCH_HAS_COMPILE
  register_hocket_compile(registry, problem);
#else
  registry.add_absent({"hocket", true, "not built", {place}});
#endif
  return finish_row(options, registry, 0);
}
