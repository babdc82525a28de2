// Row sgemm.first: C = A * B in float32, row major, 1024 cubed unless --frame names another size.
// In: --frame, --threads. Out: the row's JSON. Called by: bench/run.
#include <cstdlib>

#include "contestants/contestants.h"
#include "harness/rivals.h"
#include "harness/row_main.h"

using namespace hocket::bench;

int main(int argc, char** argv) {
  RowOptions options = start_row(argc, argv);
  if (options.frame.empty()) options.frame = "1024";
  int size = std::atoi(options.frame.c_str());
  options.work = 2e-9 * size * size * size;
  options.work_unit = "GFLOP";
  SgemmProblem problem(size, size, size, options.threads);

  Registry registry;
  Place place{"sgemm.first", ""};
  if (!options.ours_only) {
    load_rival("sgemm_openblas", registry, problem, {"openblas", false, "", {place}});
    load_rival("sgemm_onednn2", registry, problem, {"onednn 2 sgemm", false, "", {place}});
    load_rival("sgemm_onednn3", registry, problem, {"onednn 3 matmul", false, "", {place}});
  }
#ifdef HOCKET_BENCH_HAS_SGEMM
  register_hocket_sgemm(registry, problem);
#else
  registry.add_absent({"hocket", true, "not built", {place}});
#endif
  // Sums of `size` products in [-1, 1] reach about sqrt(size); their rounding errors stay well
  // below this in any order of summation.
  return finish_row(options, registry, 1e-7 * size);
}
