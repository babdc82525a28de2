#include "ir/type.h"

#include <charconv>
#include <limits>

namespace hocket::ir {

int64_t Type::min_value() const {
  if (is_uint() || is_bool()) return 0;
  if (bits == 64) return std::numeric_limits<int64_t>::min();
  return -(int64_t{1} << (bits - 1));
}

int64_t Type::max_value() const {
  if (is_bool()) return 1;
  if (is_uint()) return bits == 64 ? -1 : (int64_t{1} << bits) - 1;
  if (bits == 64) return std::numeric_limits<int64_t>::max();
  return (int64_t{1} << (bits - 1)) - 1;
}

std::string Type::name() const {
  std::string s;
  switch (code) {
    case TypeCode::Int:
      s = "i" + std::to_string(bits);
      break;
    case TypeCode::UInt:
      s = "u" + std::to_string(bits);
      break;
    case TypeCode::Float:
      s = "f" + std::to_string(bits);
      break;
    case TypeCode::BFloat:
      s = "bf16";
      break;
    case TypeCode::Bool:
      s = "bool";
      break;
    case TypeCode::Index:
      s = "index";
      break;
  }
  if (lanes > 1) s += "x" + std::to_string(lanes);
  return s;
}

std::optional<Type> Type::parse(std::string_view word) {
  int lanes = 1;
  if (auto x = word.rfind('x'); x != std::string_view::npos && x + 1 < word.size() &&
                                word != "index" && word[x + 1] >= '1' && word[x + 1] <= '9') {
    std::string_view digits = word.substr(x + 1);
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), lanes);
    if (error != std::errc{} || end != digits.data() + digits.size() || lanes < 1 || lanes > 65535)
      return std::nullopt;
    word = word.substr(0, x);
  }
  if (word == "index") return index(lanes);
  if (word == "bool") return boolean(lanes);
  if (word == "bf16") return bf16(lanes);
  for (int bits : {8, 16, 32, 64}) {
    std::string n = std::to_string(bits);
    if (word == "i" + n) return i(bits, lanes);
    if (word == "u" + n) return u(bits, lanes);
    if (bits >= 16 && word == "f" + n) return f(bits, lanes);
  }
  return std::nullopt;
}

}  // namespace hocket::ir
