// street_fuzz_programs [--count N | --seconds T] [--seed S] [--no-llvm] [--no-c] [--keep FOLDER]:
// random loop programs under random rewrites, before against after, judged by every witness. Prints
// how often each operator was applied, refuted, left unknown or refused as malformed; the first
// failures are reduced and printed (and written to FOLDER as .hk, which street_kept replays). Exit
// status 1 where anything failed.

#include <cstdio>
#include <map>

#include "c_batch.h"
#include "fuzz_run.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "judge_program.h"
#include "random_program.h"
#include "rewrite/apply.h"
#include "rewrite/random.h"
#include "rewrite/registry.h"

using namespace hocket;

namespace {

class Fuzz {
 public:
  explicit Fuzz(const street::FuzzOptions& how) : options_(how.judge), how_(how), run_(how) {}

  bool run() {
    const uint64_t count = how_.count, seed = how_.seed;
    for (uint64_t n = seed; judged_ < count && n - seed < 40 * count; ++n) {
      if (run_.over()) break;
      try_seed(n);
    }
    batch_.finish();
    report();
    return run_.passes({judged_, agreed_, agreed_ - interpreted_, in_c_});
  }

 private:
  struct Counts {
    uint64_t applied = 0, refuted = 0, unknown = 0, malformed = 0;
  };

  void try_seed(uint64_t n) {
    interp::Random random(n * 0x9E3779B97F4A7C15u + 11);
    std::string text = random.one_in(8) ? ir::to_text(*rewrite::testing::random_program(random))
                                        : street::random_program_text(random);
    std::string refused;
    street::ProgramCase c = street::parse_program(text, &refused);
    if (!refused.empty()) {
      ++meaningless_["not read: " + refused.substr(0, 60)];
      return;
    }
    c.data = n;
    for (int round = 0; round < 5; ++round)
      c.sizes.push_back(street::random_sizes(*c.proc, round, random));
    // Programs without meaning say nothing about rewrites.
    street::JudgeOptions quick = options_;
    quick.llvm = quick.c = false;
    const street::Verdict start = street::judge(c, quick);
    if (start.kind == street::Verdict::Kind::Meaningless) {
      ++meaningless_[start.text.substr(0, start.text.find_first_of(":=`"))];
      return;
    }
    if (start.kind == street::Verdict::Kind::Fail) {
      ++judged_;
      return failure(c, quick, start.text, n);
    }
    if (std::string wrong = take_steps(c, random); !wrong.empty()) {
      ++judged_;
      if (run_.first_few())
        run_.tell(std::to_string(n), wrong, street::describe(c), wrong,
                  "program_" + std::to_string(n));
      return;
    }
    judge(c, n);
  }

  // Applied steps end up in the case; every refusal is counted. Words where a step broke.
  std::string take_steps(street::ProgramCase& c, interp::Random& random) {
    const std::vector<ir::ProcRef> callees = c.library();
    const rewrite::Library library{callees};
    rewrite::State state = rewrite::State::begin(c.proc);
    std::vector<ir::TraceStep> plan;
    for (int64_t k = random.between(4, 14); k > 0 || !plan.empty(); --k) {
      const ir::TraceStep step = street::random_rewrite(*state.proc(), callees, random, plan);
      Counts& counts = operators_[step.op];
      try {
        auto next = rewrite::apply(state, step, library);
        if (next.ok()) {
          ++counts.applied;
          c.steps.push_back(step);
          state = std::move(next).value();
          continue;
        }
        switch (next.error().kind->category) {
          case diag::Category::refuted:
            ++counts.refuted;
            break;
          case diag::Category::unknown:
            ++counts.unknown;
            break;
          case diag::Category::internal:
            return ir::to_text(step) + ": " + next.error().message();
          default:
            ++counts.malformed;
            break;
        }
      } catch (const support::InternalError& e) {
        return ir::to_text(step) + ": assertion: " + e.what();
      }
    }
    return "";
  }

  void judge(const street::ProgramCase& c, uint64_t n) {
    const std::string name = "p" + std::to_string(n);
    street::PreparedProgram p = street::prepare(c, options_, name);
    ++judged_;
    if (p.verdict.kind == street::Verdict::Kind::Meaningless) {
      // partial_eval chose another size, at which the program has no meaning.
      --judged_;
      ++meaningless_[p.verdict.text.substr(0, p.verdict.text.find_first_of(":=`"))];
      return;
    }
    if (p.verdict.kind == street::Verdict::Kind::Refused) {
      --judged_;  // a proof that was found in time once and not again
      ++meaningless_["a step is not proved again"];
      return;
    }
    if (p.verdict.kind != street::Verdict::Kind::Agree) {
      street::JudgeOptions without_c = options_;
      without_c.c = false;
      return failure(c, without_c, p.verdict.text, n);
    }
    if (!p.native) {
      ++interpreted_;
      return agreed();
    }
    if (!options_.c || p.c_procs.empty()) {
      ++without_c_;
      return agreed();
    }
    batch_.add(p.c_procs,
               [this, c, p, n](const street::CLibrary* library, const std::string& said) {
                 const street::Verdict v =
                     library ? street::judge_c(c, p, *library)
                             : street::Verdict{street::Verdict::Kind::Fail, "c: " + said, -1};
                 if (v.kind == street::Verdict::Kind::Agree) {
                   ++in_c_;
                   return agreed();
                 }
                 failure(c, options_, v.text, n);
               });
  }

  void agreed() { ++agreed_; }

  void failure(const street::ProgramCase& c, const street::JudgeOptions& how,
               const std::string& said, uint64_t n) {
    const int budget = how.c ? 60 : 400;  // two compilers take their time
    run_.failure<street::ProgramCase>(
        c, [&](const street::ProgramCase& s) { return street::judge(s, how); }, budget, said,
        std::to_string(n), "program_" + std::to_string(n));
  }

  void report() const {
    std::printf("without meaning:");
    for (const auto& [text, times] : meaningless_)
      std::printf(" [%s] %llu", text.c_str(), static_cast<unsigned long long>(times));
    std::printf("\n%-14s %9s %9s %9s %9s\n", "operator", "applied", "refuted", "unknown",
                "malformed");
    for (const rewrite::Operator& op : rewrite::all_operators()) {
      const auto at = operators_.find(std::string(op.name));
      const Counts counts = at == operators_.end() ? Counts{} : at->second;
      std::printf("%-14s %9llu %9llu %9llu %9llu\n", std::string(op.name).c_str(),
                  static_cast<unsigned long long>(counts.applied),
                  static_cast<unsigned long long>(counts.refuted),
                  static_cast<unsigned long long>(counts.unknown),
                  static_cast<unsigned long long>(counts.malformed));
    }
    std::printf("%llu agreed (%llu without C text, %llu interpreted alone), %llu failed\n",
                static_cast<unsigned long long>(agreed_),
                static_cast<unsigned long long>(without_c_),
                static_cast<unsigned long long>(interpreted_),
                static_cast<unsigned long long>(run_.failed()));
  }

  const street::JudgeOptions options_;
  const street::FuzzOptions& how_;
  street::FuzzRun run_;
  street::CBatch batch_{40};
  uint64_t judged_ = 0, agreed_ = 0, interpreted_ = 0, without_c_ = 0, in_c_ = 0;
  std::map<std::string, uint64_t> meaningless_;
  std::map<std::string, Counts> operators_;
};

}  // namespace

int main(int argc, char** argv) {
  street::FuzzOptions options;
  if (const int status =
          options.read("random loop programs under random rewrites, by every witness", argc, argv);
      status >= 0)
    return status;
  return Fuzz(options).run() ? 0 : 1;
}
