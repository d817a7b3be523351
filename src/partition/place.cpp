#include "partition/place.hpp"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/check.hpp"
#include "numerics/metis_turn.hpp"

namespace cosimo {

namespace {

/// A lower largest load is worth this many times the cuts between ranks.
constexpr double worth_of_balance = 4;

/// Parts that stay together, as one vertex.
struct Groups {
  std::vector<std::size_t> of;  ///< group of every part, numbered by its first part
  std::vector<double> cost;
  std::map<std::pair<std::size_t, std::size_t>, int> edges;  ///< cuts between two groups, both ways
};

Groups group(std::span<const double> cost, std::span<const Coupling> couplings,
             std::span<const std::pair<std::size_t, std::size_t>> together) {
  std::vector<std::size_t> root(cost.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  for (const auto& [a, b] : together) {
    const std::size_t x = find(a), y = find(b);
    root[std::max(x, y)] = std::min(x, y);
  }
  Groups groups;
  std::map<std::size_t, std::size_t> number;
  for (std::size_t p = 0; p < cost.size(); ++p) {
    const std::size_t g = number.try_emplace(find(p), groups.cost.size()).first->second;
    if (g == groups.cost.size()) groups.cost.push_back(0);
    groups.of.push_back(g);
    groups.cost[g] += cost[p];
  }
  for (const Coupling& c : couplings) {
    const std::size_t a = groups.of[c.from.part.index()], b = groups.of[c.to.part.index()];
    if (a == b) continue;
    ++groups.edges[{a, b}];
    ++groups.edges[{b, a}];
  }
  return groups;
}

/// Ranges whose largest cost is as small as possible: bisection on it, greedy for each guess.
std::vector<int> ranges(const std::vector<double>& cost, int ranks) {
  double low = *std::max_element(cost.begin(), cost.end());
  double high = std::accumulate(cost.begin(), cost.end(), 0.0);
  const auto fill = [&](double most) {
    std::vector<int> rank(cost.size());
    int r = 0;
    double load = 0;
    for (std::size_t g = 0; g < cost.size(); ++g) {
      if (load > 0 && load + cost[g] > most) {
        ++r;
        load = 0;
      }
      load += cost[g];
      rank[g] = r;
    }
    return rank;
  };
  for (int i = 0; i < 60 && high > low * (1 + 1e-12); ++i) {
    const double middle = 0.5 * (low + high);
    (fill(middle).back() < ranks ? high : low) = middle;
  }
  std::vector<int> rank = fill(high * (1 + 1e-12));
  COSIMO_CHECK(rank.back() < ranks, "more ranges than ranks");
  return rank;
}

std::vector<int> by_metis(const Groups& groups, int ranks) {
  std::vector<idx_t> first{0}, neighbour, edge_weight, vertex_weight;
  const double sum = std::accumulate(groups.cost.begin(), groups.cost.end(), 0.0);
  for (const double cost : groups.cost)
    vertex_weight.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(1e6 * cost / sum))));
  std::size_t at = 0;
  for (const auto& [edge, weight] : groups.edges) {
    for (; at < edge.first; ++at) first.push_back(static_cast<idx_t>(neighbour.size()));
    neighbour.push_back(static_cast<idx_t>(edge.second));
    edge_weight.push_back(weight);
  }
  for (; at < groups.cost.size(); ++at) first.push_back(static_cast<idx_t>(neighbour.size()));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  auto vertices = static_cast<idx_t>(groups.cost.size());
  idx_t balances = 1, cut = 0;
  auto wanted = static_cast<idx_t>(ranks);
  std::vector<idx_t> part(groups.cost.size(), 0);
  const MetisTurn turn;
  const int status = METIS_PartGraphRecursive(&vertices, &balances, first.data(), neighbour.data(),
                                              vertex_weight.data(), nullptr, edge_weight.data(), &wanted,
                                              nullptr, nullptr, options, &cut, part.data());
  COSIMO_CHECK(status == METIS_OK, "METIS could not place the parts");
  return {part.begin(), part.end()};
}

struct Quality {
  double load = 0;  ///< largest of any rank
  double cuts = 0;  ///< between ranks
};

Quality quality(const Groups& groups, const std::vector<int>& rank, int ranks) {
  std::vector<double> load(static_cast<std::size_t>(ranks));
  for (std::size_t g = 0; g < rank.size(); ++g) load[static_cast<std::size_t>(rank[g])] += groups.cost[g];
  Quality q;
  q.load = *std::max_element(load.begin(), load.end());
  for (const auto& [edge, cuts] : groups.edges)
    if (edge.first < edge.second && rank[edge.first] != rank[edge.second]) q.cuts += cuts;
  return q;
}

}  // namespace

std::vector<int> place_parts(std::span<const double> cost, std::span<const Coupling> couplings,
                             std::span<const std::pair<std::size_t, std::size_t>> together, int ranks) {
  if (ranks <= 1 || cost.empty()) return std::vector<int>(cost.size(), 0);
  const Groups groups = group(cost, couplings, together);
  std::vector<int> best = ranges(groups.cost, ranks);
  if (groups.cost.size() > static_cast<std::size_t>(ranks)) {
    const std::vector<int> other = by_metis(groups, ranks);
    const Quality a = quality(groups, best, ranks), b = quality(groups, other, ranks);
    const double balance = std::pow(b.load / a.load, worth_of_balance);
    if (balance * (1 + b.cuts) < 1 + a.cuts) best = other;
  }
  std::vector<int> rank(cost.size());
  for (std::size_t p = 0; p < cost.size(); ++p) rank[p] = best[groups.of[p]];
  return rank;
}

}  // namespace cosimo
