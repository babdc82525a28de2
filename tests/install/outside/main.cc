// The C++ front end from an installed Hocket: an algorithm, a schedule, a result, a refusal.
#include <hocket/hocket.h>

#include <cstdio>

int main() {
  hocket::Var x("x"), xo("xo"), xi("xi");
  hocket::Func f("f");
  f(x) = x * 2;
  f.split(x, xo, xi, 8, hocket::TailStrategy::GuardWithIf).vectorize(xi).parallel(xo);
  const hocket::Buffer<int32_t> out = f.realize({100});
  for (int i = 0; i < 100; ++i)
    if (out(i) != 2 * i) return 1;
  try {
    f.vectorize(x);
  } catch (const hocket::Error& error) {
    return error.what()[0] == 'e' ? 0 : 3;
  }
  return 2;
}
