/* The thread pool's inside: shared by thread_pool.c (jobs and loops), pool_threads.c (workers and
 * spares: start, sleep, end, fork) and parallel_tasks.c (asynchronous stages and semaphores).
 *
 * A *job* is a parallel loop that is running; it lives on the stack of the thread that started it,
 * its *owner*. The pool holds a list of jobs, newest first; *helpers* are threads that joined one.
 *
 * Why nothing deadlocks: (1) an owner always takes part in its own job, so a loop needs no other
 * thread; (2) an owner that waits for helpers helps only jobs nested inside its own, and what such
 * a job waits for can never be something beneath it on that stack but its ancestors, which wait
 * for it anyway; (3) when a thread blocks in a semaphore while an asynchronous stage has not
 * started, an idle worker or a spare thread starts it, so every stage that could release the
 * semaphore runs or has run.
 */
#ifndef HOCKET_POOL_INTERNAL_H
#define HOCKET_POOL_INTERNAL_H

#include "runtime/runtime_internal.h"

#define HOCKET_SPIN_NS 40000 /* from the last sight of work to sleep */
#define HOCKET_JOB_SLEEPS 0x80000000u

typedef struct hocket_job_t {
  struct hocket_job_t* next;
  struct hocket_job_t* parent; /* the job in whose iteration the owner started this one */
  const hocket_context_t* context;
  hocket_task_fn fn;
  void* closure;
  int64_t min;
  int64_t extent;
  int64_t threads;     /* that may take part, for the size of chunks */
  int32_t is_async;    /* iterations are asynchronous stages: taken one by one, first of all */
  uint32_t generation; /* of the pool; another one after a fork */
  _Alignas(64) _Atomic int64_t claimed;  /* iterations handed out; may run past extent */
  _Alignas(64) _Atomic uint32_t helpers; /* and HOCKET_JOB_SLEEPS: the owner sleeps */
  _Atomic int32_t error;                 /* the first nonzero result */
  hocket_saved_error_t saved;            /* what went with it, where its thread was a helper */
} hocket_job_t;

typedef struct hocket_thread_t {
  struct hocket_thread_t* next;
  pthread_t handle;
  int32_t index; /* of a worker; -1 for a spare */
} hocket_thread_t;

typedef struct hocket_pool_t {
  hocket_spin_lock_t lock; /* guards jobs and every job's `next` */
  hocket_job_t* jobs;
  uint32_t generation;
  _Alignas(
      64) _Atomic uint32_t epoch; /* changes whenever a job appears; spinning threads read it */
  /* How many sleep, so that nobody takes the mutex where nobody does. */
  _Alignas(64) _Atomic int32_t idle_sleepers, owner_sleepers, blocked;
  _Atomic int32_t idle;           /* workers looking for work, spinning or asleep */
  _Atomic int32_t wanted_threads; /* 0: not decided yet */
  _Atomic int32_t started_workers;
  _Atomic int32_t stopping;
  pthread_mutex_t mutex; /* guards what follows, and all sleeping */
  pthread_cond_t idle_wake, owner_wake, blocked_wake, spare_wake, retired_wake;
  hocket_thread_t* threads;
  int32_t idle_spares, asked_spares;
} hocket_pool_t;

extern hocket_pool_t hocket_pool;
extern _Thread_local hocket_job_t* hocket_current_job;

/* thread_pool.c */
int32_t hocket_run_job(hocket_job_t* job); /* push, take part, wait */
void hocket_help(hocket_job_t* job);       /* a helper that has joined works and leaves */
/* The newest job with work left, joined; asynchronous ones first. NULL where there is none. */
hocket_job_t* hocket_join_any(int only_async);
int hocket_has_unclaimed_stage(void);

/* pool_threads.c */
void hocket_lock_pool(void); /* the mutex; unlocked as any other */
void hocket_reset_pool(void);
void hocket_start_workers(int32_t count);
int hocket_start_spare(void); /* 0 where no thread can be had */
void hocket_wake_helpers(const hocket_job_t* job);
void hocket_wake_owners(void);
void hocket_wake_blocked(void);

static inline int64_t hocket_unclaimed(const hocket_job_t* job) {
  return job->extent - atomic_load_explicit(&job->claimed, memory_order_relaxed);
}

#endif
