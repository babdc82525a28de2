/* The contract between compiled Hocket code, its callers and its runtime: one C header.
 *
 * Plain C11, also valid C++; depends on nothing but <stddef.h> and <stdint.h>. It ships to users
 * beside every object that Hocket makes. What enters a compiled pipeline: buffers, scalars and an
 * optional context. What leaves: an int32 (0, or one of the negative codes below) and the outputs.
 * Generated code is written against this header and docs/abi.md, which states types and orders.
 * Everything declared as a function here is defined by the runtime (src/runtime, pthreads only).
 */
#ifndef HOCKET_ABI_H
#define HOCKET_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOCKET_ABI_VERSION 1

#if defined(__GNUC__) || defined(__clang__)
#define HOCKET_INLINE static inline __attribute__((unused))
#else
#define HOCKET_INLINE static inline
#endif

/* ---- Element types ------------------------------------------------------------------------- */

typedef enum hocket_type_code_t {
  HOCKET_TYPE_INT = 0,    /* two's complement, 8 16 32 64 bits */
  HOCKET_TYPE_UINT = 1,   /* 8 16 32 64 bits */
  HOCKET_TYPE_FLOAT = 2,  /* IEEE binary16, binary32, binary64 */
  HOCKET_TYPE_BFLOAT = 3, /* bfloat16 */
  HOCKET_TYPE_BOOL = 4    /* bits = 1; stored in one byte holding 0 or 1 */
} hocket_type_code_t;

typedef struct hocket_type_t {
  uint8_t code; /* hocket_type_code_t */
  uint8_t bits; /* of one lane */
  uint16_t lanes;
} hocket_type_t;

HOCKET_INLINE int64_t hocket_type_bytes(hocket_type_t type) {
  return (((int64_t)type.bits + 7) / 8) * type.lanes;
}

HOCKET_INLINE hocket_type_t hocket_type(hocket_type_code_t code, int bits) {
  hocket_type_t type;
  type.code = (uint8_t)code;
  type.bits = (uint8_t)bits;
  type.lanes = 1;
  return type;
}

/* ---- Buffers ------------------------------------------------------------------------------- */

typedef struct hocket_dim_t {
  int64_t min;    /* first coordinate */
  int64_t extent; /* number of coordinates, at least 0 */
  int64_t stride; /* in elements; the first dimension is the fastest by default (stride 1) */
} hocket_dim_t;

enum {
  HOCKET_BUFFER_HOST_DIRTY = 1,  /* host memory is newer than the device's */
  HOCKET_BUFFER_DEVICE_DIRTY = 2 /* device memory is newer than the host's */
};

/* host points at the element whose coordinates are the mins. Element (x, y, ...) lies at
 * host + bytes * ((x - dim[0].min) * dim[0].stride + (y - dim[1].min) * dim[1].stride + ...).
 * A buffer with host == NULL and device == 0 asks a question instead of holding data: a call that
 * is given one (a *bounds query*) computes nothing, fills in type, min, extent and stride of every
 * such buffer with what the call needs, and returns 0. An empty buffer needs a host all the same.
 */
typedef struct hocket_buffer_t {
  void* host;
  uint64_t device;              /* handle, 0 for none */
  const void* device_interface; /* NULL for none */
  hocket_type_t type;
  int32_t dimensions;
  hocket_dim_t* dim; /* `dimensions` of them; may be NULL where dimensions is 0 */
  uint64_t flags;    /* HOCKET_BUFFER_*; other bits 0 */
  void* user;        /* the caller's own; never read or written by Hocket */
} hocket_buffer_t;

HOCKET_INLINE int hocket_buffer_is_query(const hocket_buffer_t* buffer) {
  return buffer->host == NULL && buffer->device == 0;
}

/* ---- Errors -------------------------------------------------------------------------------- */

typedef enum hocket_error_code_t {
  HOCKET_OK = 0,
  HOCKET_ERROR_BUFFER_NULL = -1,     /* an argument, its dim array or its host is NULL */
  HOCKET_ERROR_WRONG_TYPE = -2,      /* element type differs */
  HOCKET_ERROR_WRONG_RANK = -3,      /* number of dimensions differs */
  HOCKET_ERROR_EXTENT_NEGATIVE = -4, /* an extent below 0 */
  HOCKET_ERROR_EXTENT_OVERFLOW =
      -5, /* a coordinate or extent beyond 32 bits, an offset beyond 63 */
  HOCKET_ERROR_PARAM_OUT_OF_RANGE = -6,  /* a scalar outside its declared range */
  HOCKET_ERROR_SIZE_TOO_SMALL = -7,      /* a `size` below 1 */
  HOCKET_ERROR_CONSTRAINT_VIOLATED = -8, /* min, extent, stride or a multiple is not as compiled */
  HOCKET_ERROR_MISALIGNED = -9,          /* host is not aligned as compiled */
  HOCKET_ERROR_BUFFER_TOO_SMALL = -10,   /* the region the call touches is not covered */
  HOCKET_ERROR_ALIAS_OVERLAP = -11,      /* an output shares memory with another buffer or itself */
  HOCKET_ERROR_OUT_OF_MEMORY = -12,
  HOCKET_ERROR_USER_CHECK_FAILED = -13, /* a `require` or `assert` of the program */
  HOCKET_ERROR_EXTERN_FAILED = -14,     /* an extern stage said so */
  HOCKET_ERROR_CANCELLED = -15,         /* another part of the same call failed or was stopped */
  HOCKET_ERROR_DEVICE = -16,            /* data live on a device that this code cannot reach */
  HOCKET_ERROR_THREADS = -17,           /* a thread that progress depends on cannot be started */
  HOCKET_ERROR_VERSION = -18,           /* compiled for another version of this header */
  HOCKET_ERROR_INTERNAL = -19
} hocket_error_code_t;

/* Which constraint, in hocket_error_t.constraint. */
typedef enum hocket_constraint_t {
  HOCKET_CONSTRAINT_NONE = 0,
  HOCKET_CONSTRAINT_MIN = 1,             /* min must be needed_min */
  HOCKET_CONSTRAINT_EXTENT = 2,          /* extent must be needed_min */
  HOCKET_CONSTRAINT_STRIDE = 3,          /* stride must be needed_min */
  HOCKET_CONSTRAINT_MIN_MULTIPLE = 4,    /* min must be a multiple of needed_min */
  HOCKET_CONSTRAINT_EXTENT_MULTIPLE = 5, /* extent must be a multiple of needed_min */
  HOCKET_CONSTRAINT_SCALAR_INT = 6,      /* signed range needed_min .. needed_max */
  HOCKET_CONSTRAINT_SCALAR_UINT = 7,     /* the same fields hold unsigned numbers */
  HOCKET_CONSTRAINT_SCALAR_FLOAT = 8,    /* needed_fmin .. needed_fmax, given given_float */
  HOCKET_CONSTRAINT_COORDINATES = 9,     /* coordinates given_min .. given_max must fit 32 bits */
  HOCKET_CONSTRAINT_BYTE_OFFSET = 10,    /* the buffer spans more than 63 bits of bytes */
  HOCKET_CONSTRAINT_SCHEDULE = 11        /* `text` says what the schedule needs of the dimension,
                                            given_min .. given_max are there */
} hocket_constraint_t;

/* What is known about an error. Fields that a code has no use for are 0 or NULL. */
typedef struct hocket_error_t {
  int32_t code;
  int32_t constraint;   /* hocket_constraint_t */
  const char* pipeline; /* name of the pipeline or proc */
  const char* argument; /* name of the argument at fault */
  const char* other;    /* ALIAS_OVERLAP: the argument it shares memory with */
  int32_t dimension;    /* -1 where no dimension is meant */
  int32_t needed_rank, given_rank;
  hocket_type_t needed_type, given_type;
  int64_t needed_min, needed_max; /* inclusive */
  int64_t given_min, given_max;
  double needed_fmin, needed_fmax, given_float;
  const char* text; /* USER_CHECK_FAILED, INTERNAL, CONSTRAINT_SCHEDULE: words of the program */
} hocket_error_t;

/* Writes the error as one line of text without line feed, always terminated where size > 0.
 * Returns the length the whole text has (as snprintf does). */
size_t hocket_error_message(const hocket_error_t* error, char* buffer, size_t size);

/* The last error that the default handler saw on this thread (an error inside a parallel loop
 * reaches the thread that started the loop); NULL where there was none since the last clear.
 * The object belongs to the thread and holds copies of all texts (up to 127 bytes each). */
const hocket_error_t* hocket_last_error(void);
void hocket_clear_last_error(void);

/* ---- Contexts and hooks -------------------------------------------------------------------- */

typedef struct hocket_context_t hocket_context_t;
typedef struct hocket_parallel_task_t hocket_parallel_task_t;

/* One iteration of a parallel loop. Nonzero stops the loop and becomes its result. */
typedef int32_t (*hocket_task_fn)(const hocket_context_t* context, int64_t index, void* closure);

typedef void* (*hocket_malloc_fn)(const hocket_context_t* context, size_t bytes);
typedef void (*hocket_free_fn)(const hocket_context_t* context, void* memory);
typedef void (*hocket_error_fn)(const hocket_context_t* context, int32_t code,
                                const hocket_error_t* details);
typedef int32_t (*hocket_par_for_fn)(const hocket_context_t* context, hocket_task_fn fn,
                                     int64_t min, int64_t extent, void* closure);
typedef int32_t (*hocket_parallel_tasks_fn)(const hocket_context_t* context, int32_t num_tasks,
                                            const hocket_parallel_task_t* tasks);
typedef void (*hocket_print_fn)(const hocket_context_t* context, const char* text);

/* What a caller can replace. A member that is NULL means the process-wide default. */
typedef struct hocket_hooks_t {
  hocket_malloc_fn malloc; /* as hocket_malloc below: alignment and padding included */
  hocket_free_fn free;     /* gets what malloc gave; always replaced together with malloc */
  hocket_error_fn error;
  hocket_par_for_fn do_par_for;
  hocket_parallel_tasks_fn do_parallel_tasks;
  hocket_print_fn print;
  const void* reserved[2]; /* NULL */
} hocket_hooks_t;

/* Handed through compiled code untouched, so hooks find the caller's own data in `user`. NULL in
 * place of a context means {NULL, NULL}. */
struct hocket_context_t {
  void* user;
  const hocket_hooks_t* hooks; /* NULL: process-wide defaults */
};

/* Process-wide defaults. NULL restores Hocket's own; the previous one is returned. They may be
 * called at any time; a call that is running keeps what it has already read. */
hocket_error_fn hocket_set_error_handler(hocket_error_fn handler);
hocket_par_for_fn hocket_set_par_for(hocket_par_for_fn par_for);
hocket_parallel_tasks_fn hocket_set_parallel_tasks(hocket_parallel_tasks_fn tasks);
hocket_print_fn hocket_set_print(hocket_print_fn print);
/* Both or neither; must not be called while a Hocket call is running or holds memory. */
void hocket_set_malloc(hocket_malloc_fn allocate, hocket_free_fn release);

/* ---- Threads ------------------------------------------------------------------------------- */

/* Threads that work on a parallel loop, the caller included. Starts as HOCKET_NUM_THREADS where
 * that holds a number from 1 to 1024, else as the number of CPUs this process may run on.
 * Setting 0 returns to that start value. Returns the previous number. */
int32_t hocket_set_num_threads(int32_t threads);
int32_t hocket_get_num_threads(void);

/* Calls fn(context, i, closure) for every i in [min, min + extent), in any order, on the calling
 * thread and on the pool's; returns when all are done. May be nested. The first nonzero result is
 * returned and stops further iterations from starting. Runs with the default floating-point mode.
 */
int32_t hocket_do_par_for(const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                          int64_t extent, void* closure);
/* The pool's own version, for hooks that wish to fall back to it. */
int32_t hocket_default_do_par_for(const hocket_context_t* context, hocket_task_fn fn, int64_t min,
                                  int64_t extent, void* closure);

/* A counter that asynchronous stages wait on. Lives in the caller's memory; no destructor. */
typedef struct hocket_semaphore_t {
  int64_t value; /* only through the functions below */
  int64_t reserved[7];
} hocket_semaphore_t;

void hocket_semaphore_init(hocket_semaphore_t* semaphore, int64_t value);
void hocket_semaphore_release(hocket_semaphore_t* semaphore, int64_t count);
/* Waits until `count` can be taken and takes it. Returns 0, or HOCKET_ERROR_CANCELLED when another
 * task of an enclosing parallel construct has failed, or HOCKET_ERROR_THREADS. */
int32_t hocket_semaphore_acquire(const hocket_context_t* context, hocket_semaphore_t* semaphore,
                                 int64_t count);

typedef struct hocket_acquire_t {
  hocket_semaphore_t* semaphore;
  int64_t count;
} hocket_acquire_t;

/* An asynchronous stage: the iterations min .. min + extent - 1, in order, one after the other.
 * Before each iteration everything in `acquires` is acquired, in order. */
struct hocket_parallel_task_t {
  hocket_task_fn fn;
  void* closure;
  int64_t min;
  int64_t extent;
  const hocket_acquire_t* acquires; /* NULL where there are none */
  int64_t num_acquires;
};

/* Runs all tasks at the same time and returns when all are done. A task may wait on semaphores
 * that its siblings release: whenever one blocks, another that has not started gets a thread, even
 * with hocket_get_num_threads() == 1. The first nonzero result is returned; it wakes and cancels
 * siblings that wait. */
int32_t hocket_do_parallel_tasks(const hocket_context_t* context, int32_t num_tasks,
                                 const hocket_parallel_task_t* tasks);
int32_t hocket_default_do_parallel_tasks(const hocket_context_t* context, int32_t num_tasks,
                                         const hocket_parallel_task_t* tasks);

/* Ends the pool's threads (they start again when needed). Only while no Hocket call is running. */
void hocket_shutdown(void);

/* ---- Memory -------------------------------------------------------------------------------- */

#define HOCKET_MALLOC_ALIGNMENT 128
#define HOCKET_MALLOC_PADDING 128

/* At least `bytes` bytes aligned to 128, uninitialised, or NULL. The 128 bytes before may be read;
 * the 128 bytes after may be read and written. Blocks are kept for reuse after hocket_free, so that
 * scratch memory does not fault pages in on every call. */
void* hocket_malloc(const hocket_context_t* context, size_t bytes);
void hocket_free(const hocket_context_t* context, void* memory); /* NULL is allowed */

/* Bytes that Hocket's own allocator may keep for reuse (at the start 512 MiB); 0 keeps none.
 * Returns the previous limit. */
int64_t hocket_set_cache_limit(int64_t bytes);
int64_t hocket_cached_bytes(void);
void hocket_release_cache(void); /* gives all kept blocks back to the system */

/* ---- For generated code: failures and printing ---------------------------------------------- */

/* Each reports through the error hook and returns its code, so that generated code can write
 * `return hocket_fail_...(...)`. */
int32_t hocket_fail(const hocket_context_t* context, const hocket_error_t* error);
int32_t hocket_fail_check(const hocket_context_t* context, const char* pipeline, const char* text);
int32_t hocket_fail_size(const hocket_context_t* context, const char* pipeline,
                         const char* argument, int64_t given);
int32_t hocket_fail_range(const hocket_context_t* context, const char* pipeline,
                          const char* argument, int64_t needed_min, int64_t needed_max,
                          int64_t given);
/* CONSTRAINT_VIOLATED or BUFFER_TOO_SMALL, where a schedule asks more of an argument than its
 * region: `text` is what it needs, min and extent are those of the dimension as given. */
int32_t hocket_fail_schedule(const hocket_context_t* context, const char* pipeline, int32_t code,
                             const char* text, const char* argument, int32_t dimension, int64_t min,
                             int64_t extent);
int32_t hocket_fail_memory(const hocket_context_t* context, const char* pipeline, const char* name,
                           int64_t bytes);
int32_t hocket_fail_internal(const hocket_context_t* context, const char* pipeline,
                             const char* text);
void hocket_print(const hocket_context_t* context, const char* text);

/* ---- Floating-point mode --------------------------------------------------------------------- */

/* Sets round-to-nearest-even with subnormals kept and returns what must be handed to leave.
 * Exception flags raised in between stay raised. */
uint64_t hocket_fp_enter(void);
void hocket_fp_leave(uint64_t saved);

/* ---- Metadata ------------------------------------------------------------------------------ */

typedef enum hocket_argument_kind_t {
  HOCKET_ARGUMENT_SCALAR = 0,
  HOCKET_ARGUMENT_INPUT = 1,
  HOCKET_ARGUMENT_OUTPUT = 2
} hocket_argument_kind_t;

enum {
  HOCKET_ARGUMENT_HAS_MIN = 1,       /* scalar: min (or fmin) is a bound */
  HOCKET_ARGUMENT_HAS_MAX = 2,       /* scalar: max (or fmax) is a bound */
  HOCKET_ARGUMENT_IS_SIZE = 4,       /* integer scalar: below 1 is SIZE_TOO_SMALL */
  HOCKET_ARGUMENT_NO_ALIAS_CHECK = 8 /* buffer: its overlaps with others are the caller's affair */
};

#define HOCKET_FREE INT64_MIN /* a min, extent or stride that is not fixed */

typedef struct hocket_dim_constraint_t {
  int64_t min;             /* HOCKET_FREE or the only value */
  int64_t extent;          /* HOCKET_FREE or the only value */
  int64_t stride;          /* HOCKET_FREE or the only value */
  int64_t min_multiple;    /* 0 or 1: none */
  int64_t extent_multiple; /* 0 or 1: none */
} hocket_dim_constraint_t;

typedef struct hocket_argument_t {
  const char* name;
  int32_t kind;          /* hocket_argument_kind_t */
  hocket_type_t type;    /* lanes = 1 */
  int32_t dimensions;    /* 0 for scalars */
  uint32_t flags;        /* HOCKET_ARGUMENT_* */
  int32_t scalar_index;  /* first slot in `scalars`: 1 for a scalar, 3 * dimensions for a buffer */
  int32_t pointer_index; /* slot in `pointers`; -1 for scalars */
  int32_t region_index;  /* first slot in `regions`: 2 * dimensions; -1 for scalars */
  int32_t alignment;     /* buffer: host must be a multiple; 0: of the element's size */
  int64_t min, max;      /* integer and bool scalars; bits of a uint64 for UINT */
  double fmin, fmax;     /* float scalars */
  const hocket_dim_constraint_t* constraints; /* `dimensions` of them; NULL: only stride[0] == 1 */
  const void* reserved;                       /* NULL */
} hocket_argument_t;

enum {
  HOCKET_METADATA_NO_ALIAS_CHECK = 1 /* for all arguments */
};

typedef struct hocket_metadata_t {
  int32_t version; /* HOCKET_ABI_VERSION */
  int32_t num_arguments;
  const char* name;
  const char* target; /* the compiler's target string */
  const hocket_argument_t* arguments;
  int32_t num_scalars;  /* slots in `scalars` */
  int32_t num_pointers; /* slots in `pointers` = number of buffer arguments */
  int32_t num_regions;  /* slots in `regions` = 2 * sum of dimensions */
  uint32_t flags;       /* HOCKET_METADATA_* */
  const void* reserved[2];
} hocket_metadata_t;

/* ---- The compiled pipeline ------------------------------------------------------------------ */

typedef int32_t (*hocket_body_fn)(const hocket_context_t* context, const int64_t* scalars,
                                  void* const* pointers);
typedef void (*hocket_regions_fn)(const int64_t* scalars, int64_t* regions);

/* Checks the arguments against the metadata, answers bounds queries, and calls the body. Nothing
 * is written before every check has passed. args[i] belongs to metadata->arguments[i]: a
 * hocket_buffer_t* for a buffer, the address of the value (in its own type) for a scalar. */
int32_t hocket_call(const hocket_metadata_t* metadata, hocket_body_fn body,
                    hocket_regions_fn regions, const hocket_context_t* context, void* const* args);

/* ---- Names that a loader binds --------------------------------------------------------------- */

typedef struct hocket_runtime_symbol_t {
  const char* name;
  void* address;
} hocket_runtime_symbol_t;

/* Every function above that generated code may call; *count receives their number. */
const hocket_runtime_symbol_t* hocket_runtime_table(int* count);

#ifdef __cplusplus
}
#endif

#endif
