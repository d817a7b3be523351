// A hydraulic cylinder: derivatives, balances of volume and energy.
#include "mechanics/cylinder_element.hpp"

#include <gtest/gtest.h>

#include "mechanics/element_memory.hpp"
#include "mechanics/element_testing.hpp"

namespace cosimo {
namespace {

using testing::Rng;

CylinderSpec machine() {
  CylinderSpec spec;
  spec.retracted = 0.2;
  spec.stroke = 4;
  spec.area = {2, 1.2};
  spec.dead = {0.3, 0.4};
  spec.bulk = 900;
  spec.leakage = 0.02;
  spec.damping = 3;
  spec.supply = 20;
  spec.tank = 1;
  spec.flow = 0.7;
  spec.drop = 5;
  spec.command = "0.8*sin(3*t)";
  spec.pressures = {6, 9};
  spec.stop_stiffness = 700;
  spec.stop_damping = 8;
  return spec;
}

struct Random {
  std::unique_ptr<ForceElement> element;
  Frame from, to;
  std::array<double, 2> z{};
  double t = 0;

  explicit Random(std::uint64_t seed) {
    Rng rng(seed);
    element = make_cylinder("c", testing::random_marker(rng, BodyId(0)),
                            testing::random_marker(rng, BodyId(1)), machine());
    from = testing::random_frame(rng);
    to = testing::random_frame(rng);
    z = {11 + 9 * testing::random_number(rng), 11 + 9 * testing::random_number(rng)};
    t = testing::random_number(rng);
  }
  const ElementMemory& memory() const { return *element->memory(); }
  /// Effort and rates.
  Eigen::VectorXd all(const Frame& a, const Frame& b, const double* pressures) const {
    Effort effort;
    Eigen::VectorXd out(11);
    EXPECT_TRUE(memory().effort(t, a, b, {pressures, nullptr}, effort, out.data() + 9));
    out.head(9) = testing::stacked(effort);
    return out;
  }
};

TEST(Cylinder, GradientsEqualDifferences) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const Random at(seed);
    EffortGradient gradient;
    StateGradient states;
    states.reset(2);
    at.memory().gradient(at.t, at.from, at.to, {at.z.data(), nullptr}, gradient, states);
    Eigen::MatrixXd exact(11, 26), found(11, 26);
    exact << gradient.from, gradient.to, states.effort, states.from, states.to, states.own;
    found.leftCols(12) = testing::frame_derivative(
        at.from, 12, 11, [&](const Frame& f) { return at.all(f, at.to, at.z.data()); });
    found.middleCols(12, 12) = testing::frame_derivative(
        at.to, 12, 11, [&](const Frame& f) { return at.all(at.from, f, at.z.data()); });
    for (std::size_t k = 0; k < 2; ++k) {
      std::array<double, 2> up = at.z, down = at.z;
      up[k] += 1e-5;
      down[k] -= 1e-5;
      found.col(static_cast<Eigen::Index>(24 + k)) =
          (at.all(at.from, at.to, up.data()) - at.all(at.from, at.to, down.data())) / 2e-5;
    }
    EXPECT_LT(testing::relative_difference(exact, found), 1e-6) << seed;
  }
}

/// stored' + mechanical power = what the valve brings - what leaks, exactly.
TEST(Cylinder, KeepsTheBalanceOfEnergy) {
  CylinderSpec spec = machine();
  spec.damping = spec.stop_damping = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Random at(seed);
    at.element = make_cylinder("c", {}, {}, spec);
    const Eigen::VectorXd now = at.all(at.from, at.to, at.z.data());
    const double h = 1e-6;
    const auto stored = [&](double dt) {
      const std::array<double, 2> z{at.z[0] + dt * now[9], at.z[1] + dt * now[10]};
      return at.memory().potential(at.t, testing::after(at.from, Vec6::Zero(), dt),
                                   testing::after(at.to, Vec6::Zero(), dt), {z.data(), nullptr});
    };
    const double x = (at.to.r - at.from.r).norm() - spec.retracted,
                 rate = (at.to.r - at.from.r).normalized().dot(at.to.v - at.from.v);
    // What comes into a chamber, by its equation.
    const double in_bore = (spec.dead[0] + spec.area[0] * x) * now[9] / spec.bulk + spec.area[0] * rate,
                 in_rod = (spec.dead[1] + spec.area[1] * (spec.stroke - x)) * now[10] / spec.bulk -
                          spec.area[1] * rate;
    const auto brings = [&](double p) { return spec.bulk * std::expm1(p / spec.bulk); };
    const double power = now.head<3>().dot(at.from.v - at.to.v);
    const double expected = in_bore * brings(at.z[0]) + in_rod * brings(at.z[1]) - power;
    EXPECT_NEAR((stored(h) - stored(-h)) / (2 * h), expected, 1e-5 * (1 + std::fabs(expected))) << seed;
  }
}

TEST(Cylinder, ValveIsAnOrificeAndLinearNearZero) {
  CylinderSpec spec = machine();
  spec.leakage = 0;
  spec.command = "1";
  const auto cylinder = make_cylinder("c", {}, {}, spec);
  Frame to;
  to.r.x() = 1.2;  // x = 1
  for (const double below : {5.0, 0.05, 1e-6}) {
    const std::array<double, 2> z{spec.supply - below, spec.tank};
    std::array<double, 2> rate{};
    Effort effort;
    ASSERT_TRUE(cylinder->memory()->effort(0, {}, to, {z.data(), nullptr}, effort, rate.data()));
    const double flow = rate[0] * (spec.dead[0] + spec.area[0]) / spec.bulk;
    const double expected = below < 1e-3 ? spec.flow * below / (spec.drop * std::sqrt(1e-3))
                                         : spec.flow * std::sqrt(below / spec.drop);
    EXPECT_NEAR(flow, expected, 5e-3 * expected) << below;
    EXPECT_EQ(rate[1], 0);
    EXPECT_NEAR(effort.force.x(), spec.area[1] * z[1] - spec.area[0] * z[0], 1e-12);
  }
}

TEST(Cylinder, ACommandThatIsNoFormulaIsRefused) {
  CylinderSpec spec = machine();
  spec.command = "sin(x)";
  EXPECT_THROW(make_cylinder("c", {}, {}, spec), std::exception);
}

}  // namespace
}  // namespace cosimo
