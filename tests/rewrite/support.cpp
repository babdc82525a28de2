#include "rewrite/support.h"

#include <unordered_map>

#include "analysis/evaluate.h"
#include "interp/run.h"
#include "ir/print.h"

namespace hocket::rewrite::testing {

using namespace ir;

text::File parse(const std::string& source) {
  auto file = text::parse(source, "test.hk");
  if (!file.ok()) {
    ADD_FAILURE() << file.error().message() << " at line " << file.error().place.line << "\n"
                  << source;
    return {};
  }
  return std::move(file).value();
}

diag::Result<Applied> replay_file(const text::File& file) {
  const Trace* trace = nullptr;
  for (const text::Item& i : file.items)
    if (const auto* t = std::get_if<Trace>(&i.value)) trace = t;
  HOCKET_ASSERT(trace, "a test without a trace");
  Applied out;
  out.before = file.proc(trace->proc);
  Library library{file.procs()};
  HOCKET_TRY(State state, replay(out.before, *trace, library));
  out.after = state.proc();
  out.trace = state.trace();
  out.text = to_text(*out.after);
  // Callees come first: the proc itself starts at the last `def`.
  const size_t at = out.text.rfind("def ");
  out.text = out.text.substr(at == std::string::npos ? 0 : at);
  return out;
}

Applied applied(const std::string& source) {
  auto r = replay_file(parse(source));
  if (!r.ok()) {
    std::string lines;
    for (const std::string& w : r.error().witness) lines += "\n  " + w;
    ADD_FAILURE() << r.error().message() << " at line " << r.error().place.line << lines;
    return {};
  }
  return std::move(r).value();
}

diag::Diagnostic refused(const std::string& source) {
  auto r = replay_file(parse(source));
  if (!r.ok()) return r.error();
  ADD_FAILURE() << "applied:\n" << r->text;
  return diag::Diagnostic(diag::all_kinds()[0]);
}

ir::TraceStep step(const std::string& text) {
  text::File f = parse("def p(A: f32[4]):\n    A[0] = 1.0\n\ntrace t for p:\n    " + text + "\n");
  return std::get<Trace>(f.items.back().value).steps.at(0);
}

std::string difference(const Proc& before, const Proc& after, const std::vector<int64_t>& sizes,
                       uint64_t seed) {
  std::unordered_map<Symbol, int64_t> values;
  std::vector<interp::Tensor> a, b;
  a.reserve(before.params.size());
  b.reserve(before.params.size());
  interp::Arguments x, y;
  size_t next = 0;
  for (const Param& p : before.params) {
    if (p.kind == ParamKind::Buffer) {
      std::vector<int64_t> extents;
      for (const Expr& e : p.shape)
        extents.push_back(
            *analysis::evaluate(e, [&](const Expr& t) -> std::optional<analysis::BigInt> {
               return analysis::BigInt(values.at(t.as<VarRef>()->sym));
             })->to_int64());
      a.push_back(interp::Tensor::row_major(p.type(), extents).fill_random(seed + a.size()));
      b.push_back(a.back());
      x.push_back(a.back());
      y.push_back(b.back());
    } else if (p.kind == ParamKind::Scalar) {
      const Scalar s = interp::Random(seed).value(p.type());
      x.push_back(s);
      y.push_back(s);
    } else {
      values[p.sym] = sizes.at(next++);
      x.push_back(values[p.sym]);
      y.push_back(values[p.sym]);
    }
  }
  interp::RunOptions options;
  options.order = interp::Order::Random;
  options.seed = seed;
  auto r = interp::run(before, x, options), s = interp::run(after, y, options);
  if (!r.ok()) return "before: " + r.text() + " (code " + std::to_string(r.code) + ")";
  if (!s.ok()) return "after: " + s.text() + " (code " + std::to_string(s.code) + ")";
  for (size_t i = 0; i < a.size(); ++i)
    if (auto d = interp::first_difference(a[i], b[i]))
      return "buffer " + std::to_string(i) + " differs at " + interp::spoken(*d) + ": " +
             interp::spoken(a[i].at(*d)) + " became " + interp::spoken(b[i].at(*d));
  return {};
}

void expect_same(const Applied& a, const std::vector<std::vector<int64_t>>& sizes) {
  ASSERT_TRUE(a.after) << "nothing was applied";
  for (const auto& s : sizes) {
    std::string at;
    for (int64_t v : s) at += " " + std::to_string(v);
    EXPECT_EQ(difference(*a.before, *a.after, s), "") << "sizes" << at << "\n" << a.text;
  }
}

}  // namespace hocket::rewrite::testing
