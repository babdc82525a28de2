// Parallel loops: every iteration once, nesting, errors, threads, replaced pools, fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "abi/hocket_abi.h"

// Read by the thread sanitizer: forked children use threads; too large allocations give NULL.
extern "C" const char* __tsan_default_options() {
  return "die_after_fork=0:allocator_may_return_null=1";
}

namespace {

using Body = std::function<int32_t(int64_t)>;

int32_t run_body(const hocket_context_t*, int64_t index, void* closure) {
  return (*static_cast<Body*>(closure))(index);
}

int32_t par_for(int64_t min, int64_t extent, Body body, const hocket_context_t* context = nullptr) {
  return hocket_do_par_for(context, run_body, min, extent, &body);
}

// Runs every test with 1 to 4 threads.
class ParForTest : public ::testing::TestWithParam<int> {
 protected:
  ParForTest() { previous_ = hocket_set_num_threads(GetParam()); }
  ~ParForTest() override { hocket_set_num_threads(previous_); }
  int32_t previous_;
};
INSTANTIATE_TEST_SUITE_P(threads, ParForTest, ::testing::Values(1, 2, 3, 4));

TEST_P(ParForTest, every_iteration_exactly_once) {
  for (int64_t extent : {0, 1, 2, 3, 7, 64, 1000}) {
    for (int64_t min : {int64_t{0}, int64_t{-5}, INT64_MAX - 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<size_t>(extent));
      EXPECT_EQ(par_for(min, extent,
                        [&](int64_t i) {
                          ++seen[static_cast<size_t>(i - min)];
                          return 0;
                        }),
                0);
      for (const std::atomic<int>& count : seen) ASSERT_EQ(count, 1);
    }
  }
}

TEST_P(ParForTest, negative_extent_does_nothing) {
  EXPECT_EQ(par_for(0, -3, [](int64_t) { return 7; }), 0);
}

TEST_P(ParForTest, plain_memory_written_inside_is_visible_outside) {
  std::vector<int64_t> data(5000);
  for (int round = 1; round <= 20; ++round) {
    par_for(0, 5000, [&](int64_t i) {
      data[static_cast<size_t>(i)] += i;
      return 0;
    });
    for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ(data[static_cast<size_t>(i)], i * round);
  }
}

TEST_P(ParForTest, nested_four_deep) {
  std::atomic<int64_t> count{0};
  EXPECT_EQ(par_for(0, 5,
                    [&](int64_t) {
                      return par_for(0, 5, [&](int64_t) {
                        return par_for(0, 5, [&](int64_t) {
                          return par_for(0, 5, [&](int64_t) {
                            ++count;
                            return 0;
                          });
                        });
                      });
                    }),
            0);
  EXPECT_EQ(count, 625);
}

TEST_P(ParForTest, uneven_nesting_finishes) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int64_t> count{0};
    EXPECT_EQ(par_for(0, 3,
                      [&](int64_t i) {
                        return par_for(0, i == 2 ? 200 : 1, [&](int64_t) {
                          ++count;
                          return 0;
                        });
                      }),
              0);
    ASSERT_EQ(count, 202);
  }
}

TEST_P(ParForTest, the_first_error_stops_the_rest) {
  std::atomic<int64_t> started{0};
  const int32_t code = par_for(0, 1000000, [&](int64_t) {
    ++started;
    return -77;
  });
  EXPECT_EQ(code, -77);
  EXPECT_LE(started, GetParam());
}

TEST_P(ParForTest, an_error_of_a_nested_loop_comes_up) {
  EXPECT_EQ(par_for(0, 8,
                    [&](int64_t i) {
                      return par_for(0, 8, [&](int64_t k) { return i == 3 && k == 5 ? 12 : 0; });
                    }),
            12);
}

TEST_P(ParForTest, details_of_an_error_reach_the_calling_thread) {
  for (int64_t bad : {0, 1, 50, 99}) {
    hocket_clear_last_error();
    const int32_t code = par_for(0, 100, [&](int64_t i) {
      return i == bad ? hocket_fail_check(nullptr, "p", std::to_string(i).c_str()) : 0;
    });
    EXPECT_EQ(code, HOCKET_ERROR_USER_CHECK_FAILED);
    const hocket_error_t* error = hocket_last_error();
    ASSERT_NE(error, nullptr);
    EXPECT_STREQ(error->text, std::to_string(bad).c_str());
  }
}

TEST_P(ParForTest, several_callers_at_once) {
  std::vector<std::thread> callers;
  std::atomic<int64_t> count{0};
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        par_for(0, 10, [&](int64_t) {
          ++count;
          return 0;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(count, 4 * 100 * 10);
}

TEST_P(ParForTest, no_more_threads_than_asked_for) {
  std::atomic<int> inside{0}, most{0};
  par_for(0, 64, [&](int64_t) {
    const int now = ++inside;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --inside;
    return 0;
  });
  EXPECT_LE(most, GetParam());
}

TEST_P(ParForTest, all_threads_take_part) {
  std::atomic<int> arrived{0};
  // Each iteration waits for all others: ends only where as many threads work at once.
  EXPECT_EQ(par_for(0, GetParam(),
                    [&](int64_t) {
                      ++arrived;
                      while (arrived < GetParam()) std::this_thread::yield();
                      return 0;
                    }),
            0);
}

TEST_P(ParForTest, works_after_the_workers_fell_asleep) {
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> arrived{0};
    par_for(0, GetParam(), [&](int64_t) {
      ++arrived;
      while (arrived < GetParam()) std::this_thread::yield();
      return 0;
    });
    EXPECT_EQ(arrived, GetParam());
  }
}

TEST_P(ParForTest, starts_again_after_shutdown) {
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> count{0};
    par_for(0, 100, [&](int64_t) {
      ++count;
      return 0;
    });
    EXPECT_EQ(count, 100);
    hocket_shutdown();
  }
}

TEST_P(ParForTest, a_forked_child_has_a_pool_of_its_own) {
  par_for(0, 10, [](int64_t) { return 0; });
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> arrived{0};
    const int32_t code = par_for(0, GetParam(), [&](int64_t) {
      ++arrived;
      while (arrived < GetParam()) std::this_thread::yield();
      return 0;
    });
    void* memory = hocket_malloc(nullptr, 1000);
    hocket_free(nullptr, memory);
    _exit(code == 0 && arrived == GetParam() && memory ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::atomic<int> count{0};
  par_for(0, 10, [&](int64_t) {
    ++count;
    return 0;
  });
  EXPECT_EQ(count, 10);
}

TEST_P(ParForTest, forks_while_other_threads_use_the_pool) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      par_for(0, 20, [](int64_t) {
        hocket_free(nullptr, hocket_malloc(nullptr, 300));
        return 0;
      });
    }
  });
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      std::atomic<int> count{0};
      par_for(0, 100, [&](int64_t) {
        hocket_free(nullptr, hocket_malloc(nullptr, 300));
        ++count;
        return 0;
      });
      _exit(count == 100 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

// Without any loop, so that the pool has no threads and only the allocator is met by the forks.
TEST(par_for, forks_while_another_thread_allocates) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) hocket_free(nullptr, hocket_malloc(nullptr, 300));
  });
  for (int round = 0; round < 30; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      void* memory = hocket_malloc(nullptr, 300);
      hocket_free(nullptr, memory);
      _exit(memory ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  busy.join();
}

TEST(par_for, a_child_forked_inside_an_iteration_can_use_the_pool) {
  const int32_t previous = hocket_set_num_threads(2);
  EXPECT_EQ(par_for(0, 1,
                    [](int64_t) {
                      return par_for(0, 2, [](int64_t i) {
                        if (i != 0) return 0;
                        const pid_t child = fork();
                        if (child == 0) {
                          std::atomic<int> count{0};
                          par_for(0, 50, [&](int64_t) {
                            ++count;
                            return 0;
                          });
                          _exit(count == 50 ? 0 : 1);
                        }
                        int status = -1;
                        waitpid(child, &status, 0);
                        return status == 0 ? 0 : 1;
                      });
                    }),
            0);
  hocket_set_num_threads(previous);
}

TEST(par_for, number_of_threads_changes_between_loops) {
  const int32_t previous = hocket_get_num_threads();
  for (int32_t threads : {4, 1, 3, 2, 4}) {
    hocket_set_num_threads(threads);
    EXPECT_EQ(hocket_get_num_threads(), threads);
    std::atomic<int> arrived{0};
    par_for(0, threads, [&](int64_t) {
      ++arrived;
      while (arrived < threads) std::this_thread::yield();
      return 0;
    });
  }
  EXPECT_EQ(hocket_set_num_threads(5000), 4);
  EXPECT_EQ(hocket_get_num_threads(), 1024);
  hocket_set_num_threads(0);
  EXPECT_GE(hocket_get_num_threads(), 1);
  hocket_set_num_threads(previous);
}

// The variable is read at first use, so each value needs a process; a child forked after
// hocket_set_num_threads(0) reads it anew as well.
TEST(par_for, environment_variable) {
  const int32_t previous = hocket_get_num_threads();
  const char* old = getenv("HOCKET_NUM_THREADS");
  const std::string saved = old ? old : "";
  unsetenv("HOCKET_NUM_THREADS");
  hocket_set_num_threads(0);
  const int32_t cpus = hocket_get_num_threads();
  struct Case {
    const char* text;
    int32_t threads;
  };
  for (const Case& c : {Case{"3", 3},
                        {"1", 1},
                        {"1024", 1024},
                        {"1025", cpus},
                        {"0", cpus},
                        {"-2", cpus},
                        {"", cpus},
                        {"2x", cpus},
                        {"two", cpus}}) {
    setenv("HOCKET_NUM_THREADS", c.text, 1);
    hocket_set_num_threads(0);
    EXPECT_EQ(hocket_get_num_threads(), c.threads) << c.text;
  }
  if (old) {
    setenv("HOCKET_NUM_THREADS", saved.c_str(), 1);
  } else {
    unsetenv("HOCKET_NUM_THREADS");
  }
  hocket_set_num_threads(previous);
}

int32_t counted_loops = 0;

int32_t own_par_for(const hocket_context_t* context, hocket_task_fn fn, int64_t min, int64_t extent,
                    void* closure) {
  ++counted_loops;
  for (int64_t i = extent; i-- > 0;) {
    const int32_t code = fn(context, min + i, closure);
    if (code) return code;
  }
  return 0;
}

TEST(par_for, a_pool_replaced_for_one_call) {
  hocket_hooks_t hooks = {};
  hooks.do_par_for = own_par_for;
  const hocket_context_t context = {nullptr, &hooks};
  counted_loops = 0;
  std::string order;
  EXPECT_EQ(par_for(
                0, 3,
                [&](int64_t i) {
                  order += std::to_string(i);
                  return 0;
                },
                &context),
            0);
  EXPECT_EQ(order, "210");
  EXPECT_EQ(counted_loops, 1);
  par_for(0, 3, [](int64_t) { return 0; });
  EXPECT_EQ(counted_loops, 1);
}

TEST(par_for, a_pool_replaced_for_the_process) {
  counted_loops = 0;
  hocket_set_par_for(own_par_for);
  EXPECT_EQ(par_for(0, 3, [](int64_t i) { return i == 2 ? 5 : 0; }), 5);
  EXPECT_EQ(hocket_set_par_for(nullptr), own_par_for);
  EXPECT_EQ(counted_loops, 1);
  EXPECT_EQ(hocket_set_par_for(nullptr), hocket_default_do_par_for);
}

TEST(par_for, a_hook_may_fall_back_to_the_pool) {
  hocket_hooks_t hooks = {};
  hooks.do_par_for = [](const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                        int64_t extent, void* closure) {
    return hocket_default_do_par_for(context, fn, min, extent, closure);
  };
  const hocket_context_t context = {nullptr, &hooks};
  std::atomic<int> count{0};
  par_for(
      0, 100,
      [&](int64_t) {
        ++count;
        return 0;
      },
      &context);
  EXPECT_EQ(count, 100);
}

TEST(par_for, workers_sleep_when_there_is_nothing_to_do) {
  const int32_t previous = hocket_set_num_threads(2);
  par_for(0, 2, [](int64_t) { return 0; });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const int64_t used = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
  EXPECT_LT(used, 10000000);  // a spinning worker would have used 50 ms
  hocket_set_num_threads(previous);
}

}  // namespace
