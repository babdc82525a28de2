#include "codegen/common/captures.h"

#include <unordered_set>

#include "ir/proc.h"
#include "ir/visit.h"

namespace hocket::codegen {

namespace {

class Collector {
 public:
  explicit Collector(const ir::Symbol& var) { bound_.insert(var); }

  void walk(const ir::Body& body) {
    ir::for_each_stmt(body, [&](const ir::Stmt& s) {
      if (const auto* loop = s.as<ir::For>()) bound_.insert(loop->var);
      if (const auto* let = s.as<ir::Let>()) bound_.insert(let->sym);
      if (const auto* alloc = s.as<ir::Alloc>()) bound_.insert(alloc->buffer);
      return true;
    });
    ir::for_each_stmt(body, [&](const ir::Stmt& s) {
      if (const auto* store = s.as<ir::Store>()) use(store->buffer, out.buffers);
      // Whole buffers stand as arguments by their name alone.
      if (const auto* call = s.as<ir::CallStmt>()) {
        for (size_t i = 0; i < call->args.size(); ++i) {
          const auto* name = call->args[i].as<ir::VarRef>();
          if (name != nullptr && call->callee->params[i].kind == ir::ParamKind::Buffer) {
            use(name->sym, out.buffers);
          }
        }
      }
      return true;
    });
    ir::for_each_root(body, [&](const ir::Expr& root) { walk(root); }, /*blocks=*/false);
  }

  Captures out;

 private:
  void walk(const ir::Expr& root) {
    ir::for_each(root, [&](const ir::Expr& e) {
      if (const auto* var = e.as<ir::VarRef>()) use(var->sym, out.values);
      if (const auto* load = e.as<ir::Load>()) use(load->buffer, out.buffers);
      if (const auto* window = e.as<ir::Window>()) use(window->buffer, out.buffers);
      if (const auto* field = e.as<ir::BufferField>()) {
        use(field->buffer, out.buffers);
        if (!bound_.contains(field->buffer) && owners_.insert(field->buffer).second) {
          out.stride_owners.push_back(field->buffer);
        }
      }
    });
  }

  void use(const ir::Symbol& s, std::vector<ir::Symbol>& list) {
    if (!bound_.contains(s) && seen_.insert(s).second) list.push_back(s);
  }

  std::unordered_set<ir::Symbol> bound_, seen_, owners_;
};

}  // namespace

Captures captures_of(const ir::Body& body, const ir::Symbol& var) {
  Collector collector(var);
  collector.walk(body);
  return std::move(collector.out);
}

bool has_data_dependent_address(const ir::Body& body) {
  bool found = false;
  ir::for_each_root(
      body,
      [&](const ir::Expr& root) {
        ir::for_each(root, [&](const ir::Expr& e) {
          const auto* cast = e.as<ir::Cast>();
          found |= cast != nullptr && cast->type.is_index() && !cast->a.type().is_index();
        });
      },
      /*blocks=*/false);
  return found;
}

}  // namespace hocket::codegen
