// The C of many cases compiled as one file, in the background, while the next cases are made.
//
// In: procs with unique names and what to do with the library that holds them. Out: every answer is
// called once, on the caller's thread; where a batch does not compile, each of its items is
// compiled alone and the guilty ones get no library. Compilers take turns. Used by: the fuzzers.
#pragma once

#include <functional>
#include <future>
#include <string>
#include <vector>

#include "c_library.h"

namespace hocket::street {

class CBatch {
 public:
  using Answer = std::function<void(const CLibrary* library, const std::string& said)>;

  explicit CBatch(size_t size) : size_(size) {}
  void add(std::vector<ir::ProcRef> procs, Answer answer);
  void finish();  // compiles what is left and answers everything

 private:
  struct Item {
    std::vector<ir::ProcRef> procs;
    Answer answer;
  };
  void start();
  void collect();

  size_t size_;
  std::vector<Item> filling_, compiling_;
  std::future<Compiled> compiled_;
  Compiler compiler_ = Compiler::Gcc;
};

}  // namespace hocket::street
