#include "driver/callable.h"

#include <unordered_map>

#include "analysis/evaluate.h"
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

// What the program itself asks of its arguments and does not get, with what is given: it says more
// than the region of an input that follows from it. Empty where nothing of that kind is wrong.
std::string Callable::broken_check(std::span<void* const> args) const {
  const ir::ProcRef& proc = artifact_->loops ? artifact_->loops : artifact_->flat;
  if (!proc || !proc->entry || proc->entry->args.size() != args.size()) return {};
  std::unordered_map<ir::Symbol, int64_t> values;
  for (size_t i = 0; i < args.size(); ++i) {
    const auto* buffer = static_cast<const hocket_buffer_t*>(args[i]);
    const std::vector<ir::EntryDim>& dims = proc->entry->args[i].dims;
    if (proc->entry->args[i].kind == ir::EntryArg::Kind::Scalar || buffer == nullptr ||
        buffer->dimensions != static_cast<int32_t>(dims.size()))
      continue;
    for (size_t d = 0; d < dims.size(); ++d) {
      values[dims[d].min] = buffer->dim[d].min;
      values[dims[d].extent] = buffer->dim[d].extent;
    }
  }
  const auto value = [&](const ir::Expr& e) -> std::optional<analysis::BigInt> {
    const auto* v = e.as<ir::VarRef>();
    if (v == nullptr) return std::nullopt;
    const auto found = values.find(v->sym);
    return found == values.end() ? std::nullopt : std::optional<analysis::BigInt>(found->second);
  };
  for (const ir::EntryCheck& c : proc->entry->checks) {
    const std::optional<analysis::BigInt> holds = analysis::evaluate(c.cond, value);
    if (!holds || !holds->is_zero()) continue;
    std::string text = "`" + name() + "`: " + c.message;
    if (c.argument.defined()) {
      const ir::EntryArg& asked = proc->entry->args[proc->entry->position(c.argument)];
      const ir::EntryDim& d = asked.dims[static_cast<size_t>(c.dimension)];
      const int64_t min = values[d.min], extent = values[d.extent];
      text +=
          ", is " + (extent < 1 ? "nothing"
                                : std::to_string(min) + " to " + std::to_string(min + extent - 1));
    }
    return text;
  }
  return {};
}

diag::Result<void> Callable::run(std::span<void* const> args) const {
  Said said;
  hocket_hooks_t hooks = {};
  hooks.error = remember;
  const hocket_context_t context = {&said, &hooks};
  const int32_t code = call(args.data(), &context);
  if (code == 0) return {};
  if (code == HOCKET_ERROR_BUFFER_TOO_SMALL || code == HOCKET_ERROR_CONSTRAINT_VIOLATED)
    if (std::string why = broken_check(args); !why.empty()) said.text = std::move(why);
  if (said.text.empty()) said.text = "`" + name() + "` returns " + std::to_string(code);
  return diag::Diagnostic(diag::kind::call_refused).arg("message", said.text);
}

}  // namespace hocket::driver
