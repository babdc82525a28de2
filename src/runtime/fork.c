/* What a fork does to the runtime: the child starts with whole lists, free locks and no threads.
 *
 * Handlers registered with the system take every lock over the fork. They cannot help where a
 * thread uses the runtime for the very first time while another one is already forking; so the
 * process in which the runtime lives is remembered, and who waits for long looks whether it is
 * still the same. Called before the first lock of a process is taken, and by all who wait.
 */
#include "runtime/pool_internal.h"

#include <unistd.h>

_Atomic int32_t hocket_process_id;

static void before_fork(void) {
  hocket_lock_pool();
  hocket_spin_lock(&hocket_pool.lock);
  hocket_lock_memory();
}

static void after_fork_in_parent(void) {
  hocket_unlock_memory();
  hocket_spin_unlock(&hocket_pool.lock);
  pthread_mutex_unlock(&hocket_pool.mutex);
}

static void after_fork_in_child(void) {
  atomic_store(&hocket_process_id, (int32_t)getpid());
  hocket_unlock_memory();
  hocket_reset_pool();
}

static void register_handlers(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void hocket_watch_fork(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_handlers);
  atomic_store(&hocket_process_id, (int32_t)getpid());
}

void hocket_notice_fork(void) {
  int32_t known = atomic_load(&hocket_process_id), now = (int32_t)getpid();
  if (known == 0 || known == now) return;
  /* A child whose handlers did not run. Of several threads one clears up. */
  if (atomic_compare_exchange_strong(&hocket_process_id, &known, now)) {
    hocket_unlock_memory();
    hocket_reset_pool();
  }
}
