// Types, memory access and lane plumbing of the prelude; arithmetic is in helpers_arith.cpp.
#include "codegen/c/helpers.h"

#include "codegen/c/text.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

std::string number(int64_t n) {
  return std::to_string(n);
}

}  // namespace

int c_lanes(int lanes) {
  int n = 1;
  while (n < lanes) n *= 2;
  return n;
}

const char* c_word(ir::BinaryOp op) {
  static const char* const words[] = {"add", "sub", "mul",     "div",    "mod",     "min", "max",
                                      "and", "or",  "bit_and", "bit_or", "bit_xor", "shl", "shr",
                                      "eq",  "ne",  "lt",      "le",     "gt",      "ge"};
  return words[static_cast<int>(op)];
}

std::string CHelpers::define(const std::string& name, const std::function<std::string()>& make) {
  if (defined_.insert(name).second) {
    const std::string definition = make();
    text_ += definition;
  }
  return name;
}

// Functions on vectors are always inlined: passing vectors wider than the machine's registers has
// no settled calling convention, and gcc warns of it in clones that it makes itself.
std::string CHelpers::function(const std::string& result, const std::string& name,
                               const std::string& parameters, const std::string& body) {
  const bool vectors = result.starts_with("hk_") || parameters.find("hk_") != std::string::npos;
  return (vectors ? "HK_VECTOR " : "HK_FUNCTION ") + result + " " + name + "(" + parameters +
         ") {\n" + body + "}\n";
}

std::string CHelpers::lane_loop(ir::Type t, const std::string& value) {
  return "  " + vector_type(t) + " r = {0};\n  for (int i = 0; i < " + number(t.lanes) +
         "; ++i) r[i] = " + value + ";\n  return r;\n";
}

// Lanes of a bool vector are bytes, 0 or -1, as comparisons make them.
std::string CHelpers::vector_type(ir::Type t) {
  if (!t.is_vector()) return c_type(t);
  return define("hk_" + t.name(), [&] {
    const std::string element = t.is_bool() ? "int8_t" : c_type(t.element());
    const int64_t bytes = static_cast<int64_t>(c_lanes(t.lanes)) * t.bytes();
    return "typedef " + element + " hk_" + t.name() + " __attribute__((vector_size(" +
           number(bytes) + ")));\n";
  });
}

std::string CHelpers::mask_type(ir::Type t) {
  return vector_type(ir::Type::i(t.bytes() * 8, t.lanes));
}

std::string CHelpers::select(ir::Type t) {
  return define("hk_select_" + t.name(), [&] {
    const std::string type = vector_type(t);
    const std::string mask = vector_type(ir::Type::boolean(t.lanes));
    const std::string wide = t.is_bool() ? mask : mask_type(t);
    return function(
        type, "hk_select_" + t.name(), mask + " mask, " + type + " a, " + type + " b",
        "  const " + wide + " m = " +
            (t.is_bool() || t.bytes() == 1 ? "(" + wide + ")mask"
                                           : "__builtin_convertvector(mask, " + wide + ")") +
            ";\n  return (" + type + ")(((" + wide + ")a & m) | ((" + wide + ")b & ~m));\n");
  });
}

std::string CHelpers::splat(ir::Type t) {
  return define("hk_splat_" + t.name(), [&] {
    std::string lanes;
    for (int i = 0; i < c_lanes(t.lanes); ++i) lanes += i == 0 ? "x" : ", x";
    const std::string type = vector_type(t);
    const std::string negate = t.is_bool() ? "  const int8_t x = (int8_t)-(int)b;\n" : "";
    return function(type, "hk_splat_" + t.name(), c_type(t.element()) + (t.is_bool() ? " b" : " x"),
                    negate + "  return (" + type + "){" + lanes + "};\n");
  });
}

std::string CHelpers::ramp(ir::Type t) {
  return define("hk_ramp_" + t.name(), [&] {
    const ir::Type e = t.element();
    const std::string c = c_type(e);
    std::string value;
    if (e.bits == 16 && e.is_float()) {
      value = binary(ir::BinaryOp::Add, e) + "(base, " + binary(ir::BinaryOp::Mul, e) +
              "(stride, " + cast(e, ir::Type::i(32)) + "(i)))";
    } else if (e.is_float()) {
      value = "base + stride * (" + c + ")i";
    } else {
      value = "(" + c + ")((uint64_t)base + (uint64_t)stride * (uint64_t)i)";
    }
    return function(vector_type(t), "hk_ramp_" + t.name(), c + " base, " + c + " stride",
                    lane_loop(t, value));
  });
}

std::string CHelpers::shuffle(const ir::Shuffle& s) {
  const ir::Type from = s.vectors[0].type();
  std::string name =
      "hk_shuffle" + number(static_cast<int64_t>(s.vectors.size())) + "_" + from.name();
  for (const int lane : s.lanes) name += "_" + number(lane);
  return define(name, [&] {
    std::string parameters, unused;  // not every vector gives a lane
    for (size_t i = 0; i < s.vectors.size(); ++i) {
      unused += "  (void)v" + number(static_cast<int64_t>(i)) + ";\n";
      parameters +=
          (i == 0 ? "" : ", ") + vector_type(from) + " v" + number(static_cast<int64_t>(i));
    }
    const auto lane = [&](int n) {
      const std::string v = "v" + number(n / from.lanes);
      return from.is_vector() ? v + "[" + number(n % from.lanes) + "]" : v;
    };
    if (!s.type.is_vector()) {
      const std::string value =
          lane(s.lanes[0]) + (from.is_bool() && from.is_vector() ? " != 0" : "");
      return function(c_type(s.type), name, parameters, unused + "  return " + value + ";\n");
    }
    std::string lanes;
    for (size_t i = 0; i < s.lanes.size(); ++i) {
      const bool bit = from.is_bool() && !from.is_vector();
      lanes += (i == 0 ? "" : ", ");
      lanes += bit ? "(int8_t)-(int)" + lane(s.lanes[i]) : lane(s.lanes[i]);
    }
    const std::string type = vector_type(s.type);
    return function(type, name, parameters, unused + "  return (" + type + "){" + lanes + "};\n");
  });
}

namespace {

// Bools lie in memory as bytes 0 and 1.
std::string memory_element(ir::Type t) {
  return t.is_bool() ? "uint8_t" : c_type(t.element());
}
// A parameter that is a pointer to elements: callers hold bools as `bool*` or as bytes.
std::string pointer(ir::Type t, const char* name, bool is_const) {
  const std::string c = is_const ? "const " : "";
  return t.is_bool() ? c + "void* " + name + "_bytes" : c + memory_element(t) + "* " + name;
}
std::string unpack(ir::Type t, const char* name, bool is_const) {
  if (!t.is_bool()) return "";
  return std::string("  ") + (is_const ? "const " : "") + "uint8_t* " + name + " = " + name +
         "_bytes;\n";
}
std::string value_of(ir::Type t, const std::string& element) {
  return t.is_bool() ? "(int8_t)-(" + element + " != 0)" : element;
}
std::string element_of(ir::Type t, const std::string& lane) {
  return t.is_bool() ? "(uint8_t)(" + lane + " != 0)" : lane;
}

}  // namespace

std::string CHelpers::load(ir::Type t) {
  return define("hk_load_" + t.name(), [&] {
    const std::string type = vector_type(t);
    const std::string size = number(static_cast<int64_t>(t.lanes) * t.bytes());
    std::string body;
    if (t.is_bool()) {
      const std::string bytes = vector_type(ir::Type::u(8, t.lanes));
      body = "  " + bytes + " v = {0};\n  memcpy(&v, from, " + size + ");\n  return v != 0;\n";
    } else {
      body = "  " + type + " v = {0};\n  memcpy(&v, from, " + size + ");\n  return v;\n";
    }
    return function(type, "hk_load_" + t.name(), "const void* from", body);
  });
}

std::string CHelpers::load_masked(ir::Type t) {
  return define("hk_load_masked_" + t.name(), [&] {
    const std::string mask = vector_type(ir::Type::boolean(t.lanes));
    return function(vector_type(t), "hk_load_masked_" + t.name(),
                    pointer(t, "from", true) + ", " + mask + " mask",
                    unpack(t, "from", true) + "  " + vector_type(t) +
                        " r = {0};\n  for (int i = 0; i < " + number(t.lanes) +
                        "; ++i) {\n    if (mask[i]) r[i] = " + value_of(t, "from[i]") +
                        ";\n  }\n  return r;\n");
  });
}

std::string CHelpers::load_strided(ir::Type t) {
  return define("hk_load_strided_" + t.name(), [&] {
    return function(vector_type(t), "hk_load_strided_" + t.name(),
                    pointer(t, "from", true) + ", int64_t stride",
                    unpack(t, "from", true) + lane_loop(t, value_of(t, "from[i * stride]")));
  });
}

std::string CHelpers::gather(ir::Type t, bool masked) {
  const std::string name = std::string(masked ? "hk_gather_masked_" : "hk_gather_") + t.name();
  return define(name, [&] {
    const std::string index = vector_type(ir::Type::index(t.lanes));
    std::string parameters = pointer(t, "from", true) + ", " + index + " at";
    if (masked) parameters += ", " + vector_type(ir::Type::boolean(t.lanes)) + " mask";
    return function(vector_type(t), name, parameters,
                    unpack(t, "from", true) + "  " + vector_type(t) +
                        " r = {0};\n  for (int i = 0; i < " + number(t.lanes) + "; ++i) {\n    " +
                        (masked ? "if (mask[i]) " : "") + "r[i] = " + value_of(t, "from[at[i]]") +
                        ";\n  }\n  return r;\n");
  });
}

std::string CHelpers::store(ir::Type t) {
  return define("hk_store_" + t.name(), [&] {
    const std::string type = vector_type(t);
    const std::string size = number(static_cast<int64_t>(t.lanes) * t.bytes());
    const std::string bits = t.is_bool() ? "  v = v & 1;\n" : "";
    return function("void", "hk_store_" + t.name(), "void* to, " + type + " v",
                    bits + "  memcpy(to, &v, " + size + ");\n");
  });
}

std::string CHelpers::store_masked(ir::Type t) {
  return define("hk_store_masked_" + t.name(), [&] {
    return function("void", "hk_store_masked_" + t.name(),
                    pointer(t, "to", false) + ", " + vector_type(t) + " v, " +
                        vector_type(ir::Type::boolean(t.lanes)) + " mask",
                    unpack(t, "to", false) + "  for (int i = 0; i < " + number(t.lanes) +
                        "; ++i) {\n    if (mask[i]) to[i] = " + element_of(t, "v[i]") + ";\n  }\n");
  });
}

std::string CHelpers::store_strided(ir::Type t) {
  return define("hk_store_strided_" + t.name(), [&] {
    return function("void", "hk_store_strided_" + t.name(),
                    pointer(t, "to", false) + ", int64_t stride, " + vector_type(t) + " v",
                    unpack(t, "to", false) + "  for (int i = 0; i < " + number(t.lanes) +
                        "; ++i) to[i * stride] = " + element_of(t, "v[i]") + ";\n");
  });
}

std::string CHelpers::scatter(ir::Type t, bool masked) {
  const std::string name = std::string(masked ? "hk_scatter_masked_" : "hk_scatter_") + t.name();
  return define(name, [&] {
    std::string parameters = pointer(t, "to", false) + ", " +
                             vector_type(ir::Type::index(t.lanes)) + " at, " + vector_type(t) +
                             " v";
    if (masked) parameters += ", " + vector_type(ir::Type::boolean(t.lanes)) + " mask";
    return function("void", name, parameters,
                    unpack(t, "to", false) + "  for (int i = 0; i < " + number(t.lanes) +
                        "; ++i) {\n    " + (masked ? "if (mask[i]) " : "") +
                        "to[at[i]] = " + element_of(t, "v[i]") + ";\n  }\n");
  });
}

std::string CHelpers::saturating(ir::BinaryOp op) {
  const std::string word = c_word(op);
  const std::string name = "hk_saturate_" + word;
  return define(name, [&] {
    const char* sign = op == ir::BinaryOp::Add   ? "b < 0"
                       : op == ir::BinaryOp::Sub ? "b > 0"
                                                 : "(a < 0) != (b < 0)";
    return function("int64_t", name, "int64_t a, int64_t b",
                    "  int64_t r;\n  if (!__builtin_" + word + "_overflow(a, b, &r)) return r;\n" +
                        "  return " + sign + " ? INT64_MIN : INT64_MAX;\n");
  });
}

// INT64_MAX stands for what 64 bits do not hold, and stays what it is: a difference or a quotient
// of it is too large as well, so no size is ever smaller than it should be.
std::string CHelpers::sizing(ir::BinaryOp op) {
  const std::string word = c_word(op);
  const std::string name = "hk_size_" + word;
  const bool divides = op == ir::BinaryOp::Div || op == ir::BinaryOp::Mod;
  const std::string plain = divides ? binary(op, ir::Type::index()) : "";
  return define(name, [&] {
    std::string text = "  int64_t r;\n";
    if (op == ir::BinaryOp::Mul) text = "  if (a == 0 || b == 0) return 0;\n" + text;
    text += "  if (a == INT64_MAX || b == INT64_MAX) return INT64_MAX;\n";
    text += divides ? "  r = " + plain + "(a, b);\n  return r;\n"
                    : "  return __builtin_" + word + "_overflow(a, b, &r) ? INT64_MAX : r;\n";
    return function("int64_t", name, "int64_t a, int64_t b", text);
  });
}

}  // namespace hocket::codegen
