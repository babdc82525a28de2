// Files by Halide's order of arguments: what is in them, and what they are called.
#include <gtest/gtest.h>
#include <hocket/hocket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace hocket {
namespace {

struct Files {
  // Tests run side by side.
  std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("hocket_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
       std::to_string(getpid()));
  Files() { std::filesystem::create_directories(folder); }
  ~Files() { std::filesystem::remove_all(folder); }
  std::string path(const char* name) const { return (folder / name).string(); }
  std::string text(const char* name) const {
    std::ifstream in(folder / name);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
};

struct Scaled {
  ImageParam input{Float(32), 1, "input"};
  Param<float> gain{"gain", 2.0f};
  Param<int32_t> shift{"shift", 1};
  Var x{"x"};
  Func f{"f"};
  Scaled() { f(x) = input(x + shift) * gain; }
};

TEST(CompileTo, ArgumentsComeInTheCallersOrder) {
  const Files files;
  Scaled s;
  s.f.compile_to_header(files.path("a.h"), {s.shift, s.gain, s.input}, "scaled");
  EXPECT_NE(files.text("a.h").find("int32_t scaled(int32_t shift, float gain, "
                                   "hocket_buffer_t* input, hocket_buffer_t* f"),
            std::string::npos)
      << files.text("a.h");
  s.f.compile_to_c(files.path("a.c"), {s.gain, s.input, s.shift}, "scaled");
  EXPECT_NE(files.text("a.c").find("scaled__body"), std::string::npos);
  s.f.compile_to_c(files.path("b.c"), {s.gain, s.input, s.shift});
  EXPECT_NE(files.text("b.c").find("f__body"), std::string::npos);
}

TEST(CompileTo, ArgumentsThatNothingReadsAreTakenAllTheSame) {
  const Files files;
  Scaled s;
  const ImageParam other(UInt(8), 2, "other");
  const Param<float> unread("unread");
  s.f.compile_to_header(files.path("a.h"), {unread, s.gain, other, s.input, s.shift});
  EXPECT_NE(files.text("a.h").find("int32_t f(float unread, float gain, hocket_buffer_t* other, "
                                   "hocket_buffer_t* input, int32_t shift, hocket_buffer_t* f"),
            std::string::npos)
      << files.text("a.h");
}

// The same of a Func and of a Pipeline.
template <class Of>
void write_every_kind(const Of& of, const Scaled& s) {
  const Files files;
  const typename Of::Arguments all = {s.input, s.gain, s.shift};
  of.compile_to_object(files.path("o"), all, "scaled");
  EXPECT_EQ(files.text("o").substr(1, 3), "ELF");
  of.compile_to_assembly(files.path("s"), all, "scaled");
  EXPECT_NE(files.text("s").find("scaled__argv:"), std::string::npos);
  of.compile_to_llvm_assembly(files.path("ll"), all, "scaled");
  EXPECT_NE(files.text("ll").find("@scaled__argv"), std::string::npos);
  of.compile_to_lowered_stmt(files.path("stmt"), all);
  EXPECT_NE(files.text("stmt").find("for x in"), std::string::npos) << files.text("stmt");
  of.compile_to_file(files.path("both"), all, "scaled");
  EXPECT_NE(files.text("both.h").find("scaled("), std::string::npos);
  EXPECT_EQ(files.text("both.o").substr(1, 3), "ELF");
  of.compile_to_file(files.path("own"));
  EXPECT_NE(files.text("own.h").find("int32_t f("), std::string::npos);
  of.compile_to_c(files.path("own.c"));
  EXPECT_NE(files.text("own.c").find("f__body"), std::string::npos);
}

TEST(CompileTo, EveryKindOfFile) {
  const Scaled s;
  write_every_kind(s.f, s);
  write_every_kind(Pipeline(s.f), s);
}

TEST(CompileTo, ForOtherMachines) {
  const Files files;
  Scaled s;
  const Func::Arguments all = {s.input, s.gain, s.shift};
  s.f.vectorize(s.x, 8);
  const Target plain("x86-64"), wide("x86-64-avx2-fma");
  EXPECT_EQ(plain.natural_vector_size<float>(), 4);
  EXPECT_EQ(wide.natural_vector_size(Float(32)), 8);
  s.f.compile_to_assembly(files.path("plain"), all, "scaled", plain);
  s.f.compile_to_assembly(files.path("wide"), all, "scaled", wide);
  EXPECT_EQ(files.text("plain").find("ymm"), std::string::npos);
  EXPECT_NE(files.text("wide").find("ymm"), std::string::npos);
  EXPECT_EQ(get_host_target().to_string(), target::host().to_string());
}

TEST(CompileTo, TheEnvironmentNamesATarget) {
  ::setenv("HOCKET_TARGET", "x86-64-avx2", 1);
  EXPECT_EQ(get_target_from_environment().to_string(), Target("x86-64-avx2").to_string());
  ::setenv("HOCKET_TARGET", "x86-65", 1);
  EXPECT_THROW(get_target_from_environment(), Error);
  ::unsetenv("HOCKET_TARGET");
  EXPECT_EQ(get_target_from_environment().to_string(), get_host_target().to_string());
}

TEST(CompileTo, WritesBothFilesOrNone) {
  const Files files;
  const Scaled s;
  std::filesystem::create_directories(files.path("a.h"));  // no file can take that name
  try {
    s.f.compile_to_file(files.path("a"), {s.input, s.gain, s.shift});
    FAIL() << "a folder was replaced by a header";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("D0108"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("a.h"), std::string::npos) << e.what();
  }
  EXPECT_FALSE(std::filesystem::exists(files.path("a.o")));
}

}  // namespace
}  // namespace hocket
