#include "interp/strands.h"

namespace hocket::interp {

void Strands::enter_iteration(uint32_t run, uint32_t loop, int64_t value) {
  strands_.push_back({path_.back(), run, loop, static_cast<uint32_t>(path_.size()), value});
  path_.push_back(next_++);
}

void Strands::leave_loop() {
  if (path_.size() > 1) return;
  strands_.clear();
  era_ = next_;
}

bool Strands::beside(uint32_t s, Clash* clash) const {
  uint32_t child = 0;
  uint32_t depth = strand(s).depth;
  while (depth >= path_.size() || path_[depth] != s) {
    child = s;
    s = strand(s).parent;
    depth = s == 0 ? 0 : strand(s).depth;
  }
  // s lies on the current path; the paths part below it.
  if (child == 0 || depth + 1 >= path_.size()) return false;
  const Strand& theirs = strand(child);
  const Strand& ours = strand(path_[depth + 1]);
  if (theirs.run != ours.run) return false;
  *clash = {ours.loop, ours.value, theirs.value};
  return true;
}

}  // namespace hocket::interp
