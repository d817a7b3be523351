// Root functions: events are found, fired once, and take part in rollback.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "integrator/method_testing.hpp"
#include "integrator/testing.hpp"
#include "integrator/whole_testing.hpp"

namespace cosimo {
namespace {

using namespace cosimo::testing;

class Events : public MethodTest {
 protected:
  /// Goes to t_end and fires what comes; the times of all early ends.
  std::vector<double> run(Integrator& it, double t_end, int most = 50) const {
    std::vector<double> times;
    for (double t = -1; t < t_end && most-- > 0;) {
      const AdvanceResult result = it.advance(t_end, {});
      EXPECT_TRUE(result.ok) << result.reason;
      t = result.reached;
      if (!result.ok || !result.early) break;
      times.push_back(t);
      it.fire(result.crossed);
    }
    return times;
  }
};

/// From height h: the first impact at sqrt(2 h / g), then flights of 2 e^k sqrt(2 h / g).
TEST_P(Events, BallBouncesAtTheTimesOfTheClosedForm) {
  const double e = 0.8, height = 1, fall = std::sqrt(2 * height / gravity);
  const WholeSystem ball = bouncing_ball(e);
  auto it = make(ball, 1e-8);
  it->start(0, std::vector{height}, std::vector{0.0});
  const std::vector<double> times = run(*it, 3);
  double expected = fall, flight = 2 * e * fall;
  std::vector<double> bounces;
  for (; expected < 3; expected += flight, flight *= e) bounces.push_back(expected);
  ASSERT_EQ(times.size(), bounces.size());
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], bounces[k], 1e-7) << k;
  const double since = 3 - bounces.back(), up = flight / e * gravity / 2;
  EXPECT_NEAR(it->position()[0], since * (up - 0.5 * gravity * since), 1e-6);
}

/// The same without anybody to tell.
TEST_P(Events, FireInsideWhereNoAdvanceEndsEarly) {
  const WholeSystem ball = bouncing_ball(0.8);
  IntegratorOptions alone = options(1e-8);
  alone.end_early = false;
  auto early = make(ball, 1e-8), inside = make_integrator(ball, alone);
  for (Integrator* it : {early.get(), inside.get()}) it->start(0, std::vector{1.0}, std::vector{0.0});
  EXPECT_GT(run(*early, 2).size(), 2U);
  EXPECT_TRUE(run(*inside, 2).empty());
  EXPECT_NEAR(early->position()[0], inside->position()[0], 1e-6);
}

/// It stops before: the state is still above the ground, and whoever repeats the way to that instant is there
/// without an event, which is then due.
TEST_P(Events, EndEarlyBeforeTheEvent) {
  const WholeSystem ball = bouncing_ball(0.8);
  auto it = make(ball, 1e-8);
  it->start(0, std::vector{1.0}, std::vector{0.0});
  auto snapshot = it->make_snapshot();
  it->save(*snapshot);
  const std::vector times{0.2, 0.4, 0.8};
  const std::vector<std::int32_t> dofs{0};
  std::vector<double> q(3, -7.0), v(3, -7.0);
  const AdvanceResult result = it->advance(1, {times, dofs, q, v});
  ASSERT_TRUE(result.ok && result.early);
  EXPECT_EQ(result.crossed[0], -1);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(q[k], 1 - 0.5 * gravity * times[k] * times[k], 1e-6);
  EXPECT_EQ(q[2], -7.0);  // after the event
  EXPECT_GE(it->position()[0], 0);
  EXPECT_LT(it->position()[0], 1e-9);
  const double te = result.reached;
  it->restore(*snapshot);
  const AdvanceResult again = it->advance(te, {});
  EXPECT_TRUE(again.ok);
  EXPECT_FALSE(again.early);
  EXPECT_EQ(again.reached, te);
  EXPECT_EQ(it->due(1e-6)[0], -1);
  EXPECT_EQ(it->fire(it->due(1e-6)), Fired::outputs);
  EXPECT_GT(it->velocity()[0], 0);
  EXPECT_EQ(it->due(1e-6)[0], 0);
  EXPECT_TRUE(it->advance(te + 0.1, {}).ok);
}

/// An event that is due and not fired ends the next advance where it begins.
TEST_P(Events, WaitAtTheBeginning) {
  const WholeSystem ball = bouncing_ball(0.8);
  auto it = make(ball, 1e-8);
  const double fall = std::sqrt(2 / gravity);
  it->start(0, std::vector{1.0}, std::vector{0.0});
  const AdvanceResult first = it->advance(fall + 1e-10, {});  // too close to its end to end it early
  ASSERT_TRUE(first.ok && !first.early);
  ASSERT_EQ(first.reached, fall + 1e-10);
  const AdvanceResult second = it->advance(fall + 0.1, {});
  ASSERT_TRUE(second.ok && second.early);
  EXPECT_NEAR(second.reached, fall, 1e-9);
}

TEST_P(Events, RollbackGivesTheSameBits) {
  const WholeSystem ball = bouncing_ball(0.7);
  auto it = make(ball, 1e-7);
  it->start(0, std::vector{1.0}, std::vector{0.0});
  run(*it, 0.8);
  auto snapshot = it->make_snapshot();
  it->save(*snapshot);
  const auto run_on = [&](Integrator& x) {
    std::vector<double> seen = run(x, 1.9);
    const std::vector<double> end = state(x);
    seen.insert(seen.end(), end.begin(), end.end());
    return seen;
  };
  const auto first = run_on(*it);
  EXPECT_GT(first.size(), 3U);
  it->restore(*snapshot);
  EXPECT_EQ(run_on(*it), first);
  auto lane = make(ball, 1e-7);
  lane->restore(*snapshot);
  EXPECT_EQ(run_on(*lane), first);
  // And through bytes.
  it->restore(*snapshot);
  Archive out;
  it->archive(out);
  const std::vector<std::byte> bytes = out.take();
  Archive in(bytes);
  auto loaded = make(ball, 1e-7);
  loaded->archive(in);
  in.finish();
  EXPECT_EQ(run_on(*loaded), first);
}

/// A mass on a belt: sticks by a stiff spring whose anchor s travels with the belt, slides at the force f.
/// The phases of slip are cosines, those of stick take the belt's velocity.
struct StickSlip {
  double belt = 0.5, hold = 1.2, slide = 0.8;
  WholeSystem make() const {
    WholeSystem system(1, {.s = 1, .roots = 2});  // s: 1 sticks, 0 slides
    const StickSlip p = *this;
    system.rates = [p](double, const Whole& y, double* a, double*) {
      a[0] = y.s[0] != 0 ? 0 : p.slide - y.q[0];
    };
    // Breaks away when the spring is too strong; is caught when it has the velocity of the belt again.
    system.root_values = [p](double, const Whole& y, double* g) {
      g[0] = y.s[0] != 0 ? p.hold - y.q[0] : 1;
      g[1] = y.s[0] != 0 ? 1 : p.belt - y.v[0];
    };
    system.event = [p](double, std::span<const std::int8_t> crossed, Editable& y) {
      if (crossed[0] < 0) {
        y.s[0] = 0;
      } else if (crossed[1] < 0) {
        y.s[0] = 1;
        y.v[0] = p.belt;
      }
      return Fired::inside;
    };
    return system;
  }
};

TEST_P(Events, StickSlipHasThePeriodOfItsClosedForm) {
  const StickSlip p;
  const WholeSystem system = p.make();
  auto it = make(system, 1e-9);
  it->start(0, std::vector{0.0}, std::vector{p.belt}, {}, std::vector{1.0});
  // Sliding: x = slide + A cos t + belt sin t with A = hold - slide, until x' = belt again.
  const double A = p.hold - p.slide, phase = std::atan2(A, p.belt);
  const double slip = 2 * (std::numbers::pi - phase);
  const double caught = p.slide - A, stick = (p.hold - caught) / p.belt, first = p.hold / p.belt;
  for (int k = 0; k < 4; ++k) {
    const double begin = first + k * (slip + stick);
    for (const double t : {0.3 * slip, 0.8 * slip}) {
      const AdvanceResult result = it->advance(begin + t, {});
      ASSERT_TRUE(result.ok && !result.early) << result.reason;
      EXPECT_NEAR(it->position()[0], p.slide + A * std::cos(t) + p.belt * std::sin(t), 3e-6);
      EXPECT_EQ(it->memory()[0], 0);
    }
    ASSERT_TRUE(it->advance(begin + slip + 0.5 * stick, {}).ok);
    EXPECT_NEAR(it->position()[0], caught + 0.5 * stick * p.belt, 3e-6);
    EXPECT_EQ(it->velocity()[0], p.belt);
    EXPECT_EQ(it->memory()[0], 1);
  }
}

/// One jump carries another root over: both fire, at the same instant.
TEST_P(Events, CallEachOther) {
  WholeSystem system(0, {.z = 2, .s = 1, .roots = 2});
  system.rates = [](double, const Whole&, double*, double* r) { r[0] = 1, r[1] = 0; };
  system.root_values = [](double, const Whole& y, double* g) { g[0] = 0.5 - y.z[0], g[1] = 2 - y.z[1]; };
  system.event = [](double t, std::span<const std::int8_t> crossed, Editable& y) {
    if (crossed[0] < 0) y.z[1] = 3;
    if (crossed[1] < 0) y.s[0] = t;
    return Fired::inside;
  };
  auto it = make(system, 1e-8);
  it->start(0, {}, {}, std::vector{0.0, 0.0}, std::vector{0.0});
  ASSERT_TRUE(it->advance(1, {}).ok);
  EXPECT_NEAR(it->memory()[0], 0.5, 1e-9);
  EXPECT_NEAR(it->states()[0], 1, 1e-9);
}

TEST_P(Events, WithoutEndAreAFailure) {
  WholeSystem system(0, {.z = 2, .roots = 2});
  system.rates = [](double, const Whole&, double*, double* r) { r[0] = 1, r[1] = 0; };
  system.root_values = [](double, const Whole& y, double* g) { g[0] = y.z[0] - 0.5, g[1] = y.z[1] - 0.5; };
  system.event = [](double, std::span<const std::int8_t> crossed, Editable& y) {
    if (crossed[0] != 0) y.z[1] = 1 - y.z[1];
    if (crossed[1] != 0) y.z[0] = y.z[0] > 0.5 ? 0 : 1;
    return Fired::inside;
  };
  auto it = make(system, 1e-8);
  it->start(0, {}, {}, std::vector{0.0, 0.0}, {});
  const AdvanceResult result = it->advance(1, {});
  EXPECT_FALSE(result.ok);
  EXPECT_NEAR(result.reached, 0.5, 1e-9);
  EXPECT_NE(result.reason.find("without end"), std::string_view::npos);
}

/// A chain with roots.
class Watched : public System {
 public:
  Watched(const Chain& chain, Extent extent) : chain_(chain), extent_(extent) {}
  Extent extent() const override { return extent_; }
  void roots(double, const Whole& y, double* g) const override { g[0] = 100 - y.q[0]; }
  std::size_t size() const override { return chain_.size(); }
  const TangentPattern& pattern() const override { return chain_.pattern(); }
  std::size_t reach() const override { return chain_.reach(); }
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override {
    return chain_.acceleration(t, q, v, a, dofs);
  }
  void tangent(double t, const double* q, const double* v, Tangent& out) const override {
    chain_.tangent(t, q, v, out);
  }
  void time_derivative(double t, const double* q, const double* v, double* a_t) const override {
    chain_.time_derivative(t, q, v, a_t);
  }
  std::span<const std::int32_t> driven() const override { return chain_.driven(); }
  double next_breakpoint(double t) const override { return chain_.next_breakpoint(t); }

 private:
  const Chain& chain_;
  Extent extent_;
};

/// A chain whose last mass hits a stop: the roots read one degree of freedom, and nothing else is looked at.
TEST_P(Events, RootsOfFewDegreesOfFreedom) {
  struct Hit final : Watched {
    using Watched::Watched;
    bool few = true;
    std::int32_t last = 49;
    void roots(double, const Whole& y, double* g) const override { g[0] = 0.2 - y.q[49]; }
    std::span<const std::int32_t> root_dofs() const override {
      return few ? std::span<const std::int32_t>(&last, 1) : std::span<const std::int32_t>();
    }
    Fired fire(double, std::span<const std::int8_t> crossed, Editable& y) const override {
      if (crossed[0] < 0) y.v[49] = -0.5 * y.v[49];
      return Fired::inside;
    }
  };
  const Chain chain(50, {1, 1, 0.05, 2});
  Hit few(chain, {.roots = 1}), all(chain, {.roots = 1});
  all.few = false;
  std::vector<std::vector<double>> seen;
  for (const System* system : {&few, &all}) {
    auto it = make(*system, 1e-6);
    const std::vector<double> q(50, 0.1), v(50, 0.3);
    it->start(0, q, v);
    ASSERT_TRUE(it->advance(3, {}).ok);
    EXPECT_LT(it->position()[49], 0.2 + 1e-6);
    seen.push_back(state(*it));
  }
  EXPECT_LT(distance(seen[0], seen[1]), 1e-5);
}

/// Roots that nothing crosses change no bit, nor does an extent of nothing.
TEST_P(Events, RootsThatAreNeverMetCostNoBit) {
  Chain chain(50, {1, 1, 0.05, 2});
  chain.input = {[](double t) { return std::sin(t); }, [](double t) { return std::cos(t); }};
  chain.breakpoints = {0.7};
  const Watched none(chain, {}), rooted(chain, {.roots = 1});
  std::vector<std::vector<double>> seen;
  for (const System* system : {static_cast<const System*>(&chain), static_cast<const System*>(&none),
                               static_cast<const System*>(&rooted)}) {
    auto it = make(*system, 1e-6);
    const std::vector<double> begin(50, 0.1);
    it->start(0, begin, begin);
    const std::vector times{0.33, 0.5};
    const std::vector<std::int32_t> dofs{3, 49};
    std::vector<double> q(4), v(4);
    for (const double t : {0.5, 1.0, 2.0}) EXPECT_TRUE(it->advance(t, {times, dofs, q, v}).ok);
    seen.push_back(state(*it));
    seen.back().insert(seen.back().end(), q.begin(), q.end());
    seen.back().push_back(static_cast<double>(it->status().counters.steps));
  }
  EXPECT_EQ(seen[1], seen[0]);
  EXPECT_EQ(seen[2], seen[0]);
}

/// Two roots within one step: the earlier one first, each at its time.
TEST_P(Events, ComeInTheirOrder) {
  WholeSystem system(0, {.z = 1, .s = 2, .roots = 2});
  system.rates = [](double, const Whole&, double*, double* r) { r[0] = 1; };
  system.root_values = [](double, const Whole& y, double* g) { g[0] = 0.4 - y.z[0], g[1] = 0.3999 - y.z[0]; };
  system.event = [](double t, std::span<const std::int8_t> crossed, Editable& y) {
    for (std::size_t k = 0; k < 2; ++k)
      if (crossed[k] != 0) y.s[k] = t;
    return Fired::inside;
  };
  auto it = make(system, 1e-6);
  it->start(0, {}, {}, std::vector{0.0}, std::vector{0.0, 0.0});
  ASSERT_TRUE(it->advance(1, {}).ok);
  EXPECT_NEAR(it->memory()[0], 0.4, 1e-10);
  EXPECT_NEAR(it->memory()[1], 0.3999, 1e-10);
}

/// After an event inside, steps meet the points of a grid again.
TEST(EventsOnAGrid, TheNextPointIsMet) {
  for (const Method method : {Method::rk, Method::merson, Method::rosenbrock}) {
    const WholeSystem ball = bouncing_ball(0.8);
    IntegratorOptions options;
    options.method = method;
    options.end_early = false;
    options.max_step = 0.1;  // no point is left out
    auto it = make_integrator(ball, options);
    it->start(0, std::vector{1.0}, std::vector{0.0});
    Trace trace;
    trace.dofs = {0};
    Sampling samples;
    samples.trace = &trace;
    it->use_grid(8);
    ASSERT_TRUE(it->advance(0.8, samples).ok);
    for (const int k : {3, 4, 5, 6, 7, 8})
      EXPECT_EQ(std::count(trace.t.begin(), trace.t.end(), 0.8 * k / 8), 1) << k;
    EXPECT_EQ(std::count_if(trace.t.begin(), trace.t.end(),
                            [](double t) { return std::fabs(t - std::sqrt(2 / gravity)) < 1e-9; }),
              1);
  }
}

TEST(IdaEvents, NoStepPassesTheEndOfAMacroStep) {
  const WholeSystem ball = bouncing_ball(0.8);
  IntegratorOptions options;
  options.method = Method::ida;
  options.stop = Stop::limit;
  EXPECT_THROW(make_integrator(ball, options), Error);
}

INSTANTIATE_TEST_SUITE_P(Methods, Events,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic,
                                           Method::ida));

}  // namespace
}  // namespace cosimo
