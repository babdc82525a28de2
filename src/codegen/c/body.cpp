#include "codegen/c/body.h"

#include <algorithm>
#include <memory>

#include "abi/hocket_abi.h"
#include "codegen/common/captures.h"
#include "codegen/common/header_names.h"
#include "codegen/common/words.h"
#include "ir/visit.h"
#include "support/assert.h"
#include "support/strings.h"

namespace hocket::codegen {

namespace {

bool reads_memory(const ir::Expr& root) {
  bool found = false;
  ir::for_each(root, [&](const ir::Expr& e) { found |= e.kind() == ir::ExprKind::Load; });
  return found;
}

}  // namespace

void CFile::include(const std::string& line) {
  if (!line.empty() && std::find(includes.begin(), includes.end(), line) == includes.end()) {
    includes.push_back(line);
  }
}

std::string CFile::function_name(const std::string& wanted) {
  const std::string base = c_free_base(wanted);
  const auto taken = [&](const std::string& name) {
    return name == "main" || is_keyword(name) || is_library_function(name) ||
           is_header_name(name) || foreign.contains(name) ||
           std::find(functions.begin(), functions.end(), name) != functions.end();
  };
  std::string name = base;
  for (int n = 1; taken(name); ++n) name = base + "_" + std::to_string(n);
  functions.push_back(name);
  return name;
}

std::string c_failure(int code, const std::string& pipeline, const std::string& message) {
  if (code == HOCKET_ERROR_USER_CHECK_FAILED) {
    return "hocket_fail_check(context, " + c_string(pipeline) + ", " + c_string(message) + ")";
  }
  return "hocket_fail(context, &(const hocket_error_t){.code = " + std::to_string(code) +
         ", .pipeline = " + c_string(pipeline) + ", .dimension = -1, .text = " + c_string(message) +
         "})";
}

void CBody::leave(const std::string& call) {
  if (held_.empty()) {
    out_.line("return " + call + ";");
    return;
  }
  out_.line("const int32_t code = " + call + ";");
  for (size_t i = held_.size(); i-- > 0;) {
    out_.line("hocket_free(context, " + names_.of(held_[i]) + ");");
  }
  out_.line("return code;");
}

void CBody::check(const ir::Expr& cond, int code, const std::string& message) {
  check(cond, c_failure(code, pipeline_, message));
}

void CBody::check(const ir::Expr& cond, const std::string& failure) {
  int64_t known = 0;
  if (ir::is_int(cond, &known) && known != 0) return;
  share({cond});
  out_.open("if (!" + expr(cond).in(CText::Primary) + ")");
  leave(failure);
  out_.close();
}

void CBody::body(const ir::Body& body) {
  const size_t held = held_.size(), names = names_.mark();
  for (size_t i = 0; i < body.size(); ++i) stmt(body[i], body, i);
  while (held_.size() > held) release(ir::Symbol(held_.back()));
  shared_.clear();  // their variables end here
  names_.release(names);
}

void CBody::release(const ir::Symbol& buffer) {
  const auto at = std::find(held_.begin(), held_.end(), buffer);
  if (at == held_.end()) return;
  out_.line("hocket_free(context, " + names_.of(buffer) + ");");
  held_.erase(at);
}

void CBody::call(const ir::CallStmt& s) {
  HOCKET_UNREACHABLE("a call in flat form: " + s.callee->name());
}

void CBody::stmt(const ir::Stmt& s, const ir::Body& list, size_t at) {
  switch (s.kind()) {
    case ir::StmtKind::For: {
      const auto* loop = s.as<ir::For>();
      return loop->loop == ir::LoopKind::Parallel ? parallel_loop(*loop) : for_loop(*loop);
    }
    case ir::StmtKind::If: {
      const auto* i = s.as<ir::If>();
      share({i->cond});
      out_.open("if (" + text(i->cond) + ")");
      body(i->then_body);
      if (!i->else_body.empty()) {
        out_.reopen("} else");
        body(i->else_body);
      }
      out_.close();
      return;
    }
    case ir::StmtKind::Let: {
      const auto* let = s.as<ir::Let>();
      if (let->value.type().is_integral()) facts_.set(let->sym, facts_.of(let->value));
      if (let->value.type().is_index() && !reads_memory(let->value))
        lets_.emplace(let->sym, ir::substitute(let->value, lets_));
      const ir::Body rest(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end());
      if (!ir::uses(rest, let->sym, /*blocks=*/false)) return;
      share({let->value});
      out_.line("const " + helpers_.vector_type(let->value.type()) + " " + names_.of(let->sym) +
                " = " + text(let->value) + ";");
      return;
    }
    case ir::StmtKind::Alloc: {
      const auto* a = s.as<ir::Alloc>();
      alloc(*a);
      const ir::Body rest(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end());
      if (!is_read(rest, a->buffer)) out_.line("(void)" + names_.of(a->buffer) + ";");
      return;
    }
    case ir::StmtKind::Free:
      return release(s.as<ir::Free>()->buffer);
    case ir::StmtKind::Store: {
      const auto* st = s.as<ir::Store>();
      std::vector<ir::Expr> roots = st->indices;
      roots.push_back(st->value);
      if (st->predicate.defined()) roots.push_back(st->predicate);
      share(roots);
      return store(*st);
    }
    case ir::StmtKind::Call:
      return call(*s.as<ir::CallStmt>());
    case ir::StmtKind::WindowStmt:
      break;
    case ir::StmtKind::Check: {
      const auto* c = s.as<ir::Check>();
      return check(c->cond, c->code, c->message);
    }
    case ir::StmtKind::Pass:
      return;
  }
  HOCKET_UNREACHABLE("a window statement that was not resolved");
}

// Compilers warn of a variable that is written and never read.
bool CBody::is_read(const ir::Body& body, const ir::Symbol& buffer) {
  bool read = false;
  const auto look = [&](const ir::Expr& root) {
    ir::for_each(root, [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      const auto* window = e.as<ir::Window>();
      const auto* name = e.as<ir::VarRef>();
      read |= (load && load->buffer == buffer) || (window && window->buffer == buffer) ||
              (name && name->sym == buffer);
    });
  };
  ir::for_each_stmt(body, [&](const ir::Stmt& s) {
    const auto* call = s.as<ir::CallStmt>();
    if (call == nullptr || !call->callee->instr) return true;
    // An instruction names its registers; it reads those that its body loads.
    for (size_t i = 0; i < call->args.size(); ++i) {
      const ir::Param& p = call->callee->params[i];
      if (p.kind != ir::ParamKind::Buffer || is_read(call->callee->body, p.sym))
        look(call->args[i]);
    }
    return true;
  });
  ir::for_each_stmt(body, [&](const ir::Stmt& s) {
    const auto* call = s.as<ir::CallStmt>();
    if (call != nullptr && call->callee->instr) return true;
    if (const auto* loop = s.as<ir::For>()) {
      look(loop->lo);
      look(loop->hi);
    } else if (const auto* branch = s.as<ir::If>()) {
      look(branch->cond);
    } else {
      ir::for_each_root({s}, look, /*blocks=*/false);
    }
    return true;
  });
  return read;
}

void CBody::for_loop(const ir::For& loop) {
  facts_.learn_loop(loop);
  share({loop.lo, loop.hi});
  const std::string lo = text(loop.lo), hi = expr(loop.hi).in(CText::Sum);
  const size_t names = names_.mark();
  const std::string v = names_.of(loop.var);
  const char* kind = loop.loop == ir::LoopKind::Vectorized ? "  /* lanes */"
                     : loop.loop == ir::LoopKind::Unrolled ? "  /* unrolled */"
                                                           : "";
  out_.line("for (int64_t " + v + " = " + lo + "; " + v + " < " + hi + "; ++" + v + ") {" + kind);
  out_.indent();
  body(loop.body);
  out_.close();
  names_.release(names);
}

// The body as a task function; what it uses from outside travels in a struct.
void CBody::parallel_loop(const ir::For& loop) {
  facts_.learn_loop(loop);
  share({loop.lo, loop.hi});
  const Captures captures = captures_of(loop.body, loop.var);
  const std::string task = file_.function_name(pipeline_ + "__task_" + loop.var.name());
  const std::string type = "struct " + task + "_closure";
  CNames names(file_.foreign);
  std::unique_ptr<CBody> inner = for_task(names);
  CWriter fields, unpack;
  std::vector<std::string> values;
  fields.open(type);
  std::unordered_set<ir::Symbol> carried;
  const auto field = [&](const std::string& type_of, const ir::Symbol& s, const std::string& from) {
    if (!carried.insert(s).second) return;
    fields.line(type_of + " " + names.of(s) + ";");
    unpack.line(type_of + " " + names.of(s) + " = c->" + names.of(s) + ";");
    values.push_back("." + names.of(s) + " = " + from);
  };
  names.fresh("c");
  const auto value = [&](const ir::Symbol& s) {
    field("const " + helpers_.vector_type(s.type()), s, names_.of(s));
  };
  for (const ir::Symbol& s : captures.values) value(s);
  for (const ir::Symbol& s : captures.buffers) {
    for (const ir::Symbol& need : buffer_needs(s)) {
      if (carried.count(need) != 0) continue;
      value(need);
      unpack.line("(void)" + names.of(need) + ";");  // a stride that may be multiplied by zero
    }
    field(buffer_field(s), s, buffer_value(s));
  }
  if (values.empty()) fields.line("char unused;");
  fields.close("};");

  CWriter& t = inner->out();
  t.open("static int32_t " + task + "(const hocket_context_t* context, int64_t " +
         names.of(loop.var) + ", void* closure)");
  if (values.empty()) {
    t.line("(void)closure;");
  } else {
    t.line("const " + type + "* c = closure;");
    for (const std::string& line : support::split_lines(unpack.text())) t.line(line);
  }
  t.line("(void)context;");
  if (!ir::uses(loop.body, loop.var, /*blocks=*/false)) t.line("(void)" + names.of(loop.var) + ";");
  inner->body(loop.body);
  t.line("return 0;");
  t.close();
  file_.definitions.push_back(fields.take() + "\n" + t.take());

  out_.block();
  const std::string lo = text(loop.lo), hi = text(loop.hi);
  out_.line(type + " closure = {" + (values.empty() ? "0" : support::join(values, ", ")) + "};");
  out_.line("const int64_t first = " + lo + ", past = " + hi + ";");
  out_.line("const int32_t failed = hocket_do_par_for(context, " + task +
            ", first, past > first ? past - first : 0, &closure);");
  out_.open("if (failed)");
  leave("failed");
  out_.close();
  out_.close();
}

// Nodes used more than once get a variable, so that text grows with the graph and not with its
// paths. What a scalar select may have to leave unread stays inside it.
void CBody::share(const std::vector<ir::Expr>& roots) {
  shared_.clear();
  std::unordered_map<const ir::ExprNode*, int> uses;
  std::unordered_map<const ir::ExprNode*, bool> has_load;
  std::vector<ir::Expr> order;
  std::unordered_set<const ir::ExprNode*> seen;
  bool lazy = false;
  const auto visit = [&](const ir::Expr& e, const auto& self) -> void {
    ++uses[e.get()];
    if (!seen.insert(e.get()).second) return;
    bool loads = e.kind() == ir::ExprKind::Load;
    const auto* s = e.as<ir::Select>();
    lazy |= s != nullptr && !s->cond.type().is_vector();
    for (const ir::Expr& c : ir::children(e)) {
      self(c, self);
      loads |= has_load[c.get()];
    }
    has_load[e.get()] = loads;
    order.push_back(e);
  };
  for (const ir::Expr& root : roots) visit(root, visit);
  for (const ir::Expr& e : order) {
    if (uses[e.get()] < 2 || (lazy && has_load[e.get()])) continue;
    const bool leaf = e.kind() == ir::ExprKind::IntImm || e.kind() == ir::ExprKind::FloatImm ||
                      e.kind() == ir::ExprKind::VarRef || e.kind() == ir::ExprKind::BufferField;
    if (leaf) continue;
    // Ramps stand in addresses, where their base and stride are printed, not they themselves.
    if (e.kind() == ir::ExprKind::Ramp && e.type().is_index()) continue;
    const std::string name = names_.fresh("t");
    out_.line("const " + helpers_.vector_type(e.type()) + " " + name + " = " + text(e) + ";");
    shared_[e.get()] = name;
  }
}

void CBody::take_heap(const ir::Symbol& buffer, const std::string& element_type,
                      const ir::Expr& count, int64_t element_bytes) {
  const std::string name = names_.of(buffer);
  size_index(!facts_.fits(count));
  share({count});
  const std::string number = text(count);
  size_index(false);
  const std::string size = std::to_string(element_bytes);
  const std::string bytes = names_.fresh(name + "_bytes");
  const std::string elements =
      facts_.of(count).positive()
          ? number
          : helpers_.binary(ir::BinaryOp::Max, ir::Type::index()) + "(" + number + ", 1)";
  out_.line("const int64_t " + bytes + " = " + helpers_.saturating(ir::BinaryOp::Mul) + "(" +
            elements + ", " + size + ");");
  out_.line(element_type + "* " + name + " = hocket_malloc(context, (size_t)" + bytes + ");");
  out_.open("if (!" + name + ")");
  leave("hocket_fail_memory(context, " + c_string(pipeline_) + ", " + c_string(buffer.name()) +
        ", " + bytes + ")");
  out_.close();
  held_.push_back(buffer);
}

}  // namespace hocket::codegen
