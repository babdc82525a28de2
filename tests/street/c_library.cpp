#include "c_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/c/source.h"

namespace hocket::street {

CLibrary::~CLibrary() {
  dlclose(handle_);
}

Argv CLibrary::find(const std::string& name) const {
  return reinterpret_cast<Argv>(dlsym(handle_, (name + "__argv").c_str()));
}

Compiled compile_c(const std::vector<ir::ProcRef>& procs, Compiler compiler) {
  Compiled out;
  auto text = codegen::c_source(procs);
  if (!text.ok()) {
    out.said = "no C text: " + text.error().message();
    return out;
  }
  std::string folder = std::filesystem::temp_directory_path() / "hocket_street_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    out.said = "no temporary folder";
    return out;
  }
  const std::filesystem::path dir = folder;
  std::ofstream(dir / "code.c") << *text;
  const std::string command = std::string(compiler == Compiler::Gcc ? "gcc" : HOCKET_TEST_CLANG) +
                              " -std=c11 -O1 -march=native -Wall -Wextra -Werror -shared -fPIC -I" +
                              HOCKET_TEST_SOURCE + "/src/abi " + (dir / "code.c").string() +
                              " -o " + (dir / "code.so").string() + " -lm > " +
                              (dir / "log").string() + " 2>&1";
  if (std::system(command.c_str()) != 0) {
    std::ostringstream log;
    log << std::ifstream(dir / "log").rdbuf();
    out.said = log.str().substr(0, 2000);
    if (out.said.empty()) out.said = "the compiler failed: " + command;
  } else if (void* handle = dlopen((dir / "code.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    out.library = std::make_unique<CLibrary>(handle);
  } else {
    out.said = dlerror();
  }
  std::error_code ignored;
  std::filesystem::remove_all(dir, ignored);
  return out;
}

}  // namespace hocket::street
