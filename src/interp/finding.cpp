#include "interp/finding.h"

#include <algorithm>

#include "diag/kinds_runtime.h"
#include "interp/reason.h"
#include "ir/print.h"
#include "support/strings.h"

namespace hocket::interp {

using support::quoted;

bool is_budget(const Finding& f) {
  if (f.kind == FindingKind::EvaluatorStopped)
    return f.diagnostic && f.diagnostic->is(diag::kind::evaluation_limit);
  return f.kind == FindingKind::StepLimit || f.kind == FindingKind::MemoryLimit;
}

const char* spelling(FindingKind kind) {
  switch (kind) {
    case FindingKind::OutOfBounds:
      return "out of bounds";
    case FindingKind::PoisonAddress:
      return "poison address";
    case FindingKind::PoisonBranch:
      return "poison branch";
    case FindingKind::PoisonBound:
      return "poison bound";
    case FindingKind::PoisonCheck:
      return "poison check";
    case FindingKind::PoisonOutput:
      return "poison output";
    case FindingKind::Race:
      return "race";
    case FindingKind::LaneConflict:
      return "lane conflict";
    case FindingKind::UseAfterFree:
      return "use after free";
    case FindingKind::DoubleFree:
      return "double free";
    case FindingKind::Leak:
      return "leak";
    case FindingKind::NegativeExtent:
      return "negative extent";
    case FindingKind::ShapeMismatch:
      return "shape mismatch";
    case FindingKind::NotDense:
      return "not dense";
    case FindingKind::Aliasing:
      return "aliasing";
    case FindingKind::SizeBelowOne:
      return "size below one";
    case FindingKind::PreconditionFailed:
      return "precondition failed";
    case FindingKind::Misaligned:
      return "misaligned";
    case FindingKind::BlockValue:
      return "block value";
    case FindingKind::StepUnknown:
      return "unknown step";
    case FindingKind::StepTwice:
      return "step twice";
    case FindingKind::StepMissing:
      return "missing step";
    case FindingKind::StepOrder:
      return "step out of order";
    case FindingKind::StageOrder:
      return "stage out of order";
    case FindingKind::StepSource:
      return "step from nothing";
    case FindingKind::OutputValue:
      return "output value";
    case FindingKind::EvaluatorStopped:
      return "evaluator stopped";
    case FindingKind::StepLimit:
      return "step limit";
    case FindingKind::MemoryLimit:
      return "memory limit";
  }
  return "?";
}

namespace {
std::string indexed(const ir::Symbol& buffer, const std::vector<int64_t>& element) {
  std::string text = buffer.defined() ? buffer.name() : "?";
  if (element.empty()) return quoted(text);
  text += "[";
  for (size_t d = 0; d < element.size(); ++d) text += (d ? ", " : "") + std::to_string(element[d]);
  return quoted(text + "]");
}
std::string list(const std::vector<int64_t>& v) {
  std::string text = "[";
  for (size_t d = 0; d < v.size(); ++d) text += (d ? ", " : "") + std::to_string(v[d]);
  return text + "]";
}
// The line of a statement that does the work: a store without its block header.
std::string spoken_line(const ir::Stmt& stmt) {
  std::string text = ir::to_text(ir::Body{stmt});
  const auto* store = stmt.as<ir::Store>();
  if (store && store->block) text.erase(0, text.find('\n') + 1);
  return std::string(support::trim(text.substr(0, text.find('\n'))));
}
std::string does(bool writes) {
  return writes ? "writes" : "reads";
}
}  // namespace

std::string Finding::spoken_iterations() const {
  // Loops of one name are told apart by their lines.
  const auto shared = [&](const Iteration& i) {
    return std::count_if(iterations.begin(), iterations.end(),
                         [&](const Iteration& j) { return j.var.name() == i.var.name(); }) > 1;
  };
  std::string text;
  for (const Iteration& i : iterations) {
    if (!text.empty()) text += ", ";
    text += i.var.name();
    if (const int line = i.var.place().line; line > 0 && shared(i))
      text += " of line " + std::to_string(line);
    text += " = " + std::to_string(i.value);
  }
  return text;
}

std::string Finding::text() const {
  const std::string what = indexed(root.defined() ? root : buffer, element);
  const std::string stage_name =
      func.defined()
          ? quoted(func.name()) + (stage ? " update(" + std::to_string(stage - 1) + ")" : "")
          : "";
  const std::string block = stage_name + " at " + spoken(point) +
                            (reduction.empty() ? "" : ", step " + spoken(reduction));
  std::string t = std::string(spelling(kind)) + ": ";
  switch (kind) {
    case FindingKind::OutOfBounds:
      if (window_dim >= 0) {
        t += "a window takes " + std::to_string(element[0]) +
             (element.size() > 1 ? ":" + std::to_string(element[1]) : "") + " of dimension " +
             std::to_string(window_dim) + " of `" + buffer.name() + "`, whose extent is " +
             std::to_string(limits[0]);
        break;
      }
      t += does(writes) + " " + indexed(buffer, element) + " of a buffer with extents " +
           list(limits);
      break;
    case FindingKind::PoisonAddress:
      t += "an index of " + (buffer.defined() ? quoted(buffer.name()) : "a block header") +
           " is poison: " + describe(reason);
      break;
    case FindingKind::PoisonBranch:
      t += "the condition is poison: " + describe(reason);
      break;
    case FindingKind::PoisonBound:
      t += "a bound is poison: " + describe(reason);
      break;
    case FindingKind::PoisonCheck:
      t += "the condition is poison: " + describe(reason);
      break;
    case FindingKind::PoisonOutput:
      t += what + " has no value at the end: " + describe(reason);
      break;
    case FindingKind::Race:
      t += "iteration " + loop.name() + " = " + std::to_string(iteration) + " " + does(writes) +
           " " + what + ", which iteration " + loop.name() + " = " +
           std::to_string(other_iteration) + " " + does(other_writes) + " (it holds " +
           spoken(expected) + (writes ? ", " + spoken(actual) + " is written)" : ")");
      break;
    case FindingKind::LaneConflict:
      t += "lanes " + std::to_string(other_iteration) + " and " + std::to_string(iteration) +
           " write " + what;
      break;
    case FindingKind::UseAfterFree:
      t += what + " is used after its memory is freed";
      break;
    case FindingKind::DoubleFree:
      t += quoted(buffer.name()) + " is freed twice";
      break;
    case FindingKind::Leak:
      t += quoted(buffer.name()) + " is not freed on this path";
      break;
    case FindingKind::NegativeExtent:
      t += quoted(buffer.name()) + " has an extent of " + std::to_string(number);
      break;
    case FindingKind::ShapeMismatch:
      t += quoted(buffer.name()) + " needs extents " + list(limits) + ", it is given " +
           list(element);
      break;
    case FindingKind::NotDense:
      t += quoted(buffer.name()) + " is given strides " + list(element);
      break;
    case FindingKind::Aliasing:
      t += what + " is seen through " + quoted(loop.name()) + " and " + quoted(buffer.name());
      break;
    case FindingKind::SizeBelowOne:
      t += quoted(buffer.name()) + " is " + std::to_string(number);
      break;
    case FindingKind::PreconditionFailed:
      t += "`" + ir::to_text(condition) + "`, which " + quoted(buffer.name()) + " asserts";
      break;
    case FindingKind::Misaligned:
      t += what + " is not aligned to " + std::to_string(number) + " bytes";
      break;
    case FindingKind::BlockValue:
      t += block + " is " + spoken(expected) + ", " + quoted(buffer.name()) + " gets " +
           spoken(actual);
      break;
    case FindingKind::StepUnknown:
      t += block + " is no step of the definition";
      break;
    case FindingKind::StepTwice:
      t += block + " was made before";
      break;
    case FindingKind::StepMissing:
      t += stage_name + " at " + spoken(point) + " lacks step " + spoken(expected_reduction);
      break;
    case FindingKind::StepOrder:
      t += block + " comes where " + spoken(expected_reduction) + " is due";
      break;
    case FindingKind::StageOrder:
      t += block + " comes after update(" + std::to_string(number - 1) + ")";
      break;
    case FindingKind::StepSource:
      t += block + " starts from no value of its point";
      break;
    case FindingKind::OutputValue:
      t += stage_name + " at " + spoken(point) + " is " + spoken(expected) +
           ", the program gives " + spoken(actual);
      break;
    case FindingKind::EvaluatorStopped:
      t += diagnostic ? diagnostic->message() : "?";
      break;
    case FindingKind::StepLimit:
      t += std::to_string(number) + " statements were executed";
      break;
    case FindingKind::MemoryLimit:
      t += quoted(buffer.name()) + " does not fit " + std::to_string(number) + " bytes";
      break;
  }
  if (lane >= 0 && kind != FindingKind::LaneConflict && kind != FindingKind::NegativeExtent &&
      kind != FindingKind::OutOfBounds)
    t += ", lane " + std::to_string(lane);
  if (!iterations.empty()) t += "; at " + spoken_iterations();
  if (stmt.defined()) {
    t += "; in `" + spoken_line(stmt) + "`";
  }
  return t;
}

}  // namespace hocket::interp
