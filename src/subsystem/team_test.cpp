#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integrator/circles.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/elements.hpp"
#include "model/graphs.hpp"
#include "model/network.hpp"
#include "model/pendulum.hpp"
#include "subsystem/mechanism_part.hpp"
#include "subsystem/part_equations.hpp"
#include "subsystem/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

IntegratorOptions shared_by(Team& team, Method method) {
  IntegratorOptions options = samples::options_of(method, 1e-6);
  options.team = &team;
  return options;
}

/// Two in a step of five or six evaluations: when the waves are through, and at the end; two more when merson
/// looks for its limit, before its first step and after every 16.
TEST(StepsOfATeam, HaveFewMeetings) {
  const Model chain = make_chain(samples::unit_chain(3 * 2048));
  for (const Method method : {Method::rk, Method::merson}) {
    Team team;
    team.hire(3, true);
    samples::Uncut uncut(chain, shared_by(team, method));
    ASSERT_TRUE(uncut.step(0.5));  // the size of the first step is found together as well
    const Counters before = uncut.integrator->status().counters;
    const std::int64_t met = team.meetings();
    ASSERT_TRUE(uncut.step(1.5));
    const Counters& counters = uncut.integrator->status().counters;
    const std::int64_t tries = counters.steps + counters.rejected - before.steps - before.rejected;
    EXPECT_GT(tries, 3);
    EXPECT_GT(met, 0);
    const std::int64_t looks = method == Method::merson ? 1 + tries / 16 : 0;
    EXPECT_LE(team.meetings() - met, 2 * (tries + looks)) << "fewer where members were left out";
  }
}

TEST(StepsOfATeam, AllocateNothing) {
  const Model chain = make_chain(samples::unit_chain(2 * 2048));
  Team team;
  team.hire(2, true);
  samples::Uncut uncut(chain, shared_by(team, Method::rk));
  ASSERT_TRUE(uncut.step(0.5));
  const std::size_t before = allocation_count();
  ASSERT_TRUE(uncut.step(1.5));
  EXPECT_EQ(allocation_count(), before);
}

/// The limit of stability is that of one loop over all entries, on paths and elsewhere.
TEST(Circles, AreTheSameForAnyTeam) {
  for (const Model& model :
       {make_chain(samples::unit_chain(9000)),
        samples::lattice({.columns = 90, .rows = 100, .d = Field{0.2}, .C = Field{3.0}})}) {
    const Partition whole = uncut(model);
    const Equations equations(model, whole.parts.front());
    const DrivenPart system(equations, {});
    std::vector<double> q(system.size()), v(system.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = 0.1 * std::sin(static_cast<double>(i * i));
    Tangent tangent(system.pattern());
    system.tangent(0, q.data(), v.data(), tangent);
    const auto largest = [&](const AlignedVector& diag, const AlignedVector& edge) {
      std::vector<double> rows(q.size());
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::fabs(diag[i]);
      for (std::size_t e = 0; e < edge.size(); ++e)
        for (const std::int32_t end : {system.pattern().edges()[e].a, system.pattern().edges()[e].b})
          rows[static_cast<std::size_t>(end)] += std::fabs(edge[e]);
      double found = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) found = std::max(found, rows[i] / tangent.mass[i]);
      return found;
    };
    for (const int members : {1, 2, 4}) {
      Team team;
      team.hire(members, true);
      const SpectralBound bound = Circles(system).bound(0, q.data(), v.data(), &team);
      EXPECT_EQ(bound.omega, std::sqrt(largest(tangent.k_diag, tangent.k_edge))) << members;
      EXPECT_EQ(bound.delta, largest(tangent.c_diag, tangent.c_edge)) << members;
    }
  }
}

/// A chain of rods, long enough for several threads: with balls and dampers; with pins, whose accelerations
/// need a second solution; with soft joints between.
enum class Rod { balls, pins, soft };
Model chain_of_rods(std::size_t links, Rod kind) {
  PendulumSpec spec;
  spec.links = links;
  spec.rods = true;
  spec.spherical = kind != Rod::pins;
  spec.dimensions = 3;
  spec.damping = kind == Rod::pins ? 0 : 0.1;
  if (kind == Rod::soft) spec.compliant = {300, {1e5, 50}};
  std::vector<double> angle;
  for (std::size_t k = 0; k < links; ++k)
    angle.push_back(0.2 + 0.5 * static_cast<double>(k) / static_cast<double>(links));
  spec.angle = angle;
  return make_pendulum(spec);
}

struct Rods {
  Rods(std::size_t links, const IntegratorOptions& options, Rod kind = Rod::balls)
      : model(chain_of_rods(links, kind)),
        whole(uncut(model)),
        equations(make_part_equations(model, whole.parts.front())),
        driven(equations->make_system({})),
        integrator(make_integrator(driven->system(), options)) {
    integrator->start(0.0, equations->initial_position(), equations->initial_velocity());
  }
  bool step(double end) { return integrator->advance(end, {}).ok; }

  Model model;
  Partition whole;
  std::unique_ptr<PartEquations> equations;
  std::unique_ptr<DrivenSystem> driven;
  std::unique_ptr<Integrator> integrator;
};

TEST(EvaluationsOfATeam, GiveTheSameBits) {
  for (const auto& [method, kind] : {std::pair{Method::rk, Rod::balls},
                                     {Method::merson, Rod::balls},
                                     {Method::rk, Rod::pins},
                                     {Method::rk, Rod::soft}}) {
    std::vector<double> expected;
    for (const int members : {1, 2, 3, 16}) {
      Team team;
      team.hire(members, true);
      Rods rods(kind == Rod::balls ? 2000 : 1000, shared_by(team, method), kind);
      ASSERT_TRUE(rods.step(kind == Rod::balls ? 0.02 : 0.005));
      EXPECT_EQ(team.meetings() > 0, team.members() > 1);
      std::vector<double> found = samples::values(rods.integrator->position());
      for (const double x : rods.integrator->velocity()) found.push_back(x);
      if (members == 1) expected = found;
      EXPECT_EQ(found, expected) << members;
    }
  }
}

TEST(EvaluationsOfATeam, AllocateNothing) {
  Team team;
  team.hire(2);
  Rods rods(600, shared_by(team, Method::rk));
  ASSERT_TRUE(rods.step(0.02));
  EXPECT_GT(team.meetings(), 0);
  const std::size_t before = allocation_count();
  ASSERT_TRUE(rods.step(0.04));
  EXPECT_EQ(allocation_count(), before);
}

/// Two in every evaluation, one at the beginning of a step and one at its end, after the errors; two where
/// all look at the constraints.
TEST(EvaluationsOfATeam, HaveFewMeetings) {
  for (const auto& [method, evaluations] : {std::pair{Method::rk, 6}, {Method::merson, 5}}) {
    Team team;
    team.hire(2, true);
    Rods rods(600, shared_by(team, method));
    ASSERT_TRUE(rods.step(0.05));
    const Counters& counters = rods.integrator->status().counters;
    EXPECT_GT(counters.steps, 3);
    EXPECT_GT(team.meetings(), 0);
    EXPECT_LE(team.meetings(), (2 * evaluations + 4) * (counters.steps + counters.rejected));
  }
}

/// A few rods are not worth a meeting.
TEST(EvaluationsOfATeam, AreLeftToOneThreadWhereTheyAreShort) {
  Team team;
  team.hire(4);
  Rods rods(100, shared_by(team, Method::rk));
  ASSERT_TRUE(rods.step(0.01));
  EXPECT_EQ(team.meetings(), 0);
}

/// Rigid bodies in a square, held by bushings: a large top, divided into waves, and leaves of many kinds.
PlacedMechanism bushed_square(std::size_t side) {
  MechanismBuilder builder;
  builder.gravity({0, 0, -9.81});
  BushingSpec spec;
  for (std::size_t i = 0; i < 6; ++i) {
    spec.law[i].c = i < 3 ? 1e5 : 1e4;
    spec.law[i].d = i < 3 ? 50 : 5;
  }
  std::vector<BodyId> bodies;
  std::size_t count = 0;
  const auto bush = [&](BodyId from, BodyId to, const Vec3& at) {
    builder.add(
        make_bushing("b" + std::to_string(count++), builder.marker(from, at), builder.marker(to, at), spec));
  };
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t j = 0; j < side; ++j) {
      Frame frame;
      frame.r = Vec3(static_cast<double>(i), static_cast<double>(j), 0);
      bodies.push_back(builder.add({.name = "body" + std::to_string(bodies.size()),
                                    .kind = BodyKind::rigid,
                                    .mass = 1,
                                    .inertia = 0.1 * Mat3::Identity()},
                                   frame));
      bush(i == 0 ? ground : bodies[bodies.size() - 1 - side], bodies.back(), frame.r - Vec3(0.5, 0, 0));
      if (j > 0) bush(bodies[bodies.size() - 2], bodies.back(), frame.r - Vec3(0, 0.5, 0));
    }
  return builder.finish();
}

struct Square {
  PlacedMechanism made;
  Model model;
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  std::optional<Dynamics> dynamics;
  std::optional<MechanismPart> part;
  std::unique_ptr<Integrator> integrator;

  Square(std::size_t side, const IntegratorOptions& options) : made(bushed_square(side)) {
    model.mechanism = made.mechanism;
    for (std::size_t b = 0; b < model.mechanism->bodies.size(); ++b) bodies.emplace_back(b);
    for (std::size_t e = 0; e < model.mechanism->elements.size(); ++e) elements.emplace_back(e);
    dynamics.emplace(*model.mechanism, bodies, elements);
    part.emplace(model, *dynamics, std::span<const CutPort>{});
    integrator = make_integrator(*part, options);
    integrator->start(0.0, made.q, made.v);
  }
};

std::vector<double> state_of(const Integrator& integrator) {
  std::vector<double> out = samples::values(integrator.position());
  for (const double x : integrator.velocity()) out.push_back(x);
  return out;
}

/// Also when a step is taken back and repeated.
TEST(ImplicitStepsOfATeam, GiveTheSameBits) {
  for (const Method method : {Method::radau, Method::ida})
    for (const Rod kind : {Rod::balls, Rod::soft}) {
      std::vector<double> expected;
      for (const int members : {1, 2, 3}) {
        Team team;
        team.hire(members, true);
        Rods rods(400, shared_by(team, method), kind);
        ASSERT_TRUE(rods.step(0.01));
        const auto snapshot = rods.integrator->make_snapshot();
        rods.integrator->save(*snapshot);
        ASSERT_TRUE(rods.step(0.03));
        const std::vector<double> found = state_of(*rods.integrator);
        EXPECT_EQ(team.meetings() > 0, members > 1);
        rods.integrator->restore(*snapshot);
        ASSERT_TRUE(rods.step(0.03));
        EXPECT_EQ(state_of(*rods.integrator), found);
        if (members == 1) expected = found;
        EXPECT_EQ(found, expected) << members;
      }
    }
}

TEST(ImplicitStepsOfATeam, GiveTheSameBitsWhereTheTopIsShared) {
  std::vector<double> expected;
  for (const int members : {1, 2, 3, 5}) {
    Team team;
    team.hire(members, true);
    Square square(20, shared_by(team, Method::radau));
    ASSERT_TRUE(square.integrator->advance(0.01, {}).ok);
    const std::vector<double> found = state_of(*square.integrator);
    if (members == 1) expected = found;
    EXPECT_EQ(found, expected) << members;
  }
}

/// So many for each factorisation, solution, evaluation and step; and one for every wave of the top.
TEST(ImplicitStepsOfATeam, HaveFewMeetings) {
  Team team;
  team.hire(2, true);
  Rods rods(400, shared_by(team, Method::radau));
  ASSERT_TRUE(rods.step(0.01));
  const Counters before = rods.integrator->status().counters;
  const std::int64_t met = team.meetings();
  ASSERT_TRUE(rods.step(0.05));
  const Counters& after = rods.integrator->status().counters;
  const std::int64_t tries = after.steps + after.rejected - before.steps - before.rejected;
  EXPECT_GT(tries, 3);
  EXPECT_GT(team.meetings(), met);
  EXPECT_LE(team.meetings() - met, 18 * (after.factorizations - before.factorizations) +
                                       5 * (after.solves - before.solves) +
                                       5 * (after.evaluations - before.evaluations) + 20 * tries);
}

TEST(ImplicitStepsOfATeam, AllocateNothing) {
  Team team;
  team.hire(2);
  Rods rods(300, shared_by(team, Method::radau));
  ASSERT_TRUE(rods.step(0.02));
  EXPECT_GT(team.meetings(), 0);
  const std::size_t before = allocation_count();
  ASSERT_TRUE(rods.step(0.06));
  EXPECT_EQ(allocation_count(), before);
}

/// A network of point masses, left whole.
struct Network {
  Model model;
  std::vector<BodyId> bodies;
  std::vector<ElementId> elements;
  std::optional<Dynamics> dynamics;
  std::optional<MechanismPart> part;
  std::unique_ptr<Integrator> integrator;

  Network(std::size_t masses, const IntegratorOptions& options)
      : model(make_network({.masses = masses, .c = 100.0, .d = 0.1, .v = Uniform{-1, 1}})) {
    for (std::size_t b = 0; b < model.bodies.count; ++b) bodies.emplace_back(b);
    for (std::size_t e = 0; e < element_count(model); ++e) elements.emplace_back(e);
    dynamics.emplace(*model.mechanism, bodies, elements);
    part.emplace(model, *dynamics, std::span<const CutPort>{});
    integrator = make_integrator(*part, options);
    integrator->start(0.0, model.bodies.x, model.bodies.v);
  }
};

/// One for each evaluation, one before errors that reach over borders, one at the end.
TEST(StepsOfATeam, OfNetworksMeetOncePerEvaluation) {
  for (const auto& [method, evaluations] : {std::pair{Method::rk, 6}, {Method::merson, 5}}) {
    Team team;
    team.hire(3);
    Network network(2100, shared_by(team, method));
    ASSERT_TRUE(network.integrator->advance(0.05, {}).ok);  // the size of the first step, too, needs meetings
    const Counters before = network.integrator->status().counters;
    const std::int64_t met = team.meetings();
    ASSERT_TRUE(network.integrator->advance(0.2, {}).ok);
    const Counters& counters = network.integrator->status().counters;
    const std::int64_t tries = counters.steps + counters.rejected - before.steps - before.rejected;
    EXPECT_GT(tries, 3);
    EXPECT_GT(met, 0);
    EXPECT_LE(team.meetings() - met, (evaluations + 2) * tries);
  }
}

TEST(StepsOfATeam, OfNetworksAllocateNothing) {
  for (const int members : {1, 2}) {
    Team team;
    team.hire(members);
    Network network(1400, shared_by(team, Method::rk));
    ASSERT_TRUE(network.integrator->advance(0.1, {}).ok);
    const std::size_t before = allocation_count();
    ASSERT_TRUE(network.integrator->advance(0.3, {}).ok);
    EXPECT_EQ(allocation_count(), before) << members;
  }
}

TEST(StepsOfATeam, OfNetworksGiveTheSameBitsAsAlone) {
  const auto run = [](int members) {
    Team team;
    team.hire(members);
    Network network(2100, shared_by(team, Method::rk));
    EXPECT_TRUE(network.integrator->advance(0.2, {}).ok);
    return samples::values(network.integrator->position());
  };
  const std::vector<double> alone = run(1);
  EXPECT_EQ(run(2), alone);
  EXPECT_EQ(run(3), alone);
}

}  // namespace
}  // namespace cosimo
