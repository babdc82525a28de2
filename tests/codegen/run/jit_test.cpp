// The JIT itself: externs, objects out of a cache, several threads, machine code for other targets,
// objects linked ahead of time.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../support/blur.h"
#include "codegen/llvm/jit.h"

namespace hocket::codegen::testing {

namespace {

JitOptions with_runtime() {
  JitOptions options;
  int count = 0;
  const hocket_runtime_symbol_t* table = hocket_runtime_table(&count);
  options.runtime.assign(table, table + count);
  return options;
}

ir::ProcRef heap_user(const std::string& name) {
  ProcBuilder b(name);
  const Symbol out = b.buffer("out", Type::i(32)), n = b.index("n");
  const Symbol t = Symbol::fresh("t", Type::i(32));
  return b.build({ir::make_alloc(t, {ir::make_var(n)}, "heap"),
                  store(t, ir::make_index(0), ir::make_int(Type::i(32), 42)),
                  store(out, ir::make_index(0), load(t, ir::make_index(0), 1)), ir::make_free(t)});
}

int32_t call(const JitModule& module, const std::string& name, int32_t* out, int64_t n) {
  void* args[] = {out, &n};
  return module.program(name)(nullptr, args);
}

int allocations = 0;
void* counting_malloc(const hocket_context_t*, size_t bytes) {
  ++allocations;
  return std::aligned_alloc(128, (bytes + 127) / 128 * 128);
}
void plain_free(const hocket_context_t*, void* p) {
  std::free(p);
}

// The runtime's names win over externs of the same name; externs over the process.
TEST(Jit, NamesAreBoundInOrder) {
  JitOptions options = with_runtime();
  options.externs = {{"hocket_malloc", reinterpret_cast<void*>(counting_malloc)},
                     {"hocket_free", reinterpret_cast<void*>(plain_free)}};
  allocations = 0;
  int32_t got = 0;
  {
    const auto module = JitModule::compile({heap_user("f")}, options);
    ASSERT_TRUE(module.ok());
    EXPECT_EQ(call(*module, "f", &got, 1), 0);
    EXPECT_EQ(got, 42);
    EXPECT_EQ(allocations, 0);
  }
  std::erase_if(options.runtime, [](const hocket_runtime_symbol_t& s) {
    const std::string_view name = s.name;
    return name == "hocket_malloc" || name == "hocket_free";
  });
  const auto module = JitModule::compile({heap_user("f")}, options);
  ASSERT_TRUE(module.ok());
  EXPECT_EQ(call(*module, "f", &got, 1), 0);
  EXPECT_EQ(allocations, 1);
}

TEST(Jit, ObjectsLoadAgain) {
  std::string object;
  {
    const auto module = JitModule::compile({heap_user("f"), heap_user("g")}, with_runtime());
    ASSERT_TRUE(module.ok());
    object = module->object();
    EXPECT_EQ(module->find("h"), nullptr);
  }
  const auto again = JitModule::load(object, with_runtime());
  ASSERT_TRUE(again.ok());
  int32_t got = 0;
  EXPECT_EQ(call(*again, "g", &got, 3), 0);
  EXPECT_EQ(got, 42);
  EXPECT_GT(again->times().link, 0);
}

TEST(Jit, SeveralThreadsCompileAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 5; ++round) {
        const auto module = JitModule::compile({heap_user("f"), blur_pipeline()}, with_runtime());
        int32_t got = 0;
        if (module.ok() && call(*module, "f", &got, 8) == 0 && got == 42) ++good[t];
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(good, std::vector<int>(4, 5));
}

TEST(Code, AssemblyForEveryTarget) {
  struct Row {
    const char* target;
    const char* word;
  };
  for (const Row& row : {Row{"x86-64", "paddw"}, Row{"x86-64-v3", "vpmulhuw"},
                         Row{"x86-64-v4", "%ymm"}, Row{"aarch64", "umull"}}) {
    CodeOptions options;
    options.verify = true;
    options.target = *target::parse_target(row.target);
    auto module = LlvmModule::build({blur_pipeline()}, options);
    ASSERT_TRUE(module.ok()) << module.error().message();
    const auto text = std::move(*module).assembly();
    ASSERT_TRUE(text.ok());
    EXPECT_NE(text->find(row.word), std::string::npos) << row.target << "\n" << *text;
    EXPECT_NE(text->find("blur__metadata"), std::string::npos);
  }
}

// No instruction of the text is a fused multiply-add that nobody asked for.
TEST(Code, NothingIsContracted) {
  ProcBuilder b("mul_add");
  const Symbol x = b.buffer("x", Type::f(32)), out = b.buffer("out", Type::f(32));
  const Expr a = load(x, ir::make_index(0), 8);
  const auto proc = b.build({store(out, lanes_at(ir::make_index(0), 8), a * a + a)});
  CodeOptions options;
  options.target = *target::parse_target("x86-64-v3");
  for (Optimise level : {Optimise::None, Optimise::Usual, Optimise::Full}) {
    options.optimise = level;
    auto module = LlvmModule::build({proc}, options);
    ASSERT_TRUE(module.ok());
    const std::string ir = module->ir_text();
    EXPECT_EQ(ir.find(" fast "), std::string::npos);
    EXPECT_EQ(ir.find("contract"), std::string::npos);
    const auto text = std::move(*module).assembly();
    EXPECT_EQ(text->find("vfm"), std::string::npos) << *text;
  }
}

TEST(Code, StreamedStoresAreNonTemporal) {
  CodeOptions options;
  options.target = *target::parse_target("x86-64-v3");
  BlurOptions blur;
  blur.stream = true;
  auto module = LlvmModule::build({blur_pipeline(blur)}, options);
  ASSERT_TRUE(module.ok());
  const auto text = std::move(*module).assembly();
  EXPECT_NE(text->find("vmovntdq"), std::string::npos) << *text;
  EXPECT_NE(text->find("sfence"), std::string::npos);
  EXPECT_EQ(text->find("movnti"), std::string::npos);
}

// An object ahead of time, linked by the system's compiler into a shared library.
TEST(Code, ObjectLinksAheadOfTime) {
  auto module = LlvmModule::build({heap_user("ahead")});
  ASSERT_TRUE(module.ok());
  const auto object = std::move(*module).object();
  ASSERT_TRUE(object.ok());
  char folder[] = "/tmp/hocket_object_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::filesystem::path dir = folder;
  std::ofstream(dir / "a.o", std::ios::binary) << *object;
  const std::string command =
      "gcc -shared -o " + (dir / "a.so").string() + " " + (dir / "a.o").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  void* library = dlopen((dir / "a.so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto f = reinterpret_cast<int32_t (*)(const hocket_context_t*, int32_t*, int64_t)>(
      dlsym(library, "ahead"));
  ASSERT_NE(f, nullptr);
  int32_t got = 0;
  EXPECT_EQ(f(nullptr, &got, 1), 0);
  EXPECT_EQ(got, 42);
  dlclose(library);
  std::filesystem::remove_all(dir);
}

}  // namespace

}  // namespace hocket::codegen::testing
