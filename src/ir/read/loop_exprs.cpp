#include "ir/read/loop_exprs.h"

#include "diag/kinds_parse.h"
#include "ir/read/control.h"
#include "ir/read/limits.h"

namespace hocket::ir::read {

namespace {

using diag::Diagnostic;

bool has_slice(const Syntax& s) {
  for (size_t i = 1; i < s.items.size(); ++i)
    if (s[i].kind == SyntaxKind::Slice) return true;
  return false;
}

}  // namespace

Result<Expr> LoopExprs::scalar_coordinate(const Syntax& s) {
  HOCKET_TRY(Expr e, coordinate(s));
  if (e.type().lanes != 1)
    return refuse(diag::kind::not_a_coordinate, s.spot).arg("given", e.type().name());
  return e;
}

Result<Expr> LoopExprs::control(const Syntax& s, const std::string& what) {
  HOCKET_TRY(Expr e, scalar_coordinate(s));
  HOCKET_CHECK(check_control(e, what, place(s.spot)));
  return e;
}

Result<Expr> LoopExprs::scalar_condition(const Syntax& s) {
  HOCKET_TRY(Expr e, condition(s));
  if (e.type().lanes != 1)
    return refuse(diag::kind::condition_not_bool, s.spot).arg("given", e.type().name());
  return e;
}

Result<const Thing*> LoopExprs::buffer(const Syntax& s) {
  std::optional<std::string> path = s.path();
  if (!path)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", spoken(s))
        .arg("wanted", "the name of a buffer");
  const Thing* t = scope_.find(*path);
  if (!t) return unknown("buffer", *path, s.spot, scope_.names());
  if (!t->buffer)
    return refuse(diag::kind::wrong_use, s.spot)
        .arg("name", *path)
        .arg("is", t->is)
        .arg("used", "a buffer")
        .label(t->sym.place(), "`" + *path + "` is defined here");
  return t;
}

Result<void> LoopExprs::may_load(const Thing& t, const Spot& s) const {
  if (loads_) return {};
  return refuse(diag::kind::wrong_use, s)
      .arg("name", t.sym.name())
      .arg("is", "a buffer")
      .arg("used", "a value that is known before the proc runs")
      .label(t.sym.place(), "`" + t.sym.name() + "` is defined here");
}

Result<FrontOperand> LoopExprs::variable(const std::string& path, const Syntax& at) {
  const Thing* t = scope_.find(path);
  if (!t) return unknown("variable", path, at.spot, scope_.names());
  if (!t->buffer) return typed(make_var(t->sym));
  if (flat_ || !t->shape.empty())
    return refuse(diag::kind::wrong_use, at.spot)
        .arg("name", path)
        .arg("is", t->shape.size() == 1
                       ? std::string("a buffer with one dimension")
                       : "a buffer with " + std::to_string(t->shape.size()) + " dimensions")
        .arg("used", "a value")
        .label(t->sym.place(), "`" + path + "` is defined here");
  HOCKET_CHECK(may_load(*t, at.spot));
  return typed(make_load(t->sym, t->sym.type(), {}));
}

Result<Access> LoopExprs::access(const Thing& buffer, const Syntax& s) {
  Access a;
  const Syntax* when = nullptr;
  for (size_t i = 1; i < s.items.size(); ++i) {
    if (s[i].kind == SyntaxKind::Slice)
      return refuse(diag::kind::unexpected_text, s[i].spot)
          .arg("found", "an interval")
          .arg("wanted", "an index")
          .note("windows stand only in calls and alone right of `=`");
    if (s[i].kind != SyntaxKind::Keyword) {
      HOCKET_TRY(Expr e, coordinate(s[i]));
      a.indices.push_back(std::move(e));
      continue;
    }
    bool known = flat_ && (s[i].text == "when" || s[i].text == "align");
    if (!known) {
      Diagnostic d = refuse(diag::kind::unknown_keyword, s[i].spot)
                         .arg("name", s[i].text)
                         .arg("of", flat_ ? "an access" : "an access outside a flat proc");
      if (flat_) did_you_mean(d, s[i].text, {"when", "align"});
      return d;
    }
    if (s[i].text == "when") {
      when = &s[i][0];
    } else if (s[i][0].kind == SyntaxKind::Integer && s[i][0].integer <= (uint64_t{1} << 30)) {
      a.align = static_cast<int64_t>(s[i][0].integer);
    } else {
      return refuse(diag::kind::malformed_vector, s[i].spot)
          .arg("what", "the alignment is no number of at most 2^30");
    }
  }
  size_t rank = flat_ ? 1 : buffer.shape.size();
  if (a.indices.size() != rank)
    return refuse(diag::kind::wrong_rank, s.spot)
        .arg("name", buffer.sym.name())
        .arg("wanted", static_cast<int64_t>(rank))
        .arg("of", flat_       ? "index in a flat proc"
                   : rank == 1 ? "dimension"
                               : "dimensions")
        .arg("given", static_cast<int64_t>(a.indices.size()))
        .label(buffer.sym.place(), "`" + buffer.sym.name() + "` is defined here");
  int lanes = flat_ ? a.indices[0].type().lanes : 1;
  a.type = buffer.sym.type().with_lanes(lanes);
  if (when) {
    HOCKET_TRY(a.predicate, condition(*when));
    if (a.predicate.type().lanes != lanes)
      return refuse(diag::kind::malformed_vector, when->spot)
          .arg("what", "the predicate has " + std::to_string(a.predicate.type().lanes) +
                           " lanes and the access " + std::to_string(lanes));
  }
  return a;
}

Result<FrontOperand> LoopExprs::indexed(const Syntax& s) {
  HOCKET_TRY(const Thing* t, buffer(s[0]));
  HOCKET_CHECK(may_load(*t, s.spot));
  HOCKET_TRY(Access a, access(*t, s));
  return typed(make_load(t->sym, a.type, std::move(a.indices), a.predicate, a.align));
}

Result<Expr> LoopExprs::window(const Syntax& s) {
  bool wrapped =
      s.kind == SyntaxKind::Apply && s[0].kind == SyntaxKind::Word && s[0].text == "window";
  if (wrapped && s.items.size() != 2)
    return count("window", "1", "argument", s.items.size() - 1, s.spot);
  const Syntax& w = wrapped ? s[1] : s;
  if (w.kind != SyntaxKind::Index || flat_)
    return refuse(diag::kind::unexpected_text, w.spot)
        .arg("found", flat_ ? "a window in a flat proc" : spoken(w))
        .arg("wanted", "a buffer with intervals, such as `A[0:8, j]`,");
  HOCKET_TRY(const Thing* t, buffer(w[0]));
  if (w.items.size() - 1 != t->shape.size())
    return refuse(diag::kind::wrong_rank, w.spot)
        .arg("name", t->sym.name())
        .arg("wanted", static_cast<int64_t>(t->shape.size()))
        .arg("of", t->shape.size() == 1 ? "dimension" : "dimensions")
        .arg("given", static_cast<int64_t>(w.items.size() - 1))
        .label(t->sym.place(), "`" + t->sym.name() + "` is defined here");
  // The buffer may be re-bound by nothing here, but its shape is copied before anything is read.
  const Thing thing = *t;
  const std::string what = "a window of `" + thing.sym.name() + "`";
  std::vector<WindowDim> dims;
  for (size_t i = 1; i < w.items.size(); ++i) {
    WindowDim d;
    if (w[i].kind != SyntaxKind::Slice) {
      HOCKET_TRY(d.lo, control(w[i], what));
    } else {
      d.lo = make_index(0);
      d.hi = thing.shape[i - 1];
      if (w[i].items[0]) {
        HOCKET_TRY(d.lo, control(w[i][0], what));
      }
      if (w[i].items[1]) {
        HOCKET_TRY(d.hi, control(w[i][1], what));
      }
    }
    dims.push_back(std::move(d));
  }
  return make_window(thing.sym, thing.sym.type(), std::move(dims));
}

Result<FrontOperand> LoopExprs::field(const std::string& field, const Syntax& head,
                                      const Syntax* dim, const Syntax& s) {
  HOCKET_TRY(const Thing* t, buffer(head));
  bool fits = dim && dim->kind == SyntaxKind::Integer &&
              dim->integer < (flat_ ? uint64_t{64} : t->shape.size());
  if (!fits)
    return refuse(diag::kind::wrong_rank, s.spot)
        .arg("name", t->sym.name())
        .arg("wanted", static_cast<int64_t>(t->shape.size()))
        .arg("of", t->shape.size() == 1 ? "dimension, number 0" : "dimensions, numbered from 0")
        .arg("given", dim && dim->kind == SyntaxKind::Integer
                          ? "number " + std::to_string(dim->integer)
                          : std::string("no number"))
        .label(t->sym.place(), "`" + t->sym.name() + "` is defined here");
  // In loop form a buffer starts at 0 and its extents are those of its shape; a stride is a value
  // of the run.
  if (!flat_ && field == "min") return typed(make_index(0));
  if (!flat_ && field == "extent") return typed(t->shape[dim->integer]);
  // In flat form only windows have strides that are not known.
  if (flat_ && (field != "stride" || !t->window || dim->integer >= t->shape.size()))
    return refuse(diag::kind::wrong_use, s.spot)
        .arg("name", t->sym.name())
        .arg("is", t->is)
        .arg("used", "a window with that " + field)
        .label(t->sym.place(), "`" + t->sym.name() + "` is defined here");
  return typed(make_buffer_field(t->sym, BufferFieldKind::Stride, static_cast<int>(dim->integer)));
}

// `A.extent(0)`; nothing else can be applied: procs have no value.
Result<FrontOperand> LoopExprs::application(const Syntax& s) {
  const Syntax& f = s[0];
  if (f.kind == SyntaxKind::Field && f[0].path() && scope_.find(*f[0].path())) {
    if (f.text == "min" || f.text == "extent" || f.text == "stride")
      return field(f.text, f[0], s.items.size() == 2 ? &s[1] : nullptr, s);
    Diagnostic d =
        refuse(diag::kind::unknown_field, f.spot).arg("name", *f[0].path()).arg("field", f.text);
    did_you_mean(d, f.text, {"min", "extent", "stride"});
    return d;
  }
  std::optional<std::string> path = f.path();
  if (!path)
    return refuse(diag::kind::unexpected_text, f.spot)
        .arg("found", spoken(f))
        .arg("wanted", "the name of a function");
  if (const Thing* t = scope_.find(*path))
    return refuse(diag::kind::wrong_use, f.spot)
        .arg("name", *path)
        .arg("is", t->is)
        .arg("used", "a function")
        .label(t->sym.place(), "`" + *path + "` is defined here");
  Diagnostic d = refuse(diag::kind::unknown_function, f.spot).arg("name", *path);
  did_you_mean(d, *path,
               {"select", "clamp", "min", "max", "abs", "sqrt", "floor", "ceil", "round", "trunc",
                "fma", "strict"});
  return d;
}

Result<int> LoopExprs::lanes(const Syntax& s) {
  if (s.kind != SyntaxKind::Integer || s.integer < 2 || s.integer > kMaxLanes)
    return refuse(diag::kind::malformed_vector, s.spot)
        .arg("what", "the number of lanes is no number from 2 to 65535");
  return static_cast<int>(s.integer);
}

Result<FrontOperand> LoopExprs::vector(const std::string& function, const Syntax& s) {
  if (!flat_)
    return refuse(diag::kind::malformed_vector, s.spot)
        .arg("what", "`" + function + "` stands outside a flat proc");
  size_t given = s.items.size() - 1;
  auto bad = [&](const char* what) {
    return refuse(diag::kind::malformed_vector, s.spot).arg("what", "`" + function + "` " + what);
  };
  if (function == "broadcast") {
    if (given != 2) return count(function, "2", "arguments", given, s.spot);
    HOCKET_TRY(Expr e, expr(s[1]));
    HOCKET_TRY(int n, lanes(s[2]));
    if (e.type().lanes != 1) return bad("takes one value, not a vector");
    return typed(make_broadcast(e, n));
  }
  if (function == "ramp") {
    if (given != 3) return count(function, "3", "arguments", given, s.spot);
    HOCKET_TRY(FrontOperand base, operand(s[1]));
    HOCKET_TRY(FrontOperand stride, operand(s[2]));
    HOCKET_TRY(int n, lanes(s[3]));
    Type type = !base.literal     ? base.expr.type()
                : !stride.literal ? stride.expr.type()
                                  : Type::index();
    if (type.lanes != 1 || type.is_bool()) return bad("takes single numbers, not vectors or bool");
    HOCKET_TRY(Expr b, front_value(base, type, place(s[1].spot), "the base"));
    HOCKET_TRY(Expr d, front_value(stride, type, place(s[2].spot), "the stride"));
    return typed(make_ramp(b, d, n));
  }
  if (given < 2 || s[given].kind != SyntaxKind::List || s[given].items.empty() ||
      s[given].items.size() > kMaxLanes)
    return bad("takes vectors and a list of lanes");
  std::vector<Expr> vectors;
  uint64_t total = 0;
  for (size_t i = 1; i < given; ++i) {
    HOCKET_TRY(Expr e, expr(s[i]));
    if (i > 1 && e.type().element() != vectors[0].type().element())
      return bad("joins vectors with different elements");
    total += e.type().lanes;
    vectors.push_back(std::move(e));
  }
  std::vector<int> list;
  for (const SyntaxRef& i : s[given].items) {
    if (i->kind != SyntaxKind::Integer || i->integer >= total)
      return refuse(diag::kind::malformed_vector, i->spot)
          .arg("what", "`shuffle` names a lane that none of its vectors has");
    list.push_back(static_cast<int>(i->integer));
  }
  return typed(make_shuffle(std::move(vectors), std::move(list)));
}

Result<FrontOperand> LoopExprs::special(const std::string& function, const Syntax& s) {
  if (function == "stride") {
    if (s.items.size() != 3) return count("stride", "2", "arguments", s.items.size() - 1, s.spot);
    return field("stride", s[1], &s[2], s);
  }
  if (function == "ramp" || function == "broadcast" || function == "shuffle")
    return vector(function, s);
  if (function == "window" && s.items.size() == 2 && has_slice(s[1]))
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", "a window")
        .arg("wanted", "a value")
        .note("windows stand only in calls and alone right of `=`");
  return Elaborator::special(function, s);
}

}  // namespace hocket::ir::read
