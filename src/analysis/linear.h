// Systems of linear constraints over integers, refuted by Fourier-Motzkin elimination.
//
// In: rows `form >= 0` and `form == 0` over numbered variables. Out: whether no integer solution
// exists; a yes is certain, a no may only mean that the effort ran out or that rational solutions
// exist. Rows are divided by what their coefficients share and rounded, which is where integers
// come in. Called by: affine_prove.cpp.
#pragma once

#include <vector>

#include "support/bigint.h"

namespace hocket::analysis {

using support::BigInt;

struct Row {
  std::vector<std::pair<int, BigInt>> coefs;  // by variable number, none zero
  BigInt constant;
};

class LinearSystem {
 public:
  void nonnegative(Row row) { rows_.push_back(std::move(row)); }
  void zero(Row row) { equalities_.push_back(std::move(row)); }
  // max_rows: gives up where an elimination would leave more.
  bool infeasible(size_t max_rows) const;

 private:
  std::vector<Row> rows_, equalities_;
};

}  // namespace hocket::analysis
