// The 3x3 blur from C++: one algorithm, four schedules, the same pixels.
// Called as: 01_blur IMAGE OUTPUT. Prints each schedule's loop nest and time.
#include <hocket/hocket.h>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>

using namespace hocket;

namespace {

struct Blur {
  ImageParam input{UInt(16), 2, "input"};
  Var x{"x"}, y{"y"}, xi{"xi"}, yi{"yi"};
  Func bh{"bh"}, bv{"bv"};

  Blur() {
    bh(x, y) = (input(x - 1, y) + input(x, y) + input(x + 1, y)) / 3;
    bv(x, y) = (bh(x, y - 1) + bh(x, y) + bh(x, y + 1)) / 3;
  }
};

// The first channel, widened.
Buffer<uint16_t> gray(const std::string& path) {
  const Buffer<uint8_t> photo = load_image(path);
  Buffer<uint16_t> out(photo.width(), photo.height());
  for (int64_t i = 0; i < photo.width() * photo.height(); ++i) out.data()[i] = photo.data()[i];
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: 01_blur IMAGE OUTPUT\n";
    return 2;
  }
  try {
    const Buffer<uint16_t> photo = gray(argv[1]);
    const std::vector<std::pair<const char*, std::function<void(Blur&)>>> schedules = {
        {"root", [](Blur& b) { b.bh.compute_root(); }},
        {"inline", [](Blur& b) { b.bh.compute_inline(); }},
        {"sliding", [](Blur& b) { b.bh.store_root().compute_at(b.bv, b.y); }},
        {"tiled",
         [](Blur& b) {
           b.bv.tile(b.x, b.y, b.xi, b.yi, 256, 32).vectorize(b.xi, 8).parallel(b.y);
           b.bh.compute_at(b.bv, b.x).store_at(b.bv, b.x).vectorize(b.x, 8);
         }},
    };
    Buffer<uint16_t> first;
    for (const auto& [name, schedule] : schedules) {
      Blur blur;
      schedule(blur);
      blur.input.set(photo);
      Buffer<uint16_t> out(photo.width() - 2, photo.height() - 2);
      out.set_min({1, 1});
      blur.bv.realize(out);  // compiles
      const auto start = std::chrono::steady_clock::now();
      blur.bv.realize(out);
      const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
      std::cout << "== " << name << ": " << ms.count() << " ms\n" << blur.bv.loop_nest() << "\n";
      if (!first.defined()) first = out;
      if (std::memcmp(first.data(), out.data(), out.size_in_bytes()) != 0) {
        std::cerr << name << " gives other pixels\n";
        return 1;
      }
    }
    Buffer<uint8_t> narrow(first.width(), first.height());
    for (int64_t i = 0; i < first.width() * first.height(); ++i)
      narrow.data()[i] = static_cast<uint8_t>(first.data()[i]);
    save_image(narrow, argv[2]);
  } catch (const Error& e) {
    std::cerr << e.what();
    return 1;
  }
}
