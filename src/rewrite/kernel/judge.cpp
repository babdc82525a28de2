#include "rewrite/kernel/judge.h"

#include <algorithm>

#include "diag/kinds_rewrite.h"
#include "ir/verify.h"
#include "rewrite/kernel/replay.h"

namespace hocket::rewrite {

using namespace ir;
using diag::Diagnostic;
using diag::Result;

std::string Judge::how() const {
  std::string text;
  for (const std::string& h : how_)
    if (!h.empty() && text.find(h) == std::string::npos) text += (text.empty() ? "" : ", ") + h;
  return text.empty() ? "by construction" : text;
}

Result<Change> Judge::accept(const ProcRef& before, const ProcRef& after, std::vector<Claim> claims,
                             bool comparable) {
  const auto open = std::count_if(claims.begin(), claims.end(),
                                  [](const Claim& c) { return !c.answer.proved(); });
  for (const Claim& c : claims) {
    if (c.answer.proved()) {
      how_.push_back(c.answer.how);
      continue;
    }
    // All claims together are what the step needs: where the programs differ and one alone is not
    // proved, it is this one that does not hold, also where the prover did not find out.
    if ((c.answer.refuted() || open == 1) && comparable) {
      std::vector<std::pair<Symbol, int64_t>> sizes;
      if (c.answer.clash) sizes = c.answer.clash->sizes;
      for (const auto& [s, v] : c.answer.proof.model) sizes.emplace_back(s, v);
      Difference seen = replay_difference(*before, *after, sizes);
      if (!seen.lines.empty()) {
        Diagnostic d = Diagnostic(diag::kind::rewrite_refuted, step_.place)
                           .arg("op", step_.op)
                           .arg("proc", before->name())
                           .arg("claim", c.what);
        // The prover's clash belongs to its sizes; other ones show their own difference alone.
        if (c.answer.clash && seen.at_given_sizes) d.witnessed(c.answer.clash->to_string());
        for (std::string& line : seen.lines) d.witnessed(std::move(line));
        return d;
      }
    }
    std::string missing = c.answer.missing;
    if (missing.empty())
      missing = c.answer.clash ? "a clash is not excluded: " + c.answer.clash->to_string()
                               : "it does not follow from what is known there";
    return Diagnostic(diag::kind::rewrite_not_proved, step_.place)
        .arg("op", step_.op)
        .arg("claim", c.what)
        .arg("missing", missing);
  }
  HOCKET_CHECK(verify(*after));
  return Change(after);
}

}  // namespace hocket::rewrite
