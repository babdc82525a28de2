/* hocket_call: the door of every compiled pipeline.
 *
 * In: metadata, body, regions and the caller's arguments. Out: 0 with the outputs computed, or a
 * code with nothing written. docs/abi.md states the order of the checks. The whole of it costs a
 * few nanoseconds: arrays on the stack, reports out of line, no lock, no allocation (but for
 * pipelines with very many arguments). Bounds queries are answered in query.c.
 */
#include "runtime/call_internal.h"

#include <string.h>

enum { kSmallScalars = 64, kSmallRegions = 64, kSmallPointers = 16 };

static inline int64_t load_scalar(hocket_type_t type, const void* value) {
  switch (type.bits) {
    case 64: {
      int64_t x;
      memcpy(&x, value, sizeof x);
      return x;
    }
    case 32: {
      uint32_t x;
      memcpy(&x, value, sizeof x);
      return type.code == HOCKET_TYPE_INT ? (int64_t)(int32_t)x : (int64_t)x;
    }
    case 16: {
      uint16_t x;
      memcpy(&x, value, sizeof x);
      return type.code == HOCKET_TYPE_INT ? (int64_t)(int16_t)x : (int64_t)x;
    }
    default: {
      uint8_t x;
      memcpy(&x, value, sizeof x);
      if (type.code == HOCKET_TYPE_BOOL) return x != 0;
      return type.code == HOCKET_TYPE_INT ? (int64_t)(int8_t)x : (int64_t)x;
    }
  }
}

/* Step 2 for one scalar. */
static inline int32_t take_scalar(const hocket_call_t* call, const hocket_argument_t* argument,
                                  const void* value) {
  const uint32_t ranged =
      HOCKET_ARGUMENT_HAS_MIN | HOCKET_ARGUMENT_HAS_MAX | HOCKET_ARGUMENT_IS_SIZE;
  if (HOCKET_UNLIKELY(!value)) return hocket_call_fail(call, argument, HOCKET_ERROR_BUFFER_NULL);
  int64_t bits = load_scalar(argument->type, value);
  call->scalars[argument->scalar_index] = bits;
  if (HOCKET_LIKELY(!(argument->flags & ranged))) return 0;
  return hocket_check_scalar_range(call, argument, bits);
}

/* Steps 2 and 4 at once for the usual buffer: host memory, no constraints, dimensions in order of
 * growing stride, no overflow anywhere near. Suspicion is gathered without branches. Says 0 where
 * the buffer must be looked at closely, which may still find it good. */
static inline int accept_plain(hocket_call_t* call, const hocket_argument_t* argument,
                               const hocket_buffer_t* buffer) {
  if (HOCKET_UNLIKELY(!buffer)) return 0;
  int32_t rank = argument->dimensions;
  const hocket_dim_t* dim = buffer->dim;
  uint64_t bytes = ((uint64_t)argument->type.bits + 7) / 8;
  uint64_t alignment = argument->alignment ? (uint64_t)argument->alignment : bytes;
  if (HOCKET_UNLIKELY(buffer->dimensions != rank || !buffer->host || !dim ||
                      argument->constraints || (buffer->flags & HOCKET_BUFFER_DEVICE_DIRTY) ||
                      ((uintptr_t)buffer->host & (alignment - 1)) ||
                      memcmp(&buffer->type, &argument->type, sizeof(hocket_type_t)) != 0 ||
                      (rank > 0 && dim[0].stride != 1))) {
    return 0;
  }
  int64_t* slots = call->scalars + argument->scalar_index;
  uint64_t span = 1; /* elements from the first to the last of the dimensions so far */
  uint64_t near = 0, coordinates = 0, spans = 0;
  for (int32_t d = 0; d < rank; ++d) {
    uint64_t min = (uint64_t)dim[d].min, extent = (uint64_t)dim[d].extent;
    uint64_t stride = (uint64_t)dim[d].stride, last = extent - 1;
    slots[3 * d] = (int64_t)min;
    slots[3 * d + 1] = (int64_t)extent;
    slots[3 * d + 2] = (int64_t)stride;
    /* below 2^31: extents, above 0; strides, nested */
    near |= last | extent | stride | (stride - span);
    coordinates |= (min + (UINT64_C(1) << 31)) | (min + last + (UINT64_C(1) << 31)); /* 2^32 */
    span += stride * last; /* at most 2^56 + 2^62, so no wrap goes unseen */
    spans |= span;         /* below 2^56 */
  }
  if (HOCKET_UNLIKELY(near >> 31 | coordinates >> 32 | spans >> 56)) return 0;
  call->pointers[argument->pointer_index] = buffer->host;
  hocket_span_t* bytes_of_buffer = &call->spans[argument->pointer_index];
  bytes_of_buffer->first = (uintptr_t)buffer->host;
  bytes_of_buffer->end = (uintptr_t)buffer->host + span * bytes;
  return 1;
}

/* Step 2 for one buffer: shape, and its slots of `scalars`, `pointers` and `spans`. */
static HOCKET_COLD int32_t check_shape(hocket_call_t* call, const hocket_argument_t* argument,
                                       const hocket_buffer_t* buffer) {
  if (!buffer || (!buffer->dim && buffer->dimensions > 0)) {
    return hocket_call_fail(call, argument, HOCKET_ERROR_BUFFER_NULL);
  }
  if (buffer->dimensions != argument->dimensions) {
    return hocket_fail_rank(call, argument, buffer);
  }
  int is_query = hocket_buffer_is_query(buffer);
  if (HOCKET_UNLIKELY(is_query)) {
    call->queries = 1;
  } else if (HOCKET_UNLIKELY(memcmp(&buffer->type, &argument->type, sizeof(hocket_type_t)) != 0)) {
    return hocket_fail_type(call, argument, buffer);
  }
  int64_t* slots = call->scalars + argument->scalar_index;
  int64_t first = 0, last = 0; /* element offsets from host */
  int overflow = 0, empty = 0;
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    int64_t min = buffer->dim[d].min, extent = buffer->dim[d].extent;
    int64_t stride = is_query ? 0 : buffer->dim[d].stride;
    if (HOCKET_UNLIKELY(extent < 0)) {
      return hocket_fail_dim(call, argument, d, HOCKET_ERROR_EXTENT_NEGATIVE, extent, extent);
    }
    /* With min in 32 bits, the last coordinate min + extent - 1 cannot wrap 64 bits unnoticed.
     * Extents are taken for numbers of 32 signed bits, as coordinates are. */
    if (HOCKET_UNLIKELY(min != (int32_t)min || extent > INT32_MAX ||
                        (extent > 0 && min + extent - 1 > INT32_MAX))) {
      return hocket_fail_coordinates(call, argument, d, min, extent);
    }
    slots[3 * d] = min;
    slots[3 * d + 1] = extent;
    slots[3 * d + 2] = stride;
    empty |= extent == 0;
    int64_t reach;
    overflow |= __builtin_mul_overflow(stride, extent - 1, &reach);
    overflow |= reach < 0 ? __builtin_add_overflow(first, reach, &first)
                          : __builtin_add_overflow(last, reach, &last);
  }
  int64_t bytes = hocket_type_bytes(argument->type);
  overflow |= __builtin_mul_overflow(first, bytes, &first);
  overflow |= __builtin_mul_overflow(last, bytes, &last);
  overflow |= __builtin_add_overflow(last, bytes, &last);
  hocket_span_t* span = &call->spans[argument->pointer_index];
  if (HOCKET_UNLIKELY(empty)) {
    first = last = 0;
  } else if (HOCKET_UNLIKELY(overflow)) {
    return hocket_fail_bytes(call, argument);
  }
  call->pointers[argument->pointer_index] = buffer->host;
  span->first = (uintptr_t)buffer->host + (uintptr_t)first;
  span->end = (uintptr_t)buffer->host + (uintptr_t)last;
  return 0;
}

/* Step 4 for one buffer. */
static HOCKET_COLD int32_t check_layout(const hocket_call_t* call,
                                        const hocket_argument_t* argument,
                                        const hocket_buffer_t* buffer) {
  if (HOCKET_LIKELY(!argument->constraints)) {
    if (HOCKET_UNLIKELY(argument->dimensions > 0 && buffer->dim[0].stride != 1)) {
      return hocket_fail_constraint(call, argument, 0, HOCKET_CONSTRAINT_STRIDE, 1,
                                    buffer->dim[0].stride);
    }
  } else {
    int32_t code = hocket_check_constraints(call, argument, buffer);
    if (HOCKET_UNLIKELY(code)) return code;
  }
  int64_t alignment = argument->alignment ? argument->alignment : hocket_type_bytes(argument->type);
  int64_t past = (int64_t)((uintptr_t)buffer->host & (uintptr_t)(alignment - 1));
  if (HOCKET_UNLIKELY(past)) return hocket_fail_alignment(call, argument, alignment, past);
  if (HOCKET_UNLIKELY(!buffer->host || (buffer->flags & HOCKET_BUFFER_DEVICE_DIRTY))) {
    return hocket_call_fail(call, argument, HOCKET_ERROR_DEVICE);
  }
  const hocket_span_t* span = &call->spans[argument->pointer_index];
  if (argument->kind == HOCKET_ARGUMENT_OUTPUT && span->first != span->end &&
      hocket_overlaps_itself(buffer)) {
    return hocket_fail_alias(call, argument, argument);
  }
  return 0;
}

/* Step 5 for one buffer. A region that is empty in any dimension touches nothing. */
static inline int32_t check_region(const hocket_call_t* call, const hocket_argument_t* argument) {
  const int64_t* slots = call->scalars + argument->scalar_index;
  const int64_t* region = call->regions + argument->region_index;
  int outside = 0;
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    int64_t min = slots[3 * d], max = min + slots[3 * d + 1] - 1;
    outside |= (region[2 * d] < min) | (region[2 * d + 1] > max);
  }
  if (HOCKET_LIKELY(!outside)) return 0;
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    if (region[2 * d + 1] < region[2 * d]) return 0;
  }
  return hocket_fail_region(call, argument);
}

/* Step 6 for one output against all other buffers; a pair of outputs is met once. */
static inline int32_t check_alias(const hocket_call_t* call, int32_t output) {
  const hocket_metadata_t* metadata = call->metadata;
  const hocket_argument_t* argument = &metadata->arguments[output];
  if (argument->flags & HOCKET_ARGUMENT_NO_ALIAS_CHECK) return 0;
  const hocket_span_t* span = &call->spans[argument->pointer_index];
  for (int32_t i = 0; i < metadata->num_arguments; ++i) {
    const hocket_argument_t* other = &metadata->arguments[i];
    if (other->kind == HOCKET_ARGUMENT_SCALAR || i == output) continue;
    if (other->kind == HOCKET_ARGUMENT_OUTPUT && i < output) continue;
    const hocket_span_t* theirs = &call->spans[other->pointer_index];
    if (HOCKET_LIKELY(span->end <= theirs->first || theirs->end <= span->first)) continue;
    if (other->flags & HOCKET_ARGUMENT_NO_ALIAS_CHECK) continue;
    if (hocket_boxes_overlap((const hocket_buffer_t*)call->args[output],
                             (const hocket_buffer_t*)call->args[i])) {
      return hocket_fail_alias(call, argument, other);
    }
  }
  return 0;
}

static inline int32_t run(hocket_call_t* call, hocket_body_fn body, hocket_regions_fn regions) {
  const hocket_metadata_t* metadata = call->metadata;
  int32_t count = metadata->num_arguments;
  int32_t code = 0;
  int careful = 0; /* some buffer is not plain */

  for (int32_t i = 0; i < count; ++i) {
    const hocket_argument_t* argument = &metadata->arguments[i];
    if (argument->kind == HOCKET_ARGUMENT_SCALAR) {
      code = take_scalar(call, argument, call->args[i]);
    } else if (HOCKET_UNLIKELY(
                   !accept_plain(call, argument, (const hocket_buffer_t*)call->args[i]))) {
      careful = 1;
      code = check_shape(call, argument, (const hocket_buffer_t*)call->args[i]);
    }
    if (HOCKET_UNLIKELY(code)) return code;
  }
  if (HOCKET_UNLIKELY(call->queries)) return hocket_answer_query(call, regions);

  for (int32_t i = 0; HOCKET_UNLIKELY(careful) && i < count; ++i) {
    const hocket_argument_t* argument = &metadata->arguments[i];
    if (argument->kind == HOCKET_ARGUMENT_SCALAR) continue;
    code = check_layout(call, argument, (const hocket_buffer_t*)call->args[i]);
    if (HOCKET_UNLIKELY(code)) return code;
  }
  if (HOCKET_LIKELY(regions != NULL)) {
    regions(call->scalars, call->regions);
    for (int32_t i = 0; i < count; ++i) {
      const hocket_argument_t* argument = &metadata->arguments[i];
      if (argument->kind == HOCKET_ARGUMENT_SCALAR) continue;
      code = check_region(call, argument);
      if (HOCKET_UNLIKELY(code)) return code;
    }
  }
  if (metadata->num_pointers > 1 && !(metadata->flags & HOCKET_METADATA_NO_ALIAS_CHECK)) {
    for (int32_t i = 0; i < count; ++i) {
      if (metadata->arguments[i].kind != HOCKET_ARGUMENT_OUTPUT) continue;
      code = check_alias(call, i);
      if (HOCKET_UNLIKELY(code)) return code;
    }
  }

  uint64_t mode = hocket_fp_enter_inline();
  code = body(call->context, call->scalars, call->pointers);
  hocket_fp_leave_inline(mode);
  return code;
}

/* The same with arrays from the heap. */
static HOCKET_COLD int32_t run_large(hocket_call_t* call, hocket_body_fn body,
                                     hocket_regions_fn regions) {
  const hocket_metadata_t* metadata = call->metadata;
  size_t slots = (size_t)metadata->num_scalars + (size_t)metadata->num_regions;
  size_t bytes = slots * sizeof(int64_t) +
                 (size_t)metadata->num_pointers * (sizeof(void*) + sizeof(hocket_span_t));
  char* memory = (char*)hocket_malloc(call->context, bytes);
  if (!memory) return hocket_fail_memory(call->context, metadata->name, NULL, (int64_t)bytes);
  call->scalars = (int64_t*)(void*)memory;
  call->regions = call->scalars + metadata->num_scalars;
  call->spans = (hocket_span_t*)(void*)(call->regions + metadata->num_regions);
  call->pointers = (void**)(void*)(call->spans + metadata->num_pointers);
  int32_t code = run(call, body, regions);
  hocket_free(call->context, memory);
  return code;
}

int32_t hocket_call(const hocket_metadata_t* metadata, hocket_body_fn body,
                    hocket_regions_fn regions, const hocket_context_t* context, void* const* args) {
  int64_t scalars[kSmallScalars];
  int64_t region_slots[kSmallRegions];
  void* pointers[kSmallPointers];
  hocket_span_t spans[kSmallPointers];
  hocket_call_t call = {metadata, context, args, scalars, region_slots, pointers, spans, 0};
  if (HOCKET_UNLIKELY(metadata->version != HOCKET_ABI_VERSION)) return hocket_fail_version(&call);
  if (HOCKET_UNLIKELY(metadata->num_scalars > kSmallScalars ||
                      metadata->num_regions > kSmallRegions ||
                      metadata->num_pointers > kSmallPointers)) {
    return run_large(&call, body, regions);
  }
  return run(&call, body, regions);
}
