#include "coupling/newton_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>

#include "coupling/testing.hpp"

namespace cosimo {
namespace {

using samples::Cut;
using samples::Cuts;

struct Graph {
  std::string name;
  std::vector<Cut> cuts;
};

std::ostream& operator<<(std::ostream& out, const Graph& graph) {
  return out << graph.name;
}

/// Drives that change from cut to cut, so that all decompositions meet.
std::vector<Cut> with_drives(std::vector<Cut> cuts) {
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    cuts[i].from_drive = i % 2 == 0 ? Drive::force : Drive::motion;
    cuts[i].to_drive = i / 2 % 2 == 0 ? Drive::motion : Drive::force;
  }
  return cuts;
}

std::vector<Graph> graphs() {
  const std::vector<Graph> shapes{
      {"two", {{0, 1}}},
      {"chain", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
      {"star", {{0, 1}, {0, 2}, {3, 0}, {0, 4}, {5, 0}}},  // part 0 has five ports
      {"ring", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
      {"double", {{0, 1}, {0, 1}, {1, 2}, {2, 1}}},
  };
  std::vector<Graph> all;
  for (const Graph& shape : shapes) {
    all.push_back(shape);
    all.push_back({shape.name + "_mixed", with_drives(shape.cuts)});
  }
  return all;
}

/// Subsystems that answer y = y0 + R u.
struct LinearResponses {
  const Cuts& cuts;
  CutStates start;
  std::vector<std::vector<OutputDerivative>> R;

  LinearResponses(const Cuts& c, std::uint64_t seed) : cuts(c), start(c.random_states(seed)) {
    const RandomStream random(seed, 8);
    std::uint64_t count = 0;
    for (const InterfaceBlock& block : cuts.blocks) {
      auto& r = R.emplace_back(block.inputs.size() * block.ports.size());
      for (OutputDerivative& d : r) {
        d.x = random.uniform(count++, -0.1, 0.1);
        d.v = random.uniform(count++, -0.1, 0.1);
      }
    }
  }
  std::vector<std::span<const OutputDerivative>> spans() const { return {R.begin(), R.end()}; }

  CutStates states(std::span<const double> u) const {
    CutStates y = start;
    for (std::size_t b = 0; b < cuts.blocks.size(); ++b) {
      const InterfaceBlock& block = cuts.blocks[b];
      for (std::size_t p = 0; p < block.ports.size(); ++p)
        for (std::size_t i = 0; i < block.inputs.size(); ++i) {
          const OutputDerivative& d = R[b][i * block.ports.size() + p];
          const std::size_t c = block.ports[p].coupling.index();
          const bool from = block.ports[p].side == CutSide::from;
          (from ? y.from_x : y.to_x)[c] += d.x * u[block.inputs[i]];
          (from ? y.from_v : y.to_v)[c] += d.v * u[block.inputs[i]];
        }
    }
    return y;
  }
  /// g = u - phi(y(u), u).
  std::vector<double> residual(std::span<const double> u, bool reported) const {
    std::vector<double> g(u.size());
    if (reported)
      cuts.conditions.evaluate_reported(0, states(u), u, g);
    else
      cuts.conditions.evaluate(0, states(u), g);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = u[i] - g[i];
    return g;
  }
  ConditionGradients gradients(std::span<const double> u, bool reported) const {
    ConditionGradients out(cuts.conditions.variables());
    cuts.conditions.gradients(0, states(u), reported ? u : std::span<const double>{}, out);
    return out;
  }
};

/// I - dphi/du - dphi/dy dy/du as a product of full matrices; y = (from_x, from_v, to_x, to_v) per coupling.
std::vector<std::vector<double>> dense_matrix(const LinearResponses& toy,
                                              const ConditionGradients& gradients) {
  const std::size_t n = gradients.size(), m = 4 * toy.cuts.couplings();
  std::vector<std::vector<double>> phi_y(n, std::vector<double>(m)), y_u(m, std::vector<double>(n)),
      a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = 4 * toy.cuts.conditions.variables()[i].coupling.index();
    const Slope from = samples::slope_at(gradients, i, CutSide::from);
    const Slope to = samples::slope_at(gradients, i, CutSide::to);
    phi_y[i][at] = from.x;
    phi_y[i][at + 1] = from.v;
    phi_y[i][at + 2] = to.x;
    phi_y[i][at + 3] = to.v;
    a[i][i] += 1;
    const auto motion = gradients.motion(i);
    if (motion.empty()) continue;
    a[i][gradients.motion_variable(i)] -= motion[0].x;
    a[i][gradients.motion_variable(i) + 1] -= motion[0].v;
  }
  for (std::size_t b = 0; b < toy.R.size(); ++b) {
    const InterfaceBlock& block = toy.cuts.blocks[b];
    for (std::size_t p = 0; p < block.ports.size(); ++p) {
      const InterfaceBlock::End& end = block.ports[p];
      const std::size_t at = 4 * end.coupling.index() + (end.side == CutSide::to ? 2 : 0);
      for (std::size_t i = 0; i < block.inputs.size(); ++i) {
        y_u[at][block.inputs[i]] = toy.R[b][i * block.ports.size() + p].x;
        y_u[at + 1][block.inputs[i]] = toy.R[b][i * block.ports.size() + p].v;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < m; ++k) a[i][j] -= phi_y[i][k] * y_u[k][j];
  return a;
}

class NewtonSystemTest : public testing::TestWithParam<Graph> {};
INSTANTIATE_TEST_SUITE_P(Graphs, NewtonSystemTest, testing::ValuesIn(graphs()),
                         [](const auto& graph) { return graph.param.name; });

// A solution for every unit residual determines the whole matrix.
TEST_P(NewtonSystemTest, MatrixIsTheDenseProduct) {
  const Cuts cuts(GetParam().cuts, true);
  const LinearResponses toy(cuts, 1);
  const std::vector<double> u = cuts.random_variables(2);
  for (const bool reported : {false, true}) {
    const ConditionGradients gradients = toy.gradients(u, reported);
    const auto a = dense_matrix(toy, gradients);
    NewtonSystem newton(cuts.conditions, cuts.blocks);
    EXPECT_FALSE(newton.factored());
    ASSERT_TRUE(newton.factor(gradients, toy.spans()));
    EXPECT_TRUE(newton.factored());
    for (std::size_t k = 0; k < u.size(); ++k) {
      std::vector<double> delta(u.size(), 0.0);
      delta[k] = 1;
      newton.solve(delta);
      for (std::size_t i = 0; i < u.size(); ++i) {
        double product = 0;
        for (std::size_t j = 0; j < u.size(); ++j) product += a[i][j] * delta[j];
        EXPECT_NEAR(product, i == k ? -1.0 : 0.0, 1e-12) << reported << " " << k << " " << i;
      }
    }
  }
}

// The correction must be the one that differences of g ask for.
TEST_P(NewtonSystemTest, MatrixIsTheDerivativeOfTheResidual) {
  const Cuts cuts(GetParam().cuts, true);
  const LinearResponses toy(cuts, 3);
  const std::vector<double> u = cuts.random_variables(4);
  for (const bool reported : {false, true}) {
    NewtonSystem newton(cuts.conditions, cuts.blocks);
    ASSERT_TRUE(newton.factor(toy.gradients(u, reported), toy.spans()));
    std::vector<double> delta = toy.residual(u, reported);
    const std::vector<double> g = delta;
    newton.solve(delta);
    double size = 1;
    for (const double d : delta) size = std::max(size, std::abs(d));
    const double h = 1e-5 / size;
    std::vector<double> above = u, below = u;
    for (std::size_t i = 0; i < u.size(); ++i) {
      above[i] += h * delta[i];
      below[i] -= h * delta[i];
    }
    above = toy.residual(above, reported);
    below = toy.residual(below, reported);
    for (std::size_t i = 0; i < u.size(); ++i)
      EXPECT_NEAR((above[i] - below[i]) / (2 * h), -g[i], 1e-8 * size) << reported << " " << i;
  }
}

TEST_P(NewtonSystemTest, OneStepSolvesLinearConditions) {
  const Cuts cuts(GetParam().cuts, false);
  const LinearResponses toy(cuts, 5);
  for (const bool reported : {false, true}) {
    std::vector<double> u = cuts.random_variables(6);
    NewtonSystem newton(cuts.conditions, cuts.blocks);
    ASSERT_TRUE(newton.factor(toy.gradients(u, reported), toy.spans()));
    std::vector<double> delta = toy.residual(u, reported);
    newton.solve(delta);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += delta[i];
    for (const double rest : toy.residual(u, reported)) EXPECT_NEAR(rest, 0, 1e-12);
  }
}

TEST(NewtonSystem, ConvergesOnNonlinearConditions) {
  const Cuts cuts(samples::mixed_cuts(), true);
  const LinearResponses toy(cuts, 7);
  std::vector<double> u = cuts.random_variables(8);
  NewtonSystem newton(cuts.conditions, cuts.blocks);
  for (int iteration = 0; iteration < 6; ++iteration) {
    ASSERT_TRUE(newton.factor(toy.gradients(u, false), toy.spans()));
    std::vector<double> delta = toy.residual(u, false);
    newton.solve(delta);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += delta[i];
  }
  for (const double rest : toy.residual(u, false)) EXPECT_NEAR(rest, 0, 1e-13);
}

TEST(NewtonSystem, RefusesSingularAndNonFiniteMatrices) {
  const Cuts cuts({{0, 1}}, false);
  ConditionGradients gradients(cuts.conditions.variables());
  gradients.at(0, CutSide::from)[0] = {-2, 0};
  gradients.at(0, CutSide::to)[0] = {2, 0};
  std::vector<OutputDerivative> first{{-0.1, 0}}, second{{0.1, 0}};
  const std::vector<std::span<const OutputDerivative>> responses{first, second};
  NewtonSystem newton(cuts.conditions, cuts.blocks);
  ASSERT_TRUE(newton.factor(gradients, responses));  // 1 - 0.4
  const auto expect_old_factors = [&] {
    double g = 3;
    newton.solve({&g, 1});
    EXPECT_NEAR(g, -5, 1e-14);
  };
  expect_old_factors();
  first[0].x = -0.25;
  second[0].x = 0.25;
  EXPECT_FALSE(newton.factor(gradients, responses));
  expect_old_factors();
  first[0].v = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(newton.factor(gradients, responses));
  expect_old_factors();
}

TEST(NewtonSystem, EveryEndNeedsExactlyOnePort) {
  Cuts cuts({{0, 1}}, false);
  std::vector<InterfaceBlock> blocks = cuts.blocks;
  blocks[1].ports.clear();
  EXPECT_ANY_THROW(NewtonSystem(cuts.conditions, blocks));
  blocks = cuts.blocks;
  blocks[1].ports.push_back(blocks[0].ports[0]);
  EXPECT_ANY_THROW(NewtonSystem(cuts.conditions, blocks));
}

}  // namespace
}  // namespace cosimo
