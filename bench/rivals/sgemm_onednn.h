// What both versions of oneDNN share: the name of the instruction set they chose, and sgemm.
// In: dnnl.hpp of the version that is compiled. Out: contestants. Used by: sgemm_onednn2.cpp and
// sgemm_onednn3.cpp.
#pragma once

#include <omp.h>

#include <string>

#include <dnnl.hpp>

#include "harness/contestant.h"
#include "harness/problems.h"

namespace hocket::bench {

inline std::string onednn_version() {
  const dnnl_version_t* v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

inline std::string onednn_isa() {
  return "isa " + std::to_string(static_cast<int>(dnnl::get_effective_cpu_isa()));
}

inline void add_onednn_sgemm(Registry& registry, const SgemmProblem& problem,
                             const std::string& name) {
  auto run = [&problem] {
    dnnl_sgemm('N', 'N', problem.m, problem.n, problem.k, 1.0f, problem.a, problem.k, problem.b,
               problem.n, 0.0f, problem.c, problem.n);
  };
  Contestant contestant;
  contestant.name = name;
  contestant.version = onednn_version() + " dnnl_sgemm";
  contestant.target = onednn_isa();
  contestant.run = run;
  contestant.check_error = [&problem, run] { return problem.error(run); };
  contestant.places = {{"sgemm.first", ""}};
  registry.add(contestant);
}

}  // namespace hocket::bench
