// Values of control expressions under an assignment: checks that a counterexample is one.
//
// Index and 32- and 64-bit signed arithmetic is unbounded, other integers wrap, as proofs read
// them. In: an integral or bool expression and values of its free terms. Out: the value; nothing
// where a term has none. Called by: prove.cpp, and whoever runs programs at small sizes (driver,
// rewrite/kernel/judge, tools).
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "analysis/affine.h"

namespace hocket::analysis {

// The value of a term that is not arithmetic: a symbol, a BufferField, a load.
using TermValue = std::function<std::optional<BigInt>(const ir::Expr&)>;

std::optional<BigInt> evaluate(const ir::Expr& e, const TermValue& values);
std::optional<BigInt> evaluate(const Affine& a, const TermValue& values);

// Over symbols alone; nothing where the expression holds anything else, or leaves 64 bits.
using SymbolValues = std::unordered_map<ir::Symbol, int64_t>;
std::optional<int64_t> evaluate(const ir::Expr& e, const SymbolValues& values);

// What is left of a value in a type that wraps.
BigInt wrapped(ir::Type type, const BigInt& value);

}  // namespace hocket::analysis
