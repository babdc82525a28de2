// A loop program's C function, its argv form, and static functions of the procs that it calls.
#include "abi/hocket_abi.h"
#include "codegen/c/entry.h"
#include "codegen/c/flat.h"
#include "codegen/c/windows.h"
#include "codegen/common/captures.h"
#include "codegen/common/exports.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "support/strings.h"

namespace hocket::codegen {

namespace {

bool is_window(const ir::Param& p) {
  return p.kind == ir::ParamKind::Buffer && p.window && !p.shape.empty();
}

std::string param_type(const ir::Param& p) {
  if (is_window(p)) return c_window_type(p.type(), p.shape.size());
  return c_type(p.type()) + (p.kind == ir::ParamKind::Buffer ? "*" : "");
}

std::vector<std::string> parameter_list(const ir::Proc& proc, CNames& names) {
  std::vector<std::string> list = {"const hocket_context_t* context"};
  for (const ir::Param& p : proc.params) list.push_back(param_type(p) + " " + names.of(p.sym));
  return list;
}

// Statements as they are emitted: a let that nothing uses is not.
ir::Body without_idle_lets(const ir::Body& body) {
  ir::Body kept;  // last statement first
  for (auto s = body.rbegin(); s != body.rend(); ++s) {
    if (const auto* let = s->as<ir::Let>(); let && !ir::uses(kept, let->sym, /*blocks=*/false))
      continue;
    if (const auto* loop = s->as<ir::For>()) {
      kept.push_back(
          ir::edited<ir::For>(*s, [&](ir::For& f) { f.body = without_idle_lets(loop->body); }));
    } else if (const auto* branch = s->as<ir::If>()) {
      kept.push_back(ir::edited<ir::If>(*s, [&](ir::If& b) {
        b.then_body = without_idle_lets(branch->then_body);
        b.else_body = without_idle_lets(branch->else_body);
      }));
    } else {
      kept.push_back(*s);
    }
  }
  return {kept.rbegin(), kept.rend()};
}

bool is_used(const ir::Proc& proc, const ir::Body& body, const ir::Param& p) {
  if (ir::uses(body, p.sym, /*blocks=*/false)) return true;
  for (const ir::Expr& e : proc.preconditions) {
    if (ir::uses(e, p.sym)) return true;
  }
  return false;
}

// Parameters that neither the body nor another parameter's shape in use mentions.
void silence_unused(const ir::Proc& proc, const ir::Body& body, CNames& names, CWriter& out) {
  out.line("(void)context;");
  for (const ir::Param& p : proc.params) {
    if (!is_used(proc, body, p)) out.line("(void)" + names.of(p.sym) + ";");
  }
}

void define_windows(CFile& file, const ir::Proc& proc) {
  for (const ir::Param& p : proc.params) {
    if (!is_window(p)) continue;
    file.definitions.push_back(c_window_definition(p.type(), p.shape.size()));
  }
}

std::string argv_form(const ir::Proc& proc, const std::string& name) {
  CWriter out;
  out.open("int32_t " + name + "__argv(const hocket_context_t* context, void* const* args)");
  if (proc.params.empty()) out.line("(void)args;");
  std::vector<std::string> values = {"context"};
  for (size_t i = 0; i < proc.params.size(); ++i) {
    const ir::Param& p = proc.params[i];
    const std::string arg = "args[" + std::to_string(i) + "]";
    if (p.kind == ir::ParamKind::Buffer && !is_window(p)) {
      values.push_back(arg);
    } else if (is_window(p)) {
      values.push_back("*(const " + param_type(p) + "*)" + arg);
    } else {
      values.push_back("*(const " + param_type(p) + "*)" + arg);
    }
  }
  out.line("const uint64_t saved = hocket_fp_enter();");
  out.line("const int32_t code = " + name + "(" + support::join(values, ", ") + ");");
  out.line("hocket_fp_leave(saved);");
  out.line("return code;");
  out.close();
  return out.take();
}

void entry_checks(CBody& body, CNames& names, const ir::Proc& proc, const std::string& name) {
  for (const ir::Param& p : proc.params) {
    if (p.kind != ir::ParamKind::Size) continue;
    body.out().open("if (" + names.of(p.sym) + " < 1)");
    body.leave("hocket_fail_size(context, " + c_string(name) + ", " + c_string(p.sym.name()) +
               ", " + names.of(p.sym) + ")");
    body.out().close();
  }
  for (const ir::Expr& e : proc.preconditions) {
    body.check(e, HOCKET_ERROR_USER_CHECK_FAILED, ir::to_text(e));
  }
}

}  // namespace

std::string c_callee(CFile& file, CCallees& callees, const ir::Proc& proc) {
  const auto known = callees.names.find(&proc);
  if (known != callees.names.end()) return known->second;
  const std::string name = file.function_name(proc.name());
  callees.names[&proc] = name;
  define_windows(file, proc);
  CNames names(file.foreign);
  Facts facts;
  facts.learn_params(proc);
  LoopBody body(file, names, facts, proc.name(), callees);
  for (const ir::Param& p : proc.params) body.add_param(p);
  const ir::Body resolved = without_idle_lets(resolve_windows(proc.body));
  const bool fails = may_fail(resolved);
  if (has_data_dependent_address(resolved)) body.define_unwritten();
  body.out().open(std::string("static ") + (fails ? "int32_t " : "void ") + name + "(" +
                  support::join(parameter_list(proc, names), ", ") + ")");
  silence_unused(proc, resolved, names, body.out());
  body.body(resolved);
  if (fails) body.out().line("return 0;");
  body.out().close();
  file.definitions.push_back(body.out().take());
  return name;
}

std::string c_program(CFile& file, const ir::Proc& proc, CCallees& callees) {
  const std::string name = exported_name(proc);
  define_windows(file, proc);
  CNames names(file.foreign);
  Facts facts;
  facts.learn_params(proc);
  std::unique_ptr<CBody> body;
  ir::Body statements = proc.body;
  if (proc.form == ir::Form::Flat) {
    auto flat = std::make_unique<FlatBody>(file, names, facts, name);
    for (const ir::Param& p : proc.params) {
      if (is_window(p)) flat->set_window(p.sym, p.shape.size());
    }
    body = std::move(flat);
  } else {
    auto loops = std::make_unique<LoopBody>(file, names, facts, name, callees);
    for (const ir::Param& p : proc.params) loops->add_param(p);
    statements = without_idle_lets(resolve_windows(statements));
    body = std::move(loops);
  }
  if (has_data_dependent_address(statements)) body->define_unwritten();
  CWriter& out = body->out();
  out.open("int32_t " + name + "(" + support::join(parameter_list(proc, names), ", ") + ")");
  silence_unused(proc, statements, names, out);
  entry_checks(*body, names, proc, name);
  body->body(statements);
  out.line("return 0;");
  out.close();
  out.blank();
  return out.take() + argv_form(proc, name);
}

}  // namespace hocket::codegen
