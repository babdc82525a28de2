// A pipeline's five symbols: foo__body, foo__regions, foo__metadata, foo__argv, foo.
#include <llvm/IR/Constants.h>

#include "abi/hocket_abi.h"
#include "codegen/common/exports.h"
#include "codegen/llvm/entry.h"
#include "ir/equal.h"
#include "ir/print.h"
#include "support/assert.h"

namespace hocket::codegen {

namespace {

class PipelineEmitter {
 public:
  PipelineEmitter(ModuleEmitter& m, const ir::Proc& proc)
      : m_(m),
        c_(m.context()),
        proc_(proc),
        name_(exported_name(proc)),
        layout_(layout_of(proc)),
        i8_(llvm::Type::getInt8Ty(c_)),
        i32_(llvm::Type::getInt32Ty(c_)),
        i64_(llvm::Type::getInt64Ty(c_)),
        pointer_(llvm::PointerType::get(c_, 0)) {}

  void emit() {
    llvm::Function* body = emit_body();
    llvm::Function* regions = emit_regions();
    llvm::Constant* metadata = emit_metadata();
    llvm::Function* argv = emit_argv(body, regions, metadata);
    emit_c_entry(argv);
  }

 private:
  llvm::Function* emit_body() {
    auto* type = llvm::FunctionType::get(i32_, {pointer_, pointer_, pointer_}, false);
    llvm::Function* f = m_.define(name_ + "__body", type, /*external=*/true);
    f->getArg(0)->setName("context");
    f->getArg(1)->setName("scalars");
    f->getArg(2)->setName("pointers");
    for (unsigned i = 1; i <= 2; ++i) {
      f->addParamAttr(i, llvm::Attribute::NoAlias);
      f->addParamAttr(i, llvm::Attribute::ReadOnly);
    }
    Facts facts;
    facts.learn_params(proc_);
    m_.start_scopes();
    FunctionEmitter e(m_, f, proc_, facts);
    e.set_context(f->getArg(0));
    bind_scalars(e, f->getArg(1));
    Builder& b = e.builder();
    for (const ArgumentLayout& a : layout_.arguments) {
      if (!a.is_buffer()) continue;
      BufferValue buffer;
      buffer.element = a.type;
      buffer.scope = m_.new_scope();
      llvm::Value* at = b.CreateConstInBoundsGEP1_64(pointer_, f->getArg(2),
                                                     static_cast<uint64_t>(a.pointer_index));
      buffer.pointer = b.CreateLoad(pointer_, at, a.name);
      e.bind_buffer(a.entry->sym, buffer);
    }
    for (const ir::EntryCheck& check : proc_.entry->checks) {
      e.check(e.root(check.cond), [&] { return failure(e, check); });
    }
    for (const ir::Expr& cond : proc_.preconditions) {
      if (is_entry_check(cond)) continue;
      e.check(e.root(cond),
              [&] { return e.fail_code(HOCKET_ERROR_USER_CHECK_FAILED, ir::to_text(cond)); });
    }
    e.body(proc_.body);
    e.finish();
    return f;
  }

  // The call that reports a failed check, with what is given where it asks about a dimension.
  llvm::Value* failure(FunctionEmitter& e, const ir::EntryCheck& check) {
    if (!check.argument.defined()) return e.fail_code(check.code, check.message);
    const ArgumentLayout& a = layout_.arguments[proc_.entry->position(check.argument)];
    const auto asked = static_cast<size_t>(check.dimension);
    const ir::EntryDim& dim = a.entry->dims[asked];
    Builder& b = e.builder();
    return b.CreateCall(
        m_.runtime("hocket_fail_schedule", i32_,
                   {pointer_, pointer_, i32_, pointer_, pointer_, i32_, i64_, i64_}),
        {e.context(), m_.string(name_), b.getInt32(static_cast<uint32_t>(check.code)),
         m_.string(check.message), m_.string(a.name), b.getInt32(static_cast<uint32_t>(asked)),
         e.root(ir::make_var(dim.min)), e.root(ir::make_var(dim.extent))});
  }

  bool is_entry_check(const ir::Expr& cond) const {
    for (const ir::EntryCheck& check : proc_.entry->checks) {
      if (ir::equal(check.cond, cond)) return true;
    }
    return false;
  }

  // Every scalar of the arguments from its slot: values in the low bits, floats as their bits.
  void bind_scalars(FunctionEmitter& e, llvm::Value* scalars) {
    Builder& b = e.builder();
    const auto slot = [&](int index, const std::string& name) {
      llvm::Value* at = b.CreateConstInBoundsGEP1_64(i64_, scalars, static_cast<uint64_t>(index));
      return b.CreateLoad(i64_, at, name);
    };
    const auto ranged = [&](llvm::LoadInst* load, int64_t lo, int64_t past) {
      llvm::MDBuilder md(c_);
      load->setMetadata(llvm::LLVMContext::MD_range,
                        md.createRange(llvm::APInt(64, static_cast<uint64_t>(lo), true),
                                       llvm::APInt(64, static_cast<uint64_t>(past), true)));
      return load;
    };
    for (const ArgumentLayout& a : layout_.arguments) {
      if (!a.is_buffer()) {
        llvm::Value* v = slot(a.scalar_index, a.name);
        e.bind(a.entry->sym, scalar_from_slot(b, e.arith(), a.type, v));
        continue;
      }
      for (int d = 0; d < a.dimensions; ++d) {
        const ir::EntryDim& dim = a.entry->dims[static_cast<size_t>(d)];
        const int at = a.scalar_index + 3 * d;
        // Coordinates fit 32 bits (hocket_call, step 2).
        e.bind(dim.min, ranged(slot(at, dim.min.name()), INT32_MIN, int64_t{INT32_MAX} + 1));
        e.bind(dim.extent, ranged(slot(at + 1, dim.extent.name()), 0, int64_t{1} << 31));
        // No constraints in the metadata: the first dimension is dense.
        e.bind(dim.stride,
               d == 0 ? static_cast<llvm::Value*>(b.getInt64(1)) : slot(at + 2, dim.stride.name()));
      }
    }
  }

  static llvm::Value* scalar_from_slot(Builder& b, Arith& arith, ir::Type t, llvm::Value* v) {
    if (t.is_bool()) return b.CreateICmpNE(v, b.getInt64(0));
    if (t.is_float() && t.code != ir::TypeCode::BFloat) {
      return b.CreateBitCast(b.CreateTrunc(v, b.getIntNTy(t.bits)), arith.type(t));
    }
    return b.CreateTrunc(v, arith.type(t));
  }

  llvm::Function* emit_regions() {
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(c_), {pointer_, pointer_}, false);
    llvm::Function* f = m_.define(name_ + "__regions", type, /*external=*/true);
    f->getArg(0)->setName("scalars");
    f->getArg(1)->setName("regions");

    Facts facts;
    FunctionEmitter e(m_, f, proc_, facts);
    e.arith().saturate_index();
    bind_scalars(e, f->getArg(0));
    Builder& b = e.builder();
    for (const ArgumentLayout& a : layout_.arguments) {
      for (int d = 0; d < a.dimensions; ++d) {
        const ir::EntryDim& dim = a.entry->dims[static_cast<size_t>(d)];
        const auto put = [&](int offset, const ir::Expr& value) {
          llvm::Value* at = b.CreateConstInBoundsGEP1_64(
              i64_, f->getArg(1), static_cast<uint64_t>(a.region_index + 2 * d + offset));
          b.CreateStore(value.defined() ? e.root(value) : b.getInt64(offset == 0 ? 0 : ~0ull), at);
        };
        put(0, dim.required_min);
        put(1, dim.required_max);
      }
    }
    b.CreateRetVoid();
    return f;
  }

  llvm::Constant* i32(int64_t v) const {
    return llvm::ConstantInt::get(i32_, static_cast<uint64_t>(v), /*IsSigned=*/true);
  }
  llvm::Constant* null() const { return llvm::ConstantPointerNull::get(pointer_); }

  llvm::Constant* emit_argument(const ArgumentLayout& a) const {
    auto* f64 = llvm::Type::getDoubleTy(c_);
    const bool buffer = a.is_buffer();
    const ArgumentRange range = buffer ? ArgumentRange{} : constant_range(*a.entry, a.type);
    uint32_t flags = 0;
    if (range.has_min) flags |= HOCKET_ARGUMENT_HAS_MIN;
    if (range.has_max) flags |= HOCKET_ARGUMENT_HAS_MAX;
    if (a.is_size) flags |= HOCKET_ARGUMENT_IS_SIZE;
    const int kind = a.entry->kind == ir::EntryArg::Kind::Scalar  ? HOCKET_ARGUMENT_SCALAR
                     : a.entry->kind == ir::EntryArg::Kind::Input ? HOCKET_ARGUMENT_INPUT
                                                                  : HOCKET_ARGUMENT_OUTPUT;
    const auto byte = [&](int v) { return llvm::ConstantInt::get(i8_, static_cast<uint64_t>(v)); };
    llvm::Constant* type =
        llvm::ConstantStruct::getAnon({byte(abi_type_code(a.type)), byte(a.type.bits),
                                       llvm::ConstantInt::get(llvm::Type::getInt16Ty(c_), 1)});
    const auto i64 = [&](int64_t v) {
      return llvm::ConstantInt::get(i64_, static_cast<uint64_t>(v), true);
    };
    return llvm::ConstantStruct::getAnon({m_.string(a.name), i32(kind), type, i32(a.dimensions),
                                          i32(flags), i32(a.scalar_index), i32(a.pointer_index),
                                          i32(a.region_index), i32(0), i64(range.min),
                                          i64(range.max), llvm::ConstantFP::get(f64, range.fmin),
                                          llvm::ConstantFP::get(f64, range.fmax), null(), null()});
  }

  llvm::Constant* emit_metadata() {
    std::vector<llvm::Constant*> arguments;
    for (const ArgumentLayout& a : layout_.arguments) arguments.push_back(emit_argument(a));
    llvm::Constant* list = null();
    if (!arguments.empty()) {
      auto* type = llvm::ArrayType::get(arguments[0]->getType(), arguments.size());
      list = new llvm::GlobalVariable(m_.module(), type, true, llvm::GlobalValue::PrivateLinkage,
                                      llvm::ConstantArray::get(type, arguments),
                                      name_ + "__arguments");
    }
    llvm::Constant* reserved =
        llvm::ConstantArray::get(llvm::ArrayType::get(pointer_, 2), {null(), null()});
    llvm::Constant* value = llvm::ConstantStruct::getAnon(
        {i32(HOCKET_ABI_VERSION), i32(static_cast<int64_t>(layout_.arguments.size())),
         m_.string(name_), m_.string(m_.target().to_string()), list, i32(layout_.num_scalars),
         i32(layout_.num_pointers), i32(layout_.num_regions), i32(0), reserved});
    auto* global =
        new llvm::GlobalVariable(m_.module(), value->getType(), true,
                                 llvm::GlobalValue::ExternalLinkage, value, name_ + "__metadata");
    global->setDSOLocal(true);
    global->setAlignment(llvm::Align(8));
    return global;
  }

  llvm::Function* emit_argv(llvm::Function* body, llvm::Function* regions,
                            llvm::Constant* metadata) {
    auto* type = llvm::FunctionType::get(i32_, {pointer_, pointer_}, false);
    llvm::Function* f = m_.define(name_ + "__argv", type, /*external=*/true);
    Builder b(llvm::BasicBlock::Create(c_, "entry", f));
    llvm::FunctionCallee call =
        m_.runtime("hocket_call", i32_, {pointer_, pointer_, pointer_, pointer_, pointer_});
    llvm::CallInst* code =
        b.CreateCall(call, {metadata, body, regions, f->getArg(0), f->getArg(1)});
    code->setTailCall();
    b.CreateRet(code);
    return f;
  }

  void emit_c_entry(llvm::Function* argv) {
    std::vector<llvm::Type*> types;
    for (const ArgumentLayout& a : layout_.arguments) {
      types.push_back(a.is_buffer() ? static_cast<llvm::Type*>(pointer_)
                                    : c_scalar_type(c_, a.type));
    }
    llvm::Function* f =
        m_.define(name_, llvm::FunctionType::get(i32_, types, false), /*external=*/true);
    Builder b(llvm::BasicBlock::Create(c_, "entry", f));
    auto* array = llvm::ArrayType::get(pointer_, std::max<size_t>(types.size(), 1));
    llvm::AllocaInst* args = b.CreateAlloca(array, nullptr, "args");
    for (unsigned i = 0; i < types.size(); ++i) {
      const ArgumentLayout& a = layout_.arguments[i];
      llvm::Value* value = f->getArg(i);
      value->setName(a.name);
      if (!a.is_buffer()) {
        extend_scalar(f, i, a.type);
        if (a.type.is_bool()) value = b.CreateZExt(value, i8_);
        llvm::AllocaInst* place = b.CreateAlloca(value->getType());
        b.CreateStore(value, place);
        value = place;
      }
      b.CreateStore(value, b.CreateConstInBoundsGEP2_64(array, args, 0, i));
    }
    b.CreateRet(b.CreateCall(argv, {null(), args}));
  }

  ModuleEmitter& m_;
  llvm::LLVMContext& c_;
  const ir::Proc& proc_;
  std::string name_;
  PipelineLayout layout_;
  llvm::Type* i8_;
  llvm::Type* i32_;
  llvm::Type* i64_;
  llvm::PointerType* pointer_;
};

}  // namespace

llvm::Type* c_scalar_type(llvm::LLVMContext& context, ir::Type t) {
  if (t.is_float() && t.bits == 32) return llvm::Type::getFloatTy(context);
  if (t.is_float() && t.bits == 64) return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, t.is_bool() ? 1 : t.bits);
}

void extend_scalar(llvm::Function* f, unsigned argument, ir::Type t) {
  if (t.bits > 16 || (t.is_float() && t.bits > 16)) return;
  f->addParamAttr(argument, t.is_int() ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
}

void emit_pipeline(ModuleEmitter& module, const ir::Proc& proc) {
  PipelineEmitter(module, proc).emit();
}

}  // namespace hocket::codegen
