// Parts of mechanisms with ports of both drives: against the dynamics of the whole, and against differences.
#include "subsystem/mechanism_part.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "integrator/integrator.hpp"
#include "model/mechanism_testing.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/multibody.hpp"
#include "subsystem/series_response.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

constexpr double t0 = 0.3;

/// One part of the two-body model, its inputs held where the other body is.
struct Half {
  Model model = testing::two_rigid_bodies();
  Partition cut;
  std::vector<CutPort> ports;
  Dynamics dynamics;
  MechanismPart part;
  std::vector<double> q, v;
  std::vector<double> values;  ///< of the inputs

  Half(std::size_t id, Drive drive)
      : cut(testing::cut_in_two(model, 1, drive, drive)),
        ports(ports_of(model, cut.interface, PartId{id}, cut.parts[id].bodies)),
        dynamics(*model.mechanism, cut.parts[id].bodies, cut.parts[id].elements),
        part(model, dynamics, ports) {
    const Range own = model.coordinates(BodyId{id}), far = model.coordinates(BodyId{1 - id});
    q.assign(model.bodies.x.begin() + static_cast<std::ptrdiff_t>(own.first),
             model.bodies.x.begin() + static_cast<std::ptrdiff_t>(own.last));
    v.assign(model.bodies.v.begin() + static_cast<std::ptrdiff_t>(own.first),
             model.bodies.v.begin() + static_cast<std::ptrdiff_t>(own.last));
    const double *x = model.bodies.x.data(), *w = model.bodies.v.data();
    if (drive == Drive::force) {
      const CutEffort law(model, ElementId{1});
      values.resize(law.components());
      law.evaluate(t0, {x, w}, {x + 7, w + 7}, values.data());
    } else {
      values.assign(x + far.first, x + far.last);
      values.insert(values.end(), w + far.first, w + far.last);
    }
    std::vector<Polynomial> inputs(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) inputs[i].a[0] = values[i];
    part.drive(inputs);
  }
  std::vector<double> acceleration() const {
    std::vector<double> a(part.size());
    EXPECT_TRUE(part.acceleration(t0, q.data(), v.data(), a.data(), {0, part.size()}));
    return a;
  }
};

class Ports : public ::testing::TestWithParam<std::tuple<std::size_t, Drive>> {
 protected:
  Half half{std::get<0>(GetParam()), std::get<1>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Both, Ports,
                         ::testing::Combine(::testing::Values(std::size_t{0}, std::size_t{1}),
                                            ::testing::Values(Drive::force, Drive::motion)));

TEST_P(Ports, BodyAcceleratesAsInTheWholeModel) {
  const Partition whole = testing::in_one_part(half.model);
  const Dynamics dynamics(*half.model.mechanism, whole.parts[0].bodies, whole.parts[0].elements);
  const auto work = dynamics.make_workspace();
  std::vector<double> expected(dynamics.size());
  ASSERT_TRUE(dynamics.acceleration(t0, half.model.bodies.x.data(), half.model.bodies.v.data(), {},
                                    expected.data(), nullptr, *work));
  const std::vector<double> a = half.acceleration();
  const std::size_t first = 7 * std::get<0>(GetParam());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], expected[first + i], 1e-9) << i;

  std::vector<double> block(a.size(), 99.0);
  ASSERT_TRUE(half.part.acceleration(t0, half.q.data(), half.v.data(), block.data(), {2, 4}));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(block[i], i == 2 || i == 3 ? a[i] : 99.0);
  ASSERT_TRUE(half.part.accelerations(t0, {half.q.data(), half.v.data()}, half.values, block));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(block[i], a[i]);
  EXPECT_EQ(half.part.driven().size(), a.size());
}

TEST_P(Ports, LinearisationIsThatOfDifferences) {
  const MechanismPart& part = half.part;
  const std::size_t n = part.freedoms();
  std::vector<double> w(n), alpha(n);
  for (std::size_t i = 0; i < n; ++i) alpha[i] = 0.4 - 0.2 * static_cast<double>(i);
  part.twist(half.q.data(), half.v.data(), w.data());
  ConstrainedTangent tangent;
  for (int again = 0; again < 2; ++again)  // entries must not pile up
    part.linearise(t0, half.q.data(), half.v.data(), alpha.data(), nullptr, tangent);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6, 6), C = K;
  for (const SparseEntry& e : tangent.K) K(e.row, e.column) += e.value;
  for (const SparseEntry& e : tangent.C) C(e.row, e.column) += e.value;

  const auto residual = [&](const std::vector<double>& q, const std::vector<double>& twist) {
    std::vector<double> rates(q.size()), r(n);
    part.rates(q.data(), twist.data(), rates.data());
    EXPECT_TRUE(part.residual(t0, q.data(), rates.data(), alpha.data(), nullptr, r.data()));
    return r;
  };
  const double h = 1e-6;
  for (std::size_t j = 0; j < n; ++j) {
    const auto displaced = [&](double by) {
      std::vector<double> unit(n), step(half.q.size()), q = half.q;
      unit[j] = by;
      part.rates(half.q.data(), unit.data(), step.data());
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += step[i];
      return residual(q, w);
    };
    const auto faster = [&](double by) {
      std::vector<double> twist = w;
      twist[j] += by;
      return residual(half.q, twist);
    };
    const auto x1 = displaced(h), x0 = displaced(-h), w1 = faster(h), w0 = faster(-h);
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      EXPECT_NEAR(K(row, column), (x1[i] - x0[i]) / (2 * h), 2e-6 * (1 + K.cwiseAbs().maxCoeff()));
      EXPECT_NEAR(C(row, column), (w1[i] - w0[i]) / (2 * h), 2e-6 * (1 + C.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_P(Ports, OneTermOfTheSeriesIsTheSlopeOfTheAccelerations) {
  const Window window{t0, t0 + 0.01};
  Response response;
  response.shape.a[0] = 1;
  ASSERT_TRUE(half.part.respond(window, {half.q, half.v, MacroStates{}}, response));
  std::vector<double> integrals(2);
  shape_integrals(response.shape, window, integrals);
  const std::size_t outputs = output_count(half.ports), inputs = half.values.size();
  ASSERT_EQ(response.derivative.size(), inputs * outputs);
  const double h = 1e-5;
  for (std::size_t i = 0; i < inputs; ++i) {
    std::vector<double> u = half.values, above(outputs), below(outputs);
    u[i] += h;
    ASSERT_TRUE(half.part.accelerations(t0, {half.q.data(), half.v.data()}, u, above));
    u[i] -= 2 * h;
    ASSERT_TRUE(half.part.accelerations(t0, {half.q.data(), half.v.data()}, u, below));
    for (std::size_t o = 0; o < outputs; ++o) {
      const double slope = (above[o] - below[o]) / (2 * h);
      const PortState& d = response.derivative[i * outputs + o];
      EXPECT_NEAR(d.v, integrals[0] * slope, 1e-6 * integrals[0] * (1 + std::fabs(slope))) << i << " " << o;
      EXPECT_NEAR(d.x, integrals[1] * slope, 1e-6 * integrals[1] * (1 + std::fabs(slope))) << i << " " << o;
    }
  }
}

/// Linear systems of implicit methods are solved in memory of their own, and linearisations reuse theirs.
TEST(MechanismPart, SteadyStepsDoNotAllocate) {
  const Model model = testing::two_jointed_groups();
  const Partition whole = testing::in_one_part(model);
  const Dynamics dynamics(*model.mechanism, whole.parts[0].bodies, whole.parts[0].elements);
  const MechanismPart part(model, dynamics, {});
  for (const Method method : {Method::radau, Method::ida}) {
    IntegratorOptions options;
    options.method = method;
    const auto run = make_integrator(part, options);
    run->start(0, model.bodies.x, model.bodies.v);
    std::size_t before = 0;
    for (int k = 1; k <= 40; ++k) {
      if (k == 20) before = allocation_count();
      ASSERT_TRUE(run->advance(0.02 * k, {}).ok);
    }
    EXPECT_EQ(allocation_count(), before) << static_cast<int>(method);
  }
}

// Driven by what the other half does in the whole model, a half moves as it does there.
TEST(MechanismLane, FollowsTheWholeModel) {
  const Model model = testing::two_rigid_bodies();
  IntegratorOptions tight;
  tight.method = Method::rk;
  tight.tolerances = {1e-12, 1e-13, 1e-12};
  const Partition whole = testing::in_one_part(model);
  const MultibodySubsystem uncut(model, whole.parts[0], PartId{0}, whole.interface, tight);
  const double H = 0.02;
  // The motion of the second body as polynomials through six points of the step.
  constexpr std::size_t points = 6;
  std::vector<double> times(points);
  std::vector<std::vector<double>> course(14, std::vector<double>(points));
  for (std::size_t j = 0; j < points; ++j) {
    times[j] = H * static_cast<double>(j) / (points - 1);
    const auto lane = uncut.make_lane();
    if (j > 0) {
      ASSERT_EQ(lane->advance({0, times[j]}, {}, {}).status, StepStatus::ok);
    }
    for (std::size_t k = 0; k < 7; ++k) {
      course[k][j] = lane->position()[7 + k];
      course[7 + k][j] = lane->velocity()[7 + k];
    }
  }
  std::vector<Polynomial> inputs;
  for (const auto& values : course) inputs.push_back(interpolate(times, values, 0, H));
  const Partition cut = testing::cut_in_two(model, 1, Drive::motion, Drive::force);
  const MultibodySubsystem first(model, cut.parts[0], PartId{0}, cut.interface, tight);
  EXPECT_EQ(first.places().size(), 7U);
  ASSERT_EQ(first.inputs().size(), 14U);
  const auto lane = first.make_lane(), reference = uncut.make_lane();
  ASSERT_EQ(lane->advance({0, H}, inputs, {}).status, StepStatus::ok);
  ASSERT_EQ(reference->advance({0, H}, {}, {}).status, StepStatus::ok);
  std::vector<PortState> y(7);
  lane->outputs(0, {}, y);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(y[k].x, reference->position()[k], 1e-10) << k;
    EXPECT_NEAR(y[k].v, reference->velocity()[k], 1e-8) << k;
  }
}

}  // namespace
}  // namespace cosimo
