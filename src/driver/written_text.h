// Texts and objects that a compile makes, to files. Called by: tools/program.h, api/files.h.
#pragma once

#include <span>
#include <string>

#include "diag/result.h"
#include "support/source.h"

namespace hocket::driver {

struct WrittenText {
  std::string path, text;
};

// All of them, or where one cannot be written none (D0108, at `place`, with the system's reason).
diag::Result<void> write_texts(std::span<const WrittenText> files,
                               const support::Place& place = {});

}  // namespace hocket::driver
