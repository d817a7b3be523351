#include "partition/graph_layout.hpp"
#include "mechanics/mechanism.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/testing.hpp"

namespace cosimo {
namespace {

double apart(const PicturePoint& a, const PicturePoint& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

void expect_in_unit_square(const std::vector<PicturePoint>& points) {
  double longest = 0;
  for (const PicturePoint& p : points)
    for (const double x : p) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 1);
      longest = std::max(longest, x);
    }
  EXPECT_DOUBLE_EQ(longest, 1);
}

TEST(GraphLayout, AChainIsALine) {
  const std::vector<std::int32_t> order = samples::random_order(50, 3);
  const auto points = graph_layout(*make_graph(samples::renumbered(samples::chain(50), order)));
  for (std::size_t i = 0; i < 50; ++i) {
    const PicturePoint& p = points[static_cast<std::size_t>(order[i])];
    EXPECT_NEAR(p[0], static_cast<double>(i) / 49, 1e-12);
    EXPECT_EQ(p[1], 0);
  }
}

TEST(GraphLayout, MechanismsStandWhereTheyAre) {
  samples::MechanismBuilder build;
  build.body("a", BodyKind::rigid, 1, {0, 1, 5});
  build.body("b", BodyKind::rigid, 1, {4, 1.1, 7});
  const auto points = graph_layout(*make_graph(build.finish()));
  EXPECT_EQ(points[0], (PicturePoint{0, 0}));
  EXPECT_EQ(points[1], (PicturePoint{1, 0.5})) << "seen along y";
}

/// Neighbours on the graph are near on paper: on average far nearer than any two bodies.
void expect_neighbours_near(const Model& model, double ratio) {
  const auto points = graph_layout(*make_graph(model));
  expect_in_unit_square(points);
  double near = 0, count = 0, all = 0, pairs = 0;
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const auto [from, to] = ends_of(model, ElementId{e});
    if (from == ground || to == ground) continue;
    near += apart(points[from.index()], points[to.index()]);
    count += 1;
  }
  for (std::size_t i = 0; i < points.size(); i += 3)
    for (std::size_t j = 0; j < i; j += 3) {
      all += apart(points[i], points[j]);
      pairs += 1;
    }
  EXPECT_LT(near / count, ratio * all / pairs);
}

TEST(GraphLayout, NeighboursStandTogether) {
  expect_neighbours_near(samples::lattice({.columns = 15, .rows = 10}), 0.2);
  expect_neighbours_near(samples::random_tree(120, 3), 0.25);
  expect_neighbours_near(samples::ring(60, 1), 0.15);
  expect_neighbours_near(samples::lattice({.columns = 50, .rows = 40}), 0.1);
}

TEST(GraphLayout, IsReproducibleAndTellsBodiesApart) {
  const Model model = samples::lattice({.columns = 9, .rows = 7});
  const auto first = graph_layout(*make_graph(model)), second = graph_layout(*make_graph(model));
  EXPECT_EQ(first, second);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT(apart(first[i], first[j]), 0.02);
}

}  // namespace
}  // namespace cosimo
