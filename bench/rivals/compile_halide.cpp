// `halide`: from Func to running code by Halide 21's JIT, the rival of `compile.first`.
// In: a small frame for the check. Out: one contestant whose run() states the blur with fresh
// Funcs under the schedule of its paper of 2012 and compiles it; nothing is cached from run to run.
#include "halide_blur.h"

#include "harness/contestant.h"
#include "harness/small_problems.h"

extern "C" void register_rival(hocket::bench::Registry& registry,
                               const hocket::bench::CompileProblem& problem) {
  using namespace hocket::bench;
  Halide::Target target = Halide::get_jit_target_from_environment();
  const BlurFrame& frame = *problem.frame;
  Contestant contestant;
  contestant.name = "halide";
  contestant.version = "21.0.0, " + name_of(seeds_schedule());
  contestant.target = target.to_string();
  contestant.run = [target] {
    HalideBlur blur(seeds_schedule());
    blur.blurred.compile_jit(target);
  };
  contestant.check_error = [&frame, target] {
    return frame.blur_error([&] {
      HalideBlur blur(seeds_schedule());
      blur.blurred.compile_jit(target);
      auto in = halide_input(frame.in, frame.in_stride, frame.width, frame.height);
      auto out = halide_output(frame.out, frame.out_stride, frame.width, frame.height);
      blur.in.set(Halide::Buffer<uint16_t>(std::move(in)));
      Halide::Buffer<uint16_t> result(std::move(out));
      blur.blurred.realize(result, target);
    });
  };
  contestant.places = {{"compile.first", ""}};
  registry.add(contestant);
}
