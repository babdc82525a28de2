// Hocket's SGEMM: the three-line loop of apps/gemm/gemm.hk, rewritten by its proved trace.
// In: a problem. Out: one contestant; C is cleared in the run, as C = A * B asks for.
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "api/error.h"
#include "contestants/contestants.h"
#include "driver/callable.h"
#include "driver/target_library.h"
#include "text/parser.h"

namespace hocket::bench {

void register_hocket_sgemm(Registry& registry, const SgemmProblem& problem) {
  std::ifstream in(HOCKET_BENCH_SOURCE "/apps/gemm/gemm.hk");
  std::ostringstream text;
  text << in.rdbuf();
  const text::File file = or_throw(text::parse(text.str(), "gemm.hk"));
  const target::Target& host = target::host();
  const std::string name = host.has(target::Feature::Avx512f) ? "avx512" : "avx2";
  std::vector<ir::ProcRef> library = file.procs();
  for (const ir::ProcRef& p : or_throw(driver::target_procs())) library.push_back(p);
  const auto start = std::chrono::steady_clock::now();
  auto code = std::make_shared<const driver::Callable>(or_throw(driver::Callable::make(
      driver::Source(file.proc("gemm"), *file.trace(name), std::move(library)))));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  double rewrites = 0;
  for (const driver::PassTime& t : code->artifact().times)
    if (t.name == "rewrites") rewrites = t.ms;

  Contestant c;
  c.name = "hocket";
  c.version = "trace " + name;
  c.target = host.to_string();
  c.ours = true;
  const SgemmProblem* p = &problem;
  c.run = [code, p] {
    std::memset(p->c, 0, sizeof(float) * static_cast<size_t>(p->m) * static_cast<size_t>(p->n));
    int64_t m = p->m, n = p->n, k = p->k;
    void* args[] = {&m, &n, &k, const_cast<float*>(p->a), const_cast<float*>(p->b), p->c};
    if (code->call(args) != 0) throw std::runtime_error("gemm failed");
  };
  c.check_error = [run = c.run, p] { return p->error(run); };
  c.places = {{"sgemm.first", ""}};
  c.schedule_ms = rewrites;
  c.compile_ms = took.count() - rewrites;
  c.object_bytes = static_cast<int64_t>(code->artifact().code->object().size());
  registry.add(std::move(c));
}

}  // namespace hocket::bench
