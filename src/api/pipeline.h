// Pipelines: several Funcs that are computed together, each an output.
//
// In: Funcs. Out: the same ways to run and compile as a Func has, with one buffer per output. Used
// by: users, through hocket.h.
#pragma once

#include <string>
#include <vector>

#include "api/func.h"

namespace hocket {

class Pipeline {
 public:
  Pipeline(const Func& output) : Pipeline(std::vector<Func>{output}) {}
  Pipeline(std::vector<Func> outputs, std::string name = "");

  // All outputs of one size.
  std::vector<Buffer<>> realize(const std::vector<int64_t>& sizes,
                                std::source_location where = std::source_location::current());
  void realize(const std::vector<BufferBase>& into,
               std::source_location where = std::source_location::current());
  Callable compile_to_callable(std::source_location where = std::source_location::current());
  void compile_to_object(const std::string& base_name,
                         std::source_location where = std::source_location::current());
  void compile_to_c(const std::string& file,
                    std::source_location where = std::source_location::current());
  std::string loop_nest(std::source_location where = std::source_location::current());
  driver::Source source() const;

 private:
  std::vector<support::Ref<api::FuncContents>> contents() const;
  std::vector<Func> outputs_;
  std::string name_;
};

}  // namespace hocket
