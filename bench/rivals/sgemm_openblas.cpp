// `openblas`: cblas_sgemm of Debian's OpenBLAS with its own threads.
// In: a matrix product. Out: one contestant; its target is the kernel that OpenBLAS chose.
#include <cblas.h>

#include "harness/contestant.h"
#include "harness/problems.h"

extern "C" char* openblas_get_config();
extern "C" char* openblas_get_corename();

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::SgemmProblem& problem) {
  using namespace hocket::bench;
  openblas_set_num_threads(problem.threads);
  auto run = [&problem] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, problem.m, problem.n, problem.k, 1.0f,
                problem.a, problem.k, problem.b, problem.n, 0.0f, problem.c, problem.n);
  };
  Contestant contestant;
  contestant.name = "openblas";
  contestant.version = openblas_get_config();
  contestant.target = openblas_get_corename();
  contestant.run = run;
  contestant.check_error = [&problem, run] { return problem.error(run); };
  contestant.places = {{"sgemm.first", ""}};
  registry.add(contestant);
}
