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

class Pipeline : public api::CompileTo<Pipeline> {
 public:
  using Where = std::source_location;
  Pipeline(const Func& output) : Pipeline(std::vector<Func>{output}) {}
  Pipeline(std::vector<Func> outputs, std::string name = "");

  // All outputs of one size, each in a buffer as large as the schedule writes, cropped.
  Realization realize(const std::vector<int64_t>& sizes = {}, Where where = Where::current());
  Realization realize(std::initializer_list<int64_t> sizes, Where where = Where::current()) {
    return realize(std::vector<int64_t>(sizes), where);
  }
  template <std::integral I>
    requires(!std::same_as<I, int64_t>)
  Realization realize(const std::vector<I>& sizes, Where where = Where::current()) {
    return realize(std::vector<int64_t>(sizes.begin(), sizes.end()), where);
  }
  void realize(const Realization& into, Where where = Where::current());
  void infer_input_bounds(const std::vector<int64_t>& sizes, Where where = Where::current());
  void infer_input_bounds(const Realization& outputs, Where where = Where::current());
  std::string loop_nest(Where where = Where::current());
  // Algorithm and schedule as .hk text, which reads back to the same.
  std::string text(Where where = Where::current()) const;
  // What the schedule asks for and does not get (S0501 to S0503): each as its text with the place.
  std::vector<std::string> warnings(Where where = Where::current());
  driver::Source source() const;

 private:
  template <class Self>
  friend class api::CompileTo;
  std::vector<support::Ref<api::FuncContents>> contents() const;
  std::vector<Func> outputs_;
  std::string name_;
};

}  // namespace hocket
