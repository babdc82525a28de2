#include "target/check_instructions.h"

#include <unordered_set>

#include "diag/kinds_target.h"
#include "ir/visit.h"
#include "support/edit_distance.h"

namespace hocket::target {

using namespace ir;
using diag::Result;

namespace {

class InstructionCheck {
 public:
  explicit InstructionCheck(const Target& target) : target_(target) {}

  Result<void> run(const Proc& proc) {
    if (!seen_.insert(&proc).second) return {};
    Result<void> result;
    for_each_stmt(proc.body, [&](const Stmt& s) {
      if (const auto* c = s.as<CallStmt>(); c && result.ok()) result = call(*c);
      return result.ok();
    });
    return result;
  }

 private:
  Result<void> call(const CallStmt& c) {
    // What an instruction does is said by its body; that text is not what runs.
    if (!c.callee->instr) return run(*c.callee);
    for (const std::string& feature : c.callee->instr->features) {
      if (target_.has(feature)) continue;
      diag::Diagnostic e(diag::kind::instruction_needs_feature, c.place);
      e.arg("instr", c.callee->name())
          .arg("feature", feature)
          .arg("target", target_.to_string())
          .label(c.callee->place, "`" + c.callee->name() + "` is defined here");
      if (find_feature(feature) != nullptr) return e;
      e.note("no feature of any target is called `" + feature + "`");
      std::vector<std::string> known;
      for (const FeatureInfo& f : all_features()) known.emplace_back(f.name);
      for (const std::string& name : support::close_names(feature, known))
        e.help("did you mean `" + name + "`?");
      return e;
    }
    return {};
  }

  const Target& target_;
  std::unordered_set<const Proc*> seen_;
};

}  // namespace

Result<void> check_instructions(const Proc& proc, const Target& target) {
  return InstructionCheck(target).run(proc);
}

}  // namespace hocket::target
