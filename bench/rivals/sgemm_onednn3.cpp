// `onednn 3`: the matmul primitive and dnnl_sgemm of oneDNN 3 from the wheels.
// In: a matrix product. Out: two contestants. The matrices stay in plain row-major order on both
// sides of the call: nobody in this row packs beforehand.
#include <memory>
#include <unordered_map>

#include "sgemm_onednn.h"

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::SgemmProblem& problem) {
  using namespace hocket::bench;
  omp_set_num_threads(problem.threads);
  add_onednn_sgemm(registry, problem, "onednn 3 sgemm");

  struct State {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    dnnl::matmul matmul;
    std::unordered_map<int, dnnl::memory> arguments;
  };
  auto state = std::make_shared<State>();
  using Tag = dnnl::memory::format_tag;
  auto matrix = [](int64_t rows, int64_t columns) {
    return dnnl::memory::desc({rows, columns}, dnnl::memory::data_type::f32, Tag::ab);
  };
  auto a = matrix(problem.m, problem.k), b = matrix(problem.k, problem.n);
  auto c = matrix(problem.m, problem.n);
  dnnl::matmul::primitive_desc description(state->engine, a, b, c);
  state->matmul = dnnl::matmul(description);
  state->arguments = {
      {DNNL_ARG_SRC, dnnl::memory(a, state->engine, const_cast<float*>(problem.a))},
      {DNNL_ARG_WEIGHTS, dnnl::memory(b, state->engine, const_cast<float*>(problem.b))},
      {DNNL_ARG_DST, dnnl::memory(c, state->engine, problem.c)}};
  auto run = [state] {
    state->matmul.execute(state->stream, state->arguments);
    state->stream.wait();
  };
  Contestant contestant;
  contestant.name = "onednn 3 matmul";
  contestant.version = onednn_version() + " matmul";
  contestant.target = onednn_isa() + ", " + description.impl_info_str();
  contestant.run = run;
  contestant.check_error = [&problem, run] { return problem.error(run); };
  contestant.places = {{"sgemm.first", ""}};
  registry.add(contestant);
}
