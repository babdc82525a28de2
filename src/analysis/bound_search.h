// Constant bounds of affine forms under facts, by elimination of one atom after the other.
//
// The atom that became known last is replaced by each of its bounds in turn; mins, maxs, divisions,
// remainders and selects by what they lie between. Sound, not complete, and limited by a number of
// steps, so that it may be asked at every node. Called by: simplify, can_prove, interval.
#pragma once

#include <optional>

#include "analysis/facts.h"

namespace hocket::analysis {

inline constexpr int kQuickSteps = 48;
inline constexpr int kPatientSteps = 1500;

// A number that the form is never below (above), the best one found; nothing where none was.
std::optional<BigInt> lower_bound(const Affine& form, const Facts& facts, int steps = kQuickSteps);
std::optional<BigInt> upper_bound(const Affine& form, const Facts& facts, int steps = kQuickSteps);
// Whether form >= 0 was seen.
bool is_nonnegative(const Affine& form, const Facts& facts, int steps = kQuickSteps);

struct ConstRange {
  BigInt min, max;
};
// Bounds of an integral or bool data expression as a mathematical integer, by its type and
// structure: u16(u8) + u16(u8) lies in 0..510. Where the type wraps and could, the type's range;
// where overflow is poison, what holds if there is none.
ConstRange data_range(const ir::Expr& e, const Facts& facts);
ConstRange type_range(ir::Type type);

}  // namespace hocket::analysis
