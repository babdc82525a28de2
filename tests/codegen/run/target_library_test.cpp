// Every instruction of targets/x86.hk that this machine has: what its body says, which is what the
// interpreter and LLVM run, and what its template does in C are the same bits.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../support/agree.h"
#include "ir/type.h"
#include "target/target.h"
#include "testing/source_dir.h"
#include "text/parser.h"

namespace hocket::codegen::testing {
namespace {

using ir::Type;

constexpr int64_t kSlot = 16;  // elements of a buffer that one argument takes

std::string library_text() {
  std::ifstream in(hocket::testing::source_dir() + "/targets/x86.hk");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool has_all(const target::Target& host, const ir::Instr& instr) {
  for (const std::string& feature : instr.features)
    if (!host.has(feature)) return false;
  return true;
}

// Loads and stores of whole registers, from the library itself.
std::string mover(const ir::Param& p, bool load) {
  const bool wide = p.memory == "AVX512";
  const std::string kind = p.type() == Type::f(32)   ? "ps"
                           : p.type() == Type::f(64) ? "pd"
                                                     : "epu16";
  return std::string(wide ? "mm512_" : "mm256_") + (load ? "loadu_" : "storeu_") + kind;
}

// One call of an instruction: registers are loaded from slots of `x`, and all of them stored to
// `y`.
class Caller {
 public:
  Caller(Type element, std::string x, std::string y)
      : element_(element), x_(std::move(x)), y_(std::move(y)) {}

  void add(const ir::Proc& instr, int64_t n) {
    std::string call = "    " + instr.name() + "(", before, after;
    for (const ir::Param& p : instr.params) {
      if (&p != &instr.params.front()) call += ", ";
      const std::string slot = window(next_ * kSlot, lanes(p, n));
      if (p.kind == ir::ParamKind::Size) {
        call += std::to_string(n);
        continue;
      }
      if (p.kind == ir::ParamKind::Scalar) {
        call += "1.25";
        continue;
      }
      if (p.memory == "DRAM") {
        const bool written = p.sym.name() == "dst";
        call += (written ? y_ : x_) + slot;
      } else {
        const std::string r = "r" + std::to_string(next_), whole = window(0, lanes(p, n));
        before += "    " + r + ": " + element_.name() + "[" + std::to_string(lanes(p, n)) + "] @ " +
                  p.memory + "\n    " + mover(p, true) + "(" + r + whole + ", " + x_ + slot + ")\n";
        after += "    " + mover(p, false) + "(" + y_ + slot + ", " + r + whole + ")\n";
        call += r + whole;
      }
      ++next_;
    }
    text_ += before + call + ")\n" + after;
  }
  const std::string& text() const { return text_; }
  int64_t elements() const { return std::max<int64_t>(next_, 1) * kSlot; }

 private:
  static std::string window(int64_t from, int64_t count) {
    return "[" + std::to_string(from) + ":" + std::to_string(from + count) + "]";
  }
  // Of a buffer: its constant extent, or n.
  static int64_t lanes(const ir::Param& p, int64_t n) {
    int64_t count = n;
    if (!p.shape.empty()) ir::is_int(p.shape[0], &count);
    return count;
  }

  Type element_;
  std::string x_, y_, text_;
  int64_t next_ = 0;
};

TEST(TargetLibrary, InstructionsDoWhatTheirBodiesSay) {
  const std::string library = library_text();
  auto file = text::parse(library, "x86.hk");
  ASSERT_TRUE(file.ok()) << file.error().message();
  const target::Target host = target::host();
  int called = 0;
  for (const Type element : {Type::f(32), Type::f(64), Type::u(16)}) {
    Caller caller(element, "x", "y");
    for (const ir::ProcRef& p : file->procs()) {
      if (!p->instr || !has_all(host, *p->instr)) continue;
      const Type type = p->params[p->params[0].kind == ir::ParamKind::Size ? 1 : 0].type();
      if (type != element) continue;
      const bool counted = p->params[0].kind == ir::ParamKind::Size;
      int64_t most = 1;
      for (const ir::Param& q : p->params)
        if (int64_t n = 0; q.memory != "DRAM" && ir::is_int(q.shape[0], &n)) most = n;
      for (const int64_t n :
           counted ? std::vector<int64_t>{1, most / 2 + 1, most} : std::vector<int64_t>{most})
        caller.add(*p, n);
      ++called;
    }
    if (caller.text().empty()) continue;
    const std::string size = std::to_string(caller.elements());
    const std::string proc = "def all_of_them(x: " + element.name() + "[" + size +
                             "], y: " + element.name() + "[" + size + "]):\n" + caller.text();
    SCOPED_TRACE(proc);
    agree(library + "\n" + proc, "all_of_them", {},
          {matrix(element, {caller.elements()}, 3), matrix(element, {caller.elements()}, 4)},
          "-march=native");
  }
  // Every x86 of the last ten years has the first half of them.
  if (host.has("avx2") && host.has("fma")) EXPECT_GE(called, 36);
}

}  // namespace
}  // namespace hocket::codegen::testing
