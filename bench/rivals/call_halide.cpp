// `halide`: the overhead of a call into an empty pipeline by Halide 21, the rival of `call`.
// In: how many calls a run makes. Out: two contestants, `realize` into an existing buffer and a
// Callable. The arguments take the cheapest of the forms that Halide offers. The answer is checked:
// the one element must become 0.
#include <memory>

#include <Halide.h>

#include "harness/contestant.h"
#include "harness/small_problems.h"

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::CallProblem& problem) {
  using namespace hocket::bench;
  struct State {
    Halide::Func f{"empty"};
    Halide::Var x{"x"};
    Halide::Pipeline pipeline;
    Halide::Callable callable;
    Halide::Buffer<uint8_t> out{1};
  };
  Halide::Target target = Halide::get_jit_target_from_environment();
  auto state = std::make_shared<State>();
  state->f(state->x) = Halide::cast<uint8_t>(0);
  state->pipeline = Halide::Pipeline(state->f);
  state->pipeline.compile_jit(target);
  state->callable = state->pipeline.compile_to_callable({}, target);

  auto add = [&](const char* variant, std::function<void()> run, std::function<void()> once) {
    Contestant contestant;
    contestant.name = std::string("halide ") + variant;
    contestant.version = "21.0.0";
    contestant.target = target.to_string();
    contestant.run = run;
    contestant.check_error = [state, once] {
      (*state->out.get())(0) = 77;
      once();
      return static_cast<double>((*state->out.get())(0));
    };
    contestant.calls_per_run = problem.calls;
    contestant.places = {{"call", variant}};
    registry.add(contestant);
  };
  int64_t calls = problem.calls;
  add(
      "realize",
      [state, calls, target] {
        for (int64_t i = 0; i < calls; ++i)
          state->pipeline.realize(state->out.raw_buffer(), target);
      },
      [state, target] { state->pipeline.realize(state->out, target); });
  add(
      "callable",
      [state, calls] {
        Halide::Runtime::Buffer<uint8_t>& out = *state->out.get();
        for (int64_t i = 0; i < calls; ++i) state->callable(out);
      },
      [state] { state->callable(*state->out.get()); });
}
