// `--set name=value`: scalar arguments of pipelines and loop programs from the command line.
// In: words. Out: values in the memory that compiled code reads; every one is exactly what was
// given (floats: the nearest of their type), or it is refused (D0111) with what the type takes.
// Called by: run, bench.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::tools {

class Scalars {
 public:
  explicit Scalars(const std::vector<std::string>& words);
  // The value that was set, else the default, else a refusal; eight bytes, little endian.
  diag::Result<uint64_t> bits(const std::string& program, const ir::Symbol& symbol,
                              std::optional<double> fallback) const;
  // Refuses names that no argument has, names that were set twice and words without `=`.
  diag::Result<void> check_names(const std::string& program,
                                 const std::vector<std::string>& known) const;

 private:
  struct Word {
    std::string name, value;
    bool equal = false;
  };
  std::vector<Word> words_;
};

}  // namespace hocket::tools
