#include "integrator/ida.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "integrator/ida_testing.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using testing::Chain;
using Numbers = std::vector<double>;

IntegratorOptions options_with(Linear linear, double rtol = 1e-6) {
  IntegratorOptions options;
  options.linear = linear;
  options.tolerances = {rtol, 1e-3 * rtol, rtol};
  return options;
}

Numbers random_numbers(std::size_t n, double size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  Numbers out(n);
  for (double& x : out) x = uniform(engine);
  return out;
}

Numbers copy(std::span<const double> x) {
  return {x.begin(), x.end()};
}

// Everything that can be seen of an integrator.
Numbers observe(const Integrator& integrator) {
  Numbers out = copy(integrator.position());
  const Numbers v = copy(integrator.velocity());
  out.insert(out.end(), v.begin(), v.end());
  const Integrator::Status status = integrator.status();
  const Counters& c = status.counters;
  for (std::int64_t x : {c.steps, c.rejected, c.evaluations, c.factorizations, c.solves})
    out.push_back(static_cast<double>(x));
  out.push_back(status.last_step);
  return out;
}

bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::unique_ptr<Integrator> started(const Chain& chain, const IntegratorOptions& options) {
  auto ida = make_ida(chain, options);
  ida->start(0, random_numbers(chain.size(), 1e-2, 1), random_numbers(chain.size(), 1e2, 2));
  return ida;
}

// One mass between two springs: q'' + 2 D w q' + w^2 q = 0.
TEST(Ida, DampedOscillatorFollowsTheExactSolution) {
  Chain oscillator(1, {.mass = 2, .c = 4, .d = 0.1});
  const double w2 = 2 * 4 / 2.0, decay = 2 * 0.1 / 2.0 / 2, w = std::sqrt(w2 - decay * decay);
  double last = 1;
  for (double rtol : {1e-4, 1e-6, 1e-8}) {
    auto ida = make_ida(oscillator, options_with(Linear::structured, rtol));
    ida->start(0, Numbers{1}, Numbers{-decay});
    for (int i = 1; i <= 20; ++i) ASSERT_TRUE(ida->advance(0.5 * i, {}).ok);
    const double e = std::exp(-decay * 10);
    const double q = e * std::cos(w * 10), v = -e * (decay * std::cos(w * 10) + w * std::sin(w * 10));
    const double error = std::hypot(ida->position()[0] - q, ida->velocity()[0] - v);
    EXPECT_LT(error, 100 * rtol);
    EXPECT_LT(error, 0.2 * last);
    last = error;
  }
}

TEST(Ida, StructuredSparseAndDenseAgree) {
  Chain chain(30, testing::table_5_9);
  std::vector<Numbers> results;
  for (Linear linear : {Linear::structured, Linear::klu, Linear::dense, Linear::automatic}) {
    auto ida = started(chain, options_with(linear));
    for (int i = 1; i <= 10; ++i) ASSERT_TRUE(ida->advance(1e-6 * i, {}).ok);
    results.push_back(observe(*ida));
  }
  for (const Numbers& other : results) {
    ASSERT_EQ(other.size(), results[0].size());
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_NEAR(other[i], results[0][i], 1e-8);
      EXPECT_NEAR(other[30 + i], results[0][30 + i], 1e-1);
    }
    // a difference in the last bit of a first step may tip one decision
    EXPECT_NEAR(other[60], results[0][60], 0.1 * results[0][60]) << "steps";
  }
  EXPECT_TRUE(same_bits(results[0], results[3]));
}

class IdaLinear : public ::testing::TestWithParam<Linear> {};
INSTANTIATE_TEST_SUITE_P(Solvers, IdaLinear,
                         ::testing::Values(Linear::structured, Linear::klu, Linear::dense));

// Restore, then repeat; also after an excursion with another input, and into another integrator
// that has its own past or none.
TEST_P(IdaLinear, RestoreThenRepeatGivesTheSameBits) {
  Chain chain(12, testing::table_5_9);
  double force = 10;
  chain.input = {[&](double t) { return force * (1 + 1e5 * t); }, [&](double) { return force * 1e5; }};
  const IntegratorOptions options = options_with(GetParam());
  auto ida = started(chain, options), other = started(chain, options);
  auto snapshot = ida->make_snapshot();
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> length(1e-8, 4e-6);
  double t = 0;
  const auto run = [&](Integrator& lane, const Numbers& ends) {
    Numbers seen;
    for (double end : ends) {
      EXPECT_TRUE(lane.advance(end, {}).ok);
      const Numbers now = observe(lane);
      seen.insert(seen.end(), now.begin(), now.end());
    }
    return seen;
  };
  for (int trial = 0; trial < 150; ++trial) {
    ida->save(*snapshot);
    Numbers ends;
    double end = t;
    for (int i = 0; i <= trial % 4; ++i) ends.push_back(end += length(engine));
    const Numbers first = run(*ida, ends);
    ida->restore(*snapshot);
    ASSERT_TRUE(same_bits(run(*ida, ends), first)) << "trial " << trial;
    ida->restore(*snapshot);
    force = 5e4;
    ASSERT_FALSE(same_bits(run(*ida, ends), first)) << "the excursion does nothing";
    force = 10;
    if (trial % 10 == 0) other = make_ida(chain, options);
    other->restore(*snapshot);
    ASSERT_TRUE(same_bits(run(*other, ends), first)) << "in another integrator, trial " << trial;
    ida->restore(*snapshot);
    ASSERT_TRUE(same_bits(run(*ida, ends), first)) << "after the excursion, trial " << trial;
    if (trial % 3 == 0) {
      t = ends.back();
    } else {
      ida->restore(*snapshot);
      t += 0.3 * length(engine);
      ASSERT_TRUE(ida->advance(t, {}).ok);
    }
  }
}

TEST_P(IdaLinear, LanesSharingASnapshotMayRunAtTheSameTime) {
  Chain chain(40, testing::table_5_9);
  auto ida = started(chain, options_with(GetParam()));
  ASSERT_TRUE(ida->advance(3e-6, {}).ok);
  auto snapshot = ida->make_snapshot();
  ida->save(*snapshot);
  std::vector<std::unique_ptr<Integrator>> lanes;
  for (int i = 0; i < 4; ++i) lanes.push_back(make_ida(chain, options_with(GetParam())));
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> threads;
    for (auto& lane : lanes)
      threads.emplace_back([&] {
        lane->restore(*snapshot);
        EXPECT_TRUE(lane->advance(5e-6, {}).ok);
      });
    for (std::thread& thread : threads) thread.join();
  }
  ida->restore(*snapshot);
  ASSERT_TRUE(ida->advance(5e-6, {}).ok);
  for (auto& lane : lanes) EXPECT_TRUE(same_bits(observe(*lane), observe(*ida)));
}

TEST(Ida, StartingAgainForgetsThePast) {
  Chain chain(9, testing::table_5_9);
  auto fresh = started(chain, options_with(Linear::structured));
  ASSERT_TRUE(fresh->advance(2e-6, {}).ok);
  auto used = make_ida(chain, options_with(Linear::structured));
  used->start(1, random_numbers(9, 1e-3, 7), random_numbers(9, 1, 8));
  ASSERT_TRUE(used->advance(1 + 1e-5, {}).ok);
  used->start(0, random_numbers(9, 1e-2, 1), random_numbers(9, 1e2, 2));
  EXPECT_EQ(used->status().counters.steps, 0);
  EXPECT_EQ(copy(used->position()), random_numbers(9, 1e-2, 1));
  ASSERT_TRUE(used->advance(2e-6, {}).ok);
  EXPECT_TRUE(same_bits(observe(*used), observe(*fresh)));
}

TEST(Ida, AdjustedStopsCostLessThanExactOnes) {
  Chain chain(30, testing::table_5_9);
  const auto steps = [&](Stop stop) {
    IntegratorOptions options = options_with(Linear::structured);
    options.stop = stop;
    auto ida = started(chain, options);
    EXPECT_TRUE(ida->advance(1e-5, {}).ok);
    const std::int64_t before = ida->status().counters.steps;
    for (int i = 1; i <= 200; ++i) {
      const double t = 1e-5 + 1.3e-7 * i;
      const AdvanceResult result = ida->advance(t, {});
      EXPECT_TRUE(result.ok);
      EXPECT_EQ(result.reached, t);
      EXPECT_LE(ida->status().last_step, 1.3e-7 * (1 + 1e-9));
    }
    return ida->status().counters.steps - before;
  };
  EXPECT_LT(steps(Stop::adjusted), steps(Stop::exact));
}

// h <= H / n from the first step of a shorter macro step on, though IDA's own step was longer.
TEST(Ida, LimitHoldsWhenTheMacroStepShrinks) {
  Chain chain(5, {.mass = 1, .c = 1});
  IntegratorOptions options = options_with(Linear::structured, 1e-4);
  options.stop = Stop::limit;
  options.limit = 4;
  auto ida = make_ida(chain, options);
  ida->start(0, random_numbers(5, 1, 3), random_numbers(5, 1, 4));
  ASSERT_TRUE(ida->advance(10, {}).ok);
  double t = 10;
  for (double H : {0.2, 0.05, 0.01}) {
    const std::int64_t before = ida->status().counters.steps;
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(ida->advance(t += H, {}).ok);
      EXPECT_LE(ida->status().last_step, (i > 0 ? H / 4 : 10.0) * (1 + 1e-12));
    }
    EXPECT_GE(ida->status().counters.steps - before, 4 * 7 - 8);
  }
}

TEST(Ida, LimitOvershootsAndInterpolates) {
  Chain oscillator(1, {.mass = 1, .c = 0.5});
  IntegratorOptions options = options_with(Linear::structured, 1e-8);
  options.stop = Stop::limit;
  auto ida = make_ida(oscillator, options);
  ida->start(0, Numbers{1}, Numbers{0});
  for (int i = 1; i <= 100; ++i) {
    ASSERT_TRUE(ida->advance(0.1 * i, {}).ok);
    EXPECT_NEAR(ida->position()[0], std::cos(0.1 * i), 1e-5);
    EXPECT_NEAR(ida->velocity()[0], -std::sin(0.1 * i), 1e-5);
  }
}

// The samples between the steps are as good as the steps themselves.
TEST(Ida, DenseOutputKeepsTheOrder) {
  Chain oscillator(1, {.mass = 1, .c = 0.5});
  for (double rtol : {1e-5, 1e-7, 1e-9}) {
    auto ida = make_ida(oscillator, options_with(Linear::structured, rtol));
    ida->start(0, Numbers{1}, Numbers{0});
    Numbers times(997), q(997), v(997);
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = 12.0 * static_cast<double>(i + 1) / 997;
    const std::vector<std::int32_t> dofs{0};
    ASSERT_TRUE(ida->advance(times.back(), {times, dofs, q, v}).ok);
    EXPECT_EQ(q.back(), ida->position()[0]);
    EXPECT_EQ(v.back(), ida->velocity()[0]);
    const double at_end =
        std::abs(q.back() - std::cos(times.back())) + std::abs(v.back() + std::sin(times.back()));
    double between = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
      between = std::max(between, std::hypot(q[i] - std::cos(times[i]), v[i] + std::sin(times[i])));
    EXPECT_LT(between, 4 * at_end + 20 * rtol);
    EXPECT_LT(between, 300 * rtol);
  }
}

TEST(Ida, SamplesDoNotChangeTheRun) {
  Chain chain(20, testing::table_5_9);
  auto plain = started(chain, options_with(Linear::structured));
  auto sampled = started(chain, options_with(Linear::structured));
  const std::vector<std::int32_t> dofs{19, 0, 7};
  for (int i = 1; i <= 20; ++i) {
    const double from = 1e-7 * (i - 1), to = 1e-7 * i;
    const Numbers times{from + 0.2e-7, from + 0.3e-7, to};
    Numbers q(9), v(9);
    ASSERT_TRUE(sampled->advance(to, {times, dofs, q, v}).ok);
    ASSERT_TRUE(plain->advance(to, {}).ok);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(q[6 + k], plain->position()[static_cast<std::size_t>(dofs[k])]);
  }
  EXPECT_TRUE(same_bits(observe(*plain), observe(*sampled)));
}

// A contact whose force overflows in the predicted state is met with smaller steps.
TEST(Ida, OverflowIsRecovered) {
  Chain chain(1, {.mass = 1, .c = 1e-3});
  chain.contacts = {{0, -1e-3, 2e3}};
  auto ida = make_ida(chain, options_with(Linear::structured, 1e-5));
  ida->start(0, Numbers{-10}, Numbers{100});
  ASSERT_TRUE(ida->advance(0.3, {}).ok);
  EXPECT_LT(ida->velocity()[0], -99) << "it bounced";
  EXPECT_NEAR(ida->velocity()[0], -100, 0.5);
  EXPECT_GT(ida->status().counters.rejected, 0);
}

TEST(Ida, OverflowThatNoStepAvoidsIsAFailureWithAReason) {
  Chain chain(1, {.mass = 1, .c = 1});
  chain.contacts = {{0, -1, 1e3}};
  auto ida = make_ida(chain, options_with(Linear::structured));
  ida->start(2, Numbers{1}, Numbers{0});
  const AdvanceResult result = ida->advance(3, {});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.reached, 2);
  EXPECT_FALSE(result.reason.empty());
}

TEST(Ida, TooManyStepsIsAFailure) {
  Chain chain(10, testing::table_5_9);
  IntegratorOptions options = options_with(Linear::structured);
  options.max_steps = 7;
  auto ida = started(chain, options);
  const AdvanceResult result = ida->advance(1e-3, {});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.reason, "too many steps");
  EXPECT_GT(result.reached, 0);
  EXPECT_LT(result.reached, 1e-3);
  EXPECT_EQ(ida->status().counters.steps, 7);
}

// A pulse much shorter than the steps before it: without the breakpoints nothing would be noticed.
TEST(Ida, NoStepJumpsOverAPulse) {
  for (Stop stop : {Stop::adjusted, Stop::exact, Stop::limit}) {
    Chain chain(1, {.mass = 1, .c = 1e-8});
    const double begin = 5, width = 1e-3, height = 1e3;
    chain.breakpoints = {begin, begin + width};
    chain.load = {[=](double t) {
                    const double s = (t - begin) / width;
                    return s > 0 && s < 1 ? height * 30 * s * s * (1 - s) * (1 - s) : 0.0;
                  },
                  {}};
    IntegratorOptions options = options_with(Linear::structured);
    options.stop = stop;
    auto ida = make_ida(chain, options);
    ida->start(0, Numbers{0}, Numbers{0});
    for (double t : {2.0, 4.0, 6.0, 10.0}) ASSERT_TRUE(ida->advance(t, {}).ok);
    EXPECT_NEAR(ida->velocity()[0], height * width, 1e-3);
    EXPECT_NEAR(ida->position()[0], height * width * (10 - begin - width / 2), 1e-2);
    const std::int64_t steps = ida->status().counters.steps;
    EXPECT_GT(steps, 20);
    EXPECT_LT(steps, 1000);
  }
}

// Macro points and breakpoints meet up to rounding: 32 times 1e-5 is not 4e-4 less 8e-5.
TEST(Ida, ABreakpointMayLieARoundingErrorBesideTheEnd) {
  for (Stop stop : {Stop::adjusted, Stop::exact, Stop::limit}) {
    for (const double side : {0.0, 1.0}) {
      Chain chain(6, testing::table_5_9);
      const double end = 2e-6;
      chain.breakpoints = {std::nextafter(end, side)};
      IntegratorOptions options = options_with(Linear::structured);
      options.stop = stop;
      auto ida = started(chain, options);
      ASSERT_TRUE(ida->advance(1e-6, {}).ok);
      const AdvanceResult there = ida->advance(end, {});
      ASSERT_TRUE(there.ok) << there.reason;
      ASSERT_TRUE(ida->advance(3e-6, {}).ok);
    }
  }
}

TEST(Ida, BreakpointsBelongToTheSnapshot) {
  Chain chain(6, testing::table_5_9);
  chain.breakpoints = {1e-6, 2e-6, 2.5e-6};
  for (Stop stop : {Stop::adjusted, Stop::limit}) {
    IntegratorOptions options = options_with(Linear::structured);
    options.stop = stop;
    auto ida = started(chain, options), other = make_ida(chain, options);
    auto snapshot = ida->make_snapshot();
    for (double t : {0.4e-6, 1e-6, 1.95e-6, 2e-6, 2.2e-6}) {  // some of them breakpoints
      ASSERT_TRUE(ida->advance(t, {}).ok);
      ida->save(*snapshot);
      ASSERT_TRUE(ida->advance(t + 0.7e-6, {}).ok);
      const Numbers first = observe(*ida);
      other->restore(*snapshot);
      ASSERT_TRUE(other->advance(t + 0.7e-6, {}).ok);
      EXPECT_TRUE(same_bits(observe(*other), first));
      ida->restore(*snapshot);
    }
  }
}

TEST(Ida, TreesAndRingsAgreeWithTheDenseMatrix) {
  const std::vector<Edge> tree = testing::branched_tree();
  std::vector<Edge> ring = tree;
  ring.push_back({0, 4});
  for (const auto& edges : {tree, ring}) {
    const testing::Network network(9, edges);
    std::vector<Numbers> ends;
    std::vector<std::int64_t> solves;
    for (Linear linear : {Linear::structured, Linear::klu, Linear::dense}) {
      auto ida = make_ida(network, options_with(linear));
      ida->start(0, random_numbers(9, 1, 11), random_numbers(9, 1, 12));
      ASSERT_TRUE(ida->advance(5, {}).ok);
      ends.push_back(copy(ida->position()));
      solves.push_back(ida->status().counters.solves);
    }
    for (std::size_t k = 1; k < 3; ++k) {
      for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(ends[k][i], ends[0][i], 1e-4);
      // the same Newton matrix converges as fast
      EXPECT_NEAR(static_cast<double>(solves[k]) / static_cast<double>(solves[0]), 1.0, 0.1);
    }
  }
}

TEST(Ida, ExceptionsOfTheSystemPassThroughSundials) {
  class Throwing final : public System {
   public:
    std::size_t size() const override { return 1; }
    const TangentPattern& pattern() const override { return pattern_; }
    std::size_t reach() const override { return 0; }
    bool acceleration(double t, const double*, const double*, double* a, Range) const override {
      if (t > 0.5) throw std::runtime_error("broken element");
      a[0] = 0;
      return true;
    }
    void tangent(double, const double*, const double*, Tangent& out) const override { out.mass[0] = 1; }
    void time_derivative(double, const double*, const double*, double* a_t) const override { a_t[0] = 0; }
    std::span<const std::int32_t> driven() const override { return {}; }
    double next_breakpoint(double) const override { return std::numeric_limits<double>::infinity(); }
    TangentPattern pattern_{1, {}};
  } system;
  auto ida = make_ida(system, {});
  ida->start(0, Numbers{0}, Numbers{1});
  EXPECT_THROW((void)ida->advance(1, {}), std::runtime_error);
}

}  // namespace
}  // namespace cosimo
