// Compiled code that can be called: a pipeline or a loop program, native, in this process.
//
// In: a Source. Out: an object that is cheap to copy and safe to call from several threads. The
// quick way is `call`: addresses in, a code out (docs/abi.md), nothing allocated. `run` is the same
// with a refusal as a diagnostic. Called by: api/ (realize), tools/, bench/.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "abi/hocket_abi.h"
#include "diag/result.h"
#include "driver/compile.h"

namespace hocket::driver {

class Callable {
 public:
  static diag::Result<Callable> make(const Source& source, const Options& options = {});
  explicit Callable(Artifact artifact);

  // args[i] belongs to argument i: a hocket_buffer_t* for a buffer of a pipeline, the address of
  // the value for a scalar; loop programs take addresses as docs/abi.md lists them.
  int32_t call(void* const* args, const hocket_context_t* context = nullptr) const {
    return metadata_ ? hocket_call(metadata_, body_, regions_, context, args)
                     : argv_(context, args);
  }
  diag::Result<void> run(std::span<void* const> args) const;

  const std::string& name() const { return artifact_->name; }
  const Artifact& artifact() const { return *artifact_; }
  // Null for loop programs.
  const hocket_metadata_t* metadata() const { return metadata_; }

 private:
  std::string broken_check(std::span<void* const> args) const;

  const hocket_metadata_t* metadata_ = nullptr;
  hocket_body_fn body_ = nullptr;
  hocket_regions_fn regions_ = nullptr;
  int32_t (*argv_)(const hocket_context_t*, void* const*) = nullptr;
  std::shared_ptr<const Artifact> artifact_;
};

}  // namespace hocket::driver
