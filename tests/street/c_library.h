// Emitted C, compiled by gcc or clang with warnings as errors and loaded into this process.
//
// In: procs with names of their own. Out: a library that finds them by name, or what the emitter or
// the compiler said. Many procs in one file cost little more than one. Used by: the judges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/proc.h"
#include "native.h"

namespace hocket::street {

class CLibrary {
 public:
  explicit CLibrary(void* handle) : handle_(handle) {}
  CLibrary(const CLibrary&) = delete;
  CLibrary& operator=(const CLibrary&) = delete;
  ~CLibrary();
  // `name__argv`, or null.
  Argv find(const std::string& name) const;

 private:
  void* handle_;
};

struct Compiled {
  std::unique_ptr<CLibrary> library;  // null where there is none
  std::string said;                   // then: why
};

enum class Compiler { Gcc, Clang };
// With the machine's own instructions, so that C text of instructions compiles.
Compiled compile_c(const std::vector<ir::ProcRef>& procs, Compiler compiler);

}  // namespace hocket::street
