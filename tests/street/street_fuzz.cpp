// street_fuzz [--count N | --seconds T] [--seed S] [--no-llvm] [--no-c] [--keep FOLDER]: random
// pipelines under random schedules, judged by every witness. Prints how many agreed, what was
// refused, and how often each directive was part of a case that agreed; the first failures are
// reduced and printed (and written to FOLDER as .hk, which street_kept replays). Exit status 1
// where anything failed, or too little was judged for the run to say anything.

#include <cstdio>
#include <map>

#include "c_batch.h"
#include "fuzz_run.h"
#include "judge.h"
#include "random_pipeline.h"

using namespace hocket;

namespace {

class Fuzz {
 public:
  explicit Fuzz(const street::FuzzOptions& how) : options_(how.judge), how_(how), run_(how) {}

  bool run() {
    const uint64_t count = how_.count, seed = how_.seed;
    uint64_t tried = 0;
    for (uint64_t n = seed; judged_ < count && tried < 60 * count; ++n) {
      if (run_.over()) break;
      const ir::AlgorithmRef algorithm = street::random_pipeline(n);
      for (uint64_t k = 0; k < 6 && judged_ < count; ++k, ++tried) {
        street::Case c;
        c.algorithm = algorithm;
        try_case(std::move(c), n, k);
      }
    }
    batch_.finish();
    report();
    return run_.passes({judged_, agreed_, options_.llvm ? agreed_ : 0, in_c_});
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
    street::Prepared p = street::prepare(c, options_);
    // Most random schedules are too wild; drop directives until one fits.
    while (p.verdict.kind == street::Verdict::Kind::Refused && !c.schedule.directives.empty()) {
      ++refused_[p.verdict.text];
      const int64_t at = p.verdict.directive >= 0
                             ? p.verdict.directive
                             : random.below(static_cast<int64_t>(c.schedule.directives.size()));
      ++verbs_[c.schedule.directives[static_cast<size_t>(at)].verb].refused;
      c.schedule.directives.erase(c.schedule.directives.begin() + at);
      p = street::prepare(c, options_);
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
      street::JudgeOptions without_c = options_;
      without_c.c = false;
      return failure(c, without_c, p.verdict.text, n, k);
    }
    if (!options_.c || !options_.flat) return agreed(c);
    const std::string name = "p" + std::to_string(n) + "_" + std::to_string(k);
    batch_.add({street::c_proc(p, name)},
               [this, c, p, n, k, name](const street::CLibrary* library, const std::string& said) {
                 const street::Verdict v =
                     library ? street::judge_c(c, p, *library, name)
                             : street::Verdict{street::Verdict::Kind::Fail, "c: " + said, -1};
                 if (v.kind == street::Verdict::Kind::Agree) {
                   ++in_c_;
                   return agreed(c);
                 }
                 failure(c, options_, v.text, n, k);
               });
  }

  void agreed(const street::Case& c) {
    ++agreed_;
    for (const ir::Directive& d : c.schedule.directives) ++verbs_[d.verb].applied;
  }

  void failure(const street::Case& c, const street::JudgeOptions& how, const std::string& said,
               uint64_t n, uint64_t k) {
    constexpr int kBudget = 600;
    run_.failure<street::Case>(
        c, [&](const street::Case& s) { return street::judge(s, how); }, kBudget, said,
        std::to_string(n) + ", schedule " + std::to_string(k),
        "fuzz_" + std::to_string(n) + "_" + std::to_string(k));
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
                static_cast<unsigned long long>(run_.failed()));
  }

  const street::JudgeOptions options_;
  const street::FuzzOptions& how_;
  street::FuzzRun run_;
  street::CBatch batch_{60};
  uint64_t judged_ = 0, agreed_ = 0, in_c_ = 0;
  std::map<std::string, uint64_t> refused_, meaningless_;
  std::map<ir::Verb, Counts> verbs_;
};

}  // namespace

int main(int argc, char** argv) {
  street::FuzzOptions options;
  if (const int status =
          options.read("random pipelines under random schedules, by every witness", argc, argv);
      status >= 0)
    return status;
  return Fuzz(options).run() ? 0 : 1;
}
