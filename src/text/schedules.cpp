#include "text/schedules.h"

#include <algorithm>
#include <limits>

#include "diag/kinds_parse.h"
#include "ir/read/elaborate.h"
#include "ir/visit.h"
#include "support/strings.h"
#include "target/memory.h"
#include "text/image_fields.h"

namespace hocket::text {

namespace {

using diag::Diagnostic;
using ir::Directive;
using ir::Tail;
using ir::Verb;

// What a verb takes, in this order: names, the stage of `compute_at` before them, factors, two
// expressions, a tail.
struct Signature {
  Verb verb;
  size_t least_names, most_names;
  bool site = false;
  size_t least_factors = 0, most_factors = 0;
  bool exprs = false;
  bool tail = false;
  const char* takes = "no arguments";
};

constexpr size_t kMany = 1000;
constexpr Signature kSignatures[] = {
    {Verb::Split, 3, 3, false, 1, 1, false, true, "`x, xo, xi, factor[, tail]`"},
    {Verb::Fuse, 3, 3, false, 0, 0, false, false, "`inner, outer, fused`"},
    {Verb::Tile, 4, 6, false, 2, 2, false, true, "`x, y, [xo, yo,] xi, yi, fx, fy[, tail]`"},
    {Verb::Reorder, 1, kMany, false, 0, 0, false, false, "loops, innermost first"},
    {Verb::Rename, 2, 2, false, 0, 0, false, false, "`x, new`"},
    {Verb::Serial, 1, 1, false, 0, 0, false, false, "`x`"},
    {Verb::Parallel, 1, 1, false, 0, 1, false, true, "`x[, factor[, tail]]`"},
    {Verb::Vectorize, 1, 1, false, 0, 1, false, true, "`x[, factor[, tail]]`"},
    {Verb::Unroll, 1, 1, false, 0, 1, false, true, "`x[, factor[, tail]]`"},
    {Verb::ComputeRoot, 0, 0},
    {Verb::ComputeAt, 2, 2, true, 0, 0, false, false, "a stage and a loop of it"},
    {Verb::ComputeInline, 0, 0},
    {Verb::StoreRoot, 0, 0},
    {Verb::StoreAt, 2, 2, true, 0, 0, false, false, "a stage and a loop of it"},
    {Verb::Bound, 1, 1, false, 0, 0, true, false, "`x, min, extent`"},
    {Verb::FoldStorage, 1, 1, false, 1, 1, false, false, "`x, extent`"},
    {Verb::ReorderStorage, 1, kMany, false, 0, 0, false, false, "dimensions, fastest first"},
    {Verb::StoreIn, 1, 1, false, 0, 0, false, false, "a memory"},
    {Verb::StreamStores, 0, 0},
};

// Expressions of `bound`: over the pipeline's parameters and sizes of inputs.
class BoundElaborator : public Elaborator {
 public:
  BoundElaborator(const Source& source, const ir::Algorithm* pipeline, const std::string& name)
      : Elaborator(source, ir::NumericMode::Contract), pipeline_(pipeline), name_(name) {}

 protected:
  Result<FrontOperand> variable(const std::string& path, const Syntax& at) override {
    if (!pipeline_) return not_here(path, at);
    std::vector<std::string> names;
    for (const ir::ScalarParam& p : pipeline_->params) {
      if (p.sym.name() == path) return typed(ir::make_var(p.sym));
      names.push_back(p.sym.name());
    }
    return unknown("parameter", path, at.spot, names);
  }
  // `input.extent(x)`
  Result<FrontOperand> application(const Syntax& s) override {
    const std::optional<std::string> head =
        s[0].kind == SyntaxKind::Field ? s[0][0].path() : std::nullopt;
    if (!head) return no_bound(s, "an application");
    if (!pipeline_) return not_here(*head, s);
    std::vector<std::string> names;
    for (const ir::ImageParam& input : pipeline_->inputs) {
      names.push_back(input.sym.name());
      if (names.back() != *head) continue;
      HOCKET_TRY(ir::Expr size, image_field(input, s, source_));
      return typed(std::move(size));
    }
    return unknown("input", *head, s[0][0].spot, names);
  }
  Result<FrontOperand> indexed(const Syntax& s) override {
    return no_bound(s, "an index in brackets");
  }

 private:
  Diagnostic no_bound(const Syntax& s, const char* found) const {
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", found)
        .arg("wanted", "a number, a parameter or a size such as `input.extent(x)`");
  }
  Diagnostic not_here(const std::string& what, const Syntax& at) const {
    return refuse(diag::kind::pipeline_not_here, at.spot).arg("what", what).arg("pipeline", name_);
  }
  const ir::Algorithm* pipeline_;
  const std::string& name_;
};

class ScheduleElaborator {
 public:
  ScheduleElaborator(const ItemSyntax& item, const Source& source, const ir::Algorithm* pipeline)
      : item_(item), source_(source), pipeline_(pipeline) {}
  Result<ir::Schedule> run();

 private:
  struct Stage {
    std::string func;
    int stage = 0;
  };
  Diagnostic refuse(diag::Kind kind, const Spot& s) const {
    return Diagnostic(kind, source_.place(s));
  }
  Diagnostic arguments(const char* verb, const char* takes, const Spot& s) const {
    return refuse(diag::kind::malformed_directive, s).arg("verb", verb).arg("wanted", takes);
  }
  Diagnostic unknown_tail(const std::string& word, const Syntax& at) const;
  Result<void> chain(const Syntax& s);
  Result<Stage> stage(const Syntax& s) const;
  Result<Directive> directive(const Stage& of, const Syntax& call);
  Result<Directive> alias(Directive d, const std::string& verb, const Syntax& call);
  Result<std::string> only_consumer(const std::string& func, const Spot& s) const;
  Result<int> update_number(const Syntax& call) const;

  const ItemSyntax& item_;
  const Source& source_;
  const ir::Algorithm* pipeline_;
  ir::Schedule schedule_;
};

// `update(k)` is stage k + 1.
Result<int> ScheduleElaborator::update_number(const Syntax& call) const {
  size_t given = call.items.size() - 1;
  if (given == 0) return 1;
  bool number = given == 1 && call[1].kind == SyntaxKind::Integer && call[1].integer < 100000;
  if (!number) return arguments("update", "the number of an update, from 0", call[0].spot);
  return static_cast<int>(call[1].integer) + 1;
}

Result<ScheduleElaborator::Stage> ScheduleElaborator::stage(const Syntax& s) const {
  Stage out;
  const Syntax* func = &s;
  if (s.kind == SyntaxKind::Apply && s[0].kind == SyntaxKind::Field && s[0].text == "update") {
    HOCKET_TRY(out.stage, update_number(s));
    func = &s[0][0];
  }
  std::optional<std::string> name = func->path();
  if (!name)
    return refuse(diag::kind::unexpected_text, s.spot)
        .arg("found", spoken(s))
        .arg("wanted", "a Func or one of its updates");
  out.func = *name;
  return out;
}

Result<std::string> ScheduleElaborator::only_consumer(const std::string& func,
                                                      const Spot& s) const {
  if (!pipeline_)
    return refuse(diag::kind::pipeline_not_here, s)
        .arg("what", "chunk")
        .arg("pipeline", item_.of.name);
  const ir::Func* producer = pipeline_->find(std::string_view(func));
  if (!producer) {
    Diagnostic d = refuse(diag::kind::unknown_name, s).arg("what", "Func").arg("name", func);
    std::vector<std::string> names;
    for (const ir::Func& f : pipeline_->funcs) names.push_back(f.name());
    did_you_mean(d, func, names);
    return d;
  }
  std::vector<const ir::Func*> users;
  for (const ir::Func& f : pipeline_->funcs) {
    bool reads = false;
    for (int k = 0; k < f.num_stages(); ++k) {
      for (const Expr& e : f.stage(k).values) reads |= ir::uses(e, producer->sym);
      for (const Expr& e : f.stage(k).args) reads |= ir::uses(e, producer->sym);
    }
    if (reads && !(f.sym == producer->sym)) users.push_back(&f);
  }
  if (users.size() != 1) {
    Diagnostic d = refuse(diag::kind::no_single_consumer, s)
                       .arg("func", func)
                       .arg("count", static_cast<int64_t>(users.size()));
    for (const ir::Func* user : users)
      d.label(user->place, "`" + user->name() + "` reads `" + func + "`");
    return d;
  }
  return users[0]->name();
}

Result<Directive> ScheduleElaborator::alias(Directive d, const std::string& verb,
                                            const Syntax& call) {
  const Spot& spot = call[0].spot;
  if (verb == "root" || verb == "inline") {
    if (call.items.size() != 1) return arguments(verb.c_str(), "no arguments", spot);
    d.verb = verb == "root" ? Verb::ComputeRoot : Verb::ComputeInline;
    return d;
  }
  if (verb == "chunk") {
    std::optional<std::string> loop = call.items.size() == 2 ? call[1].path() : std::nullopt;
    if (!loop) return arguments("chunk", "`x`", spot);
    HOCKET_TRY(std::string user, only_consumer(d.func, spot));
    d.verb = Verb::ComputeAt;
    d.names = {user, *loop};
    return d;
  }
  std::vector<std::string> known = {"root", "inline", "chunk", "update"};
  for (const Signature& s : kSignatures) known.push_back(ir::spelling(s.verb));
  Diagnostic out = refuse(diag::kind::unknown_verb, spot).arg("name", verb);
  did_you_mean(out, verb, known);
  return out;
}

Diagnostic ScheduleElaborator::unknown_tail(const std::string& word, const Syntax& at) const {
  Diagnostic d = refuse(diag::kind::unknown_name, at.spot).arg("what", "tail").arg("name", word);
  std::vector<std::string> known;
  for (Tail t : {Tail::Auto, Tail::RoundUp, Tail::Guard, Tail::ShiftInwards})
    known.push_back(ir::spelling(t));
  did_you_mean(d, word, known);
  d.note("the tails are " + support::join(known, ", "));
  return d;
}

Result<Directive> ScheduleElaborator::directive(const Stage& of, const Syntax& call) {
  Directive d;
  d.func = of.func;
  d.stage = of.stage;
  const std::string& verb = call[0].text;
  d.place = source_.place(call[0].spot);
  const auto* sig = std::find_if(std::begin(kSignatures), std::end(kSignatures),
                                 [&](const Signature& s) { return verb == ir::spelling(s.verb); });
  if (sig == std::end(kSignatures)) return alias(std::move(d), verb, call);
  d.verb = sig->verb;
  auto bad = [&] { return arguments(ir::spelling(d.verb), sig->takes, call[0].spot); };
  size_t at = 1, end = call.items.size();
  // The argument at which reading came to an end.
  auto bad_here = [&] {
    if (at >= end) return bad();
    const Syntax& arg = call[at];
    return bad().label(source_.place(arg.spot), arg.kind == SyntaxKind::Keyword
                                                    ? "arguments stand by position, without names"
                                                    : spoken(arg) + " does not fit here");
  };
  if (call.has_split) return bad();
  bool root = end == 2 && sig->site && call[1].path() == "ROOT";
  if (root) {
    d.verb = d.verb == Verb::ComputeAt ? Verb::ComputeRoot : Verb::StoreRoot;
    return d;
  }
  // The tail is the last argument, by name.
  if (sig->tail && end > at) {
    std::optional<std::string> word = call[end - 1].path();
    for (Tail t : {Tail::Auto, Tail::RoundUp, Tail::Guard, Tail::ShiftInwards}) {
      if (word != ir::spelling(t) || call[end - 1].quoted) continue;
      d.tail = t;
      --end;
      break;
    }
  }
  if (sig->site && at < end) {
    HOCKET_TRY(Stage site, stage(call[at]));
    d.names.push_back(site.func);
    d.site_stage = site.stage;
    ++at;
  }
  for (; at < end && d.names.size() < sig->most_names; ++at) {
    std::optional<std::string> name = call[at].path();
    if (!name) break;
    d.names.push_back(*name);
  }
  for (; at < end && d.factors.size() < sig->most_factors; ++at) {
    bool minus = call[at].kind == SyntaxKind::Unary && call[at].unary == ir::UnaryOp::Neg;
    const Syntax& digits = minus ? call[at][0] : call[at];
    if (digits.kind != SyntaxKind::Integer) return bad_here();
    if (digits.integer > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return refuse(diag::kind::number_out_of_range, digits.spot)
          .arg("number", "the number `" + std::to_string(digits.integer) + "`")
          .arg("range", "a factor");
    int64_t v = static_cast<int64_t>(digits.integer);
    d.factors.push_back(minus ? -v : v);
  }
  if (sig->exprs) {
    BoundElaborator bounds(source_, pipeline_, item_.of.name);
    for (; at < end && d.exprs.size() < 2; ++at) {
      HOCKET_TRY(Expr e, bounds.coordinate(call[at]));
      d.exprs.push_back(std::move(e));
    }
    if (d.exprs.size() != 2) return bad();
  }
  if (d.verb == Verb::StoreIn && d.names.size() == 1)
    HOCKET_CHECK(target::memory(d.names[0], source_.place(call[1].spot)));
  if (sig->tail && !d.factors.empty() && at + 1 == end && d.tail == Tail::Auto) {
    if (const std::optional<std::string> word = call[at].path())
      return unknown_tail(*word, call[at]);
  }
  bool tile = d.verb == Verb::Tile && d.names.size() == 5;
  bool lone_tail = d.tail != Tail::Auto && d.factors.empty();
  if (at != end || d.names.size() < sig->least_names || d.factors.size() < sig->least_factors ||
      tile || lone_tail)
    return bad_here();
  return d;
}

Result<void> ScheduleElaborator::chain(const Syntax& s) {
  // a.b(...).c(...) is nested with the last call outermost.
  std::vector<const Syntax*> calls;
  const Syntax* at = &s;
  while (at->kind == SyntaxKind::Apply && (*at)[0].kind == SyntaxKind::Field) {
    calls.push_back(at);
    at = &(*at)[0][0];
  }
  std::optional<std::string> func = at->path();
  if (!func || calls.empty())
    return refuse(diag::kind::unexpected_text, at->spot)
        .arg("found", spoken(*at))
        .arg("wanted", "directives of a Func, such as `f.split(x, xo, xi, 8)`,");
  Stage of{*func, 0};
  for (; !calls.empty(); calls.pop_back()) {
    const Syntax& call = *calls.back();
    if (call[0].text == "update") {
      HOCKET_TRY(of.stage, update_number(call));
      if (calls.size() == 1)
        return refuse(diag::kind::unexpected_text, call[0].spot)
            .arg("found", "an update without a directive")
            .arg("wanted", "a directive after it");
      continue;
    }
    HOCKET_TRY(Directive d, directive(of, call));
    schedule_.directives.push_back(std::move(d));
  }
  return {};
}

Result<ir::Schedule> ScheduleElaborator::run() {
  schedule_.name = item_.name.name;
  schedule_.pipeline = item_.of.name;
  schedule_.place = source_.place(item_.name.spot);
  for (const Line& l : item_.body) HOCKET_CHECK(chain(*l.value));
  return std::move(schedule_);
}

Result<ir::Literal> literal(const Syntax& s, const Source& source) {
  using ir::Literal;
  switch (s.kind) {
    case SyntaxKind::Integer:
      if (s.integer > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) break;
      return Literal::of(static_cast<int64_t>(s.integer));
    case SyntaxKind::Unary:
      if (s.unary == ir::UnaryOp::Neg && s[0].kind == SyntaxKind::Integer) {
        // -2^63 is a number although 2^63 is none.
        if (s[0].integer > uint64_t{1} << 63) break;
        return Literal::of(static_cast<int64_t>(uint64_t{0} - s[0].integer));
      }
      break;
    case SyntaxKind::String:
      return Literal::string(s.text);
    case SyntaxKind::Hole:  // any: `allow(reassociation, _)`
      return Literal::string("_");
    case SyntaxKind::Name:
    case SyntaxKind::Field: {
      if (!s.quoted && (s.text == "True" || s.text == "False") && s.kind == SyntaxKind::Name)
        return Literal::of_bool(s.text == "True");
      if (std::optional<std::string> path = s.path()) return Literal::name(*path);
      break;
    }
    case SyntaxKind::List: {
      std::vector<Literal> items;
      for (const SyntaxRef& i : s.items) {
        HOCKET_TRY(Literal l, literal(*i, source));
        items.push_back(std::move(l));
      }
      return Literal::list(std::move(items));
    }
    default:
      break;
  }
  bool number = s.kind == SyntaxKind::Integer || s.kind == SyntaxKind::Unary;
  return Diagnostic(diag::kind::unexpected_text, source.place(s.spot))
      .arg("found", number ? "a number beyond 64 bits, or an expression" : "an expression")
      .arg("wanted", "a number, a name, a string (`\"n + 1\"`) or a list of them");
}

}  // namespace

Result<ir::Schedule> elaborate_schedule(const ItemSyntax& item, const Source& source,
                                        const ir::Algorithm* pipeline) {
  return ScheduleElaborator(item, source, pipeline).run();
}

Result<ir::Trace> elaborate_trace(const ItemSyntax& item, const Source& source) {
  ir::Trace trace;
  trace.name = item.name.name;
  trace.proc = item.of.name;
  trace.place = source.place(item.name.spot);
  for (const Line& l : item.body) {
    const Syntax& s = *l.value;
    ir::TraceStep step;
    std::optional<std::string> op = s.kind == SyntaxKind::Apply ? s[0].path() : std::nullopt;
    if (!op || s.has_split)
      return Diagnostic(diag::kind::unexpected_text, source.place(s.spot))
          .arg("found", spoken(s))
          .arg("wanted", "a step such as `split(i, 8, [io, ii])`");
    step.op = *op;
    step.place = source.place(s[0].spot);
    for (size_t i = 1; i < s.items.size(); ++i) {
      bool keyword = s[i].kind == SyntaxKind::Keyword;
      HOCKET_TRY(ir::Literal value, literal(keyword ? s[i][0] : s[i], source));
      if (keyword) {
        step.keywords.emplace_back(s[i].text, std::move(value));
      } else if (!step.keywords.empty()) {
        return Diagnostic(diag::kind::unexpected_text, source.place(s[i].spot))
            .arg("found", "an argument after a named one")
            .arg("wanted", "positional arguments before named ones");
      } else {
        step.args.push_back(std::move(value));
      }
    }
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace hocket::text
