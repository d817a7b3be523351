#include "results/graph_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/check.hpp"
#include "results/overview_style.hpp"

namespace cosimo {

namespace {

constexpr std::size_t most_dots = 2000;
constexpr double margin = 42;  // pixels around the dots
constexpr double least_height = 300, most_height = 760;
constexpr std::size_t bodies_per_row = 40;  // of a folded line

struct Box {
  double left = 0, right = 0, low = 0, high = 0;
  double width() const { return right - left; }
  double height() const { return high - low; }
};

Box box_of(std::span<const CurvePoint> points) {
  if (points.empty()) return {};
  Box box{points[0].x, points[0].x, points[0].y, points[0].y};
  for (const CurvePoint& p : points) {
    box.left = std::min(box.left, p.x);
    box.right = std::max(box.right, p.x);
    box.low = std::min(box.low, p.y);
    box.high = std::max(box.high, p.y);
  }
  return box;
}

/// A long line turns at the end of each row and comes back in the next.
void fold(std::vector<CurvePoint>& points) {
  const Box box = box_of(points);
  const bool upright = box.height() > box.width();
  const double length = upright ? box.height() : box.width(), across = upright ? box.width() : box.height();
  if (points.size() <= bodies_per_row || across > 1e-2 * length || length <= 0) return;
  const auto rows = static_cast<double>(
      std::clamp<std::size_t>((points.size() + bodies_per_row - 1) / bodies_per_row, 2, 24));
  for (CurvePoint& p : points) {
    const double along = (upright ? box.high - p.y : p.x - box.left) / length * rows;
    const double row = std::min(std::floor(along), rows - 1);
    const double share = along - row;
    const bool back = static_cast<int>(row) % 2 == 1;
    p = {(back ? 1 - share : share), -0.7 * row / rows};
  }
}

/// To pixels, y downwards, one scale for both directions.
void fit(std::vector<CurvePoint>& points, GraphLayout& layout) {
  const Box box = box_of(points);
  const double wide = layout.width - 2 * margin;
  double scale = box.width() > 0 ? wide / box.width() : 0;
  if (box.height() > 0 && (scale == 0 || scale * box.height() > most_height - 2 * margin))
    scale = (most_height - 2 * margin) / box.height();
  layout.height = std::clamp(scale * box.height() + 2 * margin, least_height, most_height);
  const double x = layout.width / 2, y = layout.height / 2;
  for (CurvePoint& p : points)
    p = {x + scale * (p.x - (box.left + box.right) / 2), y - scale * (p.y - (box.low + box.high) / 2)};
}

/// The dot of every body: itself, or all of its subsystem in one cell of a grid just coarse enough.
std::vector<std::size_t> dots_of(std::span<const CurvePoint> points, std::span<const std::size_t> part) {
  std::vector<std::size_t> dot(points.size());
  for (std::size_t i = 0; i < dot.size(); ++i) dot[i] = i;
  if (points.size() <= most_dots) return dot;
  using Cell = std::tuple<std::size_t, std::int64_t, std::int64_t>;
  for (double cell = 6;; cell *= 1.12) {
    std::map<Cell, std::size_t> cells;
    for (std::size_t i = 0; i < points.size() && cells.size() <= most_dots; ++i) {
      const Cell at{part[i], std::llround(points[i].x / cell), std::llround(points[i].y / cell)};
      dot[i] = cells.emplace(at, cells.size()).first->second;
    }
    if (cells.size() <= most_dots || cell > 1e4) return dot;
  }
}

void place_dots(const GraphPicture& picture, std::span<const CurvePoint> points,
                std::span<const std::size_t> part, std::span<const std::size_t> dot, GraphLayout& layout) {
  if (dot.empty()) return;
  layout.dots.assign(*std::max_element(dot.begin(), dot.end()) + 1, {.bodies = 0});
  for (std::size_t i = 0; i < points.size(); ++i) {
    GraphDot& d = layout.dots[dot[i]];
    ++d.bodies;
    d.part = part[i];
    d.weight += picture.bodies[i].weight;
    const double share = 1 / static_cast<double>(d.bodies);  // running mean
    d.at = {d.at.x + share * (points[i].x - d.at.x), d.at.y + share * (points[i].y - d.at.y)};
  }
}

/// One line for all edges of a kind between two dots.
void place_lines(const GraphPicture& picture, std::span<const std::size_t> dot, GraphLayout& layout) {
  std::set<std::tuple<std::size_t, std::size_t, GraphEdgeKind>> seen;
  std::vector<double> lengths;
  for (const GraphEdge& edge : picture.edges) {
    const bool ground = edge.kind == GraphEdgeKind::support;
    COSIMO_CHECK(edge.from < dot.size() && (ground || edge.to < dot.size()), "an edge joins bodies");
    const std::size_t from = dot[edge.from], to = ground ? from : dot[edge.to];
    if (!ground && from == to) continue;
    if (!seen.emplace(std::min(from, to), std::max(from, to), edge.kind).second) continue;
    const CurvePoint a = layout.dots[from].at, b = layout.dots[to].at;
    layout.lines.push_back({from, to, edge.kind, edge.label, std::hypot(a.x - b.x, a.y - b.y)});
    if (!ground) lengths.push_back(layout.lines.back().length);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(layout.dots.size(), 1));
  layout.spacing = std::sqrt(layout.width * layout.height / count);
  if (lengths.empty()) return;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  layout.spacing = std::min(layout.spacing, *middle);
}

/// Greedy: none of a neighbour's colours if there is another, and of those the least used.
void colour_parts(const GraphPicture& picture, std::span<const std::size_t> part, GraphLayout& layout) {
  const std::size_t parts = layout.parts.size();
  if (parts <= static_cast<std::size_t>(palette_size)) {
    for (std::size_t p = 0; p < parts; ++p) layout.parts[p].colour = static_cast<int>(p);
    return;
  }
  std::vector<std::set<std::size_t>> neighbours(parts);
  for (const GraphEdge& edge : picture.edges) {
    if (edge.kind == GraphEdgeKind::support || part[edge.from] == part[edge.to]) continue;
    neighbours[part[edge.from]].insert(part[edge.to]);
    neighbours[part[edge.to]].insert(part[edge.from]);
  }
  std::array<int, palette_size> used{};
  for (std::size_t p = 0; p < parts; ++p) {
    std::array<int, palette_size> conflicts{};
    for (const std::size_t other : neighbours[p])
      if (other < p) ++conflicts[static_cast<std::size_t>(layout.parts[other].colour)];
    std::size_t best = 0;
    for (std::size_t c = 1; c < used.size(); ++c)
      if (std::pair(conflicts[c], used[c]) < std::pair(conflicts[best], used[best])) best = c;
    layout.parts[p].colour = static_cast<int>(best);
    ++used[best];
  }
}

/// The place of every body's part in layout.parts, which is filled.
std::vector<std::size_t> collect_parts(std::span<const GraphBody> bodies, GraphLayout& layout) {
  std::map<std::int32_t, std::size_t> places;
  for (const GraphBody& body : bodies) places.emplace(body.part, 0);
  for (auto& [number, place] : places) {
    place = layout.parts.size();
    layout.parts.push_back({.number = number});
  }
  std::vector<std::size_t> part;
  for (const GraphBody& body : bodies) {
    part.push_back(places[body.part]);
    ++layout.parts[part.back()].bodies;
    layout.parts[part.back()].weight += body.weight;
  }
  return part;
}

}  // namespace

GraphLayout graph_layout(const GraphPicture& picture, double width) {
  GraphLayout layout;
  layout.width = width;
  std::vector<CurvePoint> points;
  for (const GraphBody& body : picture.bodies) {
    COSIMO_CHECK(std::isfinite(body.x) && std::isfinite(body.y) && std::isfinite(body.weight),
                 "bodies have finite places and weights");
    points.push_back({body.x, body.y});
  }
  const std::vector<std::size_t> part = collect_parts(picture.bodies, layout);
  fold(points);
  fit(points, layout);
  const std::vector<std::size_t> dot = dots_of(points, part);
  place_dots(picture, points, part, dot, layout);
  place_lines(picture, dot, layout);
  colour_parts(picture, part, layout);
  return layout;
}

}  // namespace cosimo
