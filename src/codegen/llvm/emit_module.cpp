// A proc into its module, and what the functions of a module share: runtime declarations, strings,
// alias scopes.
#include <llvm/IR/Constants.h>

#include "abi/hocket_abi.h"
#include "codegen/llvm/emitter.h"
#include "codegen/llvm/entry.h"
#include "support/assert.h"

namespace hocket::codegen {

ModuleEmitter::ModuleEmitter(llvm::Module& module, const target::Target& target)
    : module_(module), target_(target) {}

void ModuleEmitter::emit(const ir::Proc& proc) {
  HOCKET_ASSERT(proc.form == ir::Form::Flat, "code for a proc that is not flat: " + proc.name());
  if (proc.entry != nullptr) {
    emit_pipeline(*this, proc);
  } else {
    emit_loop_program(*this, proc);
  }
}

llvm::FunctionCallee ModuleEmitter::runtime(const char* name, llvm::Type* result,
                                            std::vector<llvm::Type*> parameters) {
  auto* type = llvm::FunctionType::get(result, parameters, /*isVarArg=*/false);
  llvm::FunctionCallee callee = module_.getOrInsertFunction(name, type);
  if (auto* f = llvm::dyn_cast<llvm::Function>(callee.getCallee())) f->setDoesNotThrow();
  return callee;
}

llvm::Function* ModuleEmitter::define(const std::string& name, llvm::FunctionType* type,
                                      bool external) {
  auto* f = llvm::Function::Create(
      type, external ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage,
      name, module_);
  f->setDoesNotThrow();
  f->setDSOLocal(true);
  return f;
}

llvm::Constant* ModuleEmitter::string(const std::string& text) {
  llvm::Constant*& known = strings_[text];
  if (known == nullptr) {
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(context(), text);
    auto* global = new llvm::GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, bytes, "text");
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    global->setAlignment(llvm::Align(1));
    known = global;
  }
  return known;
}

llvm::Constant* ModuleEmitter::error_record(int code, const std::string& pipeline,
                                            const std::string& text) {
  // The fields of hocket_error_t in order; offsets are pinned by a test.
  llvm::LLVMContext& c = context();
  auto* i32 = llvm::Type::getInt32Ty(c);
  auto* i64 = llvm::Type::getInt64Ty(c);
  auto* f64 = llvm::Type::getDoubleTy(c);
  auto* pointer = llvm::PointerType::get(c, 0);
  std::vector<llvm::Type*> types = {i32, i32, pointer, pointer, pointer, i32, i32, i32, i32,
                                    i32, i64, i64,     i64,     i64,     f64, f64, f64, pointer};
  std::vector<llvm::Constant*> values;
  for (llvm::Type* t : types) values.push_back(llvm::Constant::getNullValue(t));
  values[0] = llvm::ConstantInt::get(i32, static_cast<uint64_t>(code), true);
  values[2] = string(pipeline);
  values[5] = llvm::ConstantInt::get(i32, static_cast<uint64_t>(-1), true);
  values[17] = string(text);
  llvm::Constant* record = llvm::ConstantStruct::get(llvm::StructType::get(c, types), values);
  return new llvm::GlobalVariable(module_, record->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::PrivateLinkage, record, "error");
}

void ModuleEmitter::start_scopes() {
  scopes_.clear();
  scope_lists_.clear();
  domain_ = llvm::MDBuilder(context()).createAnonymousAliasScopeDomain();
}

llvm::MDNode* ModuleEmitter::new_scope() {
  scopes_.push_back(llvm::MDBuilder(context()).createAnonymousAliasScope(domain_));
  return scopes_.back();
}

llvm::MDNode* ModuleEmitter::scope_list(llvm::MDNode* scope) {
  ScopeLists& lists = scope_lists_[scope];
  if (lists.own == nullptr) lists.own = llvm::MDNode::get(context(), {scope});
  return lists.own;
}

// Buffers met later are missing in the lists of earlier accesses: their own accesses name the
// earlier ones, and one of the two lists is enough.
llvm::MDNode* ModuleEmitter::other_scopes(llvm::MDNode* scope) {
  ScopeLists& lists = scope_lists_[scope];
  if (lists.others == nullptr || lists.known != scopes_.size()) {
    std::vector<llvm::Metadata*> others;
    for (llvm::MDNode* s : scopes_) {
      if (s != scope) others.push_back(s);
    }
    lists.others = llvm::MDNode::get(context(), others);
    lists.known = scopes_.size();
  }
  return lists.others;
}

}  // namespace hocket::codegen
