// Loop form as C text, for people to read: loops stay loops, instructions are their templates,
// memories what their target says. In: a body without window statements (windows.h). Out: C lines.
#pragma once

#include <map>
#include <optional>

#include "codegen/c/body.h"
#include "target/memory.h"

namespace hocket::codegen {

// Static functions made of procs that are called, each once; shared by all bodies of a file.
struct CCallees {
  std::map<const ir::Proc*, std::string> names;
  std::optional<diag::Diagnostic> refusal;  // the first thing that has no C text
};

class LoopBody : public CBody {
 public:
  LoopBody(CFile& file, CNames& names, Facts& facts, std::string pipeline, CCallees& callees)
      : CBody(file, names, facts, std::move(pipeline)), callees_(callees) {}

  void add_param(const ir::Param& p);

 protected:
  CText load(const ir::Load& e) override;
  CText field(const ir::BufferField& e) override;
  void alloc(const ir::Alloc& s) override;
  void store(const ir::Store& s) override;
  void call(const ir::CallStmt& s) override;
  std::unique_ptr<CBody> for_task(CNames& names) override;
  std::string buffer_field(const ir::Symbol& buffer) override;
  std::string buffer_value(const ir::Symbol& buffer) override;
  std::vector<ir::Symbol> buffer_needs(const ir::Symbol& buffer) override;

 private:
  enum class Kind { Variable, Pointer, Dense, Window, Register };
  struct Buffer {
    Kind kind = Kind::Dense;
    std::vector<ir::Expr> shape;
    const target::RegisterElement* element = nullptr;
  };

  void refuse(const ir::Symbol& at, const std::string& why);
  const Buffer& buffer(const ir::Symbol& s) const { return buffers_.at(s); }
  CText element(const ir::Symbol& buffer, const std::vector<ir::Expr>& indices);
  std::string address(const ir::Symbol& buffer, const std::vector<ir::Expr>& indices);
  std::string stride(const ir::Symbol& buffer, size_t dim);
  // First element of an argument, and the root dimensions that its window keeps.
  std::vector<ir::Expr> corner(const ir::Expr& arg, ir::Symbol& root, std::vector<size_t>& kept);
  void instruction(const ir::CallStmt& s);
  std::string buffer_argument(const ir::Param& p, const ir::Expr& arg);

  CCallees& callees_;
  std::unordered_map<ir::Symbol, Buffer> buffers_;
};

// The static function of a called proc, defined in the file on first use (program.cpp).
std::string c_callee(CFile& file, CCallees& callees, const ir::Proc& proc);
// Whether a body may leave with a code: memory, checks, threads, calls of such bodies.
bool may_fail(const ir::Body& body);

}  // namespace hocket::codegen
