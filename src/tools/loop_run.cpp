#include "tools/loop_run.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <unordered_map>

#include "analysis/evaluate.h"
#include "diag/kinds_driver.h"
#include "interp/value.h"
#include "tools/room.h"

namespace hocket::tools {

using diag::Result;

namespace {

diag::Diagnostic no_room(const ir::Param& p, const std::string& bytes) {
  return diag::Diagnostic(diag::kind::out_of_memory)
      .arg("what", "`" + p.sym.name() + "`")
      .arg("bytes", bytes);
}

}  // namespace

Result<LoopArguments> LoopArguments::make(const ir::Proc& proc, const Scalars& scalars) {
  LoopArguments out;
  std::unordered_map<ir::Symbol, int64_t> values;
  const analysis::TermValue term = [&](const ir::Expr& e) -> std::optional<analysis::BigInt> {
    if (auto* v = e.as<ir::VarRef>())
      if (auto found = values.find(v->sym); found != values.end())
        return analysis::BigInt(found->second);
    return std::nullopt;
  };
  interp::Random random(1);
  std::vector<std::string> names;
  for (const ir::Param& p : proc.params) {
    if (p.kind != ir::ParamKind::Buffer) {
      names.push_back(p.sym.name());
      const bool size = p.kind == ir::ParamKind::Size;
      HOCKET_TRY(const uint64_t bits,
                 scalars.bits(proc.name(), p.sym, size ? std::optional<double>(64) : std::nullopt));
      out.scalars_.push_back(std::make_unique<uint64_t>(bits));
      out.args_.push_back(out.scalars_.back().get());
      if (!p.type().is_float()) values[p.sym] = static_cast<int64_t>(bits);
      continue;
    }
    auto t = std::make_unique<Tensor>();
    t->sym = p.sym;
    for (const ir::Expr& e : p.shape) {
      const std::optional<analysis::BigInt> extent = analysis::evaluate(e, term);
      const std::optional<int64_t> n = extent ? extent->to_int64() : std::nullopt;
      if (extent && !n) return no_room(p, "more than 2^63");
      t->extents.push_back(std::max<int64_t>(n.value_or(0), 0));
    }
    const int64_t bytes = p.type().bytes();
    HOCKET_TRY(const size_t room, room_for("`" + p.sym.name() + "`", t->extents, bytes));
    t->bytes.resize(room);
    int64_t count = 1;
    for (const int64_t e : t->extents) count *= e;
    for (int64_t i = 0; i < count; ++i)
      ir::store_bytes(random.value(p.type()), t->bytes.data() + i * bytes);
    if (p.window) {
      t->window.push_back(reinterpret_cast<int64_t>(t->bytes.data()));
      int64_t stride = 1;
      std::vector<int64_t> strides(t->extents.size());
      for (size_t d = t->extents.size(); d-- > 0; stride *= t->extents[d]) strides[d] = stride;
      t->window.insert(t->window.end(), strides.begin(), strides.end());
      out.args_.push_back(t->window.data());
    } else {
      out.args_.push_back(t->bytes.data());
    }
    out.tensors_.push_back(std::move(t));
  }
  HOCKET_CHECK(scalars.check_names(proc.name(), names));
  return out;
}

void print_numbers(std::ostream& out, const std::string& name, ir::Type type,
                   std::span<const int64_t> extents, const uint8_t* data) {
  out << name << "[";
  int64_t count = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    out << (d ? ", " : "") << extents[d];
    count *= extents[d];
  }
  out << "]:";
  const int64_t shown = std::min<int64_t>(count, 8);
  for (int64_t i = 0; i < shown; ++i)
    out << " " << interp::spoken(ir::load_bytes(type, data + i * type.bytes()));
  out << (shown < count ? " ...\n" : "\n");
}

void LoopArguments::print(std::ostream& out) const {
  for (const auto& t : tensors_)
    print_numbers(out, t->sym.name(), t->sym.type(), t->extents, t->bytes.data());
}

Result<int> run_loop_program(const driver::Callable& code, const Scalars& scalars,
                             Console& console) {
  const ir::ProcRef proc = code.artifact().loops ? code.artifact().loops : code.artifact().flat;
  HOCKET_TRY(LoopArguments arguments, LoopArguments::make(*proc, scalars));
  const auto start = std::chrono::steady_clock::now();
  HOCKET_CHECK(code.run(arguments.addresses()));
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  arguments.print(console.out);
  console.out << code.name() << ": " << std::fixed << std::setprecision(3) << ms.count() << " ms\n";
  return 0;
}

}  // namespace hocket::tools
