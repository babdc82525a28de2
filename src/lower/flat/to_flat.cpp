#include "lower/flat/to_flat.h"

#include "diag/kinds_parse.h"
#include "lower/flat/passes.h"

namespace hocket::lower {

namespace {

using ir::Stand;

constexpr FlatPass kPasses[] = {
    {"inline_calls", "calls -> the bodies of what they call, windows -> direct accesses",
     inline_calls, Stand::AtADoor},
    {"unroll", "unrolled loops -> copies", unroll, Stand::AtADoor},
    {"simplify_indices", "coordinates, bounds and conditions -> normal form", simplify_indices,
     Stand::AtADoor},
    {"guard_selects", "loads in selects -> predicated where they could leave their buffer",
     guard_selects, Stand::BetweenPasses},
    {"vectorize", "vector loops -> vector expressions", vectorize, Stand::BetweenPasses},
    {"flatten", "N indices -> one", flatten, Stand::AtADoor},
    {"partition", "guarded loops -> a steady loop and the rest", partition, Stand::AtADoor},
    {"join_lanes", "short vectors in a loop -> vectors as long as registers", join_lanes,
     Stand::AtADoor},
    {"place_allocs", "memories -> stack or heap, with explicit ends", place_allocs, Stand::AtADoor},
    {"clean", "what nobody reads -> nothing", clean, Stand::AtADoor},
};

}  // namespace

std::span<const FlatPass> flat_passes() {
  return kPasses;
}

diag::Result<void> check_entry(const ir::Proc& proc) {
  if (!proc.entry) return {};
  for (const ir::EntryArg& arg : proc.entry->args)
    for (const ir::EntryDim& d : arg.dims)
      if (!d.carried())
        return diag::Diagnostic(diag::kind::malformed_entry, proc.place)
            .arg("proc", proc.name())
            .arg("what",
                 "leaves out what carries a dimension, which compiled code is given by its caller");
  return {};
}

diag::Result<ir::ProcRef> to_flat(const ir::ProcRef& proc, const target::Target& target,
                                  const FlatOptions& options) {
  HOCKET_ASSERT(proc->form == ir::Form::Loops, "to_flat of a proc that is flat");
  HOCKET_CHECK(check_entry(*proc));
  const FlatContext context{target, options};
  ir::ProcRef p = proc;
  for (const FlatPass& pass : kPasses) {
    HOCKET_TRY(p, pass.run(p, context));
  }
  return p;
}

}  // namespace hocket::lower
