#include "ir/stmt.h"

#include <atomic>

#include "ir/proc.h"

namespace hocket::ir {

uint64_t fresh_stmt_id() {
  static std::atomic<uint64_t> counter{0};
  return counter.fetch_add(1, std::memory_order_relaxed) + 1;
}

namespace {
template <class T, class F>
Stmt node(support::Place place, F&& fill) {
  auto n = support::Ref<T>(new T);
  n->id = fresh_stmt_id();
  n->place = std::move(place);
  fill(*n);
  return Stmt(support::Ref<const StmtNode>(n.get()));
}
}  // namespace

const char* spelling(LoopKind kind) {
  switch (kind) {
    case LoopKind::Seq:
      return "seq";
    case LoopKind::Unordered:
      return "par";
    case LoopKind::Parallel:
      return "parallel";
    case LoopKind::Vectorized:
      return "vectorize";
    case LoopKind::Unrolled:
      return "unroll";
  }
  return "?";
}

const char* spelling(StoreOp op) {
  switch (op) {
    case StoreOp::Assign:
      return "=";
    case StoreOp::Add:
      return "+=";
    case StoreOp::Mul:
      return "*=";
    case StoreOp::Min:
      return "min=";
    case StoreOp::Max:
      return "max=";
  }
  return "?";
}

Stmt make_for(const Symbol& var, Expr lo, Expr hi, LoopKind loop, Body body, support::Place p) {
  HOCKET_ASSERT(lo.type().is_index() && hi.type().is_index(), "loop bounds are index");
  return node<For>(std::move(p), [&](For& f) {
    f.var = var;
    f.lo = std::move(lo);
    f.hi = std::move(hi);
    f.loop = loop;
    f.body = std::move(body);
  });
}

Stmt make_if(Expr cond, Body then_body, Body else_body, support::Place p) {
  HOCKET_ASSERT(cond.type().is_bool(), "condition is no bool");
  return node<If>(std::move(p), [&](If& f) {
    f.cond = std::move(cond);
    f.then_body = std::move(then_body);
    f.else_body = std::move(else_body);
  });
}

Stmt make_let(const Symbol& sym, Expr value, support::Place p) {
  HOCKET_ASSERT(sym.type() == value.type(), "let of another type");
  return node<Let>(std::move(p), [&](Let& l) {
    l.sym = sym;
    l.value = std::move(value);
  });
}

Stmt make_alloc(const Symbol& buffer, std::vector<Expr> shape, std::string memory,
                support::Place p) {
  return node<Alloc>(std::move(p), [&](Alloc& a) {
    a.buffer = buffer;
    a.shape = std::move(shape);
    a.memory = std::move(memory);
  });
}

Stmt make_free(const Symbol& buffer) {
  return node<Free>({}, [&](Free& f) { f.buffer = buffer; });
}

Stmt make_store(const Symbol& buffer, std::vector<Expr> indices, Expr value, StoreOp op,
                BlockRef block, support::Place p) {
  return node<Store>(std::move(p), [&](Store& s) {
    s.buffer = buffer;
    s.indices = std::move(indices);
    s.value = std::move(value);
    s.op = op;
    s.block = std::move(block);
  });
}

Stmt make_call(support::Ref<const Proc> callee, std::vector<Expr> args, support::Place p) {
  return node<CallStmt>(std::move(p), [&](CallStmt& c) {
    c.callee = std::move(callee);
    c.args = std::move(args);
  });
}

Stmt make_window_stmt(const Symbol& sym, Expr window, support::Place p) {
  HOCKET_ASSERT(window.as<Window>(), "window statement of something else");
  return node<WindowStmt>(std::move(p), [&](WindowStmt& w) {
    w.sym = sym;
    w.window = std::move(window);
  });
}

Stmt make_check(Expr cond, int code, std::string message, support::Place p) {
  return node<Check>(std::move(p), [&](Check& c) {
    c.cond = std::move(cond);
    c.code = code;
    c.message = std::move(message);
  });
}

Stmt make_pass(support::Place p) {
  return node<Pass>(std::move(p), [](Pass&) {});
}

}  // namespace hocket::ir
