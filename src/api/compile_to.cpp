#include "api/compile_to.h"

#include <algorithm>

#include "api/contents.h"
#include "api/files.h"
#include "api/pipeline.h"
#include "driver/header.h"
#include "ir/print.h"

namespace hocket {

using support::Place;

Argument::Argument(const ImageParam& image) : name_(image.name()), contents_(image.contents()) {}
Argument::Argument(const ParamBase& param) : name_(param.name()), contents_(param.contents()) {}

namespace {

// An argument that nothing reads: the compiled function takes it all the same.
ir::Symbol add_unread(ir::Algorithm& algorithm, const Argument& a, const Place& place) {
  const auto added = [&](const ir::Symbol& given) {
    for (const ir::Symbol& known : algorithm.ordered_arguments())
      if (known.name() == given.name())
        refuse("two arguments are called `" + given.name() + "`", place);
    if (given.name().empty()) refuse("an argument that nothing reads has no name", place);
    return given.without_payload();
  };
  if (const auto* image = dynamic_cast<api::ImageContents*>(a.contents().get())) {
    ir::ImageParam unread = image->image;
    unread.sym = added(unread.sym);
    algorithm.inputs.push_back(unread);
    return unread.sym;
  }
  const auto& param = static_cast<api::ParamContents&>(*a.contents());
  ir::ScalarParam unread = param.param;
  unread.sym = added(unread.sym);
  algorithm.params.push_back(unread);
  return unread.sym;
}

// The algorithm with its arguments in this order.
driver::Source ordered(const api::Snapshot& now, const std::vector<Argument>& arguments,
                       const Place& place) {
  auto algorithm = std::make_shared<ir::Algorithm>(*now.algorithm);
  const std::vector<ir::Symbol> as_read = now.algorithm->ordered_arguments();
  std::vector<bool> listed(as_read.size());
  std::vector<ir::Symbol> order;
  for (const Argument& a : arguments) {
    const auto at =
        static_cast<size_t>(std::find(now.arguments.begin(), now.arguments.end(), a.contents()) -
                            now.arguments.begin());
    if (at == now.arguments.size()) {
      order.push_back(add_unread(*algorithm, a, place));
      continue;
    }
    if (listed[at]) refuse("argument `" + as_read[at].name() + "` is listed twice", place);
    listed[at] = true;
    order.push_back(as_read[at]);
  }
  for (size_t i = 0; i < as_read.size(); ++i)
    if (!listed[i])
      refuse("`" + algorithm->name + "` reads `" + as_read[i].name() +
                 "`, which is not among the arguments",
             place);
  algorithm->arguments = std::move(order);
  return driver::Source(algorithm, now.schedule);
}

}  // namespace

namespace api {

template <class Self>
Callable CompileTo<Self>::compile_to_callable(Where) const {
  const Pipeline all(static_cast<const Self&>(*this));
  return compiled(all.contents(), all.name_)->callable;
}

template <class Self>
driver::Artifact CompileTo<Self>::made(driver::Product product, const Arguments& arguments,
                                       const Name& name, const Target& target, Where where) const {
  const Pipeline all(static_cast<const Self&>(*this));
  const Snapshot now = snapshot(all.contents(), name.empty() ? all.name_ : name);
  driver::Options options;
  options.target = target;
  return or_throw(driver::compile(ordered(now, arguments, Place::of(where)), product, options));
}

template <class Self>
void CompileTo<Self>::compile_to_object(const std::string& file, const Arguments& arguments,
                                        const Name& name, const Target& target, Where where) const {
  write_files({{file, made(driver::Product::Object, arguments, name, target, where).text}}, where);
}
template <class Self>
void CompileTo<Self>::compile_to_c(const std::string& file, const Arguments& arguments,
                                   const Name& name, const Target& target, Where where) const {
  write_files({{file, made(driver::Product::CText, arguments, name, target, where).text}}, where);
}
template <class Self>
void CompileTo<Self>::compile_to_header(const std::string& file, const Arguments& arguments,
                                        const Name& name, const Target& target, Where where) const {
  const driver::Artifact flat = made(driver::Product::Flat, arguments, name, target, where);
  write_files({{file, driver::header_text(*flat.flat)}}, where);
}
template <class Self>
void CompileTo<Self>::compile_to_assembly(const std::string& file, const Arguments& arguments,
                                          const Name& name, const Target& target,
                                          Where where) const {
  write_files({{file, made(driver::Product::Assembly, arguments, name, target, where).text}},
              where);
}
template <class Self>
void CompileTo<Self>::compile_to_llvm_assembly(const std::string& file, const Arguments& arguments,
                                               const Name& name, const Target& target,
                                               Where where) const {
  write_files({{file, made(driver::Product::LlvmText, arguments, name, target, where).text}},
              where);
}
template <class Self>
void CompileTo<Self>::compile_to_lowered_stmt(const std::string& file, const Arguments& arguments,
                                              const Target& target, Where where) const {
  const driver::Artifact loops = made(driver::Product::Loops, arguments, "", target, where);
  write_files({{file, ir::to_text(*loops.loops)}}, where);
}
template <class Self>
void CompileTo<Self>::compile_to_file(const std::string& base, const Arguments& arguments,
                                      const Name& name, const Target& target, Where where) const {
  const driver::Artifact object = made(driver::Product::Object, arguments, name, target, where);
  write_files({{base + ".o", object.text}, {base + ".h", driver::header_text(*object.flat)}},
              where);
}

template <class Self>
void CompileTo<Self>::compile_to_file(support::Located<std::string> base) const {
  const driver::Artifact object = or_throw(
      driver::compile(Pipeline(static_cast<const Self&>(*this)).source(), driver::Product::Object));
  write_files(
      {{base.value + ".o", object.text}, {base.value + ".h", driver::header_text(*object.flat)}},
      base.where);
}
template <class Self>
void CompileTo<Self>::compile_to_c(support::Located<std::string> file) const {
  const driver::Artifact made = or_throw(
      driver::compile(Pipeline(static_cast<const Self&>(*this)).source(), driver::Product::CText));
  write_files({{file.value, made.text}}, file.where);
}

template class CompileTo<Func>;
template class CompileTo<Pipeline>;

}  // namespace api
}  // namespace hocket
