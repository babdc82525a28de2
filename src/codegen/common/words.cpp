#include "codegen/common/words.h"

#include <cctype>
#include <unordered_set>

#include "codegen/common/header_names.h"

namespace hocket::codegen {

namespace {

using Words = std::unordered_set<std::string>;

const Words& keywords() {
  static const Words words = {"alignas",
                              "alignof",
                              "and",
                              "and_eq",
                              "asm",
                              "auto",
                              "bitand",
                              "bitor",
                              "bool",
                              "break",
                              "case",
                              "catch",
                              "char",
                              "char8_t",
                              "char16_t",
                              "char32_t",
                              "class",
                              "compl",
                              "concept",
                              "const",
                              "consteval",
                              "constexpr",
                              "constinit",
                              "const_cast",
                              "continue",
                              "co_await",
                              "co_return",
                              "co_yield",
                              "decltype",
                              "default",
                              "delete",
                              "do",
                              "double",
                              "dynamic_cast",
                              "else",
                              "enum",
                              "explicit",
                              "export",
                              "extern",
                              "false",
                              "float",
                              "for",
                              "friend",
                              "goto",
                              "if",
                              "inline",
                              "int",
                              "long",
                              "mutable",
                              "namespace",
                              "new",
                              "noexcept",
                              "not",
                              "not_eq",
                              "nullptr",
                              "operator",
                              "or",
                              "or_eq",
                              "private",
                              "protected",
                              "public",
                              "register",
                              "reinterpret_cast",
                              "requires",
                              "restrict",
                              "return",
                              "short",
                              "signed",
                              "sizeof",
                              "static",
                              "static_assert",
                              "static_cast",
                              "struct",
                              "switch",
                              "template",
                              "this",
                              "thread_local",
                              "throw",
                              "true",
                              "try",
                              "typedef",
                              "typeid",
                              "typename",
                              "typeof",
                              "typeof_unqual",
                              "union",
                              "unsigned",
                              "using",
                              "virtual",
                              "void",
                              "volatile",
                              "wchar_t",
                              "while",
                              "xor",
                              "xor_eq",
                              "_Alignas",
                              "_Alignof",
                              "_Atomic",
                              "_Bool",
                              "_Complex",
                              "_Generic",
                              "_Imaginary",
                              "_Noreturn",
                              "_Static_assert",
                              "_Thread_local"};
  return words;
}

// Each has two more forms, for float and long double.
const Words& functions_of_math() {
  static const Words words = {
      "acos",      "acosh",     "asin",       "asinh", "atan",      "atan2",  "atanh",   "cbrt",
      "ceil",      "copysign",  "cos",        "cosh",  "erf",       "erfc",   "exp",     "exp2",
      "expm1",     "fabs",      "fdim",       "floor", "fma",       "fmax",   "fmin",    "fmod",
      "frexp",     "hypot",     "ilogb",      "ldexp", "lgamma",    "llrint", "llround", "log",
      "log10",     "log1p",     "log2",       "logb",  "lrint",     "lround", "modf",    "nan",
      "nearbyint", "nextafter", "nexttoward", "pow",   "remainder", "remquo", "rint",    "round",
      "scalbln",   "scalbn",    "sin",        "sinh",  "sqrt",      "tan",    "tanh",    "tgamma",
      "trunc"};
  return words;
}

}  // namespace

bool is_c_identifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  return true;
}

bool is_keyword(const std::string& name) {
  return keywords().contains(name);
}

bool is_library_function(const std::string& name) {
  if (functions_of_math().contains(name) || is_function_of_headers(name)) return true;
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') &&
         functions_of_math().contains(name.substr(0, name.size() - 1));
}

}  // namespace hocket::codegen
