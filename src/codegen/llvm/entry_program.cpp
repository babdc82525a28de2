// A loop program's two symbols: the C function and its argv form.
#include <llvm/IR/Constants.h>

#include "abi/hocket_abi.h"
#include "codegen/common/exports.h"
#include "codegen/llvm/entry.h"
#include "ir/print.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

// How a window struct { T* data; int64_t strides[d]; } is passed by value.
enum class Passing { Fields, OnStack, ByReference };

class ProgramEmitter {
 public:
  ProgramEmitter(ModuleEmitter& m, const ir::Proc& proc)
      : m_(m),
        c_(m.context()),
        proc_(proc),
        name_(exported_name(proc)),
        i32_(llvm::Type::getInt32Ty(c_)),
        i64_(llvm::Type::getInt64Ty(c_)),
        pointer_(llvm::PointerType::get(c_, 0)) {}

  void emit() {
    llvm::Function* entry = emit_entry();
    emit_argv(entry);
  }

 private:
  static bool is_window(const ir::Param& p) {
    return p.kind == ir::ParamKind::Buffer && p.window && !p.shape.empty();
  }
  static size_t rank(const ir::Param& p) { return p.shape.size(); }

  llvm::StructType* window_type(const ir::Param& p) const {
    return llvm::StructType::get(c_, {pointer_, llvm::ArrayType::get(i64_, rank(p))});
  }

  // The platform's C convention: up to 16 bytes go in registers if there are enough of them left
  // (x86-64), or in any case (AArch64); larger structs lie on the stack or are passed by reference.
  void plan() {
    int free_registers = 6 - 1;  // of x86-64's integer registers, less the context's
    types_.push_back(pointer_);
    const bool x86 = m_.target().arch == target::Arch::X86_64;
    for (const ir::Param& p : proc_.params) {
      if (is_window(p)) {
        Passing how = Passing::Fields;
        if (rank(p) > 1) {
          how = x86 ? Passing::OnStack : Passing::ByReference;
        } else if (x86) {
          if (free_registers >= 2) {
            free_registers -= 2;
          } else {
            how = Passing::OnStack;
          }
        }
        passing_.push_back(how);
        first_.push_back(static_cast<unsigned>(types_.size()));
        types_.push_back(pointer_);
        if (how == Passing::Fields) types_.push_back(i64_);
        continue;
      }
      passing_.push_back(Passing::Fields);
      first_.push_back(static_cast<unsigned>(types_.size()));
      if (p.kind == ir::ParamKind::Buffer) {
        types_.push_back(pointer_);
      } else {
        types_.push_back(c_scalar_type(c_, p.type()));
      }
      if (!types_.back()->isFloatingPointTy() && free_registers > 0) --free_registers;
    }
  }

  llvm::Function* emit_entry() {
    plan();
    llvm::Function* f =
        m_.define(name_, llvm::FunctionType::get(i32_, types_, false), /*external=*/true);
    f->getArg(0)->setName("context");
    Facts facts;
    facts.learn_params(proc_);
    m_.start_scopes();
    FunctionEmitter e(m_, f, proc_, facts);
    e.set_context(f->getArg(0));
    Builder& b = e.builder();
    Arith& arith = e.arith();
    for (size_t i = 0; i < proc_.params.size(); ++i) {
      const ir::Param& p = proc_.params[i];
      llvm::Argument* argument = f->getArg(first_[i]);
      argument->setName(p.sym.name());
      if (p.kind != ir::ParamKind::Buffer) {
        extend_scalar(f, first_[i], p.type());
        llvm::Value* v = argument;
        if (p.type().is_float() && p.type().bits == 16)
          v = b.CreateBitCast(v, arith.type(p.type()));
        e.bind(p.sym, v);
        continue;
      }
      BufferValue buffer;
      buffer.element = p.type();
      buffer.scope = m_.new_scope();
      buffer.pointer = argument;
      if (is_window(p)) bind_window(b, f, i, buffer);
      e.bind_buffer(p.sym, buffer);
    }
    for (const ir::Param& p : proc_.params) {
      if (p.kind != ir::ParamKind::Size) continue;
      llvm::Value* size = e.root(ir::make_var(p.sym));
      e.check(b.CreateICmpSGE(size, b.getInt64(1)), [&] {
        return b.CreateCall(
            m_.runtime("hocket_fail_size", i32_, {pointer_, pointer_, pointer_, i64_}),
            {e.context(), m_.string(name_), m_.string(p.sym.name()), size});
      });
    }
    for (const ir::Expr& cond : proc_.preconditions) {
      e.check(e.root(cond),
              [&] { return e.fail_code(HOCKET_ERROR_USER_CHECK_FAILED, ir::to_text(cond)); });
    }
    e.body(proc_.body);
    e.finish();
    return f;
  }

  void bind_window(Builder& b, llvm::Function* f, size_t i, BufferValue& buffer) {
    const ir::Param& p = proc_.params[i];
    llvm::Argument* first = f->getArg(first_[i]);
    if (passing_[i] == Passing::Fields) {
      buffer.strides = {f->getArg(first_[i] + 1)};
      return;
    }
    llvm::StructType* type = window_type(p);
    if (passing_[i] == Passing::OnStack) {
      f->addParamAttr(first_[i], llvm::Attribute::getWithByValType(c_, type));
      f->addParamAttr(first_[i], llvm::Attribute::getWithAlignment(c_, llvm::Align(8)));
    }
    load_window(b, type, first, rank(p), buffer.pointer, buffer.strides);
  }

  void load_window(Builder& b, llvm::StructType* type, llvm::Value* from, size_t d,
                   llvm::Value*& data, std::vector<llvm::Value*>& strides) {
    data = b.CreateLoad(pointer_, b.CreateStructGEP(type, from, 0));
    llvm::Value* list = b.CreateStructGEP(type, from, 1);
    for (size_t k = 0; k < d; ++k) {
      strides.push_back(b.CreateLoad(i64_, b.CreateConstInBoundsGEP1_64(i64_, list, k)));
    }
  }

  // args[i] is the address of what is passed by value, and the pointer itself for pointers.
  void emit_argv(llvm::Function* entry) {
    llvm::Function* f =
        m_.define(name_ + "__argv", llvm::FunctionType::get(i32_, {pointer_, pointer_}, false),
                  /*external=*/true);
    Builder b(llvm::BasicBlock::Create(c_, "entry", f));
    llvm::Value* saved = b.CreateCall(m_.runtime("hocket_fp_enter", i64_, {}));
    std::vector<llvm::Value*> values = {f->getArg(0)};
    for (size_t i = 0; i < proc_.params.size(); ++i) {
      const ir::Param& p = proc_.params[i];
      llvm::Value* at = b.CreateConstInBoundsGEP1_64(pointer_, f->getArg(1), i);
      llvm::Value* given = b.CreateLoad(pointer_, at, p.sym.name());
      if (is_window(p) && passing_[i] == Passing::Fields) {
        llvm::Value* data = nullptr;
        std::vector<llvm::Value*> strides;
        load_window(b, window_type(p), given, 1, data, strides);
        values.push_back(data);
        values.push_back(strides[0]);
      } else if (p.kind == ir::ParamKind::Buffer) {
        values.push_back(given);
      } else if (p.type().is_bool()) {
        llvm::Value* byte = b.CreateLoad(b.getInt8Ty(), given);
        values.push_back(b.CreateICmpNE(byte, b.getInt8(0)));
      } else {
        values.push_back(b.CreateLoad(types_[first_[i]], given));
      }
    }
    llvm::CallInst* code = b.CreateCall(entry, values);
    code->setAttributes(entry->getAttributes().removeFnAttributes(c_));
    b.CreateCall(m_.runtime("hocket_fp_leave", b.getVoidTy(), {i64_}), {saved});
    b.CreateRet(code);
  }

  ModuleEmitter& m_;
  llvm::LLVMContext& c_;
  const ir::Proc& proc_;
  std::string name_;
  llvm::Type* i32_;
  llvm::Type* i64_;
  llvm::PointerType* pointer_;
  std::vector<llvm::Type*> types_;  // of the C function's parameters
  std::vector<Passing> passing_;    // per proc parameter
  std::vector<unsigned> first_;     // per proc parameter: its (first) LLVM argument
};

}  // namespace

void emit_loop_program(ModuleEmitter& module, const ir::Proc& proc) {
  ProgramEmitter(module, proc).emit();
}

}  // namespace hocket::codegen
