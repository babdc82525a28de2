/* Errors as data: the default handler, each thread's last error, and the words.
 *
 * The default handler only remembers: nothing is printed and nothing aborts. Texts are copied,
 * because the strings of code made at run time may be gone when somebody asks.
 */
#include "runtime/runtime_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local hocket_saved_error_t last_error;

static const char* copy_text(char* to, const char* from) {
  if (!from) return NULL;
  size_t length = strlen(from);
  if (length >= HOCKET_TEXT_SIZE) length = HOCKET_TEXT_SIZE - 1;
  memmove(to, from, length);
  to[length] = 0;
  return to;
}

void hocket_save_error(hocket_saved_error_t* to, const hocket_error_t* from) {
  hocket_error_t error = *from; /* `from` may be inside `to` */
  error.pipeline = copy_text(to->pipeline, error.pipeline);
  error.argument = copy_text(to->argument, error.argument);
  error.other = copy_text(to->other, error.other);
  error.text = copy_text(to->text, error.text);
  to->error = error;
}

void hocket_set_last_error(const hocket_error_t* error) {
  hocket_save_error(&last_error, error);
}

void hocket_default_error(const hocket_context_t* context, int32_t code,
                          const hocket_error_t* details) {
  (void)context;
  (void)code;
  hocket_save_error(&last_error, details);
}

const hocket_error_t* hocket_last_error(void) {
  return last_error.error.code ? &last_error.error : NULL;
}

void hocket_clear_last_error(void) {
  last_error.error.code = 0;
}

/* ---- reports from generated code ---- */

static hocket_error_t make_error(int32_t code, const char* pipeline) {
  hocket_error_t error;
  memset(&error, 0, sizeof error);
  error.code = code;
  error.pipeline = pipeline;
  error.dimension = -1;
  return error;
}

int32_t hocket_fail_check(const hocket_context_t* context, const char* pipeline, const char* text) {
  hocket_error_t error = make_error(HOCKET_ERROR_USER_CHECK_FAILED, pipeline);
  error.text = text;
  return hocket_fail(context, &error);
}

int32_t hocket_fail_size(const hocket_context_t* context, const char* pipeline,
                         const char* argument, int64_t given) {
  hocket_error_t error = make_error(HOCKET_ERROR_SIZE_TOO_SMALL, pipeline);
  error.argument = argument;
  error.constraint = HOCKET_CONSTRAINT_SCALAR_INT;
  error.needed_min = 1;
  error.needed_max = INT64_MAX;
  error.given_min = error.given_max = given;
  return hocket_fail(context, &error);
}

int32_t hocket_fail_range(const hocket_context_t* context, const char* pipeline,
                          const char* argument, int64_t needed_min, int64_t needed_max,
                          int64_t given) {
  hocket_error_t error = make_error(HOCKET_ERROR_PARAM_OUT_OF_RANGE, pipeline);
  error.argument = argument;
  error.constraint = HOCKET_CONSTRAINT_SCALAR_INT;
  error.needed_min = needed_min;
  error.needed_max = needed_max;
  error.given_min = error.given_max = given;
  return hocket_fail(context, &error);
}

int32_t hocket_fail_schedule(const hocket_context_t* context, const char* pipeline, int32_t code,
                             const char* text, const char* argument, int32_t dimension, int64_t min,
                             int64_t extent) {
  hocket_error_t error = make_error(code, pipeline);
  error.constraint = HOCKET_CONSTRAINT_SCHEDULE;
  error.argument = argument;
  error.dimension = dimension;
  error.text = text;
  error.given_min = min;
  error.given_max = min + extent - 1; /* hocket_call has seen that they fit 32 bits */
  return hocket_fail(context, &error);
}

int32_t hocket_fail_memory(const hocket_context_t* context, const char* pipeline, const char* name,
                           int64_t bytes) {
  hocket_error_t error = make_error(HOCKET_ERROR_OUT_OF_MEMORY, pipeline);
  error.argument = name;
  error.needed_min = bytes;
  return hocket_fail(context, &error);
}

int32_t hocket_fail_internal(const hocket_context_t* context, const char* pipeline,
                             const char* text) {
  hocket_error_t error = make_error(HOCKET_ERROR_INTERNAL, pipeline);
  error.text = text;
  return hocket_fail(context, &error);
}

/* ---- words ---- */

typedef struct hocket_writer_t {
  char* buffer;
  size_t size;
  size_t length; /* of the whole text, written or not */
} hocket_writer_t;

static void put(hocket_writer_t* writer, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(hocket_writer_t* writer, const char* format, ...) {
  size_t room = writer->length < writer->size ? writer->size - writer->length : 0;
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(room ? writer->buffer + writer->length : NULL, room, format, arguments);
  va_end(arguments);
  if (count > 0) writer->length += (size_t)count;
}

static const char* given_name(const char* name) {
  return name ? name : "?";
}

static void put_type(hocket_writer_t* writer, hocket_type_t type) {
  static const char* const names[] = {"i", "u", "f", "bf", "bool"};
  if (type.code == HOCKET_TYPE_BOOL) {
    put(writer, "bool");
  } else if (type.code < HOCKET_TYPE_BOOL) {
    put(writer, "%s%d", names[type.code], type.bits);
  } else {
    put(writer, "type code %d of %d bits", type.code, type.bits);
  }
  if (type.lanes != 1) put(writer, " in %d lanes", type.lanes);
}

static void put_range(hocket_writer_t* writer, int64_t min, int64_t max) {
  if (max < min) {
    put(writer, "nothing");
  } else {
    put(writer, "%" PRId64 " to %" PRId64, min, max);
  }
}

/* The program's own words, and what is there instead where they ask for a range. */
static void put_words(hocket_writer_t* writer, const hocket_error_t* error) {
  put(writer, "%s", given_name(error->text));
  if (error->constraint != HOCKET_CONSTRAINT_SCHEDULE) return;
  put(writer, ", is ");
  put_range(writer, error->given_min, error->given_max);
}

static void put_scalar_range(hocket_writer_t* writer, const hocket_error_t* error) {
  if (error->constraint == HOCKET_CONSTRAINT_SCALAR_FLOAT) {
    put(writer, "must be from %.17g to %.17g, is %.17g", error->needed_fmin, error->needed_fmax,
        error->given_float);
  } else if (error->constraint == HOCKET_CONSTRAINT_SCALAR_UINT) {
    put(writer, "must be from %" PRIu64 " to %" PRIu64 ", is %" PRIu64, (uint64_t)error->needed_min,
        (uint64_t)error->needed_max, (uint64_t)error->given_min);
  } else {
    put(writer, "must be from %" PRId64 " to %" PRId64 ", is %" PRId64, error->needed_min,
        error->needed_max, error->given_min);
  }
}

static void put_constraint(hocket_writer_t* writer, const hocket_error_t* error) {
  static const char* const names[] = {"min", "extent", "stride", "min", "extent"};
  const char* name = "layout";
  if (error->constraint == HOCKET_CONSTRAINT_NONE && error->text) {
    put_words(writer, error);
    return;
  }
  if (error->constraint >= HOCKET_CONSTRAINT_MIN &&
      error->constraint <= HOCKET_CONSTRAINT_EXTENT_MULTIPLE) {
    name = names[error->constraint - HOCKET_CONSTRAINT_MIN];
  }
  put(writer, "%s of dimension %" PRId32 " must be %s%" PRId64 ", is %" PRId64, name,
      error->dimension, error->constraint >= HOCKET_CONSTRAINT_MIN_MULTIPLE ? "a multiple of " : "",
      error->needed_min, error->given_min);
}

static void put_overflow(hocket_writer_t* writer, const hocket_error_t* error) {
  if (error->constraint == HOCKET_CONSTRAINT_BYTE_OFFSET) {
    put(writer, "spans more than 2^63 bytes");
  } else if (error->given_min >= INT32_MIN && error->given_max <= INT32_MAX) {
    put(writer, "dimension %" PRId32 " spans ", error->dimension);
    put_range(writer, error->given_min, error->given_max);
    put(writer, ", more than 2^31 - 1 coordinates");
  } else {
    put(writer, "dimension %" PRId32 " has coordinates ", error->dimension);
    put_range(writer, error->given_min, error->given_max);
    put(writer, ", beyond 32 bits");
  }
}

static void put_fault(hocket_writer_t* writer, const hocket_error_t* error) {
  switch (error->code) {
    case HOCKET_ERROR_BUFFER_NULL:
      put(writer, "is null");
      return;
    case HOCKET_ERROR_WRONG_TYPE:
      put(writer, "has elements of type ");
      put_type(writer, error->given_type);
      put(writer, ", needs ");
      put_type(writer, error->needed_type);
      return;
    case HOCKET_ERROR_WRONG_RANK:
      put(writer, "has %" PRId32 " dimensions, needs %" PRId32, error->given_rank,
          error->needed_rank);
      return;
    case HOCKET_ERROR_EXTENT_NEGATIVE:
      put(writer, "dimension %" PRId32 " has the negative extent %" PRId64, error->dimension,
          error->given_min);
      return;
    case HOCKET_ERROR_EXTENT_OVERFLOW:
      put_overflow(writer, error);
      return;
    case HOCKET_ERROR_PARAM_OUT_OF_RANGE:
      put_scalar_range(writer, error);
      return;
    case HOCKET_ERROR_SIZE_TOO_SMALL:
      put(writer, "is a size and must be at least 1, is %" PRId64, error->given_min);
      return;
    case HOCKET_ERROR_CONSTRAINT_VIOLATED:
      put_constraint(writer, error);
      return;
    case HOCKET_ERROR_MISALIGNED:
      put(writer,
          "must start at a multiple of %" PRId64 " bytes, starts at %" PRId64 " bytes past one",
          error->needed_min, error->given_min);
      return;
    case HOCKET_ERROR_BUFFER_TOO_SMALL:
      if (error->text) {
        put_words(writer, error);
        return;
      }
      put(writer, "needs ");
      put_range(writer, error->needed_min, error->needed_max);
      put(writer, " in dimension %" PRId32 ", has ", error->dimension);
      put_range(writer, error->given_min, error->given_max);
      return;
    case HOCKET_ERROR_ALIAS_OVERLAP:
      if (error->other && error->argument && strcmp(error->other, error->argument) == 0) {
        put(writer, "has several coordinates at one address");
      } else {
        put(writer, "shares memory with `%s`", given_name(error->other));
      }
      return;
    case HOCKET_ERROR_OUT_OF_MEMORY:
      put(writer, "needs %" PRId64 " bytes that cannot be allocated", error->needed_min);
      return;
    case HOCKET_ERROR_DEVICE:
      put(writer, "holds its data on a device that this code cannot reach");
      return;
    case HOCKET_ERROR_VERSION:
      put(writer,
          "compiled for version %" PRId64 " of the binary contract, this runtime has %" PRId64,
          error->given_min, error->needed_min);
      return;
    case HOCKET_ERROR_USER_CHECK_FAILED:
      put(writer, "check failed");
      break;
    case HOCKET_ERROR_EXTERN_FAILED:
      put(writer, "an extern stage failed");
      break;
    case HOCKET_ERROR_CANCELLED:
      put(writer, "cancelled");
      break;
    case HOCKET_ERROR_THREADS:
      put(writer, "a thread cannot be started");
      break;
    case HOCKET_ERROR_INTERNAL:
      put(writer, "bug in Hocket");
      break;
    default:
      put(writer, "error %" PRId32, error->code);
      break;
  }
  if (error->text) put(writer, ": %s", error->text);
}

size_t hocket_error_message(const hocket_error_t* error, char* buffer, size_t size) {
  hocket_writer_t writer = {buffer, size, 0};
  if (size > 0) buffer[0] = 0;
  if (error->pipeline) put(&writer, "`%s`: ", error->pipeline);
  if (error->constraint == HOCKET_CONSTRAINT_SCHEDULE) {
    put_words(&writer, error); /* they name the argument */
    return writer.length;
  }
  if (error->argument) put(&writer, "`%s` ", error->argument);
  put_fault(&writer, error);
  return writer.length;
}
