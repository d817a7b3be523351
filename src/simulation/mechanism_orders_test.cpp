// Two rigid bodies in space, coupled through a bushing with nine components of its effort: observed orders of
// the local errors of positions (kappa + 3), velocities (kappa + 2) and of the global error (kappa + 1).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/mechanism_testing.hpp"
#include "scheme/explicit.hpp"
#include "scheme/implicit.hpp"
#include "scheme/sequence.hpp"
#include "scheme/waveform.hpp"
#include "simulation/local_reference.hpp"
#include "simulation/order_testing.hpp"

namespace cosimo {
namespace {

struct Setting {
  const char* name;
  int kappa;
  Drive from, to;
  bool implicit;
  JacobianMethod jacobian = JacobianMethod::fd;
  bool joints = false;
};

IntegratorOptions tight() {
  IntegratorOptions options;
  options.method = Method::rk;
  options.tolerances = {1e-13, 1e-14, 1e-13};
  return options;
}

class SpatialBench {
 public:
  SpatialBench(const Model& m, Drive from, Drive to, Beside beside)
      : model(m),
        cut(testing::cut_in_two(model, 1, from, to)),
        conditions(make_laws(model, cut.interface), cut.interface),
        subsystems(make_subsystems()),
        recorded(subsystems.size()),
        pool(1),
        lanes(subsystems, recorded, pool, beside, true),
        q(model.coordinate_count()),
        v(q.size()) {}

  const Model& model;
  const Partition cut;
  const CouplingConditions conditions;
  const std::vector<std::unique_ptr<Component>> subsystems;
  const std::vector<Recorded> recorded;
  Pool pool;
  LaneSet lanes;
  std::vector<double> q, v;  ///< at the last point

  /// One accepted step; with a reference its local error is measured.
  void step(ClassicScheme& scheme, double H, int kappa, LocalReference* local) {
    const double t = scheme.history().time(0);
    const Window window{t, t + H};
    lanes.state(q, v);
    if (local != nullptr) {
      ASSERT_TRUE(local->advance(window, q, v));
    }
    const Candidate candidate = scheme.attempt({window, kappa}, {});
    ASSERT_TRUE(candidate.ok) << candidate.reason;
    if (local != nullptr) local->measure(scheme.point().y, scheme.point().predicted);
    scheme.accept();
    lanes.state(q, v);
  }
  /// From tiny steps to H, so that the history is there when steps are measured.
  void start(ClassicScheme& scheme, double H, int kappa) {
    for (double h = H / 512; h < 0.9 * H; h *= 2) step(scheme, h, kappa, nullptr);
  }

 private:
  std::vector<std::unique_ptr<Component>> make_subsystems() const {
    std::vector<std::unique_ptr<Component>> made;
    for (std::size_t i = 0; i < cut.parts.size(); ++i)
      made.push_back(
          std::make_unique<MultibodySubsystem>(model, cut.parts[i], PartId{i}, cut.interface, tight()));
    return made;
  }
};

/// Largest difference of positions and velocities from the uncut model at time t.
double deviation_from_uncut(const SpatialBench& bench, double t) {
  const Partition whole = testing::in_one_part(bench.model);
  const MultibodySubsystem uncut(bench.model, whole.parts[0], PartId{0}, whole.interface, tight());
  const auto lane = uncut.make_lane();
  EXPECT_EQ(lane->advance({0, t}, {}, {}).status, StepStatus::ok);
  double most = 0;
  for (std::size_t i = 0; i < bench.q.size(); ++i)
    most = std::max(
        {most, std::fabs(bench.q[i] - lane->position()[i]), std::fabs(bench.v[i] - lane->velocity()[i])});
  return most;
}

ImplicitOptions newton(JacobianMethod method) {
  ImplicitOptions options;
  options.jacobian.method = method;
  options.corrector.norms = {1e-11, 1e-13, 1e-12, 0};
  options.corrector.max_iterations = 20;
  options.corrector.go_on = true;
  return options;
}

class SpatialOrders : public ::testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(
    Bushing, SpatialOrders,
    ::testing::Values(
        Setting{"ExplicitForceForce1", 1, Drive::force, Drive::force, false},
        Setting{"ExplicitForceForce2", 2, Drive::force, Drive::force, false},
        Setting{"ExplicitForceDisplacement1", 1, Drive::force, Drive::motion, false},
        Setting{"ExplicitDisplacementDisplacement1", 1, Drive::motion, Drive::motion, false},
        Setting{"ImplicitForceForce1", 1, Drive::force, Drive::force, true, JacobianMethod::fd},
        Setting{"ImplicitForceForce2", 2, Drive::force, Drive::force, true, JacobianMethod::series},
        Setting{"ImplicitForceDisplacement1", 1, Drive::motion, Drive::force, true, JacobianMethod::fd},
        Setting{"ImplicitDisplacementDisplacement1", 1, Drive::motion, Drive::motion, true,
                JacobianMethod::series},
        Setting{"ExplicitJointedGroups1", 1, Drive::force, Drive::motion, false, JacobianMethod::fd, true},
        Setting{"ImplicitJointedGroups1", 1, Drive::force, Drive::force, true, JacobianMethod::series, true}),
    [](const auto& setting) { return setting.param.name; });

TEST_P(SpatialOrders, AreThoseOfTheTheory) {
  const Setting& s = GetParam();
  const Model model = s.joints ? testing::two_jointed_groups() : testing::two_rigid_bodies();
  testing::Orders orders;
  for (const double H : {8e-3, 4e-3, 2e-3}) {
    const bool differences = s.implicit && s.jacobian == JacobianMethod::fd;
    SpatialBench bench(model, s.from, s.to, differences ? Beside::perturbed : Beside::none);
    std::unique_ptr<ClassicScheme> scheme;
    if (s.implicit)
      scheme = std::make_unique<ImplicitScheme>(bench.lanes, bench.conditions, 0, ClassicOptions{},
                                                newton(s.jacobian));
    else
      scheme = std::make_unique<ExplicitScheme>(bench.lanes, bench.conditions, 0, ClassicOptions{});
    const MotionScale scale;
    LocalReference local(bench.model, bench.cut, bench.conditions, scale);
    bench.start(*scheme, H, s.kappa);
    const int steps = static_cast<int>(std::lround(0.16 / H));
    for (int k = 0; k < steps; ++k) bench.step(*scheme, H, s.kappa, &local);
    orders.H.push_back(H);
    orders.local_pos.push_back(local.position_nrmse());
    orders.local_vel.push_back(local.velocity_nrmse());
    orders.global.push_back(deviation_from_uncut(bench, scheme->history().time(0)));
  }
  testing::expect_orders(orders, s.kappa + 3, s.kappa + 2, s.kappa + 1);
}

/// Every scheme, sequence, predictor and estimator on the same model, near the uncut one.
TEST(SpatialCoupling, AllSchemesAgreeWithTheUncutModel) {
  const Model model = testing::two_rigid_bodies();
  const double H = 2e-3;
  for (const Estimator estimator : {Estimator::none, Estimator::exLE, Estimator::exMD, Estimator::exCV,
                                    Estimator::imMD, Estimator::imCV, Estimator::waCV})
    for (const bool gauss_seidel : {false, true})
      for (const int predictor : {0, 1, 2}) {
        const bool im = estimator == Estimator::imMD || estimator == Estimator::imCV;
        const bool compares = estimator == Estimator::exLE || estimator == Estimator::exMD;
        SpatialBench bench(model, Drive::force, gauss_seidel ? Drive::motion : Drive::force,
                           im         ? Beside::perturbed
                           : compares ? Beside::comparison
                                      : Beside::none);
        ClassicOptions options;
        options.estimator = estimator;
        if (predictor > 0) options.motion = MotionOptions{1, {}, predictor == 1, true};
        if (predictor == 2) options.motion->omega = 0.3;
        if (gauss_seidel && !im)
          options.stages = gauss_seidel_stages(bench.cut.interface, bench.cut.parts.size(), {});
        std::unique_ptr<ClassicScheme> scheme;
        if (im)
          scheme = std::make_unique<ImplicitScheme>(bench.lanes, bench.conditions, 0, options,
                                                    newton(JacobianMethod::fd));
        else if (estimator == Estimator::waCV)
          scheme = std::make_unique<WaveformScheme>(bench.lanes, bench.conditions, 0, options,
                                                    newton(JacobianMethod::fd).corrector, 0.1);
        else
          scheme = std::make_unique<ExplicitScheme>(bench.lanes, bench.conditions, 0, options);
        bench.start(*scheme, H, 1);
        for (int k = 0; k < 10; ++k) bench.step(*scheme, H, 1, nullptr);
        EXPECT_LT(deviation_from_uncut(bench, scheme->history().time(0)), 2e-3)
            << static_cast<int>(estimator) << gauss_seidel << predictor;
        EXPECT_GT(scheme->point().cut_errors.size(), 0U);
      }
}

}  // namespace
}  // namespace cosimo
