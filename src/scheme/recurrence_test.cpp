// The recurrence of a scheme against recurrences derived by hand, and that it is linear for every kind.
#include "scheme/recurrence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "model/chain.hpp"
#include "model/cut_laws.hpp"
#include "model/graphs.hpp"
#include "numerics/spectral_radius.hpp"
#include "scheme/explicit.hpp"
#include "scheme/implicit.hpp"
#include "scheme/waveform.hpp"
#include "subsystem/linear_oscillator.hpp"

namespace cosimo {
namespace {

using Values = std::vector<double>;

/// Two masses of 1 between walls, cut in the middle; macro steps of 1.
struct Oscillator {
  Values c, d;
  Drive first = Drive::force, second = Drive::force;
};

struct Bench {
  Model model;
  Partition partition;
  std::vector<std::unique_ptr<Component>> subsystems;
  std::vector<Recorded> recorded{2};
  CouplingConditions conditions;
  Pool pool{1};
  LaneSet lanes;

  explicit Bench(const Oscillator& o, Beside beside = Beside::none)
      : model(make_chain(spec(o))),
        partition(cut(model, o)),
        subsystems(make_subsystems()),
        conditions(make_laws(model, partition.interface), partition.interface),
        lanes(subsystems, recorded, pool, beside, true) {}

 private:
  static ChainSpec spec(const Oscillator& o) {
    ChainSpec spec;
    spec.masses = 2;
    spec.mass = 1.0;
    spec.c = o.c;
    spec.d = o.d;
    return spec;
  }
  static Partition cut(const Model& model, const Oscillator& o) {
    Partition p = make_partition(model, {2, CutMethod::equal});
    p.interface.couplings.front().from.drive = o.first;
    p.interface.couplings.front().to.drive = o.second;
    return p;
  }
  std::vector<std::unique_ptr<Component>> make_subsystems() const {
    std::vector<std::unique_ptr<Component>> made;
    for (std::size_t i = 0; i < 2; ++i)
      made.push_back(
          std::make_unique<LinearOscillator>(model, partition.parts[i], PartId{i}, partition.interface));
    return made;
  }
};

/// As many iterations as there may be.
CorrectorOptions always(int iterations) {
  CorrectorOptions options;
  options.norms = {0, 0, 0, 0};
  options.max_iterations = iterations;
  options.go_on = true;
  return options;
}

/// Two masses that only the coupling holds: under a constant force u on the first, -u on the second they move
/// by v + u/2 in a step of 1, and their velocities change by u.
constexpr double stiffness = 0.7, damping = 0.3;
const Oscillator free_masses{{0, stiffness, 0}, {0, damping, 0}};

double law(const Values& z) {
  return stiffness * (z[2] - z[0]) + damping * (z[3] - z[1]);
}

/// z = (x1, v1, x2, v2) after a step with a force that gives these changes of position and velocity.
Values moved(const Values& z, double dx, double dv) {
  return {z[0] + z[1] + dx, z[1] + dv, z[2] + z[3] - dx, z[3] - dv};
}
Values constant_force(const Values& z, double u) {
  return moved(z, u / 2, u);
}

/// Every column of the recurrence against a step by hand.
void expect_recurrence(Recurrence& recurrence, std::size_t n,
                       const std::function<Values(const Values&)>& hand) {
  ASSERT_EQ(recurrence.size(), n);
  const Values a = recurrence.matrix();
  for (std::size_t j = 0; j < n; ++j) {
    Values unit(n);
    unit[j] = 1;
    const Values expected = hand(unit);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(a[j * n + i], expected[i], 1e-14) << i << ", " << j;
  }
}

TEST(Recurrence, OfTheExplicitSchemeWithConstants) {
  Bench bench(free_masses);
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
  Recurrence recurrence(bench.lanes, scheme, 1, 0);
  expect_recurrence(recurrence, 5, [](const Values& z) {
    Values next = constant_force(z, z[4]);
    next.push_back(law(next));
    return next;
  });
}

TEST(Recurrence, OfTheExplicitSchemeWithStraightLines) {
  Bench bench(free_masses);
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
  Recurrence recurrence(bench.lanes, scheme, 1, 1);
  // z[4], z[5]: the force one step ago, and now.
  expect_recurrence(recurrence, 6, [](const Values& z) {
    const double slope = z[5] - z[4];
    Values next = moved(z, z[5] / 2 + slope / 6, z[5] + slope / 2);
    next.insert(next.end(), {z[5], law(next)});
    return next;
  });
}

TEST(Recurrence, OfWaveformRelaxation) {
  Bench bench(free_masses);
  const double omega = 0.3;
  WaveformScheme scheme(bench.lanes, bench.conditions, 0, {}, always(2), omega);
  Recurrence recurrence(bench.lanes, scheme, 1, 0);
  expect_recurrence(recurrence, 5, [&](const Values& z) {
    double old = z[4];
    Values next = constant_force(z, old);
    for (int iteration = 0; iteration < 2; ++iteration) {
      const double now = law(next);  // (2.35) weighs what the states said, not what drove them
      next = constant_force(z, (1 - omega) * now + omega * std::exchange(old, now));
    }
    next.push_back(law(next));
    return next;
  });
}

TEST(Recurrence, OfTheImplicitScheme) {
  for (const JacobianMethod method : {JacobianMethod::sensitivity, JacobianMethod::fd}) {
    Bench bench(free_masses, method == JacobianMethod::fd ? Beside::perturbed : Beside::none);
    ImplicitOptions options;
    options.jacobian.method = method;
    options.jacobian.perturbation_min = 1;
    options.corrector = always(3);
    ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, options);
    Recurrence recurrence(bench.lanes, scheme, 1, 0);
    expect_recurrence(recurrence, 5, [](const Values& z) {
      const double u = law(constant_force(z, 0)) / (1 + stiffness + 2 * damping);
      Values next = constant_force(z, u);
      next.push_back(u);
      return next;
    });
  }
}

/// A damped oscillator without symmetries.
const Oscillator damped{{1.1, 0.8, 0.6}, {0.2, 0.35, 0.1}};
Oscillator driven(Drive first, Drive second) {
  Oscillator o = damped;
  o.first = first;
  o.second = second;
  return o;
}

Values random_vector(std::size_t n, std::uint64_t stream) {
  Values z(n);
  for (std::size_t i = 0; i < n; ++i) z[i] = RandomStream(11, stream).uniform(i, -1, 1);
  return z;
}

/// The step of a vector is the matrix times it, whatever the step before did.
void expect_linear(Recurrence& recurrence, const std::string& which) {
  const std::size_t n = recurrence.size();
  const Values a = recurrence.matrix();
  for (const double size : {1.0, 1e-6, 1e5}) {
    Values z = random_vector(n, n);
    for (double& x : z) x *= size;
    Values product(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) product[i] += a[j * n + i] * z[j];
    ASSERT_TRUE(recurrence.step(z)) << which;
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(z[i], product[i], 1e-10 * size) << which << ": " << i;
  }
}

TEST(Recurrence, IsLinearForEveryDecomposition) {
  for (const Drive first : {Drive::force, Drive::motion})
    for (const Drive second : {Drive::force, Drive::motion})
      for (const bool consistent : {true, false})
        for (const bool sequential : {false, true}) {
          ClassicOptions options;
          options.consistent_update = consistent;
          if (sequential) options.stages = {1, 0};
          const std::string which = std::to_string(static_cast<int>(first)) +
                                    std::to_string(static_cast<int>(second)) + (consistent ? " update" : "") +
                                    (sequential ? " sequential" : "");
          Bench bench(driven(first, second)), waveform(driven(first, second));
          ExplicitScheme once(bench.lanes, bench.conditions, 0, options);
          Recurrence explicit_step(bench.lanes, once, 1, 2);
          expect_linear(explicit_step, which + " explicit");
          WaveformScheme often(waveform.lanes, waveform.conditions, 0, options, always(5), 0.3);
          Recurrence waveform_step(waveform.lanes, often, 1, 1);
          expect_linear(waveform_step, which + " waveform");
        }
}

TEST(Recurrence, IsLinearForEveryJacobian) {
  for (const auto method :
       {JacobianMethod::fd, JacobianMethod::series, JacobianMethod::rk, JacobianMethod::sensitivity})
    for (const bool once : {false, true}) {
      Bench bench(driven(Drive::motion, Drive::force),
                  method == JacobianMethod::fd ? Beside::perturbed : Beside::none);
      ImplicitOptions options{{method, 2, false, 1.0}, always(4), once};
      ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, options);
      Recurrence recurrence(bench.lanes, scheme, 1, 2);
      expect_linear(recurrence, std::to_string(static_cast<int>(method)) + (once ? " once" : ""));
    }
}

TEST(Recurrence, IsLinearForEveryPredictor) {
  std::vector<ClassicOptions> all(6);
  all[0].predictor.least_squares_points = 5;
  all[1].motion = MotionOptions{1, {}, false, true};
  all[2].motion = MotionOptions{1, {}, true, false};
  all[3].motion = MotionOptions{1, 0.25, false, true};
  all[4].motion = MotionOptions{2, 0.25, false, false};
  all[5].motion = MotionOptions{1, {}, true, true};
  all[5].stages = {0, 1};
  for (std::size_t i = 0; i < all.size(); ++i) {
    Bench bench(driven(Drive::force, Drive::motion));
    ExplicitScheme scheme(bench.lanes, bench.conditions, 0, all[i]);
    Recurrence recurrence(bench.lanes, scheme, 1, 1);
    expect_linear(recurrence, std::to_string(i));
  }
}

TEST(Recurrence, LooksBackAsFarAsThePredictorDoes) {
  Bench bench(damped);
  ClassicOptions fit;
  fit.predictor.least_squares_points = 6;
  ExplicitScheme scheme(bench.lanes, bench.conditions, 0, fit);
  EXPECT_EQ(scheme.memory_points(2), 6U);
  ExplicitScheme plain(bench.lanes, bench.conditions, 0, {});
  EXPECT_EQ(plain.memory_points(2), 3U);
}

TEST(Recurrence, OfAShortStepNeitherGrowsNorDecays) {
  for (const double H : {1e-2, 1e-3, 1e-4}) {
    Bench bench(damped);
    ExplicitScheme scheme(bench.lanes, bench.conditions, 0, {});
    Recurrence recurrence(bench.lanes, scheme, H, 2);
    const double rho = spectral_radius(recurrence.matrix(), recurrence.size());
    EXPECT_LT(rho, 1);
    EXPECT_GT(rho, 1 - H);
  }
}

}  // namespace
}  // namespace cosimo
