#include "subsystem/overlap.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"
#include "subsystem/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using samples::largest_difference;
using samples::options_of;
using samples::OverlappedChain;
using samples::Uncut;
using samples::unit_chain;
using samples::values;

TEST(OverlapSubsystem, PortsAndBodiesAreThoseOfThePart) {
  OverlappedChain cut(unit_chain(12), {4, 8}, options_of(Method::rk, 1e-8));
  cut.carry_layers(3);
  ASSERT_TRUE(cut.step({0, 0.5}));
  const OverlapSubsystem& middle = *cut.subsystems[1];
  ASSERT_EQ(middle.ports().size(), 2U);
  EXPECT_EQ(middle.bodies().size(), 4U);
  EXPECT_EQ(middle.cut_ports()[0].body.label(), 5);
  EXPECT_EQ(middle.cut_ports()[0].dof, 0);
  EXPECT_EQ(middle.beyond(0).label(), 4);
  EXPECT_EQ(middle.beyond(1).label(), 9);
  const OverlapLane& lane = *cut.lanes[1];
  EXPECT_EQ(lane.carried(), 10U);
  EXPECT_EQ(lane.position().size(), 4U);
  std::vector<PortState> y(2);
  lane.outputs(0, {}, y);
  EXPECT_EQ(y[0].x, lane.position()[0]);
  EXPECT_EQ(y[1].v, lane.velocity()[3]);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(cut.x()[4 + i], lane.position()[i]) << "published";
}

TEST(OverlapSubsystem, RefusesAMultistepMethod) {
  EXPECT_THROW(OverlappedChain(unit_chain(12), {4}, options_of(Method::ida, 1e-6)), Bug);
}

TEST(OverlapLane, MustBeConnected) {
  OverlappedChain cut(unit_chain(12), {4}, options_of(Method::rk, 1e-6));
  const auto lane = cut.subsystems[0]->make_lane();
  EXPECT_THROW((void)lane->advance({0, 1}, std::vector<Polynomial>(1), {}), Bug);
}

class Methods : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(All, Methods, ::testing::Values(Method::rk, Method::rosenbrock, Method::automatic),
                         [](const auto& i) {
                           return i.param == Method::rk           ? "rk"
                                  : i.param == Method::rosenbrock ? "rosenbrock"
                                                                  : "automatic";
                         });

TEST_P(Methods, WhoCarriesEverythingRepeatsTheUncutModelToTheBit) {
  ChainSpec spec = samples::chain_spec(40, 5);
  spec.loads.push_back({.kind = HarmonicSpec{.amplitude = 10.0, .omega = 1e5}});
  const IntegratorOptions options = options_of(GetParam(), 1e-6);
  OverlappedChain cut(spec, {9, 25}, options);
  cut.carry_layers(1000);
  const double H = 2e-6;
  // The very first steps are cautious, in every subsystem in its own way.
  ASSERT_TRUE(cut.step({0, H}, 20));
  Uncut warm(cut.model, options), whole(cut.model, options);
  ASSERT_TRUE(warm.step(H, 20));
  whole.integrator->start(H, cut.x(), cut.v());
  whole.integrator->inherit(*warm.integrator);
  std::vector<std::int64_t> steps;
  for (const auto& lane : cut.lanes) steps.push_back(lane->status().counters.steps);
  std::int64_t taken = 0;
  for (int k = 1; k < 13; ++k) {
    // As many steps as the most demanding one wants.
    double wanted = whole.integrator->status().next_step;
    for (const auto& lane : cut.lanes) wanted = std::min(wanted, lane->status().next_step);
    const auto grid = static_cast<std::int64_t>(std::ceil(H / wanted));
    taken += grid;
    ASSERT_TRUE(cut.step({k * H, (k + 1) * H}, grid));
    ASSERT_TRUE(whole.step((k + 1) * H, grid));
    ASSERT_EQ(cut.x(), whole.x()) << "step " << k;
    ASSERT_EQ(cut.v(), whole.v()) << "step " << k;
  }
  for (std::size_t p = 0; p < steps.size(); ++p)
    EXPECT_EQ(cut.lanes[p]->status().counters.steps, steps[p] + taken) << "on the grid";
}

/// The largest error of an owned body after one macro step, with w layers.
double error_with(std::size_t w, double H, std::uint64_t seed) {
  const IntegratorOptions tight = options_of(Method::rk, 1e-13);
  OverlappedChain cut(unit_chain(100, seed), {50}, tight);
  Uncut whole(cut.model, tight);
  cut.carry_layers(w);
  EXPECT_TRUE(cut.step({0, H}));
  EXPECT_TRUE(whole.step(H));
  return std::max(largest_difference(cut.x(), whole.x()), 1e-16);
}

// An impulse on a body of the infinite chain moves another one, w elements away, by the integral of
// J_2w(2 t). The force held at the far edge is wrong by about F' t, and J_2w(2 t) grows like t^2w as long as
// t < w: three integrations divide by (2w+1)(2w+2)(2w+3).
TEST(OverlapLane, TheErrorDecaysLikeTheBesselFunction) {
  for (const double H : {2.0, 5.0})
    for (double w = H + 1;; w += 1) {
      const double bessel = std::fabs(std::cyl_bessel_j(2 * w, 2 * H));
      if (bessel < 1e-9) break;
      double error = 0;
      for (std::uint64_t seed = 1; seed <= 4; ++seed)
        error = std::max(error, error_with(static_cast<std::size_t>(w), H, seed));
      const double law = H * H * H * bessel / ((2 * w + 1) * (2 * w + 2) * (2 * w + 3));
      EXPECT_LT(error, 8 * law) << "H " << H << ", " << w << " layers";
      EXPECT_GT(error, 0.3 * law) << "H " << H << ", " << w << " layers";
    }
}

TEST(OverlapLane, CopiesAreOverwrittenByTheirOwnersAtEveryPoint) {
  OverlappedChain cut(unit_chain(40), {20}, options_of(Method::rk, 1e-11));
  cut.carry_layers(4);
  ASSERT_TRUE(cut.step({0, 3}));
  const PortState copy = cut.lanes[0]->copy(0);
  EXPECT_GT(std::fabs(copy.x - cut.x()[20]), 1e-5) << "too few layers: copy and owner differ";
  // A very short step later the copy has come from the owner's state.
  ASSERT_TRUE(cut.step({3, 3 + 1e-8}));
  EXPECT_NEAR(cut.lanes[0]->copy(0).x, cut.x()[20], 1e-12);
  EXPECT_NEAR(cut.lanes[0]->copy(0).v, cut.v()[20], 1e-12);
}

TEST(OverlapLane, WithoutCopiesThePolynomialDrives) {
  OverlappedChain cut(unit_chain(10), {5}, options_of(Method::rk, 1e-11));
  Polynomial pull;
  pull.a[0] = 0.7;
  cut.lanes[0]->carry(
      std::make_shared<const OverlappingPart>(samples::part_of_chain(cut.model, {0, 5}, 0, 0)));
  const auto momentum = [&] {
    double sum = 0;
    for (const double v : cut.lanes[0]->velocity()) sum += v;
    return sum;
  };
  const double before = momentum();
  const double wall = cut.lanes[0]->position()[0];
  const double H = 1e-4;
  ASSERT_EQ(cut.lanes[0]->advance({0, H}, std::vector{pull}, {}).status, StepStatus::ok);
  EXPECT_NEAR(momentum() - before, H * (0.7 - wall), 1e-7);
}

TEST_P(Methods, NewCopiesKeepStateCountersAndWork) {
  OverlappedChain cut(unit_chain(40), {15, 28}, options_of(GetParam(), 1e-7));
  cut.carry_layers(6);
  ASSERT_TRUE(cut.step({0, 1}));
  for (const std::size_t layers : {10, 2, 40, 6}) {
    const auto before = cut.lanes[1]->status();
    const double work = cut.lanes[1]->work();
    const double t = 1;
    const std::vector<double> x = values(cut.lanes[1]->position()), v = values(cut.lanes[1]->velocity());
    cut.carry_layers(layers);
    std::vector<double> times{t}, q(13), w(13);
    std::vector<std::int32_t> dofs(13);
    for (std::int32_t i = 0; i < 13; ++i) dofs[static_cast<std::size_t>(i)] = i;
    const auto memory = cut.lanes[1]->make_snapshot();
    cut.lanes[1]->save(*memory);
    ASSERT_EQ(cut.advance(1, {t, t + 0.5}, 0, {times, dofs, q, w}).status, StepStatus::ok);
    EXPECT_EQ(q, x) << "the owned bodies go on from where they were";
    EXPECT_EQ(w, v);
    const auto after = cut.lanes[1]->status();
    EXPECT_GT(after.counters.steps, before.counters.steps);
    EXPECT_LT(after.counters.steps, before.counters.steps + 100) << "the step size was kept";
    const std::size_t bodies = std::min<std::size_t>(15, layers) + 13 + std::min<std::size_t>(12, layers);
    EXPECT_EQ(cut.lanes[1]->carried(), bodies);
    EXPECT_DOUBLE_EQ(
        cut.lanes[1]->work() - work,
        static_cast<double>(bodies) * (counted_work(after.counters) - counted_work(before.counters)));
    cut.lanes[1]->restore(*memory);
    EXPECT_EQ(cut.lanes[1]->work(), work);
  }
}

/// Everything a lane can be asked for.
std::vector<double> story(const OverlapLane& lane) {
  std::vector<double> result = values(lane.position());
  const std::vector<double> v = values(lane.velocity());
  result.insert(result.end(), v.begin(), v.end());
  const auto status = lane.status();
  result.insert(result.end(), {lane.work(), static_cast<double>(status.counters.steps),
                               static_cast<double>(status.counters.evaluations), status.next_step,
                               static_cast<double>(lane.carried())});
  for (std::size_t port = 0; port < 2; ++port)
    if (lane.carries(port)) result.insert(result.end(), {lane.copy(port).x, lane.copy(port).v});
  return result;
}

TEST_P(Methods, RestoreThenRepeatGivesTheSameBits) {
  OverlappedChain cut(unit_chain(60), {20, 40}, options_of(GetParam(), 1e-7));
  cut.carry_layers(8);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(cut.step({k * 1.0, k + 1.0}, 12));
  OverlapLane& lane = *cut.lanes[1];
  const auto memory = lane.make_snapshot();
  lane.save(*memory);
  const std::vector<double> at_save = story(lane);
  const auto repeat = [&](std::size_t layers, double H) {
    cut.carry(1, layers, layers);
    EXPECT_EQ(cut.advance(1, {3, 3 + H}, 12).status, StepStatus::ok);
    return story(lane);
  };
  cut.carry(1, 8, 8);
  const std::vector<double> same = repeat(8, 1);
  lane.restore(*memory);
  EXPECT_EQ(story(lane), at_save);
  const std::vector<double> wider = repeat(15, 1);
  EXPECT_NE(same, wider);
  for (int i = 0; i < 3; ++i) {
    lane.restore(*memory);
    EXPECT_EQ(story(lane), at_save);
    (void)repeat(3, 0.4);
    lane.restore(*memory);
    EXPECT_EQ(repeat(15, 1), wider);
    lane.restore(*memory);
    EXPECT_EQ(repeat(8, 1), same);
  }
}

TEST_P(Methods, ASnapshotMovesToAnotherLane) {
  OverlappedChain cut(unit_chain(60), {20, 40}, options_of(GetParam(), 1e-7));
  cut.carry_layers(8);
  OverlapLane& lane = *cut.lanes[1];
  OverlapLane other(*cut.subsystems[1]);
  other.connect(cut.states);
  const auto part =
      std::make_shared<const OverlappingPart>(samples::part_of_chain(cut.model, {20, 40}, 8, 8));
  lane.carry(part);
  other.carry(part);
  ASSERT_TRUE(cut.step({0, 1}));
  const auto memory = lane.make_snapshot();
  lane.save(*memory);
  const std::vector<double> at_save = story(lane);
  other.restore(*memory);
  EXPECT_EQ(story(other), at_save);
  const std::vector<Polynomial> none(2);
  ASSERT_EQ(other.advance({1, 2}, none, {}).status, StepStatus::ok);
  EXPECT_EQ(story(lane), at_save) << "lanes do not share what changes";
  ASSERT_EQ(lane.advance({1, 2}, none, {}).status, StepStatus::ok);
  EXPECT_EQ(values(lane.position()), values(other.position()));
  EXPECT_EQ(lane.status().counters.steps, other.status().counters.steps);
}

TEST_P(Methods, SamplesAreThoseOfTheOwnedBodies) {
  const IntegratorOptions options = options_of(GetParam(), 1e-9);
  OverlappedChain cut(unit_chain(60), {20, 40}, options);
  Uncut whole(cut.model, options);
  cut.carry_layers(16);
  const std::vector<double> times{0.3, 0.77, 1.0};
  const std::vector<std::int32_t> own{0, 7, 19}, all{20, 27, 39};
  std::vector<double> q(9), v(9), q_ref(9), v_ref(9);
  ASSERT_EQ(cut.advance(1, {0, 1}, 0, {times, own, q, v}).status, StepStatus::ok);
  ASSERT_TRUE(whole.step(1, 0, {times, all, q_ref, v_ref}));
  EXPECT_LT(largest_difference(q, q_ref), 1e-6);
  EXPECT_LT(largest_difference(v, v_ref), 1e-6);
}

TEST_P(Methods, AFailedAdvanceLeavesTheSnapshotUsable) {
  IntegratorOptions options = options_of(GetParam(), 1e-7);
  options.max_steps = 80;
  OverlappedChain cut(unit_chain(60), {20, 40}, options);
  cut.carry_layers(8);
  ASSERT_TRUE(cut.step({0, 1}, 12));
  OverlapLane& lane = *cut.lanes[1];
  const auto memory = lane.make_snapshot();
  lane.save(*memory);
  const std::vector<double> next = values(cut.states.next_x());
  cut.carry(1, 12, 12);
  const StepResult failed = cut.advance(1, {1, 200});
  EXPECT_EQ(failed.status, StepStatus::failed);
  EXPECT_GT(failed.reached, 1);
  EXPECT_LT(failed.reached, 200);
  EXPECT_FALSE(failed.reason.empty());
  EXPECT_EQ(values(cut.states.next_x()), next) << "nothing is published";
  lane.restore(*memory);
  ASSERT_EQ(cut.advance(1, {1, 2}, 12).status, StepStatus::ok);
  const std::vector<double> after_failure = story(lane);
  lane.restore(*memory);
  ASSERT_EQ(cut.advance(1, {1, 2}, 12).status, StepStatus::ok);
  EXPECT_EQ(story(lane), after_failure);
}

TEST(OverlapLane, ASteadyStepDoesNotAllocate) {
  OverlappedChain cut(samples::chain_spec(600), {200, 400}, options_of(Method::rk, 1e-5));
  cut.carry_layers(20);
  const double H = 2e-6;
  const std::vector<Polynomial> none(2);
  std::vector<std::unique_ptr<Snapshot>> memory;
  for (const auto& lane : cut.lanes) memory.push_back(lane->make_snapshot());
  std::size_t before = 0;
  for (int k = 0; k < 20; ++k) {
    if (k == 8) before = allocation_count();
    for (std::size_t p = 0; p < 3; ++p) {
      cut.lanes[p]->save(*memory[p]);
      cut.lanes[p]->use_grid(8);
      ASSERT_EQ(cut.lanes[p]->advance({k * H, (k + 1) * H}, none, {}).status, StepStatus::ok);
    }
    cut.states.accept();
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
