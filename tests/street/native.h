// Native code held to its buffers: memory between two pages that cannot be touched, and calls that
// come back with an answer where such a page was touched.
//
// In: bytes; an argv entry with its arguments. Out: addresses; a code, or the word that memory
// outside every buffer was touched. A fault on a thread of the pool cannot be survived: the note
// about the case at hand is written and the process ends. Used by: the judges of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "abi/hocket_abi.h"
#include "codegen/llvm/jit.h"
#include "ir/type.h"

namespace hocket::street {

using Argv = int32_t (*)(const hocket_context_t*, void* const*);

// Bytes whose end (or start) meets a page that cannot be touched.
class Guarded {
 public:
  Guarded(size_t bytes, bool at_end);
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded();
  uint8_t* data() const { return data_; }

 private:
  uint8_t *base_, *data_;
  size_t size_;
};

struct Called {
  int code = 0;
  bool fault = false;
};
Called call_guarded(Argv entry, void* const* arguments);
// Written to stderr where a thread of the pool faults: what is being run.
void set_fault_note(std::string text);

hocket_type_t abi_type(ir::Type type);
// `code -21 the size of ...`, of the last error on this thread.
std::string spoken_code(int code);
// The JIT with the runtime of this process.
codegen::JitOptions jit_options();

}  // namespace hocket::street
