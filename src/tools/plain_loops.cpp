#include "tools/plain_loops.h"

#include "diag/kinds_schedule.h"

namespace hocket::tools {

diag::Result<ir::ProcRef> plain_loops(const ir::AlgorithmRef& algorithm,
                                      const driver::Options& options) {
  const auto compiled = [&](const ir::Schedule& schedule) {
    return driver::compile(driver::Source(algorithm, schedule), driver::Product::Loops, options);
  };
  diag::Result<driver::Artifact> made = compiled({});
  if (!made.ok() && made.error().is(diag::kind::inlined_too_large)) {
    ir::Schedule roots;
    roots.pipeline = algorithm->name;
    for (const ir::Func& f : algorithm->funcs) {
      if (algorithm->is_output(f.sym)) continue;
      ir::Directive d;
      d.func = f.name();
      d.verb = ir::Verb::ComputeRoot;
      roots.directives.push_back(std::move(d));
    }
    made = compiled(roots);
  }
  if (!made.ok()) return made.error();
  return made->loops;
}

}  // namespace hocket::tools
