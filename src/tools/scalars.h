// `--set name=value`: scalar arguments of pipelines and loop programs from the command line.
// In: words. Out: values in the memory that compiled code reads. Called by: run, bench.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"

namespace hocket::tools {

class Scalars {
 public:
  explicit Scalars(std::vector<std::string> words);
  // The value that was set, else the default, else a refusal; eight bytes, little endian.
  diag::Result<uint64_t> bits(const std::string& program, const ir::Symbol& symbol,
                              std::optional<double> fallback) const;
  // Names that were set and that no argument has.
  diag::Result<void> check_names(const std::string& program,
                                 const std::vector<std::string>& known) const;

 private:
  std::map<std::string, std::string> words_;
};

}  // namespace hocket::tools
