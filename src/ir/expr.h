// Expressions: immutable nodes, shared structurally, held by the handle Expr.
//
// The same nodes serve algorithms (Call, BufferField), loop form (Load with N indices, Window as
// an argument of a call) and flat form (Load with one index, Ramp, Broadcast, predicates). Which
// node may stand where is an invariant of the verifier (verify.h), not of these structs.
// Constructors (`make_...`) check types by assertion and fold nothing; the front door with
// promotion and contraction is arith.h, simplification is analysis/simplify.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/symbol.h"
#include "ir/type.h"
#include "support/assert.h"
#include "support/ref.h"

namespace hocket::ir {

enum class ExprKind : uint8_t {
  IntImm,    // integers, bool (0 or 1), index; uint64 as its bit pattern
  FloatImm,  // value is exactly representable in the type
  VarRef,    // loop variable, let, scalar parameter; in algorithms also Var and RVar
  Unary,
  Binary,
  Fma,     // a * b + c with one rounding
  Select,  // lazily harmless: the branch not taken may be poison
  Cast,
  Load,         // buffer element: loop form N indices, flat form one
  Call,         // algorithms only: a Func or input image at coordinates
  BufferField,  // min, extent or stride of a dimension of a buffer parameter or input image
  Window,       // only as an argument of a Call statement or the right side of a Window statement
  Ramp,         // flat form: base + stride * lane
  Broadcast,    // flat form
  Shuffle,      // flat form: lanes of one vector, or of several vectors concatenated
};

enum class UnaryOp : uint8_t {
  Neg,
  Not,  // bool
  BitNot,
  Abs,   // of i8..i64 the result has the same type and wraps where the type wraps
  Sqrt,  // float only, correctly rounded
  Floor,
  Ceil,
  Trunc,
  Round,  // to nearest, ties to even
};

enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,  // integers: Euclidean, x / 0 = 0; floats: IEEE
  Mod,  // integers: Euclidean, 0 <= x % y < |y|, x % 0 = 0; floats: x - y * floor(x / y)
  Min,
  Max,
  And,
  Or,  // bool, both sides always evaluated
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,  // shift counts outside 0..bits-1 see numerics in semantics.h
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,  // result bool
};

bool is_comparison(BinaryOp op);
// The operator as printed: `+`, `//`... ; min and max print as calls.
const char* spelling(BinaryOp op);
const char* spelling(UnaryOp op);

struct ExprNode : support::RefCounted {
  ExprKind kind;
  Type type;
  ExprNode(ExprKind k, Type t) : kind(k), type(t) {}
};

class Expr {
 public:
  Expr() = default;
  explicit Expr(support::Ref<const ExprNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_.get() != nullptr; }
  ExprKind kind() const { return node_->kind; }
  Type type() const { return node_->type; }
  const ExprNode* get() const { return node_.get(); }
  bool same_as(const Expr& other) const { return get() == other.get(); }

  // The node as a T, or null when it is of another kind.
  template <class T>
  const T* as() const {
    return defined() && node_->kind == T::kKind ? static_cast<const T*>(node_.get()) : nullptr;
  }

 private:
  support::Ref<const ExprNode> node_;
};

struct IntImm : ExprNode {
  static constexpr ExprKind kKind = ExprKind::IntImm;
  int64_t value;
  IntImm(Type t, int64_t v) : ExprNode(kKind, t), value(v) {}
};
struct FloatImm : ExprNode {
  static constexpr ExprKind kKind = ExprKind::FloatImm;
  double value;
  FloatImm(Type t, double v) : ExprNode(kKind, t), value(v) {}
};
struct VarRef : ExprNode {
  static constexpr ExprKind kKind = ExprKind::VarRef;
  Symbol sym;
  VarRef(Type t, Symbol s) : ExprNode(kKind, t), sym(std::move(s)) {}
};
struct Unary : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Unary;
  UnaryOp op;
  Expr a;
  Unary(Type t, UnaryOp o, Expr x) : ExprNode(kKind, t), op(o), a(std::move(x)) {}
};
struct Binary : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Binary;
  BinaryOp op;
  Expr a, b;
  Binary(Type t, BinaryOp o, Expr x, Expr y)
      : ExprNode(kKind, t), op(o), a(std::move(x)), b(std::move(y)) {}
};
struct Fma : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Fma;
  Expr a, b, c;
  Fma(Type t, Expr x, Expr y, Expr z)
      : ExprNode(kKind, t), a(std::move(x)), b(std::move(y)), c(std::move(z)) {}
};
struct Select : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Select;
  Expr cond, t, f;
  Select(Type ty, Expr c, Expr x, Expr y)
      : ExprNode(kKind, ty), cond(std::move(c)), t(std::move(x)), f(std::move(y)) {}
};
struct Cast : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Cast;
  Expr a;  // integers wrap to the new width; float to integer saturates, NaN gives 0
  Cast(Type t, Expr x) : ExprNode(kKind, t), a(std::move(x)) {}
};
struct Load : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Load;
  Symbol buffer;
  std::vector<Expr> indices;  // loop form: outermost first; flat form: one, maybe a vector
  Expr predicate;             // flat form: bool vector; lanes that are off read nothing (poison)
  int64_t align = 0;          // flat form: known alignment in bytes of lane 0, 0 = the element's
  Load(Type t, Symbol b, std::vector<Expr> i, Expr p, int64_t al)
      : ExprNode(kKind, t),
        buffer(std::move(b)),
        indices(std::move(i)),
        predicate(std::move(p)),
        align(al) {}
};
struct Call : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Call;
  Symbol func;             // a Func or an input image of the algorithm
  std::vector<Expr> args;  // coordinates, type index, in the user's order (first is fastest)
  int value_index;         // which value of a Func with several
  Call(Type t, Symbol f, std::vector<Expr> a, int v)
      : ExprNode(kKind, t), func(std::move(f)), args(std::move(a)), value_index(v) {}
};
enum class BufferFieldKind : uint8_t { Min, Extent, Stride };
struct BufferField : ExprNode {
  static constexpr ExprKind kKind = ExprKind::BufferField;
  Symbol buffer;
  BufferFieldKind field;
  int dim;  // algorithms: the user's dimension number; loop form: position in the shape
  BufferField(Symbol b, BufferFieldKind f, int d)
      : ExprNode(kKind, Type::index()), buffer(std::move(b)), field(f), dim(d) {}
};
// One dimension of a window: a point (hi undefined; the dimension disappears) or [lo, hi).
struct WindowDim {
  Expr lo, hi;
  bool is_point() const { return !hi.defined(); }
};
struct Window : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Window;
  Symbol buffer;
  std::vector<WindowDim> dims;
  Window(Type t, Symbol b, std::vector<WindowDim> d)
      : ExprNode(kKind, t), buffer(std::move(b)), dims(std::move(d)) {}
};
struct Ramp : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Ramp;
  Expr base, stride;  // scalars
  Ramp(Type t, Expr b, Expr s) : ExprNode(kKind, t), base(std::move(b)), stride(std::move(s)) {}
};
struct Broadcast : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Broadcast;
  Expr value;  // scalar
  Broadcast(Type t, Expr v) : ExprNode(kKind, t), value(std::move(v)) {}
};
struct Shuffle : ExprNode {
  static constexpr ExprKind kKind = ExprKind::Shuffle;
  std::vector<Expr> vectors;  // same element type; lanes are numbered through all of them
  std::vector<int> lanes;
  Shuffle(Type t, std::vector<Expr> v, std::vector<int> l)
      : ExprNode(kKind, t), vectors(std::move(v)), lanes(std::move(l)) {}
};

// Constructors. `value` is wrapped to the type.
Expr make_int(Type type, int64_t value);
inline Expr make_index(int64_t value) {
  return make_int(Type::index(), value);
}
Expr make_bool(bool value);
Expr make_float(Type type, double value);   // rounded to the type
Expr make_const(Type type, int64_t value);  // of any type, vectors by broadcast
Expr make_var(const Symbol& sym);           // type of the symbol
Expr make_unary(UnaryOp op, Expr a);
Expr make_binary(BinaryOp op, Expr a, Expr b);  // both of one type (shifts too)
Expr make_fma(Expr a, Expr b, Expr c);
Expr make_select(Expr cond, Expr t, Expr f);
Expr make_cast(Type type, Expr a);  // the operand itself where the type is the same
Expr make_load(const Symbol& buffer, Type type, std::vector<Expr> indices, Expr predicate = {},
               int64_t align = 0);
Expr make_call(const Symbol& func, Type type, std::vector<Expr> args, int value_index = 0);
Expr make_buffer_field(const Symbol& buffer, BufferFieldKind field, int dim);
Expr make_window(const Symbol& buffer, Type type, std::vector<WindowDim> dims);
Expr make_ramp(Expr base, Expr stride, int lanes);
Expr make_broadcast(Expr value, int lanes);
Expr make_shuffle(std::vector<Expr> vectors, std::vector<int> lanes);

inline Expr operator+(Expr a, Expr b) {
  return make_binary(BinaryOp::Add, std::move(a), std::move(b));
}
inline Expr operator-(Expr a, Expr b) {
  return make_binary(BinaryOp::Sub, std::move(a), std::move(b));
}
inline Expr operator*(Expr a, Expr b) {
  return make_binary(BinaryOp::Mul, std::move(a), std::move(b));
}
inline Expr operator/(Expr a, Expr b) {
  return make_binary(BinaryOp::Div, std::move(a), std::move(b));
}
inline Expr operator%(Expr a, Expr b) {
  return make_binary(BinaryOp::Mod, std::move(a), std::move(b));
}

// The value of an integer immediate (scalar, or broadcast of one).
bool is_int(const Expr& e, int64_t* value = nullptr);
bool is_int_equal(const Expr& e, int64_t value);

}  // namespace hocket::ir
