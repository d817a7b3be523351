// The exact tangent against central differences of the acceleration.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "model/equations.hpp"
#include "model/testing.hpp"

namespace cosimo {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix dense(const TangentPattern& pattern, const AlignedVector& diag, const AlignedVector& edge) {
  Matrix full(pattern.size(), std::vector<double>(pattern.size(), 0.0));
  for (std::size_t i = 0; i < pattern.size(); ++i) full[i][i] = diag[i];
  for (std::size_t e = 0; e < pattern.edges().size(); ++e) {
    const auto a = static_cast<std::size_t>(pattern.edges()[e].a);
    const auto b = static_cast<std::size_t>(pattern.edges()[e].b);
    full[a][b] = full[b][a] = edge[e];
  }
  return full;
}

/// -M da/dx_j by central differences, for x = q or x = v.
Matrix differences(const Equations& equations, double t, std::vector<double> q, std::vector<double> v,
                   const AlignedVector& mass, bool position) {
  const std::size_t n = equations.size();
  const double h = 1e-6;
  Matrix result(n, std::vector<double>(n));
  std::vector<double> plus(n), minus(n);
  for (std::size_t j = 0; j < n; ++j) {
    double& x = position ? q[j] : v[j];
    const double kept = x;
    x = kept + h;
    EXPECT_TRUE(equations.acceleration(t, q.data(), v.data(), plus.data(), {0, n}, {}));
    x = kept - h;
    EXPECT_TRUE(equations.acceleration(t, q.data(), v.data(), minus.data(), {0, n}, {}));
    x = kept;
    for (std::size_t i = 0; i < n; ++i) result[i][j] = -mass[i] * (plus[i] - minus[i]) / (2 * h);
  }
  return result;
}

void expect_exact(const Model& model, double t) {
  const Equations equations(model, samples::whole(model));
  const std::vector<double> q(model.bodies.x.begin(), model.bodies.x.end());
  const std::vector<double> v(model.bodies.v.begin(), model.bodies.v.end());
  Tangent tangent(equations.pattern());
  for (AlignedVector* each :
       {&tangent.mass, &tangent.c_diag, &tangent.k_diag, &tangent.c_edge, &tangent.k_edge})
    std::fill(each->begin(), each->end(), 1e99);  // every entry must be written
  equations.tangent(t, q.data(), v.data(), tangent);
  for (std::size_t i = 0; i < equations.size(); ++i) EXPECT_EQ(tangent.mass[i], model.bodies.mass[i]);
  const Matrix k = dense(equations.pattern(), tangent.k_diag, tangent.k_edge);
  const Matrix c = dense(equations.pattern(), tangent.c_diag, tangent.c_edge);
  const Matrix k_fd = differences(equations, t, q, v, tangent.mass, true);
  const Matrix c_fd = differences(equations, t, q, v, tangent.mass, false);
  for (std::size_t i = 0; i < equations.size(); ++i)
    for (std::size_t j = 0; j < equations.size(); ++j) {
      ASSERT_NEAR(k[i][j], k_fd[i][j], 2e-7) << i << ", " << j;
      ASSERT_NEAR(c[i][j], c_fd[i][j], 2e-7) << i << ", " << j;
      // The differences are symmetric by themselves: the stored half speaks for both.
      ASSERT_NEAR(k_fd[i][j], k_fd[j][i], 2e-7);
    }
}

void add_contacts(Model& model) {
  for (std::size_t i = 0; i < model.bodies.count; i += 2)
    model.loads.contact.push_back({BodyId(i), -0.3, 1.5 + 0.1 * static_cast<double>(i)});
  model.loads.harmonic.push_back({BodyId(0), 1, 2, 3});
}

TEST(Tangent, EveryLawOnAChain) {
  for (const auto& [ex, ev] :
       {std::pair{3.0, 3.0}, {6.0, 3.0}, {2.0, 4.0}, {5.0, 7.0}, {8.0, 1.0}, {2.5, 3.7}})
    for (const bool uniform : {true, false}) {
      ChainSpec spec{.masses = 23, .mass = 2.0, .c = 3.0, .d = 0.2, .C = 0.3, .D = 0.1, .ex = ex, .ev = ev};
      spec.x = Uniform{-0.5, 0.5};
      spec.v = Uniform{-0.5, 0.5};
      if (!uniform) {
        spec.mass = Uniform{1, 2};
        for (Sequence* each : {&spec.c, &spec.d, &spec.C, &spec.D}) *each = Uniform{0.1, 0.5};
      }
      Model model = make_chain(spec);
      expect_exact(model, 0);
      add_contacts(model);
      expect_exact(model, 0);
    }
}

TEST(Tangent, LinearChainAndFreeEnds) {
  ChainSpec spec{.masses = 9, .c = 3.0, .d = 0.2, .ends = {End::free, End::free}};
  expect_exact(make_chain(spec), 0);
  spec.masses = 1;
  expect_exact(make_chain(spec), 0);
}

TEST(Tangent, TreesRingsAndShuffledChains) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Model tree = samples::random_tree(25, seed);
    add_contacts(tree);
    expect_exact(tree, 0);
  }
  expect_exact(samples::ring(11, 3), 0);
  expect_exact(samples::shuffled(samples::ring(11, 3), 8), 0);
  ChainSpec spec{
      .masses = 15, .c = 3.0, .d = 0.2, .C = 1.0, .D = 0.5, .x = Uniform{-0.5, 0.5}, .v = Uniform{-0.5, 0.5}};
  expect_exact(samples::shuffled(make_chain(spec), 6), 0);
}

TEST(Tangent, ParallelElementsAndSeparatePieces) {
  samples::Builder builder(7, 9);
  builder.join(BodyId(0), BodyId(1));
  builder.join(BodyId(1), BodyId(0));
  builder.join(BodyId(3), BodyId(4));  // nothing joins 1 to 2, 2 to 3, or 4 to 5
  builder.join(BodyId(5), BodyId(6));
  expect_exact(builder.finish(), 0);
}

TEST(Tangent, BlocksMeetOnLongChains) {
  // More coordinates than a block has: compare with the law, element by element.
  ChainSpec spec = samples::chain_spec(1300);
  const Model model = make_chain(spec);
  const Equations equations(model, samples::whole(model));
  ASSERT_TRUE(equations.pattern().is_path());
  Tangent tangent(equations.pattern());
  equations.tangent(0, model.bodies.x.data(), model.bodies.v.data(), tangent);
  const SpringLaw law = model.elements.law(ElementId(0));
  const auto relative = [](std::span<const double> x, std::size_t e) {
    return (e < x.size() ? x[e] : 0.0) - (e > 0 ? x[e - 1] : 0.0);
  };
  for (std::size_t i = 0; i < 1300; ++i) {
    const double left = law.stiffness(relative(model.bodies.x, i));
    const double right = law.stiffness(relative(model.bodies.x, i + 1));
    EXPECT_DOUBLE_EQ(tangent.k_diag[i], left + right);
    if (i + 1 == 1300) continue;
    EXPECT_EQ(tangent.k_edge[i], -right);
    EXPECT_EQ(tangent.c_edge[i], -law.damping(relative(model.bodies.v, i + 1)));
  }
}

/// Rows of a path alone: the same bits as in the whole tangent, and nothing else is written.
TEST(Tangent, RowsOfAPath) {
  Model model = samples::chain(1300);
  for (std::size_t i = 0; i < 1300; i += 3) model.loads.contact.push_back({BodyId(i), -0.3, 1.5});
  const Equations equations(model, samples::whole(model));
  const double *q = model.bodies.x.data(), *v = model.bodies.v.data();
  Tangent whole(equations.pattern());
  equations.tangent(0, q, v, whole);
  for (const Range rows : {Range{0, 1}, {0, 5}, {500, 520}, {100, 1200}, {1296, 1300}, {7, 7}}) {
    Tangent part(equations.pattern());
    for (AlignedVector* each : {&part.mass, &part.c_diag, &part.k_diag, &part.c_edge, &part.k_edge})
      std::fill(each->begin(), each->end(), 1e99);
    equations.tangent(0, q, v, part, rows);
    for (std::size_t i = 0; i < 1300; ++i) {
      const bool inside = rows.first <= i && i < rows.last;
      ASSERT_EQ(part.mass[i], inside ? whole.mass[i] : 1e99) << i;
      ASSERT_EQ(part.k_diag[i], inside ? whole.k_diag[i] : 1e99) << i;
      ASSERT_EQ(part.c_diag[i], inside ? whole.c_diag[i] : 1e99) << i;
      if (i + 1 == 1300) continue;
      ASSERT_EQ(part.k_edge[i], inside ? whole.k_edge[i] : 1e99) << i;
      ASSERT_EQ(part.c_edge[i], inside ? whole.c_edge[i] : 1e99) << i;
    }
  }
}

TEST(TimeDerivative, OfLoadsAndInputs) {
  Model model = samples::random_tree(12, 4);
  for (std::size_t i = 0; i < 12; ++i) {
    const double x = static_cast<double>(i);
    model.loads.harmonic.push_back({BodyId(i), 1 + x, 2, 0.1 * x});
    model.loads.impulse.push_back({BodyId(i), 2, 0.4 + 0.05 * x, 0.3, 0.1});
    model.loads.powersine.push_back({BodyId(i), 1, 3, 0.2, i % 2 == 0 ? 3.0 : 2.5});
  }
  model.loads.contact.push_back({BodyId(0), -1, 1});
  const Equations equations(model, samples::whole(model));
  const double* q = model.bodies.x.data();
  const double* v = model.bodies.v.data();
  const double h = 1e-6;
  for (const double t : {0.1, 0.4, 0.72, 1.4, 30.0}) {
    const auto inputs_at = [&](double time) {
      return std::vector<InputForce>{{3, 2 * (time - t), 2}, {7, -5 * (time - t), -5}};
    };
    std::vector<double> plus(12), minus(12), a_t(12, 1e99);
    ASSERT_TRUE(equations.acceleration(t + h, q, v, plus.data(), {0, 12}, inputs_at(t + h)));
    ASSERT_TRUE(equations.acceleration(t - h, q, v, minus.data(), {0, 12}, inputs_at(t - h)));
    equations.time_derivative(t, q, v, a_t.data(), inputs_at(t));
    for (std::size_t i = 0; i < 12; ++i)
      EXPECT_NEAR(a_t[i], (plus[i] - minus[i]) / (2 * h), 1e-6) << i << " " << t;
  }
}

}  // namespace
}  // namespace cosimo
