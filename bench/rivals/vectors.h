// The widest u16 vector of the machine the rivals are compiled for, with the five operations that
// hand-written blurs and copies need.
// In: -march=native. Out: U16s. Used by: blur_copies.cpp, blur_fused_rows.cpp.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace hocket::bench {

#if defined(__AVX512BW__)
using U16s = __m512i;
inline U16s load(const uint16_t* p) {
  return _mm512_loadu_si512(p);
}
inline void store(uint16_t* p, U16s v) {
  _mm512_store_si512(p, v);
}
inline void stream(uint16_t* p, U16s v) {
  _mm512_stream_si512(reinterpret_cast<U16s*>(p), v);
}
inline U16s third_of_sum(U16s a, U16s b, U16s c) {
  U16s sum = _mm512_add_epi16(_mm512_add_epi16(a, b), c);
  return _mm512_srli_epi16(_mm512_mulhi_epu16(sum, _mm512_set1_epi16(static_cast<short>(0xAAAB))),
                           1);
}
#elif defined(__AVX2__)
using U16s = __m256i;
inline U16s load(const uint16_t* p) {
  return _mm256_loadu_si256(reinterpret_cast<const U16s*>(p));
}
inline void store(uint16_t* p, U16s v) {
  _mm256_store_si256(reinterpret_cast<U16s*>(p), v);
}
inline void stream(uint16_t* p, U16s v) {
  _mm256_stream_si256(reinterpret_cast<U16s*>(p), v);
}
inline U16s third_of_sum(U16s a, U16s b, U16s c) {
  U16s sum = _mm256_add_epi16(_mm256_add_epi16(a, b), c);
  return _mm256_srli_epi16(_mm256_mulhi_epu16(sum, _mm256_set1_epi16(static_cast<short>(0xAAAB))),
                           1);
}
#else
using U16s = __m128i;
inline U16s load(const uint16_t* p) {
  return _mm_loadu_si128(reinterpret_cast<const U16s*>(p));
}
inline void store(uint16_t* p, U16s v) {
  _mm_store_si128(reinterpret_cast<U16s*>(p), v);
}
inline void stream(uint16_t* p, U16s v) {
  _mm_stream_si128(reinterpret_cast<U16s*>(p), v);
}
inline U16s third_of_sum(U16s a, U16s b, U16s c) {
  U16s sum = _mm_add_epi16(_mm_add_epi16(a, b), c);
  return _mm_srli_epi16(_mm_mulhi_epu16(sum, _mm_set1_epi16(static_cast<short>(0xAAAB))), 1);
}
#endif

constexpr int kLanes = sizeof(U16s) / sizeof(uint16_t);

}  // namespace hocket::bench
