// Files that are made of Funcs and Pipelines, with the arguments in the caller's order.
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

driver::Artifact Pipeline::made(driver::Product product, const Arguments& arguments,
                                const Name& name, const Target& target, Where where) const {
  const api::Snapshot now = api::snapshot(contents(), name.empty() ? name_ : name);
  driver::Options options;
  options.target = target;
  return or_throw(driver::compile(ordered(now, arguments, Place::of(where)), product, options));
}

void Pipeline::compile_to_object(const std::string& file, const Arguments& arguments,
                                 const Name& name, const Target& target, Where where) {
  api::write_file(file, made(driver::Product::Object, arguments, name, target, where).text, where);
}
void Pipeline::compile_to_c(const std::string& file, const Arguments& arguments, const Name& name,
                            const Target& target, Where where) {
  api::write_file(file, made(driver::Product::CText, arguments, name, target, where).text, where);
}
void Pipeline::compile_to_header(const std::string& file, const Arguments& arguments,
                                 const Name& name, const Target& target, Where where) {
  const driver::Artifact flat = made(driver::Product::Flat, arguments, name, target, where);
  api::write_file(file, driver::header_text(*flat.flat), where);
}
void Pipeline::compile_to_assembly(const std::string& file, const Arguments& arguments,
                                   const Name& name, const Target& target, Where where) {
  api::write_file(file, made(driver::Product::Assembly, arguments, name, target, where).text,
                  where);
}
void Pipeline::compile_to_llvm_assembly(const std::string& file, const Arguments& arguments,
                                        const Name& name, const Target& target, Where where) {
  api::write_file(file, made(driver::Product::LlvmText, arguments, name, target, where).text,
                  where);
}
void Pipeline::compile_to_lowered_stmt(const std::string& file, const Arguments& arguments,
                                       const Target& target, Where where) {
  const driver::Artifact loops = made(driver::Product::Loops, arguments, "", target, where);
  api::write_file(file, ir::to_text(*loops.loops), where);
}
void Pipeline::compile_to_file(const std::string& base, const Arguments& arguments,
                               const Name& name, const Target& target, Where where) {
  const driver::Artifact object = made(driver::Product::Object, arguments, name, target, where);
  api::write_file(base + ".o", object.text, where);
  api::write_file(base + ".h", driver::header_text(*object.flat), where);
}

void Pipeline::compile_to_file(support::Located<std::string> base) {
  const driver::Artifact object = or_throw(driver::compile(source(), driver::Product::Object));
  api::write_file(base.value + ".o", object.text, base.where);
  api::write_file(base.value + ".h", driver::header_text(*object.flat), base.where);
}
void Pipeline::compile_to_c(support::Located<std::string> file) {
  api::write_file(file.value, or_throw(driver::compile(source(), driver::Product::CText)).text,
                  file.where);
}

// ---- The same of one Func -----------------------------------------------------------------------

void Func::compile_to_object(const std::string& file, const Arguments& arguments, const Name& name,
                             const Target& target, Where where) {
  Pipeline(*this).compile_to_object(file, arguments, name, target, where);
}
void Func::compile_to_c(const std::string& file, const Arguments& arguments, const Name& name,
                        const Target& target, Where where) {
  Pipeline(*this).compile_to_c(file, arguments, name, target, where);
}
void Func::compile_to_header(const std::string& file, const Arguments& arguments, const Name& name,
                             const Target& target, Where where) {
  Pipeline(*this).compile_to_header(file, arguments, name, target, where);
}
void Func::compile_to_assembly(const std::string& file, const Arguments& arguments,
                               const Name& name, const Target& target, Where where) {
  Pipeline(*this).compile_to_assembly(file, arguments, name, target, where);
}
void Func::compile_to_llvm_assembly(const std::string& file, const Arguments& arguments,
                                    const Name& name, const Target& target, Where where) {
  Pipeline(*this).compile_to_llvm_assembly(file, arguments, name, target, where);
}
void Func::compile_to_lowered_stmt(const std::string& file, const Arguments& arguments,
                                   const Target& target, Where where) {
  Pipeline(*this).compile_to_lowered_stmt(file, arguments, target, where);
}
void Func::compile_to_file(const std::string& base, const Arguments& arguments, const Name& name,
                           const Target& target, Where where) {
  Pipeline(*this).compile_to_file(base, arguments, name, target, where);
}
void Func::compile_to_file(support::Located<std::string> base) {
  Pipeline(*this).compile_to_file(std::move(base));
}
void Func::compile_to_c(support::Located<std::string> file) {
  Pipeline(*this).compile_to_c(std::move(file));
}

}  // namespace hocket
