#include "compile_c.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/c/source.h"

namespace hocket::codegen::testing {

namespace {

class LibraryCompiled : public Compiled {
 public:
  explicit LibraryCompiled(void* handle) : handle_(handle) {}
  ~LibraryCompiled() override { dlclose(handle_); }
  void* find(const std::string& name) override { return dlsym(handle_, name.c_str()); }

 private:
  void* handle_;
};

}  // namespace

std::unique_ptr<Compiled> compile_c_text(Backend backend, const std::string& text,
                                         const std::string& flags) {
  char folder[] = "/tmp/hocket_codegen_XXXXXX";
  if (mkdtemp(folder) == nullptr) {
    ADD_FAILURE() << "no temporary folder";
    return nullptr;
  }
  const std::filesystem::path dir = folder;
  std::ofstream(dir / "code.c") << text;
  const std::string compiler = backend == Backend::Gcc ? "gcc" : HOCKET_TEST_CLANG;
  const std::string command =
      compiler + " -std=c11 -O2 " + flags + " -Wall -Wextra -Werror -shared -fPIC -I" +
      HOCKET_TEST_SOURCE + "/src/abi " + (dir / "code.c").string() + " -o " +
      (dir / "code.so").string() + " -lm > " + (dir / "log").string() + " 2>&1";
  std::unique_ptr<Compiled> result;
  if (std::system(command.c_str()) != 0) {
    std::ostringstream log;
    log << std::ifstream(dir / "log").rdbuf();
    ADD_FAILURE() << command << "\n" << log.str().substr(0, 4000);
  } else if (void* handle = dlopen((dir / "code.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    result = std::make_unique<LibraryCompiled>(handle);
  } else {
    ADD_FAILURE() << dlerror();
  }
  std::filesystem::remove_all(dir);
  return result;
}

std::unique_ptr<Compiled> compile_c(Backend backend, const std::vector<ir::ProcRef>& procs) {
  auto text = c_source(procs);
  if (!text.ok()) {
    ADD_FAILURE() << text.error().message();
    return nullptr;
  }
  // One compiler with and one without the machine's own instructions.
  return compile_c_text(backend, *text, backend == Backend::Gcc ? "" : "-march=native");
}

}  // namespace hocket::codegen::testing
