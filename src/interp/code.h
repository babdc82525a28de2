// Compiled expressions: what the evaluator and the interpreter execute.
//
// An ir expression becomes a small graph of XNodes in which symbols are slots already and the
// common operations of each type have an opcode of their own; everything else goes through
// ir/semantics.h. A vector expression is executed lane by lane, so every node yields one scalar. A
// node that several others share is computed once per statement (op Shared). Values carry the
// number of the reason why they are poison, 0 for none; a reason names the node where it arose.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/semantics.h"
#include "ir/stmt.h"

namespace hocket::interp {

// A scalar of any type without the type: integers in canonical form (ir::wrap_to), floats as the
// bits of a double that holds the value exactly.
struct Val {
  int64_t i = 0;
  uint32_t poison = 0;  // a reason

  double f() const { return std::bit_cast<double>(i); }
  static Val of(int64_t v) { return {v, 0}; }
  static Val of_float(double v) { return {std::bit_cast<int64_t>(v), 0}; }
  static Val bad(uint32_t reason) { return {0, reason}; }
};

inline ir::Scalar to_scalar(ir::Type type, Val v) {
  ir::Scalar s;
  s.type = type.element();
  s.poison = v.poison != 0;
  if (type.is_float()) {
    s.f = v.f();
  } else {
    s.i = v.i;
  }
  return s;
}
inline Val to_val(const ir::Scalar& s, uint32_t reason_if_poison) {
  if (s.poison) return Val::bad(reason_if_poison);
  return s.type.is_float() ? Val::of_float(s.f) : Val::of(s.i);
}
// As ir::same_value on values that are no poison.
inline bool same_bits(ir::Type type, Val a, Val b) {
  if (!type.is_float()) return a.i == b.i;
  if (a.i == b.i) return true;
  const double x = a.f(), y = b.f();
  return x != x && y != y;
}

// The value in memory at `from`.
inline Val load_val(ir::Type t, const uint8_t* from) {
  switch (t.code) {
    case ir::TypeCode::Int:
    case ir::TypeCode::Index:
      switch (t.bits) {
        case 8:
          return Val::of(static_cast<int8_t>(*from));
        case 16: {
          int16_t v;
          __builtin_memcpy(&v, from, 2);
          return Val::of(v);
        }
        case 32: {
          int32_t v;
          __builtin_memcpy(&v, from, 4);
          return Val::of(v);
        }
        default: {
          int64_t v;
          __builtin_memcpy(&v, from, 8);
          return Val::of(v);
        }
      }
    case ir::TypeCode::UInt:
      switch (t.bits) {
        case 8:
          return Val::of(*from);
        case 16: {
          uint16_t v;
          __builtin_memcpy(&v, from, 2);
          return Val::of(v);
        }
        case 32: {
          uint32_t v;
          __builtin_memcpy(&v, from, 4);
          return Val::of(v);
        }
        default: {
          int64_t v;
          __builtin_memcpy(&v, from, 8);
          return Val::of(v);
        }
      }
    case ir::TypeCode::Float:
      if (t.bits == 32) {
        float v;
        __builtin_memcpy(&v, from, 4);
        return Val::of_float(static_cast<double>(v));
      }
      if (t.bits == 64) {
        double v;
        __builtin_memcpy(&v, from, 8);
        return Val::of_float(v);
      }
      break;
    default:
      break;
  }
  return to_val(ir::load_bytes(t, from), 0);
}

enum class XOp : uint8_t {
  Const,
  Slot,
  LaneSlot,  // LaneSlot: slot + lane
  Add64,
  Sub64,
  Mul64,  // signed 64 bits: overflow is poison
  Add32,
  Sub32,
  Mul32,  // i32: overflow is poison
  AddWrap,
  SubWrap,
  MulWrap,  // everything that wraps
  Div64,
  Mod64,  // signed 64 bits
  Min,
  Max,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,  // integers but u64 and bool
  And,
  Or,
  Xor,
  Not,  // canonical form stays canonical
  AddF32,
  SubF32,
  MulF32,
  DivF32,
  AddF64,
  SubF64,
  MulF64,
  DivF64,
  MinF,
  MaxF,
  EqF,
  NeF,
  LtF,
  LeF,
  GtF,
  GeF,
  CastInt,
  CastIntF32,
  CastIntF64,
  CastF32,  // to integer by wrapping; signed or small to float
  Unary,
  Binary,
  Fma,
  Cast,  // by ir/semantics.h
  Select,
  Ramp,
  Shuffle,
  Shared,
  Leaf,  // Load, Call, BufferField: whoever executes knows
};

struct XNode;

// What a Leaf reads.
struct Access {
  ir::Expr source;                   // a Load, Call or BufferField
  std::vector<const XNode*> index;   // indices or coordinates
  const XNode* predicate = nullptr;  // loads
  uint32_t target = 0;               // buffer slot, Func or input number
  int kind = 0;                      // of the one who executes
  int value_index = 0;               // calls: value; fields: dimension
  int64_t align = 0;
};

struct XNode {
  XOp op = XOp::Const;
  uint8_t sub = 0;      // Unary, Binary: the operator; Shuffle: lanes per vector are in `lanes`
  ir::Type type;        // of one lane
  ir::Type from;        // of the operand
  uint32_t reason = 0;  // what a poison that arises here is blamed on
  uint32_t slot = 0;    // Slot, LaneSlot, Shared (cache cell)
  const XNode* a = nullptr;
  const XNode* b = nullptr;
  const XNode* c = nullptr;
  Val imm;
  const Access* access = nullptr;
  std::vector<std::pair<const XNode*, int>> lanes;  // Shuffle: source and its lane, per lane
};

// Why a value is poison.
struct Reason {
  enum class Kind : uint8_t {
    None,
    Given,          // an argument's element was poison when the run began
    Unwritten,      // memory that nothing has written
    Overflow,       // arithmetic
    Address,        // read at an index that is poison itself
    LaneOff,        // a lane whose predicate is off
    OutsideInput,   // algorithms: a coordinate outside an input's region
    UpdateAddress,  // algorithms: some update wrote to a coordinate that is poison
  } kind = Kind::None;
  ir::Expr expr;            // where it arose
  ir::Symbol buffer;        // memory or input concerned
  std::vector<int64_t> at;  // OutsideInput: the coordinate
};

// Compiles expressions for one executor, which resolves the leaves.
class ExprCompiler {
 public:
  virtual ~ExprCompiler() = default;
  // A root: nodes shared inside it are computed once per execution of the root.
  const XNode* root(const ir::Expr& e);

  std::deque<XNode> nodes;
  std::deque<Access> accesses;
  std::vector<Reason> reasons{Reason{}};  // number 0 is none
  uint32_t cache_cells = 0;               // what Shared nodes need

 protected:
  // Fills `n` for VarRef, Load, Call and BufferField.
  virtual void leaf(const ir::Expr& e, XNode& n) = 0;
  XNode* compile(const ir::Expr& e);
  uint32_t new_reason(Reason::Kind kind, const ir::Expr& e, const ir::Symbol& buffer = {});

 private:
  void binary(const ir::Binary& b, XNode& n);
  void cast(const ir::Cast& c, XNode& n);
  std::unordered_map<const ir::ExprNode*, XNode*> seen_;
};

// The opcode of a binary operator on operands of this type (Binary where there is no special one).
XOp binary_op(ir::BinaryOp op, ir::Type operand);

}  // namespace hocket::interp
