#include "agree.h"

#include <cstring>

#include "codegen/c/source.h"
#include "compile_c.h"
#include "interp/run.h"
#include "lower/flat/to_flat.h"
#include "text/parser.h"

namespace hocket::codegen::testing {

ir::ProcRef parsed(const std::string& source, const std::string& name) {
  auto file = text::parse(source, name + ".hk");
  if (!file.ok()) {
    ADD_FAILURE() << file.error().message();
    return {};
  }
  return file->proc(name);
}

void agree(const ir::ProcRef& proc, const std::string& name, std::vector<int64_t> sizes,
           std::vector<interp::Tensor> tensors, const std::string& flags, int expected) {
  ASSERT_TRUE(proc);
  auto flat = lower::to_flat(proc, target::host());
  ASSERT_TRUE(flat.ok()) << flat.error().message();
  const auto c = c_source({proc});
  ASSERT_TRUE(c.ok()) << c.error().message();

  std::vector<interp::Tensor> wanted = tensors;
  interp::Arguments arguments;
  for (const int64_t n : sizes) arguments.emplace_back(n);
  for (interp::Tensor& t : wanted) arguments.emplace_back(t);
  const interp::Outcome outcome = interp::run(*proc, arguments);
  ASSERT_EQ(outcome.code, expected) << outcome.text();
  ASSERT_TRUE(outcome.findings.empty()) << outcome.text();

  for (Backend backend : {Backend::Jit, Backend::Gcc, Backend::Clang}) {
    SCOPED_TRACE(name_of(backend));
    const auto code =
        backend == Backend::Jit ? compile(backend, {*flat}) : compile_c_text(backend, *c, flags);
    ASSERT_NE(code, nullptr) << *c;
    std::vector<interp::Tensor> got = tensors;
    std::vector<void*> args;
    for (int64_t& n : sizes) args.push_back(&n);
    for (interp::Tensor& t : got) args.push_back(t.data());
    ASSERT_EQ(code->call(name, args), expected);
    for (size_t i = 0; i < got.size(); ++i) {
      const auto bytes = static_cast<size_t>(got[i].cells() * got[i].type().bytes());
      EXPECT_EQ(std::memcmp(got[i].data(), wanted[i].data(), bytes), 0) << "argument " << i << "\n"
                                                                        << *c;
    }
  }
}

void agree(const std::string& source, const std::string& name, std::vector<int64_t> sizes,
           std::vector<interp::Tensor> tensors, const std::string& flags, int expected) {
  agree(parsed(source, name), name, std::move(sizes), std::move(tensors), flags, expected);
}

interp::Tensor matrix(Type t, std::vector<int64_t> extents, uint64_t seed) {
  return interp::Tensor::row_major(t, std::move(extents)).fill_random(seed);
}

}  // namespace hocket::codegen::testing
