/* Process-wide defaults and their setters, and the dispatch from a hook to its default.
 *
 * Every replaceable operation of the runtime enters here: the context's hook first, then the
 * process default, which is Hocket's own until somebody sets another.
 */
#include "runtime/runtime_internal.h"

#include <stdio.h>

static void default_print(const hocket_context_t* context, const char* text) {
  (void)context;
  fputs(text, stderr);
}

_Atomic(hocket_error_fn) hocket_process_error = hocket_default_error;
_Atomic(hocket_par_for_fn) hocket_process_par_for = hocket_default_do_par_for;
_Atomic(hocket_parallel_tasks_fn) hocket_process_parallel_tasks = hocket_default_do_parallel_tasks;
_Atomic(hocket_print_fn) hocket_process_print = default_print;
_Atomic(hocket_malloc_fn) hocket_process_malloc = hocket_default_malloc;
_Atomic(hocket_free_fn) hocket_process_free = hocket_default_free;

/* The context's hook where it has one, else the process default. */
#define HOCKET_HOOK(context, member, process_default)        \
  ((context) && (context)->hooks && (context)->hooks->member \
       ? (context)->hooks->member                            \
       : atomic_load_explicit(&(process_default), memory_order_acquire))

hocket_error_fn hocket_set_error_handler(hocket_error_fn handler) {
  return atomic_exchange(&hocket_process_error, handler ? handler : hocket_default_error);
}

hocket_par_for_fn hocket_set_par_for(hocket_par_for_fn par_for) {
  return atomic_exchange(&hocket_process_par_for, par_for ? par_for : hocket_default_do_par_for);
}

hocket_parallel_tasks_fn hocket_set_parallel_tasks(hocket_parallel_tasks_fn tasks) {
  return atomic_exchange(&hocket_process_parallel_tasks,
                         tasks ? tasks : hocket_default_do_parallel_tasks);
}

hocket_print_fn hocket_set_print(hocket_print_fn print) {
  return atomic_exchange(&hocket_process_print, print ? print : default_print);
}

void hocket_set_malloc(hocket_malloc_fn allocate, hocket_free_fn release) {
  int both = allocate && release;
  atomic_store(&hocket_process_malloc, both ? allocate : hocket_default_malloc);
  atomic_store(&hocket_process_free, both ? release : hocket_default_free);
}

int32_t hocket_do_par_for(const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                          int64_t extent, void* closure) {
  return HOCKET_HOOK(context, do_par_for, hocket_process_par_for)(context, fn, min, extent,
                                                                  closure);
}

int32_t hocket_do_parallel_tasks(const hocket_context_t* context, int32_t num_tasks,
                                 const hocket_parallel_task_t* tasks) {
  return HOCKET_HOOK(context, do_parallel_tasks, hocket_process_parallel_tasks)(context, num_tasks,
                                                                                tasks);
}

void* hocket_malloc(const hocket_context_t* context, size_t bytes) {
  return HOCKET_HOOK(context, malloc, hocket_process_malloc)(context, bytes);
}

void hocket_free(const hocket_context_t* context, void* memory) {
  if (memory) HOCKET_HOOK(context, free, hocket_process_free)(context, memory);
}

void hocket_print(const hocket_context_t* context, const char* text) {
  HOCKET_HOOK(context, print, hocket_process_print)(context, text);
}

int32_t hocket_fail(const hocket_context_t* context, const hocket_error_t* error) {
  HOCKET_HOOK(context, error, hocket_process_error)(context, error->code, error);
  return error->code;
}

uint64_t hocket_fp_enter(void) {
  return hocket_fp_enter_inline();
}
void hocket_fp_leave(uint64_t saved) {
  hocket_fp_leave_inline(saved);
}
