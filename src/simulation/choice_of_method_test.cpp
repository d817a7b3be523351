// `method: auto` on lattices, where an implicit attempt costs many explicit ones, and on chains of rods,
// which swing with hardly any damping (integrator/stiffness.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mechanics/body.hpp"
#include "model/graphs.hpp"
#include "model/pendulum.hpp"
#include "simulation/testing.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo::testing {
namespace {

Counters counters_of(int width, double damping, const char* rtol) {
  Bench bench(fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [{0}, {0}], mass: 1, spring: {{c: 1, d: {1}}},
            initial: {{x: {{uniform: [-1, 1]}}, v: {{uniform: [-1, 1]}}}}, seed: 6}}
simulate: {{end: 100, output: 10}}
solve: {{rtol: {2}}}
)",
                          width, damping, rtol));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return bench.lanes->lane(0).status().counters;
}

/// rk runs at its limit of stability, which is as long as accuracy allows: no matrix is worth its cost.
TEST(ChoiceOfMethod, ALatticeThatOnlySwingsIsNotFactorised) {
  const Counters counters = counters_of(40, 0.02, "1.0e-2");
  EXPECT_LT(counters.steps, 300);
  EXPECT_EQ(counters.factorizations, 0);
}

/// What rk stirs up at its limit must die down before the implicit method takes long steps, which takes more
/// than three of them. With rk alone it takes 480 000 steps.
TEST(ChoiceOfMethod, AStiffLatticeIsLeftToTheImplicitMethod) {
  const Counters counters = counters_of(30, 2000, "1.0e-6");
  EXPECT_LT(counters.steps, 5000);
  EXPECT_GT(counters.factorizations, 100);
}

/// 200 rods that hang one from the other by pins, released from a smooth shape, as in `bench/run multibody`.
class Rods {
 public:
  struct Run {
    std::vector<double> tip;  ///< two numbers for each of ten times
    Integrator::Status status;
  };

  explicit Rods(double damping = 0) : model_(make_pendulum(spec(damping))), whole_(uncut(model_)) {
    equations_ = make_part_equations(model_, whole_.parts.front());
  }

  Run run(Method method, double rtol, double end = 5) const {
    const auto driven = equations_->make_system({});
    IntegratorOptions options;
    options.method = method;
    options.tolerances = {rtol, 1e-3 * rtol, rtol};
    options.end = end;
    const auto integrator = make_integrator(driven->system(), options);
    const auto first = static_cast<std::int32_t>(3 * (links - 1));
    const std::vector<std::int32_t> dofs{first, first + 1, first + 2};
    std::vector<double> times;
    for (int k = 1; k <= 10; ++k) times.push_back(0.1 * k * end);
    std::vector<double> q(30), v(30);
    integrator->start(0, equations_->initial_position(), equations_->initial_velocity());
    EXPECT_TRUE(integrator->advance(end, {times, dofs, q, v}).ok);
    Run result{{}, integrator->status()};
    for (std::size_t row = 0; row < 10; ++row) {
      const Frame rod = frame_of(BodyKind::planar, &q[3 * row], &v[3 * row]);
      const Vec3 tip = rod.r + 0.5 * rod.R.col(0);
      result.tip.insert(result.tip.end(), {tip.x(), tip.y()});
    }
    return result;
  }

 private:
  static constexpr std::size_t links = 200;
  static PendulumSpec spec(double damping) {
    std::vector<double> angle;
    for (std::size_t i = 0; i < links; ++i)
      angle.push_back(0.1 + 0.4 * static_cast<double>(i) / static_cast<double>(links - 1));
    PendulumSpec spec;
    spec.links = links;
    spec.mass = 10.0;
    spec.rods = true;
    spec.angle = angle;
    spec.damping = damping;
    return spec;
  }

  Model model_;
  Partition whole_;
  std::unique_ptr<PartEquations> equations_;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

/// rk needs three times the evaluations, all of them at its limit of stability.
TEST(ChoiceOfMethod, RodsThatSwingAreLeftToMerson) {
  const Rods rods;
  const Rods::Run exact = rods.run(Method::rk, 1e-9);
  for (const double rtol : {1e-3, 1e-4}) {
    const Rods::Run run = rods.run(Method::automatic, rtol);
    EXPECT_EQ(run.status.method, "merson") << rtol;
    EXPECT_LE(run.status.switches, 1) << rtol;
    EXPECT_LE(run.status.counters.evaluations, 1200) << rtol;
    EXPECT_LE(distance(run.tip, exact.tip), 1e-5) << rtol;
  }
}

/// Where accuracy asks for steps well below the limit, the pair of higher order has them longer.
TEST(ChoiceOfMethod, RodsAtTightTolerancesStayWithRungeKutta) {
  const Rods::Run run = Rods().run(Method::automatic, 1e-8, 1);
  EXPECT_EQ(run.status.method, "rk");
  EXPECT_EQ(run.status.merson_steps, 0);
}

/// Strong damping in the joints: the fastest motion decays.
TEST(ChoiceOfMethod, RodsThatCreepAreLeftToRadau) {
  const Rods::Run run = Rods(1e3).run(Method::automatic, 1e-4, 1);
  EXPECT_EQ(run.status.method, "radau");
  EXPECT_EQ(run.status.merson_steps, 0);
}

}  // namespace
}  // namespace cosimo::testing
