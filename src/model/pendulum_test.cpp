#include "model/pendulum.hpp"
#include "model/graphs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "mechanics/dynamics.hpp"
#include "mechanics/minimal_pendulum.hpp"

namespace cosimo {
namespace {

Frame frame(const Model& model, std::size_t body) {
  const std::size_t first = model.coordinates(BodyId{body}).first;
  return frame_of(model.mechanism->bodies[body].kind, model.bodies.x.data() + first,
                  model.bodies.v.data() + first);
}

Dynamics whole(const Model& model) {
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < model.bodies.count; ++i) bodies.emplace_back(i);
  std::vector<ElementId> elements;
  for (std::size_t i = 0; i < element_count(model); ++i) elements.emplace_back(i);
  return {*model.mechanism, bodies, elements};
}

struct Kind {
  bool rods, spherical;
  std::size_t dimensions, rows;  ///< of the constraints of one joint
};
class Links : public ::testing::TestWithParam<Kind> {};

TEST_P(Links, HangTogetherAndMoveTogether) {
  const auto& [rods, spherical, dimensions, rows] = GetParam();
  const Model model = make_pendulum({.links = 4,
                                     .length = std::vector<double>{1, 0.5, 0.7, 0.2},
                                     .mass = std::vector<double>{1, 2, 3, 4},
                                     .rods = rods,
                                     .spherical = spherical,
                                     .dimensions = dimensions,
                                     .angle = std::vector<double>{0.3, -0.2, 1.1, 2.5},
                                     .angular_velocity = std::vector<double>{1, -2, 0.5, 3}});
  ASSERT_EQ(model.bodies.count, 4U);
  EXPECT_EQ(model.mechanism->bodies[2].mass, 3);
  EXPECT_EQ(model.mechanism->bodies[0].name, "link1");
  const Dynamics dynamics = whole(model);
  EXPECT_EQ(dynamics.constraints(), 4 * rows);
  const auto residuals = dynamics.residuals(0, model.bodies.x.data(), model.bodies.v.data());
  EXPECT_LT(residuals.position, 1e-14);
  EXPECT_LT(residuals.velocity, 1e-14);
  // The second link's mass: at the end of the first link, and half or all of its own length on.
  const double part = rods ? 0.5 : 1.0;
  const Frame second = frame(model, 1);
  EXPECT_NEAR(second.r[0], std::sin(0.3) + part * 0.5 * std::sin(-0.2), 1e-14);
  EXPECT_NEAR(second.r[dimensions - 1], -std::cos(0.3) - part * 0.5 * std::cos(-0.2), 1e-14);
  EXPECT_NEAR(second.v[0], std::cos(0.3) - 2 * part * 0.5 * std::cos(-0.2), 1e-14);
  EXPECT_NEAR(model.mechanism->gravity[static_cast<Eigen::Index>(dimensions) - 1], -9.81, 1e-14);
}
INSTANTIATE_TEST_SUITE_P(Kinds, Links,
                         ::testing::Values(Kind{false, false, 2, 1}, Kind{false, false, 3, 1},
                                           Kind{true, false, 2, 2}, Kind{true, false, 3, 5},
                                           Kind{true, true, 3, 3}));

TEST(Pendulum, MinimalStartsInTheSamePlace) {
  PendulumSpec spec{.links = 3,
                    .length = 0.5,
                    .mass = 2.0,
                    .angle = std::vector<double>{0.3, -0.2, 1.1},
                    .angular_velocity = std::vector<double>{1, -2, 0.5}};
  const Model absolute = make_pendulum(spec);
  spec.minimal = true;
  const Model minimal = make_pendulum(spec);
  ASSERT_TRUE(minimal.pendulum);
  const Eigen::Map<const Eigen::VectorXd> phi(minimal.bodies.x.data(), 3), psi(minimal.bodies.v.data(), 3);
  for (std::size_t j = 0; j < 3; ++j)
    EXPECT_LT((minimal.pendulum->position(phi, j) - frame(absolute, j).r.head<2>()).norm(), 1e-14);
  EXPECT_NEAR(minimal.pendulum->kinetic_energy(phi, psi),
              whole(absolute).kinetic_energy(absolute.bodies.x.data(), absolute.bodies.v.data()), 1e-13);
}

TEST(Pendulum, CompliantJointsStandInPlaceOfConstraints) {
  const Model model = make_pendulum(
      {.links = 7, .rods = true, .compliant = PendulumSpec::Soft{2, {.stiffness = 1e5, .damping = 10}}});
  ASSERT_EQ(model.mechanism->elements.size(), 3U);
  EXPECT_EQ(model.mechanism->elements[0]->name, "joint3");
  EXPECT_EQ(model.mechanism->elements[1]->name, "joint5");
  EXPECT_EQ(model.mechanism->constraints.size(), 4U);
  const auto groups = make_graph(model)->groups();
  EXPECT_EQ(groups[0], groups[1]);
  EXPECT_NE(groups[1], groups[2]);
}

TEST(Pendulum, MinimalRefusesWhatItCannotDescribe) {
  const auto message = [](PendulumSpec spec) {
    spec.links = 2;
    spec.minimal = true;
    try {
      make_pendulum(spec);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message({.rods = true}), testing::HasSubstr("model.pendulum.formulation"));
  EXPECT_THAT(message({.dimensions = 3}), testing::HasSubstr("model.pendulum.formulation"));
  EXPECT_THAT(message({.mass = std::vector<double>{1, 2}}), testing::HasSubstr("model.pendulum.mass"));
  EXPECT_EQ(message({}), "accepted");
}

}  // namespace
}  // namespace cosimo
