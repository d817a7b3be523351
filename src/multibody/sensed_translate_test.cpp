// Forces whose formulas name sensors: from scenarios to laws over all bodies that they look at, with exact
// derivatives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>

#include "core/error.hpp"
#include "mechanics/testing.hpp"
#include "multibody/mechanism_translate.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;
using testing::Rng;

std::string model(const std::string& elements) {
  return R"(cosimo: 1
model:
  bodies:
    - {name: arm, kind: rigid, mass: 1, inertia: [1, 1, 1], center: [0.5, 0.1, 0], markers: {tip: [1, 0, 0.2]}}
    - {name: hand, kind: rigid, mass: 1, inertia: [1, 2, 1], position: [1, 0, 0.2], center: [0, 0.3, 0]}
    - {name: bob, kind: point, mass: 1, position: [0, 2, 1]}
    - {name: disc, kind: planar, mass: 1, inertia: 1, position: [3, 1], angle: 0.4}
  joints:
    - {name: pivot, kind: cylindrical, to: arm, at: [0, 0, 0], axis: [0, 1, 0]}
    - {name: wrist, kind: revolute, from: arm, to: hand, at: [1, 0, 0.2], axis: [1, 0, 1]}
)" + elements +
         R"(  sensors:
    - {name: gap, kind: distance, from: arm.tip, to: bob}
    - {name: side, kind: position, body: hand, at_body: [0.1, 0.2, 0.3], direction: [1, 2, 0]}
    - {name: far, kind: position, body: bob}
    - {name: bent, kind: angle, joint: wrist}
    - {name: slid, kind: displacement, joint: pivot}
    - {name: bending, kind: speed, joint: wrist}
    - {name: swift, kind: speed, body: hand, at_body: [0.1, 0, 0.3]}
    - {name: upwards, kind: speed, body: arm.tip, direction: [0, 0, 1]}
    - {name: mix, kind: formula, formula: "gap*side + max(bent, -2)*t + der(arm.y)*disc.phi"}
    - {name: load, kind: force, of: wrist}
    - {name: pulled, kind: force, of: pull}
    - {name: twisted, kind: torque, of: pull}
simulate: {end: 1}
)";
}

PlacedMechanism place(const std::string& elements) {
  return place_mechanism(config::parse_scenario(model(elements), "model.yaml", {}));
}

std::string refusal(const std::string& elements) {
  try {
    place(elements);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// The law at a random state near the placement.
struct State {
  explicit State(const std::string& elements, std::uint64_t seed) : placed(place(elements)) {
    Rng rng(seed);
    const Mechanism& made = *placed.mechanism;
    law = made.groups.at(0).get();
    const auto first = made.coordinate_offsets();
    for (const BodyId body : law->bodies()) {
      Frame frame = frame_of(made.bodies[body.index()].kind, placed.q.data() + first[body.index()],
                             placed.v.data() + first[body.index()]);
      frame.v = testing::random_vector(rng);
      frame.w = testing::random_vector(rng);
      frames.push_back(frame);
    }
    s.resize(law->remembers());
    law->begin({0, frames}, s.data());
    for (Frame& frame : frames) {
      Vec6 shift;
      shift << 0.3 * testing::random_vector(rng), 0.3 * testing::random_vector(rng);
      if (std::isnan(frame.turned)) {
        frame = testing::displaced(frame, shift);
      } else {  // a body of the plane turns about z, and a point mass not at all
        frame.r += shift.head<3>();
        frame.w = {0, 0, frame.w.z()};
      }
    }
  }
  Eigen::VectorXd wrenches(const std::vector<Frame>& where) const {
    std::vector<Wrench> out(where.size());
    EXPECT_TRUE(law->wrenches({t, where, s.data()}, out));
    Eigen::VectorXd all(static_cast<Eigen::Index>(6 * where.size()));
    for (std::size_t b = 0; b < out.size(); ++b)
      all.segment<6>(static_cast<Eigen::Index>(6 * b)) << out[b].force, out[b].torque;
    return all;
  }

  PlacedMechanism placed;
  const ForceGroup* law = nullptr;
  std::vector<Frame> frames;
  std::vector<double> s;
  double t = 0.4;
};

const std::string head = "  elements:\n    - {name: pull, ";
const std::vector<std::string> laws{
    "kind: applied, from: arm, to: hand, at_to: [0.2, 0, 0], force: [gap*x, \"far*swift + t^2\", \"slid - "
    "bent\"], "
    "torque: [\"mix*bending\", upwards, \"angle*side + length\"]}\n",
    "kind: applied, to: bob, force: [gap, 2*rate, \"pivot.angle*pivot.speed + wrist.angle\"]}\n",
    "kind: law, joint: wrist, force: \"side*s + gap*rate + mix\"}\n",
    "kind: law, from: arm, to: bob, at_from: [0, 1, 0], force: \"s*bent^2 + rate*far + der(disc.phi)\"}\n"};

TEST(SensedForce, GradientsEqualDifferences) {
  for (const std::string& law : laws)
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(law);
      const State state(head + law, seed);
      const std::size_t bodies = state.frames.size();
      const auto n = static_cast<Eigen::Index>(6 * bodies);
      GroupGradient exact(bodies);
      state.law->gradient({state.t, state.frames, state.s.data()}, exact);
      for (std::size_t b = 0; b < bodies; ++b) {
        const Eigen::MatrixXd both =
            testing::frame_derivative(state.frames[b], 12, n, [&](const Frame& moved) {
              std::vector<Frame> where = state.frames;
              where[b] = moved;
              return state.wrenches(where);
            });
        const auto first = static_cast<Eigen::Index>(6 * b);
        // Points do not turn, discs turn about z.
        const bool planar = !std::isnan(state.frames[b].turned);
        for (Eigen::Index k = 0; k < 6; ++k) {
          if (planar && k >= 3) continue;
          EXPECT_LT(testing::relative_difference(exact.displacement.col(first + k), both.col(k)), 1e-6) << k;
          EXPECT_LT(testing::relative_difference(exact.velocity.col(first + k), both.col(k + 6)), 1e-6) << k;
        }
      }
    }
}

TEST(SensedForce, DerivativeInTimeEqualsDifferences) {
  for (const std::string& law : laws) {
    State state(head + law, 3);
    std::vector<Wrench> rate(state.frames.size());
    state.law->time_derivative({state.t, state.frames, state.s.data()}, rate);
    const double h = 1e-5, t = state.t;
    state.t = t + h;
    const Eigen::VectorXd up = state.wrenches(state.frames);
    state.t = t - h;
    const Eigen::VectorXd change = (up - state.wrenches(state.frames)) / (2 * h);
    for (std::size_t b = 0; b < rate.size(); ++b) {
      const auto own = change.segment<6>(static_cast<Eigen::Index>(6 * b));
      EXPECT_LT((rate[b].force - own.head<3>()).norm() + (rate[b].torque - own.tail<3>()).norm(), 1e-7);
    }
  }
}

/// What it looks at feels nothing; its ends balance.
TEST(SensedForce, ActsOnItsEndsAlone) {
  const State state(head + laws[2], 5);
  const Eigen::VectorXd all = state.wrenches(state.frames);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (std::size_t b = 0; b < state.frames.size(); ++b) {
    const Vec6 own = all.segment<6>(static_cast<Eigen::Index>(6 * b));
    if (state.law->bodies()[b].index() > 1) {
      EXPECT_EQ(own.norm(), 0) << b;
    }
    force += own.head<3>();
    moment += own.tail<3>() + state.frames[b].r.cross(Vec3(own.head<3>()));
  }
  EXPECT_GT(all.norm(), 1e-3);
  EXPECT_LT(force.norm() + moment.norm(), 1e-12 * all.norm());
}

TEST(SensedForce, CountsTurnsFromStepToStep) {
  State state(head + "kind: law, joint: wrist, force: bent}\n", 1);
  ASSERT_EQ(state.law->remembers(), 2U) << "of `bent`, and its own";
  const std::size_t hand = 1;
  const Vec3 axis = Vec3(1, 0, 1).normalized();
  const auto bent = [&] { return Vec3(state.wrenches(state.frames).segment<3>(9)).dot(axis); };
  for (std::size_t b = 0; b < state.frames.size(); ++b) state.frames[b].R = Mat3::Identity();
  const double begin = bent();
  for (int k = 0; k < 20; ++k) {
    state.frames[hand].R = Eigen::AngleAxisd(0.5 * (k + 1), axis).toRotationMatrix();
    std::vector<double> next = state.s;
    state.law->commit({state.t, state.frames, state.s.data()}, next.data());
    state.s = next;
  }
  EXPECT_NEAR(bent() - begin, -10, 1e-9) << "ten radians, and the torque is against them";
}

TEST(SensedForce, IsMeasuredAsAnElement) {
  const PlacedMechanism placed = place(head + laws[0]);
  const Mechanism& made = *placed.mechanism;
  EXPECT_TRUE(made.elements.empty());
  const Sensor& pulled = made.sensors.at(10);
  ASSERT_TRUE(pulled.readings);
  EXPECT_TRUE(pulled.opposite) << "what it does to `to`";
  EXPECT_EQ(made.groups[0]->readings().at(pulled.readings->first), "Fx");
  EXPECT_EQ(made.groups[0]->readings().at(made.sensors[11].readings->first), "Tx_to");
}

TEST(SensedForce, Faults) {
  const auto of = [](const std::string& force) {
    return refusal(head + "kind: law, from: arm, to: bob, force: " + force + "}\n");
  };
  EXPECT_THAT(of("\"2*load\""), HasSubstr("follow from the forces themselves"));
  EXPECT_THAT(of("\"2*ref1\", of: [gapp]"), HasSubstr("no sensor of this name"));
  EXPECT_THAT(of("arm.u"), HasSubstr("`arm` has no `u`"));
  EXPECT_THAT(of("\"2*gapp\""), HasSubstr("gapp"));
}

}  // namespace
}  // namespace cosimo
