// Small whole programs: what definitions, updates, domains, boundaries and literals mean. Prints a
// name and the values, or `refused`.
#include "meaning/front.h"

namespace {

const Buffer<uint8_t>& image() {
  static const Buffer<uint8_t> in = [] {
    Buffer<uint8_t> made(13, 7);
    made.for_each_element(
        [&](int x, int y) { made(x, y) = static_cast<uint8_t>(x * 37 + y * 101 + x * y); });
    return made;
  }();
  return in;
}

template <class T>
void show(const Buffer<T>& b) {
  if (b.dimensions() == 0) std::printf(" %s", digits<T>(b()).c_str());
  if (b.dimensions() == 1)
    for (int x = b.dim(0).min(); x <= b.dim(0).max(); ++x)
      std::printf(" %s", digits<T>(b(x)).c_str());
  if (b.dimensions() == 2)
    for (int y = b.dim(1).min(); y <= b.dim(1).max(); ++y)
      for (int x = b.dim(0).min(); x <= b.dim(0).max(); ++x)
        std::printf(" %s", digits<T>(b(x, y)).c_str());
}
template <class T, class... Sizes>
void run(Func f, Sizes... sizes) {
  if constexpr (sizeof...(sizes) == 0) {
    const Buffer<T> out = f.realize();
    show(out);
  } else {
    const Buffer<T> out = f.realize({sizes...});
    show(out);
  }
  std::printf(" of %s", name_of(type_of_func(f)).c_str());
}

template <class F>
void program(const char* name, const F& make) {
  std::printf("%s:", name);
  try {
    make();
  } catch (...) {
    std::printf(" refused");
  }
  std::printf("\n");
}

}  // namespace

int main() {
  const Buffer<uint8_t>& in = image();
  Buffer<int32_t> index(8);
  index.for_each_element([&](int x) { index(x) = x * 5 % 8; });
  Buffer<float> reals(9);
  reals.for_each_element([&](int x) { reals(x) = static_cast<float>(x - 4) * 1.37F; });
  Var x("x"), y("y"), i("i");

  program("update i32 into u8", [&] {
    Func f;
    f(x) = u8(in(x, 0));
    f(x) += i32(300);
    run<uint8_t>(f, 5);
  });
  program("assign i32 into u8", [&] {
    Func f;
    f(x) = u8(in(x, 0));
    f(x) = f(x) + i32(300);
    run<uint8_t>(f, 5);
  });
  program("hist", [&] {
    Func h;
    h(i) = 0;
    RDom r(0, 13, 0, 7);
    h(in(r.x, r.y) / 16) += 1;
    run<int32_t>(h, 16);
  });
  program("hist u8 index", [&] {
    Func h;
    h(i) = cast<uint16_t>(0);
    RDom r(in);
    h(i32(in(r.x, r.y))) += cast<uint16_t>(1);
    run<uint16_t>(h, 256);
  });
  program("scan", [&] {
    Func s;
    RDom r(1, 12);
    s(x) = u32(in(x, 2));
    s(r) = s(r - 1) + s(r);
    run<uint32_t>(s, 13);
  });
  program("back scan", [&] {
    Func s;
    RDom r(1, 12);
    s(x) = u32(in(x, 2));
    s(12 - r) = s(13 - r) * 3 + s(12 - r);
    run<uint32_t>(s, 13);
  });
  program("sum u8", [&] {
    RDom r(0, 13);
    Expr e = sum(in(r, y));
    Func f;
    f(y) = cast<int32_t>(e);
    run<int32_t>(f, 7);
  });
  program("product", [&] {
    RDom r(0, 5);
    Expr e = product(u32(in(r, y)) + 1);
    Func f;
    f(y) = e;
    run<uint32_t>(f, 7);
  });
  program("maximum", [&] {
    RDom r(0, 13);
    Func f;
    f(y) = maximum(in(r, y));
    run<uint8_t>(f, 7);
  });
  program("minimum f", [&] {
    RDom r(0, 9);
    Func f;
    f() = minimum(reals(r));
    run<float>(f);
  });
  program("fsum", [&] {
    RDom r(0, 9);
    Func f;
    f(x) = sum(reals(r) * reals(r) + x);
    run<float>(f, 4);
  });
  program("where", [&] {
    RDom r(0, 13, 0, 7);
    r.where(r.x + r.y < 9);
    r.where(r.x > r.y);
    Func f;
    f(x) = 0;
    f(r.x % 5) += i32(in(r.x, r.y));
    run<int32_t>(f, 5);
  });
  program("where data", [&] {
    RDom r(0, 13, 0, 7);
    r.where(in(r.x, r.y) > 128);
    Func f;
    f() = 0;
    f() += 1;
    run<int32_t>(f);
  });
  program("order", [&] {
    RDom r(0, 3, 0, 3);
    Func f;
    f() = 1;
    f() = f() * 3 + r.x - 2 * r.y;
    run<int32_t>(f);
  });
  program("var as data", [&] {
    Func f;
    f(x, y) = x * 1000 + y;
    run<int32_t>(f, 3, 2);
  });
  program("var as u8", [&] {
    Func f;
    f(x) = cast<uint8_t>(x * 50);
    run<uint8_t>(f, 9);
  });
  program("x / 2 float", [&] {
    Func f;
    f(x) = x / 2.0f;
    run<float>(f, 5);
  });
  program("u8 + 1", [&] {
    Func f;
    f(x) = in(x, 0) + 1;
    std::printf(" %s", name_of(type_of_func(f)).c_str());
  });
  program("u8 avg", [&] {
    Func f;
    f(x) = (in(x, 0) + in(x + 1, 0)) / 2;
    run<uint8_t>(f, 12);
  });
  program("u8 - u8", [&] {
    Func f;
    f(x) = cast<int16_t>(in(x, 0)) - in(x + 1, 0);
    run<int16_t>(f, 12);
  });
  program("gather", [&] {
    Func f;
    f(x) = in(index(x), 3);
    run<uint8_t>(f, 8);
  });
  program("scatter", [&] {
    Func f;
    RDom r(0, 8);
    f(x) = -1;
    f(index(r)) = r * 2;
    run<int32_t>(f, 8);
  });
  program("repeat_edge", [&] {
    Func e = BoundaryConditions::repeat_edge(in);
    Func f;
    f(x, y) = e(x - 3, y - 2);
    run<uint8_t>(f, 20, 12);
  });
  const auto far_outside = [&](const char* name, const Func& edge) {
    program(name, [&] {
      Func f;
      f(x, y) = edge(x - 30, y - 17);
      run<uint8_t>(f, 60, 40);
    });
  };
  far_outside("mirror_image", BoundaryConditions::mirror_image(in));
  far_outside("mirror_interior", BoundaryConditions::mirror_interior(in));
  far_outside("repeat_image", BoundaryConditions::repeat_image(in));
  program("constant_exterior", [&] {
    Func e = BoundaryConditions::constant_exterior(in, 77);
    Func f;
    f(x, y) = e(x - 3, y - 2);
    run<uint8_t>(f, 20, 12);
  });
  program("select chain", [&] {
    Func f;
    f(x) = select(x < 2, 5, x < 4, 7, 9);
    run<int32_t>(f, 6);
  });
  program("select u8 lit", [&] {
    Func f;
    f(x) = select(in(x, 0) > 100, in(x, 0), 3);
    run<uint8_t>(f, 6);
  });
  program("clamp types", [&] {
    Func f;
    f(x) = clamp(in(x, 0), 10, 200);
    run<uint8_t>(f, 13);
  });
  program("clamp idx", [&] {
    Func f;
    f(x) = in(clamp(x - 2, 0, in.width() - 1), clamp(x, 0, in.height() - 1));
    run<uint8_t>(f, 16);
  });
  program("mux", [&] {
    Func f;
    f(x) = mux(x, {4, 5, 6});
    run<int32_t>(f, 6);
  });
  program("param", [&] {
    Param<int> p("p");
    p.set(3);
    Func f;
    f(x) = x * p;
    run<int32_t>(f, 4);
  });
  program("param float", [&] {
    Param<float> p("p");
    p.set(0.3f);
    Func f;
    f(x) = cast<uint8_t>(clamp(in(x, 1) * p + 0.5f, 0.0f, 255.0f));
    run<uint8_t>(f, 13);
  });
  program("u8_sat", [&] {
    Func f;
    f(x) = u8_sat(i16(in(x, 1)) * 2 - 100);
    run<uint8_t>(f, 13);
  });
  program("two updates", [&] {
    Func f;
    f(x, y) = x + y;
    f(x, 3) = 100;
    f(2, y) += 1000;
    run<int32_t>(f, 4, 5);
  });
  program("implicit init", [&] {
    Func f;
    RDom r(0, 13);
    f(y) += i32(in(r, y));
    run<int32_t>(f, 7);
  });
  program("implicit init *", [&] {
    Func f;
    RDom r(0, 3);
    f(y) *= i32(in(r, y)) + 1;
    run<int32_t>(f, 7);
  });
  program("-= /=", [&] {
    Func f;
    f(x) = x * 100;
    f(x) -= 7;
    f(x) /= 3;
    run<int32_t>(f, 7);
  });
  program("float -> int idx", [&] {
    Func f;
    f(x) = in(clamp(cast<int>(reals(x) * 2.0f), 0, 12), 0);
    run<uint8_t>(f, 9);
  });
  program("blur", [&] {
    Func a, b;
    Func e = BoundaryConditions::repeat_edge(in);
    a(x, y) = (u16(e(x - 1, y)) + e(x, y) + e(x + 1, y)) / 3;
    b(x, y) = u8((a(x, y - 1) + a(x, y) + a(x, y + 1)) / 3);
    run<uint8_t>(b, 13, 7);
  });
  program("min dim", [&] {
    Func f;
    f(x) = x;
    Buffer<int32_t> o(5);
    o.set_min(-2);
    f.realize(o);
    show(o);
  });
  program("bool", [&] {
    Func f;
    f(x) = (x > 2) && !(x == 4) || x == 0;
    std::printf(" %s", name_of(type_of_func(f)).c_str());
  });
  program("literal float to u8", [&] {
    Func f;
    f(x) = in(x, 0) * 0.5f;
    run<float>(f, 5);
  });
  program("int lit / f", [&] {
    Func f;
    f(x) = 1 / (reals(x) + 10);
    std::printf(" %s", name_of(type_of_func(f)).c_str());
  });
  program("u16 * u8", [&] {
    Func f;
    f(x) = u16(in(x, 0)) * in(x, 1);
    run<uint16_t>(f, 5);
  });
  program("lit overflow", [&] {
    Func f;
    f(x) = in(x, 0) + 256;
    run<uint8_t>(f, 5);
  });
  program("lit negative", [&] {
    Func f;
    f(x) = in(x, 0) + (-1);
    run<uint8_t>(f, 5);
  });
  program("cmp lit", [&] {
    Func f;
    f(x) = select(in(x, 0) > -1, 1, 0);
    run<int32_t>(f, 5);
  });
  program("rvar bits", [&] {
    RDom r(0, 8);
    Func f;
    f(x) = cast<uint8_t>(0);
    f(x) += cast<uint8_t>((in(x, 0) >> r) & 1);
    run<uint8_t>(f, 13);
  });
  program("median", [&] {
    auto m = [](Expr a, Expr b, Expr c) { return max(min(a, b), min(max(a, b), c)); };
    Func f;
    f(x) = m(in(x, 0), in(x, 1), in(x, 2));
    run<uint8_t>(f, 13);
  });
  program("pow2", [&] {
    Func f;
    f(x) = 1 << x;
    run<int32_t>(f, 9);
  });
  program("update reads other", [&] {
    Func g, f;
    g(x) = x * x;
    f(x) = 0;
    RDom r(0, 4);
    f(r) = g(r + 1) - f(r);
    run<int32_t>(f, 6);
  });
  program("rdom of dims", [&] {
    RDom r(1, 11, 1, 5);
    Func f;
    f(x, y) = 0;
    f(r.x, r.y) = i32(in(r.x + 1, r.y + 1)) - in(r.x - 1, r.y - 1);
    run<int32_t>(f, 13, 7);
  });
  program("abs diff", [&] {
    Func f;
    f(x) = absd(in(x, 0), in(x, 1));
    run<uint8_t>(f, 13);
  });
  program("lerp", [&] {
    Func f;
    f(x) = lerp(in(x, 0), in(x, 1), in(x, 2));
    run<uint8_t>(f, 13);
  });
  program("round", [&] {
    Func f;
    f(x) = cast<int>(round(reals(x) * 3));
    run<int32_t>(f, 9);
  });
  program("u8 of float", [&] {
    Func f;
    f(x) = u8(reals(x) + 6);
    run<uint8_t>(f, 9);
  });
  program("f32 of int", [&] {
    Func f;
    f(x) = f32(x * 16777217);
    run<float>(f, 4);
  });
  program("print eq", [&] {
    Func f;
    f(x) = cast<int>(reals(x) == reals(8 - x));
    run<int32_t>(f, 9);
  });
  program("undef neg mod", [&] {
    Func f;
    f(x) = (x - 5) % 3;
    run<int32_t>(f, 11);
  });
  program("neg div", [&] {
    Func f;
    f(x) = (x - 5) / -3;
    run<int32_t>(f, 11);
  });
  program("u8 neg", [&] {
    Func f;
    f(x) = -in(x, 0);
    run<uint8_t>(f, 11);
  });
  program("u32 idx", [&] {
    Func f;
    f(x) = in(cast<uint32_t>(x), 0);
    run<uint8_t>(f, 11);
  });
  program("u8 idx", [&] {
    Func f;
    f(x) = in(cast<uint8_t>(x), 0);
    run<uint8_t>(f, 11);
  });
  program("minmax n", [&] {
    Func f;
    f(x) = max(x, 3, 5 - x) + min(x, 3, 5 - x);
    run<int32_t>(f, 11);
  });
  program("fast rdom 4", [&] {
    RDom r(0, 2, 0, 3, 0, 2, 0, 2);
    Func f;
    f() = 0;
    f() = f() * 2 + r.x + r.y * r.z - r.w;
    run<int32_t>(f);
  });
  program("rdom neg", [&] {
    RDom r(-3, 7);
    Func f;
    f(x) = 0;
    f(r + 3) = r;
    run<int32_t>(f, 7);
  });
  program("update min=", [&] {
    Func f;
    f(x) = 50;
    RDom r(0, 7);
    f(x) = min(f(x), i32(in(x, r)));
    run<int32_t>(f, 7);
  });
}
