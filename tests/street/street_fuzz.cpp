// street_fuzz [--count N | --seconds T] [--seed S] [--no-llvm] [--no-c] [--keep FOLDER]: random
// pipelines under random schedules, judged by every witness. Prints how many agreed, what was
// refused, and how often each directive was part of a case that agreed; the first failures are
// reduced and printed (and written to FOLDER as .hk, which street_kept replays). Exit status 1
// where anything failed.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "c_batch.h"
#include "judge.h"
#include "random_pipeline.h"

using namespace hocket;

namespace {

class Fuzz {
 public:
  street::JudgeOptions options;
  std::string keep;
  std::chrono::seconds seconds{0};  // where positive: as many cases as fit

  bool run(uint64_t count, uint64_t seed) {
    uint64_t tried = 0;
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t n = seed; judged_ < count && tried < 60 * count; ++n) {
      if (seconds.count() > 0 && std::chrono::steady_clock::now() - start > seconds) break;
      const ir::AlgorithmRef algorithm = street::random_pipeline(n);
      for (uint64_t k = 0; k < 6 && judged_ < count; ++k, ++tried) {
        street::Case c;
        c.algorithm = algorithm;
        try_case(std::move(c), n, k);
      }
    }
    batch_.finish();
    report();
    return failed_ == 0;
  }

 private:
  struct Counts {
    uint64_t applied = 0, refused = 0;
  };

  void try_case(street::Case c, uint64_t n, uint64_t k) {
    interp::Random random(n * 64 + k);
    c.schedule = street::random_schedule(c.algorithm, n * 16 + k);
    c.data = n * 8 + k;
    for (const ir::Symbol& o : c.algorithm->outputs) {
      c.outputs.emplace_back();
      for (size_t d = 0; d < c.algorithm->find(o)->args.size(); ++d)
        c.outputs.back().emplace_back(street::random_min(random), street::random_extent(random));
    }
    street::keep_bounds(c.schedule, *c.algorithm, c.outputs, random);
    street::Prepared p = street::prepare(c, options);
    // Most random schedules are too wild; drop directives until one fits.
    while (p.verdict.kind == street::Verdict::Kind::Refused && !c.schedule.directives.empty()) {
      ++refused_[p.verdict.text];
      const int64_t at = p.verdict.directive >= 0
                             ? p.verdict.directive
                             : random.below(static_cast<int64_t>(c.schedule.directives.size()));
      ++verbs_[c.schedule.directives[static_cast<size_t>(at)].verb].refused;
      c.schedule.directives.erase(c.schedule.directives.begin() + at);
      p = street::prepare(c, options);
    }
    if (p.verdict.kind == street::Verdict::Kind::Refused) {
      ++refused_[p.verdict.text];
      return;
    }
    if (p.verdict.kind == street::Verdict::Kind::Meaningless) {
      ++meaningless_[p.verdict.text.substr(0, 40)];
      return;
    }
    ++judged_;
    if (p.verdict.kind == street::Verdict::Kind::Fail) {
      street::JudgeOptions without_c = options;
      without_c.c = false;
      return failure(c, without_c, p.verdict.text, n, k);
    }
    if (!options.c || !options.flat) return agreed(c);
    const std::string name = "p" + std::to_string(n) + "_" + std::to_string(k);
    batch_.add({street::c_proc(p, name)},
               [this, c, p, n, k, name](const street::CLibrary* library, const std::string& said) {
                 const street::Verdict v =
                     library ? street::judge_c(c, p, *library, name)
                             : street::Verdict{street::Verdict::Kind::Fail, "c: " + said, -1};
                 if (v.kind == street::Verdict::Kind::Agree) return agreed(c);
                 failure(c, options, v.text, n, k);
               });
  }

  void agreed(const street::Case& c) {
    ++agreed_;
    for (const ir::Directive& d : c.schedule.directives) ++verbs_[d.verb].applied;
  }

  void failure(const street::Case& c, const street::JudgeOptions& how, const std::string& said,
               uint64_t n, uint64_t k) {
    if (++failed_ > 5) return;
    const street::Case small = street::reduce(c, how);
    const std::string text = street::describe(small) + "# " + street::judge(small, how).text + "\n";
    std::printf("---- failure, seed %llu, schedule %llu (%s)\n%s",
                static_cast<unsigned long long>(n), static_cast<unsigned long long>(k),
                said.c_str(), text.c_str());
    std::fflush(stdout);
    if (keep.empty()) return;
    const std::string file = keep + "/fuzz_" + std::to_string(n) + "_" + std::to_string(k) + ".hk";
    std::ofstream(file) << "# street_kept " << file << "\n" << text;
  }

  void report() const {
    std::printf("refused:");
    for (const auto& [code, times] : refused_)
      std::printf(" %s %llu", code.c_str(), static_cast<unsigned long long>(times));
    std::printf("\nwithout meaning:");
    for (const auto& [text, times] : meaningless_)
      std::printf(" [%s] %llu", text.c_str(), static_cast<unsigned long long>(times));
    std::printf("\n%-18s %9s %9s\n", "directive", "applied", "refused");
    for (int v = 0; v <= static_cast<int>(ir::Verb::StreamStores); ++v) {
      const auto at = verbs_.find(static_cast<ir::Verb>(v));
      const Counts counts = at == verbs_.end() ? Counts{} : at->second;
      std::printf("%-18s %9llu %9llu\n", ir::spelling(static_cast<ir::Verb>(v)),
                  static_cast<unsigned long long>(counts.applied),
                  static_cast<unsigned long long>(counts.refused));
    }
    std::printf("%llu agreed, %llu failed\n", static_cast<unsigned long long>(agreed_),
                static_cast<unsigned long long>(failed_));
  }

  street::CBatch batch_{60};
  uint64_t judged_ = 0, agreed_ = 0, failed_ = 0;
  std::map<std::string, uint64_t> refused_, meaningless_;
  std::map<ir::Verb, Counts> verbs_;
};

}  // namespace

int main(int argc, char** argv) {
  uint64_t count = 1000, seed = 1;
  Fuzz fuzz;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--count" && i + 1 < argc) count = std::strtoull(argv[++i], nullptr, 10);
    if (a == "--seconds" && i + 1 < argc) {
      count = 1u << 30;
      fuzz.seconds = std::chrono::seconds(std::strtoll(argv[++i], nullptr, 10));
    }
    if (a == "--seed" && i + 1 < argc) seed = std::strtoull(argv[++i], nullptr, 10);
    if (a == "--keep" && i + 1 < argc) fuzz.keep = argv[++i];
    if (a == "--no-llvm") fuzz.options.llvm = false;
    if (a == "--no-c") fuzz.options.c = false;
    if (a == "--no-flat") fuzz.options.flat = false;
  }
  return fuzz.run(count, seed) ? 0 : 1;
}
