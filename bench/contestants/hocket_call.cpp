// Calls of a pipeline that does next to nothing: f(x) = 0 over one element.
#include <memory>

#include "contestants/contestants.h"
#include "hocket/hocket.h"

namespace hocket::bench {

void register_hocket_call(Registry& registry, const CallProblem& problem) {
  struct State {
    Func f{"f"};
    Buffer<uint8_t> out{1};
    std::unique_ptr<Callable> code;
  };
  auto state = std::make_shared<State>();
  Var x("x");
  state->f(x) = cast<uint8_t>(0);
  state->code = std::make_unique<Callable>(state->f.compile_to_callable());
  auto entry = [&](const char* name, const char* variant, std::function<void()> run) {
    Contestant c;
    c.name = name;
    c.target = target::host().to_string();
    c.ours = true;
    c.calls_per_run = problem.calls;
    c.check_error = [state, run] {
      state->out(0) = 1;
      run();
      return static_cast<double>(state->out(0));
    };
    c.run = std::move(run);
    c.places = {{"call", variant}};
    registry.add(std::move(c));
  };
  const int64_t calls = problem.calls;
  entry("hocket realize", "realize", [state, calls] {
    for (int64_t i = 0; i < calls; ++i) state->f.realize(state->out);
  });
  entry("hocket callable", "callable", [state, calls] {
    void* args[] = {state->out.raw_buffer()};
    for (int64_t i = 0; i < calls; ++i)
      if (state->code->call(args) != 0) throw std::runtime_error("the pipeline failed");
  });
}

}  // namespace hocket::bench
