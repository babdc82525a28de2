#include "codegen/c/text.h"

#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "codegen/common/header_names.h"
#include "codegen/common/words.h"
#include "ir/semantics.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

// What the text itself names. Keywords and functions of the library stand in common/words.cpp,
// names of headers in common/header_names.cpp.
const std::unordered_set<std::string>& reserved_words() {
  static const std::unordered_set<std::string> words = {
      "context", "scalars", "pointers", "regions", "args", "closure", "code",
      "first",   "past",    "failed",   "saved",   "main", "min",     "max"};
  return words;
}

bool is_taken(const std::string& name) {
  return is_keyword(name) || is_library_function(name) || is_header_name(name) ||
         reserved_words().contains(name) || name.starts_with("hocket_") ||
         name.starts_with("hk_") || name.starts_with("__");
}

}  // namespace

std::string c_identifier(const std::string& name) {
  std::string out;
  for (const char c : name) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out = "_" + out;
  return out;
}

std::string c_free_base(const std::string& name) {
  std::string base = c_identifier(name);
  // Where the way it begins is taken, no number behind it helps.
  return is_taken(base) && is_taken(base + "_1") ? "v_" + base : base;
}

std::string CNames::fresh(const std::string& name) {
  const std::string base = c_free_base(name);
  std::string candidate = base;
  const auto avoided = [&] { return avoided_ != nullptr && avoided_->contains(candidate); };
  for (int n = 1; is_taken(candidate) || taken_.contains(candidate) || avoided(); ++n)
    candidate = base + "_" + std::to_string(n);
  taken_.insert(candidate);
  order_.push_back(candidate);
  return candidate;
}

void CNames::release(size_t mark) {
  while (order_.size() > mark) {
    taken_.erase(order_.back());
    std::erase_if(names_, [&](const auto& entry) { return entry.second == order_.back(); });
    order_.pop_back();
  }
}

const std::string& CNames::of(const ir::Symbol& symbol) {
  const auto at = names_.find(symbol);
  if (at != names_.end()) return at->second;
  return names_.emplace(symbol, fresh(symbol.name())).first->second;
}

std::string c_type(ir::Type t) {
  if (t.is_bool()) return "bool";
  if (t.is_index()) return "int64_t";
  if (t.is_float()) return t.bits == 64 ? "double" : t.bits == 32 ? "float" : "uint16_t";
  return (t.is_uint() ? "uint" : "int") + std::to_string(t.bits) + "_t";
}

const char* c_operator(ir::BinaryOp op) {
  switch (op) {
    case ir::BinaryOp::Add:
      return " + ";
    case ir::BinaryOp::Sub:
      return " - ";
    case ir::BinaryOp::Mul:
      return " * ";
    case ir::BinaryOp::Div:
      return " / ";
    case ir::BinaryOp::Mod:
      return " % ";
    case ir::BinaryOp::BitAnd:
      return " & ";
    case ir::BinaryOp::BitOr:
      return " | ";
    case ir::BinaryOp::BitXor:
      return " ^ ";
    case ir::BinaryOp::And:
      return " && ";
    case ir::BinaryOp::Or:
      return " || ";
    case ir::BinaryOp::Eq:
      return " == ";
    case ir::BinaryOp::Ne:
      return " != ";
    case ir::BinaryOp::Lt:
      return " < ";
    case ir::BinaryOp::Le:
      return " <= ";
    case ir::BinaryOp::Gt:
      return " > ";
    case ir::BinaryOp::Ge:
      return " >= ";
    default:
      HOCKET_UNREACHABLE("no operator of C");
  }
}

std::string c_literal(ir::Type t, int64_t value) {
  if (t.is_bool()) return value != 0 ? "true" : "false";
  if (t.is_uint()) {
    const std::string digits = std::to_string(static_cast<uint64_t>(value));
    return t.bits == 64 ? digits + "ull" : t.bits == 32 ? digits + "u" : digits;
  }
  if (t.bits == 64 && value == INT64_MIN) return "INT64_MIN";
  if (t.bits == 32 && value == INT32_MIN) return "INT32_MIN";
  const std::string digits = std::to_string(value);
  if (t.bits == 64 && (value > INT32_MAX || value < -INT32_MAX)) return "INT64_C(" + digits + ")";
  return digits;
}

std::string c_float_literal(ir::Type t, double value) {
  if (t.bits == 16) {
    uint16_t bits = 0;
    ir::store_bytes(ir::Scalar::of_float(t, value), &bits);
    char text[16];
    std::snprintf(text, sizeof text, "0x%04x", bits);
    return text;
  }
  const std::string suffix = t.bits == 32 ? "f" : "";
  if (std::isnan(value)) return t.bits == 32 ? "NAN" : "(double)NAN";
  if (std::isinf(value)) {
    const std::string word = t.bits == 32 ? "INFINITY" : "(double)INFINITY";
    return value < 0 ? "-" + word : word;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", value);
  // Short where that is the number itself, else exact in hexadecimal.
  const double back =
      t.bits == 32 ? static_cast<double>(std::strtof(text, nullptr)) : std::strtod(text, nullptr);
  if (std::memcmp(&back, &value, sizeof back) != 0) {
    std::snprintf(text, sizeof text, "%a", value);
    return text + suffix;
  }
  std::string s = text;
  if (s.find_first_of(".e") == std::string::npos) s += ".0";
  return s + suffix;
}

std::string c_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (u < 32 || u == 127) {
      char octal[8];
      std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(u));
      out += octal;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string c_window_type(ir::Type t, size_t rank) {
  return "struct hocket_win_" + t.name() + "_" + std::to_string(rank);
}

std::string c_window_definition(ir::Type t, size_t rank) {
  const std::string guard = "HOCKET_WIN_" + t.name() + "_" + std::to_string(rank);
  return "#ifndef " + guard + "\n#define " + guard + "\n" + c_window_type(t, rank) + " {\n  " +
         c_type(t) + "* data;\n  int64_t strides[" + std::to_string(rank) + "];\n};\n#endif\n";
}

void CWriter::line(const std::string& text) {
  text_.append(static_cast<size_t>(depth_) * 2, ' ');
  text_ += text;
  text_ += '\n';
}

}  // namespace hocket::codegen
