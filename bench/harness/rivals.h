// Rivals are modules: each is one shared library beside the program, opened with its symbols
// private, because two versions of oneDNN, two LLVMs and several thread pools meet in one process.
// In: the module's name. Out: its registration function, or the reason why it is not there.
// Called by: bench/rows.
#pragma once

#include <dlfcn.h>

#include <string>

#include "contestant.h"

namespace hocket::bench {

// Every module defines exactly one of these as extern "C", named `register_rival`.
template <class Problem>
using RegisterRival = void (*)(Registry&, const Problem&);

// `expected` says what is missing from the row when the module cannot be opened.
template <class Problem>
void load_rival(const std::string& module, Registry& registry, const Problem& problem,
                const Absent& expected) {
  std::string path = std::string(HOCKET_BENCH_MODULES) + "/" + module + ".so";
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  void* entry = handle ? dlsym(handle, "register_rival") : nullptr;
  if (!entry) {
    Absent absent = expected;
    const char* reason = dlerror();
    absent.why = reason ? reason : "no register_rival in the module";
    registry.add_absent(absent);
    return;
  }
  reinterpret_cast<RegisterRival<Problem>>(entry)(registry, problem);
}

}  // namespace hocket::bench
