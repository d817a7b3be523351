#include "partition/refine.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>
#include <utility>

namespace cosimo {

namespace {

constexpr int most_passes = 10;
/// Improvements below this share are rounding.
constexpr double noise = 1e-9;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

/// What a part holds.
struct Load {
  double freedoms = 0, steps = 0;
  std::size_t vertices = 0, fastest = 0;  ///< fastest: how many take `steps` of them
  double cost() const { return freedoms * steps; }
};

/// A state on the way of a sweep; smaller is better.
struct Quality {
  double excess = 0, cut = 0, total = 0, larger = 0;
  bool better_than(const Quality& other) const {
    const auto less = [](double a, double b) { return a < b - noise * (std::abs(a) + std::abs(b)); };
    if (less(excess, other.excess)) return true;
    if (less(other.excess, excess)) return false;
    if (less(cut, other.cut)) return true;
    if (less(other.cut, cut)) return false;
    if (less(total, other.total)) return true;
    if (less(other.total, total)) return false;
    return less(larger, other.larger);
  }
};

class Refinement {
 public:
  Refinement(const CutGraph& graph, std::span<const double> limit, std::span<std::int32_t> part_of)
      : graph_(graph), limit_(limit), part_of_(part_of), gain_(graph.size(), 0), mark_(graph.size(), 0) {
    load_.resize(limit.size());
    for (std::size_t v = 0; v < graph.size(); ++v) add(load_[index(part_of[v])], v);
  }

  /// Whether anything improved.
  bool pass() {
    // Boundary vertices of every ordered pair of neighbouring parts.
    std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>> boundary;
    for (std::size_t v = 0; v < graph_.size(); ++v)
      for (const CutEdge& edge : graph_.edges(v))
        if (part_of_[index(edge.to)] != part_of_[v])
          boundary.emplace_back(part_of_[v], part_of_[index(edge.to)], static_cast<std::int32_t>(v));
    std::sort(boundary.begin(), boundary.end());
    boundary.erase(std::unique(boundary.begin(), boundary.end()), boundary.end());
    bool improved = false;
    std::vector<std::int32_t> front;
    for (auto first = boundary.begin(); first != boundary.end();) {
      const auto [a, b, v] = *first;
      front.clear();
      for (; first != boundary.end() && std::get<0>(*first) == a && std::get<1>(*first) == b; ++first)
        front.push_back(std::get<2>(*first));
      improved = sweep(a, b, front) || improved;
    }
    return improved;
  }

 private:
  using Candidate = std::tuple<double, std::int32_t>;  ///< gain, minus vertex: the smaller vertex first

  void add(Load& load, std::size_t v) const {
    load.freedoms += graph_.freedoms[v];
    ++load.vertices;
    if (graph_.steps[v] > load.steps) {
      load.steps = graph_.steps[v];
      load.fastest = 0;
    }
    if (graph_.steps[v] == load.steps) ++load.fastest;
  }

  /// How much the cuts get cheaper when v goes from a to b.
  double gain(std::size_t v, std::int32_t a, std::int32_t b) const {
    double sum = 0;
    for (const CutEdge& edge : graph_.edges(v)) {
      const std::int32_t part = part_of_[index(edge.to)];
      if (part == b) sum += edge.cost;
      if (part == a) sum -= edge.cost;
    }
    return sum;
  }

  Quality quality(const Load& from, const Load& to, std::int32_t a, std::int32_t b, double cut) const {
    const double excess =
        std::max(0.0, from.cost() - limit_[index(a)]) + std::max(0.0, to.cost() - limit_[index(b)]);
    return {excess, cut, from.cost() + to.cost(), std::max(from.cost(), to.cost())};
  }

  bool sweep(std::int32_t a, std::int32_t b, std::span<const std::int32_t> front) {
    Load from = load_[index(a)], to = load_[index(b)];
    std::priority_queue<Candidate> open;
    const auto offer = [&](std::int32_t v) {
      gain_[index(v)] = gain(index(v), a, b);
      open.emplace(gain_[index(v)], -v);
    };
    // Costs of the cuts count from a base, so that differences are judged against the cuts themselves.
    double cut = 0;
    for (const std::int32_t v : front) {
      if (part_of_[index(v)] != a) continue;
      for (const CutEdge& edge : graph_.edges(index(v)))
        if (part_of_[index(edge.to)] == b) cut += edge.cost;
      offer(v);
    }
    Quality best = quality(from, to, a, b, cut);
    std::vector<std::int32_t> moved;
    std::size_t kept = 0;
    while (!open.empty() && from.vertices > 1) {
      const auto [expected, minus] = open.top();
      open.pop();
      const std::int32_t v = -minus;
      if (part_of_[index(v)] != a || expected != gain_[index(v)]) continue;
      Load grown = to;
      add(grown, index(v));
      if (grown.cost() > std::max(limit_[index(b)], from.cost())) continue;
      to = grown;
      from.freedoms -= graph_.freedoms[index(v)];
      --from.vertices;
      cut -= expected;
      part_of_[index(v)] = b;
      moved.push_back(v);
      if (const Quality now = quality(from, to, a, b, cut); now.better_than(best)) {
        best = now;
        kept = moved.size();
      }
      for (const CutEdge& edge : graph_.edges(index(v)))
        if (part_of_[index(edge.to)] == a) offer(edge.to);
    }
    undo(moved, kept, a);
    moved.resize(kept);
    if (kept > 0 && !stays_whole(moved, a)) {
      undo(moved, 0, a);
      kept = 0;
    }
    if (kept > 0) recount(a, b, moved);
    return kept > 0;
  }

  void undo(std::span<const std::int32_t> moved, std::size_t kept, std::int32_t a) {
    for (const std::int32_t v : moved.subspan(kept)) part_of_[index(v)] = a;
  }

  /// Whether what is left of a beside the moved vertices still hangs together.
  bool stays_whole(std::span<const std::int32_t> moved, std::int32_t a) {
    const std::int32_t wanted = ++stamp_, reached = ++stamp_;
    std::size_t missing = 0;
    std::vector<std::int32_t> open;
    for (const std::int32_t v : moved)
      for (const CutEdge& edge : graph_.edges(index(v))) {
        if (part_of_[index(edge.to)] != a || mark_[index(edge.to)] >= wanted) continue;
        mark_[index(edge.to)] = open.empty() ? reached : wanted;
        if (open.empty())
          open.push_back(edge.to);
        else
          ++missing;
      }
    for (std::size_t next = 0; next < open.size() && missing > 0; ++next)
      for (const CutEdge& edge : graph_.edges(index(open[next]))) {
        std::int32_t& mark = mark_[index(edge.to)];
        if (part_of_[index(edge.to)] != a || mark == reached) continue;
        if (mark == wanted) --missing;
        mark = reached;
        open.push_back(edge.to);
      }
    return missing == 0;
  }

  /// Loads after vertices went from a to b. The steps of a are found again only where the last of its
  /// fastest has left.
  void recount(std::int32_t a, std::int32_t b, std::span<const std::int32_t> moved) {
    Load& from = load_[index(a)];
    for (const std::int32_t v : moved) {
      add(load_[index(b)], index(v));
      from.freedoms -= graph_.freedoms[index(v)];
      --from.vertices;
      if (graph_.steps[index(v)] == from.steps) --from.fastest;
    }
    if (from.fastest > 0) return;
    from = {};
    for (std::size_t v = 0; v < graph_.size(); ++v)
      if (part_of_[v] == a) add(from, v);
  }

  const CutGraph& graph_;
  std::span<const double> limit_;
  std::span<std::int32_t> part_of_;
  std::vector<Load> load_;
  std::vector<double> gain_;
  std::vector<std::int32_t> mark_;
  std::int32_t stamp_ = 0;
};

}  // namespace

void refine(const CutGraph& graph, std::span<const double> limit, std::span<std::int32_t> part_of) {
  Refinement refinement(graph, limit, part_of);
  for (int pass = 0; pass < most_passes; ++pass)
    if (!refinement.pass()) return;
}

}  // namespace cosimo
