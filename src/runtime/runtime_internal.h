/* What the runtime's files share: process defaults, floating-point mode, spin lock, saved errors.
 *
 * Included by every file of src/runtime first (it selects the system's interfaces); never ships as
 * a header of its own: scripts/amalgamate_runtime.py folds it into hocket_runtime.c.
 */
#ifndef HOCKET_RUNTIME_INTERNAL_H
#define HOCKET_RUNTIME_INTERNAL_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1 /* sched_getaffinity, madvise */
#endif

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "abi/hocket_abi.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define HOCKET_X86 1
#else
#define HOCKET_X86 0
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOCKET_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define HOCKET_ASAN 1
#endif
#if !defined(HOCKET_ASAN)
#define HOCKET_ASAN 0
#endif

#define HOCKET_COLD __attribute__((noinline, cold))
#define HOCKET_LIKELY(x) __builtin_expect(!!(x), 1)
#define HOCKET_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- process-wide defaults (hooks.c); never NULL ---- */

extern _Atomic(hocket_error_fn) hocket_process_error;
extern _Atomic(hocket_par_for_fn) hocket_process_par_for;
extern _Atomic(hocket_parallel_tasks_fn) hocket_process_parallel_tasks;
extern _Atomic(hocket_print_fn) hocket_process_print;
extern _Atomic(hocket_malloc_fn) hocket_process_malloc;
extern _Atomic(hocket_free_fn) hocket_process_free;

/* Hocket's own, in the file of their concern. */
void hocket_default_error(const hocket_context_t* context, int32_t code,
                          const hocket_error_t* details);
void* hocket_default_malloc(const hocket_context_t* context, size_t bytes);
void hocket_default_free(const hocket_context_t* context, void* memory);

/* ---- floating-point mode ---- */

/* Control bits only: the low six bits of MXCSR are sticky exception flags. */
#define HOCKET_MXCSR_FLAGS 0x3Fu
#define HOCKET_MXCSR_DEFAULT 0x1F80u
/* FPCR bits that change results: AHP, DN, FZ, rounding mode, FZ16. */
#define HOCKET_FPCR_MODES 0x07C80000u

static inline uint64_t hocket_fp_enter_inline(void) {
#if HOCKET_X86
  unsigned saved = _mm_getcsr();
  if (HOCKET_UNLIKELY((saved & ~HOCKET_MXCSR_FLAGS) != HOCKET_MXCSR_DEFAULT)) {
    _mm_setcsr(HOCKET_MXCSR_DEFAULT | (saved & HOCKET_MXCSR_FLAGS));
  }
  return saved;
#elif defined(__aarch64__)
  uint64_t saved;
  __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
  if (HOCKET_UNLIKELY(saved & HOCKET_FPCR_MODES)) {
    uint64_t mode = saved & ~(uint64_t)HOCKET_FPCR_MODES;
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
  }
  return saved;
#else
  return 0;
#endif
}

/* Reading the mode costs as much as the rest of a call, so a caller in the default mode pays for it
 * once, on entry. */
static inline void hocket_fp_leave_inline(uint64_t saved) {
#if HOCKET_X86
  if (HOCKET_UNLIKELY(((unsigned)saved & ~HOCKET_MXCSR_FLAGS) != HOCKET_MXCSR_DEFAULT)) {
    _mm_setcsr((unsigned)saved | (_mm_getcsr() & HOCKET_MXCSR_FLAGS));
  }
#elif defined(__aarch64__)
  if (HOCKET_UNLIKELY(saved & HOCKET_FPCR_MODES)) {
    __asm__ volatile("msr fpcr, %0" : : "r"(saved));
  }
#else
  (void)saved;
#endif
}

/* ---- forks (fork.c) ---- */

extern _Atomic int32_t hocket_process_id; /* 0: the runtime was not used yet */
void hocket_watch_fork(void);
/* Clears up where this is a child that nobody has told so. */
void hocket_notice_fork(void);

/* Before the first lock. */
static inline void hocket_begin(void) {
  if (HOCKET_UNLIKELY(!atomic_load_explicit(&hocket_process_id, memory_order_relaxed))) {
    hocket_watch_fork();
  }
}

/* ---- spinning ---- */

static inline void hocket_pause(void) {
#if HOCKET_X86
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static inline int64_t hocket_now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* For critical sections of a few dozen instructions. A holder that lost its CPU is let on by
 * yielding, so that more threads than CPUs cost time but never hang. */
typedef struct hocket_spin_lock_t {
  atomic_int held;
} hocket_spin_lock_t;

static inline void hocket_spin_lock(hocket_spin_lock_t* lock) {
  int tries = 0;
  while (atomic_exchange_explicit(&lock->held, 1, memory_order_acquire)) {
    while (atomic_load_explicit(&lock->held, memory_order_relaxed)) {
      if (++tries % 64 == 0) {
        hocket_notice_fork(); /* the holder may have stayed behind in the parent */
        sched_yield();
      } else {
        hocket_pause();
      }
    }
  }
}

static inline void hocket_spin_unlock(hocket_spin_lock_t* lock) {
  atomic_store_explicit(&lock->held, 0, memory_order_release);
}

/* ---- errors that travel between threads (errors.c) ---- */

#define HOCKET_TEXT_SIZE 128

/* An error with its own copies of all texts; `error`'s pointers point into the same object. */
typedef struct hocket_saved_error_t {
  hocket_error_t error; /* code 0: nothing saved */
  char pipeline[HOCKET_TEXT_SIZE];
  char argument[HOCKET_TEXT_SIZE];
  char other[HOCKET_TEXT_SIZE];
  char text[HOCKET_TEXT_SIZE];
} hocket_saved_error_t;

void hocket_save_error(hocket_saved_error_t* to, const hocket_error_t* from);
/* This thread's last error, made this one. */
void hocket_set_last_error(const hocket_error_t* error);

/* ---- overlap of two strided boxes (overlap.c) ---- */

/* 1 where two elements may share a byte, 0 where none does. */
int hocket_boxes_overlap(const hocket_buffer_t* a, const hocket_buffer_t* b);
/* 1 where two coordinates of the buffer may share an address. */
int hocket_overlaps_itself(const hocket_buffer_t* buffer);

/* ---- forks of the memory's lists (memory.c) ---- */

void hocket_lock_memory(void);
void hocket_unlock_memory(void);

#endif
