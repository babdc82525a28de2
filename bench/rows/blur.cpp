// Rows blur.sse, blur.seed, blur.halide and blur.ceiling: all contestants on one frame, together.
// In: --frame `12 MP` or `100 MP`, --threads. Out: the rows' JSON. Called by: bench/run.
#include <cstdio>

#include "contestants/contestants.h"
#include "harness/rivals.h"
#include "harness/row_main.h"

using namespace hocket::bench;

int main(int argc, char** argv) {
  RowOptions options = start_row(argc, argv);
  int width = 0, height = 0;
  if (options.frame == "12 MP") width = 4352, height = 2880;
  if (options.frame == "100 MP") width = 11776, height = 8512;
  if (width == 0) {
    std::fprintf(stderr, "unknown frame %s\n", options.frame.c_str());
    return 2;
  }
  options.work = double(width) * height * 1e-6;
  options.work_unit = "MP";
  BlurFrame frame(width, height, options.threads);

  Registry registry;
  Place sse{"blur.sse", ""}, seed{"blur.seed", ""};
  Place tiled{"blur.halide", "tiled"}, best{"blur.halide", "best"}, ceiling{"blur.ceiling", ""};
  if (!options.ours_only) {
    load_rival("blur_hand_sse", registry, frame, {"hand sse", false, "", {sse, seed, ceiling}});
    load_rival("blur_clean", registry, frame, {"clean cpp", false, "", {sse, ceiling}});
    load_rival("blur_copies", registry, frame, {"vector copy", false, "", {sse, ceiling}});
    load_rival("blur_fused_rows", registry, frame, {"hand fused rows", false, "", {ceiling}});
    load_rival("blur_halide", registry, frame, {"halide", false, "", {tiled, best}});
  }
#ifdef HOCKET_BENCH_HAS_BLUR
  register_hocket_blur(registry, frame);
#else
  registry.add_absent({"hocket", true, "not built", {sse, seed, tiled, best}});
#endif
  return finish_row(options, registry, 0);
}
