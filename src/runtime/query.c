/* Bounds queries: what would a call touch?
 *
 * In: a call whose shapes have passed the checks and of which at least one buffer is a question.
 * Out: type, min, extent and stride of all such buffers, written together at the end, or a code
 * with nothing written. First the outputs' boxes are brought to rest (a tail that rounds up widens
 * an output, which may widen another), then inputs are read off.
 */
#include "runtime/call_internal.h"

/* A round that rounds up adds a row at least, until rows are a multiple of a split's factor. */
enum { kMaxRounds = 4096 };

/* The box as the constraints want it: fixed values, else multiples. */
static void widen(const hocket_dim_constraint_t* wanted, int64_t* min, int64_t* max) {
  if (wanted->min != HOCKET_FREE) {
    *min = wanted->min;
  } else if (wanted->min_multiple > 1) {
    int64_t rest = *min % wanted->min_multiple;
    *min -= rest < 0 ? rest + wanted->min_multiple : rest;
  }
  int64_t extent = *max - *min + 1;
  if (wanted->extent != HOCKET_FREE) {
    extent = wanted->extent;
  } else if (wanted->extent_multiple > 1 && extent > 0) {
    extent = (extent + wanted->extent_multiple - 1) / wanted->extent_multiple;
    extent *= wanted->extent_multiple;
  }
  *max = *min + extent - 1;
}

static int fits(int64_t value) {
  return value == (int32_t)value;
}

/* Takes a buffer's region into its scalar slots. */
static int32_t take_region(hocket_call_t* call, const hocket_argument_t* argument, int* changed) {
  int64_t* slots = call->scalars + argument->scalar_index;
  const int64_t* region = call->regions + argument->region_index;
  int nothing = 0;
  for (int32_t d = 0; d < argument->dimensions; ++d) nothing |= region[2 * d + 1] < region[2 * d];
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    int64_t min = region[2 * d], max = region[2 * d + 1];
    if (nothing) { /* nothing is needed: an empty box, near where it was asked for */
      min = fits(min) ? min : 0;
      max = min - 1;
    }
    if (!fits(min) || (!nothing && !fits(max))) {
      return hocket_fail_dim(call, argument, d, HOCKET_ERROR_EXTENT_OVERFLOW, min, max);
    }
    if (argument->constraints) widen(&argument->constraints[d], &min, &max);
    if (!fits(min) || max > INT32_MAX) {
      return hocket_fail_dim(call, argument, d, HOCKET_ERROR_EXTENT_OVERFLOW, min, max);
    }
    *changed |= slots[3 * d] != min || slots[3 * d + 1] != max - min + 1;
    slots[3 * d] = min;
    slots[3 * d + 1] = max - min + 1;
  }
  return 0;
}

/* Dense strides around those that are fixed; 0 where they do not fit 63 bits. */
static int choose_strides(const hocket_call_t* call, const hocket_argument_t* argument) {
  int64_t* slots = call->scalars + argument->scalar_index;
  int64_t next = 1; /* the first stride beyond everything placed so far */
  for (int32_t d = 0; argument->constraints && d < argument->dimensions; ++d) {
    int64_t fixed = argument->constraints[d].stride, extent = slots[3 * d + 1], end;
    if (fixed == HOCKET_FREE) continue;
    if (fixed == INT64_MIN || __builtin_mul_overflow(fixed < 0 ? -fixed : fixed, extent, &end)) {
      return 0;
    }
    if (end > next) next = end;
  }
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    int64_t extent = slots[3 * d + 1];
    if (argument->constraints && argument->constraints[d].stride != HOCKET_FREE) {
      slots[3 * d + 2] = argument->constraints[d].stride;
      continue;
    }
    slots[3 * d + 2] = next;
    if (__builtin_mul_overflow(next, extent > 0 ? extent : 1, &next)) return 0;
  }
  int64_t bytes;
  return !__builtin_mul_overflow(next, hocket_type_bytes(argument->type), &bytes);
}

/* Takes the regions of all queries of one kind. */
static int32_t take_regions(hocket_call_t* call, int32_t kind, int* changed) {
  const hocket_metadata_t* metadata = call->metadata;
  for (int32_t i = 0; i < metadata->num_arguments; ++i) {
    const hocket_argument_t* argument = &metadata->arguments[i];
    if (argument->kind != kind) continue;
    if (!hocket_buffer_is_query((const hocket_buffer_t*)call->args[i])) continue;
    int32_t code = take_region(call, argument, changed);
    if (code) return code;
  }
  return 0;
}

static void write_answer(const hocket_call_t* call, const hocket_argument_t* argument,
                         hocket_buffer_t* buffer) {
  const int64_t* slots = call->scalars + argument->scalar_index;
  buffer->type = argument->type;
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    buffer->dim[d].min = slots[3 * d];
    buffer->dim[d].extent = slots[3 * d + 1];
    buffer->dim[d].stride = slots[3 * d + 2];
  }
}

int32_t hocket_answer_query(hocket_call_t* call, hocket_regions_fn regions) {
  const hocket_metadata_t* metadata = call->metadata;
  int changed = 1, ignored = 0;
  for (int round = 0; regions && changed; ++round) {
    if (round == kMaxRounds) {
      return hocket_fail_internal(call->context, metadata->name,
                                  "the outputs' bounds do not come to rest");
    }
    changed = 0;
    regions(call->scalars, call->regions);
    int32_t code = take_regions(call, HOCKET_ARGUMENT_OUTPUT, &changed);
    if (code) return code;
  }
  if (regions) {
    int32_t code = take_regions(call, HOCKET_ARGUMENT_INPUT, &ignored);
    if (code) return code;
  }
  for (int pass = 0; pass < 2; ++pass) { /* judge all, then write all */
    for (int32_t i = 0; i < metadata->num_arguments; ++i) {
      const hocket_argument_t* argument = &metadata->arguments[i];
      if (argument->kind == HOCKET_ARGUMENT_SCALAR) continue;
      hocket_buffer_t* buffer = (hocket_buffer_t*)call->args[i];
      if (!hocket_buffer_is_query(buffer)) continue;
      if (pass == 0 && !choose_strides(call, argument)) return hocket_fail_bytes(call, argument);
      if (pass == 1) write_answer(call, argument, buffer);
    }
  }
  return 0;
}
