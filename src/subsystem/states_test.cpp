// First-order states of elements in mechanisms, against a closed form and differences.
#include <gtest/gtest.h>

#include <cmath>

#include "core/archive_testing.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/testing.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo {
namespace {

using testing::add_point;
using testing::Alone;
using testing::along_x;

/// A spring c and a damper d in a row: the force between two points is a state, z' = c L' - c/d z.
class InARow final : public ForceElement, private ElementMemory {
 public:
  InARow(const Marker& from, const Marker& to, double c, double d)
      : ForceElement("row", from, to), c_(c), d_(d) {}
  EffortMask components() const override { return components_along(along); }
  bool effort(double, const Frame&, const Frame&, Effort& out) const override {
    out = {};
    return true;
  }
  void gradient(double, const Frame&, const Frame&, EffortGradient& out) const override { out = {}; }
  double potential(double, const Frame&, const Frame&) const override { return 0; }
  const ElementMemory* memory() const override { return this; }
  std::string_view kind() const override { return "row"; }

 private:
  static constexpr Along along = Along::displacement;
  Extent extent() const override { return {.z = 1, .s = 0, .roots = 0}; }
  bool essential() const override { return true; }
  void begin(const Frame&, const Frame&, double* z, double*) const override { *z = 0.5; }
  bool effort(double, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* z_rate) const override {
    const Travel at = travel(along, from, to);
    out = effort_along(along, at, *y.z);
    if (z_rate != nullptr) *z_rate = c_ * at.rate - c_ / d_ * *y.z;
    return true;
  }
  void gradient(double, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& z) const override {
    const Travel at = travel(along, from, to);
    gradient_along(along, from, to, {*y.z, 0, 0}, out);
    z.effort.col(0) << -at.J.head<3>(), -at.J.segment<3>(3), -at.J.tail<3>();
    const auto rate = [&](const Frame& a, const Frame& b) {
      return Eigen::VectorXd::Constant(1, c_ * travel(along, a, b).rate);
    };
    z.from = testing::frame_derivative(from, 12, 1, [&](const Frame& f) { return rate(f, to); });
    z.to = testing::frame_derivative(to, 12, 1, [&](const Frame& f) { return rate(from, f); });
    z.own(0, 0) = -c_ / d_;
  }
  double potential(double, const Frame&, const Frame&, const Remembered& y) const override {
    return 0.5 * *y.z * *y.z / c_;
  }
  double c_, d_;
};

class StateRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, StateRuns,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

TEST_P(StateRuns, AMassOnASpringAndADamperInARow) {
  const double c = 100, d = 50, v0 = 2, z0 = 0.5, w = std::sqrt(99.0);
  MechanismBuilder builder;
  const BodyId mass = add_point(builder, "mass", 1, 0, v0);
  builder.add(std::make_unique<InARow>(along_x(builder, ground), along_x(builder, mass), c, d));
  const PlacedMechanism placed = builder.finish();
  Alone alone(placed, GetParam());
  const double first = 0.7;
  ASSERT_TRUE(alone.advance(first));
  const testing::Bytes bytes = testing::archived(*alone.integrator);
  for (const double t : {1.0, 2.5}) {
    ASSERT_TRUE(alone.advance(t));
    const double v = std::exp(-t) * (v0 * std::cos(w * t) + (v0 - z0) / w * std::sin(w * t));
    EXPECT_NEAR(alone.v(), v, 1e-6);
  }
  Alone other(placed, GetParam());
  testing::load(bytes, *other.integrator);
  for (const double t : {1.0, 2.5}) ASSERT_TRUE(other.advance(t));
  EXPECT_EQ(other.v(), alone.v());
  EXPECT_EQ(other.integrator->states()[0], alone.integrator->states()[0]);
}

/// Two bodies in space with all that remembers between them.
struct Pair {
  PlacedMechanism placed;
  Model model;
  Partition whole;
  Dynamics dynamics;
  std::vector<double> z, s;

  explicit Pair(PlacedMechanism made)
      : placed(std::move(made)),
        model(make_model(placed.mechanism, placed.q, placed.v)),
        whole(testing::in_one_part(model)),
        dynamics(*model.mechanism, whole.parts[0].bodies, whole.parts[0].elements),
        z(dynamics.extent().z),
        s(dynamics.extent().s) {
    dynamics.begin(placed.q.data(), placed.v.data(), z.data(), s.data());
    s[0] -= 0.05;  // the slider: it is strained
  }

  static Pair make() {
    testing::Rng rng(5);
    MechanismBuilder builder;
    const Mat3 inertia = Vec3(0.3, 0.4, 0.6).asDiagonal();
    const auto add = [&](const char* name) {
      return builder.add({.name = name, .kind = BodyKind::rigid, .mass = 1.5, .inertia = inertia},
                         testing::random_frame(rng));
    };
    const BodyId a = add("a"), b = add("b");
    const auto marker = [&](BodyId body) { return testing::random_marker(rng, body); };
    builder.add(make_friction("friction", marker(a), marker(b), {Along::displacement, 70, 3, 1e3, 1e3, 2}));
    builder.add(std::make_unique<InARow>(marker(a), marker(b), 40, 7));
    StopSpec stop;
    stop.stiffness = 50;
    stop.damping = 0.1;
    stop.lower = 20;
    builder.add(make_stop("stop", marker(b), marker(a), stop));
    builder.add(make_torsion("torsion", marker(a), marker(b), {{30, 2}, 0.2, true}));
    return Pair(builder.finish());
  }

  /// Residual, and behind it the rates of z, where freedoms are moved by x and w, and z by dz.
  Eigen::VectorXd at(const Eigen::VectorXd& x, const Eigen::VectorXd& w, double dz) const {
    std::vector<double> q = placed.q, v(q.size()), shift(7), here = z;
    here[0] += dz;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t first = 7 * i;
      const auto freedom = static_cast<Eigen::Index>(6 * i);
      rates_of(BodyKind::rigid, &placed.q[first], x.data() + freedom, shift.data());
      Eigen::VectorXd twist(6);
      twist_of(BodyKind::rigid, &placed.q[first], &placed.v[first], twist.data());
      twist += w.segment<6>(freedom);
      for (std::size_t k = 0; k < 7; ++k) q[first + k] += shift[k];
      rates_of(BodyKind::rigid, &q[first], twist.data(), &v[first]);
    }
    const std::vector<double> alpha(12, 0.0);
    Eigen::VectorXd out(13);
    EXPECT_TRUE(dynamics.residual(0, q.data(), v.data(), alpha.data(), nullptr, {}, out.data(),
                                  {here.data(), s.data()}, out.data() + 12));
    return out;
  }
};

TEST(ElementStates, DerivativesEqualDifferences) {
  const Pair pair = Pair::make();
  ASSERT_EQ(pair.z.size(), 1U);
  const std::vector<double> alpha(12, 0.0);
  StateTangent tangent;
  pair.dynamics.linearise(0, pair.placed.q.data(), pair.placed.v.data(), alpha.data(), nullptr, tangent,
                          {pair.z.data(), pair.s.data()}, &tangent.z);
  Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(13, 25), differences(13, 25);
  const auto put = [&](const std::vector<SparseEntry>& list, Eigen::Index row, Eigen::Index column,
                       double sign) {
    for (const SparseEntry& e : list) exact(row + e.row, column + e.column) += sign * e.value;
  };
  put(tangent.K, 0, 0, 1);
  put(tangent.C, 0, 12, 1);
  put(tangent.z.f_z, 0, 24, -1);
  put(tangent.z.z_x, 12, 0, 1);
  put(tangent.z.z_w, 12, 12, 1);
  put(tangent.z.z_z, 12, 24, 1);
  const double h = 1e-5;
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(12);
  for (Eigen::Index j = 0; j < 12; ++j) {
    const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(12, j);
    differences.col(j) = (pair.at(e, none, 0) - pair.at(-e, none, 0)) / (2 * h);
    differences.col(12 + j) = (pair.at(none, e, 0) - pair.at(none, -e, 0)) / (2 * h);
  }
  differences.col(24) = (pair.at(none, none, h) - pair.at(none, none, -h)) / (2 * h);
  EXPECT_LT(testing::relative_difference(exact, differences), 1e-6);
}

}  // namespace
}  // namespace cosimo
