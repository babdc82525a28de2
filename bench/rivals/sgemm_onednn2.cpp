// `onednn 2`: dnnl_sgemm of Debian's oneDNN.
// In: a matrix product. Out: one contestant.
#include "sgemm_onednn.h"

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::SgemmProblem& problem) {
  omp_set_num_threads(problem.threads);
  hocket::bench::add_onednn_sgemm(registry, problem, "onednn 2 sgemm");
}
