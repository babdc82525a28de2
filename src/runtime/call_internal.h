/* One hocket_call in flight: shared by call.c (the checks), call_fail.c (their reports) and
 * query.c (the answers to bounds queries).
 */
#ifndef HOCKET_CALL_INTERNAL_H
#define HOCKET_CALL_INTERNAL_H

#include "runtime/runtime_internal.h"

typedef struct hocket_span_t {
  uintptr_t first, end; /* bytes of memory a buffer may touch; equal where it is empty */
} hocket_span_t;

typedef struct hocket_call_t {
  const hocket_metadata_t* metadata;
  const hocket_context_t* context;
  void* const* args;
  int64_t* scalars;
  int64_t* regions;
  void** pointers;
  hocket_span_t* spans; /* by pointer_index */
  int queries;          /* some buffer is a query */
} hocket_call_t;

int32_t hocket_answer_query(hocket_call_t* call, hocket_regions_fn regions);

/* Checks that most calls do not need; 0 or the code, reported. */
int32_t hocket_check_scalar_range(const hocket_call_t* call, const hocket_argument_t* argument,
                                  int64_t bits);
int32_t hocket_check_constraints(const hocket_call_t* call, const hocket_argument_t* argument,
                                 const hocket_buffer_t* buffer);

/* Reports: each returns its code. */
int32_t hocket_call_fail(const hocket_call_t* call, const hocket_argument_t* argument,
                         int32_t code);
int32_t hocket_fail_version(const hocket_call_t* call);
int32_t hocket_fail_rank(const hocket_call_t* call, const hocket_argument_t* argument,
                         const hocket_buffer_t* buffer);
int32_t hocket_fail_type(const hocket_call_t* call, const hocket_argument_t* argument,
                         const hocket_buffer_t* buffer);
int32_t hocket_fail_dim(const hocket_call_t* call, const hocket_argument_t* argument, int32_t dim,
                        int32_t code, int64_t given_min, int64_t given_max);
int32_t hocket_fail_coordinates(const hocket_call_t* call, const hocket_argument_t* argument,
                                int32_t dim, int64_t min, int64_t extent);
int32_t hocket_fail_bytes(const hocket_call_t* call, const hocket_argument_t* argument);
int32_t hocket_fail_constraint(const hocket_call_t* call, const hocket_argument_t* argument,
                               int32_t dim, hocket_constraint_t constraint, int64_t needed,
                               int64_t given);
int32_t hocket_fail_alignment(const hocket_call_t* call, const hocket_argument_t* argument,
                              int64_t needed, int64_t past);
int32_t hocket_fail_region(const hocket_call_t* call, const hocket_argument_t* argument);
int32_t hocket_fail_alias(const hocket_call_t* call, const hocket_argument_t* argument,
                          const hocket_argument_t* other);

#endif
