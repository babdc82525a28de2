#include "c_batch.h"

namespace hocket::street {

void CBatch::add(std::vector<ir::ProcRef> procs, Answer answer) {
  filling_.push_back({std::move(procs), std::move(answer)});
  if (filling_.size() >= size_) start();
}

void CBatch::finish() {
  if (!filling_.empty()) start();
  collect();
}

void CBatch::start() {
  collect();
  compiling_.swap(filling_);
  compiler_ = compiler_ == Compiler::Gcc ? Compiler::Clang : Compiler::Gcc;
  std::vector<ir::ProcRef> all;
  for (const Item& i : compiling_) all.insert(all.end(), i.procs.begin(), i.procs.end());
  compiled_ = std::async(std::launch::async, [all = std::move(all), compiler = compiler_] {
    return compile_c(all, compiler);
  });
}

void CBatch::collect() {
  if (!compiled_.valid()) return;
  const Compiled together = compiled_.get();
  for (const Item& i : compiling_) {
    if (together.library) {
      i.answer(together.library.get(), "");
      continue;
    }
    const Compiled alone = compile_c(i.procs, compiler_);
    i.answer(alone.library.get(), alone.said);
  }
  compiling_.clear();
}

}  // namespace hocket::street
