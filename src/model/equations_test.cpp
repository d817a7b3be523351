#include "model/equations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "model/testing.hpp"

namespace cosimo {
namespace {

struct State {
  std::vector<double> q, v;
};

/// The right-hand side of (2.15) term by term, as one would write it on paper. Coordinates are bodies.
std::vector<double> reference_acceleration(const Model& model, double t, const State& s) {
  const SpringDampers& elements = model.elements;
  const auto power = [](double y, double e) { return std::copysign(std::pow(std::fabs(y), e), y); };
  const auto at = [](const std::vector<double>& x, BodyId body) {
    return body == ground ? 0.0 : x[body.index()];
  };
  std::vector<double> force(model.bodies.count, 0.0);
  for (std::size_t e = 0; e < elements.count(); ++e) {
    const double dx = at(s.q, elements.to[e]) - at(s.q, elements.from[e]);
    const double dv = at(s.v, elements.to[e]) - at(s.v, elements.from[e]);
    const double f = elements.c[e] * dx + elements.d[e] * dv + elements.C[e] * power(dx, elements.ex) +
                     elements.D[e] * power(dv, elements.ev);
    if (elements.from[e] != ground) force[elements.from[e].index()] += f;
    if (elements.to[e] != ground) force[elements.to[e].index()] -= f;
  }
  for (const Harmonic& l : model.loads.harmonic)
    force[l.body.index()] += l.amplitude * std::sin(l.omega * t + l.phase);
  for (const Contact& l : model.loads.contact)
    force[l.body.index()] += l.A * std::exp(l.B * s.q[l.body.index()]);
  for (const Impulse& l : model.loads.impulse)
    force[l.body.index()] +=
        l.amplitude / 2 *
        (std::tanh((t - l.start) / l.steepness) - std::tanh((t - l.start - l.duration) / l.steepness));
  for (const PowerSine& l : model.loads.powersine)
    force[l.body.index()] += l.amplitude * std::pow(std::sin(l.omega * t + l.phase), l.exponent);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] /= model.bodies.mass[i];
  return force;
}

std::vector<double> acceleration(const Equations& equations, double t, const State& s,
                                 std::span<const InputForce> inputs = {}) {
  std::vector<double> a(equations.size(), -1.0);
  EXPECT_TRUE(equations.acceleration(t, s.q.data(), s.v.data(), a.data(), {0, a.size()}, inputs));
  return a;
}

State initial(const Model& model) {
  return {{model.bodies.x.begin(), model.bodies.x.end()}, {model.bodies.v.begin(), model.bodies.v.end()}};
}

void expect_reference(const Model& model, double t) {
  const Equations equations(model, samples::whole(model));
  const State s = initial(model);
  const std::vector<double> a = acceleration(equations, t, s);
  const std::vector<double> expected = reference_acceleration(model, t, s);
  double scale = 0;
  for (const double value : expected) scale = std::max(scale, std::fabs(value));
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], expected[i], 1e-13 * scale) << "body " << i + 1;
}

/// Loads of every kind on some bodies, of sizes that matter beside elements of order one.
void add_loads(Model& model) {
  const std::size_t n = model.bodies.count;
  for (std::size_t i = 0; i < n; i += 3) {
    const double x = static_cast<double>(i);
    model.loads.harmonic.push_back({BodyId(i), 1 + 0.1 * x, 2 + 0.01 * x, 0.3});
    model.loads.contact.push_back({BodyId((i + 1) % n), -0.2, 2 + 0.05 * x});
    model.loads.impulse.push_back({BodyId((i + 2) % n), 3, 0.5, 0.2 + 0.01 * x, 0.05});
    model.loads.powersine.push_back({BodyId(i), 2, 1.5, 0.1, 5});
  }
  sort_by_body(model.loads);
}

TEST(Equations, MatchTheReferenceForEveryLaw) {
  for (const auto& [ex, ev] :
       {std::pair{3.0, 3.0}, {6.0, 3.0}, {2.0, 5.0}, {2.5, 1.3}, {1.0, 4.0}, {7.0, 8.0}}) {
    for (const bool uniform : {true, false})
      for (const std::size_t n : {1U, 2U, 3U, 513U, 1100U}) {
        ChainSpec spec{.masses = n, .mass = 2.0, .c = 3.0, .d = 0.2, .C = 1.5, .D = 0.4, .ex = ex, .ev = ev};
        spec.x = Uniform{-1, 1};
        spec.v = Uniform{-1, 1};
        if (!uniform) {
          spec.mass = Uniform{1, 2};
          for (Sequence* each : {&spec.c, &spec.d, &spec.C, &spec.D}) *each = Uniform{0.5, 1.5};
        }
        expect_reference(make_chain(spec), 0.0);
      }
  }
}

TEST(Equations, LinearAndHalfLinearLaws) {
  for (const auto& [C, D] : {std::pair{0.0, 0.0}, {2.0, 0.0}, {0.0, 2.0}}) {
    ChainSpec spec{.masses = 100,
                   .c = HalfSine{1, 9, 10},
                   .d = 0.2,
                   .C = C,
                   .D = D,
                   .x = Uniform{-1, 1},
                   .v = Uniform{-1, 1}};
    expect_reference(make_chain(spec), 0.0);
  }
}

TEST(Equations, FreeEndsTreesRingsAndShuffledChains) {
  ChainSpec spec = samples::chain_spec(40);
  spec.ends = {End::free, End::fixed};
  expect_reference(make_chain(spec), 0.0);
  expect_reference(samples::shuffled(make_chain(spec), 5), 0.0);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Model tree = samples::random_tree(60, seed);
    add_loads(tree);
    for (const double t : {0.0, 0.5, 0.61, 2.0}) expect_reference(tree, t);
  }
  Model ring = samples::ring(17, 4);
  add_loads(ring);
  expect_reference(ring, 0.4);
}

TEST(Equations, ParallelElementsAdd) {
  samples::Builder builder(4, 9);
  for (std::size_t i = 0; i < 3; ++i) builder.join(BodyId(i), BodyId(i + 1));
  builder.join(BodyId(2), BodyId(1));  // backwards, beside element 2
  const Model model = builder.finish();
  expect_reference(model, 0.0);
  EXPECT_EQ(Equations(model, samples::whole(model)).reach(), 1U);
}

TEST(Equations, ReachIsTheLongestElement) {
  const Model chain = samples::chain(20);
  EXPECT_EQ(Equations(chain, samples::whole(chain)).reach(), 1U);
  samples::Builder builder(20, 3);
  for (std::size_t i = 0; i + 1 < 20; ++i) builder.join(BodyId(i), BodyId(i + 1));
  builder.join(BodyId(17), BodyId(3));
  const Model loop = builder.finish();
  EXPECT_EQ(Equations(loop, samples::whole(loop)).reach(), 14U);
}

/// Any division into blocks must give the bits of one call, and touch nothing else.
void expect_same_bits_in_blocks(const Model& model, double t) {
  const Equations equations(model, samples::whole(model));
  const State s = initial(model);
  const std::size_t n = equations.size();
  const auto last = static_cast<std::int32_t>(n - 1);
  const std::vector<InputForce> inputs{{0, 0.7, 0}, {last, -1.3, 0}, {0, 0.1, 0}};
  const std::vector<double> whole = acceleration(equations, t, s, inputs);
  const double untouched = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t width :
       {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{511}, std::size_t{600}, n})
    for (const std::size_t offset :
         {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{300}, n - 1}) {
      const Range range{offset, std::min(offset + width, n)};
      if (range.first >= range.last) continue;
      std::vector<double> a(n, untouched);
      ASSERT_TRUE(equations.acceleration(t, s.q.data(), s.v.data(), a.data(), range, inputs));
      for (std::size_t i = 0; i < n; ++i) {
        if (i >= range.first && i < range.last)
          ASSERT_EQ(a[i], whole[i]) << "coordinate " << i << " in [" << range.first << ", " << range.last
                                    << ")";
        else
          ASSERT_TRUE(std::isnan(a[i])) << "coordinate " << i << " outside the block was written";
      }
    }
}

TEST(Equations, BlocksGiveTheSameBits) {
  for (const double ex : {3.0, 6.0, 2.5}) {
    ChainSpec spec = samples::chain_spec(1501);
    spec.ex = ex;
    Model model = make_chain(spec);
    for (std::size_t i = 0; i < 1501; i += 2) model.loads.harmonic.push_back({BodyId(i), 10, 3, 0.1});
    expect_same_bits_in_blocks(model, 0.3);
    std::vector<double> stiffness(model.elements.count());
    for (std::size_t i = 0; i < stiffness.size(); ++i) stiffness[i] = 1e6 + static_cast<double>(i % 5);
    model.elements.c = Field(stiffness);
    std::vector<double> mass(1501);
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = 1 + static_cast<double>(i % 7);
    model.bodies.mass = Field(mass);
    expect_same_bits_in_blocks(model, 0.3);
  }
  Model tree = samples::random_tree(700, 11);
  add_loads(tree);
  expect_same_bits_in_blocks(tree, 0.55);
}

TEST(Equations, PartsSeeTheirOwnBodiesOnly) {
  Model model = samples::chain(9);
  model.loads.harmonic = {{BodyId(1), 5, 2, 0}, {BodyId(4), 7, 2, 0}, {BodyId(8), 9, 2, 0}};
  Part part{
      .bodies = {BodyId(3), BodyId(4), BodyId(5)}, .owned = {0, 3}, .elements = {ElementId(4), ElementId(5)}};
  const Equations equations(model, part);
  EXPECT_EQ(equations.initial_position()[1], model.bodies.x[4]);
  EXPECT_EQ(equations.initial_velocity()[2], model.bodies.v[5]);
  const State s{{model.bodies.x[3], model.bodies.x[4], model.bodies.x[5]},
                {model.bodies.v[3], model.bodies.v[4], model.bodies.v[5]}};
  // Inputs replace the cut elements: the part then moves as the whole does (2.16).
  const auto cut = [&](std::size_t e) {
    return model.elements.law(ElementId(e))
        .force(model.bodies.x[e] - model.bodies.x[e - 1], model.bodies.v[e] - model.bodies.v[e - 1]);
  };
  const std::vector<InputForce> inputs{{0, -cut(3), 0}, {2, cut(6), 0}};
  const std::vector<double> a = acceleration(equations, 0.2, s, inputs);
  const std::vector<double> expected = reference_acceleration(model, 0.2, initial(model));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(a[i], expected[i + 3], 1e-12 * std::fabs(expected[i + 3]) + 1e-6);
}

TEST(Equations, FreeChainKeepsItsMomentum) {
  ChainSpec spec = samples::chain_spec(1000);
  spec.mass = Uniform{1e-5, 1e-4};
  spec.ends = {End::free, End::free};
  const Model model = make_chain(spec);
  const std::vector<double> a = acceleration(Equations(model, samples::whole(model)), 0, initial(model));
  double momentum = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    momentum += model.bodies.mass[i] * a[i];
    size += std::fabs(model.bodies.mass[i] * a[i]);
  }
  EXPECT_LT(std::fabs(momentum), 1e-14 * size);
}

TEST(Equations, OverflowIsReportedForItsBlockOnly) {
  Model model = samples::chain(600);
  model.loads.contact = {{BodyId(299), -1.0, 1e3}};
  const Equations equations(model, samples::whole(model));
  State s = initial(model);
  std::vector<double> a(600);
  const auto evaluate = [&](Range range) {
    return equations.acceleration(0, s.q.data(), s.v.data(), a.data(), range, {});
  };
  s.q[299] = 0.599;
  EXPECT_TRUE(evaluate({0, 600}));
  s.q[299] = 0.601;  // exponent above 600
  EXPECT_FALSE(evaluate({0, 600}));
  EXPECT_TRUE(evaluate({0, 299}));
  EXPECT_FALSE(evaluate({299, 300}));
  s.q[299] = 0;
  for (const double bad :
       {1e200, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    s.v[500] = bad;
    EXPECT_FALSE(evaluate({0, 600}));
    EXPECT_FALSE(evaluate({501, 502}));
    EXPECT_TRUE(evaluate({0, 499}));
  }
}

TEST(Equations, NextBreakpoint) {
  Model model = samples::chain(3);
  model.loads.impulse = {{BodyId(1), 1, 2.0, 1.0, 0.01}};
  const Equations equations(model, samples::whole(model));
  EXPECT_DOUBLE_EQ(equations.next_breakpoint(0), 1.82);
  EXPECT_EQ(equations.next_breakpoint(1.99), 2.0);
  EXPECT_DOUBLE_EQ(equations.next_breakpoint(2.1), 2.18);
  EXPECT_EQ(equations.next_breakpoint(4), std::numeric_limits<double>::infinity());
}

TEST(Equations, EnergyIsConservedByUndampedElements) {
  // dE/dt = v . (M a + dV/dq) = 0 when nothing damps: the power of all forces is minus the potential's rate.
  for (Model model : {samples::random_tree(30, 3), samples::ring(12, 5),
                      samples::shuffled(samples::random_tree(9, 1), 2)}) {
    model.elements.d = Field(0.0);
    model.elements.D = Field(0.0);
    model.elements.ex = 2.5;
    const Equations equations(model, samples::whole(model));
    const State s = initial(model);
    const std::vector<double> a = acceleration(equations, 0, s);
    const auto energy_after = [&](double h) {
      State moved = s;
      for (std::size_t i = 0; i < a.size(); ++i) {
        moved.q[i] += h * s.v[i];
        moved.v[i] += h * a[i];
      }
      return equations.energy(moved.q.data(), moved.v.data());
    };
    const double h = 1e-6;
    const double scale = equations.energy(s.q.data(), s.v.data());
    EXPECT_GT(scale, 1);
    EXPECT_NEAR((energy_after(h) - energy_after(-h)) / (2 * h), 0, 1e-7 * scale);
  }
}

TEST(Equations, EnergyOfOneSpring) {
  Model model = make_chain({.masses = 1, .mass = 2.0, .c = 4.0, .C = 8.0, .ends = {End::fixed, End::free}});
  const double q = 3, v = 5;
  EXPECT_DOUBLE_EQ(Equations(model, samples::whole(model)).energy(&q, &v), 25 + 18 + 8 * 81 / 4.0);
}

TEST(Equations, RefuseAnElementThatLeavesThePart) {
  const Model model = samples::chain(3);
  const Part part{.bodies = {BodyId(0)}, .owned = {0, 1}, .elements = {ElementId(1)}};
  EXPECT_THROW(Equations(model, part), Bug);
}

}  // namespace
}  // namespace cosimo
