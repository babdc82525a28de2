// Procs from text: the instructions of targets/, files and strings of .hk text.
//
//   const Library x86 = Library::target();
//   b.call(x86["mm256_loadu_ps"], t, A[i][range(0, 8)]);
//   fast = fast.replace_all(x86["mm256_fmadd_ps"]);
//
// Text may call the instructions of targets/ and what stands above; what it refuses is thrown with
// its place in that text. Used by: users; Proc::with.
#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "api/proc.h"

namespace hocket {

class Library {
 public:
  using Where = std::source_location;
  static Library target();  // targets/x86.hk
  static Library parse(std::string_view text, const std::string& file_name = "text.hk");
  static Library load(const std::string& path, Where where = Where::current());

  // The proc, or trace, of that name; refused (D0102) with names that come close.
  Proc operator[](support::Located<std::string> name) const { return proc(name.value, name.where); }
  Proc proc(const std::string& name, Where where = Where::current()) const;
  const ir::Trace& trace(const std::string& name, Where where = Where::current()) const;
  bool contains(const std::string& name) const;
  const std::vector<ir::ProcRef>& procs() const { return procs_; }

 private:
  std::string file_;
  std::vector<ir::ProcRef> procs_;
  std::vector<ir::Trace> traces_;
};

}  // namespace hocket
