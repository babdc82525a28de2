// street_fuzz [--count N] [--seed S] [--no-llvm] [--keep FOLDER]: random pipelines under random
// schedules, judged. Prints how many agreed and how many were refused; the first failures are
// reduced and printed (and written to FOLDER as .hk). Exit status 1 where anything failed.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "judge.h"
#include "random_pipeline.h"

using namespace hocket;

int main(int argc, char** argv) {
  uint64_t count = 1000, seed = 1;
  street::JudgeOptions options;
  std::string keep;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--count" && i + 1 < argc) count = std::strtoull(argv[++i], nullptr, 10);
    if (a == "--seed" && i + 1 < argc) seed = std::strtoull(argv[++i], nullptr, 10);
    if (a == "--keep" && i + 1 < argc) keep = argv[++i];
    if (a == "--no-llvm") options.llvm = false;
    if (a == "--no-flat") options.flat = options.llvm = false;
  }
  uint64_t agreed = 0, failed = 0, tried = 0;
  std::map<std::string, uint64_t> refused;
  std::map<std::string, uint64_t> meaningless;
  for (uint64_t n = seed; agreed + failed < count && tried < 60 * count; ++n) {
    street::Case c;
    c.algorithm = street::random_pipeline(n);
    for (uint64_t k = 0; k < 6 && agreed + failed < count; ++k) {
      ++tried;
      interp::Random random(n * 64 + k);
      c.schedule = street::random_schedule(c.algorithm, n * 16 + k);
      // Most random schedules are too wild; drop directives until one fits.
      c.data = n * 8 + k;
      c.outputs.clear();
      for (const ir::Symbol& o : c.algorithm->outputs) {
        c.outputs.emplace_back();
        for (size_t d = 0; d < c.algorithm->find(o)->args.size(); ++d)
          c.outputs.back().emplace_back(street::random_min(random), street::random_extent(random));
      }
      street::Verdict v = street::judge(c, options);
      while (v.kind == street::Verdict::Kind::Refused && !c.schedule.directives.empty()) {
        ++refused[v.text];
        c.schedule.directives.erase(
            c.schedule.directives.begin() +
            random.below(static_cast<int64_t>(c.schedule.directives.size())));
        v = street::judge(c, options);
      }
      if (v.kind == street::Verdict::Kind::Agree) ++agreed;
      if (v.kind == street::Verdict::Kind::Meaningless) ++meaningless[v.text.substr(0, 40)];
      if (v.kind == street::Verdict::Kind::Refused) ++refused[v.text];
      if (v.kind != street::Verdict::Kind::Fail) continue;
      ++failed;
      if (failed > 5) continue;
      street::Case small = street::reduce(c, options);
      std::string text = street::describe(small) + "# " + street::judge(small, options).text + "\n";
      std::printf("---- failure, seed %llu, schedule %llu (%s)\n%s",
                  static_cast<unsigned long long>(n), static_cast<unsigned long long>(k),
                  v.text.c_str(), text.c_str());
      std::fflush(stdout);
      if (!keep.empty())
        std::ofstream(keep + "/fuzz_" + std::to_string(n) + "_" + std::to_string(k) + ".hk")
            << text;
    }
  }
  std::printf("refused:");
  for (const auto& [code, times] : refused)
    std::printf(" %s %llu", code.c_str(), static_cast<unsigned long long>(times));
  std::printf("\nwithout meaning:");
  for (const auto& [text, times] : meaningless)
    std::printf(" [%s] %llu", text.c_str(), static_cast<unsigned long long>(times));
  std::printf("\n%llu agreed, %llu failed\n", static_cast<unsigned long long>(agreed),
              static_cast<unsigned long long>(failed));
  return failed ? 1 : 0;
}
