#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

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

/// Three in a step of five or six evaluations: when the waves are through, when borders are mended, at the
/// end.
TEST(StepsOfATeam, HaveFewMeetings) {
  const Model chain = make_chain(samples::unit_chain(3 * 2048));
  for (const Method method : {Method::rk, Method::merson}) {
    Team team;
    team.hire(3, true);
    samples::Uncut uncut(chain, shared_by(team, method));
    ASSERT_TRUE(uncut.step(0.5));
    const Counters& counters = uncut.integrator->status().counters;
    EXPECT_GT(counters.steps, 3);
    EXPECT_GT(team.meetings(), 0);
    EXPECT_LE(team.meetings(), 3 * (counters.steps + counters.rejected))
        << "fewer where members were left out";
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

/// A chain of rods with dampers, long enough for three threads.
Model chain_of_rods(std::size_t links) {
  PendulumSpec spec;
  spec.links = links;
  spec.rods = spec.spherical = true;
  spec.dimensions = 3;
  spec.damping = 0.1;
  std::vector<double> angle;
  for (std::size_t k = 0; k < links; ++k)
    angle.push_back(0.2 + 0.5 * static_cast<double>(k) / static_cast<double>(links));
  spec.angle = angle;
  return make_pendulum(spec);
}

struct Rods {
  Rods(std::size_t links, const IntegratorOptions& options)
      : model(chain_of_rods(links)),
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
  for (const Method method : {Method::rk, Method::merson}) {
    std::vector<double> expected;
    for (const int members : {1, 2, 3, 5}) {
      Team team;
      team.hire(members);
      Rods rods(1200, shared_by(team, method));
      ASSERT_TRUE(rods.step(0.02));
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

/// Six between the sections of an evaluation and one at its end.
TEST(EvaluationsOfATeam, HaveFewMeetings) {
  Team team;
  team.hire(2);
  Rods rods(600, shared_by(team, Method::merson));
  ASSERT_TRUE(rods.step(0.02));
  EXPECT_LE(team.meetings(), 7 * rods.integrator->status().counters.evaluations);
}

/// A few rods are not worth a meeting.
TEST(EvaluationsOfATeam, AreLeftToOneThreadWhereTheyAreShort) {
  Team team;
  team.hire(4);
  Rods rods(100, shared_by(team, Method::rk));
  ASSERT_TRUE(rods.step(0.01));
  EXPECT_EQ(team.meetings(), 0);
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

/// One for each evaluation, one at the end.
TEST(StepsOfATeam, OfNetworksMeetOncePerEvaluation) {
  for (const auto& [method, evaluations] : {std::pair{Method::rk, 6}, {Method::merson, 5}}) {
    Team team;
    team.hire(3);
    Network network(2100, shared_by(team, method));
    ASSERT_TRUE(network.integrator->advance(0.2, {}).ok);
    const Counters& counters = network.integrator->status().counters;
    EXPECT_GT(counters.steps, 3);
    EXPECT_GT(team.meetings(), 0);
    EXPECT_LE(team.meetings(), (evaluations + 1) * (counters.steps + counters.rejected));
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
