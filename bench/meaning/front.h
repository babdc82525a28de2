// One source, two front ends: Hocket's names, or Halide's (-DMEANING_HALIDE). What a program prints
// has to be the same. Used by operators.cpp and programs.cpp; compared by scripts/meaning.py.
#pragma once

#ifdef MEANING_HALIDE
#include <Halide.h>
using namespace Halide;                // NOLINT: the programs are written as their users write them
using namespace Halide::ConciseCasts;  // NOLINT
inline Type type_of_func(const Func& f) {
  return f.types()[0];
}
#else
#include <hocket/hocket.h>
using namespace hocket;  // NOLINT
inline Type type_of_func(const Func& f) {
  return f.type();
}
#endif

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

inline std::string name_of(const Type& t) {
  return (t.is_float()  ? "f"
          : t.is_bool() ? "bool"
          : t.is_int()  ? "i"
                        : "u") +
         std::to_string(t.bits());
}

// Exact, so that two results are the same where their texts are; every NaN is one.
template <class T>
std::string digits(T value) {
  char text[64];
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return "nan";
    std::snprintf(text, sizeof(text), "%a", static_cast<double>(value));
  } else if constexpr (std::is_signed_v<T>) {
    std::snprintf(text, sizeof(text), "%lld", static_cast<long long>(value));
  } else {
    std::snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(value));
  }
  return text;
}
