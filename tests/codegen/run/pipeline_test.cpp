// A pipeline through its five symbols, by every back end: the blur against plain C++.
#include <cstddef>
#include <cstring>
#include <random>

#include "../support/blur.h"
#include "codegen/common/layout.h"

namespace hocket::codegen::testing {

namespace {

struct Image {
  std::vector<uint16_t> data;
  hocket_dim_t dims[2];
  hocket_buffer_t buffer{};

  Image(int64_t min_x, int64_t min_y, int64_t width, int64_t height, int64_t pitch = 0) {
    pitch = pitch == 0 ? width : pitch;
    data.resize(static_cast<size_t>(pitch * height));
    dims[0] = {min_x, width, 1};
    dims[1] = {min_y, height, pitch};
    buffer.host = data.data();
    buffer.type = hocket_type(HOCKET_TYPE_UINT, 16);
    buffer.dimensions = 2;
    buffer.dim = dims;
  }
  uint16_t& at(int64_t x, int64_t y) {
    return data[static_cast<size_t>((y - dims[1].min) * dims[1].stride + (x - dims[0].min))];
  }
};

uint16_t third(int a, int b, int c) {
  return static_cast<uint16_t>(static_cast<uint16_t>(a + b + c) / 3);
}

void expect_blurred(Image& in, Image& out) {
  for (int64_t y = out.dims[1].min; y < out.dims[1].min + out.dims[1].extent; ++y) {
    for (int64_t x = out.dims[0].min; x < out.dims[0].min + out.dims[0].extent; ++x) {
      uint16_t rows[3];
      for (int64_t d = -1; d <= 1; ++d) {
        rows[d + 1] = third(in.at(x - 1, y + d), in.at(x, y + d), in.at(x + 1, y + d));
      }
      ASSERT_EQ(out.at(x, y), third(rows[0], rows[1], rows[2])) << x << " " << y;
    }
  }
}

class Pipeline : public ::testing::TestWithParam<Backend> {};

TEST_P(Pipeline, BlurAgrees) {
  std::mt19937 random(1);
  for (bool stream : {false, true}) {
    BlurOptions options;
    options.stream = stream;
    options.strip = 16;
    const auto code = compile(GetParam(), {blur_pipeline(options)});
    const auto entry =
        reinterpret_cast<int32_t (*)(hocket_buffer_t*, hocket_buffer_t*)>(code->find("blur"));
    ASSERT_NE(entry, nullptr);
    for (int64_t height : {1, 2, 16, 17, 50}) {
      for (int64_t pad : {0, 1, 16}) {
        Image in(-4, 6, 32 + 8, height + 2, 40 + pad), out(-3, 7, 32, height, 32 + pad);
        for (uint16_t& v : in.data) v = static_cast<uint16_t>(random());
        ASSERT_EQ(entry(&in.buffer, &out.buffer), 0);
        expect_blurred(in, out);
      }
    }
  }
}

TEST_P(Pipeline, ArgumentsAreChecked) {
  const auto code = compile(GetParam(), {blur_pipeline()});
  Image in(-1, -1, 34, 10), out(0, 0, 32, 8), narrow(0, 0, 33, 8), small(0, 0, 34, 10);
  hocket_clear_last_error();
  EXPECT_EQ(code->call("blur", {&in.buffer, &out.buffer}), 0);
  EXPECT_EQ(code->call("blur", {&small.buffer, &out.buffer}), HOCKET_ERROR_BUFFER_TOO_SMALL);
  const hocket_error_t* error = hocket_last_error();
  ASSERT_NE(error, nullptr);
  EXPECT_STREQ(error->argument, "input");
  EXPECT_STREQ(error->pipeline, "blur");
  Image wide(-1, -1, 35, 10);
  EXPECT_EQ(code->call("blur", {&wide.buffer, &narrow.buffer}), HOCKET_ERROR_USER_CHECK_FAILED);
  EXPECT_STREQ(hocket_last_error()->text, "the width is a multiple of the lanes");
}

// As `bound` and `shift_inwards` leave it at the entry: the report has what is needed and what is
// given.
TEST_P(Pipeline, WhatAScheduleAsksIsReportedWithWhatIsGiven) {
  const ir::ProcRef blur = blur_pipeline();
  ir::PipelineEntry entry = *blur->entry;
  const ir::EntryDim& y = entry.args[1].dims[1];
  const auto is = [](const Symbol& s, int64_t value) {
    return ir::make_binary(ir::BinaryOp::Eq, ir::make_var(s), ir::make_index(value));
  };
  entry.checks.push_back({ir::make_binary(ir::BinaryOp::And, is(y.min, 0), is(y.extent, 8)),
                          HOCKET_ERROR_CONSTRAINT_VIOLATED, "y of `bv` must be 0 to 7",
                          entry.args[1].sym, 1});
  ir::Proc bounded = *blur;
  bounded.entry = std::make_shared<const ir::PipelineEntry>(entry);
  const auto code = compile(GetParam(), {support::make_ref<ir::Proc>(bounded)});

  std::string said;
  hocket_hooks_t hooks = {};
  hooks.error = [](const hocket_context_t* context, int32_t, const hocket_error_t* e) {
    char line[256];
    hocket_error_message(e, line, sizeof line);
    *static_cast<std::string*>(context->user) =
        std::string(line) + " | " + e->argument + " " + std::to_string(e->dimension);
  };
  const hocket_context_t context = {&said, &hooks};
  Image in(-1, -1, 34, 12), right(0, 0, 32, 8), wrong(0, 1, 32, 9);
  EXPECT_EQ(code->call("blur", {&in.buffer, &right.buffer}, &context), 0);
  EXPECT_EQ(code->call("blur", {&in.buffer, &wrong.buffer}, &context),
            HOCKET_ERROR_CONSTRAINT_VIOLATED);
  EXPECT_EQ(said, "`blur`: y of `bv` must be 0 to 7, is 1 to 9 | bv 1");
}

TEST_P(Pipeline, BoundsQuery) {
  const auto code = compile(GetParam(), {blur_pipeline()});
  Image out(16, 5, 32, 8);
  hocket_dim_t dims[2] = {};
  hocket_buffer_t question{};
  question.dimensions = 2;
  question.dim = dims;
  ASSERT_EQ(code->call("blur", {&question, &out.buffer}), 0);
  EXPECT_EQ(dims[0].min, 15);
  EXPECT_EQ(dims[0].extent, 34);
  EXPECT_EQ(dims[1].min, 4);
  EXPECT_EQ(dims[1].extent, 10);
  EXPECT_EQ(question.type.bits, 16);
}

TEST_P(Pipeline, MetadataSaysWhatIsExpected) {
  const auto code = compile(GetParam(), {blur_pipeline()});
  const auto* m = static_cast<const hocket_metadata_t*>(code->find("blur__metadata"));
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(m->version, HOCKET_ABI_VERSION);
  EXPECT_STREQ(m->name, "blur");
  ASSERT_EQ(m->num_arguments, 2);
  EXPECT_EQ(m->num_scalars, 12);
  EXPECT_EQ(m->num_pointers, 2);
  EXPECT_EQ(m->num_regions, 8);
  const hocket_argument_t& bv = m->arguments[1];
  EXPECT_STREQ(bv.name, "bv");
  EXPECT_EQ(bv.kind, HOCKET_ARGUMENT_OUTPUT);
  EXPECT_EQ(bv.type.code, HOCKET_TYPE_UINT);
  EXPECT_EQ(bv.type.bits, 16);
  EXPECT_EQ(bv.type.lanes, 1);
  EXPECT_EQ(bv.dimensions, 2);
  EXPECT_EQ(bv.scalar_index, 6);
  EXPECT_EQ(bv.pointer_index, 1);
  EXPECT_EQ(bv.region_index, 4);
  EXPECT_EQ(bv.constraints, nullptr);
}

// Regions of boxes at the edge of 64 bits saturate instead of wrapping round.
TEST_P(Pipeline, RegionsSaturate) {
  const auto code = compile(GetParam(), {blur_pipeline()});
  const auto regions = reinterpret_cast<hocket_regions_fn>(code->find("blur__regions"));
  ASSERT_NE(regions, nullptr);
  int64_t scalars[12] = {}, got[8] = {};
  scalars[6] = INT64_MIN;      // bv.x.min
  scalars[9] = INT64_MAX - 1;  // bv.y.min
  scalars[10] = 100;
  if (GetParam() == Backend::Gcc || GetParam() == Backend::Clang) {
    regions(scalars, got);
    EXPECT_EQ(got[0], INT64_MIN);
    EXPECT_EQ(got[3], INT64_MAX);
  }
  scalars[6] = -5;
  scalars[7] = 16;
  scalars[9] = 0;
  regions(scalars, got);
  const int64_t expected[8] = {-6, 11, -1, 100, -5, 10, 0, 99};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(got[i], expected[i]) << i;
}

// Scalars of every type arrive as they were given, and ranges stand in the metadata.
TEST_P(Pipeline, ScalarArguments) {
  support::Ref<ir::Proc> proc(new ir::Proc);
  proc->sym = Symbol::fresh("scalars", Type::index());
  proc->form = ir::Form::Flat;
  auto entry = std::make_shared<ir::PipelineEntry>();
  entry->pipeline = "scalars";
  const std::vector<Type> types = {Type::i(8),      Type::u(8),  Type::i(16), Type::u(32),
                                   Type::u(64),     Type::i(64), Type::f(32), Type::f(64),
                                   Type::boolean(), Type::f(16), Type::bf16()};
  const auto param = [&](const Symbol& s, ir::ParamKind kind) {
    ir::Param p;
    p.sym = s;
    p.kind = kind;
    if (kind == ir::ParamKind::Buffer) p.shape = {ir::make_index(1)};
    proc->params.push_back(p);
  };
  std::vector<Symbol> in, out;
  for (const Type& t : types) {
    in.push_back(Symbol::fresh("p_" + t.name(), t));
    param(in.back(), ir::ParamKind::Scalar);
    ir::EntryArg a;
    a.sym = in.back();
    if (t == Type::i(8)) {
      a.range_min = ir::make_int(t, -7);
      a.range_max = ir::make_int(t, 7);
    }
    if (t == Type::f(32)) a.range_max = ir::make_float(t, 2.5);
    entry->args.push_back(a);
  }
  for (size_t i = 0; i < types.size(); ++i) {
    out.push_back(Symbol::fresh("o_" + types[i].name(), types[i]));
    param(out.back(), ir::ParamKind::Buffer);
    ir::EntryArg a;
    a.kind = ir::EntryArg::Kind::Output;
    a.sym = out.back();
    entry->args.push_back(a);
    proc->body.push_back(store(out.back(), ir::make_index(0), ir::make_var(in[i])));
  }
  proc->entry = entry;
  const auto code = compile(GetParam(), {ir::ProcRef(proc)});
  int8_t i8 = -7;
  uint8_t u8 = 250, flag = 1;
  int16_t i16 = -1234;
  uint32_t u32 = 4000000000u;
  uint64_t u64 = UINT64_MAX - 3;
  int64_t i64 = INT64_MIN + 5;
  float f32 = -1.5e-42f;
  double f64 = 1e300;
  uint16_t f16 = 0xbc01, bf16 = 0x7f81;
  void* values[] = {&i8, &u8, &i16, &u32, &u64, &i64, &f32, &f64, &flag, &f16, &bf16};
  std::vector<std::vector<uint8_t>> memory;
  std::vector<hocket_buffer_t> buffers(types.size());
  std::vector<void*> args(values, values + types.size());
  for (size_t i = 0; i < types.size(); ++i) memory.emplace_back(8, uint8_t{0x55});
  for (size_t i = 0; i < types.size(); ++i) {
    buffers[i].host = memory[i].data();
    buffers[i].type =
        hocket_type(static_cast<hocket_type_code_t>(abi_type_code(types[i])), types[i].bits);
    args.push_back(&buffers[i]);
  }
  ASSERT_EQ(code->call("scalars", args), 0);
  for (size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(std::memcmp(memory[i].data(), values[i], static_cast<size_t>(types[i].bytes())), 0)
        << types[i].name();
  }
  i8 = 8;
  EXPECT_EQ(code->call("scalars", args), HOCKET_ERROR_PARAM_OUT_OF_RANGE);
  i8 = 7;
  f32 = 2.75f;
  EXPECT_EQ(code->call("scalars", args), HOCKET_ERROR_PARAM_OUT_OF_RANGE);
  f32 = 2.5f;
  EXPECT_EQ(code->call("scalars", args), 0);
}

INSTANTIATE_TEST_SUITE_P(Backends, Pipeline, ::testing::ValuesIn(all_backends()),
                         [](const auto& info) { return id_of(info.param); });

// The record that generated code fills by position.
TEST(ErrorRecord, Layout) {
  EXPECT_EQ(offsetof(hocket_error_t, pipeline), 8u);
  EXPECT_EQ(offsetof(hocket_error_t, dimension), 32u);
  EXPECT_EQ(offsetof(hocket_error_t, needed_min), 56u);
  EXPECT_EQ(offsetof(hocket_error_t, needed_fmin), 88u);
  EXPECT_EQ(offsetof(hocket_error_t, text), 112u);
  EXPECT_EQ(sizeof(hocket_error_t), 120u);
}

}  // namespace

}  // namespace hocket::codegen::testing
