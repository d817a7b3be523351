#include "multibody/mechanism_translate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "mechanics/element_memory.hpp"

namespace cosimo {
namespace {

PlacedMechanism place(const std::string& model) {
  return place_mechanism(
      config::parse_scenario("cosimo: 1\nmodel:\n" + model + "simulate: {end: 1}\n", "model.yaml", {}));
}

Frame frame(const PlacedMechanism& placed, std::size_t body) {
  const std::size_t first = placed.mechanism->coordinate_offsets()[body];
  return frame_of(placed.mechanism->bodies[body].kind, placed.q.data() + first, placed.v.data() + first);
}

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_LT((a - b).norm(), 1e-14) << a.transpose() << " against " << b.transpose();
}

/// Where the marker is, in space as placed.
Vec3 marker_place(const PlacedMechanism& placed, const Marker& marker) {
  const Frame body = marker.body == ground ? Frame{} : frame(placed, marker.body.index());
  return marker_frame(body, marker).r;
}

const std::string two_bodies = R"(  gravity: [0, 0, -9.81]
  bodies:
    - {name: a, kind: rigid, mass: 2, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], center: [0.5, 0, 0], position: [1, 2, 3],
       orientation: {axis: [0, 0, 1], angle: pi/2}, velocity: [1, 0, 0], angular_velocity: [0, 0, 2]}
    - {name: b, kind: point, mass: 1, position: [1, 4, 3]}
)";

TEST(MechanismTranslate, StatesAreThoseOfTheCentreOfMass) {
  const PlacedMechanism placed = place(two_bodies);
  const Body& a = placed.mechanism->bodies[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.mass, 2);
  EXPECT_EQ(a.inertia(0, 1), 0.1);
  EXPECT_EQ(a.inertia(2, 0), 0.2);
  EXPECT_EQ(a.inertia(1, 2), 0.3);
  expect_near(a.reference, {-0.5, 0, 0});
  const Frame f = frame(placed, 0);
  expect_near(f.r, {1, 2.5, 3});
  expect_near(f.R.col(0), {0, 1, 0});
  // The reference point has the velocity given, the centre of mass turns about it: w x (0, 0.5, 0) = (-1, 0,
  // 0).
  expect_near(f.v, {0, 0, 0});
  expect_near(f.w, {0, 0, 2});
  expect_near(frame(placed, 1).r, {1, 4, 3});
  expect_near(placed.mechanism->gravity, {0, 0, -9.81});
}

TEST(MechanismTranslate, PointsAreInSpaceOrInReferenceAxes) {
  const PlacedMechanism placed = place(two_bodies + R"(  elements:
    - {name: own, kind: spring, from: a, to: b, at_from: [1, 0, 0], c: 1}
    - {name: space, kind: bushing, from: a, at: [5, 6, 7], stiffness: 1}
    - {name: reference, kind: spring, from: ground, to: a, c: 1, length: 3}
)");
  const auto& elements = placed.mechanism->elements;
  ASSERT_EQ(elements.size(), 3U);
  expect_near(elements[0]->at_from.point, {0.5, 0, 0});
  expect_near(marker_place(placed, elements[0]->at_from), {1, 3, 3});
  expect_near(marker_place(placed, elements[0]->at_to), {1, 4, 3});
  expect_near(marker_place(placed, elements[1]->at_from), {5, 6, 7});
  expect_near(marker_place(placed, elements[1]->at_to), {5, 6, 7});
  EXPECT_EQ(elements[1]->at_to.body, ground);
  expect_near(marker_place(placed, elements[2]->at_from), {0, 0, 0});
  expect_near(marker_place(placed, elements[2]->at_to), {1, 2, 3});
}

TEST(MechanismTranslate, SpringsAreUnstretchedAsPlaced) {
  const PlacedMechanism placed = place(two_bodies + R"(  elements:
    - {name: s, kind: spring, from: a, to: b, c: 100}
    - {name: short, kind: spring, from: a, to: b, c: 100, length: 1.5}
)");
  Effort effort;
  const auto& elements = placed.mechanism->elements;
  const auto at = [&](const Marker& m) { return marker_frame(frame(placed, m.body.index()), m); };
  ASSERT_TRUE(elements[0]->effort(0, at(elements[0]->at_from), at(elements[0]->at_to), effort));
  expect_near(effort.force, {0, 0, 0});
  ASSERT_TRUE(elements[1]->effort(0, at(elements[1]->at_from), at(elements[1]->at_to), effort));
  expect_near(effort.force, {0, 50, 0});
}

TEST(MechanismTranslate, JointsHoldAsPlacedAndCompliantOnesAreElements) {
  const PlacedMechanism placed =
      place(two_bodies +
            R"(    - {name: b2, kind: rigid, mass: 1, inertia: [1, 1, 1], orientation: {euler: [1, 2, 3]}}
  joints:
    - {name: soft, kind: revolute, to: a, at: [0, 0, 1], axis: [1, 1, 0], compliant: {stiffness: 1, rotational_stiffness: 1}}
    - {name: pin, kind: revolute, to: a, at_to: [0, 1, 0], axis: [0, 1, 0]}
    - {name: rod, kind: distance, from: a, to: b}
    - {name: drive, kind: motor, joint: pin, angle: 0.5*t}
    - {name: shaft, kind: revolute, from: b2, to: a, at: [0, 1, 0], axis: [0, 1, 0]}
    - {name: gear, kind: gear, joints: [pin, shaft], teeth: [20, -41]}
    - {name: soft rod, kind: distance, from: a, to: b, compliant: {stiffness: 5}}
  elements:
    - {name: s, kind: spring, from: a, to: b, c: 100}
)");
  const Mechanism& m = *placed.mechanism;
  ASSERT_EQ(m.elements.size(), 3U);
  EXPECT_EQ(m.elements[0]->name, "s");
  EXPECT_EQ(m.elements[1]->name, "soft");
  EXPECT_EQ(m.elements[2]->name, "soft rod");
  ASSERT_EQ(m.constraints.size(), 5U);
  EXPECT_EQ(m.constraints[0]->kind(), "revolute");
  EXPECT_EQ(m.constraints[2]->kind(), "motor");
  for (const auto& constraint : m.constraints) {
    std::vector<Frame> frames;
    for (const BodyId body : constraint->bodies()) frames.push_back(frame(placed, body.index()));
    RowVector g(static_cast<Eigen::Index>(constraint->rows()));
    constraint->residual(0, frames, g);
    EXPECT_LT(g.norm(), 1e-14) << constraint->name;
  }
}

TEST(MechanismTranslate, BodiesOfThePlane) {
  const PlacedMechanism placed = place(R"(  bodies:
    - {name: p, kind: planar, mass: 1, inertia: 0.5, center: [1, 0], position: [2, 0], angle: pi/2, angular_velocity: 3}
    - {name: d, kind: point, dimensions: 2, mass: 1, position: [1, 1]}
    - {name: x, kind: point, dimensions: 1, mass: 1, position: 4, velocity: 5}
  joints:
    - {name: pin, kind: revolute, to: p, at: [2, 0]}
  elements:
    - {name: c, kind: contact, body: p, stiffness: 1}
)");
  const Mechanism& m = *placed.mechanism;
  EXPECT_EQ(m.bodies[0].kind, BodyKind::planar);
  EXPECT_EQ(m.bodies[0].inertia(2, 2), 0.5);
  EXPECT_EQ(m.bodies[1].kind, BodyKind::point2);
  EXPECT_EQ(m.bodies[2].kind, BodyKind::point1);
  expect_near(frame(placed, 0).r, {2, 1, 0});
  expect_near(frame(placed, 0).v, {-3, 0, 0});
  EXPECT_EQ(placed.q.back(), 4);
  EXPECT_EQ(placed.v.back(), 5);
  EXPECT_EQ(m.constraints[0]->rows(), 2U);
}

TEST(MechanismTranslate, TablesActAlongTheirAxis) {
  const PlacedMechanism placed = place(R"(  bodies:
    - {name: x, kind: point, dimensions: 1, mass: 1, position: 4}
    - {name: p, kind: planar, mass: 1, inertia: 0.5}
  elements:
    - {name: t, kind: table, to: x, measure: displacement, axis: [1], points: [[0, 0], [2, 6], [4, 10], [6, 12]], d: 3}
    - {name: r, kind: table, to: p, measure: angle, points: [[-1, 8], [1, 4]]}
)");
  const Mechanism& m = *placed.mechanism;
  Effort effort;
  Frame at;
  at.r.x() = 4;
  at.v.x() = 0.5;
  ASSERT_TRUE(m.elements[0]->effort(0, marker_frame({}, m.elements[0]->at_from),
                                    marker_frame(at, m.elements[0]->at_to), effort));
  EXPECT_NEAR(effort.force.x(), 11.5, 1e-12) << "pulls `from` towards `to`";
  ASSERT_TRUE(m.elements[1]->effort(0, {}, {}, effort));
  EXPECT_NEAR(effort.torque_from.z(), 6, 1e-12);
  EXPECT_NEAR(effort.torque_to.z(), -6, 1e-12);
  EXPECT_NEAR(m.elements[0]->potential(0, marker_frame({}, m.elements[0]->at_from),
                                       marker_frame({}, m.elements[0]->at_to)),
              0, 1e-12)
      << "without force";
}

TEST(MechanismTranslate, FrictionIsDampedAndGapsCountFromThePlacement) {
  const PlacedMechanism placed = place(R"(  bodies:
    - {name: x, kind: point, dimensions: 1, mass: 4, position: 2, velocity: 0.5}
    - {name: r, kind: rigid, mass: 1, inertia: [2, 3, 4]}
  elements:
    - {name: f, kind: friction, to: x, measure: displacement, axis: [1], limit: 50, stiffness: 100}
    - {name: g, kind: friction, to: r, measure: angle, limit: 50, stiffness: 300}
    - {name: s, kind: stop, to: x, measure: displacement, axis: [1], gap: 0.3, stiffness: 10}
    - {name: t, kind: torsion, to: r, c: 1}
)");
  const Mechanism& m = *placed.mechanism;
  const auto effort = [&](std::size_t e, const Frame& body, std::vector<double> s) {
    Effort out;
    const ForceElement& element = *m.elements[e];
    EXPECT_TRUE(element.memory()->effort(0, marker_frame({}, element.at_from),
                                         marker_frame(body, element.at_to), {nullptr, s.data()}, out,
                                         nullptr));
    return out;
  };
  // Sticks, unstrained: the damper alone, sqrt(stiffness m) times the rate.
  Frame x = frame(placed, 0);
  EXPECT_NEAR(effort(0, x, {2, 0}).force.x(), 20 * 0.5, 1e-12);
  Frame r;
  r.w.z() = 0.1;
  EXPECT_NEAR(effort(1, r, {0, 0}).torque_from.z(), 30 * 0.1, 1e-12) << "mean inertia 3";
  x.r.x() = 1.6;
  x.v.setZero();
  EXPECT_NEAR(effort(2, x, {-1, 0}).force.x(), -10 * 0.1, 1e-12) << "0.4 below the placement";
  ASSERT_NE(m.elements[3]->memory(), nullptr) << "turns of a rigid body";
  EXPECT_FALSE(m.elements[3]->memory()->essential());
}

TEST(MechanismTranslate, MissingLibraryIsReportedWhereItIsNamed) {
  try {
    place(two_bodies + "  elements:\n    - {name: u, kind: user, library: ./no.so, function: f, to: b}\n");
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.faults()[0].file, "model.yaml");
    EXPECT_EQ(error.faults()[0].line, 9);
  }
}

}  // namespace
}  // namespace cosimo
