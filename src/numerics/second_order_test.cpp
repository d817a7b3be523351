#include "numerics/second_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/check.hpp"

namespace cosimo {
namespace {

TEST(TangentPattern, WithoutLongEdgesIsAPathWithAllItsEdges) {
  const TangentPattern pattern(5, {{3, 4}, {0, 1}, {3, 4}});
  EXPECT_TRUE(pattern.is_path());
  EXPECT_TRUE(pattern.is_forest());
  ASSERT_EQ(pattern.edges().size(), 4u);
  for (std::int32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(pattern.edges()[static_cast<std::size_t>(i)], (Edge{i, i + 1}));
    EXPECT_EQ(pattern.edge_of(i, i + 1), static_cast<std::size_t>(i));
  }
  EXPECT_THROW(pattern.edge_of(0, 2), Bug);
  EXPECT_THROW(pattern.edge_of(4, 5), Bug);
}

TEST(TangentPattern, OfNoneOrOneIsAPath) {
  EXPECT_TRUE(TangentPattern(0, {}).is_path());
  EXPECT_TRUE(TangentPattern(1, {}).is_path());
  EXPECT_TRUE(TangentPattern(1, {}).edges().empty());
  EXPECT_EQ(TangentPattern().size(), 0u);
}

TEST(TangentPattern, MergesDuplicatesAndFindsEveryEdge) {
  const std::vector<Edge> edges{{2, 4}, {0, 4}, {2, 4}, {1, 3}};
  const TangentPattern pattern(5, edges);
  EXPECT_FALSE(pattern.is_path());
  EXPECT_TRUE(pattern.is_forest());
  EXPECT_EQ(pattern.edges().size(), 3u);
  for (const Edge& edge : edges) {
    EXPECT_EQ(pattern.edges()[pattern.edge_of(edge.a, edge.b)], edge);
    EXPECT_EQ(pattern.edge_of(edge.b, edge.a), pattern.edge_of(edge.a, edge.b));
  }
  EXPECT_THROW(pattern.edge_of(0, 1), Bug);
}

TEST(TangentPattern, RowsOwnStretchesOfEdges) {
  for (const TangentPattern& pattern :
       {TangentPattern(6, {{0, 1}, {2, 3}}), TangentPattern(6, {{4, 5}, {0, 3}, {2, 4}, {0, 1}, {2, 3}})})
    for (std::size_t first = 0; first <= pattern.size(); ++first)
      for (std::size_t last = first; last <= pattern.size(); ++last) {
        const Range own = pattern.edges_from({first, last});
        for (std::size_t e = 0; e < pattern.edges().size(); ++e) {
          const auto a = static_cast<std::size_t>(pattern.edges()[e].a);
          EXPECT_EQ(first <= a && a < last, own.first <= e && e < own.last)
              << first << " " << last << " " << e;
        }
      }
}

TEST(TangentPattern, SeesCycles) {
  EXPECT_FALSE(TangentPattern(3, {{0, 1}, {1, 2}, {0, 2}}).is_forest());
  EXPECT_FALSE(TangentPattern(9, {{0, 8}, {2, 8}, {2, 7}, {0, 7}}).is_forest());
  EXPECT_TRUE(TangentPattern(9, {{0, 8}, {2, 8}, {2, 7}, {1, 7}}).is_forest());
}

TEST(TangentPattern, RefusesEdgesOutsideOrBackwards) {
  EXPECT_THROW(TangentPattern(3, {{0, 3}}), Bug);
  EXPECT_THROW(TangentPattern(3, {{-1, 2}}), Bug);
  EXPECT_THROW(TangentPattern(3, {{1, 1}}), Bug);
  EXPECT_THROW(TangentPattern(3, {{2, 1}}), Bug);
}

TEST(Tangent, HasTheSizesOfItsPatternAndStartsAtZero) {
  const Tangent tangent(TangentPattern(5, {{0, 4}, {1, 3}}));
  EXPECT_EQ(tangent.mass.size(), 5u);
  EXPECT_EQ(tangent.k_diag.size(), 5u);
  EXPECT_EQ(tangent.c_edge.size(), 2u);
  EXPECT_EQ(tangent.k_edge.size(), 2u);
  for (const double c : tangent.c_diag) EXPECT_EQ(c, 0.0);
}

/// Against the product row by row.
void expect_product(const TangentPattern& pattern) {
  const std::size_t n = pattern.size(), edges = pattern.edges().size();
  AlignedVector diag(n), edge(edges), x(n), y(n);
  for (std::size_t i = 0; i < n; ++i) diag[i] = std::sin(1.0 + static_cast<double>(i));
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(2.0 + 3 * static_cast<double>(i));
  for (std::size_t e = 0; e < edges; ++e) edge[e] = std::cos(static_cast<double>(e));
  multiply(pattern, diag, edge, x, y);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = diag[i] * x[i];
    for (std::size_t e = 0; e < edges; ++e) {
      const Edge& join = pattern.edges()[e];
      if (static_cast<std::size_t>(join.a) == i) sum += edge[e] * x[static_cast<std::size_t>(join.b)];
      if (static_cast<std::size_t>(join.b) == i) sum += edge[e] * x[static_cast<std::size_t>(join.a)];
    }
    EXPECT_NEAR(y[i], sum, 1e-15);
  }
}

TEST(Multiply, IsTheProduct) {
  for (const std::size_t n : {0u, 1u, 2u, 3u, 4u, 30u}) expect_product(TangentPattern(n, {}));
  expect_product(TangentPattern(5, {{0, 4}, {2, 3}}));
  expect_product(TangentPattern(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}}));
}

TEST(StructuredSolver, FitsTheGraph) {
  EXPECT_EQ(make_structured_solver(TangentPattern(5, {{0, 1}}))->name(), "path");
  EXPECT_EQ(make_structured_solver(TangentPattern(5, {{0, 2}}))->name(), "tree");
  EXPECT_EQ(make_structured_solver(TangentPattern(3, {{0, 1}, {1, 2}, {0, 2}}))->name(), "klu");
  EXPECT_EQ(make_klu_solver(TangentPattern(5, {}))->name(), "klu");
  EXPECT_EQ(make_dense_solver(TangentPattern(5, {}))->name(), "dense");
}

}  // namespace
}  // namespace cosimo
