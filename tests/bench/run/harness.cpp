// The harness itself: references, error figures, the order of interleaving, the A/A pair.
// In: made-up contestants. Out: what the bench programs would record of them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "harness/measure.h"
#include "harness/problems.h"

namespace hocket::bench {
namespace {

MeasureOptions brief() {
  MeasureOptions options;
  options.rounds = 3;
  options.least_rounds = 3;
  options.cold_rounds = 0;
  options.attempts = 1;
  options.warm_before_each = false;
  options.aa_limit = 1e9;
  return options;
}

Contestant named(const std::string& name, std::function<void()> run) {
  Contestant contestant;
  contestant.name = name;
  contestant.run = std::move(run);
  contestant.check_error = [] { return 0.0; };
  return contestant;
}

void blur(const BlurFrame& frame) {
  auto tmp = [&](int x, int y) {
    const uint16_t* p = frame.in + y * frame.in_stride + x;
    return (p[-1] + p[0] + p[1]) / 3;
  };
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      frame.out[y * frame.out_stride + x] =
          static_cast<uint16_t>((tmp(x, y - 1) + tmp(x, y) + tmp(x, y + 1)) / 3);
    }
  }
}

TEST(BlurFrame, ExactBlurHasNoErrorAndOneWrongPixelIsSeen) {
  BlurFrame frame(256, 32, 1);
  EXPECT_EQ(frame.blur_error([&] { blur(frame); }), 0);
  double off_by_three = frame.blur_error([&] {
    blur(frame);
    frame.out[31 * frame.out_stride + 255] += 3;
  });
  EXPECT_EQ(off_by_three, 3);
}

TEST(BlurFrame, AnOutputThatIsNeverWrittenIsAnError) {
  BlurFrame frame(256, 32, 1);
  EXPECT_GT(frame.blur_error([] {}), 0);
}

TEST(BlurFrame, InputsAreRandomWithinTheirLimitAndPaddedAllRound) {
  BlurFrame frame(256, 32, 1, 10922);
  int most = 0, least = 70000;
  for (int y = -1; y <= 32; ++y) {
    for (int x = -1; x <= 256; ++x) {
      int value = frame.in[y * frame.in_stride + x];
      most = std::max(most, value);
      least = std::min(least, value);
    }
  }
  EXPECT_LE(most, 10922);
  EXPECT_GT(most - least, 10000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(frame.in) % 64, 0u);
  EXPECT_EQ(frame.in_stride % 32, 0);
}

TEST(SgemmProblem, ErrorIsAgainstTheProductInDouble) {
  SgemmProblem problem(5, 7, 3, 1);
  auto multiply = [&] {
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 7; ++j) {
        float sum = 0;
        for (int k = 0; k < 3; ++k) sum += problem.a[i * 3 + k] * problem.b[k * 7 + j];
        problem.c[i * 7 + j] = sum;
      }
    }
  };
  EXPECT_LT(problem.error(multiply), 1e-6);
  double wrong = problem.error([&] {
    multiply();
    problem.c[34] += 0.5f;
  });
  EXPECT_NEAR(wrong, 0.5, 1e-6);
  EXPECT_TRUE(std::isinf(problem.error([] {}))) << "entries left as NaN count as wrong";
}

TEST(Measure, TakesContestantsInTurnAndTheTwinLast) {
  std::string order;
  std::vector<Contestant> contestants = {named("a", [&] { order += 'a'; }),
                                         named("b", [&] { order += 'b'; })};
  Measurement measured = measure(contestants, brief(), [] { return true; });
  EXPECT_EQ(order, "abaabaabaaba") << "one round to know how long it takes, then three";
  EXPECT_EQ(measured.samples[0].warm_ms.size(), 3u);
  EXPECT_EQ(measured.samples[1].warm_ms.size(), 3u);
  EXPECT_EQ(measured.twin_ms.size(), 3u);
}

TEST(Measure, WarmRunsAreNotTimed) {
  int runs = 0;
  std::vector<Contestant> contestants = {named("slow at first", [&] {
    if (runs++ % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));
  })};
  MeasureOptions options = brief();
  options.warm_before_each = true;
  Measurement measured = measure(contestants, options, [] { return true; });
  EXPECT_LT(median(measured.samples[0].warm_ms), 15);
}

TEST(Measure, ATwinThatDiffersMakesTheRunVoidAndIsTriedAgain) {
  // Contestant a is run twice a round; its second run, the twin, is the slow one.
  int runs = 0;
  std::vector<Contestant> contestants = {named(
      "a", [&] { std::this_thread::sleep_for(std::chrono::milliseconds(runs++ % 2 ? 90 : 10)); })};
  MeasureOptions options = brief();
  options.aa_limit = 0.03;
  options.attempts = 2;
  Measurement measured = measure(contestants, options, [] { return true; });
  EXPECT_FALSE(measured.valid);
  EXPECT_EQ(measured.attempts, 2);
  EXPECT_GT(measured.aa_ratio, 1.5);
}

TEST(Measure, AMachineBelowItsUsualMakesTheRunVoid) {
  std::vector<Contestant> contestants = {named("a", [] {})};
  Measurement measured = measure(contestants, brief(), [] { return false; });
  EXPECT_FALSE(measured.valid);
}

TEST(Measure, SamplesAreForOneCall) {
  std::vector<Contestant> contestants = {
      named("a", [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); })};
  contestants[0].calls_per_run = 1000;
  Measurement measured = measure(contestants, brief(), [] { return true; });
  EXPECT_GT(measured.samples[0].warm_ms[0], 0.0099);
  EXPECT_LT(measured.samples[0].warm_ms[0], 1.0);
}

TEST(Median, OfOddAndEvenCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

}  // namespace
}  // namespace hocket::bench
