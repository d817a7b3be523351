#include "partition/multirate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cosimo {

namespace {

const double stiff_steps = std::pow(4.0, 0.6);  ///< four times the bulk's rate, see cut_cost.hpp
constexpr std::size_t smallest_sliver = 4;      ///< vertices
constexpr double weak = 0.05;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

Piece make_piece(const CutGraph& graph, std::vector<std::int32_t> vertices, bool stiff) {
  Piece piece{std::move(vertices), 0, stiff, true};
  double freedoms = 0, steps = 0;
  for (const std::int32_t v : piece.vertices) {
    piece.cost += graph.cost(index(v));
    freedoms += graph.freedoms[index(v)];
    steps = std::max(steps, graph.steps[index(v)]);
    for (const CutEdge& edge : graph.edges(index(v)))
      piece.alone = piece.alone && std::binary_search(piece.vertices.begin(), piece.vertices.end(), edge.to);
  }
  if (stiff) piece.cost = freedoms * steps;
  return piece;
}

/// Slow pieces beside stiff ones that are too small for a part of their own become stiff as well.
void take_slivers(const CutGraph& graph, double sliver, std::vector<char>& stiff) {
  const auto pieces =
      pieces_of(graph, [&](std::size_t v, const CutEdge& edge) { return stiff[v] == stiff[index(edge.to)]; });
  for (const auto& piece : pieces) {
    if (stiff[index(piece[0])] != 0) continue;
    double freedoms = 0;
    bool beside = false;
    for (const std::int32_t v : piece) {
      freedoms += graph.freedoms[index(v)];
      for (const CutEdge& edge : graph.edges(index(v))) beside = beside || stiff[index(edge.to)] != 0;
    }
    if (!beside || (freedoms > sliver && piece.size() > smallest_sliver)) continue;
    for (const std::int32_t v : piece) stiff[index(v)] = 2;  // not yet: other slivers judge by what was stiff
  }
  for (char& flag : stiff) flag = flag != 0 ? 1 : 0;
}

/// Sets that grow together.
class Sets {
 public:
  explicit Sets(std::size_t count) : up_(count) { std::iota(up_.begin(), up_.end(), 0); }
  std::size_t root(std::size_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    up_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> up_;
};

}  // namespace

std::vector<Piece> connected_pieces(const CutGraph& graph) {
  std::vector<Piece> result;
  for (auto& vertices : pieces_of(graph, [](std::size_t, const CutEdge&) { return true; }))
    result.push_back(make_piece(graph, std::move(vertices), false));
  return result;
}

std::vector<Piece> separate_stiff(const CutGraph& graph, double sliver) {
  std::vector<char> stiff(graph.size(), 0);
  bool any = false;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (graph.steps[v] < stiff_steps) continue;
    any = true;
    stiff[v] = 1;
    for (const CutEdge& edge : graph.edges(v)) stiff[index(edge.to)] = 1;
  }
  if (!any) return connected_pieces(graph);
  take_slivers(graph, sliver, stiff);
  std::vector<Piece> result;
  for (auto& vertices : pieces_of(
           graph, [&](std::size_t v, const CutEdge&edge) { return stiff[v] == stiff[index(edge.to)]; })) {
    const bool is_stiff = stiff[index(vertices[0])] != 0;
    result.push_back(make_piece(graph, std::move(vertices), is_stiff));
  }
  return result;
}

std::vector<Piece> separate_weak(const CutGraph& graph, const std::vector<Piece>& pieces, double least) {
  std::vector<std::size_t> piece_of(graph.size());
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (const std::int32_t v : pieces[p].vertices) piece_of[index(v)] = p;
  const auto crumbs = pieces_of(graph, [&](std::size_t v, const CutEdge& edge) {
    return edge.cost > weak && piece_of[v] == piece_of[index(edge.to)];
  });
  std::vector<std::size_t> crumb_of(graph.size());
  std::vector<double> cost(crumbs.size(), 0);
  for (std::size_t c = 0; c < crumbs.size(); ++c)
    for (const std::int32_t v : crumbs[c]) {
      crumb_of[index(v)] = c;
      cost[c] += graph.cost(index(v));
    }
  struct Link {
    double cost;
    std::size_t a, b;
  };
  std::vector<Link> links;
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const CutEdge& edge : graph.edges(v)) {
      const std::size_t a = crumb_of[v], b = crumb_of[index(edge.to)];
      if (a < b && piece_of[v] == piece_of[index(edge.to)]) links.push_back({edge.cost, a, b});
    }
  // Where a side is too small for a part the strongest of its weak couplings stays uncut.
  std::stable_sort(links.begin(), links.end(), [](const Link& x, const Link& y) { return x.cost > y.cost; });
  Sets sets(crumbs.size());
  for (const Link& link : links) {
    const std::size_t a = sets.root(link.a), b = sets.root(link.b);
    if (a == b || (cost[a] >= least && cost[b] >= least)) continue;
    const double both = cost[a] + cost[b];
    sets.join(a, b);
    cost[sets.root(a)] = both;
  }
  std::vector<Piece> result;
  for (auto& vertices : pieces_of(graph, [&](std::size_t v, const CutEdge&edge) {
         return piece_of[v] == piece_of[index(edge.to)] &&
                sets.root(crumb_of[v]) == sets.root(crumb_of[index(edge.to)]);
       })) {
    const bool is_stiff = pieces[piece_of[index(vertices[0])]].stiff;
    result.push_back(make_piece(graph, std::move(vertices), is_stiff));
  }
  return result;
}

}  // namespace cosimo
