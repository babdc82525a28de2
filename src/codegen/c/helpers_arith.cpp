// Arithmetic of the prelude, as ir/semantics.h defines it.
#include "codegen/c/helpers.h"
#include "codegen/c/text.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

using B = ir::BinaryOp;
using U = ir::UnaryOp;

std::string unsigned_type(ir::Type t) {
  return "uint" + std::to_string(t.bits) + "_t";
}

bool is_narrow(ir::Type t) {
  return t.is_float() && t.bits == 16;
}
bool is_bf16(ir::Type t) {
  return t.code == ir::TypeCode::BFloat;
}

// Of lanes that are all ones or none, `and` is `&`.
const char* infix(B op) {
  if (op == B::And || op == B::Or) return c_operator(op == B::And ? B::BitAnd : B::BitOr);
  return c_operator(op);
}

const char* word_of(U op) {
  static const char* const words[] = {"neg",   "not",  "bit_not", "abs",  "sqrt",
                                      "floor", "ceil", "trunc",   "round"};
  return words[static_cast<int>(op)];
}

}  // namespace

// Conversions between the bits of a narrow float and double; one rounding, to nearest even.
std::string CHelpers::narrow_float(const std::string& what, ir::Type t) {
  const std::string name = "hk_" + t.name() + "_" + what;
  return define(name, [&]() -> std::string {
    if (what == "to_double") {
      if (is_bf16(t)) {
        return function("double", name, "uint16_t bits",
                        "  const uint32_t wide = (uint32_t)bits << 16;\n  float f;\n"
                        "  memcpy(&f, &wide, 4);\n  return f;\n");
      }
      return function("double", name, "uint16_t bits",
                      "  const int e = (bits >> 10) & 31, m = bits & 1023;\n"
                      "  const double size = e == 31 ? (m ? (double)NAN : (double)INFINITY)\n"
                      "                      : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);\n"
                      "  return bits & 0x8000 ? -size : size;\n");
    }
    // Too large, too small (multiples of the least subnormal), or the upper mantissa bits.
    const bool b = is_bf16(t);
    const std::string too_large = b ? "0x1.ffp127" : "65520.0",
                      least_normal = b ? "0x1p-126" : "0x1p-14", steps = b ? "0x1p133" : "0x1p24",
                      infinity = b ? "0x7f80" : "0x7c00", shift = b ? "45" : "42",
                      bias = b ? "(896ull << 7)" : "(1008ull << 10)",
                      quiet = b ? "0x7fc0" : "0x7e00";
    return function("uint16_t", name, "double v",
                    "  uint64_t bits;\n  memcpy(&bits, &v, 8);\n"
                    "  const uint16_t sign = (uint16_t)((bits >> 48) & 0x8000);\n"
                    "  const double size = fabs(v);\n"
                    "  if (v != v) return (uint16_t)(sign | " +
                        quiet +
                        ");\n"
                        "  if (size >= " +
                        too_large + ") return (uint16_t)(sign | " + infinity +
                        ");\n"
                        "  if (size < " +
                        least_normal + ") return (uint16_t)(sign | (uint16_t)rint(size * " + steps +
                        "));\n"
                        "  bits &= 0x7fffffffffffffffull;\n"
                        "  bits += (1ull << (" +
                        shift + " - 1)) - 1 + ((bits >> " + shift +
                        ") & 1);\n"
                        "  return (uint16_t)(sign | ((bits >> " +
                        shift + ") - " + bias + "));\n");
  });
}

std::string CHelpers::unary(U op, ir::Type t) {
  if (!t.is_vector()) return scalar_unary(op, t);
  const std::string name = std::string("hk_") + word_of(op) + "_" + t.name();
  return define(name, [&] {
    const std::string type = vector_type(t);
    std::string body;
    if (op == U::Not || (t.is_bool() && op == U::Neg)) {
      body = op == U::Not ? "  return ~a;\n" : "  return a;\n";
    } else if (t.is_integral() && op == U::BitNot) {
      body = "  return ~a;\n";
    } else if (t.is_integral() && op == U::Neg) {
      const std::string u = vector_type(ir::Type::u(t.bits, t.lanes));
      body = "  return (" + type + ")(0 - (" + u + ")a);\n";
    } else {
      body = lane_loop(t, scalar_unary(op, t.element()) + "(a[i])");
    }
    return function(type, name, type + " a", body);
  });
}

std::string CHelpers::scalar_unary(U op, ir::Type t) {
  const std::string name = std::string("hk_") + word_of(op) + "_" + t.name();
  return define(name, [&] {
    const std::string type = c_type(t);
    std::string value;
    if (is_narrow(t)) {
      if (op == U::Neg)
        value = "(uint16_t)(a ^ 0x8000)";
      else if (op == U::Abs)
        value = "(uint16_t)(a & 0x7fff)";
      else
        value = narrow_float("from_double", t) + "((double)" + scalar_unary(op, ir::Type::f(32)) +
                "((float)" + narrow_float("to_double", t) + "(a)))";
    } else if (t.is_float()) {
      const std::string f = t.bits == 32 ? "f" : "";
      switch (op) {
        case U::Neg: {
          // By its bits: gcc 12 takes -fma(a, b, c) for one instruction whose zero has another
          // sign.
          const std::string bits = "uint" + std::to_string(t.bits) + "_t";
          return function(type, name, type + " a",
                          "  " + bits + " b;\n  memcpy(&b, &a, sizeof b);\n  b ^= (" + bits +
                              ")1 << " + std::to_string(t.bits - 1) +
                              ";\n  memcpy(&a, &b, sizeof a);\n  return a;\n");
        }
        case U::Abs:
          value = "fabs" + f + "(a)";
          break;
        case U::Sqrt:
          value = "sqrt" + f + "(a)";
          break;
        case U::Floor:
          value = "floor" + f + "(a)";
          break;
        case U::Ceil:
          value = "ceil" + f + "(a)";
          break;
        case U::Trunc:
          value = "trunc" + f + "(a)";
          break;
        default:
          value = "rint" + f + "(a)";
          break;
      }
    } else if (op == U::Neg) {
      value = "(" + type + ")(0 - (" + unsigned_type(t) + ")a)";
    } else if (op == U::BitNot) {
      value = t.is_bool() ? "((void)a, true)" : "(" + type + ")~a";
    } else if (op == U::Abs && t.is_signed()) {
      value = "a < 0 ? (" + type + ")(0 - (" + unsigned_type(t) + ")a) : a";
    } else {
      value = op == U::Not ? "!a" : "a";
    }
    return function(type, name, type + " a", "  return " + value + ";\n");
  });
}

std::string CHelpers::binary(B op, ir::Type t) {
  return t.is_vector() ? vector_binary(op, t) : scalar_binary(op, t);
}

std::string CHelpers::scalar_binary(B op, ir::Type t) {
  const std::string name = std::string("hk_") + c_word(op) + "_" + t.name();
  return define(name, [&] {
    const std::string type = c_type(t);
    const std::string result = ir::is_comparison(op) ? "bool" : type;
    const std::string u = t.is_integral() ? unsigned_type(t) : "";
    const std::string both = type + " a, " + type + " b";
    std::string body;
    if (is_narrow(t)) {
      const std::string wide = narrow_float("to_double", t), back = narrow_float("from_double", t);
      const std::string x = wide + "(a)", y = wide + "(b)";
      if (ir::is_comparison(op)) {
        body = "  return " + x + infix(op) + y + ";\n";
      } else if (op == B::Min || op == B::Max) {
        body = "  return " + x + (op == B::Min ? " < " : " > ") + y + " ? a : b;\n";
      } else if (op == B::Mod) {
        body = "  const uint16_t q = " + scalar_unary(U::Floor, t) + "(" +
               scalar_binary(B::Div, t) + "(a, b));\n  return " + scalar_binary(B::Sub, t) +
               "(a, " + scalar_binary(B::Mul, t) + "(b, q));\n";
      } else {
        // Rounded once from a result that double holds exactly or far beyond the last bit.
        body = "  return " + back + "(" + x + infix(op) + y + ");\n";
      }
    } else if (op == B::Min || op == B::Max) {
      body = std::string("  return a") + (op == B::Min ? " < " : " > ") + "b ? a : b;\n";
    } else if (t.is_float() && op == B::Mod) {
      const std::string f = t.bits == 32 ? "f" : "";
      body = "  const " + type + " q = floor" + f + "(a / b);\n  const " + type +
             " p = b * q;\n  return a - p;\n";
    } else if (t.is_float() || ir::is_comparison(op)) {
      body = std::string("  return a") + infix(op) + "b;\n";
    } else if (op == B::Div || op == B::Mod) {
      if (t.is_uint()) {
        body = std::string("  return b == 0 ? 0 : (") + type + ")(a" +
               (op == B::Div ? " / " : " % ") + "b);\n";
      } else if (op == B::Div) {
        body = "  if (b == 0) return 0;\n  if (b == -1) return (" + type + ")(0 - (" + u +
               ")a);\n  const " + type + " q = (" + type +
               ")(a / b);\n  if (a % b >= 0) return q;\n  return (" + type +
               ")(b > 0 ? q - 1 : q + 1);\n";
      } else {
        body = "  if (b == 0 || b == -1) return 0;\n  const " + type + " r = (" + type +
               ")(a % b);\n  if (r >= 0) return r;\n  return (" + type +
               ")(b > 0 ? r + b : r - b);\n";
      }
    } else if (op == B::Shl || op == B::Shr) {
      const std::string bits = std::to_string(t.bits);
      const std::string left = "(" + type + ")((" + u + ")a << n)",
                        right = "(" + type + ")(a >> n)";
      const std::string gone_right = t.is_signed() ? "a < 0 ? -1 : 0" : "0";
      const auto side = [&](bool l) {
        return "n >= " + bits + " ? (" + type + ")(" + (l ? "0" : gone_right) +
               ") : " + (l ? left : right);
      };
      if (t.is_signed()) {
        // A negative count shifts the other way; the least number counts as very many.
        body = "  const bool left = (b >= 0) == " + std::string(op == B::Shl ? "true" : "false") +
               ";\n  const " + u + " n = b >= 0 ? (" + u + ")b : (" + u + ")(0 - (" + u +
               ")b);\n  if (left) return " + side(true) + ";\n  return " + side(false) + ";\n";
      } else {
        body = "  const " + u + " n = b;\n  return " + side(op == B::Shl) + ";\n";
      }
    } else if (t.is_bool()) {
      body = std::string("  return (a != 0)") + infix(op) + "(b != 0);\n";
    } else if (op == B::BitAnd || op == B::BitOr || op == B::BitXor) {
      body = "  return (" + type + ")(a" + infix(op) + "b);\n";
    } else {
      // Through unsigned numbers of at least 32 bits, so that nothing overflows.
      const std::string wide = t.bits == 64 ? "uint64_t" : "uint32_t";
      body = "  return (" + type + ")((" + wide + ")a" + infix(op) + "(" + wide + ")b);\n";
    }
    return function(result, name, both, body);
  });
}

std::string CHelpers::vector_binary(B op, ir::Type t) {
  const std::string name = std::string("hk_") + c_word(op) + "_" + t.name();
  return define(name, [&] {
    const std::string type = vector_type(t);
    const ir::Type mask = ir::Type::boolean(t.lanes);
    const std::string both = type + " a, " + type + " b";
    const auto by_lanes = [&](ir::Type result) {
      const std::string f = scalar_binary(op, t.element());
      const bool bits = t.is_bool();
      std::string value = f + (bits ? "(a[i] != 0, b[i] != 0)" : "(a[i], b[i])");
      if (result.is_bool()) value = "(int8_t)-" + value;
      return function(vector_type(result), name, both, lane_loop(result, value));
    };
    if (ir::is_comparison(op)) {
      if (is_narrow(t)) return by_lanes(mask);
      // Lanes that are true are -1; as bools they order the other way round.
      const std::string x = t.is_bool() ? "b" : "a", y = t.is_bool() ? "a" : "b";
      const std::string test = x + infix(op) + y;
      const std::string lanes =
          t.bytes() == 1 ? "(" + vector_type(mask) + ")(" + test + ")"
                         : "__builtin_convertvector(" + test + ", " + vector_type(mask) + ")";
      return function(vector_type(mask), name, both, "  return " + lanes + ";\n");
    }
    if (t.is_bool()) {
      if (op == B::Min || op == B::And || op == B::BitAnd || op == B::Mul || op == B::Div) {
        return function(type, name, both, "  return a & b;\n");
      }
      if (op == B::BitXor || op == B::Sub) return function(type, name, both, "  return a ^ b;\n");
      return function(type, name, both, "  return a | b;\n");
    }
    if (is_narrow(t)) return by_lanes(t);
    if (op == B::Min || op == B::Max) {
      const std::string m = mask_type(t);
      return function(type, name, both,
                      "  const " + m + " m = (" + m + ")(a" + (op == B::Min ? " < " : " > ") +
                          "b);\n  return (" + type + ")(((" + m + ")a & m) | ((" + m +
                          ")b & ~m));\n");
    }
    const bool plain = op == B::Add || op == B::Sub || op == B::Mul || op == B::BitAnd ||
                       op == B::BitOr || op == B::BitXor || (t.is_float() && op == B::Div);
    if (!plain) return by_lanes(t);
    if (!t.is_signed() || t.is_float()) {
      return function(type, name, both, std::string("  return a") + infix(op) + "b;\n");
    }
    const std::string u = vector_type(ir::Type::u(t.bits, t.lanes));
    return function(type, name, both,
                    "  return (" + type + ")((" + u + ")a" + infix(op) + "(" + u + ")b);\n");
  });
}

std::string CHelpers::fma(ir::Type t) {
  const std::string name = "hk_fma_" + t.name();
  if (t.is_vector()) {
    return define(name, [&] {
      const std::string type = vector_type(t);
      return function(type, name, type + " a, " + type + " b, " + type + " c",
                      lane_loop(t, fma(t.element()) + "(a[i], b[i], c[i])"));
    });
  }
  if (t.bits == 64) return "fma";
  if (t.bits == 32) return "fmaf";
  // The product is exact; the sum is rounded to odd by its exact error before the last rounding.
  return define(name, [&] {
    const std::string wide = narrow_float("to_double", t);
    return function(
        "uint16_t", name, "uint16_t a, uint16_t b, uint16_t c",
        "  const double x = " + wide + "(a), y = " + wide + "(b), z = " + wide +
            "(c);\n  const double p = x * y;\n  double s = p + z;\n"
            "  const double back = s - p;\n"
            "  const double lost_p = p - (s - back), lost_z = z - back;\n"
            "  const double error = lost_p + lost_z;\n"
            "  if (error < 0 || error > 0) {\n    uint64_t bits;\n"
            "    memcpy(&bits, &s, 8);\n"
            "    if ((bits & 1) == 0) bits += (error > 0) == (s > 0) ? 1 : UINT64_MAX;\n"
            "    memcpy(&s, &bits, 8);\n  }\n"
            "  return " +
            narrow_float("from_double", t) + "(s);\n");
  });
}

std::string CHelpers::cast(ir::Type to, ir::Type from) {
  return to.is_vector() ? vector_cast(to, from) : scalar_cast(to, from);
}

std::string CHelpers::scalar_cast(ir::Type to, ir::Type from) {
  const std::string name = "hk_cast_" + from.name() + "_" + to.name();
  return define(name, [&] {
    const std::string type = c_type(to);
    const std::string parameter = c_type(from) + " a";
    if (from.is_float()) {
      const std::string wide = is_narrow(from) ? narrow_float("to_double", from) + "(a)" : "a";
      if (is_narrow(to)) {
        return function(type, name, parameter,
                        "  return " + narrow_float("from_double", to) + "(" + wide + ");\n");
      }
      if (to.is_float())
        return function(type, name, parameter, "  return (" + type + ")" + wide + ";\n");
      if (to.is_bool()) {  // a NaN is false
        return function(type, name, parameter,
                        "  const double v = " + wide + ";\n  return v < 0 || v > 0;\n");
      }
      // Ends as powers of two, which every float type holds: what is not inside saturates.
      const int top = to.is_signed() ? to.bits - 1 : to.bits;
      const std::string most = to.is_signed() ? "INT" + std::to_string(to.bits) + "_MAX"
                                              : "UINT" + std::to_string(to.bits) + "_MAX";
      const std::string least = to.is_signed() ? "INT" + std::to_string(to.bits) + "_MIN" : "0";
      const std::string low =
          to.is_signed() ? "v > -0x1p" + std::to_string(top) + " - 1.0" : "v > -1.0";
      // In 64 bits -2^63 - 1 is no double; there the end itself stays inside.
      const std::string above = to.is_signed() && to.bits == 64 ? "v >= -0x1p63" : low;
      return function(type, name, parameter,
                      "  const double v = " + wide + ";\n  if (v != v) return 0;\n  if (!(" +
                          above + ")) return " + least + ";\n  if (v >= 0x1p" +
                          std::to_string(top) + ") return " + most + ";\n  return (" + type +
                          ")v;\n");
    }
    if (is_narrow(to)) {
      std::string value = "a";
      std::string cut;
      if (is_bf16(to) && from.bits == 64) {
        // More than 53 bits: the upper ones and one that says whether something was lost.
        const std::string size = from.is_signed() ? "(a < 0 ? 0 - (uint64_t)a : (uint64_t)a)" : "a";
        cut = "  if (" + size +
              " > (1ull << 53)) {\n    const uint64_t low = (1ull << 33) - 1;\n"
              "    a = (" +
              c_type(from) +
              ")(((uint64_t)a & ~low) | (((uint64_t)a & low) ? 1ull << 32 : 0));\n  }\n";
      }
      return function(
          type, name, parameter,
          cut + "  return " + narrow_float("from_double", to) + "((double)" + value + ");\n");
    }
    if (to.is_bool()) return function(type, name, parameter, "  return a != 0;\n");
    return function(type, name, parameter, "  return (" + type + ")a;\n");
  });
}

std::string CHelpers::vector_cast(ir::Type to, ir::Type from) {
  const std::string name = "hk_cast_" + from.name() + "_" + to.name();
  return define(name, [&] {
    const std::string type = vector_type(to), source = vector_type(from);
    const auto convert = [&](const std::string& v) {
      return function(type, name, source + " a",
                      "  return __builtin_convertvector(" + v + ", " + type + ");\n");
    };
    if (from.is_bool() && !is_narrow(to)) return convert("(a & 1)");
    if (to.is_bool() && from.is_integral()) {
      if (from.bytes() == 1) return function(type, name, source + " a", "  return a != 0;\n");
      return convert("(a != 0)");
    }
    if (from.is_integral() && !is_narrow(to)) return convert("a");
    // Wider floats go one by one: gcc 12 breaks off (convert_mode_scalar) where a vector that
    // __builtin_convertvector made twice as wide as the machine's is compared and masked.
    if (from.is_float() && to.is_float() && from.bits > to.bits && !is_narrow(to))
      return convert("a");
    std::string value =
        scalar_cast(to.element(), from.element()) + (from.is_bool() ? "(a[i] != 0)" : "(a[i])");
    if (to.is_bool()) value = "(int8_t)-" + value;
    return function(type, name, source + " a", lane_loop(to, value));
  });
}

}  // namespace hocket::codegen
