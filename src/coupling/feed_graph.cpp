#include "coupling/feed_graph.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/sparse_lu.hpp"

namespace cosimo {

namespace {

constexpr int enough_iterations = 5, most_iterations = 50, most_halvings = 20;
/// Relative residual of an algebraic loop that is solved: as far as rounding lets it be, and after some
/// iterations what is below every tolerance.
constexpr double tight = 1e-14, loose = 1e-10, still = 1e-12;

using Lists = std::vector<std::vector<std::size_t>>;

/// Steps of the longest path that begins at each vertex, as far as none leads back: those on circles and
/// before them keep `n`.
std::vector<std::size_t> longest_paths(const Lists& after) {
  const std::size_t n = after.size();
  std::vector<std::size_t> length(n, n);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (length[i] < n) continue;
      std::size_t longest = 0;
      for (const std::size_t next : after[i])
        longest = std::max(longest, length[next] < n ? length[next] + 1 : n);
      if (longest == n && n > 0 && !after[i].empty()) continue;
      length[i] = longest;
      more = true;
    }
  }
  return length;
}

std::vector<SparseLu::Entry> full_pattern(std::size_t n) {
  std::vector<SparseLu::Entry> entries;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      entries.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)});
  return entries;
}

/// The largest residual in relation to its variable.
double relative(std::span<const double> w, std::span<const double> r) {
  double largest = 0;
  for (std::size_t k = 0; k < w.size(); ++k)
    if (r[k] != 0) largest = std::max(largest, std::fabs(r[k] / (std::fabs(w[k]) + std::fabs(r[k]))));
  return largest;
}

double square(std::span<const double> r) {
  double sum = 0;
  for (const double each : r) sum += each * each;
  return sum;
}

bool reaches(const Lists& after, std::size_t start, std::size_t goal) {
  std::vector<char> seen(after.size(), 0);
  std::vector<std::size_t> open(after[start]);
  while (!open.empty()) {
    const std::size_t here = open.back();
    open.pop_back();
    if (here == goal) return true;
    if (seen[here] != 0) continue;
    seen[here] = 1;
    open.insert(open.end(), after[here].begin(), after[here].end());
  }
  return false;
}

}  // namespace

FeedGraph::FeedGraph(const Interface& interface, const CouplingVariables& variables) {
  const auto& transfers = interface.transfers;
  if (std::none_of(transfers.begin(), transfers.end(), [](const auto& each) { return each.at_once; })) return;
  const std::size_t n = interface.couplings.size();
  Lists after(n);
  for (const Interface::Transfer& transfer : transfers)
    if (transfer.at_once) after[transfer.from.index()].push_back(transfer.to.index());
  std::vector<char> circular(n, 0);
  for (std::size_t c = 0; c < n; ++c) circular[c] = reaches(after, c, c) ? 1 : 0;
  Lists open = after;  // with the circles cut where they are solved for
  for (std::size_t c = 0; c < n; ++c) {
    if (circular[c] != 0) loop_.push_back(variables.driving(CouplingId{c}, CutSide::to));
    auto& list = open[c];
    list.erase(std::remove_if(list.begin(), list.end(), [&](std::size_t to) { return circular[to] != 0; }),
               list.end());
  }
  const std::vector<std::size_t> length = longest_paths(open);
  rounds_ = static_cast<int>(*std::max_element(length.begin(), length.end())) + 1;
}

/// What follows from the variables on circles, which stay.
void FeedGraph::pass(std::span<double> u, std::vector<double>& fresh, const Refresh& refresh) const {
  for (int round = 0; round < rounds_; ++round) {
    refresh(u, fresh);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (kept < loop_.size() && loop_[kept] == i)
        ++kept;
      else
        u[i] = fresh[i];
    }
  }
}

/// By how much the variables on circles are not what follows from them. False: not finite.
bool FeedGraph::residual(std::span<const double> w, std::span<double> u, std::vector<double>& fresh,
                         const Refresh& refresh, std::span<double> r) const {
  for (std::size_t k = 0; k < loop_.size(); ++k) u[loop_[k]] = w[k];
  pass(u, fresh, refresh);
  refresh(u, fresh);
  bool finite = true;
  for (std::size_t k = 0; k < loop_.size(); ++k) {
    r[k] = w[k] - fresh[loop_[k]];
    finite = finite && std::isfinite(r[k]);
  }
  return finite;
}

bool FeedGraph::settle(std::span<double> u, const Refresh& refresh) const {
  std::vector<double> fresh(u.size());
  if (loop_.empty()) {
    pass(u, fresh, refresh);
    return true;
  }
  const std::size_t n = loop_.size();
  std::vector<double> w(n), r(n), moved(n), other(n), step(n);
  SparseLu matrix(n, full_pattern(n));
  for (std::size_t k = 0; k < n; ++k) w[k] = u[loop_[k]];
  if (!residual(w, u, fresh, refresh, r)) return false;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (relative(w, r) <= (iteration < enough_iterations ? tight : loose)) return true;
    for (std::size_t k = 0; k < n; ++k) {
      moved = w;
      moved[k] += 1e-7 * std::max(std::fabs(w[k]), std::fabs(r[k]));
      if (moved[k] == w[k]) moved[k] = 1e-7;
      if (!residual(moved, u, fresh, refresh, other)) return false;
      for (std::size_t i = 0; i < n; ++i) matrix.values()[i * n + k] = (other[i] - r[i]) / (moved[k] - w[k]);
    }
    if (!matrix.factor()) return false;
    step = r;
    matrix.solve(step);
    // The residual of a loop with high gain is mostly rounding: what moves no more is solved.
    if (iteration > 0 && relative(w, step) <= still) return residual(w, u, fresh, refresh, r);
    // A whole step, or as much of it as brings the residual down; none of it: as whole as it is.
    double share = 1;
    for (int halvings = 0;; ++halvings) {
      for (std::size_t k = 0; k < n; ++k) moved[k] = w[k] - share * step[k];
      const bool finite = residual(moved, u, fresh, refresh, other);
      if (finite && (square(other) < square(r) || halvings == most_halvings)) break;
      if (halvings == most_halvings) return false;
      share *= 0.5;
    }
    w = moved;
    r = other;
  }
  return false;
}

}  // namespace cosimo
