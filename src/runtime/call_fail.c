/* What hocket_call has to say when an argument is refused: the rarer checks, and the details of
 * every report. All of it is out of line, so that the way of a good call stays short.
 */
#include "runtime/call_internal.h"

#include <math.h>
#include <string.h>

static hocket_error_t describe(const hocket_call_t* call, const hocket_argument_t* argument,
                               int32_t code) {
  hocket_error_t error;
  memset(&error, 0, sizeof error);
  error.code = code;
  error.pipeline = call->metadata->name;
  error.argument = argument ? argument->name : NULL;
  error.dimension = -1;
  return error;
}

HOCKET_COLD int32_t hocket_call_fail(const hocket_call_t* call, const hocket_argument_t* argument,
                                     int32_t code) {
  hocket_error_t error = describe(call, argument, code);
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_version(const hocket_call_t* call) {
  hocket_error_t error = describe(call, NULL, HOCKET_ERROR_VERSION);
  error.pipeline = NULL; /* where its name lies is not known */
  error.needed_min = HOCKET_ABI_VERSION;
  error.given_min = call->metadata->version;
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_rank(const hocket_call_t* call, const hocket_argument_t* argument,
                                     const hocket_buffer_t* buffer) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_WRONG_RANK);
  error.needed_rank = argument->dimensions;
  error.given_rank = buffer->dimensions;
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_type(const hocket_call_t* call, const hocket_argument_t* argument,
                                     const hocket_buffer_t* buffer) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_WRONG_TYPE);
  error.needed_type = argument->type;
  error.given_type = buffer->type;
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_dim(const hocket_call_t* call, const hocket_argument_t* argument,
                                    int32_t dim, int32_t code, int64_t given_min,
                                    int64_t given_max) {
  hocket_error_t error = describe(call, argument, code);
  error.dimension = dim;
  error.given_min = given_min;
  error.given_max = given_max;
  if (code == HOCKET_ERROR_EXTENT_OVERFLOW) {
    error.constraint = HOCKET_CONSTRAINT_COORDINATES;
    error.needed_min = INT32_MIN;
    error.needed_max = INT32_MAX;
  }
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_coordinates(const hocket_call_t* call,
                                            const hocket_argument_t* argument, int32_t dim,
                                            int64_t min, int64_t extent) {
  int64_t max;
  if (__builtin_add_overflow(min, extent - 1, &max)) max = INT64_MAX;
  return hocket_fail_dim(call, argument, dim, HOCKET_ERROR_EXTENT_OVERFLOW, min, max);
}

HOCKET_COLD int32_t hocket_fail_bytes(const hocket_call_t* call,
                                      const hocket_argument_t* argument) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_EXTENT_OVERFLOW);
  error.constraint = HOCKET_CONSTRAINT_BYTE_OFFSET;
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_constraint(const hocket_call_t* call,
                                           const hocket_argument_t* argument, int32_t dim,
                                           hocket_constraint_t constraint, int64_t needed,
                                           int64_t given) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_CONSTRAINT_VIOLATED);
  error.constraint = constraint;
  error.dimension = dim;
  error.needed_min = error.needed_max = needed;
  error.given_min = error.given_max = given;
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_alignment(const hocket_call_t* call,
                                          const hocket_argument_t* argument, int64_t needed,
                                          int64_t past) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_MISALIGNED);
  error.needed_min = error.needed_max = needed;
  error.given_min = error.given_max = past;
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_region(const hocket_call_t* call,
                                       const hocket_argument_t* argument) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_BUFFER_TOO_SMALL);
  const int64_t* slots = call->scalars + argument->scalar_index;
  const int64_t* region = call->regions + argument->region_index;
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    int64_t min = slots[3 * d], max = min + slots[3 * d + 1] - 1;
    if (region[2 * d] >= min && region[2 * d + 1] <= max) continue;
    error.dimension = d;
    error.needed_min = region[2 * d];
    error.needed_max = region[2 * d + 1];
    error.given_min = min;
    error.given_max = max;
    break;
  }
  return hocket_fail(call->context, &error);
}

HOCKET_COLD int32_t hocket_fail_alias(const hocket_call_t* call, const hocket_argument_t* argument,
                                      const hocket_argument_t* other) {
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_ALIAS_OVERLAP);
  error.other = other->name;
  return hocket_fail(call->context, &error);
}

/* ---- scalars ---- */

static double half_to_double(uint32_t bits) {
  int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
  double value;
  if (exponent == 31) {
    value = fraction ? (double)NAN : (double)INFINITY;
  } else if (exponent == 0) {
    value = fraction * 0x1p-24;
  } else {
    value = (double)((uint64_t)1 << exponent) * (1024 + fraction) * 0x1p-25;
  }
  return bits >> 15 ? -value : value;
}

static double float_value(hocket_type_t type, int64_t bits) {
  double wide;
  float narrow;
  uint32_t low = (uint32_t)bits;
  if (type.code == HOCKET_TYPE_BFLOAT) low <<= 16;
  if (type.code == HOCKET_TYPE_FLOAT && type.bits == 64) {
    memcpy(&wide, &bits, sizeof wide);
    return wide;
  }
  if (type.code == HOCKET_TYPE_FLOAT && type.bits == 16) return half_to_double(low);
  memcpy(&narrow, &low, sizeof narrow);
  return narrow;
}

static int32_t check_float_range(const hocket_call_t* call, const hocket_argument_t* argument,
                                 double value) {
  double min = argument->flags & HOCKET_ARGUMENT_HAS_MIN ? argument->fmin : -(double)INFINITY;
  double max = argument->flags & HOCKET_ARGUMENT_HAS_MAX ? argument->fmax : (double)INFINITY;
  if (value >= min && value <= max) return 0; /* a NaN is in no range */
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_PARAM_OUT_OF_RANGE);
  error.constraint = HOCKET_CONSTRAINT_SCALAR_FLOAT;
  error.needed_fmin = min;
  error.needed_fmax = max;
  error.given_float = value;
  return hocket_fail(call->context, &error);
}

/* Compared as unsigned numbers after the sign bit was flipped for the signed ones. */
static int32_t check_integer_range(const hocket_call_t* call, const hocket_argument_t* argument,
                                   int64_t bits) {
  int is_unsigned = argument->type.code != HOCKET_TYPE_INT;
  uint64_t flip = is_unsigned ? 0 : (uint64_t)1 << 63;
  int64_t min = is_unsigned ? 0 : INT64_MIN, max = is_unsigned ? -1 : INT64_MAX;
  if (argument->flags & HOCKET_ARGUMENT_HAS_MIN) min = argument->min;
  if (argument->flags & HOCKET_ARGUMENT_HAS_MAX) max = argument->max;
  uint64_t value = (uint64_t)bits ^ flip;
  if (value >= ((uint64_t)min ^ flip) && value <= ((uint64_t)max ^ flip)) return 0;
  hocket_error_t error = describe(call, argument, HOCKET_ERROR_PARAM_OUT_OF_RANGE);
  error.constraint = is_unsigned ? HOCKET_CONSTRAINT_SCALAR_UINT : HOCKET_CONSTRAINT_SCALAR_INT;
  error.needed_min = min;
  error.needed_max = max;
  error.given_min = error.given_max = bits;
  return hocket_fail(call->context, &error);
}

int32_t hocket_check_scalar_range(const hocket_call_t* call, const hocket_argument_t* argument,
                                  int64_t bits) {
  int code = argument->type.code;
  if (code == HOCKET_TYPE_FLOAT || code == HOCKET_TYPE_BFLOAT) {
    return check_float_range(call, argument, float_value(argument->type, bits));
  }
  int is_signed = code == HOCKET_TYPE_INT;
  if (argument->flags & HOCKET_ARGUMENT_IS_SIZE && (is_signed ? bits < 1 : bits == 0)) {
    return hocket_fail_size(call->context, call->metadata->name, argument->name, bits);
  }
  if (!(argument->flags & (HOCKET_ARGUMENT_HAS_MIN | HOCKET_ARGUMENT_HAS_MAX))) return 0;
  return check_integer_range(call, argument, bits);
}

/* ---- constraints ---- */

int32_t hocket_check_constraints(const hocket_call_t* call, const hocket_argument_t* argument,
                                 const hocket_buffer_t* buffer) {
  for (int32_t d = 0; d < argument->dimensions; ++d) {
    const hocket_dim_constraint_t* wanted = &argument->constraints[d];
    const hocket_dim_t* dim = &buffer->dim[d];
    const struct {
      hocket_constraint_t constraint;
      int64_t needed, given;
    } exact[] = {{HOCKET_CONSTRAINT_MIN, wanted->min, dim->min},
                 {HOCKET_CONSTRAINT_EXTENT, wanted->extent, dim->extent},
                 {HOCKET_CONSTRAINT_STRIDE, wanted->stride, dim->stride}};
    for (int i = 0; i < 3; ++i) {
      if (exact[i].needed != HOCKET_FREE && exact[i].needed != exact[i].given) {
        return hocket_fail_constraint(call, argument, d, exact[i].constraint, exact[i].needed,
                                      exact[i].given);
      }
    }
    if (wanted->min_multiple > 1 && dim->min % wanted->min_multiple != 0) {
      return hocket_fail_constraint(call, argument, d, HOCKET_CONSTRAINT_MIN_MULTIPLE,
                                    wanted->min_multiple, dim->min);
    }
    if (wanted->extent_multiple > 1 && dim->extent % wanted->extent_multiple != 0) {
      return hocket_fail_constraint(call, argument, d, HOCKET_CONSTRAINT_EXTENT_MULTIPLE,
                                    wanted->extent_multiple, dim->extent);
    }
  }
  return 0;
}
