// set_memory(buffer, memory)
//
//   a: f32[6, 2, 8] @ DRAM   ->   a: f32[6, 2, 8] @ AVX2
//
// Conditions: the memory exists and may hold such a buffer, and the calls that are given the buffer
// take it there; that only instructions touch registers is checked when the program is lowered.
// Elsewhere: set_memory (Exo), set_scope (TVM), store_in (Halide).
#include "rewrite/kernel/operators.h"
#include "target/check_memories.h"
#include "target/memory.h"

namespace hocket::rewrite {

using namespace ir;

Outcome set_memory(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  HOCKET_TRY(std::string name, c.text("memory"));
  const auto* alloc = at.stmt.as<Alloc>();
  HOCKET_TRY(const target::Memory* memory, target::memory(name, c.step.place));
  int64_t innermost = 0;
  if (!alloc->shape.empty()) is_int(alloc->shape.back(), &innermost);
  HOCKET_CHECK(target::check_memory(*memory, alloc->buffer.name(), alloc->buffer.type(), innermost,
                                    c.step.place));
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<Alloc>(at.stmt, [&](Alloc& a) { a.memory = name; });
  });
  HOCKET_CHECK(target::check_calls(*after, alloc->buffer));
  return c.judge.accept(c.proc(), after);
}

}  // namespace hocket::rewrite
