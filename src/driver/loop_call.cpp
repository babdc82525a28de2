#include "driver/loop_call.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analysis/evaluate.h"
#include "diag/kinds_driver.h"
#include "interp/run.h"
#include "ir/print.h"
#include "ir/visit.h"

namespace hocket::driver {

using diag::Diagnostic;
using diag::Result;
using ir::ParamKind;

namespace {

Diagnostic refused(std::string message) {
  return Diagnostic(diag::kind::call_refused).arg("message", std::move(message));
}

std::string spoken(const ir::Proc& proc, const ir::Param& p) {
  return "`" + p.sym.name() + "` of `" + proc.name() + "`";
}

// What a parameter takes, for messages: `a number of f32`, `a buffer of f32`.
std::string wanted(const ir::Param& p) {
  if (p.kind == ParamKind::Buffer) return "a buffer of " + p.type().name();
  return p.kind == ParamKind::Size ? "a size" : "a number of " + p.type().name();
}

// Values of shapes at this call: numbers by symbol, extents and strides of earlier buffers.
class Values {
 public:
  void number(const ir::Symbol& s, const ir::Scalar& v) { numbers_[s] = v.i; }
  void memory(const ir::Symbol& s, const LoopArgument& a) { memories_[s] = &a; }
  std::optional<int64_t> of(const ir::Expr& e) const {
    const std::optional<analysis::BigInt> n = analysis::evaluate(
        e, [this](const ir::Expr& term) -> std::optional<analysis::BigInt> { return value(term); });
    return n ? n->to_int64() : std::nullopt;
  }

 private:
  std::optional<analysis::BigInt> value(const ir::Expr& term) const {
    if (const auto* v = term.as<ir::VarRef>()) {
      if (auto found = numbers_.find(v->sym); found != numbers_.end())
        return analysis::BigInt(found->second);
    } else if (const auto* f = term.as<ir::BufferField>()) {
      const auto found = memories_.find(f->buffer);
      if (found == memories_.end()) return std::nullopt;
      if (f->field == ir::BufferFieldKind::Min) return analysis::BigInt(0);
      const LoopArgument& a = *found->second;
      const auto& list = f->field == ir::BufferFieldKind::Extent ? a.extents : a.strides;
      return analysis::BigInt(list[static_cast<size_t>(f->dim)]);
    }
    return std::nullopt;
  }

  std::unordered_map<ir::Symbol, int64_t> numbers_;
  std::unordered_map<ir::Symbol, const LoopArgument*> memories_;
};

Result<void> check_number(const ir::Proc& proc, const ir::Param& p, LoopArgument& a) {
  if (a.is_memory) return refused(spoken(proc, p) + " is " + wanted(p) + ", it is given memory");
  const ir::Type given = a.number.type;
  if (given == p.type()) return {};
  // Numbers of C++ become what the parameter is where the value is exact in it.
  const ir::Scalar cast = ir::eval_cast(p.type(), a.number);
  if ((given.is_float() && !p.type().is_float()) ||
      !ir::same_value(ir::eval_cast(given, cast), a.number))
    return refused(spoken(proc, p) + " is " + wanted(p) + ", it is given " +
                   interp::spoken(a.number) + " of " + given.name());
  a.number = cast;
  return {};
}

Result<void> check_memory(const ir::Proc& proc, const ir::Param& p, const Values& values,
                          LoopArgument& a) {
  if (!a.is_memory) return refused(spoken(proc, p) + " is " + wanted(p) + ", it is given a number");
  if (a.type != p.type())
    return refused(spoken(proc, p) + " is " + wanted(p) + ", it is given one of " + a.type.name());
  const size_t rank = p.shape.size();
  if (a.has_layout && a.extents.size() != rank)
    return refused(spoken(proc, p) + " has " + std::to_string(rank) +
                   (rank == 1 ? " dimension" : " dimensions") + ", it is given a buffer with " +
                   std::to_string(a.extents.size()));
  int64_t count = 1;
  for (size_t d = 0; d < rank; ++d) {
    const std::optional<int64_t> extent = values.of(p.shape[d]);
    const std::string where = "dimension " + std::to_string(d) + " of " + spoken(proc, p);
    if (!extent || *extent < 0)
      return refused(where + " is `" + ir::to_text(p.shape[d]) + "`, which is " +
                     (extent ? std::to_string(*extent) : std::string("no number")) +
                     " at these sizes");
    if (!a.has_layout) a.extents.push_back(*extent);
    if (a.extents[d] != *extent)
      return refused(where + " is " + std::to_string(*extent) + " long, it is given " +
                     std::to_string(a.extents[d]));
    count *= *extent;
  }
  int64_t dense = 1;
  if (!a.has_layout) a.strides.assign(rank, 0);
  for (size_t d = rank; d-- > 0; dense *= a.extents[d]) {
    if (!a.has_layout) a.strides[d] = dense;
    if (a.strides[d] != dense && !p.window && a.extents[d] > 1 && count > 0)
      return refused("dimension " + std::to_string(d) + " of " + spoken(proc, p) + " has stride " +
                     std::to_string(dense) + ", it is given " + std::to_string(a.strides[d]));
  }
  a.has_layout = true;
  if (a.data == nullptr && count > 0) return refused(spoken(proc, p) + " is null");
  return {};
}

// Parameters that the body, or a proc that it calls, writes to.
std::unordered_set<ir::Symbol> written(const ir::Proc& proc) {
  std::unordered_map<ir::Symbol, ir::Symbol> roots;  // of windows
  std::unordered_set<ir::Symbol> out;
  auto write = [&](ir::Symbol s) {
    for (auto root = roots.find(s); root != roots.end(); root = roots.find(s)) s = root->second;
    out.insert(s);
  };
  ir::for_each_stmt(proc.body, [&](const ir::Stmt& s) {
    if (const auto* store = s.as<ir::Store>()) write(store->buffer);
    if (const auto* w = s.as<ir::WindowStmt>())
      roots.emplace(w->sym, w->window.as<ir::Window>()->buffer);
    if (const auto* c = s.as<ir::CallStmt>()) {
      const std::unordered_set<ir::Symbol> inside = written(*c->callee);
      for (size_t i = 0; i < c->args.size(); ++i) {
        if (!inside.contains(c->callee->params[i].sym)) continue;
        if (const auto* v = c->args[i].as<ir::VarRef>()) write(v->sym);
        if (const auto* w = c->args[i].as<ir::Window>()) write(w->buffer);
      }
    }
    return true;
  });
  return out;
}

struct Bytes {
  uintptr_t first = 0, last = 0;  // half open
};
Bytes bytes_of(const LoopArgument& a) {
  Bytes b{reinterpret_cast<uintptr_t>(a.data), reinterpret_cast<uintptr_t>(a.data)};
  int64_t span = 1;
  for (size_t d = 0; d < a.extents.size(); ++d) {
    if (a.extents[d] == 0) return b;
    span += (a.extents[d] - 1) * a.strides[d];
  }
  b.last += static_cast<uintptr_t>(span * a.type.bytes());
  return b;
}

Result<void> check_writes(const ir::Proc& proc, const std::vector<LoopArgument>& arguments) {
  const std::unordered_set<ir::Symbol> writes = written(proc);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_memory) continue;
    if (arguments[i].read_only && writes.contains(proc.params[i].sym))
      return refused(spoken(proc, proc.params[i]) + " is written, it is given read-only memory");
    for (size_t j = i + 1; j < arguments.size(); ++j) {
      const ir::Param &p = proc.params[i], &q = proc.params[j];
      if (!arguments[j].is_memory || (!writes.contains(p.sym) && !writes.contains(q.sym))) continue;
      const Bytes a = bytes_of(arguments[i]), b = bytes_of(arguments[j]);
      if (a.first < b.last && b.first < a.last && a.first < a.last && b.first < b.last)
        return refused("`" + p.sym.name() + "` and `" + q.sym.name() + "` of `" + proc.name() +
                       "` share memory, and `" +
                       (writes.contains(p.sym) ? p.sym.name() : q.sym.name()) + "` is written");
    }
  }
  return {};
}

// Calls f(address) for every element, last dimension fastest.
template <class F>
void for_each_element(const LoopArgument& a, F&& f) {
  std::vector<int64_t> at(a.extents.size(), 0);
  for (const int64_t e : a.extents)
    if (e == 0) return;
  while (true) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) offset += at[d] * a.strides[d];
    f(static_cast<uint8_t*>(a.data) + offset * a.type.bytes());
    size_t d = at.size();
    while (d > 0 && ++at[d - 1] == a.extents[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace

Result<LoopCall> LoopCall::make(const ir::Proc& proc, std::span<const LoopArgument> arguments) {
  LoopCall call;
  if (arguments.size() != proc.params.size())
    return refused("`" + proc.name() + "` takes " + std::to_string(proc.params.size()) +
                   " arguments, it is given " + std::to_string(arguments.size()));
  call.arguments_.assign(arguments.begin(), arguments.end());
  Values values;
  for (size_t i = 0; i < proc.params.size(); ++i) {
    const ir::Param& p = proc.params[i];
    LoopArgument& a = call.arguments_[i];
    if (p.kind != ParamKind::Buffer) {
      HOCKET_CHECK(check_number(proc, p, a));
      if (p.kind == ParamKind::Size && a.number.i < 1)
        return refused(spoken(proc, p) + " is a size, at least 1, it is given " +
                       std::to_string(a.number.i));
      if (!p.type().is_float()) values.number(p.sym, a.number);
      ir::store_bytes(a.number, &call.numbers_.emplace_back(0));
      call.args_.push_back(&call.numbers_.back());
      continue;
    }
    HOCKET_CHECK(check_memory(proc, p, values, a));
    values.memory(p.sym, a);
    if (p.window) {
      std::vector<int64_t>& w = call.windows_.emplace_back();
      w.push_back(reinterpret_cast<int64_t>(a.data));
      w.insert(w.end(), a.strides.begin(), a.strides.end());
      call.args_.push_back(w.data());
    } else {
      call.args_.push_back(a.data);
    }
  }
  HOCKET_CHECK(check_writes(proc, call.arguments_));
  return call;
}

Result<void> LoopCall::run_guarded(const ir::Proc& proc) const {
  std::deque<interp::Tensor> tensors;
  interp::Arguments arguments;
  for (const LoopArgument& a : arguments_) {
    if (!a.is_memory) {
      arguments.emplace_back(a.number);
      continue;
    }
    interp::Tensor& t = tensors.emplace_back(interp::Tensor::row_major(a.type, a.extents));
    uint8_t* to = t.data();
    for_each_element(a, [&](const uint8_t* from) {
      std::copy_n(from, a.type.bytes(), to);
      to += a.type.bytes();
    });
    t.mark_computed();
    arguments.emplace_back(t);
  }
  const interp::Outcome outcome = interp::run(proc, arguments);
  if (outcome.entry && !outcome.entry->text.empty())
    return refused("`" + proc.name() + "` needs `" + outcome.entry->text + "`");
  if (!outcome.ok()) {
    std::string words = outcome.text();
    while (!words.empty() && words.back() == '\n') words.pop_back();
    return refused("`" + proc.name() + "` goes wrong: " + words);
  }
  size_t next = 0;
  for (const LoopArgument& a : arguments_) {
    if (!a.is_memory) continue;
    const uint8_t* from = tensors[next++].data();
    for_each_element(a, [&](uint8_t* to) {
      std::copy_n(from, a.type.bytes(), to);
      from += a.type.bytes();
    });
  }
  return {};
}

}  // namespace hocket::driver
