/* The pool's threads: how many, when they start, spin, sleep, retire and end; and what a fork does.
 *
 * Workers (as many as hocket_get_num_threads() - 1) take any job. Spares exist only where
 * asynchronous stages block each other; they take asynchronous stages alone. Sleepers are counted
 * in sequentially consistent atomics: a sleeper counts itself, then looks for work a last time; who
 * brings work changes the epoch, then looks for sleepers; so one of the two sees the other.
 */
#include "runtime/pool_internal.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { kMaxThreads = 1024, kStackBytes = 8 << 20 };

hocket_pool_t hocket_pool = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .idle_wake = PTHREAD_COND_INITIALIZER,
    .owner_wake = PTHREAD_COND_INITIALIZER,
    .blocked_wake = PTHREAD_COND_INITIALIZER,
    .spare_wake = PTHREAD_COND_INITIALIZER,
    .retired_wake = PTHREAD_COND_INITIALIZER,
};

/* ---- how many ---- */

static int32_t cpus_of_process(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int32_t)online : 1;
}

static int32_t start_value(void) {
  const char* text = getenv("HOCKET_NUM_THREADS");
  if (text && *text) {
    char* end;
    long number = strtol(text, &end, 10);
    if (*end == 0 && number >= 1 && number <= kMaxThreads) return (int32_t)number;
  }
  int32_t cpus = cpus_of_process();
  return cpus > kMaxThreads ? kMaxThreads : cpus;
}

int32_t hocket_get_num_threads(void) {
  int32_t threads = atomic_load_explicit(&hocket_pool.wanted_threads, memory_order_relaxed);
  if (HOCKET_LIKELY(threads)) return threads;
  int32_t value = start_value();
  /* Another thread may have decided at the same moment: its word stands. */
  if (atomic_compare_exchange_strong(&hocket_pool.wanted_threads, &threads, value)) return value;
  return threads;
}

int32_t hocket_set_num_threads(int32_t threads) {
  int32_t previous = hocket_get_num_threads();
  if (threads <= 0) threads = start_value();
  if (threads > kMaxThreads) threads = kMaxThreads;
  atomic_store(&hocket_pool.wanted_threads, threads);
  hocket_lock_pool();
  pthread_cond_broadcast(&hocket_pool.idle_wake); /* those beyond the number retire */
  pthread_cond_broadcast(&hocket_pool.retired_wake);
  pthread_mutex_unlock(&hocket_pool.mutex);
  return previous;
}

/* ---- fork ---- */

void hocket_lock_pool(void) {
  hocket_begin();
  hocket_notice_fork(); /* whoever comes here is about to make system calls anyway */
  pthread_mutex_lock(&hocket_pool.mutex);
}

/* In a child only the forking thread lives on: the pool is as it was before its first job. */
void hocket_reset_pool(void) {
  hocket_pool_t* pool = &hocket_pool;
  pool->jobs = NULL;
  ++pool->generation;
  hocket_spin_unlock(&pool->lock);
  atomic_store(&pool->idle_sleepers, 0);
  atomic_store(&pool->owner_sleepers, 0);
  atomic_store(&pool->blocked, 0);
  atomic_store(&pool->idle, 0);
  atomic_store(&pool->started_workers, 0);
  atomic_store(&pool->stopping, 0);
  pool->idle_spares = pool->asked_spares = 0;
  pool->threads = NULL; /* their records are lost: the list may be half written */
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->idle_wake, NULL);
  pthread_cond_init(&pool->owner_wake, NULL);
  pthread_cond_init(&pool->blocked_wake, NULL);
  pthread_cond_init(&pool->spare_wake, NULL);
  pthread_cond_init(&pool->retired_wake, NULL);
}

/* ---- starting ---- */

/* Under the mutex. Signals are left to the program's own threads. */
static int start_thread(void* (*function)(void*), int32_t index) {
  hocket_thread_t* thread = (hocket_thread_t*)malloc(sizeof *thread);
  if (!thread) return 0;
  thread->index = index;
  pthread_attr_t attributes;
  sigset_t all, before;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&thread->handle, &attributes, function, thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (failed) {
    free(thread);
    return 0;
  }
  thread->next = hocket_pool.threads;
  hocket_pool.threads = thread;
  return 1;
}

/* ---- workers ---- */

static int is_retired(int32_t index) {
  return index >= atomic_load_explicit(&hocket_pool.wanted_threads, memory_order_relaxed) - 1;
}

static int is_stopping(void) {
  return atomic_load_explicit(&hocket_pool.stopping, memory_order_relaxed);
}

static void sleep_retired(int32_t index) {
  hocket_lock_pool();
  while (is_retired(index) && !is_stopping()) {
    pthread_cond_wait(&hocket_pool.retired_wake, &hocket_pool.mutex);
  }
  pthread_mutex_unlock(&hocket_pool.mutex);
}

static void sleep_idle(int32_t index, uint32_t epoch) {
  hocket_pool_t* pool = &hocket_pool;
  hocket_lock_pool();
  atomic_fetch_add(&pool->idle_sleepers, 1);
  while (atomic_load(&pool->epoch) == epoch && !is_stopping() && !is_retired(index)) {
    pthread_cond_wait(&pool->idle_wake, &pool->mutex);
  }
  atomic_fetch_sub(&pool->idle_sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
}

/* Spins, then sleeps, until there is a job; joins it. NULL when the worker shall end or retire. */
static hocket_job_t* wait_for_job(int32_t index) {
  hocket_job_t* job = NULL;
  uint32_t seen = atomic_load(&hocket_pool.epoch) - 1; /* so that the first turn looks */
  int64_t deadline = 0;
  atomic_fetch_add(&hocket_pool.idle, 1);
  for (uint32_t turn = 0; !job && !is_stopping() && !is_retired(index); ++turn) {
    uint32_t now = atomic_load(&hocket_pool.epoch);
    if (now != seen) {
      seen = now;
      job = hocket_join_any(0);
      deadline = 0;
    } else if (turn % 16 != 15) {
      hocket_pause();
    } else if (deadline == 0) {
      deadline = hocket_now_ns() + HOCKET_SPIN_NS;
    } else if (hocket_now_ns() > deadline) {
      sleep_idle(index, seen);
      deadline = 0;
    }
  }
  atomic_fetch_sub(&hocket_pool.idle, 1);
  return job;
}

static void* worker_main(void* argument) {
  int32_t index = ((hocket_thread_t*)argument)->index;
  while (!is_stopping()) {
    if (is_retired(index)) sleep_retired(index);
    hocket_job_t* job = wait_for_job(index);
    if (job) hocket_help(job);
  }
  return NULL;
}

void hocket_start_workers(int32_t count) {
  hocket_pool_t* pool = &hocket_pool;
  if (HOCKET_LIKELY(atomic_load_explicit(&pool->started_workers, memory_order_relaxed) >= count)) {
    return;
  }
  hocket_lock_pool();
  /* Where a thread cannot be had, the loop runs on those there are. */
  for (int32_t i = atomic_load(&pool->started_workers); i < count; ++i) {
    if (!start_thread(worker_main, i)) break;
    atomic_store(&pool->started_workers, i + 1);
  }
  pthread_mutex_unlock(&pool->mutex);
}

/* ---- spares ---- */

static void* spare_main(void* argument) {
  hocket_pool_t* pool = &hocket_pool;
  (void)argument;
  while (!is_stopping()) {
    hocket_job_t* job = hocket_join_any(1);
    if (job) {
      hocket_help(job);
      continue;
    }
    hocket_lock_pool();
    ++pool->idle_spares;
    while (pool->asked_spares == 0 && !is_stopping()) {
      pthread_cond_wait(&pool->spare_wake, &pool->mutex);
    }
    --pool->idle_spares;
    if (pool->asked_spares > 0) --pool->asked_spares;
    pthread_mutex_unlock(&pool->mutex);
  }
  return NULL;
}

int hocket_start_spare(void) {
  hocket_pool_t* pool = &hocket_pool;
  int had = 1;
  hocket_lock_pool();
  if (pool->idle_spares > pool->asked_spares) {
    ++pool->asked_spares;
    pthread_cond_signal(&pool->spare_wake);
  } else {
    had = start_thread(spare_main, -1);
  }
  pthread_mutex_unlock(&pool->mutex);
  return had;
}

/* ---- waking ---- */

void hocket_wake_helpers(const hocket_job_t* job) {
  hocket_pool_t* pool = &hocket_pool;
  int32_t asleep = atomic_load(&pool->idle_sleepers);
  int owners = job->parent && atomic_load(&pool->owner_sleepers) > 0;
  if (HOCKET_LIKELY(asleep == 0 && !owners)) return;
  hocket_lock_pool();
  int64_t needed = job->extent - 1;
  if (needed >= asleep) {
    pthread_cond_broadcast(&pool->idle_wake);
  } else {
    for (int64_t i = 0; i < needed; ++i) pthread_cond_signal(&pool->idle_wake);
  }
  if (owners) pthread_cond_broadcast(&pool->owner_wake);
  pthread_mutex_unlock(&pool->mutex);
}

void hocket_wake_owners(void) {
  hocket_lock_pool();
  pthread_cond_broadcast(&hocket_pool.owner_wake);
  pthread_mutex_unlock(&hocket_pool.mutex);
}

void hocket_wake_blocked(void) {
  if (HOCKET_LIKELY(atomic_load(&hocket_pool.blocked) == 0)) return;
  hocket_lock_pool();
  pthread_cond_broadcast(&hocket_pool.blocked_wake);
  pthread_mutex_unlock(&hocket_pool.mutex);
}

/* ---- ending ---- */

void hocket_shutdown(void) {
  hocket_pool_t* pool = &hocket_pool;
  hocket_lock_pool();
  atomic_store(&pool->stopping, 1);
  hocket_thread_t* threads = pool->threads;
  pool->threads = NULL;
  pthread_cond_broadcast(&pool->idle_wake);
  pthread_cond_broadcast(&pool->spare_wake);
  pthread_cond_broadcast(&pool->retired_wake);
  pthread_mutex_unlock(&pool->mutex);
  while (threads) {
    hocket_thread_t* thread = threads;
    threads = thread->next;
    pthread_join(thread->handle, NULL);
    free(thread);
  }
  hocket_lock_pool();
  atomic_store(&pool->started_workers, 0);
  atomic_store(&pool->stopping, 0);
  pool->asked_spares = 0;
  pthread_mutex_unlock(&pool->mutex);
}
