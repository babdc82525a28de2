#include "driver/callable.h"

#include "diag/kinds_driver.h"

namespace hocket::driver {

namespace {

struct Said {
  std::string text;
};

// Keeps what compiled code says about its failure until the call is back.
void remember(const hocket_context_t* context, int32_t, const hocket_error_t* details) {
  char line[512];
  hocket_error_message(details, line, sizeof line);
  static_cast<Said*>(context->user)->text = line;
}

}  // namespace

diag::Result<Callable> Callable::make(const Source& source, const Options& options) {
  HOCKET_TRY(Artifact artifact, compile(source, Product::Code, options));
  return Callable(std::move(artifact));
}

Callable::Callable(Artifact artifact)
    : artifact_(std::make_shared<const Artifact>(std::move(artifact))) {
  const codegen::PipelineSymbols symbols = artifact_->code->pipeline(artifact_->name);
  metadata_ = symbols.metadata;
  body_ = symbols.body;
  regions_ = symbols.regions;
  argv_ = symbols.argv ? symbols.argv : artifact_->code->program(artifact_->name);
  HOCKET_ASSERT(metadata_ || argv_, "compiled code without an entry");
}

diag::Result<void> Callable::run(std::span<void* const> args) const {
  Said said;
  hocket_hooks_t hooks = {};
  hooks.error = remember;
  const hocket_context_t context = {&said, &hooks};
  const int32_t code = call(args.data(), &context);
  if (code == 0) return {};
  if (said.text.empty()) said.text = "`" + name() + "` returns " + std::to_string(code);
  return diag::Diagnostic(diag::kind::call_refused).arg("message", said.text);
}

}  // namespace hocket::driver
