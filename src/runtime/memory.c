/* Hocket's own allocator: 128-byte aligned and padded blocks, kept for reuse after they are freed.
 *
 * Scratch memory of a pipeline is taken and given back on every call; fresh pages from the system
 * would cost more than many pipelines. Freed blocks go to a list per size class (four classes to
 * an octave, so at most 25 % is wasted) and are taken from it newest first. What the lists hold
 * together is bounded; beyond the bound a freed block goes back to the system at once.
 * Called through hocket_malloc and hocket_free unless those are replaced.
 */
#include "runtime/runtime_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if HOCKET_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum { kClasses = 256, kHeaderBytes = 128, kSmallest = 256 };
static const size_t kLargest = (size_t)1 << 62;
static const size_t kHugePageBytes = (size_t)4 << 20; /* from here on huge pages are asked for */

/* Stands in the 128 bytes before the block. */
typedef struct hocket_block_t {
  struct hocket_block_t* next; /* in its class's list */
  void* raw;                   /* what the system gave */
  size_t capacity;             /* from the block's start, padding included */
  int32_t size_class;
} hocket_block_t;

_Static_assert(sizeof(hocket_block_t) <= kHeaderBytes, "the header fits before the block");

typedef struct hocket_block_list_t {
  hocket_spin_lock_t lock;
  hocket_block_t* head;
} hocket_block_list_t;

static hocket_block_list_t block_lists[kClasses];
static atomic_llong cached_bytes;
static atomic_llong cache_limit = (int64_t)512 << 20;

/* Rounds up to a class: 2^k times 1, 1.25, 1.5 or 1.75. */
static int32_t class_of(size_t bytes, size_t* capacity) {
  if (bytes < kSmallest) bytes = kSmallest;
  int exponent = 63 - __builtin_clzll((unsigned long long)bytes);
  size_t step = (size_t)1 << (exponent - 2);
  size_t steps = (bytes + step - 1) / step; /* 4 to 8 */
  *capacity = steps * step;
  return exponent * 4 + (int32_t)steps - 4;
}

static char* start_of(hocket_block_t* block) {
  return (char*)block + kHeaderBytes;
}

static hocket_block_t* take_cached(int32_t size_class) {
  hocket_block_list_t* list = &block_lists[size_class];
  hocket_spin_lock(&list->lock);
  hocket_block_t* block = list->head;
  if (block) list->head = block->next;
  hocket_spin_unlock(&list->lock);
  if (block)
    atomic_fetch_sub_explicit(&cached_bytes, (long long)block->capacity, memory_order_relaxed);
  return block;
}

static hocket_block_t* take_fresh(int32_t size_class, size_t capacity) {
  void* raw = malloc(capacity + kHeaderBytes + HOCKET_MALLOC_ALIGNMENT);
  if (!raw) return NULL;
  uintptr_t start = ((uintptr_t)raw + kHeaderBytes + HOCKET_MALLOC_ALIGNMENT - 1) &
                    ~(uintptr_t)(HOCKET_MALLOC_ALIGNMENT - 1);
#if defined(MADV_HUGEPAGE)
  if (capacity >= kHugePageBytes) {
    const uintptr_t page = 4096;
    uintptr_t first = (start + page - 1) & ~(page - 1), end = (start + capacity) & ~(page - 1);
    madvise((void*)first, end - first, MADV_HUGEPAGE); /* a wish; refusal does no harm */
  }
#endif
  hocket_block_t* block = (hocket_block_t*)(start - kHeaderBytes);
  block->raw = raw;
  block->capacity = capacity;
  block->size_class = size_class;
  return block;
}

void* hocket_default_malloc(const hocket_context_t* context, size_t bytes) {
  (void)context;
  if (bytes > kLargest) return NULL;
  hocket_begin();
  size_t capacity;
  int32_t size_class = class_of(bytes + HOCKET_MALLOC_PADDING, &capacity);
  hocket_block_t* block = take_cached(size_class);
  if (!block) block = take_fresh(size_class, capacity);
  if (!block) return NULL;
#if HOCKET_ASAN
  __asan_unpoison_memory_region(start_of(block), bytes + HOCKET_MALLOC_PADDING);
  __asan_poison_memory_region(start_of(block) + bytes + HOCKET_MALLOC_PADDING,
                              capacity - bytes - HOCKET_MALLOC_PADDING);
#endif
  return start_of(block);
}

static void give_back(hocket_block_t* block) {
#if HOCKET_ASAN
  __asan_unpoison_memory_region(start_of(block), block->capacity);
#endif
  free(block->raw);
}

void hocket_default_free(const hocket_context_t* context, void* memory) {
  (void)context;
  hocket_block_t* block = (hocket_block_t*)(void*)((char*)memory - kHeaderBytes);
  long long capacity = (long long)block->capacity;
  long long limit = atomic_load_explicit(&cache_limit, memory_order_relaxed);
  if (atomic_fetch_add_explicit(&cached_bytes, capacity, memory_order_relaxed) + capacity > limit) {
    atomic_fetch_sub_explicit(&cached_bytes, capacity, memory_order_relaxed);
    give_back(block);
    return;
  }
#if HOCKET_ASAN
  __asan_poison_memory_region(memory, block->capacity);
#endif
  hocket_block_list_t* list = &block_lists[block->size_class];
  hocket_spin_lock(&list->lock);
  block->next = list->head;
  list->head = block;
  hocket_spin_unlock(&list->lock);
}

void hocket_release_cache(void) {
  for (int32_t i = 0; i < kClasses; ++i) {
    for (hocket_block_t* block; (block = take_cached(i)) != NULL;) give_back(block);
  }
}

int64_t hocket_cached_bytes(void) {
  return atomic_load(&cached_bytes);
}

int64_t hocket_set_cache_limit(int64_t bytes) {
  int64_t previous = atomic_exchange(&cache_limit, bytes < 0 ? 0 : bytes);
  if (hocket_cached_bytes() > bytes) hocket_release_cache();
  return previous;
}

/* Holding every list's lock over a fork leaves the child with whole lists. */
void hocket_lock_memory(void) {
  for (int32_t i = 0; i < kClasses; ++i) hocket_spin_lock(&block_lists[i].lock);
}

void hocket_unlock_memory(void) {
  for (int32_t i = 0; i < kClasses; ++i) hocket_spin_unlock(&block_lists[i].lock);
}
