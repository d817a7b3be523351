// What every method promises for systems with first-order states and memory.
#include <gtest/gtest.h>

#include <cmath>

#include "integrator/method_testing.hpp"
#include "integrator/whole_testing.hpp"

namespace cosimo {
namespace {

using namespace cosimo::testing;

std::vector<double> everything_of(const Integrator& it) {
  std::vector<double> all = state(it);
  all.insert(all.end(), it.states().begin(), it.states().end());
  all.insert(all.end(), it.memory().begin(), it.memory().end());
  all.push_back(static_cast<double>(it.status().counters.steps));
  return all;
}

void begin(Integrator& it, const WholeBegin& at) {
  it.start(0, at.q, at.v, at.z, at.s);
}

class WholeMethods : public MethodTest {};

TEST_P(WholeMethods, FollowTheTolerance) {
  const WholeSystem system = coupled_system();
  IntegratorOptions tight;
  tight.method = Method::rk;
  tight.tolerances = {1e-12, 1e-12, 1e-12};
  auto exact = make_integrator(system, tight);
  begin(*exact, coupled_begin());
  ASSERT_TRUE(exact->advance(5, {}).ok);
  double last = 1;
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    auto it = make(system, tolerance);
    begin(*it, coupled_begin());
    const AdvanceResult result = it->advance(5, {});
    ASSERT_TRUE(result.ok) << result.reason;
    const double error = std::max(distance(state(*it), state(*exact)),
                                  distance({it->states().begin(), it->states().end()},
                                           {exact->states().begin(), exact->states().end()}));
    EXPECT_LT(error, 200 * tolerance);
    EXPECT_LT(error, 0.5 * last);
    last = error;
  }
}

/// No coordinates at all: an oscillator of two states with decay.
TEST_P(WholeMethods, StatesAlone) {
  WholeSystem system(0, {.z = 2});
  system.rates = [](double, const Whole& y, double*, double* r) {
    r[0] = -0.1 * y.z[0] + 2 * y.z[1];
    r[1] = -2 * y.z[0] - 0.1 * y.z[1];
  };
  auto it = make(system, 1e-8);
  it->start(0, {}, {}, std::vector{1.0, 0.0}, {});
  const std::vector times{0.25, 1.1, 2.9, 3.0};
  const std::vector<std::int32_t> wanted{1, 0};
  std::vector<double> seen(8);
  ASSERT_TRUE(it->advance(3, {{times, {}, {}, {}, wanted, seen}}).ok);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double t = times[k], decay = std::exp(-0.1 * t);
    EXPECT_NEAR(seen[2 * k], -decay * std::sin(2 * t), 2e-6);
    EXPECT_NEAR(seen[2 * k + 1], decay * std::cos(2 * t), 2e-6);
  }
}

TEST_P(WholeMethods, SamplesAgreeWithStops) {
  const WholeSystem system = coupled_system();
  auto sampled = make(system, 1e-9), stopped = make(system, 1e-9);
  begin(*sampled, coupled_begin());
  begin(*stopped, coupled_begin());
  const std::vector times{0.3, 0.71, 1.44};
  const std::vector<std::int32_t> both{0, 1};
  std::vector<double> q(6), v(6), z(6);
  ASSERT_TRUE(sampled->advance(2, {{times, both, q, v, both, z}}).ok);
  for (std::size_t k = 0; k < times.size(); ++k) {
    ASSERT_TRUE(stopped->advance(times[k], {}).ok);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(q[2 * k + i], stopped->position()[i], 1e-6);
      EXPECT_NEAR(v[2 * k + i], stopped->velocity()[i], 1e-6);
      EXPECT_NEAR(z[2 * k + i], stopped->states()[i], 1e-6);
    }
  }
}

/// Free oscillation that yields once: the closed form of a quarter of a cosine, a parabola, a cosine about
/// the plastic elongation.
TEST_P(WholeMethods, ElastoplasticSpringFollowsItsClosedForm) {
  const double c = 4, f = 1, v0 = 1, omega = 2;
  const WholeSystem system = elastoplastic(c, f);
  const double t_yield = std::asin(f * omega / (c * v0)) / omega, x_yield = f / c;
  const double v_yield = v0 * std::cos(omega * t_yield), t_turn = t_yield + v_yield / f;
  const double plastic = 0.5 * v_yield * v_yield / f, x_turn = x_yield + plastic;
  auto it = make(system, 1e-9);
  it->start(0, std::vector{0.0}, std::vector{v0}, {}, std::vector{0.0, 0.0});
  ASSERT_TRUE(it->advance(0.5 * (t_yield + t_turn), {}).ok);
  const double flown = 0.5 * (t_turn - t_yield);
  EXPECT_NEAR(it->position()[0], x_yield + v_yield * flown - 0.5 * f * flown * flown, 1e-7);
  EXPECT_NEAR(it->memory()[0], it->position()[0] - f / c, 1e-12);
  for (const double t : {t_turn + 0.2, t_turn + 0.9, t_turn + 5}) {
    ASSERT_TRUE(it->advance(t, {}).ok);
    EXPECT_NEAR(it->position()[0], plastic + f / c * std::cos(omega * (t - t_turn)), 3e-7);
    EXPECT_NEAR(it->memory()[0], plastic, 1e-7);
  }
  EXPECT_NEAR(x_turn, plastic + f / c, 1e-15);
}

TEST_P(WholeMethods, RestoreThenRepeatGivesTheSameBits) {
  const WholeSystem system = elastoplastic(4, 0.3);
  auto it = make(system, 1e-7);
  it->start(0, std::vector{0.0}, std::vector{1.0}, {}, std::vector{0.0, 0.0});
  ASSERT_TRUE(it->advance(0.11, {}).ok);
  auto snapshot = it->make_snapshot();
  it->save(*snapshot);
  const auto run_on = [](Integrator& x) {
    EXPECT_TRUE(x.advance(1.3, {}).ok);
    EXPECT_TRUE(x.advance(6.1, {}).ok);
    return everything_of(x);
  };
  const auto first = run_on(*it);
  it->restore(*snapshot);
  EXPECT_EQ(run_on(*it), first);
  auto lane = make(system, 1e-7);
  lane->start(0, std::vector{0.3}, std::vector{-1.0}, {}, std::vector{0.2, 0.0});
  ASSERT_TRUE(lane->advance(0.7, {}).ok);
  lane->restore(*snapshot);
  EXPECT_EQ(run_on(*lane), first);
}

TEST_P(WholeMethods, ArchivesGoOnWithTheSameBits) {
  const WholeSystem system = elastoplastic(4, 0.3), states = coupled_system();
  const auto check = [&](const WholeSystem& which, const WholeBegin& at) {
    auto it = make(which, 1e-7), other = make(which, 1e-7);
    begin(*it, at);
    ASSERT_TRUE(it->advance(0.9, {}).ok);
    Archive out;
    it->archive(out);
    const std::vector<std::byte> bytes = out.take();
    Archive in(bytes);
    other->archive(in);
    in.finish();
    ASSERT_TRUE(it->advance(3.1, {}).ok);
    ASSERT_TRUE(other->advance(3.1, {}).ok);
    EXPECT_EQ(everything_of(*it), everything_of(*other));
  };
  check(system, {{0}, {1}, {}, {0, 0}});
  check(states, coupled_begin());
}

class WholeStiff : public MethodTest {};

/// z' = -1e6 (z - cos t) follows the cosine; explicit steps would have to be of microseconds.
TEST_P(WholeStiff, FastDecayCostsFewSteps) {
  WholeSystem system(0, {.z = 1});
  system.rates = [](double t, const Whole& y, double*, double* r) { r[0] = -1e6 * (y.z[0] - std::cos(t)); };
  IntegratorOptions limited = options(1e-6);
  limited.max_step = 0.1;  // between its ends a step is as good as a polynomial of degree three
  auto it = make_integrator(system, limited);
  it->start(0, {}, {}, std::vector{2.0}, {});
  const std::vector times{0.5, 4.3};
  const std::vector<std::int32_t> first{0};
  std::vector<double> seen(2);
  const AdvanceResult result = it->advance(5, {{times, {}, {}, {}, first, seen}});
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_NEAR(it->states()[0], std::cos(5) - 1e-6 * std::sin(5), 1e-5);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(seen[k], std::cos(times[k]), 2e-5);
  EXPECT_LT(it->status().counters.steps, 600);
}

/// Robertson's reaction, the values at t = 40 from the literature (Hairer, Wanner II, Section IV.10).
TEST_P(WholeStiff, RobertsonsReaction) {
  WholeSystem system(0, {.z = 3});
  system.nominal = {1, 1e-5, 1};
  system.rates = [](double, const Whole& y, double*, double* r) {
    r[0] = -0.04 * y.z[0] + 1e4 * y.z[1] * y.z[2];
    r[2] = 3e7 * y.z[1] * y.z[1];
    r[1] = -r[0] - r[2];
  };
  auto it = make(system, 1e-6);
  it->start(0, {}, {}, std::vector{1.0, 0.0, 0.0}, {});
  const AdvanceResult result = it->advance(40, {});
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_NEAR(it->states()[0], 0.7158270688, 2e-5);
  EXPECT_NEAR(it->states()[1], 0.918553476e-5, 1e-9);
  EXPECT_NEAR(it->states()[2], 0.2841637458, 2e-5);
  EXPECT_LT(it->status().counters.steps, 2000);
}

/// Van der Pol's equation as two states, eps = 1e-6, the values at t = 2 from the same place.
TEST_P(WholeStiff, VanDerPolsOscillator) {
  WholeSystem system(0, {.z = 2});
  system.rates = [](double, const Whole& y, double*, double* r) {
    r[0] = y.z[1];
    r[1] = ((1 - y.z[0] * y.z[0]) * y.z[1] - y.z[0]) / 1e-6;
  };
  auto it = make(system, 1e-7);
  it->start(0, {}, {}, std::vector{2.0, -0.66}, {});
  const AdvanceResult result = it->advance(2, {});
  ASSERT_TRUE(result.ok) << result.reason;
  EXPECT_NEAR(it->states()[0], 1.706167732170483, 1e-5);
  EXPECT_NEAR(it->states()[1], -0.8928097010247975, 1e-5);
  EXPECT_LT(it->status().counters.steps, 6000);
}

/// Without events: every stage and iterate maps back onto the yield condition from the same memory, and the
/// error control finds the kinks.
TEST_P(WholeMethods, ReturnMappingAlone) {
  if (GetParam() == Method::merson) return;  // its error estimate sees kinks less well
  const double c = 4, f = 1;
  WholeSystem system(1, {.s = 1});
  const auto mapped = [=](const Whole& y) { return std::clamp(c * (y.q[0] - y.s[0]), -f, f); };
  system.rates = [=](double, const Whole& y, double* a, double*) { a[0] = -mapped(y); };
  system.committed = [=](double, const Whole& y, double* s) { s[0] = y.q[0] - mapped(y) / c; };
  auto it = make(system, 1e-6);
  it->start(0, std::vector{0.0}, std::vector{1.0}, {}, std::vector{0.0});
  const AdvanceResult result = it->advance(10, {});
  ASSERT_TRUE(result.ok) << result.reason;
  // All energy beyond that of the elastic limit is lost.
  EXPECT_NEAR(it->memory()[0], 0.375, 2e-3);
}

/// A mass on a stiff Maxwell element: the force z of spring and damper in a row relaxes in microseconds, what
/// is left is the damper.
TEST_P(WholeStiff, RelaxingForceOnAMass) {
  const double c = 1e6, d = 0.5;
  WholeSystem system(1, {.z = 1});
  system.rates = [=](double, const Whole& y, double* a, double* r) {
    a[0] = -4 * y.q[0] - y.z[0];
    r[0] = c * (y.v[0] - y.z[0] / d);
  };
  auto it = make(system, 1e-7);
  it->start(0, std::vector{1.0}, std::vector{0.0}, std::vector{0.0}, {});
  const AdvanceResult result = it->advance(4, {});
  ASSERT_TRUE(result.ok) << result.reason;
  const double delta = d / 2, omega = std::sqrt(4 - delta * delta), decay = std::exp(-delta * 4);
  EXPECT_NEAR(it->position()[0], decay * (std::cos(omega * 4) + delta / omega * std::sin(omega * 4)), 1e-5);
  EXPECT_NEAR(it->states()[0], d * it->velocity()[0], 1e-4);
  EXPECT_LT(it->status().counters.steps, 1500);
}

INSTANTIATE_TEST_SUITE_P(Methods, WholeStiff,
                         ::testing::Values(Method::rosenbrock, Method::automatic, Method::ida));

/// Neither coordinates nor states: time goes by.
TEST(WholeEmpty, NothingToIntegrate) {
  WholeSystem system(0, {});
  system.rates = [](double, const Whole&, double*, double*) {};
  for (const Method method : {Method::rk, Method::merson, Method::rosenbrock, Method::automatic}) {
    IntegratorOptions options;
    options.method = method;
    auto it = make_integrator(system, options);
    it->start(0, {}, {});
    const AdvanceResult result = it->advance(1, {});
    EXPECT_TRUE(result.ok) << result.reason;
    EXPECT_EQ(result.reached, 1);
  }
}

TEST(WholeAutomatic, StaysWithTheExplicitMethodWhereNothingIsStiff) {
  const WholeSystem system = coupled_system();
  IntegratorOptions options;
  options.tolerances = {1e-6, 1e-6, 1e-6};
  auto it = make_integrator(system, options);
  begin(*it, coupled_begin());
  ASSERT_TRUE(it->advance(50, {}).ok);
  EXPECT_EQ(it->status().method, "rk");
  EXPECT_EQ(it->status().switches, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, WholeMethods,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic,
                                           Method::ida));

class WholeOneStep : public MethodTest {};

TEST_P(WholeOneStep, OverwritingTakesStatesAndMemory) {
  const WholeSystem system = coupled_system();
  auto it = make(system, 1e-7), other = make(system, 1e-7);
  begin(*it, coupled_begin());
  begin(*other, {{1, 2}, {3, 4}, {5, 6}, {}});
  const WholeBegin at = coupled_begin();
  other->overwrite({0, 0}, at.q, at.v, {.z = at.z});
  ASSERT_TRUE(it->advance(1, {}).ok);
  ASSERT_TRUE(other->advance(1, {}).ok);
  EXPECT_EQ(everything_of(*it), everything_of(*other));
}

/// Two counters that say in s how often they have passed one: the first ends the advance before it fires.
TEST_P(WholeOneStep, OverwritingLeavesTheSidesOfRoots) {
  WholeSystem system(0, {.z = 2, .s = 2, .roots = 2});
  system.rates = [](double, const Whole&, double*, double* r) { r[0] = r[1] = 1; };
  system.root_values = [](double, const Whole& y, double* g) { g[0] = 1 - y.z[0], g[1] = 1 - y.z[1]; };
  system.event = [](double, std::span<const std::int8_t> crossed, Editable& y) {
    for (std::size_t k = 0; k < 2; ++k) y.s[k] += crossed[k] != 0 ? 1 : 0;
    return crossed[0] != 0 ? Fired::outputs : Fired::inside;
  };
  auto it = make(system, 1e-8);
  it->start(0, {}, {}, std::vector{0.0, -1.0}, std::vector{0.0, 0.0});
  const AdvanceResult early = it->advance(1.5, {});
  ASSERT_TRUE(early.ok && early.early);
  ASSERT_EQ(it->fire(early.crossed), Fired::outputs);
  ASSERT_LT(it->states()[0], 1) << "a little before its time: its sign says that it has not passed";
  auto here = it->make_snapshot();
  it->save(*here);
  const auto fired = [&](double z1, std::span<const std::uint8_t> roots) {
    it->restore(*here);
    const std::vector z{it->states()[0], z1}, s(it->memory().begin(), it->memory().end());
    it->overwrite({0, 0}, {}, {}, {z, s, roots});
    const AdvanceResult result = it->advance(1.5, {});
    EXPECT_TRUE(result.ok);
    return std::vector<double>{result.early ? 1.0 : 0.0, it->memory()[1]};
  };
  EXPECT_EQ(fired(0, {}), (std::vector{0.0, 0.0})) << "the first has fired";
  EXPECT_EQ(fired(2, {}), (std::vector{0.0, 1.0})) << "the second was carried over";
  const std::vector<std::uint8_t> first{1, 0}, second{0, 1};
  EXPECT_EQ(fired(2, second), (std::vector{0.0, 0.0})) << "whoever brought it has seen it fire";
  EXPECT_EQ(fired(0, first), (std::vector{1.0, 0.0})) << "nobody knows that it has fired";
}

INSTANTIATE_TEST_SUITE_P(Methods, WholeOneStep,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock,
                                           Method::automatic));

}  // namespace
}  // namespace cosimo
