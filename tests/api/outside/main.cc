// Compiled by api.outside: language version and include folders come with hocket_api, Hocket's own
// warnings do not.
#include <hocket/hocket.h>

int main() {
  int not_used_and_no_error;
  hocket::Var x("x");
  hocket::Func f("f");
  f(x) = x * 2;
  const hocket::Buffer<int32_t> out = f.realize({4});
  return out(3) == 6 ? 0 : 1;
}
