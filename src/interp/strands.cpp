#include "interp/strands.h"

namespace hocket::interp {

bool Strands::enter_loop(uint32_t loop, int64_t lo, int64_t count) {
  if (count > INT64_C(0xfffffff0) - next_) return false;
  const uint32_t run = static_cast<uint32_t>(runs_.size());
  runs_.push_back({current(), loop, static_cast<uint32_t>(path_.size()), next_, lo});
  run_of_.resize(run_of_.size() + static_cast<size_t>(count), run);
  next_ += static_cast<uint32_t>(count);
  open_.push_back(run);
  return true;
}

void Strands::leave_loop() {
  open_.pop_back();
  if (path_.size() > 1) return;
  run_of_.clear();
  runs_.resize(1);
  era_ = next_;
}

bool Strands::beside_elsewhere(uint32_t s, Clash* clash) const {
  uint32_t child = 0, child_run = 0;
  uint32_t depth = 0;
  while (s != 0) {
    const uint32_t run = run_of(s);
    depth = runs_[run].depth;
    if (depth < path_.size() && path_[depth].strand == s) break;
    child = s;
    child_run = run;
    s = runs_[run].parent;
    depth = 0;
  }
  // s lies on the current path (0 is its beginning); the paths part below it.
  if (child == 0 || depth + 1 >= path_.size() || path_[depth + 1].run != child_run) return false;
  *clash = {runs_[child_run].loop, value(path_[depth + 1].strand), value(child)};
  return true;
}

}  // namespace hocket::interp
