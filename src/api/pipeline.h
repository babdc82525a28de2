// Pipelines: several Funcs that are computed together, each an output.
//
// In: Funcs. Out: the same ways to run and compile as a Func has, with one buffer per output. Used
// by: users, through hocket.h.
#pragma once

#include <string>
#include <vector>

#include "api/func.h"
#include "api/realization.h"

namespace hocket {

class Pipeline {
 public:
  using Where = std::source_location;
  Pipeline(const Func& output) : Pipeline(std::vector<Func>{output}) {}
  Pipeline(std::vector<Func> outputs, std::string name = "");

  // All outputs of one size.
  Realization realize(const std::vector<int64_t>& sizes = {}, Where where = Where::current());
  void realize(const Realization& into, Where where = Where::current());
  void infer_input_bounds(const std::vector<int64_t>& sizes, Where where = Where::current());
  void infer_input_bounds(const Realization& outputs, Where where = Where::current());
  Callable compile_to_callable(Where where = Where::current());
  std::string loop_nest(Where where = Where::current());
  driver::Source source() const;

  // As of a Func.
  using Arguments = Func::Arguments;
  using Name = Func::Name;
  void compile_to_object(const std::string& file, const Arguments& arguments, const Name& name = "",
                         const Target& target = get_target_from_environment(),
                         Where where = Where::current());
  void compile_to_c(const std::string& file, const Arguments& arguments, const Name& name = "",
                    const Target& target = get_target_from_environment(),
                    Where where = Where::current());
  void compile_to_header(const std::string& file, const Arguments& arguments, const Name& name = "",
                         const Target& target = get_target_from_environment(),
                         Where where = Where::current());
  void compile_to_assembly(const std::string& file, const Arguments& arguments,
                           const Name& name = "",
                           const Target& target = get_target_from_environment(),
                           Where where = Where::current());
  void compile_to_llvm_assembly(const std::string& file, const Arguments& arguments,
                                const Name& name = "",
                                const Target& target = get_target_from_environment(),
                                Where where = Where::current());
  void compile_to_lowered_stmt(const std::string& file, const Arguments& arguments,
                               const Target& target = get_target_from_environment(),
                               Where where = Where::current());
  void compile_to_file(const std::string& base, const Arguments& arguments, const Name& name = "",
                       const Target& target = get_target_from_environment(),
                       Where where = Where::current());
  void compile_to_file(support::Located<std::string> base);
  void compile_to_c(support::Located<std::string> file);

 private:
  std::vector<support::Ref<api::FuncContents>> contents() const;
  driver::Artifact made(driver::Product product, const Arguments& arguments, const Name& name,
                        const Target& target, Where where) const;
  std::vector<Func> outputs_;
  std::string name_;
};

}  // namespace hocket
