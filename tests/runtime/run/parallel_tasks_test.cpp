// Asynchronous stages: producers and consumers over semaphores, on any number of threads.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <vector>

#include "abi/hocket_abi.h"

namespace {

using Body = std::function<int32_t(int64_t)>;

int32_t run_body(const hocket_context_t*, int64_t index, void* closure) {
  return (*static_cast<Body*>(closure))(index);
}

hocket_parallel_task_t task(Body& body, int64_t extent, const hocket_acquire_t* acquires = nullptr,
                            int64_t num_acquires = 0) {
  return {run_body, &body, 0, extent, acquires, num_acquires};
}

int32_t run(std::vector<hocket_parallel_task_t> tasks) {
  return hocket_do_parallel_tasks(nullptr, static_cast<int32_t>(tasks.size()), tasks.data());
}

class TasksTest : public ::testing::TestWithParam<int> {
 protected:
  TasksTest() { previous_ = hocket_set_num_threads(GetParam()); }
  ~TasksTest() override { hocket_set_num_threads(previous_); }
  int32_t previous_;
};
INSTANTIATE_TEST_SUITE_P(threads, TasksTest, ::testing::Values(1, 2, 3, 4));

// One producer fills a ring of `slots` rows, one consumer empties it; `flipped` lists them in the
// other order, so that on one thread either may be the one that blocks first.
void pipe(int64_t rows, int64_t slots, bool flipped) {
  std::vector<int64_t> ring(static_cast<size_t>(slots));
  hocket_semaphore_t filled, free;
  hocket_semaphore_init(&filled, 0);
  hocket_semaphore_init(&free, slots);
  int64_t sum = 0;
  Body produce = [&](int64_t i) {
    ring[static_cast<size_t>(i % slots)] = i * i;
    hocket_semaphore_release(&filled, 1);
    return 0;
  };
  Body consume = [&](int64_t i) {
    EXPECT_EQ(ring[static_cast<size_t>(i % slots)], i * i);
    sum += ring[static_cast<size_t>(i % slots)];
    hocket_semaphore_release(&free, 1);
    return 0;
  };
  const hocket_acquire_t needs_free = {&free, 1}, needs_filled = {&filled, 1};
  std::vector<hocket_parallel_task_t> tasks = {task(produce, rows, &needs_free, 1),
                                               task(consume, rows, &needs_filled, 1)};
  if (flipped) std::swap(tasks[0], tasks[1]);
  EXPECT_EQ(run(tasks), 0);
  int64_t wanted = 0;
  for (int64_t i = 0; i < rows; ++i) wanted += i * i;
  EXPECT_EQ(sum, wanted);
}

TEST_P(TasksTest, nothing_and_one) {
  EXPECT_EQ(run({}), 0);
  std::vector<int64_t> order;
  Body body = [&](int64_t i) {
    order.push_back(i);
    return 0;
  };
  hocket_parallel_task_t one = task(body, 3);
  one.min = 5;
  EXPECT_EQ(run({one}), 0);
  EXPECT_EQ(order, (std::vector<int64_t>{5, 6, 7}));
}

TEST_P(TasksTest, producer_and_consumer) {
  for (bool flipped : {false, true}) {
    for (int64_t slots : {1, 2, 5}) pipe(200, slots, flipped);
  }
}

TEST_P(TasksTest, pipelines_inside_a_parallel_loop) {
  Body outer = [](int64_t i) {
    pipe(20, 2, i % 2);
    return 0;
  };
  EXPECT_EQ(hocket_do_par_for(nullptr, run_body, 0, 12, &outer), 0);
}

TEST_P(TasksTest, pipelines_inside_stages) {
  Body outer = [](int64_t i) {
    pipe(20, 1, i % 2);
    return 0;
  };
  EXPECT_EQ(run({task(outer, 3), task(outer, 3), task(outer, 3)}), 0);
}

// A chain of five stages, each of which waits for the one listed after it.
TEST_P(TasksTest, every_stage_gets_a_thread) {
  constexpr int count = 5;
  std::array<hocket_semaphore_t, count + 1> ready;
  for (hocket_semaphore_t& semaphore : ready) hocket_semaphore_init(&semaphore, 0);
  std::vector<Body> bodies(count);
  std::vector<hocket_parallel_task_t> tasks;
  for (int k = 0; k < count; ++k) {
    bodies[k] = [&, k](int64_t) {
      if (k + 1 < count) {
        const int32_t code = hocket_semaphore_acquire(nullptr, &ready[k + 1], 1);
        if (code) return code;
      }
      hocket_semaphore_release(&ready[k], 1);
      return 0;
    };
    tasks.push_back(task(bodies[k], 50));
  }
  EXPECT_EQ(run(tasks), 0);
}

// The consumer waits inside a parallel loop; the producer is a parallel loop per row.
TEST_P(TasksTest, stages_with_parallel_loops_inside) {
  constexpr int64_t rows = 30, columns = 40;
  std::vector<std::atomic<int>> data(rows * columns);
  hocket_semaphore_t filled;
  hocket_semaphore_init(&filled, 0);
  Body produce = [&](int64_t y) {
    Body row = [&, y](int64_t x) {
      data[static_cast<size_t>(y * columns + x)] = 1;
      return 0;
    };
    const int32_t code = hocket_do_par_for(nullptr, run_body, 0, columns, &row);
    hocket_semaphore_release(&filled, 1);
    return code;
  };
  std::atomic<int64_t> sum{0};
  Body consume = [&](int64_t) {
    Body row = [&](int64_t) {
      const int32_t code = hocket_semaphore_acquire(nullptr, &filled, 1);
      if (code == 0) ++sum;
      return code;
    };
    return hocket_do_par_for(nullptr, run_body, 0, rows, &row);
  };
  EXPECT_EQ(run({task(consume, 1), task(produce, rows)}), 0);
  EXPECT_EQ(sum, rows);
  for (const std::atomic<int>& value : data) ASSERT_EQ(value, 1);
}

TEST_P(TasksTest, a_failing_producer_frees_its_consumer) {
  for (bool flipped : {false, true}) {
    hocket_semaphore_t filled;
    hocket_semaphore_init(&filled, 0);
    int consumed = 0;
    Body produce = [&](int64_t i) {
      if (i == 3) return hocket_fail_check(nullptr, "p", "row 3 is there");
      hocket_semaphore_release(&filled, 1);
      return 0;
    };
    Body consume = [&](int64_t) {
      ++consumed;
      return 0;
    };
    const hocket_acquire_t needs = {&filled, 1};
    std::vector<hocket_parallel_task_t> tasks = {task(produce, 10), task(consume, 10, &needs, 1)};
    if (flipped) std::swap(tasks[0], tasks[1]);
    hocket_clear_last_error();
    EXPECT_EQ(run(tasks), HOCKET_ERROR_USER_CHECK_FAILED);
    EXPECT_LE(consumed, 3);
    ASSERT_NE(hocket_last_error(), nullptr);
    EXPECT_STREQ(hocket_last_error()->text, "row 3 is there");
  }
}

TEST_P(TasksTest, a_failure_outside_frees_who_waits_deep_inside) {
  hocket_semaphore_t never;
  hocket_semaphore_init(&never, 0);
  Body waits = [&](int64_t) {
    Body inner = [&](int64_t) { return hocket_semaphore_acquire(nullptr, &never, 1); };
    return hocket_do_par_for(nullptr, run_body, 0, 3, &inner);
  };
  Body fails = [](int64_t) { return 9; };
  EXPECT_EQ(run({task(waits, 1), task(fails, 1)}), 9);
}

TEST_P(TasksTest, counts_above_one) {
  hocket_semaphore_t semaphore;
  hocket_semaphore_init(&semaphore, 0);
  std::atomic<bool> released{false};
  Body wait = [&](int64_t) {
    const int32_t code = hocket_semaphore_acquire(nullptr, &semaphore, 10);
    EXPECT_TRUE(released);
    return code;
  };
  Body give = [&](int64_t i) {
    if (i == 9) released = true;
    hocket_semaphore_release(&semaphore, 1);
    return 0;
  };
  EXPECT_EQ(run({task(wait, 1), task(give, 10)}), 0);
}

TEST(tasks, can_be_replaced) {
  static int calls;
  calls = 0;
  hocket_hooks_t hooks = {};
  hooks.do_parallel_tasks = [](const hocket_context_t*, int32_t num_tasks,
                               const hocket_parallel_task_t*) -> int32_t {
    ++calls;
    return num_tasks;
  };
  const hocket_context_t context = {nullptr, &hooks};
  EXPECT_EQ(hocket_do_parallel_tasks(&context, 3, nullptr), 3);
  EXPECT_EQ(calls, 1);
  hocket_set_parallel_tasks(hooks.do_parallel_tasks);
  EXPECT_EQ(hocket_do_parallel_tasks(nullptr, 4, nullptr), 4);
  EXPECT_EQ(hocket_set_parallel_tasks(nullptr), hooks.do_parallel_tasks);
  EXPECT_EQ(calls, 2);
}

}  // namespace
