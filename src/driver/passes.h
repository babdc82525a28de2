// What stands around every pass: its time, its text before and after, the verifier behind it.
//
// In: the name of a step and the pure function that makes it. Out: what the function gives, or its
// refusal. Called by: compile.cpp, at every step of the road.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "diag/result.h"
#include "ir/proc.h"
#include "ir/verify.h"

namespace hocket::driver {

struct PassTime {
  std::string name;
  double ms = 0;
};

// Gets every proc that a pass left, and the name of that pass.
using PassDump = std::function<void(const std::string& pass, const ir::ProcRef& proc)>;

// The same of the steps inside a pass that leave no proc yet: what they left, as text.
using StepDump = std::function<void(const std::string& step, const std::string& text)>;

// Debug builds verify behind every pass, others where the environment says HOCKET_VERIFY=1, as
// every test of the suite does.
bool verify_unless_told();

struct PassOptions {
  bool verify = verify_unless_told();
  PassDump dump;
  StepDump dump_step;
};

class Passes {
 public:
  explicit Passes(const PassOptions& options) : options_(options) {}

  // Times a step whose result is no proc.
  template <class Step>
  auto time(const char* name, Step&& step) -> decltype(step()) {
    const auto start = std::chrono::steady_clock::now();
    auto result = step();
    note(name, start);
    return result;
  }

  // Times a step that makes a proc, shows the proc and verifies it.
  template <class Step>
  diag::Result<ir::ProcRef> run(const char* name, Step&& step,
                                ir::Stand leaves = ir::Stand::AtADoor) {
    diag::Result<ir::ProcRef> result = time(name, std::forward<Step>(step));
    if (!result) return result;
    return leave(name, leaves, *std::move(result));
  }

  // Times the steps inside a pass: each call ends one that began with the call before, or with
  // this. Steps of the same name are added up.
  std::function<void(const char*, const std::function<std::string()>&)> steps();

  const std::vector<PassTime>& times() const { return times_; }

 private:
  void note(const char* name, std::chrono::steady_clock::time_point start);
  diag::Result<ir::ProcRef> leave(const char* name, ir::Stand leaves, ir::ProcRef proc);

  const PassOptions& options_;
  std::vector<PassTime> times_;
};

}  // namespace hocket::driver
