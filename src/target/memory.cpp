#include "target/memory.h"

#include "diag/kinds_target.h"
#include "support/edit_distance.h"
#include "support/strings.h"

namespace hocket::target {

using ir::Type;

const std::vector<Memory>& all_memories() {
  static const std::vector<Memory> table = {
      {"DRAM", Placement::Heap, true, {}, {}, "main memory"},
      {"DRAM_STACK",
       Placement::Stack,
       true,
       {},
       {},
       "the frame of the running task; constant size"},
      {"DRAM_STATIC",
       Placement::Static,
       true,
       {},
       {},
       "one block for the whole call; constant size"},
      {"AVX2",
       Placement::Register,
       false,
       {{Type::f(32), 8, "__m256"},
        {Type::f(64), 4, "__m256d"},
        {Type::i(8), 32, "__m256i"},
        {Type::u(8), 32, "__m256i"},
        {Type::i(16), 16, "__m256i"},
        {Type::u(16), 16, "__m256i"},
        {Type::i(32), 8, "__m256i"},
        {Type::u(32), 8, "__m256i"}},
       {"avx2"},
       "256-bit registers"},
      {"AVX512",
       Placement::Register,
       false,
       {{Type::f(32), 16, "__m512"},
        {Type::f(64), 8, "__m512d"},
        {Type::i(8), 64, "__m512i"},
        {Type::u(8), 64, "__m512i"},
        {Type::i(16), 32, "__m512i"},
        {Type::u(16), 32, "__m512i"},
        {Type::i(32), 16, "__m512i"},
        {Type::u(32), 16, "__m512i"}},
       {"avx512f"},
       "512-bit registers"},
  };
  return table;
}

const RegisterElement* Memory::element(Type type) const {
  for (const RegisterElement& r : registers)
    if (r.type == type) return &r;
  return nullptr;
}

const Memory* find_memory(std::string_view name) {
  for (const Memory& m : all_memories())
    if (m.name == name) return &m;
  return nullptr;
}

diag::Result<const Memory*> memory(std::string_view name, const support::Place& place) {
  if (const Memory* m = find_memory(name)) return m;
  diag::Diagnostic d(diag::kind::unknown_memory, place);
  d.arg("memory", std::string(name));
  std::vector<std::string> names;
  for (const Memory& m : all_memories()) names.emplace_back(m.name);
  for (const std::string& near : support::close_names(name, names))
    d.help("did you mean `" + near + "`?");
  for (std::string& known : names) known = support::quoted(known);
  d.note("there are " + support::join(names, ", "));
  return d;
}

diag::Result<void> check_memory(const Memory& m, std::string_view buffer, Type element,
                                int64_t innermost, const support::Place& place) {
  if (m.placement != Placement::Register) return {};
  const RegisterElement* r = m.element(element);
  if (r && r->lanes == innermost) return {};
  diag::Diagnostic d(diag::kind::buffer_does_not_fit_memory, place);
  d.arg("buffer", std::string(buffer)).arg("memory", std::string(m.name));
  d.arg("given", innermost > 0 ? element.name() + "[..., " + std::to_string(innermost) + "]"
                               : element.name() + " without a constant innermost extent");
  std::string allowed;
  for (const RegisterElement& e : m.registers)
    allowed +=
        (allowed.empty() ? "" : ", ") + e.type.name() + "[..., " + std::to_string(e.lanes) + "]";
  d.note("`" + std::string(m.name) + "` holds " + allowed);
  return d;
}

}  // namespace hocket::target
