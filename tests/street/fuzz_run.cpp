#include "fuzz_run.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace hocket::street {

int FuzzOptions::read(const std::string& what, int argc, char** argv) {
  CLI::App app(what);
  int64_t time = 0;
  bool no_llvm = false, no_c = false, no_flat = false;
  CLI::Option* cases = app.add_option("--count", count, "how many cases are judged")
                           ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  app.add_option("--seconds", time, "as many cases as fit into this time")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->excludes(cases);
  app.add_option("--seed", seed, "the first seed");
  app.add_option("--keep", keep, "an existing folder for what failed, reduced, as .hk")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--no-llvm", no_llvm, "without native code");
  app.add_flag("--no-c", no_c, "without C compilers");
  app.add_flag("--no-flat", no_flat, "pipelines: loop form alone");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  }
  seconds = std::chrono::seconds(time);
  if (time > 0) count = uint64_t{1} << 30;
  judge.llvm = !no_llvm;
  judge.c = !no_c;
  judge.flat = !no_flat;
  return -1;
}

bool FuzzRun::over() const {
  return options_.seconds.count() > 0 &&
         std::chrono::steady_clock::now() - start_ > options_.seconds;
}

std::string as_comment(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += "# " + line + "\n";
  return out;
}

void FuzzRun::tell(const std::string& seed, const std::string& said, const std::string& reduced,
                   const std::string& still, const std::string& name) const {
  const std::string kept = reduced + as_comment(still);
  std::printf("---- failure, seed %s (%s)\n%s", seed.c_str(), said.c_str(), kept.c_str());
  std::fflush(stdout);
  if (options_.keep.empty()) return;
  const std::string file = options_.keep + "/" + name + ".hk";
  std::ofstream out(file);
  out << "# expect: agree\n# found with seed " << seed << "\n" << kept;
  std::printf(out.flush() ? "kept as %s\n" : "cannot be kept as %s\n", file.c_str());
}

bool FuzzRun::passes(const Tally& tally) const {
  bool passes = failed_ == 0;
  const auto want = [&](bool holds, const char* what) {
    if (!holds) std::printf("says too little: %s\n", what);
    passes = passes && holds;
  };
  const bool timed = options_.seconds.count() > 0;
  want(timed ? tally.judged > 0 : tally.judged >= options_.count,
       "fewer cases could be judged than was asked for");
  want(tally.agreed > 0, "none agreed");
  // A single case may well have no native code.
  constexpr uint64_t kMany = 20;
  if (tally.judged < kMany) return passes;
  want(!options_.judge.llvm || tally.native > 0, "none was run as native code");
  want(!options_.judge.c || !options_.judge.flat || tally.in_c > 0, "none was run as C");
  return passes;
}

}  // namespace hocket::street
