// Vectors and inlining are decided before flat form, so the pipeline is short: stack memory into
// registers, common values, loop invariants, dead code, a little unrolling. Its length is compile
// time.
#include "codegen/llvm/optimise.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace hocket::codegen {

namespace {

llvm::FunctionPassManager lean_pipeline(Optimise level) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/false));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  if (level != Optimise::Lean) {
    passes.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false).setMemDep(false)));
    passes.addPass(llvm::InstCombinePass());
  }
  passes.addPass(llvm::SimplifyCFGPass());
  // Small inner loops of vectors are half bookkeeping: a few iterations at a time halve it.
  if (level != Optimise::Lean) {
    passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(/*OptLevel=*/2)
                                            .setPartial(true)
                                            .setRuntime(false)
                                            .setPeeling(false)
                                            .setUpperBound(false)));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
  }
  return passes;
}

// The only lane that a constant mask leaves on; -1 where more are on or it is not constant.
int only_lane(const llvm::Value* mask, unsigned lanes) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  if (constant == nullptr) return -1;
  int only = -1;
  for (unsigned i = 0; i < lanes; ++i) {
    const llvm::Constant* lane = constant->getAggregateElement(i);
    if (lane == nullptr || !(lane->isNullValue() || lane->isOneValue())) return -1;
    if (lane->isNullValue()) continue;
    if (only >= 0) return -1;
    only = static_cast<int>(i);
  }
  return only;
}

// A masked store of one lane becomes a store of that element. LLVM 22 does the same behind these
// passes, and for AVX-512 stores the element of another, wider type where the vector was truncated:
// four bytes in place of one, past the end of the buffer.
void store_single_lanes(llvm::Function& f) {
  std::vector<std::pair<llvm::CallInst*, int>> found;
  for (llvm::BasicBlock& block : f)
    for (llvm::Instruction& i : block) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::masked_store) continue;
      const auto* type = llvm::cast<llvm::FixedVectorType>(call->getArgOperand(0)->getType());
      const int lane = only_lane(call->getArgOperand(call->arg_size() - 1), type->getNumElements());
      if (lane >= 0 && type->getScalarSizeInBits() % 8 == 0) found.emplace_back(call, lane);
    }
  for (const auto& [call, lane] : found) {
    llvm::IRBuilder<> b(call);
    llvm::Value* value = call->getArgOperand(0);
    llvm::Type* element = value->getType()->getScalarType();
    const auto at = static_cast<uint64_t>(lane);
    llvm::Value* to = b.CreateConstGEP1_64(element, call->getArgOperand(1), at);
    const llvm::Align align = llvm::commonAlignment(call->getParamAlign(1).valueOrOne(),
                                                    at * element->getScalarSizeInBits() / 8);
    b.CreateAlignedStore(b.CreateExtractElement(value, at), to, align)
        ->setAAMetadata(call->getAAMetadata());
    call->eraseFromParent();
  }
}

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, Optimise level) {
  llvm::PipelineTuningOptions tuning;
  const bool full = level == Optimise::Full;
  tuning.LoopVectorization = full;
  tuning.SLPVectorization = full;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  if (full) {
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
    return;
  }
  llvm::FunctionPassManager passes = lean_pipeline(level);
  for (llvm::Function& f : module) {
    if (!f.isDeclaration()) passes.run(f, functions);
  }
}

}  // namespace

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Optimise level) {
  if (level != Optimise::None) run_passes(module, machine, level);
  for (llvm::Function& f : module) store_single_lanes(f);
}

}  // namespace hocket::codegen
