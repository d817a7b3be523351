#include "partition/graph_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "partition/cut_graph.hpp"
#include "partition/partition.hpp"

namespace cosimo {

namespace {

constexpr std::size_t most_points = 400;
constexpr int iterations = 60;
constexpr int settling = 40;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

void scale_to_unit(std::vector<PicturePoint>& points) {
  PicturePoint low = points.front(), high = points.front();
  for (const PicturePoint& p : points)
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  const double side = std::max(high[0] - low[0], high[1] - low[1]);
  for (PicturePoint& p : points)
    for (std::size_t k = 0; k < 2; ++k) p[k] = side > 0 ? (p[k] - low[k]) / side : 0.0;
}

/// Initial places seen along the axis of least spread; empty when there are none, or all are the same.
std::vector<PicturePoint> places(const BodyGraph& model) {
  const std::vector<std::array<double, 3>> all = model.places();
  if (all.empty()) return {};
  std::array<double, 3> low = all.front(), high = all.front(), spread{};
  for (const auto& r : all)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], r[k]);
      high[k] = std::max(high[k], r[k]);
      spread[k] = high[k] - low[k];
    }
  if (!(std::max({spread[0], spread[1], spread[2]}) > 0)) return {};
  std::size_t flat = 2;  // of equal spreads the later axis is left out
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}})
    if (spread[axis] < spread[flat]) flat = axis;
  const std::size_t across = flat == 0 ? 1 : 0, up = flat == 2 ? 1 : 2;
  std::vector<PicturePoint> result;
  result.reserve(all.size());
  for (const auto& r : all) result.push_back({r[across], r[up]});
  return result;
}

/// Distances on the graph from one vertex; -1: not connected.
std::vector<int> distances_from(const CutGraph& graph, std::size_t start) {
  std::vector<int> distance(graph.size(), -1);
  std::vector<std::size_t> open{start};
  distance[start] = 0;
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const CutEdge& edge : graph.edges(open[next])) {
      if (distance[index(edge.to)] >= 0) continue;
      distance[index(edge.to)] = distance[open[next]] + 1;
      open.push_back(index(edge.to));
    }
  return distance;
}

/// Vertices spread over the graph: each the farthest from those before. With their distances to all.
struct Landmarks {
  std::vector<std::size_t> vertex;
  std::vector<std::vector<int>> distance;
};

Landmarks spread_landmarks(const CutGraph& graph) {
  const std::size_t affordable = std::max<std::size_t>(40, 40'000'000 / graph.size());
  const std::size_t count = std::min({most_points, affordable, graph.size()});
  constexpr int unreached = 1 << 30;
  std::vector<int> nearest(graph.size(), unreached);
  Landmarks result;
  std::vector<int> first = distances_from(graph, 0);
  auto next = static_cast<std::size_t>(std::max_element(first.begin(), first.end()) - first.begin());
  while (result.vertex.size() < count) {
    result.vertex.push_back(next);
    result.distance.push_back(distances_from(graph, next));
    for (std::size_t v = 0; v < graph.size(); ++v)
      if (result.distance.back()[v] >= 0) nearest[v] = std::min(nearest[v], result.distance.back()[v]);
    next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
  }
  return result;
}

/// Places of the landmarks by stress majorisation: each in turn goes where its wishes, a distance to every
/// other, weighted by its inverse square, balance.
std::vector<PicturePoint> majorise(const Landmarks& marks) {
  const std::size_t n = marks.vertex.size();
  int longest = 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) longest = std::max(longest, marks.distance[i][marks.vertex[j]]);
  const auto wish = [&](std::size_t i, std::size_t j) {
    const int d = marks.distance[i][marks.vertex[j]];
    return d > 0 ? static_cast<double>(d) : d == 0 ? 1.0 : longest + 2.0;  // pieces stand apart
  };
  // Distances to the first landmark and to the one farthest from both give a first picture.
  std::vector<PicturePoint> at(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double golden = 2.399963229728653 * static_cast<double>(i);  // apart whatever the distances
    at[i] = {(i == 0 ? 0 : wish(0, i)) + 0.3 * std::cos(golden),
             (n > 2 && i != 2 ? wish(2, i) : 0) + 0.3 * std::sin(golden)};
  }
  for (int sweep = 0; sweep < iterations; ++sweep)
    for (std::size_t i = 0; i < n; ++i) {
      PicturePoint sum{0, 0};
      double weights = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) continue;
        const double d = wish(i, j), w = 1 / (d * d);
        const double dx = at[i][0] - at[j][0], dy = at[i][1] - at[j][1];
        const double apart = std::max(std::hypot(dx, dy), 1e-9);
        sum[0] += w * (at[j][0] + d * dx / apart);
        sum[1] += w * (at[j][1] + d * dy / apart);
        weights += w;
      }
      if (weights > 0) at[i] = {sum[0] / weights, sum[1] / weights};
    }
  return at;
}

/// Places of all vertices: beside the nearest landmark at first, then between their neighbours.
std::vector<PicturePoint> settle(const CutGraph& graph, const Landmarks& marks,
                                 const std::vector<PicturePoint>& at) {
  std::vector<PicturePoint> place(graph.size());
  std::vector<char> fixed(graph.size(), 0);
  for (std::size_t v = 0; v < graph.size(); ++v) {
    std::size_t nearest = 0;
    for (std::size_t m = 1; m < marks.vertex.size(); ++m)
      if (marks.distance[m][v] >= 0 &&
          (marks.distance[nearest][v] < 0 || marks.distance[m][v] < marks.distance[nearest][v]))
        nearest = m;
    place[v] = at[nearest];
  }
  for (std::size_t m = 0; m < marks.vertex.size(); ++m) fixed[marks.vertex[m]] = 1;
  for (int sweep = 0; sweep < settling; ++sweep)
    for (std::size_t v = 0; v < graph.size(); ++v) {
      const auto edges = graph.edges(v);
      if (fixed[v] != 0 || edges.empty()) continue;
      PicturePoint sum{0, 0};
      for (const CutEdge& edge : edges)
        for (std::size_t k = 0; k < 2; ++k) sum[k] += place[index(edge.to)][k];
      for (std::size_t k = 0; k < 2; ++k) place[v][k] = sum[k] / static_cast<double>(edges.size());
    }
  return place;
}

/// Chains, one below the other; empty when a vertex has more than two neighbours or a ring closes.
std::vector<PicturePoint> lines(const CutGraph& graph) {
  for (std::size_t v = 0; v < graph.size(); ++v)
    if (graph.edges(v).size() > 2) return {};
  std::vector<PicturePoint> place(graph.size());
  double row = 0;
  for (const auto& piece : pieces_of(graph, [](std::size_t, const CutEdge&) { return true; })) {
    const auto end = std::find_if(piece.begin(), piece.end(),
                                  [&](std::int32_t v) { return graph.edges(index(v)).size() < 2; });
    if (end == piece.end()) return {};
    const std::vector<int> distance = distances_from(graph, index(*end));
    for (const std::int32_t v : piece) place[index(v)] = {static_cast<double>(distance[index(v)]), row};
    row += 1;
  }
  return place;
}

}  // namespace

std::vector<PicturePoint> graph_layout(const BodyGraph& model) {
  std::vector<PicturePoint> result = places(model);
  if (result.empty()) {
    CutCosts equal;
    equal.element.resize(model.elements());
    equal.body.resize(model.bodies());
    const CutGraphOfModel of = make_cut_graph(model, equal, model.groups());
    std::vector<PicturePoint> place = lines(of.graph);
    if (place.empty()) {
      const Landmarks marks = spread_landmarks(of.graph);
      place = settle(of.graph, marks, majorise(marks));
    }
    for (const std::int32_t vertex : of.vertex_of) result.push_back(place[index(vertex)]);
  }
  scale_to_unit(result);
  return result;
}

}  // namespace cosimo
