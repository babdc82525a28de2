// Refusals of code generation: what is said, and where.
#include "../support/blur.h"
#include "../support/flat.h"
#include "codegen/c/source.h"
#include "codegen/llvm/jit.h"
#include "diag/render.h"
#include "text/parser.h"

namespace hocket::codegen::testing {

namespace {

TEST(CodegenFail, UnknownMachine) {
  CodeOptions options;
  options.target = *target::parse_target("x86-64-avx2");
  options.target.cpu = "nosuchcpu";
  const auto module = LlvmModule::build({blur_pipeline()}, options);
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().kind->code, "G0001");
  EXPECT_EQ(module.error().message(),
            "no code can be generated for `nosuchcpu`: no processor of this name for "
            "x86_64-unknown-linux-gnu");
  EXPECT_FALSE(module.error().place.known());  // a target has no place in a text
}

// Code that is run here is for this machine or for less.
TEST(CodegenFail, NotThisMachine) {
  const auto made = [](const std::string& target) {
    JitOptions options;
    options.target = *target::parse_target(target);
    return JitModule::compile({blur_pipeline()}, options);
  };
  const bool x86 = target::host().arch == target::Arch::X86_64;
  const auto other = made(x86 ? "aarch64" : "x86-64");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind->code, "G0005");
  EXPECT_EQ(other.error().message(), "code for `" + std::string(x86 ? "aarch64-neon" : "x86-64") +
                                         "` cannot be run by this machine: it is another "
                                         "architecture");
  EXPECT_FALSE(other.error().place.known());  // a target has no place in a text
  if (!x86) return;
  EXPECT_TRUE(made("host").ok());
  EXPECT_TRUE(made("x86-64").ok());
  // The first feature that the host lacks.
  for (const target::FeatureInfo& f : target::all_features()) {
    if (f.arch != target::Arch::X86_64 || target::host().has(f.feature)) continue;
    const auto more = made("x86-64-" + std::string(f.name));
    ASSERT_FALSE(more.ok()) << f.name;
    EXPECT_NE(more.error().message().find("it has no `"), std::string::npos) << f.name;
    break;
  }
}

TEST(CodegenFail, CannotLink) {
  JitOptions options;  // no runtime given, and none of this name in the process
  options.runtime = {};
  const auto object = LlvmModule::build({blur_pipeline()}, options);
  ASSERT_TRUE(object.ok());
  const auto module = JitModule::load("not an object", options);
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().kind->code, "G0002");
  EXPECT_TRUE(module.error().message().starts_with("the compiled code cannot be linked: "))
      << module.error().message();
  EXPECT_FALSE(module.error().place.known());
}

TEST(CodegenFail, NoCText) {
  const char* source = R"(@instr("", features="avx2")
def zero8(dst: [f32][8] @ AVX2):
    for i in seq(0, 8):
        dst[i] = 0.0

def p(x: f32[8]):
    r: f32[8] @ AVX2
    zero8(r[0:8])
)";
  auto file = text::parse(source, "p.hk");
  ASSERT_TRUE(file.ok()) << file.error().message();
  const auto c = c_source({file->proc("p")});
  ASSERT_FALSE(c.ok());
  EXPECT_EQ(c.error().kind->code, "G0003");
  EXPECT_EQ(c.error().message(), "`p` cannot be written as C: instruction `zero8` has no C text");
  EXPECT_EQ(c.error().place.line, 2);
}

TEST(CodegenFail, APlaceholderThatNoParameterGives) {
  const auto refused = [](const std::string& instr) -> std::string {
    auto file = text::parse("@instr(\"" + instr +
                                "\")\n"
                                "def one(dst: [i32][1]):\n    dst[0] = 1\n"
                                "def p(n: size, a: i32[n]):\n    one(a[0:1])\n",
                            "p.hk");
    EXPECT_TRUE(file.ok()) << file.error().message();
    const auto c = c_source({file->proc("p")});
    if (c.ok()) return "";
    EXPECT_EQ(c.error().kind->code, "G0003");
    EXPECT_EQ(c.error().place.line, 2);
    return c.error().message();
  };
  EXPECT_EQ(
      refused("{dst_data} = {nope};"),
      "`p` cannot be written as C: the C text of `one` has `{nope}`, which no parameter gives");
  EXPECT_EQ(refused("{dst_data} = (int[1]){1}[0];"), "");
}

TEST(CodegenFail, ReservedName) {
  const char* source = R"(def memcpy(x: f32[8]):
    x[0] = 0.0
def f(x: f32[8]):
    x[0] = 0.0
)";
  auto file = text::parse(source, "p.hk");
  ASSERT_TRUE(file.ok()) << file.error().message();
  const auto c = c_source({file->proc("memcpy")});
  ASSERT_FALSE(c.ok());
  EXPECT_EQ(c.error().kind->code, "G0004");
  EXPECT_EQ(c.error().message(),
            "compiled code cannot export `memcpy`: libc and libm have a function of this name");
  EXPECT_EQ(c.error().place.line, 1);
  EXPECT_FALSE(c_source({file->proc("f"), file->proc("f")}).ok());
  const auto twice = LlvmModule::build({blur_pipeline(), blur_pipeline()});
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().message(),
            "compiled code cannot export `blur`: another program of the compile has this name");
}

// The name of a pipeline may be any text in C++; compiled code needs one that a linker and both
// languages take.
TEST(CodegenFail, NamesThatCDoesNotHave) {
  const auto refused = [](const std::string& name) -> std::string {
    auto blur = blur_pipeline();
    auto named = ir::edited(blur, [&](ir::Proc& p) {
      auto entry = std::make_shared<ir::PipelineEntry>(*p.entry);
      entry->pipeline = name;
      p.entry = entry;
    });
    const auto text = c_source({named});
    return text.ok() ? "" : text.error().message();
  };
  for (const char* name : {"int64_t", "size_t", "NULL", "linux", "INT32_MAX"}) {
    EXPECT_EQ(refused(name), "compiled code cannot export `" + std::string(name) +
                                 "`: a header of C or a compiler has a macro or type of this name");
  }
  for (const char* name : {"%s%n", "../../x", "2d", "a b"}) {
    EXPECT_EQ(refused(name),
              "compiled code cannot export `" + std::string(name) + "`: it is no identifier of C");
  }
  for (const char* name : {"int", "return", "class", "_Bool"}) {
    EXPECT_EQ(refused(name), "compiled code cannot export `" + std::string(name) +
                                 "`: it is a keyword of C or C++");
  }
  for (const char* name : {"exp", "roundf", "y1"}) {
    EXPECT_EQ(refused(name), "compiled code cannot export `" + std::string(name) +
                                 "`: libc and libm have a function of this name");
  }
  EXPECT_EQ(refused("hk_add"), "compiled code cannot export `hk_add`: helpers of C text start so");
  EXPECT_EQ(refused("blur_2d"), "");
}

}  // namespace

}  // namespace hocket::codegen::testing
