#include "ir/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "ir/semantics.h"

namespace hocket::ir {

namespace {

constexpr auto kWords = std::to_array<std::string_view>({
    "pipeline",  "schedule",    "trace", "def",    "flat",   "entry",  "for",   "in",     "if",
    "elif",      "else",        "let",   "pass",   "assert", "check",  "block", "stream", "free",
    "rdom",      "where",       "over",  "and",    "or",     "not",    "true",  "false",  "inf",
    "nan",       "strict",      "fused", "select", "min",    "max",    "abs",   "sqrt",   "floor",
    "ceil",      "round",       "trunc", "fma",    "clamp",  "stride", "ramp",  "window", "shuffle",
    "broadcast", "repeat_edge", "size",  "R",      "_",
});

bool is_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_part(char c) {
  return is_start(c) || (c >= '0' && c <= '9');
}

template <class T>
std::string shortest(T value) {
  std::array<char, 64> buffer;
  auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

bool reads_back(const std::string& digits, double value, Type type) {
  double back = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), back);
  return round_to(type, back) == value;
}

void escape(std::string& out, std::string_view value, char quote) {
  for (char c : value) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\x";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
}

}  // namespace

bool is_reserved_word(std::string_view word) {
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end() ||
         Type::parse(word).has_value();
}

bool is_identifier(std::string_view word) {
  return !word.empty() && is_start(word[0]) && std::all_of(word.begin(), word.end(), is_part);
}

std::string spell_name(std::string_view name) {
  bool bare = !name.empty();
  for (size_t from = 0; bare && from <= name.size();) {
    size_t dot = std::min(name.find('.', from), name.size());
    std::string_view part = name.substr(from, dot - from);
    bare = is_identifier(part) && !is_reserved_word(part);
    from = dot + 1;
  }
  if (bare) return std::string(name);
  std::string out = "`";
  escape(out, name, '`');
  return out + "`";
}

std::string spell_string(std::string_view value) {
  std::string out = "\"";
  escape(out, value, '"');
  return out + "\"";
}

std::string spell_number(const IntImm& imm) {
  if (imm.type.is_bool()) return imm.value ? "true" : "false";
  if (imm.type.is_uint()) return std::to_string(static_cast<uint64_t>(imm.value));
  return std::to_string(imm.value);
}

std::string spell_number(const FloatImm& imm) {
  return spell_float(imm.value, imm.type);
}

std::string spell_float(double value, Type type) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string s = shortest(value);
  if (type.bits < 64) {
    std::string narrow = shortest(static_cast<float>(value));
    if (reads_back(narrow, value, type)) s = narrow;
  }
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s;
}

std::string spell_default(double value, Type type) {
  if (type.is_bool()) return value != 0 ? "true" : "false";
  if (type.is_float()) return spell_float(value, type);
  if (type.is_uint() && value == std::trunc(value) && value >= 0x1p63 && value < 0x1p64)
    return std::to_string(static_cast<uint64_t>(value));
  if (value == std::trunc(value) && std::fabs(value) < 0x1p63)
    return std::to_string(static_cast<int64_t>(value));
  return spell_float(value, Type::f(64));
}

std::string wrapped(const std::string& head, const std::vector<std::string>& parts,
                    const std::string& tail) {
  std::string out = head, line = head;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string part = parts[i] + (i + 1 < parts.size() ? ", " : tail);
    if (i > 0 && line.size() + part.size() > size_t{100}) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += "\n        ";
      line = "        ";
    }
    out += part;
    line += part;
  }
  return parts.empty() ? out + tail : out;
}

}  // namespace hocket::ir
