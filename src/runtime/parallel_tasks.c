/* Asynchronous stages and the semaphores they wait on.
 *
 * hocket_do_parallel_tasks runs its tasks as the iterations of one job that is marked asynchronous:
 * idle workers take such iterations first, and a thread that blocks in a semaphore sees to it that
 * a stage which nobody has taken gets a thread (pool_internal.h, point 3).
 */
#include "runtime/pool_internal.h"

#include <errno.h>

enum { kRecheckNs = 1000000 };

static int32_t run_task(const hocket_context_t* context, int64_t index, void* closure) {
  const hocket_parallel_task_t* task = (const hocket_parallel_task_t*)closure + index;
  for (int64_t i = 0; i < task->extent; ++i) {
    for (int64_t k = 0; k < task->num_acquires; ++k) {
      const hocket_acquire_t* acquire = &task->acquires[k];
      int32_t code = hocket_semaphore_acquire(context, acquire->semaphore, acquire->count);
      if (code) return code;
    }
    int32_t code = task->fn(context, task->min + i, task->closure);
    if (code) return code;
  }
  return 0;
}

int32_t hocket_default_do_parallel_tasks(const hocket_context_t* context, int32_t num_tasks,
                                         const hocket_parallel_task_t* tasks) {
  if (num_tasks <= 0) return 0;
  int32_t threads = hocket_get_num_threads();
  if (threads > 1) hocket_start_workers(threads - 1);
  hocket_job_t job;
  job.context = context;
  job.fn = run_task;
  job.closure = (void*)tasks;
  job.min = 0;
  job.extent = num_tasks;
  job.threads = threads;
  job.is_async = 1;
  return hocket_run_job(&job);
}

/* ---- semaphores ---- */

void hocket_semaphore_init(hocket_semaphore_t* semaphore, int64_t value) {
  __atomic_store_n(&semaphore->value, value, __ATOMIC_SEQ_CST);
}

void hocket_semaphore_release(hocket_semaphore_t* semaphore, int64_t count) {
  __atomic_fetch_add(&semaphore->value, count, __ATOMIC_SEQ_CST);
  /* The semaphore may be gone now; who waited is woken through the pool. */
  hocket_wake_blocked();
}

static int try_acquire(hocket_semaphore_t* semaphore, int64_t count) {
  int64_t value = __atomic_load_n(&semaphore->value, __ATOMIC_SEQ_CST);
  while (value >= count) {
    if (__atomic_compare_exchange_n(&semaphore->value, &value, value - count, 0, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      return 1;
    }
  }
  return 0;
}

static int is_cancelled(void) {
  for (hocket_job_t* job = hocket_current_job; job; job = job->parent) {
    if (atomic_load(&job->error)) return 1;
  }
  return 0;
}

/* 1 taken, 0 to be asked again, negative: the code to give up with. */
static int32_t attempt(hocket_semaphore_t* semaphore, int64_t count) {
  if (try_acquire(semaphore, count)) return 1;
  return is_cancelled() ? HOCKET_ERROR_CANCELLED : 0;
}

static int32_t spin_for(hocket_semaphore_t* semaphore, int64_t count) {
  int32_t state = 0;
  int64_t deadline = hocket_now_ns() + HOCKET_SPIN_NS;
  for (uint32_t turn = 1; state == 0; ++turn) {
    state = attempt(semaphore, count);
    hocket_pause();
    if (turn % 16 == 0 && hocket_now_ns() > deadline) break;
  }
  return state;
}

/* Sleeps until something was released, at most kRecheckNs. */
static int32_t sleep_for(hocket_semaphore_t* semaphore, int64_t count) {
  hocket_pool_t* pool = &hocket_pool;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += kRecheckNs;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  hocket_lock_pool();
  atomic_fetch_add(&pool->blocked, 1);
  int32_t state = attempt(semaphore, count);
  while (state == 0) {
    int timed_out = pthread_cond_timedwait(&pool->blocked_wake, &pool->mutex, &until) == ETIMEDOUT;
    state = attempt(semaphore, count);
    if (timed_out) break;
  }
  atomic_fetch_sub(&pool->blocked, 1);
  pthread_mutex_unlock(&pool->mutex);
  return state;
}

static int32_t fail_threads(const hocket_context_t* context) {
  hocket_error_t error = {.code = HOCKET_ERROR_THREADS, .dimension = -1};
  return hocket_fail(context, &error);
}

int32_t hocket_semaphore_acquire(const hocket_context_t* context, hocket_semaphore_t* semaphore,
                                 int64_t count) {
  if (HOCKET_LIKELY(try_acquire(semaphore, count))) return 0;
  /* Idle workers take an open stage by themselves; where there are none, a spare must. */
  if (atomic_load(&hocket_pool.idle) == 0 && hocket_has_unclaimed_stage()) hocket_start_spare();
  int32_t state = spin_for(semaphore, count);
  while (state == 0) {
    state = sleep_for(semaphore, count);
    /* An idle worker may have taken something else: insist. */
    if (state == 0 && hocket_has_unclaimed_stage() && !hocket_start_spare()) {
      return fail_threads(context);
    }
  }
  return state > 0 ? 0 : state;
}
