// States that are taken over from elsewhere: overwrite(), inherit(), and the trace that others need.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/check.hpp"
#include "core/random.hpp"
#include "integrator/integrator.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;

std::vector<double> copy(std::span<const double> x) {
  return {x.begin(), x.end()};
}

std::vector<double> state(const Integrator& integrator) {
  std::vector<double> result = copy(integrator.position());
  result.insert(result.end(), integrator.velocity().begin(), integrator.velocity().end());
  return result;
}

/// Counts the degrees of freedom whose acceleration was asked for.
class Counting final : public System {
 public:
  explicit Counting(const Chain& chain) : chain_(chain) {}
  std::size_t size() const override { return chain_.size(); }
  const TangentPattern& pattern() const override { return chain_.pattern(); }
  std::size_t reach() const override { return chain_.reach(); }
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override {
    evaluated += dofs.size();
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

  mutable std::size_t evaluated = 0;

 private:
  const Chain& chain_;
};

class Overwrite : public ::testing::TestWithParam<Method> {
 protected:
  static constexpr std::size_t n = 60;
  static constexpr Range kept{20, 45};

  Overwrite() : chain_(n, {1, 1, 0.02, 2}) {
    chain_.load = {[](double t) { return std::sin(2 * t); }, [](double t) { return 2 * std::cos(2 * t); }};
    chain_.input = {[](double t) { return std::cos(t); }, [](double t) { return -std::sin(t); }};
    const RandomStream x(5, 1), w(5, 2), y(5, 3), z(5, 4);
    for (std::size_t i = 0; i < n; ++i) {
      q_.push_back(x.uniform(i, -0.5, 0.5));
      v_.push_back(w.uniform(i, -0.5, 0.5));
      other_q_.push_back(y.uniform(i, -0.5, 0.5));
      other_v_.push_back(z.uniform(i, -0.5, 0.5));
    }
  }

  IntegratorOptions options() const {
    IntegratorOptions o;
    o.method = GetParam();
    o.tolerances = {1e-6, 1e-6, 1e-6};
    return o;
  }
  std::unique_ptr<Integrator> make() const { return make_integrator(chain_, options()); }
  std::unique_ptr<Integrator> started() const {
    auto result = make();
    result->start(0, q_, v_);
    return result;
  }
  /// Runs on for two macro steps.
  static std::vector<double> go_on(Integrator& integrator, double t = 1) {
    integrator.use_grid(13);
    EXPECT_TRUE(integrator.advance(t + 0.6, {}).ok);
    EXPECT_TRUE(integrator.advance(t + 1, {}).ok);
    return state(integrator);
  }

  Chain chain_;
  std::vector<double> q_, v_, other_q_, other_v_;
};

TEST_P(Overwrite, ReplacesWhatIsNotKept) {
  auto integrator = started();
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  const auto before = state(*integrator);
  const auto status = integrator->status();
  auto q = other_q_, v = other_v_;
  for (std::size_t i = kept.first; i < kept.last; ++i) q[i] = v[i] = std::nan("");  // not read
  integrator->overwrite(kept, q, v);
  for (std::size_t i = 0; i < n; ++i) {
    const bool own = kept.first <= i && i < kept.last;
    EXPECT_EQ(integrator->position()[i], own ? before[i] : other_q_[i]);
    EXPECT_EQ(integrator->velocity()[i], own ? before[n + i] : other_v_[i]);
  }
  EXPECT_EQ(integrator->status().next_step, status.next_step);
  EXPECT_GT(status.next_step, 0);
  EXPECT_EQ(integrator->status().counters.steps, status.counters.steps);
}

/// Whatever was kept, reach and all: as if everything had begun at that state.
TEST_P(Overwrite, ThenGoingOnEqualsAFreshStartWithTheSameStepSize) {
  for (const std::size_t reach : {std::size_t{1}, std::size_t{5}, std::size_t{13}, n})
    for (const Range range : {kept, Range{0, 30}, Range{30, n}, Range{7, 8}, Range{0, 0}, Range{0, n}}) {
      chain_.claimed_reach = reach;
      auto integrator = started();
      ASSERT_TRUE(integrator->advance(1, {}).ok);
      integrator->overwrite(range, other_q_, other_v_);
      auto fresh = make();
      fresh->start(1, integrator->position(), integrator->velocity());
      fresh->inherit(*integrator);
      EXPECT_EQ(fresh->status().next_step, integrator->status().next_step);
      EXPECT_EQ(fresh->status().last_step, integrator->status().last_step);
      EXPECT_EQ(fresh->status().method, integrator->status().method);
      EXPECT_EQ(fresh->status().counters.steps, integrator->status().counters.steps);
      EXPECT_EQ(go_on(*fresh), go_on(*integrator)) << reach << ' ' << range.first << ' ' << range.last;
      EXPECT_EQ(fresh->status().counters.steps, integrator->status().counters.steps);
    }
}

TEST_P(Overwrite, BeforeTheFirstAdvance) {
  auto integrator = started(), fresh = make();
  integrator->overwrite(kept, other_q_, other_v_);
  fresh->start(0, integrator->position(), integrator->velocity());
  EXPECT_EQ(go_on(*fresh, 0), go_on(*integrator, 0));
}

TEST_P(Overwrite, TwiceIsAsGoodAsOnce) {
  auto once = started(), twice = started();
  ASSERT_TRUE(once->advance(1, {}).ok);
  ASSERT_TRUE(twice->advance(1, {}).ok);
  once->overwrite(kept, other_q_, other_v_);
  twice->overwrite(kept, v_, q_);
  twice->overwrite(kept, other_q_, other_v_);
  twice->overwrite(kept, twice->position(), twice->velocity());  // its own state, too
  EXPECT_EQ(state(*twice), state(*once));
  EXPECT_EQ(go_on(*twice), go_on(*once));
}

/// What was overwritten once is not known again because another range is kept the next time.
TEST_P(Overwrite, RangesThatChange) {
  auto integrator = started();
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  integrator->overwrite({25, n}, other_q_, other_v_);
  integrator->overwrite({0, 45}, v_, q_);
  auto fresh = make();
  fresh->start(1, integrator->position(), integrator->velocity());
  fresh->inherit(*integrator);
  EXPECT_EQ(go_on(*fresh), go_on(*integrator));
}

TEST_P(Overwrite, SnapshotsBeforeAndAfter) {
  auto integrator = started(), lane = started();
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  auto before = integrator->make_snapshot(), after = integrator->make_snapshot();
  integrator->save(*before);
  integrator->overwrite(kept, other_q_, other_v_);
  integrator->save(*after);
  const auto overwritten = go_on(*integrator);
  integrator->restore(*before);
  const auto plain = go_on(*integrator);
  EXPECT_NE(plain, overwritten);
  for (Integrator* it : {integrator.get(), lane.get()}) {
    it->restore(*after);
    EXPECT_EQ(go_on(*it), overwritten);
    it->restore(*before);
    EXPECT_EQ(go_on(*it), plain);
    it->restore(*before);
    it->overwrite({10, 20}, v_, q_);  // an excursion
    (void)go_on(*it);
    it->restore(*before);
    it->overwrite(kept, other_q_, other_v_);
    EXPECT_EQ(go_on(*it), overwritten);
  }
}

/// The point of it: only copies, their neighbours and the driven body are evaluated anew.
TEST_P(Overwrite, EvaluatesOnlyWhatCanHaveChanged) {
  const Counting counting(chain_);
  auto integrator = make_integrator(counting, options());
  integrator->start(0, q_, v_);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  auto snapshot = integrator->make_snapshot();
  integrator->save(*snapshot);
  auto cost = [&] {
    const std::size_t before = counting.evaluated;
    EXPECT_FALSE(integrator->advance(1.1, {}).ok);
    return counting.evaluated - before;
  };
  std::atomic<bool> stop{true};  // nothing but the beginning of an advance()
  IntegratorOptions interruptible = options();
  interruptible.interrupt = &stop;
  integrator = make_integrator(counting, interruptible);
  integrator->restore(*snapshot);
  EXPECT_EQ(cost(), 1u);
  integrator->overwrite({0, 50}, other_q_, other_v_);
  EXPECT_EQ(cost(), 11u);
  integrator->restore(*snapshot);
  integrator->overwrite(kept, other_q_, other_v_);
  EXPECT_EQ(cost(), n - (kept.size() - 2));
}

TEST_P(Overwrite, TraceHoldsEveryStep) {
  auto integrator = started();
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  integrator->overwrite(kept, other_q_, other_v_);
  const auto begin = state(*integrator);
  const auto steps = integrator->status().counters.steps;
  Trace trace;
  trace.dofs = {44, 0, 59};
  trace.t = {-1};
  trace.q = trace.v = trace.a = {1, 2, 3};
  Sampling samples;
  samples.trace = &trace;
  chain_.input.value = [](double t) { return 3 + std::cos(t); };
  ASSERT_TRUE(integrator->advance(2, samples).ok);
  const std::size_t rows = trace.t.size();
  EXPECT_EQ(rows, static_cast<std::size_t>(integrator->status().counters.steps - steps) + 1);
  ASSERT_EQ(trace.q.size(), 3 * rows);
  ASSERT_EQ(trace.v.size(), 3 * rows);
  ASSERT_EQ(trace.a.size(), 3 * rows);
  EXPECT_EQ(trace.t.front(), 1);
  EXPECT_EQ(trace.t.back(), 2);
  auto expect_row = [&](std::size_t row, double t, const std::vector<double>& y) {
    std::vector<double> a(n);
    ASSERT_TRUE(chain_.acceleration(t, y.data(), y.data() + n, a.data(), {0, n}));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(trace.dofs[k]);
      EXPECT_EQ(trace.q[3 * row + k], y[i]);
      EXPECT_EQ(trace.v[3 * row + k], y[n + i]);
      EXPECT_EQ(trace.a[3 * row + k], a[i]);
    }
  };
  expect_row(0, 1, begin);
  expect_row(rows - 1, 2, state(*integrator));
  for (std::size_t row = 1; row < rows; ++row) EXPECT_LT(trace.t[row - 1], trace.t[row]);
}

TEST_P(Overwrite, InheritIsForTheSameKindOnly) {
  auto integrator = started();
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  // another set of degrees of freedom of the same model
  const Chain longer(n + 10, {1, 1, 0.02, 2});
  auto heir = make_integrator(longer, options());
  EXPECT_THROW(heir->inherit(*integrator), Bug);
  heir->start(1, std::vector<double>(n + 10, 0.1), std::vector<double>(n + 10));
  heir->inherit(*integrator);
  EXPECT_EQ(heir->status().next_step, integrator->status().next_step);
  EXPECT_EQ(heir->status().counters.evaluations, integrator->status().counters.evaluations);
  EXPECT_EQ(heir->status().stiff_steps, integrator->status().stiff_steps);
  EXPECT_EQ(heir->position().size(), n + 10);
  ASSERT_TRUE(heir->advance(2, {}).ok);
  for (const Method method :
       {Method::rk, Method::merson, Method::rosenbrock, Method::automatic, Method::ida}) {
    if (method == GetParam()) continue;
    IntegratorOptions o = options();
    o.method = method;
    EXPECT_THROW(integrator->inherit(*make_integrator(chain_, o)), Bug);
  }
}

std::string name(const ::testing::TestParamInfo<Method>& info) {
  return info.param == Method::rk           ? "rk"
         : info.param == Method::merson     ? "merson"
         : info.param == Method::rosenbrock ? "rosenbrock"
                                            : "automatic";
}

INSTANTIATE_TEST_SUITE_P(OneStepMethods, Overwrite,
                         ::testing::Values(Method::rk, Method::merson, Method::rosenbrock, Method::automatic),
                         name);

TEST(Overwrite, IsRefusedByMultistepMethods) {
  const Chain chain(3, {1, 1, 0.1});
  IntegratorOptions options;
  options.method = Method::ida;
  auto integrator = make_integrator(chain, options), other = make_integrator(chain, options);
  const std::vector<double> q(3, 0.1), v(3);
  integrator->start(0, q, v);
  EXPECT_EQ(integrator->status().next_step, 0);
  integrator->use_grid(5);
  ASSERT_TRUE(integrator->advance(1, {}).ok);
  EXPECT_GT(integrator->status().next_step, 0);
  EXPECT_THROW(integrator->overwrite({0, 1}, q, v), Bug);
  EXPECT_THROW(integrator->inherit(*other), Bug);
  Trace trace;
  Sampling samples;
  samples.trace = &trace;
  EXPECT_THROW((void)integrator->advance(2, samples), Bug);
}

}  // namespace
}  // namespace cosimo
