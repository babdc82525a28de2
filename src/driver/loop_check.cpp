#include "driver/loop_check.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/bounds_check.h"
#include "diag/kinds_check.h"
#include "driver/loop_trials.h"
#include "ir/print.h"
#include "ir/visit.h"
#include "support/strings.h"

namespace hocket::driver {

using analysis::Obligation;
using diag::Diagnostic;
using interp::FindingKind;
using support::quoted;
namespace kind = diag::kind;

namespace {

// What a claim is about, in words: "an index of `a`".
std::string subject(const ir::Proc& proc, const Obligation& o) {
  const std::string buffer = o.buffer.defined() ? quoted(o.buffer.name()) : quoted(proc.name());
  switch (o.kind) {
    case Obligation::Kind::Access:
      return "an index of " + buffer;
    case Obligation::Kind::Extent:
      return "an extent of " + buffer;
    case Obligation::Kind::Window:
      return "a window of " + buffer;
    case Obligation::Kind::Argument:
      return "the argument for " + buffer;
    case Obligation::Kind::Precondition:
      if (const auto* call = o.stmt.as<ir::CallStmt>())
        return "an assert of " + quoted(call->callee->name());
      return "an assert";
    case Obligation::Kind::Alias:
      return "two arguments in " + buffer;
    case Obligation::Kind::Race:
      if (const auto* loop = o.stmt.as<ir::For>())
        return std::string(ir::spelling(loop->loop)) + " loop " + quoted(loop->var.name());
      return "a loop";
    case Obligation::Kind::Contradiction:
      return quoted(proc.name());
  }
  return buffer;
}

// What has to hold.
std::string claim(const Obligation& o) {
  if (const auto* c = o.condition.as<ir::Binary>(); c && ir::is_int(c->a) && ir::is_int(c->b))
    return quoted(std::to_string(c->a.as<ir::IntImm>()->value) + " " + ir::spelling(c->op) + " " +
                  std::to_string(c->b.as<ir::IntImm>()->value));
  if (o.condition.defined()) return quoted(ir::to_text(o.condition));
  switch (o.kind) {
    case Obligation::Kind::Race:
      return "no iteration touches an element that another one writes";
    case Obligation::Kind::Alias:
      return "they do not overlap, as one of them is written";
    default:
      return "it has the dimensions of the parameter";
  }
}

// Whether the finding breaks this claim and no other.
bool breaks(const interp::Finding& f, const Obligation& o) {
  if (o.kind == Obligation::Kind::Race) {
    const auto* loop = o.stmt.as<ir::For>();
    return (f.kind == FindingKind::Race || f.kind == FindingKind::LaneConflict) &&
           loop != nullptr && f.loop == loop->var;
  }
  if (!f.stmt.defined() || !o.stmt.defined()) return false;
  if (!f.stmt.same_as(o.stmt)) return false;
  switch (o.kind) {
    case Obligation::Kind::Access:
      if (f.kind != FindingKind::OutOfBounds || f.buffer != o.buffer) return false;
      break;
    case Obligation::Kind::Extent:
      return f.kind == FindingKind::NegativeExtent && f.buffer == o.buffer;
    case Obligation::Kind::Window:
      if (f.kind == FindingKind::NegativeExtent) return true;
      if (f.kind != FindingKind::OutOfBounds || f.buffer != o.buffer) return false;
      break;
    case Obligation::Kind::Argument:
      return (f.kind == FindingKind::ShapeMismatch || f.kind == FindingKind::SizeBelowOne) &&
             f.buffer == o.buffer;
    case Obligation::Kind::Precondition:
      return f.kind == FindingKind::PreconditionFailed || f.kind == FindingKind::NotDense;
    case Obligation::Kind::Alias:
      return f.kind == FindingKind::Aliasing;
    default:
      return false;
  }
  // An access out of range in another dimension breaks another claim.
  const auto d = static_cast<size_t>(o.dim);
  if (o.dim < 0 || d >= f.element.size() || d >= f.limits.size()) return true;
  const auto* least = o.condition.as<ir::Binary>();
  const bool lower =
      least != nullptr && least->op == ir::BinaryOp::Le && ir::is_int_equal(least->a, 0);
  return lower ? f.element[d] < 0 : f.element[d] >= f.limits[d];
}

// The prover's numbers in words, where it found some that no run shows.
std::string numbers_of(const Obligation& o, const ir::Proc& proc) {
  std::string text;
  const auto add = [&](const ir::Symbol& s, int64_t v) {
    text += (text.empty() ? "" : ", ") + s.name() + " = " + std::to_string(v);
  };
  for (const ir::Param& p : proc.params) {
    if (const auto it = o.answer.proof.model.find(p.sym); it != o.answer.proof.model.end())
      add(p.sym, it->second);
    if (o.answer.clash && !o.answer.proof.model.count(p.sym))
      for (const auto& [s, v] : o.answer.clash->sizes)
        if (s == p.sym) add(s, v);
  }
  for (const ir::Symbol& s : o.loops)
    if (const auto it = o.answer.proof.model.find(s); it != o.answer.proof.model.end())
      add(s, it->second);
  return text;
}

std::string missing_fact(const Obligation& o, const ir::Proc& proc) {
  const std::string numbers = o.answer.refuted() ? numbers_of(o, proc) : "";
  if (!numbers.empty()) return "a run that shows it broken: the prover's numbers are " + numbers;
  return o.answer.missing.empty() ? "a fact that decides it" : o.answer.missing;
}

class Judge {
 public:
  explicit Judge(LoopJudgement& out) : out_(out) {}

  void proc(const ir::Proc& p) {
    if (!seen_.insert(&p).second) return;
    obligations(p);
    ir::for_each_stmt(p.body, [&](const ir::Stmt& s) {
      const auto* call = s.as<ir::CallStmt>();
      // What an instruction does is the library's word.
      if (call != nullptr && !call->callee->instr) proc(*call->callee);
      return true;
    });
  }

 private:
  void obligations(const ir::Proc& p) {
    analysis::BoundsOptions options;
    options.keep_proved = true;
    const std::vector<Obligation> all = analysis::check_bounds(p, options);
    LoopTrials trials(p);
    const Numbers kept = numbers_that_keep(p);
    std::vector<bool> told(trials.small(kept).size());
    for (const Obligation& o : all) {
      if (o.proved()) {
        ++out_.proved;
        continue;
      }
      const Shown* witness = nullptr;
      std::vector<Shown> own;
      if (o.answer.refuted()) {
        Numbers numbers(o.answer.proof.model.begin(), o.answer.proof.model.end());
        if (o.answer.clash)
          numbers.insert(o.answer.clash->sizes.begin(), o.answer.clash->sizes.end());
        own = trials.at(numbers);
        for (const Shown& s : own)
          if (witness == nullptr && breaks(s.finding, o)) witness = &s;
        // No argument has such an extent, and no run is needed to see it.
        if (o.kind == Obligation::Kind::Extent && !o.stmt.defined())
          if (auto shown = trials.negative_extent(o.buffer, static_cast<size_t>(o.dim), numbers)) {
            own = {*std::move(shown)};
            witness = own.data();
          }
      }
      const std::vector<Shown>& small = trials.small(kept);
      for (size_t i = 0; i < small.size(); ++i) {
        if (!breaks(small[i].finding, o)) continue;
        told[i] = true;
        if (witness == nullptr) witness = &small[i];
      }
      say(p, o, witness);
    }
    out_.runs += trials.runs();
    if (seen_.size() == 1) never_ran(p, trials.not_run());
    rest(p, trials.small(kept), told);
  }

  void say(const ir::Proc& p, const Obligation& o, const Shown* witness) {
    const support::Place place = o.stmt.defined() ? o.stmt.place() : p.place;
    // No run can show that nothing runs: this is proved, and a mistake of the text.
    if (o.kind == Obligation::Kind::Contradiction) {
      out_.refuted.push_back(Diagnostic(kind::asserts_contradict, place).arg("program", p.name()));
      return;
    }
    Diagnostic e(witness != nullptr ? kind::claim_refuted : kind::claim_unknown, place);
    e.arg("subject", subject(p, o)).arg("claim", claim(o));
    if (witness != nullptr) {
      e.witnessed(witness->sizes).witnessed(witness->finding.text());
    } else {
      e.note("missing: " + missing_fact(o, p));
      if (const ir::Expr load = ir::first_load(o.condition); load.defined())
        e.note(
            "what memory holds may be another value the next time it is read: bind it first, `let "
            "m: "
            "index = " +
            (load.type().is_index() ? ir::to_text(load) : "index(" + ir::to_text(load) + ")") +
            "`, and use `m` in the condition and here");
    }
    // Copies of one statement are one to who wrote it.
    std::vector<Diagnostic>& list = witness != nullptr ? out_.refuted : out_.unknown;
    const bool again = place.known() && std::any_of(list.begin(), list.end(), [&](const auto& d) {
                         return d.place == place && d.message() == e.message();
                       });
    if (!again) list.push_back(std::move(e));
  }

  // Of the program or of what it calls.
  static ir::Stmt first_alloc(const ir::Proc& p) {
    ir::Stmt found;
    ir::for_each_stmt(p.body, [&](const ir::Stmt& s) {
      if (found.defined()) return false;
      const auto* call = s.as<ir::CallStmt>();
      if (s.as<ir::Alloc>() != nullptr) found = s;
      if (call != nullptr && !call->callee->instr) found = first_alloc(*call->callee);
      return true;
    });
    return found;
  }

  // That memory is written before it is read is shown by runs alone.
  void never_ran(const ir::Proc& p, const std::string& why) {
    out_.not_run = why;
    const ir::Stmt alloc = first_alloc(p);
    if (why.empty() || !alloc.defined()) return;
    out_.unknown.push_back(Diagnostic(kind::claim_unknown, alloc.place())
                               .arg("subject", quoted(alloc.as<ir::Alloc>()->buffer.name()))
                               .arg("claim", "it is written before it is read")
                               .note("missing: a run on small sizes; " + why));
  }

  // What the runs found and no claim speaks of: once a statement and kind.
  void rest(const ir::Proc& p, const std::vector<Shown>& shown, const std::vector<bool>& told) {
    std::vector<const interp::Finding*> said;
    for (size_t i = 0; i < shown.size(); ++i)
      if (told[i]) said.push_back(&shown[i].finding);
    for (size_t i = 0; i < shown.size(); ++i) {
      const interp::Finding& f = shown[i].finding;
      const bool again = std::any_of(said.begin(), said.end(), [&](const interp::Finding* g) {
        return g->kind == f.kind && g->stmt.same_as(f.stmt) && g->buffer == f.buffer;
      });
      if (told[i] || again) continue;
      said.push_back(&f);
      const bool placed = f.stmt.defined() && f.stmt.place().known();
      Diagnostic e(kind::run_goes_wrong, placed ? f.stmt.place() : p.place);
      e.arg("program", p.name()).witnessed(shown[i].sizes).witnessed(f.text());
      out_.refuted.push_back(std::move(e));
    }
  }

  // Numbers under which the asserts hold, as the prover finds them.
  static Numbers numbers_that_keep(const ir::Proc& p) {
    if (p.preconditions.empty()) return {};
    analysis::Dependence dependence;
    const analysis::Answer no = dependence.holds(ir::make_bool(false), analysis::scope_of(p));
    return {no.proof.model.begin(), no.proof.model.end()};
  }

  LoopJudgement& out_;
  std::unordered_set<const ir::Proc*> seen_;
};

}  // namespace

LoopJudgement judge_loop_program(const ir::Proc& proc) {
  LoopJudgement out;
  Judge(out).proc(proc);
  return out;
}

Diagnostic assumed(const Diagnostic& unknown) {
  Diagnostic w = unknown;
  w.kind = kind::claim_assumed;
  return w;
}

}  // namespace hocket::driver
