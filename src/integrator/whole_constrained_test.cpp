// Systems with constraints and first-order states, by every method that takes them.
#include <gtest/gtest.h>

#include <cmath>

#include "integrator/method_testing.hpp"
#include "integrator/radau.hpp"
#include "integrator/whole_constrained_testing.hpp"

namespace cosimo {
namespace {

using namespace cosimo::testing;

const std::vector<double> begin_z{0.4, -0.9};

struct All {
  std::vector<double> q, v, z;
};

All all_of(const Integrator& it) {
  return {{it.position().begin(), it.position().end()},
          {it.velocity().begin(), it.velocity().end()},
          {it.states().begin(), it.states().end()}};
}

double distance(const All& a, const All& b) {
  return std::max({testing::distance(a.q, b.q), testing::distance(a.v, b.v), testing::distance(a.z, b.z)});
}

All reference(const System& system, const Begin& begin, double end) {
  IntegratorOptions tight;
  tight.method = Method::rk;
  tight.tolerances = {1e-13, 1e-13, 1e-13};
  auto it = make_integrator(system, tight);
  it->start(0, begin.q, begin.v, begin_z, {});
  EXPECT_TRUE(it->advance(end, {}).ok);
  return all_of(*it);
}

/// Steps of equal size; the tolerances rule the iteration and the projection only.
All equal_steps(const ConstrainedSystem& system, const Begin& begin, double end, int steps) {
  const Tolerances tight{1e-8, 1e-8, 1e-8};
  auto stepper = make_radau_stepper(system, tight);
  const std::size_t n = system.size();
  State from(n, 0, system.extent()), to(n, 0, system.extent());
  Counters counters;
  std::copy(begin.q.begin(), begin.q.end(), from.q.begin());
  std::copy(begin.v.begin(), begin.v.end(), from.v.begin());
  std::copy(begin_z.begin(), begin_z.end(), from.z.begin());
  for (int k = 0; k < steps; ++k) {
    const double h = end / steps;
    from.t = k * h;
    to.t = (k + 1) * h;
    EXPECT_TRUE(system.evaluate(from.t, from.whole(), from.a.data(), from.z_rate.data()));
    const Point point{from.t,  from.q.data(), from.v.data(),      from.a.data(),
                      nullptr, from.z.data(), from.z_rate.data(), nullptr};
    const double error = stepper->attempt(point, h, false, to, counters);
    EXPECT_TRUE(std::isfinite(error));
    EXPECT_NE(error, 10) << "the iteration did not converge";
    bool moved = false;
    EXPECT_TRUE(system.project(to.t, to.q.data(), to.v.data(), same_for_both(1e-12, 1e-12), moved));
    std::copy(to.q.begin(), to.q.end(), from.q.begin());
    std::copy(to.v.begin(), to.v.end(), from.v.begin());
    std::copy(to.z.begin(), to.z.end(), from.z.begin());
  }
  return {{from.q.begin(), from.q.end()}, {from.v.begin(), from.v.end()}, {from.z.begin(), from.z.end()}};
}

TEST(WholeRadau, OrderFiveOnADoublePendulum) {
  const LaggingParticles system(double_pendulum());
  const Begin begin = double_pendulum_at(0.6, 0.9);
  const All exact = reference(system, begin, 0.7);
  double last = 0;
  for (const int steps : {30, 42, 59}) {
    const double error = distance(equal_steps(system, begin, 0.7, steps), exact);
    if (last > 0) {
      EXPECT_GT(std::log(last / error) / std::log(1.4), 4.5) << steps << " steps, error " << error;
      EXPECT_LT(std::log(last / error) / std::log(1.4), 5.5) << steps << " steps, error " << error;
    }
    last = error;
  }
}

class WholeConstrained : public MethodTest {};

TEST_P(WholeConstrained, FollowTheTolerance) {
  const LaggingParticles system(double_pendulum());
  const Begin begin = double_pendulum_at(0.6, 0.9);
  const All exact = reference(system, begin, 2);
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    auto it = make(system, tolerance);
    it->start(0, begin.q, begin.v, begin_z, {});
    const AdvanceResult result = it->advance(2, {});
    ASSERT_TRUE(result.ok) << result.reason;
    const double error = distance(all_of(*it), exact);
    EXPECT_LT(error, 500 * tolerance);
    EXPECT_LT(error, 0.5 * last);
    last = error;
  }
}

TEST_P(WholeConstrained, SamplesAgreeWithStops) {
  const LaggingParticles system(double_pendulum());
  const Begin begin = double_pendulum_at(0.6, 0.9);
  auto sampled = make(system, 1e-9), stopped = make(system, 1e-9);
  for (Integrator* it : {sampled.get(), stopped.get()}) it->start(0, begin.q, begin.v, begin_z, {});
  const std::vector times{0.13, 0.51};
  const std::vector<std::int32_t> dofs{1, 2}, states{1};
  std::vector<double> q(4), v(4), z(2);
  ASSERT_TRUE(sampled->advance(1, {{times, dofs, q, v, states, z}}).ok);
  for (std::size_t k = 0; k < times.size(); ++k) {
    ASSERT_TRUE(stopped->advance(times[k], {}).ok);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(q[2 * k + i], stopped->position()[i + 1], 1e-6);
      EXPECT_NEAR(v[2 * k + i], stopped->velocity()[i + 1], 1e-6);
    }
    EXPECT_NEAR(z[k], stopped->states()[1], 1e-6);
  }
}

/// A pendulum is struck each time it passes its lowest point to the left; events are met on the constraints.
TEST_P(WholeConstrained, EventsAndRollback) {
  LaggingParticles system(pendulum());
  system.height = -0.9;
  int events = 0;
  system.event = [&](double, std::span<const std::int8_t> crossed, Editable& y) {
    if (crossed[0] > 0) return Fired::none;
    ++events;
    y.z[0] = 0;
    return Fired::outputs;
  };
  const Begin begin = pendulum_at(1);
  auto it = make(system, 1e-7);
  it->start(0, begin.q, begin.v, begin_z, {});
  auto snapshot = it->make_snapshot();
  const auto run = [&](Integrator& x, double end) {
    std::vector<double> seen;
    for (int k = 0; k < 20; ++k) {
      const AdvanceResult result = x.advance(end, {});
      EXPECT_TRUE(result.ok) << result.reason;
      seen.push_back(result.reached);
      if (!result.early) break;
      EXPECT_NEAR(x.position()[1], -0.9, 1e-6);
      EXPECT_NEAR(std::hypot(x.position()[0], x.position()[1]), 1, 1e-6);
      x.fire(result.crossed);
    }
    const All end_state = all_of(x);
    for (const auto* part : {&end_state.q, &end_state.v, &end_state.z})
      seen.insert(seen.end(), part->begin(), part->end());
    return seen;
  };
  run(*it, 0.2);
  it->save(*snapshot);
  const auto first = run(*it, 5);
  EXPECT_GT(first.size(), 8U);
  EXPECT_GT(events, 1);
  it->restore(*snapshot);
  EXPECT_EQ(run(*it, 5), first);
  it->restore(*snapshot);
  Archive out;
  it->archive(out);
  const std::vector<std::byte> bytes = out.take();
  Archive in(bytes);
  auto loaded = make(system, 1e-7);
  loaded->archive(in);
  in.finish();
  EXPECT_EQ(run(*loaded, 5), first);
}

/// Both relax in microseconds.
TEST_P(WholeConstrained, StiffStates) {
  if (GetParam() == Method::rk || GetParam() == Method::merson) return;
  LaggingParticles stiff(pendulum());
  stiff.c = 1e6;
  stiff.relaxation = 1e6;
  stiff.lag = 1e-6;
  const Begin begin = pendulum_at(1);
  auto it = make(stiff, 1e-6);
  it->start(0, begin.q, begin.v, std::vector{0.0, begin.q[1]}, {});
  const AdvanceResult result = it->advance(3, {});
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_LT(it->status().counters.steps, 1500);
  EXPECT_NEAR(it->states()[0], it->velocity()[0], 1e-4);
  EXPECT_NEAR(it->states()[1], it->position()[1], 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Methods, WholeConstrained,
                         ::testing::Values(Method::rk, Method::merson, Method::radau, Method::automatic,
                                           Method::ida));

}  // namespace
}  // namespace cosimo
