// Code and files that are made of a Func or a Pipeline: what both have in common.
//
// In: the Func or Pipeline that this is the base of, the arguments in the order in which the
// compiled function takes them (the outputs come last), a name and a target. Out: files; each
// refuses what it cannot write (D0108), arguments that are read and not listed, and all that a
// compile refuses. Without a name the function is called as the Func or Pipeline is. Used by:
// users, through Func and Pipeline.
#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "api/argument.h"
#include "api/target.h"
#include "driver/callable.h"
#include "support/source.h"

namespace hocket {

using driver::Callable;

namespace api {

template <class Self>
class CompileTo {
 public:
  using Where = std::source_location;
  using Arguments = std::vector<Argument>;
  using Name = std::string;

  // Native code that stays what it is, whatever is said of the Funcs later.
  Callable compile_to_callable(Where where = Where::current()) const;

  void compile_to_object(const std::string& file, const Arguments& arguments, const Name& name = "",
                         const Target& target = get_target_from_environment(),
                         Where where = Where::current()) const;
  void compile_to_c(const std::string& file, const Arguments& arguments, const Name& name = "",
                    const Target& target = get_target_from_environment(),
                    Where where = Where::current()) const;
  void compile_to_header(const std::string& file, const Arguments& arguments, const Name& name = "",
                         const Target& target = get_target_from_environment(),
                         Where where = Where::current()) const;
  void compile_to_assembly(const std::string& file, const Arguments& arguments,
                           const Name& name = "",
                           const Target& target = get_target_from_environment(),
                           Where where = Where::current()) const;
  void compile_to_llvm_assembly(const std::string& file, const Arguments& arguments,
                                const Name& name = "",
                                const Target& target = get_target_from_environment(),
                                Where where = Where::current()) const;
  // The loop nest.
  void compile_to_lowered_stmt(const std::string& file, const Arguments& arguments,
                               const Target& target = get_target_from_environment(),
                               Where where = Where::current()) const;
  // `base`.o and `base`.h
  void compile_to_file(const std::string& base, const Arguments& arguments, const Name& name = "",
                       const Target& target = get_target_from_environment(),
                       Where where = Where::current()) const;
  // The same with the order of arguments in which they are first read.
  void compile_to_file(support::Located<std::string> base) const;
  void compile_to_c(support::Located<std::string> file) const;

 private:
  friend Self;
  CompileTo() = default;
  driver::Artifact made(driver::Product product, const Arguments& arguments, const Name& name,
                        const Target& target, Where where) const;
};

}  // namespace api
}  // namespace hocket
