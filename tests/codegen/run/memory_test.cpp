// Loads and stores next to pages that must not be touched: dense, strided, gathered, masked,
// streamed; by every back end.
#include <cstring>
#include <numeric>

#include "../support/flat.h"

namespace hocket::codegen::testing {

namespace {

Expr number(int64_t v) {
  return ir::make_index(v);
}

Expr masked_load(const Symbol& buffer, Expr index, Expr mask) {
  return ir::make_load(buffer, buffer.type().with_lanes(index.type().lanes), {index}, mask);
}

ir::Stmt masked_store(const Symbol& buffer, Expr index, Expr value, Expr mask) {
  return ir::edited<ir::Store>(store(buffer, index, value),
                               [&](ir::Store& s) { s.predicate = mask; });
}

class Memory : public ::testing::TestWithParam<Backend> {
 protected:
  std::unique_ptr<Compiled> compiled(const ir::ProcRef& proc) {
    return compile(GetParam(), {proc});
  }
};

std::vector<Type> sample_types() {
  return {Type::u(8), Type::i(16), Type::f(32), Type::f(64), Type::boolean(), Type::bf16()};
}

template <class F>
void fill(uint8_t* data, size_t count, Type t, F f) {
  for (size_t i = 0; i < count; ++i) {
    ir::store_bytes(t.is_float() ? Scalar::of_float(t, static_cast<double>(f(i)))
                                 : Scalar::of_int(t, static_cast<int64_t>(f(i))),
                    data + i * static_cast<size_t>(t.bytes()));
  }
}

// out[i] = in[lo + i] in one vector whose lanes from `n` on are off: nothing beyond is touched, and
// output lanes that are off keep what they held.
TEST_P(Memory, MaskedTailsStayInside) {
  for (Type t : sample_types()) {
    for (int lanes : {4, 16}) {
      ProcBuilder b("tail");
      const Symbol in = b.buffer("in", t), out = b.buffer("out", t), n = b.index("n");
      const Expr at = lanes_at(number(0), lanes);
      const Expr mask =
          ir::make_binary(ir::BinaryOp::Lt, at, ir::make_broadcast(ir::make_var(n), lanes));
      const auto proc = b.build({masked_store(out, at, masked_load(in, at, mask), mask)});
      const auto code = compiled(proc);
      for (int64_t count = 0; count <= lanes; ++count) {
        const auto bytes = static_cast<size_t>(count * t.bytes());
        GuardedMemory from(bytes, GuardedMemory::Side::End), to(bytes, GuardedMemory::Side::End);
        fill(from.data(), static_cast<size_t>(count), t, [](size_t i) { return i % 2; });
        std::memset(to.data(), 0x7f, bytes);
        ASSERT_EQ(code->call("tail", {from.data(), to.data(), &count}), 0);
        EXPECT_EQ(std::memcmp(from.data(), to.data(), bytes), 0)
            << t.name() << " x" << lanes << " count " << count;
      }
    }
  }
}

TEST_P(Memory, MasksOfAnyShape) {
  const int lanes = 8;
  ProcBuilder b("any");
  const Symbol mask = b.buffer("mask", Type::boolean()), in = b.buffer("in", Type::i(32)),
               out = b.buffer("out", Type::i(32));
  const Expr at = lanes_at(number(0), lanes);
  const Expr m = load(mask, number(0), lanes);
  const auto code = compiled(b.build({masked_store(out, at, masked_load(in, at, m), m)}));
  for (unsigned bits = 0; bits < 256; ++bits) {
    uint8_t flags[8];
    int32_t from[8], to[8];
    for (unsigned i = 0; i < 8; ++i) {
      flags[i] = (bits >> i) & 1;
      from[i] = static_cast<int32_t>(i) + 1;
      to[i] = -7;
    }
    ASSERT_EQ(code->call("any", {flags, from, to}), 0);
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(to[i], flags[i] ? from[i] : -7) << bits;
  }
}

// A load that starts below the buffer, with the lanes below it off.
TEST_P(Memory, LanesBeforeTheStartAreNotRead) {
  const int lanes = 8;
  ProcBuilder b("before");
  const Symbol in = b.buffer("in", Type::f(32)), out = b.buffer("out", Type::f(32)),
               lo = b.index("lo");
  const Expr at = lanes_at(ir::make_var(lo), lanes);
  const Expr mask = ir::make_binary(ir::BinaryOp::Ge, at, ir::make_broadcast(number(0), lanes));
  const Expr v =
      ir::make_select(mask, masked_load(in, at, mask), ir::make_const(Type::f(32, lanes), -1));
  const auto code = compiled(b.build({store(out, lanes_at(number(0), lanes), v)}));
  GuardedMemory memory(4096, GuardedMemory::Side::Start);
  auto* from = reinterpret_cast<float*>(memory.data());
  for (int i = 0; i < 16; ++i) from[i] = static_cast<float>(i);
  for (int64_t lo_value = -8; lo_value <= 8; ++lo_value) {
    float to[8];
    ASSERT_EQ(code->call("before", {from, to, &lo_value}), 0);
    for (int64_t i = 0; i < 8; ++i) {
      EXPECT_EQ(to[i], lo_value + i < 0 ? -1.0f : static_cast<float>(lo_value + i));
    }
  }
}

TEST_P(Memory, StridedLoadsReadNothingOutsideTheirSpan) {
  for (Type t : {Type::u(8), Type::i(16), Type::f(32), Type::i(64)}) {
    for (int64_t stride : {-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7}) {
      for (int lanes : {2, 4, 16}) {
        ProcBuilder b("strided");
        const Symbol in = b.buffer("in", t), out = b.buffer("out", t), base = b.index("base");
        const Expr at = ir::make_ramp(ir::make_var(base), number(stride), lanes);
        const Expr v = ir::make_load(in, t.with_lanes(lanes), {at});
        const auto code = compiled(b.build({store(out, lanes_at(number(0), lanes), v)}));
        const int64_t span = std::abs(stride) * (lanes - 1) + 1;
        const int64_t first = stride < 0 ? span - 1 : 0;
        const auto bytes = static_cast<size_t>(span * t.bytes());
        for (auto side : {GuardedMemory::Side::End, GuardedMemory::Side::Start}) {
          GuardedMemory from(bytes, side);
          fill(from.data(), static_cast<size_t>(span), t, [](size_t i) { return i + 3; });
          std::vector<uint8_t> to(static_cast<size_t>(lanes * t.bytes()));
          int64_t base_value = first;
          ASSERT_EQ(code->call("strided", {from.data(), to.data(), &base_value}), 0);
          for (int64_t i = 0; i < lanes; ++i) {
            const Scalar got = ir::load_bytes(t, to.data() + i * t.bytes());
            const Scalar want = ir::load_bytes(t, from.data() + (first + i * stride) * t.bytes());
            EXPECT_TRUE(ir::same_value(got, want))
                << t.name() << " stride " << stride << " lane " << i;
          }
        }
      }
    }
    if (GetParam() == Backend::Gcc || GetParam() == Backend::Clang) break;  // one type is enough
  }
}

// A look-up table: indices from memory, as the last lane wins where two are equal.
TEST_P(Memory, GatherAndScatter) {
  for (bool masked : {false, true}) {
    const int lanes = 16;
    ProcBuilder b("lut");
    const Symbol index = b.buffer("index", Type::u(8)), table = b.buffer("table", Type::u(16)),
                 out = b.buffer("out", Type::u(16)), picked = b.buffer("picked", Type::u(16));
    const Expr narrow = load(index, number(0), lanes);
    const Expr at = ir::make_cast(Type::index(lanes), narrow);
    const Expr mask = ir::make_binary(ir::BinaryOp::Ne, narrow, ir::make_const(narrow.type(), 3));
    const Expr v = ir::make_load(table, Type::u(16, lanes), {at}, masked ? mask : Expr());
    const Expr value = masked ? ir::make_select(mask, v, ir::make_const(v.type(), 9)) : v;
    ir::Body body = {store(picked, lanes_at(number(0), lanes), value)};
    const Expr lane = ir::make_cast(Type::u(16, lanes), lanes_at(number(100), lanes));
    body.push_back(masked ? masked_store(out, at, lane, mask) : store(out, at, lane));
    const auto code = compiled(b.build(body));
    const uint8_t indices[16] = {0, 255, 3, 3, 7, 7, 7, 1, 2, 4, 5, 6, 200, 201, 255, 0};
    GuardedMemory table_memory(512, GuardedMemory::Side::End);
    auto* t = reinterpret_cast<uint16_t*>(table_memory.data());
    for (int i = 0; i < 256; ++i) t[i] = static_cast<uint16_t>(i * 5);
    std::vector<uint16_t> got(16), target(256, 1), expected(256, 1);
    ASSERT_EQ(code->call("lut", {const_cast<uint8_t*>(indices), t, target.data(), got.data()}), 0);
    for (size_t i = 0; i < 16; ++i) {
      const bool on = !masked || indices[i] != 3;
      EXPECT_EQ(got[i], on ? indices[i] * 5 : 9);
      if (on) expected[indices[i]] = static_cast<uint16_t>(100 + i);
    }
    EXPECT_EQ(target, expected);
  }
}

TEST_P(Memory, ScatterWithConstantStride) {
  const int lanes = 8;
  ProcBuilder b("column");
  const Symbol out = b.buffer("out", Type::u(8));
  const Expr at = ir::make_ramp(number(1), number(3), lanes);
  const auto code = compiled(
      b.build({store(out, at, ir::make_cast(Type::u(8, lanes), lanes_at(number(10), lanes)))}));
  GuardedMemory memory(23, GuardedMemory::Side::End);
  std::memset(memory.data(), 0, 23);
  ASSERT_EQ(code->call("column", {memory.data()}), 0);
  for (int i = 0; i < 23; ++i) EXPECT_EQ(memory.data()[i], i % 3 == 1 ? 10 + i / 3 : 0);
}

// Every alignment of a streamed row, aligned to its element at least.
TEST_P(Memory, StreamedRowsAtEveryAlignment) {
  for (int lanes : {4, 8, 16, 32}) {
    ProcBuilder b("stream");
    const Symbol in = b.buffer("in", Type::u(16)), out = b.buffer("out", Type::u(16)),
                 n = b.index("n");
    const Symbol i = Symbol::fresh("i", Type::index());
    const Expr at = ir::make_var(i) * number(lanes);
    const ir::Stmt s =
        ir::edited<ir::Store>(store(out, lanes_at(at, lanes),
                                    load(in, at, lanes) + ir::make_const(Type::u(16, lanes), 1)),
                              [](ir::Store& st) { st.stream = true; });
    const auto code = compiled(b.build(
        {ir::make_for(i, number(0), ir::make_var(n) / number(lanes), ir::LoopKind::Seq, {s})}));
    int64_t count = 64;
    std::vector<uint16_t> from(64);
    std::iota(from.begin(), from.end(), uint16_t{7});
    for (size_t offset = 0; offset < 64; offset += 2) {
      GuardedMemory memory(128 + 64 - offset, GuardedMemory::Side::Start);
      auto* to = reinterpret_cast<uint16_t*>(memory.data() + offset % 64);
      ASSERT_EQ(code->call("stream", {from.data(), to, &count}), 0);
      for (size_t k = 0; k < 64; ++k) ASSERT_EQ(to[k], from[k] + 1) << offset;
    }
  }
}

TEST_P(Memory, EveryStoreOperation) {
  using Op = ir::StoreOp;
  for (Type t : {Type::u(8), Type::i(32), Type::f(32), Type::f(16)}) {
    for (int lanes : {1, 8}) {
      ProcBuilder b("update");
      std::vector<Symbol> targets;
      const Symbol x = b.buffer("x", t);
      ir::Body body;
      for (Op op : {Op::Assign, Op::Add, Op::Mul, Op::Min, Op::Max}) {
        targets.push_back(b.buffer("t" + std::to_string(static_cast<int>(op)), t));
        body.push_back(
            store(targets.back(), lanes_at(number(0), lanes), load(x, number(0), lanes), op));
      }
      const Symbol fused = b.buffer("fused", t);
      if (t.is_float()) {
        const Expr v = load(x, number(0), lanes);
        body.push_back(
            ir::edited<ir::Store>(store(fused, lanes_at(number(0), lanes), v * v, Op::Add),
                                  [](ir::Store& s) { s.fused = true; }));
      }
      const auto code = compiled(b.build(body));
      std::mt19937_64 random(3);
      auto values = interesting_values(t, 200, random), olds = interesting_values(t, 200, random);
      std::shuffle(olds.begin(), olds.end(), random);
      for (size_t k = 0; k + static_cast<size_t>(lanes) <= 200; k += static_cast<size_t>(lanes)) {
        const std::vector<Scalar> v(values.begin() + static_cast<std::ptrdiff_t>(k),
                                    values.begin() + static_cast<std::ptrdiff_t>(k) + lanes);
        const std::vector<Scalar> o(olds.begin() + static_cast<std::ptrdiff_t>(k),
                                    olds.begin() + static_cast<std::ptrdiff_t>(k) + lanes);
        auto vb = bytes_of(v);
        std::vector<std::vector<uint8_t>> memory(6, bytes_of(o));
        std::vector<void*> args = {vb.data()};
        for (auto& m : memory) args.push_back(m.data());
        ASSERT_EQ(code->call("update", args), 0);
        for (size_t l = 0; l < v.size(); ++l) {
          using B = ir::BinaryOp;
          const Scalar wanted[] = {v[l],
                                   ir::eval_binary(B::Add, o[l], v[l]),
                                   ir::eval_binary(B::Mul, o[l], v[l]),
                                   ir::eval_binary(B::Min, o[l], v[l]),
                                   ir::eval_binary(B::Max, o[l], v[l]),
                                   t.is_float() ? ir::eval_fma(v[l], v[l], o[l]) : o[l]};
          for (size_t m = 0; m < 6; ++m) {
            if (wanted[m].poison) continue;
            const Scalar got =
                ir::load_bytes(t, memory[m].data() + l * static_cast<size_t>(t.bytes()));
            EXPECT_TRUE(ir::same_value(got, wanted[m]))
                << t.name() << " op " << m << ": " << to_string(o[l]) << ", " << to_string(v[l])
                << " gives " << to_string(got) << ", not " << to_string(wanted[m]);
          }
        }
      }
    }
  }
}

TEST_P(Memory, ShufflesRampsAndLanes) {
  ProcBuilder b("lanes");
  const Symbol in = b.buffer("in", Type::i(16)), out = b.buffer("out", Type::i(16)),
               wide = b.buffer("wide", Type::i(16)), one = b.buffer("one", Type::i(16)),
               flags = b.buffer("flags", Type::boolean()), start = b.index("start");
  const Expr a = load(in, number(0), 4), c = load(in, number(4), 4), d = load(in, number(8), 4);
  const Expr s = ir::make_var(start);
  // Interleave three vectors, pick one lane, build a vector from scalars, narrow a ramp of indices.
  const auto code = compiled(b.build(
      {store(wide, lanes_at(number(0), 16),
             ir::make_shuffle({a, c, d}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 0, 0, 11, 11})),
       store(one, number(0), ir::make_shuffle({a, c}, {6})),
       store(one, lanes_at(number(1), 2),
             ir::make_shuffle({load(in, number(3), 1), load(in, number(9), 1)}, {1, 0})),
       store(out, lanes_at(number(0), 8),
             ir::make_cast(Type::i(16, 8),
                           ir::make_ramp(s, number(3), 8) * ir::make_const(Type::index(8), 2))),
       store(
           flags, lanes_at(number(0), 8),
           ir::make_binary(ir::BinaryOp::Le, ir::make_broadcast(s, 8), lanes_at(number(0), 8)))}));
  int16_t from[12], w[16], o[8], single[3];
  uint8_t f[8];
  for (int i = 0; i < 12; ++i) from[i] = static_cast<int16_t>(100 + i);
  for (int64_t start_value : {0, 3, 8, -1, 100000}) {
    ASSERT_EQ(code->call("lanes", {from, o, w, single, f, &start_value}), 0);
    const int order[16] = {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 0, 0, 11, 11};
    for (int i = 0; i < 16; ++i) EXPECT_EQ(w[i], 100 + order[i]);
    EXPECT_EQ(single[0], 106);
    EXPECT_EQ(single[1], 109);
    EXPECT_EQ(single[2], 103);
    for (int64_t i = 0; i < 8; ++i) {
      EXPECT_EQ(o[i], static_cast<int16_t>((start_value + 3 * i) * 2));
      EXPECT_EQ(f[i], start_value <= i ? 1 : 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Memory, ::testing::ValuesIn(all_backends()),
                         [](const auto& info) { return id_of(info.param); });

}  // namespace

}  // namespace hocket::codegen::testing
