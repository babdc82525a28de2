// From Func to running code: the blur under the schedule of Halide's paper, everything made anew in
// each run.
#include "contestants/contestants.h"
#include "contestants/hocket_blur_common.h"

namespace hocket::bench {

void register_hocket_compile(Registry& registry, const CompileProblem& problem) {
  const BlurFrame& frame = *problem.frame;
  Contestant c;
  c.name = "hocket";
  c.version = "tiles of 256 x 32, 8 lanes";
  c.target = target::host().to_string();
  c.ours = true;
  c.run = [] {
    HocketBlur blur;
    blur.tiled();
    blur.bv.compile_jit();
  };
  c.check_error = [&frame] {
    HocketBlur blur;
    blur.tiled();
    const Callable code = blur.bv.compile_to_callable();
    FrameViews views(frame);
    return frame.blur_error([&] {
      void* args[] = {&views.in.buffer, &views.out.buffer};
      if (code.call(args) != 0) throw std::runtime_error("the pipeline failed");
    });
  };
  c.places = {{"compile.first", ""}};
  registry.add(std::move(c));
}

}  // namespace hocket::bench
