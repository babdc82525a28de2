#include "analysis/linear.h"

#include <algorithm>
#include <map>
#include <optional>

namespace hocket::analysis {

namespace {

using Coefs = std::vector<std::pair<int, BigInt>>;

const BigInt* find(const Coefs& c, int v) {
  auto it =
      std::lower_bound(c.begin(), c.end(), v, [](const auto& p, int key) { return p.first < key; });
  return it != c.end() && it->first == v ? &it->second : nullptr;
}

// p * a + q * b
Row combine(const Row& a, const BigInt& p, const Row& b, const BigInt& q) {
  Row r;
  r.coefs.reserve(a.coefs.size() + b.coefs.size());
  size_t i = 0, j = 0;
  while (i < a.coefs.size() || j < b.coefs.size()) {
    bool left = j >= b.coefs.size() || (i < a.coefs.size() && a.coefs[i].first <= b.coefs[j].first);
    bool right =
        i >= a.coefs.size() || (j < b.coefs.size() && b.coefs[j].first <= a.coefs[i].first);
    int v = left ? a.coefs[i].first : b.coefs[j].first;
    BigInt c = 0;
    if (left) c += p * a.coefs[i++].second;
    if (right) c += q * b.coefs[j++].second;
    if (!c.is_zero()) r.coefs.emplace_back(v, std::move(c));
  }
  r.constant = p * a.constant + q * b.constant;
  return r;
}

BigInt content(const Row& r) {
  BigInt g = 0;
  for (const auto& [v, c] : r.coefs) g = gcd(g, c);
  return g;
}

struct CoefsLess {
  bool operator()(const Coefs& a, const Coefs& b) const {
    if (a.size() != b.size()) return a.size() < b.size();
    for (size_t i = 0; i < a.size(); i++) {
      if (a[i].first != b[i].first) return a[i].first < b[i].first;
      if (!(a[i].second == b[i].second)) return a[i].second < b[i].second;
    }
    return false;
  }
};
// For each direction the tightest row.
using Set = std::map<Coefs, BigInt, CoefsLess>;

// False where the row says that there is no solution.
bool insert(Set& set, Row row) {
  if (row.coefs.empty()) return row.constant.sign() >= 0;
  BigInt g = content(row);
  if (!(g == BigInt(1))) {
    for (auto& [v, c] : row.coefs) c = floor_div(c, g);
    row.constant = floor_div(row.constant, g);
  }
  auto [it, made] = set.try_emplace(row.coefs, row.constant);
  if (!made && row.constant < it->second) it->second = row.constant;
  // Together with its opposite: a gap of no integer.
  Coefs opposite = row.coefs;
  for (auto& [v, c] : opposite) c = -c;
  auto other = set.find(opposite);
  return other == set.end() || (other->second + it->second).sign() >= 0;
}

// Two opposite rows with nothing between them, with a variable of coefficient 1.
std::optional<Row> tight_pair(const Set& set) {
  for (const auto& [coefs, constant] : set) {
    if (coefs.front().second.sign() < 0) continue;
    bool unit = std::any_of(coefs.begin(), coefs.end(),
                            [](const auto& p) { return abs(p.second) == BigInt(1); });
    if (!unit) continue;
    Coefs opposite = coefs;
    for (auto& [v, c] : opposite) c = -c;
    auto other = set.find(opposite);
    if (other != set.end() && (other->second + constant).is_zero()) return Row{coefs, constant};
  }
  return std::nullopt;
}

}  // namespace

bool LinearSystem::infeasible(size_t max_rows) const {
  std::vector<Row> rows = rows_, equalities = equalities_;
  Set set;

  // Equalities with a variable of coefficient 1 are solved for it.
  while (!equalities.empty()) {
    Row e = std::move(equalities.back());
    equalities.pop_back();
    if (e.coefs.empty()) {
      if (!e.constant.is_zero()) return true;
      continue;
    }
    BigInt g = content(e);
    if (!divides(g, e.constant)) return true;
    for (auto& [v, c] : e.coefs) c = floor_div(c, g);
    e.constant = floor_div(e.constant, g);
    auto unit = std::find_if(e.coefs.begin(), e.coefs.end(),
                             [](const auto& p) { return abs(p.second) == BigInt(1); });
    if (unit == e.coefs.end()) {
      Row minus = combine(e, -1, Row{}, 0);
      rows.push_back(e);
      rows.push_back(std::move(minus));
      continue;
    }
    int v = unit->first;
    BigInt sign = unit->second;
    auto solve = [&](Row& r) {
      if (const BigInt* c = find(r.coefs, v)) r = combine(r, 1, e, -(*c * sign));
    };
    for (Row& r : rows) solve(r);
    for (Row& r : equalities) solve(r);
  }

  for (Row& r : rows) {
    if (!insert(set, std::move(r))) return true;
  }
  while (!set.empty()) {
    // A row that is met from both sides is an equality: solved, it rounds the others.
    if (auto e = tight_pair(set)) {
      auto unit = std::find_if(e->coefs.begin(), e->coefs.end(),
                               [](const auto& p) { return abs(p.second) == BigInt(1); });
      int v = unit->first;
      BigInt sign = unit->second;
      Set next;
      for (const auto& [coefs, constant] : set) {
        Row r{coefs, constant};
        if (const BigInt* c = find(r.coefs, v)) r = combine(r, 1, *e, -(*c * sign));
        if (!insert(next, std::move(r))) return true;
      }
      set = std::move(next);
      continue;
    }
    // The variable that costs the fewest new rows.
    std::map<int, std::pair<size_t, size_t>> counts;
    for (const auto& [coefs, constant] : set) {
      for (const auto& [v, c] : coefs) {
        (c.sign() > 0 ? counts[v].first : counts[v].second)++;
      }
    }
    int best = -1;
    long best_cost = 0;
    for (const auto& [v, n] : counts) {
      long cost = static_cast<long>(n.first * n.second) - static_cast<long>(n.first + n.second);
      if (best < 0 || cost < best_cost) {
        best = v;
        best_cost = cost;
      }
    }
    std::vector<Row> plus, minus;
    for (auto it = set.begin(); it != set.end();) {
      const BigInt* c = find(it->first, best);
      if (!c) {
        ++it;
        continue;
      }
      (c->sign() > 0 ? plus : minus).push_back({it->first, it->second});
      it = set.erase(it);
    }
    if (set.size() + plus.size() * minus.size() > max_rows) return false;
    for (const Row& p : plus) {
      for (const Row& m : minus) {
        const BigInt &a = *find(p.coefs, best), &b = *find(m.coefs, best);
        if (!insert(set, combine(p, -b, m, a))) return true;
      }
    }
  }
  return false;
}

}  // namespace hocket::analysis
