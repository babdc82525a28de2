// Loops, branches, checks, heap memory, parallel loops and the ways out, by every back end.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>

#include "../support/flat.h"

namespace hocket::codegen::testing {

namespace {

Expr number(int64_t v) {
  return ir::make_index(v);
}
Symbol index_symbol(const std::string& name) {
  return Symbol::fresh(name, Type::index());
}
Expr of(const Symbol& s) {
  return ir::make_var(s);
}
Expr less(Expr a, Expr b) {
  return ir::make_binary(ir::BinaryOp::Lt, a, b);
}
Expr i32(int64_t v) {
  return ir::make_int(Type::i(32), v);
}

// A heap that counts, and that fails at the n-th request.
struct CountingHeap {
  std::mutex mutex;
  std::set<void*> live;
  int requests = 0, fail_at = -1;
  std::vector<int32_t> errors;
  std::string last_text;

  static CountingHeap& of(const hocket_context_t* c) {
    return *static_cast<CountingHeap*>(c->user);
  }
  static void* allocate(const hocket_context_t* c, size_t bytes) {
    CountingHeap& h = of(c);
    const std::lock_guard lock(h.mutex);
    if (h.requests++ == h.fail_at) return nullptr;
    void* p = std::aligned_alloc(128, (bytes + 255) / 128 * 128);
    h.live.insert(p);
    return p;
  }
  static void release(const hocket_context_t* c, void* p) {
    CountingHeap& h = of(c);
    const std::lock_guard lock(h.mutex);
    EXPECT_EQ(h.live.erase(p), 1u);
    std::free(p);
  }
  static void error(const hocket_context_t* c, int32_t code, const hocket_error_t* details) {
    CountingHeap& h = of(c);
    const std::lock_guard lock(h.mutex);
    h.errors.push_back(code);
    h.last_text = details->text != nullptr ? details->text : "";
  }
};

struct CountingContext {
  CountingHeap heap;
  hocket_hooks_t hooks{};
  hocket_context_t context{};
  CountingContext() {
    hooks.malloc = CountingHeap::allocate;
    hooks.free = CountingHeap::release;
    hooks.error = CountingHeap::error;
    context.user = &heap;
    context.hooks = &hooks;
  }
};

class Control : public ::testing::TestWithParam<Backend> {
 protected:
  std::unique_ptr<Compiled> compiled(const ir::ProcRef& proc) {
    return compile(GetParam(), {proc});
  }
};

// sum over lo <= i < hi of i, for empty, negative and ordinary ranges.
TEST_P(Control, LoopBounds) {
  ProcBuilder b("sum");
  const Symbol lo = b.index("lo"), hi = b.index("hi"), out = b.buffer("out", Type::i(64));
  const Symbol i = index_symbol("i");
  const auto code = compiled(
      b.build({store(out, number(0), ir::make_int(Type::i(64), 0)),
               ir::make_for(
                   i, of(lo), of(hi), ir::LoopKind::Seq,
                   {store(out, number(0), ir::make_cast(Type::i(64), of(i)), ir::StoreOp::Add)})}));
  for (int64_t l = -3; l <= 3; ++l) {
    for (int64_t h = -3; h <= 3; ++h) {
      int64_t got = -1, expected = 0;
      for (int64_t k = l; k < h; ++k) expected += k;
      ASSERT_EQ(code->call("sum", {&l, &h, &got}), 0);
      EXPECT_EQ(got, expected) << l << " " << h;
    }
  }
}

TEST_P(Control, IfElseAndLet) {
  ProcBuilder b("branch");
  const Symbol x = b.scalar("x", Type::i(32)), flag = b.scalar("flag", Type::boolean()),
               out = b.buffer("out", Type::i(32));
  const Symbol y = Symbol::fresh("y", Type::i(32));
  const auto code = compiled(
      b.build({ir::make_let(y, of(x) * i32(2)),
               ir::make_if(ir::make_binary(ir::BinaryOp::And, of(flag), less(of(y), i32(10))),
                           {store(out, number(0), of(y))}, {store(out, number(0), i32(-1))}),
               ir::make_if(of(flag), {store(out, number(1), i32(1))})}));
  for (int32_t xv : {-5, 4, 5, 100}) {
    for (uint8_t f : {0, 1}) {
      int32_t got[2] = {7, 7};
      ASSERT_EQ(code->call("branch", {&xv, &f, got}), 0);
      EXPECT_EQ(got[0], f && xv * 2 < 10 ? xv * 2 : -1);
      EXPECT_EQ(got[1], f ? 1 : 7);
    }
  }
}

// The side of a scalar select that is not chosen is not read.
TEST_P(Control, SelectDoesNotReadTheOtherSide) {
  ProcBuilder b("edge");
  const Symbol in = b.buffer("in", Type::i(32)), n = b.index("n"),
               out = b.buffer("out", Type::i(32));
  const Symbol i = index_symbol("i");
  const Expr inside = less(of(i), of(n));
  const Expr value = load(in, of(i), 1) + i32(1);
  const auto code = compiled(b.build(
      {ir::make_for(i, number(0), number(1024), ir::LoopKind::Seq,
                    {store(out, of(i), ir::make_select(inside, value * value, i32(-3)))})}));
  GuardedMemory memory(40, GuardedMemory::Side::End);
  auto* from = reinterpret_cast<int32_t*>(memory.data());
  for (int k = 0; k < 10; ++k) from[k] = k;
  int64_t count = 10;
  std::vector<int32_t> got(1024);
  ASSERT_EQ(code->call("edge", {from, &count, got.data()}), 0);
  for (int k = 0; k < 1024; ++k)
    EXPECT_EQ(got[static_cast<size_t>(k)], k < 10 ? (k + 1) * (k + 1) : -3);
}

TEST_P(Control, EntryChecksNameWhatFailed) {
  ProcBuilder b("checked");
  const Symbol n = b.size("n"), m = b.index("m"), out = b.buffer("out", Type::i(32));
  b.require(ir::make_binary(ir::BinaryOp::Eq, of(m) % number(4), number(0)));
  const auto code = compiled(b.build({store(out, number(0), i32(1))}));
  CountingContext c;
  int64_t size = 0, multiple = 8;
  int32_t got = 0;
  EXPECT_EQ(code->call("checked", {&size, &multiple, &got}, &c.context),
            HOCKET_ERROR_SIZE_TOO_SMALL);
  size = 1;
  multiple = -6;
  EXPECT_EQ(code->call("checked", {&size, &multiple, &got}, &c.context),
            HOCKET_ERROR_USER_CHECK_FAILED);
  EXPECT_EQ(c.heap.last_text, "m % 4 == 0");
  EXPECT_EQ(got, 0);
  multiple = -8;
  EXPECT_EQ(code->call("checked", {&size, &multiple, &got}, &c.context), 0);
  EXPECT_EQ(got, 1);
}

// Two blocks on the heap, a third in a loop; a check that fails at a given iteration.
ir::ProcRef heap_proc() {
  ProcBuilder b("heap");
  const Symbol n = b.size("n"), bad = b.index("bad"), out = b.buffer("out", Type::f(32));
  const Symbol first = Symbol::fresh("first", Type::f(32)),
               second = Symbol::fresh("second", Type::f(32)),
               third = Symbol::fresh("third", Type::f(32));
  const Symbol i = index_symbol("i"), j = index_symbol("j");
  const Expr x = ir::make_cast(Type::f(32), ir::make_cast(Type::i(32), of(j)));
  return b.build({ir::make_alloc(first, {of(n)}, "heap"),
                  ir::make_for(j, number(0), of(n), ir::LoopKind::Seq, {store(first, of(j), x)}),
                  ir::make_alloc(second, {of(n)}, "heap"),
                  ir::make_for(i, number(0), of(n), ir::LoopKind::Seq,
                               {ir::make_alloc(third, {number(100000)}, "heap"),
                                store(third, of(i), load(first, of(i), 1) * load(first, of(i), 1)),
                                ir::make_check(ir::make_binary(ir::BinaryOp::Ne, of(i), of(bad)),
                                               HOCKET_ERROR_USER_CHECK_FAILED, "i is not bad"),
                                store(second, of(i), load(third, of(i), 1)), ir::make_free(third)}),
                  ir::make_free(first), store(out, number(0), load(second, of(n) - number(1), 1)),
                  ir::make_free(second)});
}

// C compilers see an index of -1 and not that its loop never runs.
TEST_P(Control, AnElementOfALoopThatNeverRuns) {
  ProcBuilder b("idle");
  const Symbol out = b.buffer("out", Type::f(32));
  const Symbol t = Symbol::fresh("t", Type::f(32)), i = index_symbol("i");
  const auto code = compiled(b.build(
      {ir::make_alloc(t, {number(4)}, "stack"), store(t, number(0), ir::make_float(Type::f(32), 3)),
       ir::make_for(i, number(0), number(0), ir::LoopKind::Seq,
                    {store(t, number(-1), ir::make_float(Type::f(32), 1))}),
       store(out, number(0), load(t, number(0), 1))}));
  float got = 0;
  EXPECT_EQ(code->call("idle", {&got}, nullptr), 0);
  EXPECT_EQ(got, 3.0f);
}

// A size that 64 bits do not hold, in a product, a difference or behind the size of an element.
TEST_P(Control, SizesThatOverflowAreOutOfMemory) {
  ProcBuilder b("big");
  const Symbol n = b.size("n"), out = b.buffer("out", Type::f(32));
  const Symbol t = Symbol::fresh("t", Type::f(32)), u = Symbol::fresh("u", Type::f(32));
  const Expr square = of(n) * of(n);
  const auto code = compiled(
      b.build({ir::make_alloc(t, {square * square - (square * square - of(n))}, "heap"),
               store(t, number(0), ir::make_float(Type::f(32), 1)),
               ir::make_alloc(u, {of(n) + number(INT64_MAX - 5)}, "heap"),
               store(u, number(0), load(t, number(0), 1)),
               store(out, number(0), load(u, number(0), 1)), ir::make_free(u), ir::make_free(t)}));
  // Not one byte is asked for in vain: sizes in bytes past 63 bits say so to the allocator.
  for (const int64_t n : {int64_t{1}, int64_t{6}, int64_t{65536}, int64_t{1} << 32, INT64_MAX}) {
    int64_t size = n;
    float got = 0;
    EXPECT_EQ(code->call("big", {&size, &got}, nullptr), HOCKET_ERROR_OUT_OF_MEMORY) << n;
    EXPECT_EQ(got, 0.0f);
  }
}

TEST_P(Control, HeapIsFreedOnEveryWayOut) {
  const auto code = compiled(heap_proc());
  {
    CountingContext c;
    int64_t n = 5, bad = -1;
    float got = 0;
    ASSERT_EQ(code->call("heap", {&n, &bad, &got}, &c.context), 0);
    EXPECT_EQ(got, 16.0f);
    EXPECT_EQ(c.heap.requests, 7);
    EXPECT_TRUE(c.heap.live.empty());
  }
  for (int64_t bad = 0; bad < 3; ++bad) {
    CountingContext c;
    int64_t n = 5;
    float got = 0;
    EXPECT_EQ(code->call("heap", {&n, &bad, &got}, &c.context), HOCKET_ERROR_USER_CHECK_FAILED);
    EXPECT_EQ(c.heap.last_text, "i is not bad");
    EXPECT_TRUE(c.heap.live.empty());
    EXPECT_EQ(c.heap.errors.size(), 1u);
  }
  for (int at = 0; at < 7; ++at) {
    CountingContext c;
    c.heap.fail_at = at;
    int64_t n = 5, bad = -1;
    float got = 0;
    EXPECT_EQ(code->call("heap", {&n, &bad, &got}, &c.context), HOCKET_ERROR_OUT_OF_MEMORY);
    EXPECT_TRUE(c.heap.live.empty()) << "request " << at;
    EXPECT_EQ(c.heap.errors, std::vector<int32_t>{HOCKET_ERROR_OUT_OF_MEMORY});
  }
}

TEST_P(Control, SizesBeyondMemoryAreRefused) {
  ProcBuilder b("huge");
  const Symbol n = b.index("n"), out = b.buffer("out", Type::i(64));
  const Symbol t = Symbol::fresh("t", Type::i(64));
  const auto code = compiled(b.build(
      {ir::make_alloc(t, {of(n)}, "heap"), store(t, number(0), ir::make_int(Type::i(64), 3)),
       store(out, number(0), load(t, number(0), 1)), ir::make_free(t)}));
  int64_t got = 0;
  for (int64_t n_value : {int64_t{1} << 61, INT64_MAX, int64_t{1} << 60}) {
    EXPECT_EQ(code->call("huge", {&n_value, &got}), HOCKET_ERROR_OUT_OF_MEMORY);
  }
  for (int64_t n_value : {0, -5, 1}) {
    got = 0;
    EXPECT_EQ(code->call("huge", {&n_value, &got}), 0);
    EXPECT_EQ(got, 3);
  }
}

// Rows in parallel, columns in a parallel loop inside; scalars, a stack array and a heap block of
// the outside are used within.
ir::ProcRef parallel_proc(bool nested) {
  ProcBuilder b("rows");
  const Symbol n = b.size("n"), bad = b.index("bad"), scale = b.scalar("scale", Type::f(32)),
               out = b.buffer("out", Type::f(32));
  const Symbol table = Symbol::fresh("table", Type::f(32)),
               block = Symbol::fresh("block", Type::f(32)), row = Symbol::fresh("row", Type::f(32));
  const Symbol y = index_symbol("y"), x = index_symbol("x"), w = index_symbol("w");
  const Expr xf = ir::make_cast(Type::f(32), ir::make_cast(Type::i(32), of(x)));
  const Expr yf = ir::make_cast(Type::f(32), ir::make_cast(Type::i(32), of(y)));
  ir::Body inner = {
      ir::make_check(ir::make_binary(ir::BinaryOp::Ne, of(y) * of(n) + of(x), of(bad)),
                     HOCKET_ERROR_USER_CHECK_FAILED, "cell is good"),
      store(row, of(x), xf * of(scale) + load(table, of(x) % number(4), 1)),
      store(out, of(y) * of(n) + of(x), load(row, of(x), 1) + load(block, of(y), 1))};
  ir::Body outer = {
      ir::make_alloc(row, {of(n)}, "heap"),
      ir::make_for(x, number(0), of(n), nested ? ir::LoopKind::Parallel : ir::LoopKind::Seq, inner),
      ir::make_free(row)};
  return b.build({ir::make_alloc(table, {number(4)}, "stack"),
                  store(table, lanes_at(number(0), 4), ir::make_const(Type::f(32, 4), 100)),
                  ir::make_let(w, of(n) + number(0)), ir::make_alloc(block, {of(w)}, "heap"),
                  ir::make_for(y, number(0), of(n), ir::LoopKind::Seq, {store(block, of(y), yf)}),
                  ir::make_for(y, number(0), of(n), ir::LoopKind::Parallel, outer),
                  ir::make_free(block)});
}

TEST_P(Control, ParallelLoops) {
  for (bool nested : {false, true}) {
    const auto code = compiled(parallel_proc(nested));
    for (int64_t n : {1, 2, 7, 33}) {
      CountingContext c;
      int64_t bad = -1;
      float scale = 0.5f;
      std::vector<float> got(static_cast<size_t>(n * n));
      ASSERT_EQ(code->call("rows", {&n, &bad, &scale, got.data()}, &c.context), 0);
      for (int64_t y = 0; y < n; ++y) {
        for (int64_t x = 0; x < n; ++x) {
          EXPECT_EQ(got[static_cast<size_t>(y * n + x)],
                    static_cast<float>(x) * 0.5f + 100.0f + static_cast<float>(y));
        }
      }
      EXPECT_TRUE(c.heap.live.empty());
    }
  }
}

TEST_P(Control, ErrorsLeaveParallelLoops) {
  for (bool nested : {false, true}) {
    const auto code = compiled(parallel_proc(nested));
    for (int64_t bad : {0, 5, 63, 64 * 64 - 1}) {
      CountingContext c;
      int64_t n = 64;
      float scale = 0.5f;
      std::vector<float> got(static_cast<size_t>(n * n));
      EXPECT_EQ(code->call("rows", {&n, &bad, &scale, got.data()}, &c.context),
                HOCKET_ERROR_USER_CHECK_FAILED);
      EXPECT_TRUE(c.heap.live.empty());
      EXPECT_EQ(c.heap.last_text, "cell is good");
    }
    for (int at : {0, 1, 2}) {  // out of memory outside, and in a task
      CountingContext c;
      c.heap.fail_at = at;
      int64_t n = 64, bad = -1;
      float scale = 0.5f;
      std::vector<float> got(static_cast<size_t>(n * n));
      EXPECT_EQ(code->call("rows", {&n, &bad, &scale, got.data()}, &c.context),
                HOCKET_ERROR_OUT_OF_MEMORY);
      EXPECT_TRUE(c.heap.live.empty());
    }
  }
}

// What a caller's own thread pool returns is passed up, whatever it is.
TEST_P(Control, ReplacedPool) {
  const auto code = compiled(parallel_proc(false));
  CountingContext c;
  c.hooks.do_par_for = [](const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                          int64_t extent, void* closure) -> int32_t {
    for (int64_t i = min + extent; i-- > min;) {
      if (int32_t code = fn(context, i, closure)) return code;
    }
    return extent == 3 ? 77 : 0;
  };
  float scale = 1;
  int64_t n = 3, bad = -1;
  std::vector<float> got(16);
  EXPECT_EQ(code->call("rows", {&n, &bad, &scale, got.data()}, &c.context), 77);
  n = 4;
  EXPECT_EQ(code->call("rows", {&n, &bad, &scale, got.data()}, &c.context), 0);
  EXPECT_EQ(got[15], 106.0f);
  EXPECT_TRUE(c.heap.live.empty());
}

struct Window1 {
  float* data;
  int64_t strides[1];
};
struct Window2 {
  float* data;
  int64_t strides[2];
};

// Windows are structs by value, in registers or on the stack as the platform's C passes them.
TEST_P(Control, WindowsByValue) {
  ProcBuilder b("windows");
  const Symbol a = b.window("a", Type::f(32), 2), c = b.window("c", Type::f(32), 1),
               n = b.index("n"), d = b.window("d", Type::f(32), 1),
               alpha = b.scalar("alpha", Type::f(32)), e = b.window("e", Type::f(32), 1),
               tail = b.scalar("tail", Type::i(8));
  const Symbol i = index_symbol("i");
  const auto stride = [](const Symbol& s, int dim) {
    return ir::make_buffer_field(s, ir::BufferFieldKind::Stride, dim);
  };
  const Expr from = load(a, of(i) * stride(a, 0) + of(i) * stride(a, 1), 1);
  ir::Body body = {store(c, of(i) * stride(c, 0), from * of(alpha)),
                   store(d, of(i) * stride(d, 0), from + of(alpha)),
                   store(e, of(i) * stride(e, 0), ir::make_cast(Type::f(32), of(tail)))};
  const auto code =
      compiled(b.build({ir::make_for(i, number(0), of(n), ir::LoopKind::Parallel, body)}));
  std::vector<float> am(64), cm(64), dm(64), em(64);
  for (size_t k = 0; k < 64; ++k) am[k] = static_cast<float>(k);
  const Window2 wa{am.data(), {8, 1}};
  const Window1 wc{cm.data(), {3}}, wd{dm.data(), {1}}, we{em.data() + 9, {-1}};
  using Function = int32_t (*)(const hocket_context_t*, Window2, Window1, int64_t, Window1, float,
                               Window1, int8_t);
  const auto check = [&] {
    for (size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(cm[3 * k], static_cast<float>(9 * k) * 2.0f);
      EXPECT_EQ(dm[k], static_cast<float>(9 * k) + 2.0f);
      EXPECT_EQ(em[9 - k], -3.0f);
    }
  };
  const auto direct = reinterpret_cast<Function>(code->find("windows"));
  ASSERT_NE(direct, nullptr);
  ASSERT_EQ(direct(nullptr, wa, wc, 5, wd, 2.0f, we, -3), 0);
  check();
  cm.assign(64, 0);
  dm.assign(64, 0);
  em.assign(64, 0);
  int64_t count = 5;
  float alpha_value = 2;
  int8_t tail_value = -3;
  const auto address = [](const auto& w) {
    return const_cast<void*>(static_cast<const void*>(&w));
  };
  ASSERT_EQ(code->call("windows", {address(wa), address(wc), &count, address(wd), &alpha_value,
                                   address(we), &tail_value}),
            0);
  check();
}

// A value read from memory that was never written decides nothing; made into an address it stays
// inside the clamp that was put around it.
TEST_P(Control, UnwrittenIndicesStayInTheirClamp) {
  ProcBuilder b("clamped");
  const Symbol in = b.buffer("in", Type::u(8)), out = b.buffer("out", Type::u(8));
  const Symbol t = Symbol::fresh("t", Type::i(32)), at = Symbol::fresh("at", Type::i(32));
  const Expr v = load(t, number(5), 1);
  const Expr clamped =
      ir::make_select(less(v, i32(0)), i32(0), ir::make_select(less(i32(15), v), i32(15), v));
  const auto code =
      compiled(b.build({ir::make_alloc(t, {number(8)}, "stack"), store(t, number(0), i32(4)),
                        ir::make_let(at, clamped),
                        store(out, number(0), load(in, ir::make_cast(Type::index(), of(at)), 1))}));
  GuardedMemory memory(16, GuardedMemory::Side::End);
  std::memset(memory.data(), 9, 16);
  uint8_t got = 0;
  ASSERT_EQ(code->call("clamped", {memory.data(), &got}), 0);
  EXPECT_EQ(got, 9);
}

INSTANTIATE_TEST_SUITE_P(Backends, Control, ::testing::ValuesIn(all_backends()),
                         [](const auto& info) { return id_of(info.param); });

}  // namespace

}  // namespace hocket::codegen::testing
