// Overlapping subsystems of mechanisms: lattices and networks of points in space, and chains of rods with
// joints inside groups and bushings between them. They agree with the uncut run, follow the tolerance, and
// give the same bits for any number of threads and for steps taken back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <ostream>
#include <utility>

#include "core/random.hpp"
#include "simulation/same_bits.hpp"
#include "simulation/train_testing.hpp"
#include "subsystem/overlap.hpp"

namespace cosimo::testing {
namespace {

/// A strip of masses in the plane, long enough for overlaps that do not reach from end to end.
std::string strip(const std::string& rest, int parts = 4) {
  return fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [80, 3], coordinates: space, diagonals: true, mass: 1, spring: {{c: 100, d: 0.1, C: 500}},
            initial: {{x: {{uniform: [-0.05, 0.05]}}, v: {{uniform: [-0.5, 0.5]}}}}, seed: 4}}
partition: {{parts: {}}}
simulate: {{end: 2, output: 0.05}}
{}
)",
                     parts, rest);
}

/// Groups of two rods with a pin or a ball between them; bushings join the groups.
std::string rods(const std::string& joint, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  pendulum: {{links: 24, length: 0.2, mass: 0.3, body: rod, joint: {}, angle: 0.4,
             compliant: {{every: 2, stiffness: 2.0e3, damping: 2}}}}
partition: {{parts: 3}}
simulate: {{end: 0.2, output: 0.01}}
{}
)",
                     joint, rest);
}

std::string network(const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  network: {{masses: 80, neighbours: 5, mass: {{uniform: [0.5, 1.5]}}, spring: {{c: {{uniform: [200, 800]}}, d: 0.5}},
            velocity: {{uniform: [-0.2, 0.2]}}, fixed: 4, seed: 3}}
partition: {{parts: 3}}
simulate: {{end: 1, output: 0.05}}
{}
)",
                     rest);
}

const std::string overlap = "couple: {decomposition: overlap}\n";
const std::string two_layers = "couple: {decomposition: overlap, layers: 2}\n";

struct Case {
  const char* name;
  std::string text;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

const Case cases[] = {
    {"StripOfPoints", strip(overlap)},
    {"StripOfTwoLayers", strip(two_layers)},
    {"RodsWithPins", rods("revolute", two_layers)},
    {"RodsWithBalls", rods("spherical", two_layers)},
    {"NetworkInSpace", network(two_layers)},
    {"TrainWithFriction",
     train(48, "partition: {parts: 3}\ncouple: {decomposition: overlap}\nsolve: {method: rk}\n")},
    {"TrainOfTwoLayers",
     train(48, "partition: {parts: 3}\ncouple: {decomposition: overlap, layers: 2}\nsolve: {method: rk}\n")},
    {"StiffSolver",
     rods("revolute", "couple: {decomposition: overlap, layers: 2}\nsolve: {method: radau}\n")},
};

Memory run(const std::string& text, const std::vector<std::string>& settings = {}) {
  Bench bench(text, 2, {}, settings);
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  return std::move(bench.memory);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

class OverlapOfMechanisms : public ::testing::TestWithParam<Case> {};

TEST_P(OverlapOfMechanisms, AgreesWithTheUncutRun) {
  const Memory cut = run(GetParam().text, {"solve.rtol=1e-6"});
  const Memory whole = run(GetParam().text, {"solve.rtol=1e-6", "partition=none"});
  const Memory exact = run(GetParam().text, {"solve.rtol=1e-9", "solve.method=auto", "partition=none"});
  ASSERT_THAT(cut.layers, ::testing::Not(::testing::IsEmpty()));
  EXPECT_GT(*std::max_element(cut.layers.begin(), cut.layers.end()), 0);
  const auto expect_close = [](const std::vector<double>& a, const std::vector<double>& b,
                               const std::vector<double>& reference) {
    EXPECT_LT(largest_difference(a, reference), std::max(10 * largest_difference(b, reference), 1e-5));
  };
  expect_close(cut.position, whole.position, exact.position);
  expect_close(cut.velocity, whole.velocity, exact.velocity);
}

TEST_P(OverlapOfMechanisms, ThreadsAndStepsTakenBackLeaveNoTrace) {
  const Outcome one = outcome_of(GetParam().text, 1, 0);
  ASSERT_GT(one.memory.accepted(), 3U);
  expect_same(one, outcome_of(GetParam().text, 2, 0));
  expect_same(one, outcome_of(GetParam().text, 2, 3));
}

INSTANTIATE_TEST_SUITE_P(Runs, OverlapOfMechanisms, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

/// What the elements of other parts remember comes with the copies: without it a brake would begin anew in
/// every macro step and hold nothing.
TEST(OverlapOfMechanism, CopiesRememberAsTheirOwnersDo) {
  Bench bench(train(48, "partition: {parts: 3}\ncouple: {decomposition: overlap, layers: 4}\n"));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const auto& lane = dynamic_cast<const OverlapLane&>(bench.lanes->lane(0));
  const Component& own = *bench.assembly->subsystems[0];
  EXPECT_GT(lane.carried(), own.bodies().size());
  EXPECT_EQ(own.remembered().size(), lane.states().size() + lane.memory().size());
  const Memory whole = run(train(48, ""));
  EXPECT_LT(largest_difference(bench.memory.velocity, whole.velocity), 1e-3);
}

/// Rigid bodies that turn against each other: nobody counts turns where bodies are copied, so the run must
/// end before an angle passes half a turn. Uncut it goes on.
TEST(OverlapOfMechanism, ALostTurnEndsTheRun) {
  std::string bodies, elements;
  for (int i = 1; i <= 12; ++i) {
    bodies += fmt::format(
        "    - {{name: r{0}, kind: rigid, mass: 1, inertia: [1, 1, 1.5, 0, 0, 0], position: [0, 0, {0}], "
        "angular_velocity: [0, 0, {1}]}}\n",
        i, i % 3 == 0 ? 6 : -3);
    if (i > 1)
      elements += fmt::format(
          "    - {{name: t{1}, kind: torsion, from: r{0}, to: r{1}, axis: [0, 0, 1], c: 1, d: 0.02}}\n",
          i - 1, i);
  }
  const std::string text = fmt::format(
      "cosimo: 1\nmodel:\n  bodies:\n{}  elements:\n{}simulate: {{end: 2, output: 0.1}}\n", bodies, elements);
  Bench whole(text);
  EXPECT_EQ(whole.run().status, LoopResult::Status::ok);
  Bench cut(text + "partition: {parts: 2}\ncouple: {decomposition: overlap, layers: 2}\n");
  const LoopResult result = cut.run();
  EXPECT_EQ(result.status, LoopResult::Status::failed);
  EXPECT_THAT(result.reason, ::testing::HasSubstr("half a turn"));
}

/// A hundred times tighter: the error falls by at least twenty, and stays below what was asked for.
TEST(OverlapOfMechanism, ErrorsFollowTheTolerance) {
  const std::string text = strip(overlap, 3);
  const Memory exact = run(text, {"solve.rtol=1e-11", "partition=none"});
  double before = HUGE_VAL;
  for (const double rtol : {1e-3, 1e-5, 1e-7}) {
    const Memory cut = run(text, {fmt::format("solve.rtol={}", rtol)});
    const double error = largest_difference(cut.position, exact.position);
    EXPECT_LT(error, 30 * rtol) << rtol;
    EXPECT_LT(error, before / 20) << rtol;
    before = error;
  }
}

/// A ladder of masses in the plane, written out with body `order[i]` in the place i of the file.
std::string ladder(const std::vector<std::size_t>& order, const std::string& rest) {
  const std::size_t length = order.size() / 2;
  const RandomStream velocity(5, 0);
  std::string text = "cosimo: 1\nmodel:\n  bodies:\n";
  for (const std::size_t b : order)
    text += fmt::format(
        "    - {{name: m{}, kind: point, dimensions: 2, mass: 1, position: [{}, {}], velocity: [{}, {}]}}\n",
        b, b % length, b / length, velocity.uniform(2 * b, -0.5, 0.5),
        velocity.uniform(2 * b + 1, -0.5, 0.5));
  text += "  elements:\n";
  const auto join = [&](std::size_t a, std::size_t b) {
    text +=
        fmt::format("    - {{name: s{0}_{1}, kind: spring, from: m{0}, to: m{1}, c: 100, d: 0.1}}\n", a, b);
  };
  for (std::size_t i = 0; i < length; ++i) {
    join(i, i + length);
    if (i + 1 == length) break;
    join(i, i + 1);
    join(i + length, i + length + 1);
    join(i, i + length + 1);
    join(i + 1, i + length);
  }
  return text + "simulate: {end: 1, output: 0.05}\n" + rest;
}

/// METIS finds the cuts, and overlaps their bodies, whatever the numbers of the bodies are.
TEST(OverlapOfMechanism, NumbersOfBodiesDoNotMatter) {
  std::vector<std::size_t> order(120);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Memory whole = run(ladder(order, ""));
  const RandomStream random(9, 0);
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i + 1))]);
  const Memory cut = run(ladder(order, "partition: {method: metis, parts: 4}\n" + overlap));
  ASSERT_EQ(cut.position.size(), whole.position.size());
  const std::size_t columns = 2 * order.size();
  double most = 0;
  for (std::size_t i = 0; i < cut.position.size(); ++i) {
    const std::size_t row = i / columns, body = (i % columns) / 2, axis = i % 2;
    most =
        std::max(most, std::fabs(cut.position[i] - whole.position[row * columns + 2 * order[body] + axis]));
  }
  EXPECT_LT(most, 1e-5);
}

/// Pieces of the whole far away from the cut are not carried.
TEST(OverlapOfMechanism, CarriesOnlyWhatItNeeds) {
  Bench bench(strip(overlap), 1, {}, std::vector<std::string>{"solve.rtol=1e-4"});
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  ASSERT_NE(bench.assembly->overlap, nullptr);
  for (const CouplingPlan::Cut& cut : bench.assembly->plan.cuts) EXPECT_EQ(cut.carrier, Carrier::both);
  EXPECT_GE(bench.overlap().point().layers, 1);
  EXPECT_LT(bench.overlap().point().layers, 15) << "of the 20 columns of a part";
}

TEST(OverlapOfMechanism, GroupsOfJoinedBodiesComeAlongWhole) {
  Bench bench(rods("revolute", two_layers));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  for (std::size_t part = 0; part < bench.lanes->size(); ++part) {
    const auto& lane = dynamic_cast<const OverlapLane&>(bench.lanes->lane(part));
    EXPECT_EQ(lane.carried() % 2, 0U) << "half a group in part " << part;
    EXPECT_GT(lane.carried(), bench.assembly->subsystems[part]->bodies().size());
  }
}

TEST(ChosenForMechanisms, OverlapsOnlyWhereTheyPay) {
  const auto assembled = [](const std::string& text) {
    return assemble(config::parse_scenario(text, "test"));
  };
  const std::string long_strip = R"(cosimo: 1
model: {lattice: {size: [1200, 2], coordinates: space, diagonals: true, mass: 1, spring: {c: 100}}}
partition: {parts: 3}
simulate: {end: 0.1}
)";
  const auto pays = assembled(long_strip);
  EXPECT_NE(pays->overlap, nullptr) << pays->choices.back();
  const auto small = assembled(network(""));
  EXPECT_EQ(small->overlap, nullptr);
  EXPECT_EQ(small->subsystems.size(), 3U);
  EXPECT_THAT(small->choices, ::testing::Contains(::testing::HasSubstr("auto -> explicit, force-force")));
}

}  // namespace
}  // namespace cosimo::testing
