#include "numerics/elimination_order.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "numerics/nested_dissection.hpp"

namespace cosimo {
namespace {

using Vertices = std::vector<std::uint32_t>;

void sort_unique(Vertices& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Bodies that hang together by the constraints eliminated so far, and which of these are held by the ground
/// or by a hub whose turn is still to come.
class Assemblies {
 public:
  explicit Assemblies(const std::vector<std::int32_t>& hub_of)
      : parent_(hub_of.size() + 1), held_(parent_.size()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (std::size_t b = 0; b < hub_of.size(); ++b) held_[b] = hub_of[b] >= 0;
    held_.back() = true;
  }
  /// False when the bodies' assemblies are held by more than one of them.
  bool may_join(std::span<const std::uint32_t> bodies) {
    std::uint32_t holder = none;
    const auto fits = [&](std::uint32_t body) {
      const std::uint32_t root = find(body);
      if (!held_[root] || root == holder) return true;
      return std::exchange(holder, root) == none;
    };
    if (bodies.size() == 1 && !fits(ground())) return false;
    return std::all_of(bodies.begin(), bodies.end(), fits);
  }
  void join(std::span<const std::uint32_t> bodies) {
    std::uint32_t root = find(bodies.size() == 1 ? ground() : bodies.front());
    for (const std::uint32_t body : bodies) {
      const std::uint32_t other = find(body);
      if (other == root) continue;
      parent_[other] = root;
      held_[root] = held_[root] || held_[other];
    }
  }
  void release(std::uint32_t hub) { held_[find(hub)] = false; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t ground() const { return static_cast<std::uint32_t>(parent_.size() - 1); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  std::vector<std::uint32_t> parent_;
  std::vector<bool> held_;
};

class Orderer {
 public:
  Orderer(std::span<const std::uint32_t> freedoms, std::span<const TreeConstraint> constraints,
          std::size_t most_eliminated_first)
      : constraints_(constraints), assemblies_(find_hubs(freedoms, most_eliminated_first)) {
    build_graph(freedoms);
  }

  void couple(std::span<const TreeCoupling> couplings) {
    for (const TreeCoupling& pair : couplings) {
      const auto a = static_cast<std::uint32_t>(out_.hub_of[pair.a]);
      const auto b = static_cast<std::uint32_t>(out_.hub_of[pair.b]);
      graph_[a].push_back(b);
      graph_[b].push_back(a);
    }
    for (Vertices& list : graph_) sort_unique(list);
  }

  Dissection divide() const { return dissect(graph_); }

  /// Where all bodies are unknowns. No leaf has a neighbour in another one, and a constraint is in the leaf
  /// of its bodies.
  Dissection divide_bodies() const {
    const auto first = static_cast<std::uint32_t>(constraints_.size());
    NeighbourLists graph(out_.hubs.size());
    for (std::uint32_t b = 0; b < graph.size(); ++b) {
      for (const std::uint32_t v : graph_[first + b]) {
        if (v >= first) graph[b].push_back(v - first);
        for (std::size_t k = 0; v < first && k < constraints_[v].bodies.size(); ++k)
          if (constraints_[v].bodies[k] != b) graph[b].push_back(constraints_[v].bodies[k]);
      }
      sort_unique(graph[b]);
    }
    Dissection out = dissect(graph, Between::top);
    std::vector<std::size_t> place(graph.size(), 0);  // in its leaf, from one on; of the top zero
    for (const Vertices& leaf : out.leaves)
      for (std::size_t k = 0; k < leaf.size(); ++k) place[leaf[k]] = k + 1;
    std::vector<bool> listed(first, false);
    for (Vertices& leaf : out.leaves) add_constraints(leaf, place, listed);
    add_constraints(out.top, place, listed);
    return out;
  }

  EliminationOrder run(Dissection pieces) {
    const std::size_t unknowns = graph_.size();
    out_.below.resize(unknowns);
    out_.leaf_of.assign(unknowns, -1);
    out_.turn.resize(unknowns);
    gone_.assign(unknowns, false);
    degree_.resize(unknowns);
    for (std::uint32_t v = 0; v < unknowns; ++v) degree_[v] = graph_[v].size();
    for (const Vertices& leaf : pieces.leaves) eliminate_leaf(leaf, pieces.top);
    out_.between = out_.leaves.size();
    for (const Vertices& domain : pieces.between) eliminate_leaf(domain, pieces.top);
    out_.top.own = eliminate(pieces.top);
    return std::move(out_);
  }

 private:
  /// Bodies become unknowns, each with the constraints that come up there for the first time behind it: those
  /// with the neighbour that is first in the leaf before others, so that leaves alike stay alike.
  void add_constraints(Vertices& list, const std::vector<std::size_t>& place,
                       std::vector<bool>& listed) const {
    const auto first = static_cast<std::uint32_t>(constraints_.size());
    const auto key = [&](std::uint32_t c) {
      std::size_t sum = 0;
      for (const std::uint32_t body : constraints_[c].bodies) sum += place[body];
      return sum;
    };
    const Vertices bodies = std::exchange(list, {});
    for (const std::uint32_t body : bodies) {
      list.push_back(first + body);
      Vertices fresh;
      for (const std::uint32_t v : graph_[first + body])
        if (v < first && !listed[v]) fresh.push_back(v);
      std::stable_sort(fresh.begin(), fresh.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
      for (const std::uint32_t c : fresh) listed[c] = true;
      list.insert(list.end(), fresh.begin(), fresh.end());
    }
  }

  const std::vector<std::int32_t>& find_hubs(std::span<const std::uint32_t> freedoms, std::size_t most) {
    std::vector<std::size_t> uses(freedoms.size(), 0);
    for (const TreeConstraint& constraint : constraints_)
      for (const std::uint32_t body : constraint.bodies) ++uses[body];
    out_.hub_of.assign(freedoms.size(), -1);
    for (std::uint32_t b = 0; b < freedoms.size(); ++b) {
      if (most > 0 && uses[b] <= most) continue;
      out_.hub_of[b] = static_cast<std::int32_t>(constraints_.size() + out_.hubs.size());
      out_.hubs.push_back(b);
    }
    return out_.hub_of;
  }

  void build_graph(std::span<const std::uint32_t> freedoms) {
    for (const TreeConstraint& constraint : constraints_) out_.sizes.push_back(constraint.rows);
    for (const std::uint32_t hub : out_.hubs) out_.sizes.push_back(freedoms[hub]);
    graph_.resize(out_.sizes.size());
    std::vector<Vertices> uses(freedoms.size());
    for (std::uint32_t c = 0; c < constraints_.size(); ++c)
      for (const std::uint32_t body : constraints_[c].bodies) uses[body].push_back(c);
    for (std::size_t body = 0; body < uses.size(); ++body) {
      const std::int32_t hub = out_.hub_of[body];
      for (const std::uint32_t c : uses[body]) {
        if (hub >= 0) {
          graph_[c].push_back(static_cast<std::uint32_t>(hub));
          graph_[static_cast<std::size_t>(hub)].push_back(c);
          continue;
        }
        for (const std::uint32_t d : uses[body])
          if (d != c) graph_[c].push_back(d);
      }
    }
    for (Vertices& list : graph_) sort_unique(list);
  }

  /// What stays behind goes to the top.
  void eliminate_leaf(const Vertices& leaf, Vertices& top) {
    EliminationOrder::Domain domain;
    domain.own = eliminate(leaf);
    const auto number = static_cast<std::int32_t>(out_.leaves.size());
    if (!domain.own.empty()) {
      for (const std::uint32_t v : domain.own) out_.leaf_of[v] = number;
      std::set<std::uint32_t> known;
      for (const std::uint32_t v : leaf) {  // in its own order, so that leaves alike stay alike
        if (!gone_[v]) continue;
        for (const std::uint32_t next : out_.below[v])
          if (!gone_[next] && known.insert(next).second) domain.border.push_back(next);
      }
      out_.leaves.push_back(std::move(domain));
    }
    for (const std::uint32_t v : leaf)
      if (!gone_[v]) top.push_back(v);
  }

  bool may_go(std::uint32_t v) {
    return v >= constraints_.size() || assemblies_.may_join(constraints_[v].bodies);
  }

  /// As many as may go, always the one with the fewest neighbours left, of these the first in the list.
  Vertices eliminate(const Vertices& list) {
    std::set<std::pair<std::size_t, std::size_t>> waiting;  // degree, place in the list
    std::vector<std::size_t> put_off;
    for (std::size_t k = 0; k < list.size(); ++k) {
      place_[list[k]] = k;
      waiting.emplace(degree_[list[k]], k);
    }
    Vertices order;
    while (!waiting.empty()) {
      const std::size_t place = waiting.begin()->second;
      const std::uint32_t v = list[place];
      waiting.erase(waiting.begin());
      if (!may_go(v)) {
        put_off.push_back(place);
        continue;
      }
      take(v, waiting);
      out_.turn[v] = static_cast<std::uint32_t>(order.size());
      order.push_back(v);
      if (v < constraints_.size()) continue;
      for (const std::size_t k : put_off) waiting.emplace(degree_[list[k]], k);
      put_off.clear();
    }
    for (const std::uint32_t v : list) place_.erase(v);
    return order;
  }

  /// Its neighbours become neighbours of each other.
  void take(std::uint32_t v, std::set<std::pair<std::size_t, std::size_t>>& waiting) {
    gone_[v] = true;
    if (v < constraints_.size())
      assemblies_.join(constraints_[v].bodies);
    else
      assemblies_.release(out_.hubs[v - constraints_.size()]);
    Vertices& mine = out_.below[v] = std::move(graph_[v]);
    std::erase_if(mine, [&](std::uint32_t i) { return gone_[i]; });
    for (const std::uint32_t i : mine) {
      const std::size_t before = degree_[i];
      --degree_[i];
      if (mine.size() > 1) {
        merged_.clear();
        std::set_union(graph_[i].begin(), graph_[i].end(), mine.begin(), mine.end(),
                       std::back_inserter(merged_));
        std::erase_if(merged_, [&](std::uint32_t j) { return j == i || gone_[j]; });
        graph_[i] = merged_;
        degree_[i] = merged_.size();
      }
      if (const auto at = place_.find(i); at != place_.end() && waiting.erase({before, at->second}) > 0)
        waiting.emplace(degree_[i], at->second);
    }
  }

  std::span<const TreeConstraint> constraints_;
  EliminationOrder out_;
  Assemblies assemblies_;
  NeighbourLists graph_;
  std::vector<bool> gone_;
  std::vector<std::size_t> degree_;                       ///< neighbours left
  std::unordered_map<std::uint32_t, std::size_t> place_;  ///< in the list at hand
  Vertices merged_;
};

}  // namespace

EliminationOrder find_elimination_order(std::span<const std::uint32_t> freedoms,
                                        std::span<const TreeConstraint> constraints) {
  Orderer orderer(freedoms, constraints, most_light);
  return orderer.run(orderer.divide());
}

EliminationOrder find_whole_order(std::span<const std::uint32_t> freedoms,
                                  std::span<const TreeConstraint> constraints,
                                  std::span<const TreeCoupling> couplings) {
  Orderer orderer(freedoms, constraints, 0);
  orderer.couple(couplings);
  return orderer.run(orderer.divide_bodies());
}

}  // namespace cosimo
