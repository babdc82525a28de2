// set_precision(buffer, type)
//
//   a: f32[n]   ->   a: f16[n]       casts where it is used
//
// Conditions: the buffer is allocated in the proc and used by loads and stores alone. It changes
// results and needs `allow(precision, buffer)`. Elsewhere: set_precision (Exo).
#include "diag/kinds_rewrite.h"
#include "rewrite/kernel/operators.h"

namespace hocket::rewrite {

using namespace ir;

namespace {

// Every use of the buffer, with casts to and from its new type.
class Retype : public Rewriter {
 public:
  Retype(const Symbol& from, const Symbol& to) : from_(from), to_(to) {}
  std::string refused;

 protected:
  Expr visit(const Expr& e) override {
    if (const auto* l = e.as<Load>(); l && l->buffer == from_) {
      std::vector<Expr> indices;
      for (const Expr& i : l->indices) indices.push_back(rewrite(i));
      return make_cast(from_.type(), make_load(to_, to_.type(), std::move(indices)));
    }
    if (const auto* w = e.as<Window>(); w && w->buffer == from_) refused = "a window shows it";
    if (const auto* f = e.as<BufferField>(); f && f->buffer == from_)
      refused = "its strides are read";
    if (const auto* v = e.as<VarRef>(); v && v->sym == from_)
      refused = "it is an argument of a call";
    return recurse(e);
  }
  void visit(const Stmt& s, Body& out) override {
    Stmt r = recurse(s);
    if (const auto* st = r.as<Store>(); st && st->buffer == from_) {
      r = edited<Store>(r, [&](Store& n) {
        n.buffer = to_;
        const auto* product = n.value.as<Binary>();
        n.value = n.fused && product && to_.type().is_float()
                      ? make_binary(BinaryOp::Mul, make_cast(to_.type(), product->a),
                                    make_cast(to_.type(), product->b))
                      : make_cast(to_.type(), n.value);
        n.fused = n.fused && to_.type().is_float();
      });
    }
    out.push_back(r);
  }

 private:
  Symbol from_, to_;
};

}  // namespace

Outcome set_precision(Context& c) {
  HOCKET_TRY(Located at, c.alloc("buffer"));
  HOCKET_TRY(std::string word, c.text("type"));
  const auto* alloc = at.stmt.as<Alloc>();
  auto type = Type::parse(word);
  if (!type || type->is_vector() || type->is_index() || type->is_bool())
    return c.bad_args("`" + word + "` is no type of numbers");
  const std::string& name = alloc->buffer.name();
  if (!c.state.allowed("precision", name))
    return c.refuse(diag::kind::rewrite_not_allowed)
        .arg("what", "the precision")
        .arg("name", name)
        .help("allow(precision, " + name + ")");
  const Symbol now =
      Symbol::derived(name, *type, alloc->buffer, "other precision of", c.step.place);
  const Body rest(at.list.begin() + static_cast<std::ptrdiff_t>(at.at) + 1, at.list.end());
  Retype retype(alloc->buffer, now);
  Body mapped = retype.rewrite(rest);
  if (!retype.refused.empty()) return c.cannot(retype.refused);
  ProcRef after = with_list(c.proc(), at.stmt.id(), [&](Body& list, size_t i) {
    list[i] = edited<Alloc>(at.stmt, [&](Alloc& a) { a.buffer = now; });
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
    list.insert(list.end(), mapped.begin(), mapped.end());
  });
  return c.judge.accept(c.proc(), after);
}

}  // namespace hocket::rewrite
