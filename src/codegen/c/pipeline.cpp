// A pipeline's five symbols as C text.
#include <algorithm>

#include "abi/hocket_abi.h"
#include "codegen/c/entry.h"
#include "codegen/c/flat.h"
#include "codegen/common/captures.h"
#include "codegen/common/exports.h"
#include "codegen/common/layout.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "support/strings.h"

namespace hocket::codegen {

namespace {

class CPipeline {
 public:
  CPipeline(CFile& file, const ir::Proc& proc, const COptions& options)
      : file_(file),
        proc_(proc),
        options_(options),
        name_(exported_name(proc)),
        layout_(layout_of(proc)) {}

  std::string text() {
    std::string all = body();
    all += '\n' + regions() + '\n' + metadata() + '\n' + entries();
    return all;
  }

 private:
  std::string slot(int i) const { return "scalars[" + std::to_string(i) + "]"; }

  // `const int64_t w = scalars[3];` for every scalar that `needed` asks for.
  void unpack(CBody& e, CNames& names, const std::function<bool(const ir::Symbol&)>& needed) {
    CWriter& out = e.out();
    const auto index = [&](const ir::Symbol& s, const std::string& value) {
      if (needed(s)) out.line("const int64_t " + names.of(s) + " = " + value + ";");
    };
    for (const ArgumentLayout& a : layout_.arguments) {
      if (!a.is_buffer()) {
        if (!needed(a.entry->sym)) continue;
        const std::string from = slot(a.scalar_index);
        const std::string& v = names.of(a.entry->sym);
        if (a.type.is_float() && a.type.bits >= 32) {
          const std::string bits = a.type.bits == 64 ? "uint64_t" : "uint32_t";
          out.line("const union { " + bits + " bits; " + c_type(a.type) + " value; } " +
                   names.fresh(v + "_bits") + " = {(" + bits + ")" + from + "};");
          out.line("const " + c_type(a.type) + " " + v + " = " + v + "_bits.value;");
        } else if (a.type.is_bool()) {
          out.line("const bool " + v + " = " + from + " != 0;");
        } else {
          out.line("const " + c_type(a.type) + " " + v + " = (" + c_type(a.type) + ")" + from +
                   ";");
        }
        continue;
      }
      for (int d = 0; d < a.dimensions; ++d) {
        const ir::EntryDim& dim = a.entry->dims[static_cast<size_t>(d)];
        const int at = a.scalar_index + 3 * d;
        index(dim.min, slot(at));
        index(dim.extent, slot(at + 1));
        index(dim.stride, d == 0 ? "1" : slot(at + 2));  // the first dimension is dense
      }
    }
  }

  // The call that reports a failed check, with what is given where it asks about a dimension.
  std::string failure(const ir::EntryCheck& c) const {
    if (!c.argument.defined()) return c_failure(c.code, name_, c.message);
    const ArgumentLayout& a = layout_.arguments[proc_.entry->position(c.argument)];
    const int at = a.scalar_index + 3 * c.dimension;
    return "hocket_fail_schedule(context, " + c_string(name_) + ", " + std::to_string(c.code) +
           ", " + c_string(c.message) + ", " + c_string(a.name) + ", " +
           std::to_string(c.dimension) + ", " + slot(at) + ", " + slot(at + 1) + ")";
  }

  std::vector<ir::Expr> conditions() const {
    std::vector<ir::Expr> all;
    for (const ir::EntryCheck& c : proc_.entry->checks) all.push_back(c.cond);
    for (const ir::Expr& e : proc_.preconditions) all.push_back(e);
    return all;
  }

  std::string body() {
    CNames names;
    Facts facts;
    facts.learn_params(proc_);
    FlatBody e(file_, names, facts, name_);
    CWriter& out = e.out();
    out.open("int32_t " + name_ +
             "__body(const hocket_context_t* context, const int64_t* scalars, void* const* "
             "pointers)");
    out.line("(void)context;");
    out.line("(void)scalars;");
    out.line("(void)pointers;");
    const std::vector<ir::Expr> tested = conditions();
    const auto needed = [&](const ir::Symbol& s) {
      if (ir::uses(proc_.body, s, /*blocks=*/false)) return true;
      return std::any_of(tested.begin(), tested.end(),
                         [&](const ir::Expr& c) { return ir::uses(c, s); });
    };
    unpack(e, names, needed);
    for (const ArgumentLayout& a : layout_.arguments) {
      if (!a.is_buffer() || !needed(a.entry->sym)) continue;
      out.line(c_memory_type(a.type) + "* " + names.of(a.entry->sym) + " = pointers[" +
               std::to_string(a.pointer_index) + "];");
    }
    for (const ir::EntryCheck& c : proc_.entry->checks) e.check(c.cond, failure(c));
    for (const ir::Expr& c : proc_.preconditions) {
      const auto& checks = proc_.entry->checks;
      const bool said = std::any_of(checks.begin(), checks.end(),
                                    [&](const ir::EntryCheck& k) { return ir::equal(k.cond, c); });
      if (!said) e.check(c, HOCKET_ERROR_USER_CHECK_FAILED, ir::to_text(c));
    }
    if (has_data_dependent_address(proc_.body)) e.define_unwritten();
    e.body(proc_.body);
    out.line("return 0;");
    out.close();
    return out.take();
  }

  std::string regions() {
    CNames names;
    Facts facts;
    FlatBody e(file_, names, facts, name_);
    e.saturate_index();
    CWriter& out = e.out();
    out.open("void " + name_ + "__regions(const int64_t* scalars, int64_t* regions)");
    out.line("(void)scalars;");
    out.line("(void)regions;");
    std::vector<ir::Expr> ends;
    for (const ArgumentLayout& a : layout_.arguments) {
      if (!a.is_buffer()) continue;
      for (const ir::EntryDim& d : a.entry->dims) {
        if (d.required_min.defined()) ends.push_back(d.required_min);
        if (d.required_max.defined()) ends.push_back(d.required_max);
      }
    }
    unpack(e, names, [&](const ir::Symbol& s) {
      return std::any_of(ends.begin(), ends.end(),
                         [&](const ir::Expr& c) { return ir::uses(c, s); });
    });
    for (const ArgumentLayout& a : layout_.arguments) {
      for (int d = 0; d < a.dimensions; ++d) {
        const ir::EntryDim& dim = a.entry->dims[static_cast<size_t>(d)];
        const auto put = [&](int offset, const ir::Expr& value) {
          out.line("regions[" + std::to_string(a.region_index + 2 * d + offset) + "] = " +
                   (value.defined() ? e.text(value)
                    : offset == 0   ? "0"
                                    : "-1") +
                   ";");
        };
        put(0, dim.required_min);
        put(1, dim.required_max);
      }
    }
    out.close();
    return out.take();
  }

  std::string metadata() const {
    CWriter out;
    const std::string list = name_ + "__arguments";
    if (!layout_.arguments.empty()) {
      out.open("static const hocket_argument_t " + list + "[] =");
      for (const ArgumentLayout& a : layout_.arguments) out.line(argument(a));
      out.close("};");
    }
    out.open("const hocket_metadata_t " + name_ + "__metadata =");
    out.line(".version = " + std::to_string(HOCKET_ABI_VERSION) +
             ", .num_arguments = " + std::to_string(layout_.arguments.size()) + ",");
    out.line(".name = " + c_string(name_) + ", .target = " + c_string(options_.target) + ",");
    out.line(".arguments = " + (layout_.arguments.empty() ? "NULL" : list) + ",");
    out.line(".num_scalars = " + std::to_string(layout_.num_scalars) +
             ", .num_pointers = " + std::to_string(layout_.num_pointers) +
             ", .num_regions = " + std::to_string(layout_.num_regions) + ",");
    out.close("};");
    return out.take();
  }

  static std::string argument(const ArgumentLayout& a) {
    const bool buffer = a.is_buffer();
    const char* kind = !buffer                                      ? "HOCKET_ARGUMENT_SCALAR"
                       : a.entry->kind == ir::EntryArg::Kind::Input ? "HOCKET_ARGUMENT_INPUT"
                                                                    : "HOCKET_ARGUMENT_OUTPUT";
    std::vector<std::string> fields = {".name = " + c_string(a.name),
                                       std::string(".kind = ") + kind,
                                       ".type = {" + std::to_string(abi_type_code(a.type)) + ", " +
                                           std::to_string(a.type.bits) + ", 1}",
                                       ".dimensions = " + std::to_string(a.dimensions),
                                       ".scalar_index = " + std::to_string(a.scalar_index),
                                       ".pointer_index = " + std::to_string(a.pointer_index),
                                       ".region_index = " + std::to_string(a.region_index)};
    const ArgumentRange r = buffer ? ArgumentRange{} : constant_range(*a.entry, a.type);
    int flags = 0;
    if (r.has_min) flags |= HOCKET_ARGUMENT_HAS_MIN;
    if (r.has_max) flags |= HOCKET_ARGUMENT_HAS_MAX;
    if (a.is_size) flags |= HOCKET_ARGUMENT_IS_SIZE;
    if (flags != 0) fields.push_back(".flags = " + std::to_string(flags));
    const ir::Type f64 = ir::Type::f(64), i64 = ir::Type::i(64);
    if (r.has_min) {
      fields.push_back(".min = " + c_literal(i64, r.min));
      fields.push_back(".fmin = " + c_float_literal(f64, r.fmin));
    }
    if (r.has_max) {
      fields.push_back(".max = " + c_literal(i64, r.max));
      fields.push_back(".fmax = " + c_float_literal(f64, r.fmax));
    }
    return "{" + support::join(fields, ", ") + "},";
  }

  std::string entries() const {
    CWriter out;
    out.open("int32_t " + name_ + "__argv(const hocket_context_t* context, void* const* args)");
    out.line("return hocket_call(&" + name_ + "__metadata, " + name_ + "__body, " + name_ +
             "__regions, context, args);");
    out.close();
    out.blank();
    CNames names;
    std::vector<std::string> parameters, args;
    for (const ArgumentLayout& a : layout_.arguments) {
      const std::string& n = names.of(a.entry->sym);
      parameters.push_back((a.is_buffer() ? "hocket_buffer_t*" : c_type(a.type)) + (" " + n));
      args.push_back(a.is_buffer() ? n : "&" + n);
    }
    out.open("int32_t " + name_ + "(" +
             (parameters.empty() ? "void" : support::join(parameters, ", ")) + ")");
    out.line("void* args[] = {" + (args.empty() ? "NULL" : support::join(args, ", ")) + "};");
    out.line("return " + name_ + "__argv(NULL, args);");
    out.close();
    return out.take();
  }

  CFile& file_;
  const ir::Proc& proc_;
  const COptions& options_;
  std::string name_;
  PipelineLayout layout_;
};

}  // namespace

std::string c_pipeline(CFile& file, const ir::Proc& proc, const COptions& options) {
  return CPipeline(file, proc, options).text();
}

}  // namespace hocket::codegen
