#include "mechanics/point_springs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mechanics/dynamics_testing.hpp"
#include "numerics/pack_choice.hpp"

namespace cosimo {
namespace {

using testing::Assembly;
using testing::random_number;
using testing::random_vector;
using testing::Rng;

constexpr BodyKind points[] = {BodyKind::point1, BodyKind::point2, BodyKind::point3};

Vec3 within(Vec3 x, BodyKind kind) {
  for (auto axis = static_cast<Eigen::Index>(freedoms_of(kind)); axis < 3; ++axis) x[axis] = 0;
  return x;
}

/// All kinds of laws.
SpringSpec random_law(Rng& rng) {
  const auto positive = [&] { return 1.5 + random_number(rng); };
  SpringSpec spec{.law = {.c = positive()}, .length = 0.3 * positive()};
  if (rng() % 4 != 0) spec.law.d = positive();
  spec.vector_damping = rng() % 2 == 0;
  if (rng() % 3 == 0) {
    constexpr double exponents[] = {3, 2, 1.5, 0.5};
    spec.law.C = positive();
    spec.law.ex = exponents[rng() % 4];
    if (rng() % 2 == 0) spec.law.D = positive();
    spec.law.ev = exponents[rng() % 4];
  }
  return spec;
}

/// Bodies with about six springs each, some to the ground, of which a few are nobody's case.
Assembly network(std::size_t bodies, const std::function<BodyKind(Rng&)>& kind, std::uint64_t seed,
                 bool others = true) {
  Rng rng(seed);
  Assembly out;
  out.mechanism.gravity = Vec3(0.3, -9.81, 2);
  for (std::size_t i = 0; i < bodies; ++i) {
    const BodyKind own = kind(rng);
    out.add(own, testing::random_frame(rng, own), 1.5 + random_number(rng));
  }
  auto& elements = out.mechanism.elements;
  const auto any = [&] { return BodyId(rng() % bodies); };
  for (std::size_t e = 0; e < 3 * bodies; ++e) {
    Marker from{.body = any()}, to{.body = any()};
    const BodyKind own = out.mechanism.bodies[to.body.index()].kind;
    if (from.body == to.body || e % 7 == 0)
      from = {.point = within(random_vector(rng), others && e % 2 == 0 ? BodyKind::point3 : own)};
    if (others && e % 11 == 0) to.point = 0.1 * random_vector(rng);
    if (e % 3 == 0) std::swap(from, to);
    elements.push_back(make_spring("spring" + std::to_string(e), from, to, random_law(rng)));
    if (others && e % 13 == 0)
      elements.push_back(
          make_applied("wind" + std::to_string(e), {}, to.body == ground ? from : to,
                       {.force = {"3*sin(7*t) - 0.2*vx", "x", "y*z"}, .torque = {}, .breakpoints = {}}));
  }
  return out;
}

Assembly network(std::size_t bodies, BodyKind kind, std::uint64_t seed, bool others = true) {
  return network(
      bodies, [=](Rng&) { return kind; }, seed, others);
}

constexpr double t = 0.37;

std::vector<double> accelerations(const Assembly& model, const Dynamics& dynamics) {
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(dynamics.acceleration(t, model.q.data(), model.v.data(), {}, a.data(), nullptr, *work));
  return a;
}

/// Element by element; of point masses.
std::vector<double> one_by_one(const Assembly& model) {
  const Mechanism& mechanism = model.mechanism;
  const std::vector<std::size_t> first = mechanism.coordinate_offsets();
  const auto frame = [&](BodyId body) {
    return body == ground
               ? Frame{}
               : frame_of(mechanism.bodies[body.index()].kind, model.q.data() + first[body.index()],
                          model.v.data() + first[body.index()]);
  };
  std::vector<double> a(model.q.size(), 0.0);
  const auto push = [&](BodyId body, const Vec3& force) {
    if (body == ground) return;
    for (std::size_t i = first[body.index()]; i < first[body.index() + 1]; ++i)
      a[i] += force[static_cast<Eigen::Index>(i - first[body.index()])] / mechanism.bodies[body.index()].mass;
  };
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    push(BodyId(b), mechanism.bodies[b].mass * mechanism.gravity);
  for (const auto& element : mechanism.elements) {
    Effort effort;
    EXPECT_TRUE(element->effort(t, marker_frame(frame(element->at_from.body), element->at_from),
                                marker_frame(frame(element->at_to.body), element->at_to), effort));
    push(element->at_from.body, effort.force);
    push(element->at_to.body, -effort.force);
  }
  return a;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  const double scale = std::abs(*std::ranges::max_element(b, {}, [](double x) { return std::abs(x); }));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-14 * scale) << i;
}

TEST(PointSprings, LikeTheElementsOneByOne) {
  for (const BodyKind kind : points)
    for (const std::size_t bodies : {1U, 7U, 8U, 9U, 150U}) {
      const Assembly model = network(bodies, kind, bodies);
      const Dynamics dynamics = model.dynamics();
      EXPECT_GE(dynamics.springs_in_packs(), bodies);
      EXPECT_LT(dynamics.springs_in_packs(), 3 * bodies + 1);
      expect_near(accelerations(model, dynamics), one_by_one(model));
    }
}

TEST(PointSprings, PointsOfSeveralDimensionsSideBySide) {
  const Assembly model = network(
      200, [](Rng& rng) { return points[rng() % 40 / 18]; }, 3);
  const Dynamics dynamics = model.dynamics();
  EXPECT_GT(dynamics.springs_in_packs(), 100U);
  expect_near(accelerations(model, dynamics), one_by_one(model));
}

TEST(PointSprings, ResidualsHaveTheSameForces) {
  const Assembly model = network(60, BodyKind::point3, 5);
  const Dynamics dynamics = model.dynamics();
  const std::vector<double> a = accelerations(model, dynamics);
  std::vector<double> r(dynamics.freedoms());
  ASSERT_TRUE(dynamics.residual(t, model.q.data(), model.v.data(), a.data(), nullptr, {}, r.data()));
  for (const double x : r) EXPECT_NEAR(x, 0, 1e-12);
}

TEST(PointSprings, BodiesThatTurnAreNotDivided) {
  const Assembly model = network(
      20, [](Rng& rng) { return rng() % 5 == 0 ? BodyKind::rigid : points[2]; }, 5);
  const Dynamics dynamics = model.dynamics();
  EXPECT_FALSE(dynamics.divisible());
  EXPECT_EQ(dynamics.springs_in_packs(), 0U);
}

TEST(PointSprings, AnyProcessorGivesTheSameBits) {
  for (const BodyKind kind : points) {
    const Assembly model = network(203, kind, 8);
    const Dynamics dynamics = model.dynamics();
    const std::vector<double> best = accelerations(model, dynamics);
    for (const std::string& name : pack_choices()) {
      choose_packs(name);
      EXPECT_EQ(accelerations(model, dynamics), best) << name;
    }
    choose_packs();
  }
}

TEST(PointSprings, AnyPartGivesTheSameBits) {
  for (const BodyKind kind : points) {
    const Assembly model = network(77, kind, 9);
    const Dynamics dynamics = model.dynamics();
    ASSERT_TRUE(dynamics.divisible());
    const std::vector<double> all = accelerations(model, dynamics);
    Rng rng(1);
    for (int k = 0; k < 300; ++k) {
      std::size_t first = rng() % all.size(), last = rng() % all.size();
      if (first > last) std::swap(first, last);
      std::vector<double> a(all.size(), 77.0);
      ASSERT_TRUE(dynamics.acceleration_of(t, model.q.data(), model.v.data(), a.data(), {first, last}));
      for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(a[i], first <= i && i < last ? all[i] : 77.0) << i << " of " << first << " to " << last;
    }
  }
}

TEST(PointSprings, OrderOfBodiesChangesRoundingOnly) {
  const Assembly model = network(100, BodyKind::point3, 12);
  const Dynamics plain = model.dynamics();
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  for (std::size_t i = 0; i < 100; ++i) bodies.emplace_back(i);
  for (std::size_t i = 0; i < model.mechanism.elements.size(); ++i) elements.emplace_back(i);
  std::ranges::shuffle(bodies, Rng(4));
  const Dynamics shuffled(model.mechanism, bodies, elements);
  Assembly moved{.mechanism = {}, .q = model.q, .v = model.v};
  for (std::size_t i = 0; i < 100; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      moved.q[3 * i + k] = model.q[3 * bodies[i].index() + k];
      moved.v[3 * i + k] = model.v[3 * bodies[i].index() + k];
    }
  const std::vector<double> a = accelerations(model, plain), b = accelerations(moved, shuffled);
  std::vector<double> back(b.size());
  for (std::size_t i = 0; i < 300; ++i) back[3 * bodies[i / 3].index() + i % 3] = b[i];
  expect_near(back, a);
}

/// Two bodies at one place, in a network of springs that are not stretched where ends meet.
Assembly meeting(BodyKind kind, double length, bool met) {
  Assembly model = network(40, kind, 21, false);
  for (const bool whole : {false, true})
    for (const double D : {0.0, 0.7}) {
      const SpringSpec spec{.law = {.c = 3, .d = 0.8, .C = D, .D = D, .ev = whole ? 1.0 : 3.0},
                            .length = length,
                            .vector_damping = whole};
      model.mechanism.elements.push_back(
          make_spring("meets", {.body = BodyId(3)}, {.body = BodyId(17)}, spec));
      model.mechanism.elements.push_back(make_spring("meets", {}, {.body = BodyId(20)}, spec));
    }
  const std::size_t n = freedoms_of(kind);
  for (std::size_t i = 0; met && i < n; ++i) {
    model.q[3 * n + i] = model.q[17 * n + i];
    model.q[20 * n + i] = 0;
  }
  return model;
}

TEST(PointSprings, EndsThatMeetAreDampedWithoutLength) {
  for (const BodyKind kind : points) {
    const Assembly model = meeting(kind, 0, true);
    const Dynamics dynamics = model.dynamics();
    ASSERT_EQ(dynamics.springs_in_packs(), model.mechanism.elements.size());
    expect_near(accelerations(model, dynamics), one_by_one(model));
  }
}

TEST(PointSprings, EndsThatMeetHaveNoDirectionWithLength) {
  for (const BodyKind kind : points) {
    const Assembly model = meeting(kind, 0.1, true);
    const Dynamics dynamics = model.dynamics();
    const auto work = dynamics.make_workspace();
    std::vector<double> a(dynamics.size());
    EXPECT_FALSE(dynamics.acceleration(t, model.q.data(), model.v.data(), {}, a.data(), nullptr, *work));
  }
}

TEST(PointSprings, BodiesThatMeetLeaveTheBitsOfOthers) {
  const Assembly apart = meeting(BodyKind::point3, 0, false), together = meeting(BodyKind::point3, 0, true);
  const std::vector<double> a = accelerations(apart, apart.dynamics());
  const std::vector<double> b = accelerations(together, together.dynamics());
  std::vector<bool> moved(40, false);
  for (const auto& element : apart.mechanism.elements)
    for (const Marker* end : {&element->at_from, &element->at_to}) {
      const Marker* other = end == &element->at_from ? &element->at_to : &element->at_from;
      for (const std::size_t body : {3U, 20U}) {
        if (end->body != BodyId(body)) continue;
        moved[body] = true;
        if (other->body != ground) moved[other->body.index()] = true;
      }
    }
  ASSERT_GT(std::ranges::count(moved, false), 10);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!moved[i / 3]) {
      EXPECT_EQ(a[i], b[i]) << i;
    }
  }
}

TEST(PointSprings, NumbersThatOverflowAreNoticed) {
  Assembly model = network(30, BodyKind::point2, 4);
  const Dynamics dynamics = model.dynamics();
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size());
  model.q[11] = 1e200;
  EXPECT_FALSE(dynamics.acceleration(t, model.q.data(), model.v.data(), {}, a.data(), nullptr, *work));
}

}  // namespace
}  // namespace cosimo
