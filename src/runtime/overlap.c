/* Do two strided boxes share a byte? Does one box hold two coordinates at one address?
 *
 * Called by hocket_call when the byte ranges of two buffers meet, which boxes of one image often
 * do without sharing anything (its left and right half). Exact, by branch and bound over the
 * dimensions; where the search would be long the answer is the cautious one.
 */
#include "runtime/runtime_internal.h"

enum {
  kMaxTerms = 32,     /* dimensions of both buffers together; more: assume overlap */
  kMaxSteps = 1 << 14 /* nodes of the search; more: assume overlap */
};

__extension__ typedef __int128 hocket_i128;

/* coefficient * v for some integer v in [lo, hi]; coefficient > 0. */
typedef struct hocket_term_t {
  hocket_i128 coefficient;
  hocket_i128 lo, hi;
} hocket_term_t;

typedef struct hocket_search_t {
  hocket_term_t terms[kMaxTerms];     /* by descending coefficient */
  hocket_i128 rest_lo[kMaxTerms + 1]; /* least sum of terms[i..] */
  hocket_i128 rest_hi[kMaxTerms + 1];
  int count;
  int steps;
} hocket_search_t;

/* Adds stride * v, v in [lo, hi]; equal coefficients become one term, which is exact. */
static int add_term(hocket_search_t* search, hocket_i128 stride, hocket_i128 lo, hocket_i128 hi) {
  if (stride == 0 || (lo == 0 && hi == 0)) return 1;
  if (stride < 0) {
    hocket_i128 old_lo = lo;
    stride = -stride;
    lo = -hi;
    hi = -old_lo;
  }
  int at = 0;
  while (at < search->count && search->terms[at].coefficient > stride) ++at;
  if (at < search->count && search->terms[at].coefficient == stride) {
    search->terms[at].lo += lo;
    search->terms[at].hi += hi;
    return 1;
  }
  if (search->count == kMaxTerms) return 0;
  for (int i = search->count++; i > at; --i) search->terms[i] = search->terms[i - 1];
  search->terms[at].coefficient = stride;
  search->terms[at].lo = lo;
  search->terms[at].hi = hi;
  return 1;
}

static hocket_i128 floor_div(hocket_i128 a, hocket_i128 b) {
  hocket_i128 quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}

/* Can terms[at..] sum to something in [lo, hi]? */
static int reachable(hocket_search_t* search, int at, hocket_i128 lo, hocket_i128 hi) {
  if (search->rest_hi[at] < lo || search->rest_lo[at] > hi) return 0;
  if (at == search->count) return 1;
  const hocket_term_t* term = &search->terms[at];
  hocket_i128 first = -floor_div(-(lo - search->rest_hi[at + 1]), term->coefficient);
  hocket_i128 last = floor_div(hi - search->rest_lo[at + 1], term->coefficient);
  if (first < term->lo) first = term->lo;
  if (last > term->hi) last = term->hi;
  for (hocket_i128 v = first; v <= last; ++v) {
    if (++search->steps > kMaxSteps) return 1;
    if (reachable(search, at + 1, lo - term->coefficient * v, hi - term->coefficient * v)) return 1;
  }
  return 0;
}

static int is_empty(const hocket_buffer_t* buffer) {
  for (int32_t d = 0; d < buffer->dimensions; ++d) {
    if (buffer->dim[d].extent <= 0) return 1;
  }
  return 0;
}

int hocket_boxes_overlap(const hocket_buffer_t* a, const hocket_buffer_t* b) {
  if (is_empty(a) || is_empty(b)) return 0;
  int64_t bytes_a = hocket_type_bytes(a->type), bytes_b = hocket_type_bytes(b->type);
  hocket_search_t search;
  search.count = 0;
  search.steps = 0;
  for (int32_t d = 0; d < a->dimensions; ++d) {
    hocket_i128 stride = (hocket_i128)a->dim[d].stride * bytes_a;
    if (!add_term(&search, stride, 0, a->dim[d].extent - 1)) return 1;
  }
  for (int32_t d = 0; d < b->dimensions; ++d) {
    hocket_i128 stride = (hocket_i128)b->dim[d].stride * bytes_b;
    if (!add_term(&search, stride, -((hocket_i128)b->dim[d].extent - 1), 0)) return 1;
  }
  search.rest_lo[search.count] = search.rest_hi[search.count] = 0;
  for (int i = search.count; i-- > 0;) {
    const hocket_term_t* term = &search.terms[i];
    search.rest_lo[i] = search.rest_lo[i + 1] + term->coefficient * term->lo;
    search.rest_hi[i] = search.rest_hi[i + 1] + term->coefficient * term->hi;
  }
  /* Elements at p and q share a byte iff p - q is in [-(bytes_a - 1), bytes_b - 1]. */
  hocket_i128 apart = (hocket_i128)(intptr_t)b->host - (hocket_i128)(intptr_t)a->host;
  return reachable(&search, 0, apart - (bytes_a - 1), apart + (bytes_b - 1));
}

int hocket_overlaps_itself(const hocket_buffer_t* buffer) {
  hocket_i128 strides[kMaxTerms], extents[kMaxTerms];
  int count = 0;
  if (is_empty(buffer)) return 0;
  for (int32_t d = 0; d < buffer->dimensions; ++d) {
    hocket_i128 stride = buffer->dim[d].stride, extent = buffer->dim[d].extent;
    if (extent == 1) continue;
    if (count == kMaxTerms) return 1;
    if (stride < 0) stride = -stride;
    int at = count++;
    for (; at > 0 && strides[at - 1] > stride; --at) {
      strides[at] = strides[at - 1];
      extents[at] = extents[at - 1];
    }
    strides[at] = stride;
    extents[at] = extent;
  }
  hocket_i128 span = 1; /* elements from the first to the last of the dimensions so far */
  for (int i = 0; i < count; ++i) {
    if (strides[i] < span) return 1;
    span += strides[i] * (extents[i] - 1);
  }
  return 0;
}
