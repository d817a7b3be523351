// The automatic choice of method, from its bound to whole runs.
#include "integrator/stiffness.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string_view>

#include "core/random.hpp"
#include "integrator/circles.hpp"
#include "integrator/integrator.hpp"
#include "integrator/rk.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;
using cosimo::testing::ChainParameters;

std::vector<double> noise(std::size_t n, double size, std::uint64_t stream) {
  const RandomStream random(11, stream);
  std::vector<double> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(random.uniform(i, -size, size));
  return result;
}

std::unique_ptr<Integrator> make(const System& system, Method method, double tolerance = 1e-5) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {tolerance, tolerance, tolerance};
  return make_integrator(system, options);
}

TEST(Stiffness, BoundOfAChainIsSharp) {
  constexpr std::size_t n = 40;
  const Chain chain(n, {2, 3, 0.5});
  const std::vector<double> zero(n);
  const SpectralBound bound = Circles(chain).bound(0, zero.data(), zero.data(), nullptr);
  const double exact = 2 * std::sqrt(3.0 / 2) * std::sin(0.5 * std::numbers::pi * n / (n + 1));
  EXPECT_GE(bound.omega, exact);
  EXPECT_LT(bound.omega, 1.01 * exact);
  EXPECT_DOUBLE_EQ(bound.delta, 4 * 0.5 / 2);
  EXPECT_GT(bound.stable_step() * bound.lambda(), 1);
  EXPECT_LT(bound.stable_step() * bound.lambda(), 3.3);
}

/// Of a step h of Merson's pair for x' = lambda x, z = h lambda.
double growth(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0 * (1.0 + z / 6.0)))));
}

/// As long as said, and hardly longer where nothing is damped.
TEST(Stiffness, StepsOfMersonAreStableAtEveryRatioOfDamping) {
  for (int k = 0; k <= 400; ++k) {
    const double ratio = 0.005 * k, omega = 3;
    const SpectralBound bound{omega, 2 * ratio * omega};
    const std::complex<double> root = std::sqrt(std::complex<double>(ratio * ratio - 1));
    for (int part = 1; part <= 100; ++part) {
      const double h = 0.01 * part * bound.merson_step();
      for (const double sign : {-1.0, 1.0})
        ASSERT_LE(growth(h * omega * (-ratio + sign * root)), 1 + 1e-3) << ratio << ", " << part;
    }
  }
  const SpectralBound undamped{2, 0};
  EXPECT_GT(growth({0, 1.005 * undamped.merson_step() * 2}), 1.01);
}

/// And the pair itself: one mass, a thousand steps.
TEST(Stiffness, MersonIsStableUpToThreePointFourSixOnTheImaginaryAxis) {
  const Chain oscillator(1, {1, 0.5});  // two springs: omega = 1
  const auto amplitude = [&](double h) {
    const auto stepper = make_merson_stepper(oscillator, {1, 1, 1});
    StatePool pool(1);
    StateRef state = pool.spare();
    Counters counters;
    state.edit().t = 0, state.edit().q[0] = 1, state.edit().v[0] = 0, state.edit().a[0] = -1;
    for (int i = 0; i < 1000; ++i) {
      StateRef next = pool.spare();
      next.edit().t = state->t + h;
      EXPECT_LT(stepper->attempt({state->t, state->q.data(), state->v.data(), state->a.data()}, h, false,
                                 next.edit(), counters),
                1e30);
      state = next;
    }
    return std::hypot(state->q[0], state->v[0]);
  };
  for (const double h : {0.1, 1.0, 2.0, 3.0, 3.4, 3.46}) EXPECT_LE(amplitude(h), 1 + 1e-9) << h;
  EXPECT_GT(amplitude(3.47), 100);
}

TEST(Stiffness, NonStiffChainStaysWithRungeKutta) {
  const Chain chain(200, {1, 1, 0.01, 1});
  auto integrator = make(chain, Method::automatic);
  integrator->start(0, noise(200, 0.5, 1), noise(200, 0.5, 2));
  for (int i = 1; i <= 50; ++i) ASSERT_TRUE(integrator->advance(i, {}).ok);
  EXPECT_EQ(integrator->status().method, "rk");
  EXPECT_EQ(integrator->status().switches, 0);
  EXPECT_EQ(integrator->status().stiff_steps, 0);
}

/// Overdamped: the stiffness of the dampers limits rk long after all fast motion has died out.
TEST(Stiffness, StiffChainSwitches) {
  const Chain chain(50, {1, 1, 1e5});
  auto choice = make(chain, Method::automatic), explicit_only = make(chain, Method::rk);
  for (Integrator* it : {choice.get(), explicit_only.get()}) {
    it->start(0, noise(50, 0.5, 1), noise(50, 0.5, 2));
    for (int i = 1; i <= 10; ++i) ASSERT_TRUE(it->advance(0.02 * i, {}).ok);
  }
  const auto status = choice->status();
  EXPECT_EQ(status.method, "rosenbrock");
  EXPECT_GT(status.stiff_steps, 0);
  EXPECT_LE(status.switches, 3);
  EXPECT_LT(5 * status.counters.steps, explicit_only->status().counters.steps);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(choice->position()[i], explicit_only->position()[i], 1e-3);
}

/// The middle mass is pressed into a stiff contact from t = 4 to 30. There rk is held by stability,
/// before and after it is the better method.
Chain pressed_chain() {
  Chain chain(21, {1, 1, 2});
  chain.contacts = {{10, -1e-6, 1e4}};
  auto push = [](double t) {
    return t > 4 && t < 30 ? 50 * std::pow(std::sin((t - 4) / 26 * std::numbers::pi), 2) : 0.0;
  };
  auto rate = [](double t) {
    return t > 4 && t < 30 ? 50 * std::numbers::pi / 26 * std::sin((t - 4) / 13 * std::numbers::pi) : 0.0;
  };
  chain.load = {push, rate};
  chain.breakpoints = {4, 30};
  return chain;
}

TEST(Stiffness, ContactSwitchesThereAndBack) {
  const Chain chain = pressed_chain();
  auto integrator = make(chain, Method::automatic, 1e-4);
  integrator->start(0, std::vector<double>(21, -0.02), std::vector<double>(21));
  bool was_stiff = false;
  for (int i = 1; i <= 600; ++i) {
    const AdvanceResult result = integrator->advance(0.1 * i, {});
    ASSERT_TRUE(result.ok) << result.reason;
    was_stiff = was_stiff || integrator->status().method == "rosenbrock";
    if (i <= 40) {
      EXPECT_EQ(integrator->status().method, "rk");
    }
  }
  EXPECT_TRUE(was_stiff);
  EXPECT_EQ(integrator->status().method, "rk");
  EXPECT_GE(integrator->status().switches, 2);
  EXPECT_LE(integrator->status().switches, 20);
}

/// All that decides what comes next or tells what was done.
struct Moment {
  std::vector<double> q, v;
  std::string_view method;
  std::int64_t switches, stiff_steps, steps, rejected;
  double last_step;
  bool operator==(const Moment&) const = default;
};

Moment moment(const Integrator& integrator) {
  const auto q = integrator.position(), v = integrator.velocity();
  const auto status = integrator.status();
  return {{q.begin(), q.end()},     {v.begin(), v.end()}, status.method,
          status.switches,          status.stiff_steps,   status.counters.steps,
          status.counters.rejected, status.last_step};
}

/// The memory of the choice belongs to the snapshot: windows, trials and back-off go on where they were.
TEST(Stiffness, RestoreThenRepeatAcrossASwitchGivesTheSameBits) {
  const Chain chain = pressed_chain();
  auto integrator = make(chain, Method::automatic, 1e-4), other = make(chain, Method::automatic, 1e-4);
  integrator->start(0, std::vector<double>(21, -0.02), std::vector<double>(21));
  other->start(0, noise(21, 0.01, 1), noise(21, 0.01, 2));
  ASSERT_TRUE(other->advance(1, {}).ok);
  auto snapshot = integrator->make_snapshot();
  int across = 0;
  for (int i = 0; i < 60; ++i) {
    integrator->save(*snapshot);
    const Moment before = moment(*integrator);
    auto run_on = [&](Integrator& it) {
      EXPECT_TRUE(it.advance(i + 0.4, {}).ok);
      EXPECT_TRUE(it.advance(i + 1, {}).ok);
      return moment(it);
    };
    const std::int64_t switches = integrator->status().switches;
    const Moment first = run_on(*integrator);
    across += integrator->status().switches > switches ? 1 : 0;
    ASSERT_TRUE(integrator->advance(i + 3, {}).ok);  // an excursion, perhaps over another switch
    integrator->restore(*snapshot);
    EXPECT_TRUE(moment(*integrator) == before) << "t = " << i;
    EXPECT_TRUE(run_on(*integrator) == first) << "t = " << i;
    other->restore(*snapshot);
    EXPECT_TRUE(run_on(*other) == first) << "t = " << i;
  }
  EXPECT_GT(across, 2);
}

TEST(Stiffness, FailedTrialsBecomeRare) {
  MethodChoice choice;
  const SpectralBound bound{1, 0};  // stable_step 1
  int implicit_windows = 0;
  for (int window = 0; window < 1000; ++window) {
    while (!choice.window_full()) choice.record(choice.implicit ? 1.0 : 0.95, choice.implicit ? 2.6 : 1.0);
    implicit_windows += choice.implicit ? 1 : 0;
    choice.decide(bound, {});
  }
  EXPECT_GT(implicit_windows, 0);
  EXPECT_LT(implicit_windows, 30);
}

TEST(Stiffness, GoodTrialsAreKept) {
  MethodChoice choice;
  const SpectralBound bound{1, 0};
  for (int window = 0; window < 20; ++window) {
    while (!choice.window_full()) choice.record(choice.implicit ? 10.0 : 0.95, choice.implicit ? 2.6 : 1.0);
    choice.decide(bound, {});
  }
  EXPECT_TRUE(choice.implicit);
  EXPECT_EQ(choice.switches, 1);
  for (int window = 0; window < 20; ++window) {  // then the step falls below what rk can do
    while (!choice.window_full()) choice.record(choice.implicit ? 1.0 : 0.7, choice.implicit ? 2.6 : 1.0);
    choice.decide(bound, {});
  }
  EXPECT_FALSE(choice.implicit);
  EXPECT_EQ(choice.switches, 2);
}

/// Windows that were spent with the implicit method in a run of so many steps of rk at its limit.
int implicit_windows(double steps, const Prospect& prospect) {
  MethodChoice choice;
  const SpectralBound bound{1, 0};  // stable_step 1
  double t = 0;
  int windows = 0;
  while (t < steps) {
    while (!choice.window_full()) {
      choice.record(0.95, choice.implicit ? prospect.cost : 1.0);
      t += 0.95;
    }
    windows += choice.implicit ? 1 : 0;
    choice.decide(bound, {prospect.cost, steps - t, prospect.longest_step});
  }
  return windows;
}

TEST(Stiffness, NoTrialIsBegunThatCannotPay) {
  EXPECT_EQ(implicit_windows(500, {.cost = 20}), 0) << "three attempts are worth 60 steps";
  EXPECT_GT(implicit_windows(5000, {.cost = 20}), 0);
  EXPECT_EQ(implicit_windows(5000, {.cost = 1000}), 0);
  EXPECT_EQ(implicit_windows(5000, {.cost = 20, .longest_step = 10}), 0) << "a step that pays is not allowed";
  // However long it goes on, trials that come to nothing take a twentieth.
  EXPECT_LE(3 * 20 * implicit_windows(1e5, {.cost = 20}), 0.05 * 1e5);
}

/// Looks at the limit in so many windows of rk, whose steps are these parts of it.
int looks(MethodChoice& choice, int windows, double step, bool costly = true) {
  int count = 0;
  for (int window = 0; window < windows; ++window) {
    while (!choice.window_full()) choice.record(step, 1.0);
    count += choice.needs_bound() ? 1 : 0;
    EXPECT_FALSE(choice.decide({1, 0}, {.costly_look = costly}));
  }
  return count;
}

TEST(Stiffness, FarFromTheLimitLooksAreRare) {
  MethodChoice choice;
  const int first = looks(choice, 100, 0.3);
  EXPECT_GT(first, 10) << "the limit may change";
  EXPECT_LT(first, 20);
  EXPECT_EQ(looks(choice, 1, 0.2), 1) << "a change of steps may be one of the limit";
  EXPECT_EQ(looks(choice, 1, 0.4), 1);
  MethodChoice of_springs;
  EXPECT_EQ(looks(of_springs, 100, 0.3, false), 100) << "what costs little is done every time";
}

TEST(Stiffness, WhatCannotPayIsNotCounted) {
  const ForceEntries springs{.all = 72000, .in_vectors = 72000}, elements{.all = 72000};
  EXPECT_EQ(radau_count_cost(elements), 0);
  const double cost = radau_count_cost(springs);
  EXPECT_GT(cost, 50);
  EXPECT_DOUBLE_EQ(radau_count_cost({.all = 720, .in_vectors = 720}), cost);
  const ForceEntries rods{.all = 46'800, .in_tables = 15'600};  // 200 with ball joints
  EXPECT_NEAR(radau_count_cost(rods), 58, 5);
  const MethodChoice choice;
  const SpectralBound bound{1, 0};
  EXPECT_FALSE(choice.may_look(bound, cost, {.time_left = 1000}));
  EXPECT_TRUE(choice.may_look(bound, cost, {.time_left = 10000}));
  EXPECT_TRUE(choice.may_look(bound, 0, {.time_left = 1}));
}

std::vector<Edge> path_edges(std::int32_t bodies) {
  std::vector<Edge> edges;
  for (std::int32_t i = 0; i + 1 < bodies; ++i) edges.push_back({i, i + 1});
  return edges;
}

TangentPattern grid(std::size_t width) {
  std::vector<Edge> edges;
  const auto at = [&](std::size_t i, std::size_t j) { return static_cast<std::int32_t>(i * width + j); };
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      if (i + 1 < width) edges.push_back({at(i, j), at(i + 1, j)});
      if (j + 1 < width) edges.push_back({at(i, j), at(i, j + 1)});
    }
  return {width * width, std::move(edges)};
}

/// Measured on lattices of scalar bodies: 23 attempts of rk at 100 x 100, 100 at 300 x 300.
TEST(Stiffness, AnAttemptCostsWhatItsFactorsFill) {
  const auto cost = [](std::size_t width) {
    const TangentPattern pattern = grid(width);
    return rosenbrock_cost(pattern, *make_structured_solver(pattern));
  };
  const TangentPattern chain(500, path_edges(500));
  EXPECT_EQ(rosenbrock_cost(chain, *make_structured_solver(chain)), rosenbrock_without_fill);
  EXPECT_GT(rosenbrock_cost(chain, *make_dense_solver(chain)), 1000);
  EXPECT_GT(cost(10), rosenbrock_without_fill);
  EXPECT_NEAR(cost(100), 172, 60);  // measured
  EXPECT_NEAR(cost(300), 529, 200);
}

}  // namespace
}  // namespace cosimo
