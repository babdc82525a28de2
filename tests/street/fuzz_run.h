// What the two street fuzzers share: options, how long they run, how failures are told.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "judge.h"

namespace hocket::street {

// Every line behind a `# `, as files of programs hold remarks.
std::string as_comment(const std::string& text);

struct FuzzOptions {
  uint64_t count = 1000, seed = 1;
  std::chrono::seconds seconds{0};  // where positive: as many cases as fit
  std::string keep;                 // a folder for what failed
  JudgeOptions judge;

  // The exit status where the options cannot be read, or only help was asked for; else -1.
  int read(const std::string& what, int argc, char** argv);
};

class FuzzRun {
 public:
  explicit FuzzRun(const FuzzOptions& options) : options_(options) {}

  bool over() const;
  // One more failure: the first five are worth reducing.
  bool first_few() { return ++failed_ <= 5; }
  // One more failure, reduced with at most `budget` verdicts of `judge` and told.
  template <class C>
  void failure(const C& c, const JudgeOf<C>& judge, int budget, const std::string& said,
               const std::string& seed, const std::string& name) {
    if (!first_few()) return;
    const C small = reduce(c, judge, budget);
    tell(seed, said, describe(small), judge(small).text, name);
  }
  // Prints it, and writes `name`.hk to the folder of --keep, where street_kept expects that it
  // agrees once it is mended. `said` is what failed first, `still` what fails when reduced; of one
  // line or several.
  void tell(const std::string& seed, const std::string& said, const std::string& reduced,
            const std::string& still, const std::string& name) const;
  uint64_t failed() const { return failed_; }
  // Whether the run says anything: nothing failed, as many were judged as was asked for, and, where
  // they are not switched off, native code and C were among the witnesses of some. Prints why not.
  struct Tally {
    uint64_t judged = 0, agreed = 0, native = 0, in_c = 0;
  };
  bool passes(const Tally& tally) const;

 private:
  const FuzzOptions& options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  uint64_t failed_ = 0;
};

}  // namespace hocket::street
