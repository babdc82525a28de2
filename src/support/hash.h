// Hashes that are the same in every process, so that they may key files and name things.
// In: integers and bytes, in order. Out: 64 bits. Used by: ir (structural hash), driver (cache).
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace hocket::support {

class Hasher {
 public:
  template <std::integral T>
  Hasher& add(T value) {
    return mix(static_cast<std::uint64_t>(value));
  }
  Hasher& add(std::string_view bytes) {
    mix(bytes.size());
    std::uint64_t word = 0;
    int filled = 0;
    for (unsigned char byte : bytes) {
      word |= std::uint64_t{byte} << (8 * filled);
      if (++filled == 8) {
        mix(word);
        word = 0;
        filled = 0;
      }
    }
    return filled > 0 ? mix(word) : *this;
  }

  std::uint64_t finish() const { return scramble(state_); }

 private:
  Hasher& mix(std::uint64_t value) {
    state_ = scramble(state_ ^ value) + 0x9e3779b97f4a7c15u;
    return *this;
  }
  // The finaliser of MurmurHash3, a bijection of 64 bits.
  static std::uint64_t scramble(std::uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
  }

  std::uint64_t state_ = 0x243f6a8885a308d3u;
};

}  // namespace hocket::support
