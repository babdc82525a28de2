/* The names that generated code may call, as a table for loaders that bind them by hand. */
#include "runtime/runtime_internal.h"

/* Through an integer: C has no conversion from a function pointer to an object pointer. */
#define HOCKET_SYMBOL(name) {#name, (void*)(uintptr_t)(name)}

const hocket_runtime_symbol_t* hocket_runtime_table(int* count) {
  static const hocket_runtime_symbol_t table[] = {
      HOCKET_SYMBOL(hocket_call),
      HOCKET_SYMBOL(hocket_malloc),
      HOCKET_SYMBOL(hocket_free),
      HOCKET_SYMBOL(hocket_do_par_for),
      HOCKET_SYMBOL(hocket_do_parallel_tasks),
      HOCKET_SYMBOL(hocket_semaphore_init),
      HOCKET_SYMBOL(hocket_semaphore_acquire),
      HOCKET_SYMBOL(hocket_semaphore_release),
      HOCKET_SYMBOL(hocket_fail),
      HOCKET_SYMBOL(hocket_fail_check),
      HOCKET_SYMBOL(hocket_fail_size),
      HOCKET_SYMBOL(hocket_fail_range),
      HOCKET_SYMBOL(hocket_fail_schedule),
      HOCKET_SYMBOL(hocket_fail_memory),
      HOCKET_SYMBOL(hocket_fail_internal),
      HOCKET_SYMBOL(hocket_print),
      HOCKET_SYMBOL(hocket_fp_enter),
      HOCKET_SYMBOL(hocket_fp_leave),
  };
  *count = (int)(sizeof table / sizeof table[0]);
  return table;
}
