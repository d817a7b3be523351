// Ropes over pulleys: exact derivatives, balances, conserved length, Euler's friction.
#include "mechanics/rope.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "mechanics/testing.hpp"

namespace cosimo {
namespace {

using testing::Rng;
constexpr double pi = std::numbers::pi;

RopeStation station(std::size_t body, const Frame& placed, double radius, int sense,
                    std::optional<double> friction = {}) {
  RopeStation out;
  out.at.body = BodyId(body);
  out.placed = placed;
  out.radius = radius;
  out.sense = sense;
  out.friction = friction;
  return out;
}
Frame at(double x, double y) {
  Frame out;
  out.r = Vec3(x, y, 0);
  return out;
}

/// An end, two pulleys on either side of the rope, an eyelet, an end: all on bodies.
RopeSpec open_rope(std::optional<double> friction) {
  RopeSpec spec;
  spec.stations = {station(0, at(0, 0), 0, 0), station(1, at(1, 2), 0.4, -1, friction),
                   station(2, at(3, 1), 0.3, 1, friction),
                   station(3, at(4, 2.5), 0, 0, friction ? friction : 0.0), station(4, at(5.5, 0), 0, 0)};
  spec.stiffness = 900;
  spec.damping = 30;
  spec.tension = 60;
  return spec;
}
RopeSpec belt(std::optional<double> friction) {
  RopeSpec spec;
  spec.closed = true;
  spec.stations = {station(0, at(0, 0), 0.5, 1, friction), station(1, at(2, 0), 0.3, 1, friction),
                   station(2, at(1, 1.5), 0.4, 1, friction)};
  spec.stiffness = 700;
  spec.damping = 20;
  spec.tension = 40;
  return spec;
}

/// Where bodies of a rope are, how they move, and what it remembers.
struct State {
  std::unique_ptr<ForceGroup> rope;
  std::vector<Frame> frames;
  std::vector<double> s;
  double t = 0.3;

  /// From its placement by less than `far`, and all turned anyhow.
  State(const RopeSpec& spec, double far, std::uint64_t seed) : rope(make_rope("rope", spec)) {
    Rng rng(seed);
    const Mat3 turn = testing::random_rotation(rng);
    for (const RopeStation& each : spec.stations) frames.push_back(each.placed);
    s.resize(rope->remembers());
    rope->begin({0, frames}, s.data());
    for (Frame& frame : frames) {
      Vec6 shift;
      shift << far * testing::random_vector(rng), 0.3 * far * testing::random_vector(rng);
      frame = testing::displaced(frame, shift);
      frame.r = turn * frame.r;
      frame.R = turn * frame.R;
      frame.v = testing::random_vector(rng);
      frame.w = testing::random_vector(rng);
    }
  }
  Eigen::VectorXd wrenches(const std::vector<Frame>& where) const {
    std::vector<Wrench> out(where.size());
    EXPECT_TRUE(rope->wrenches({t, where, s.data()}, out));
    Eigen::VectorXd all(static_cast<Eigen::Index>(6 * where.size()));
    for (std::size_t b = 0; b < out.size(); ++b)
      all.segment<6>(static_cast<Eigen::Index>(6 * b)) << out[b].force, out[b].torque;
    return all;
  }
  double energy(const std::vector<Frame>& where) const { return rope->potential({t, where, s.data()}); }
  std::vector<Frame> later(double dt) const {
    std::vector<Frame> out;
    for (const Frame& frame : frames) out.push_back(testing::after(frame, Vec6::Zero(), dt));
    return out;
  }
};

std::vector<RopeSpec> all_ropes() {
  RopeSpec fed = open_rope(0.05);
  fed.pay_out = "0.3*sin(2*t)";
  RopeSpec slack = open_rope(0.3);
  slack.tension = 0;
  slack.length = 12;
  return {open_rope({}), open_rope(0.0), open_rope(0.05), open_rope(0.4), fed,
          slack,         belt({}),       belt(0.0),       belt(0.1)};
}

TEST(Rope, GradientsEqualDifferences) {
  for (const RopeSpec& spec : all_ropes())
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(::testing::Message() << spec.stations[1].friction.value_or(-1) << ' ' << seed);
      const State state(spec, 0.05, seed);
      const auto n = static_cast<Eigen::Index>(6 * state.frames.size());
      GroupGradient exact(state.frames.size());
      state.rope->gradient({state.t, state.frames, state.s.data()}, exact);
      Eigen::MatrixXd by_place(n, n), by_speed(n, n);
      for (std::size_t b = 0; b < state.frames.size(); ++b) {
        const Eigen::MatrixXd both = testing::frame_derivative(
            state.frames[b], 12, n,
            [&](const Frame& moved) {
              std::vector<Frame> where = state.frames;
              where[b] = moved;
              return state.wrenches(where);
            },
            1e-6);
        by_place.middleCols<6>(static_cast<Eigen::Index>(6 * b)) = both.leftCols<6>();
        by_speed.middleCols<6>(static_cast<Eigen::Index>(6 * b)) = both.rightCols<6>();
      }
      EXPECT_LT(testing::relative_difference(exact.displacement, by_place), 1e-5);
      EXPECT_LT(testing::relative_difference(exact.velocity, by_speed), 1e-5);
    }
}

TEST(Rope, DerivativeInTimeEqualsDifferences) {
  RopeSpec spec = open_rope(0.05);
  spec.pay_out = "0.3*sin(2*t)";
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    State state(spec, 0.05, seed);
    std::vector<Wrench> rate(state.frames.size());
    state.rope->time_derivative({state.t, state.frames, state.s.data()}, rate);
    Eigen::VectorXd exact(static_cast<Eigen::Index>(6 * rate.size()));
    for (std::size_t b = 0; b < rate.size(); ++b)
      exact.segment<6>(static_cast<Eigen::Index>(6 * b)) << rate[b].force, rate[b].torque;
    const double t = state.t, h = 1e-6;
    state.t = t + h;
    const Eigen::VectorXd up = state.wrenches(state.frames);
    state.t = t - h;
    const Eigen::VectorXd down = state.wrenches(state.frames);
    EXPECT_LT(testing::relative_difference(exact, (up - down) / (2 * h)), 1e-6);
  }
}

TEST(Rope, ActionAndReactionBalance) {
  for (const RopeSpec& spec : all_ropes())
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const State state(spec, 0.1, seed);
      std::vector<Wrench> out(state.frames.size());
      ASSERT_TRUE(state.rope->wrenches({state.t, state.frames, state.s.data()}, out));
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      double size = 1;
      for (std::size_t b = 0; b < out.size(); ++b) {
        force += out[b].force;
        moment += out[b].torque + state.frames[b].r.cross(out[b].force);
        size = std::max(size, out[b].force.norm());
      }
      EXPECT_LT(force.norm(), 1e-13 * size);
      EXPECT_LT(moment.norm(), 1e-12 * size);
    }
}

/// Without slip, damping and pay it stores what is put into it; slip and damping only take.
TEST(Rope, PowerIsStoredOrDissipated) {
  for (RopeSpec spec : all_ropes()) {
    if (spec.pay_out != "0") continue;
    for (const double damping : {0.0, 25.0})
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(::testing::Message() << spec.stations[1].friction.value_or(-1) << ' ' << seed);
        spec.damping = damping;
        State state(spec, 0.05, seed);
        state.rope->commit({state.t, state.frames, state.s.data()}, state.s.data());
        const Eigen::VectorXd now = state.wrenches(state.frames);
        double power = 0;
        for (std::size_t b = 0; b < state.frames.size(); ++b)
          power += now.segment<3>(static_cast<Eigen::Index>(6 * b)).dot(state.frames[b].v) +
                   now.segment<3>(static_cast<Eigen::Index>(6 * b + 3)).dot(state.frames[b].w);
        // From here on: where it slides it would stick on the way back.
        const double h = 1e-7;
        const double stored = (state.energy(state.later(h)) - state.energy(state.frames)) / h;
        const double size = 1 + std::fabs(stored) + std::fabs(power);
        EXPECT_LT(power + stored, 1e-4 * size) << "it gives energy that it did not have";
        const double mu = spec.stations[1].friction.value_or(0);
        if (damping == 0 && mu == 0) {
          EXPECT_NEAR(power + stored, 0, 1e-4 * size);
        }
      }
  }
}

/// A rope over one drum that stands, its ends on bodies left and right below it.
struct Capstan {
  static constexpr double stiffness = 1e5, radius = 0.5;
  RopeSpec spec;

  explicit Capstan(double mu, int turns = 0) {
    RopeStation drum;
    drum.placed = at(0, 0);
    drum.radius = radius;
    drum.sense = -1;
    drum.turns = turns;
    drum.friction = mu;
    spec.stations = {station(0, at(-radius, -2), 0, 0), drum, station(1, at(radius, -2), 0, 0)};
    spec.stiffness = stiffness;
    spec.tension = 100;
  }
};

TEST(Rope, OverADrumSlidesAtEulersLimitAndSticksBelowIt) {
  for (const int turns : {0, 1, 2})
    for (const double mu : {0.0, 0.1, 0.3}) {
      const Capstan capstan(mu, turns);
      const auto rope = make_rope("rope", capstan.spec);
      std::vector<Frame> frames{at(-0.5, -2), at(0.5, -2)};
      std::vector<double> s(rope->remembers());
      rope->begin({0, frames}, s.data());
      const double limit = std::exp(mu * (pi + 2 * pi * turns));
      const auto pulls = [&] {
        std::vector<Wrench> out(2);
        EXPECT_TRUE(rope->wrenches({0, frames, s.data()}, out));
        return std::pair{out[0].force.y(), out[1].force.y()};
      };
      // Its right end is drawn down by far more than it can stretch.
      for (int n = 0; n < 50; ++n) {
        frames[1].r.y() -= 0.001;
        const auto [left, right] = pulls();
        // Euler's bound holds for P = T + T^2/2EA.
        const auto P = [](double T) { return T + T * T / (2 * Capstan::stiffness); };
        EXPECT_LE(P(right), P(left) * limit * (1 + 1e-8));
        if (mu < 0.2 && turns == 0) {
          EXPECT_NEAR(P(right), P(left) * limit, 1e-6 * right) << n;
        }
        rope->commit({0, frames, s.data()}, s.data());
        EXPECT_NEAR(pulls().second, right, 1e-6 * right) << "kept as it is";
      }
      // Now the left one: both sides stick until the ratio is turned round.
      const auto [left, right] = pulls();
      frames[0].r.y() -= 1e-5;
      if (mu > 0) {
        EXPECT_NEAR(pulls().second, right, 1e-9 * right) << "nothing comes over";
        EXPECT_GT(pulls().first, left);
      } else {
        EXPECT_NEAR(pulls().second, pulls().first, 1e-9 * right);
      }
    }
}

TEST(Rope, KeepsItsLengthOverPulleysThatTurn) {
  // Both pulleys turn by many turns: what one span loses the other one gains.
  const RopeSpec spec = belt({});
  const auto rope = make_rope("belt", spec);
  std::vector<Frame> frames;
  for (const RopeStation& each : spec.stations) frames.push_back(each.placed);
  std::vector<double> s(rope->remembers());
  rope->begin({0, frames}, s.data());
  const double before = rope->potential({0, frames, s.data()});
  for (int n = 1; n <= 400; ++n) {
    for (std::size_t k = 0; k < 3; ++k)
      frames[k].R = testing::rotation({0, 0, 0.1 * n / spec.stations[k].radius});
    EXPECT_NEAR(rope->potential({0, frames, s.data()}), before, 1e-9 * before) << n;
    rope->commit({0, frames, s.data()}, s.data());
  }
}

TEST(Rope, ALengthSaysHowTightItIs) {
  RopeSpec spec = Capstan(0.1).spec;
  spec.tension = 0;
  for (const double strain : {0.01, -0.01}) {
    spec.length = 4 / (1 + strain) + pi * Capstan::radius;
    const auto rope = make_rope("rope", spec);
    const std::vector<Frame> frames{at(-0.5, -2), at(0.5, -2)};
    std::vector<Wrench> out(2);
    ASSERT_TRUE(rope->wrenches({0, frames}, out));
    EXPECT_NEAR(out[0].force.y(), strain > 0 ? Capstan::stiffness * strain : 0, 1e-6);
  }
}

TEST(Rope, WhereNoneCanRunItIsRefused) {
  RopeSpec spec = Capstan(0.1).spec;
  spec.stations[0].placed.r = Vec3(0.2, 0, 0);
  EXPECT_THROW(make_rope("rope", spec), Error) << "an end inside the pulley";
  spec = Capstan(0.1).spec;
  spec.length = 1;
  EXPECT_THROW(make_rope("rope", spec), Error) << "shorter than what lies on the drum";
  spec = Capstan(0.1).spec;
  spec.pay_out = "2*x";
  EXPECT_THROW(make_rope("rope", spec), Error);
  spec = open_rope(0.1);
  spec.stations = {spec.stations.front(), spec.stations.front()};
  EXPECT_THROW(make_rope("rope", spec), Error) << "from a point to itself";
}

}  // namespace
}  // namespace cosimo
