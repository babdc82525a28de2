// A compiled loop program with memory for its arguments.
//
// In: code, sizes. Out: tensors full of small random numbers, the same on every machine, and calls
// on them. Called by: run (prints what the program wrote), bench (times it).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driver/callable.h"
#include "tools/scalars.h"
#include "tools/verbs.h"

namespace hocket::tools {

class LoopArguments {
 public:
  static diag::Result<LoopArguments> make(const ir::Proc& proc, const Scalars& scalars);
  std::vector<void*>& addresses() { return args_; }
  // One line per tensor: its name, its sizes, its first numbers.
  void print(std::ostream& out) const;

 private:
  struct Tensor {
    ir::Symbol sym;
    std::vector<int64_t> extents;
    std::vector<uint8_t> bytes;
    std::vector<int64_t> window;  // data, strides
  };
  std::vector<std::unique_ptr<uint64_t>> scalars_;
  std::vector<std::unique_ptr<Tensor>> tensors_;
  std::vector<void*> args_;
};

// One line: name, extents, the first numbers.
void print_numbers(std::ostream& out, const std::string& name, ir::Type type,
                   std::span<const int64_t> extents, const uint8_t* data);

diag::Result<int> run_loop_program(const driver::Callable& code, const Scalars& scalars,
                                   Console& console);

}  // namespace hocket::tools
