/* Parallel loops: jobs, the sharing-out of their iterations, and waiting for them.
 *
 * Called by generated code through hocket_do_par_for. Iterations are handed out by one atomic
 * counter in chunks that shrink towards the end (guided self-scheduling). See pool_internal.h for
 * the words and for why nothing deadlocks.
 */
#include "runtime/pool_internal.h"

_Thread_local hocket_job_t* hocket_current_job;

/* ---- the list of jobs ---- */

static void push_job(hocket_job_t* job) {
  hocket_spin_lock(&hocket_pool.lock);
  job->next = hocket_pool.jobs;
  hocket_pool.jobs = job;
  atomic_fetch_add(&hocket_pool.epoch, 1);
  hocket_spin_unlock(&hocket_pool.lock);
  hocket_wake_helpers(job);
}

/* After this nobody joins any more. Says whether other jobs are left, and as of which epoch. */
static int remove_job(hocket_job_t* job, uint32_t* epoch) {
  hocket_spin_lock(&hocket_pool.lock);
  for (hocket_job_t** at = &hocket_pool.jobs; *at; at = &(*at)->next) {
    if (*at == job) {
      *at = job->next;
      break;
    }
  }
  int others = hocket_pool.jobs != NULL;
  *epoch = atomic_load(&hocket_pool.epoch);
  hocket_spin_unlock(&hocket_pool.lock);
  return others;
}

static int has_work(const hocket_job_t* job) {
  return hocket_unclaimed(job) > 0 && atomic_load_explicit(&job->error, memory_order_relaxed) == 0;
}

hocket_job_t* hocket_join_any(int only_async) {
  hocket_job_t* found = NULL;
  hocket_spin_lock(&hocket_pool.lock);
  for (hocket_job_t* job = hocket_pool.jobs; job; job = job->next) {
    if (!has_work(job) || (only_async && !job->is_async)) continue;
    if (!found || (job->is_async && !found->is_async)) found = job;
    if (found->is_async) break;
  }
  if (found) atomic_fetch_add_explicit(&found->helpers, 1, memory_order_relaxed);
  hocket_spin_unlock(&hocket_pool.lock);
  return found;
}

/* A listed job's ancestors are alive: each of them has an iteration that waits for it. */
static hocket_job_t* join_nested(const hocket_job_t* ancestor) {
  hocket_job_t* found = NULL;
  hocket_spin_lock(&hocket_pool.lock);
  for (hocket_job_t* job = hocket_pool.jobs; job && !found; job = job->next) {
    if (!has_work(job)) continue;
    for (const hocket_job_t* up = job->parent; up; up = up->parent) {
      if (up == ancestor) found = job;
    }
  }
  if (found) atomic_fetch_add_explicit(&found->helpers, 1, memory_order_relaxed);
  hocket_spin_unlock(&hocket_pool.lock);
  return found;
}

int hocket_has_unclaimed_stage(void) {
  int found = 0;
  hocket_spin_lock(&hocket_pool.lock);
  for (hocket_job_t* job = hocket_pool.jobs; job && !found; job = job->next) {
    found = job->is_async && has_work(job);
  }
  hocket_spin_unlock(&hocket_pool.lock);
  return found;
}

/* ---- working ---- */

static void fail_job(hocket_job_t* job, int32_t code) {
  int32_t none = 0;
  if (!atomic_compare_exchange_strong(&job->error, &none, code)) return;
  const hocket_error_t* details = hocket_last_error();
  if (details && details->code == code) hocket_save_error(&job->saved, details);
  hocket_wake_blocked();
}

/* Takes and runs chunks until none is left or the job has failed. */
static void work_on(hocket_job_t* job) {
  for (;;) {
    int64_t left = hocket_unclaimed(job);
    if (left <= 0) return;
    int64_t chunk = job->is_async ? 1 : left / (8 * job->threads);
    if (chunk < 1) chunk = 1;
    int64_t begin = atomic_fetch_add_explicit(&job->claimed, chunk, memory_order_relaxed);
    if (begin >= job->extent) return;
    int64_t end = chunk < job->extent - begin ? begin + chunk : job->extent;
    for (int64_t i = begin; i < end; ++i) {
      if (atomic_load_explicit(&job->error, memory_order_relaxed)) return;
      int32_t code = job->fn(job->context, job->min + i, job->closure);
      if (HOCKET_UNLIKELY(code)) {
        fail_job(job, code);
        return;
      }
    }
  }
}

static void work_inside(hocket_job_t* job) {
  hocket_job_t* outer = hocket_current_job;
  hocket_current_job = job;
  uint64_t mode = hocket_fp_enter_inline();
  work_on(job);
  hocket_fp_leave_inline(mode);
  hocket_current_job = outer;
}

void hocket_help(hocket_job_t* job) {
  hocket_clear_last_error(); /* so that fail_job saves no older one */
  work_inside(job);
  /* The job may be gone as soon as the count is down; the owner's sleep is the pool's affair. */
  uint32_t before = atomic_fetch_sub_explicit(&job->helpers, 1, memory_order_acq_rel);
  if (before == (HOCKET_JOB_SLEEPS | 1)) hocket_wake_owners();
}

/* ---- waiting ---- */

static int has_helpers(const hocket_job_t* job) {
  return (atomic_load_explicit(&job->helpers, memory_order_acquire) & ~HOCKET_JOB_SLEEPS) != 0;
}

static void sleep_as_owner(hocket_job_t* job, uint32_t epoch) {
  hocket_pool_t* pool = &hocket_pool;
  hocket_lock_pool();
  atomic_fetch_add(&pool->owner_sleepers, 1);
  atomic_fetch_or(&job->helpers, HOCKET_JOB_SLEEPS);
  while (has_helpers(job) && atomic_load(&pool->epoch) == epoch) {
    pthread_cond_wait(&pool->owner_wake, &pool->mutex);
  }
  atomic_fetch_and(&job->helpers, ~HOCKET_JOB_SLEEPS);
  atomic_fetch_sub(&pool->owner_sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
}

/* Waits for the helpers, helping with what they have started inside this job. */
static void wait_for_helpers(hocket_job_t* job, int others, uint32_t epoch) {
  int64_t deadline = 0;
  for (uint32_t turn = 0; has_helpers(job); ++turn) {
    uint32_t now = atomic_load(&hocket_pool.epoch);
    if (others || now != epoch) {
      epoch = now;
      hocket_job_t* nested = join_nested(job);
      others = nested != NULL;
      if (nested) {
        hocket_help(nested);
        deadline = 0;
      }
    } else if (turn % 16 != 15) {
      hocket_pause();
    } else if (deadline == 0) {
      deadline = hocket_now_ns() + HOCKET_SPIN_NS;
    } else if (hocket_now_ns() > deadline) {
      sleep_as_owner(job, epoch);
      deadline = 0;
    }
  }
}

int32_t hocket_run_job(hocket_job_t* job) {
  uint32_t epoch;
  job->parent = hocket_current_job;
  job->saved.error.code = 0;
  atomic_init(&job->claimed, 0);
  atomic_init(&job->helpers, 0);
  atomic_init(&job->error, 0);
  hocket_begin();
  push_job(job);
  job->generation = hocket_pool.generation; /* now, as a late reset may have come before */
  work_inside(job);
  int others = remove_job(job, &epoch);
  if (HOCKET_UNLIKELY(job->generation != hocket_pool.generation)) {
    return HOCKET_ERROR_CANCELLED; /* forked inside an iteration: the helpers are the parent's */
  }
  wait_for_helpers(job, others, epoch);
  int32_t code = atomic_load_explicit(&job->error, memory_order_relaxed);
  if (HOCKET_UNLIKELY(code) && job->saved.error.code == code) {
    hocket_set_last_error(&job->saved.error);
  }
  return code;
}

/* ---- the loop ---- */

static int32_t run_serial(const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                          int64_t extent, void* closure) {
  int32_t code = 0;
  uint64_t mode = hocket_fp_enter_inline();
  for (int64_t i = 0; i < extent && code == 0; ++i) code = fn(context, min + i, closure);
  hocket_fp_leave_inline(mode);
  return code;
}

int32_t hocket_default_do_par_for(const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                                  int64_t extent, void* closure) {
  int32_t threads = extent > 1 ? hocket_get_num_threads() : 1;
  /* A loop too long to count is not one that threads would bring to an end. */
  if (threads == 1 || extent > INT64_MAX / 2) return run_serial(context, fn, min, extent, closure);
  hocket_start_workers(threads - 1);
  hocket_job_t job;
  job.context = context;
  job.fn = fn;
  job.closure = closure;
  job.min = min;
  job.extent = extent;
  job.threads = threads;
  job.is_async = 0;
  return hocket_run_job(&job);
}
