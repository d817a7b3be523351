// Tyres at random states: derivatives, energy; and their models against closed forms.
#include "tyre/tyre_element.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>

#include "mechanics/element_memory.hpp"
#include "mechanics/element_testing.hpp"
#include "tyre/brush-inl.hpp"
#include "tyre/magic_formula-inl.hpp"
#include "tyre/testing.hpp"

namespace cosimo::tyre {
namespace {

using cosimo::testing::random_number;
using cosimo::testing::Rng;

struct Case {
  const char* name;
  Spec spec;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

Spec rough(Spec spec) {
  spec.road.height = 0.05;
  spec.road.waves = {{0.03, 1.5, 0.4}, {0.01, 0.6, 1}};
  return spec;
}
Spec with_table(Spec spec) {
  spec.points = {{0, 0}, {0.01, 1500}, {0.03, 6000}, {0.08, 25000}};
  return spec;
}
Spec mirrored(Spec spec) {
  spec.mirrored = true;
  spec.relaxation = {{0.4, 0.5}};
  return spec;
}

/// A wheel pressed into a road that lies anyhow, leaning and slipping, fast or slow.
struct Random {
  std::unique_ptr<ForceElement> element;
  Frame from, to;
  std::array<double, 2> z{};

  Random(const Spec& spec, std::uint64_t seed) {
    Rng rng(seed);
    const Mat3 axes = cosimo::testing::random_rotation(rng);
    element = make_tyre("tyre", testing::road(axes, cosimo::testing::random_vector(rng)),
                        testing::on_wheel(BodyId(0)), spec);
    from = marker_frame(Frame{}, element->at_from);
    const double lean = 0.15 * random_number(rng), heading = 3 * random_number(rng);
    Frame wheel;
    wheel.R = axes * cosimo::testing::rotation({0, 0, heading}) * cosimo::testing::rotation({lean, 0, 0}) *
              cosimo::testing::rotation({0, random_number(rng), 0});
    const double height = spec.road.height + 0.26 + 0.02 * random_number(rng);
    wheel.r = from.r + axes * Vec3(random_number(rng), random_number(rng), height);
    const double fast = seed % 3 == 0 ? 0.4 : 15;
    wheel.v = fast * cosimo::testing::random_vector(rng);
    wheel.w = 2 * fast * cosimo::testing::random_vector(rng);
    to = marker_frame(wheel, element->at_to);
    z = {0.2 * random_number(rng), 0.25 * random_number(rng)};
  }
  const ElementMemory& memory() const { return *element->memory(); }
  Effort effort() const { return effort(to, z); }
  Effort effort(const Frame& at, const std::array<double, 2>& slip) const {
    Effort out;
    EXPECT_TRUE(memory().effort(0, from, at, {slip.data(), nullptr}, out, nullptr));
    return out;
  }
  /// Effort and rates.
  Eigen::VectorXd all(const Frame& at, const std::array<double, 2>& slip) const {
    Effort out;
    Eigen::VectorXd list(11);
    EXPECT_TRUE(memory().effort(0, from, at, {slip.data(), nullptr}, out, list.data() + 9));
    list.head(9) = cosimo::testing::stacked(out);
    return list;
  }
  double read(std::string_view name) const {
    std::array<double, 9> values{};
    take_readings(*element, from, to, z.data(), values.data());
    for (std::size_t k = 0; k < readings.size(); ++k)
      if (readings[k] == name) return values[k];
    ADD_FAILURE() << name;
    return 0;
  }
};

class Tyres : public ::testing::TestWithParam<Case> {};

TEST_P(Tyres, GradientsEqualDifferences) {
  double most = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Random at(GetParam().spec, seed);
    EffortGradient gradient;
    StateGradient states;
    states.reset(2);
    at.memory().gradient(0, at.from, at.to, {at.z.data(), nullptr}, gradient, states);
    Eigen::MatrixXd exact(11, 14), found(11, 14);
    exact << gradient.to, states.effort, states.to, states.own;
    found.leftCols(12) = cosimo::testing::frame_derivative(
        at.to, 12, 11, [&](const Frame& f) { return at.all(f, at.z); }, 1e-6);
    for (std::size_t k = 0; k < 2; ++k) {
      std::array<double, 2> up = at.z, down = at.z;
      up[k] += 1e-6;
      down[k] -= 1e-6;
      found.col(static_cast<Eigen::Index>(12 + k)) = (at.all(at.to, up) - at.all(at.to, down)) / 2e-6;
    }
    for (Eigen::Index row = 0; row < 11; ++row)
      EXPECT_LT(cosimo::testing::relative_difference(exact.row(row), found.row(row), 1), 2e-6)
          << seed << " row " << row;
    most = std::max(most, at.effort().force.norm());
  }
  EXPECT_GT(most, 1e3) << "no tyre was pressed";
}

/// Where nobody keeps the slips, there is no friction.
TEST_P(Tyres, GradientsWithoutMemoryEqualDifferences) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Random at(GetParam().spec, seed);
    EffortGradient gradient;
    at.element->gradient(0, at.from, at.to, gradient);
    const Eigen::MatrixXd found = cosimo::testing::frame_derivative(
        at.to, 12, 9,
        [&](const Frame& f) { return cosimo::testing::effort_vector(*at.element, 0, at.from, f); }, 1e-6);
    EXPECT_LT(cosimo::testing::relative_difference(gradient.to, found), 1e-6) << seed;
  }
}

TEST_P(Tyres, OnlyTheNamedComponentsAreNotZero) {
  const Random at(GetParam().spec, 4);
  EXPECT_TRUE(cosimo::testing::mask_holds(*at.element, 0, at.from, at.to));
}

/// Without friction and damper all comes from the potential, on any road.
TEST_P(Tyres, TheRadialForceComesFromThePotential) {
  Spec spec = GetParam().spec;
  spec.damping = 0;
  spec.model = Brush{.friction = 1e-12, .tread = 1e-9, .patch = 0.06, .load = 4000};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Random at(spec, seed);
    EXPECT_LT(cosimo::testing::work_error(*at.element, 0, at.from, at.to), 1e-6) << seed;
  }
}

/// What it takes is what slips, what resists the spin and what the damper takes.
TEST_P(Tyres, PowerIsThatOfTheSlip) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Spec spec = GetParam().spec;
    spec.damping = 0;
    spec.road.waves.clear();
    const Random at(spec, seed);
    if (at.read("FZW") <= 0) continue;
    const Effort effort = at.effort();
    const double power = -effort.force.dot(at.to.v) + effort.torque_to.dot(at.to.w);
    const Vec3 n = at.from.R.col(2), e = at.to.R.col(2), x = e.cross(n).normalized(), y = n.cross(x);
    const double h = n.dot(at.to.r - at.from.r) - spec.road.height, cosine = e.cross(n).norm(),
                 l = h / cosine;
    const Vec3 d = (e.dot(n) * e - n) / cosine, contact = at.to.v + at.to.w.cross(l * d);
    const double p = spec.radius - l;
    const double re =
        std::visit([&](const auto& m) { return rolling_radius(m, spec.radius, p); }, spec.model);
    const double vsx = x.dot(at.to.v) - re * e.dot(at.to.w), vsy = y.dot(contact);
    const double radial = at.read("FZW") * n.dot(contact);
    const double moments =
        at.read("MXW") * x.dot(at.to.w) + at.read("MYW") * e.dot(at.to.w) + at.read("MZW") * n.dot(at.to.w);
    EXPECT_NEAR(power, at.read("FXW") * vsx + at.read("FYW") * vsy + radial + moments,
                1e-9 * (1 + std::fabs(power)))
        << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Tyres,
    ::testing::Values(Case{"Brush", testing::brush()}, Case{"BrushOnARoughRoad", rough(testing::brush())},
                      Case{"BrushWithATable", with_table(testing::brush())},
                      Case{"Pacejka52", testing::pacejka(testing::full_formula(false))},
                      Case{"Pacejka61", testing::pacejka(testing::full_formula(true))},
                      Case{"PacejkaOnARoughRoad", rough(testing::pacejka(testing::full_formula(true)))},
                      Case{"PacejkaMirrored", mirrored(testing::pacejka(testing::full_formula(true)))}),
    [](const auto& instance) { return std::string(instance.param.name); });

Slip<double> slip(double load, double kappa, double slope, double lean = 0) {
  return {load, kappa, slope, std::sin(lean), std::cos(lean), 1, 1, 20};
}

/// D sin(C atan(B x - E (B x - atan(B x)))) by hand.
double magic(double b, double c, double d, double e, double x) {
  const double bx = b * x;
  return d * std::sin(c * std::atan(bx - e * (bx - std::atan(bx))));
}

TEST(MagicFormula, PureSlipAtTheNominalLoadIsTheFormula) {
  for (const bool later : {false, true}) {
    MagicFormula m = testing::simple_formula();
    m.later = later;
    const double fz = m.load, kx = fz * m.pkx1, dx = m.pdx1 * fz;
    const double ky = m.pky1 * fz * std::sin(2 * std::atan(1 / m.pky2)), dy = m.pdy1 * fz;
    for (const double x : {-0.8, -0.1, -0.01, 0.003, 0.05, 0.3, 1.2}) {
      const Grip<double> along = grip_of(m, slip(fz, x, 0)), across = grip_of(m, slip(fz, 0, std::tan(x)));
      EXPECT_NEAR(along.fx, magic(kx / (m.pcx1 * dx), m.pcx1, dx, m.pex1, x), 1e-9 * dx) << x;
      EXPECT_NEAR(along.fy, 0, 1e-12);
      const double alpha = later ? std::tan(x) : x;
      const double fy = magic(ky / (m.pcy1 * dy), m.pcy1, dy, m.pey1, alpha);
      EXPECT_NEAR(across.fy, fy, 1e-9 * dy) << x;
      const double arm = m.qdz1 * m.radius, bent = m.qbz1 * alpha;
      const double trail = arm * std::cos(m.qcz1 * std::atan(bent)) * std::cos(x);
      EXPECT_NEAR(across.mz, -trail * fy, 1e-9 * dy) << x;
    }
  }
}

TEST(MagicFormula, SlopesAreTheStiffnesses) {
  const MagicFormula m = testing::simple_formula();
  const double h = 1e-6;
  for (const double fz : {1500.0, 4000.0, 7000.0}) {
    const double by_kappa = (grip_of(m, slip(fz, h, 0)).fx - grip_of(m, slip(fz, -h, 0)).fx) / (2 * h);
    const double by_alpha = (grip_of(m, slip(fz, 0, h)).fy - grip_of(m, slip(fz, 0, -h)).fy) / (2 * h);
    EXPECT_NEAR(by_kappa, fz * m.pkx1, 1e-5 * fz * m.pkx1);
    const double ky = m.pky1 * m.load * std::sin(2 * std::atan(fz / (m.pky2 * m.load)));
    EXPECT_NEAR(by_alpha, ky, 1e-5 * std::fabs(ky));
    EXPECT_NEAR(grip_of(m, slip(fz, 0, 0)).relaxation_x, m.ptx1 * m.radius * fz / m.load, 1e-12);
    EXPECT_NEAR(grip_of(m, slip(fz, 0, 0)).stiffness_y, std::fabs(ky), 1e-9 * std::fabs(ky));
  }
}

TEST(MagicFormula, CombinedSlipStaysWithinTheEllipse) {
  const MagicFormula m = testing::simple_formula();
  const double fz = m.load, dx = m.pdx1 * fz, dy = m.pdy1 * fz;
  double most = 0;
  for (double kappa = -1; kappa <= 1; kappa += 0.02)
    for (double slope = -0.6; slope <= 0.6; slope += 0.02) {
      const Grip<double> g = grip_of(m, slip(fz, kappa, slope));
      const double used = std::hypot(g.fx / dx, g.fy / dy);
      most = std::max(most, used);
      const double a = kappa, b = std::atan(slope);
      const double weight = std::cos(m.rcx1 * std::atan(m.rbx1 * b));
      EXPECT_NEAR(g.fx, grip_of(m, slip(fz, a, 0)).fx * weight, 1e-9 * dx);
    }
  EXPECT_GT(most, 0.95);
  EXPECT_LT(most, 1.05) << "one of the two forces is not reduced by the other slip";
}

TEST(MagicFormula, LoadsAndSlipsBeyondTheRangesAreThoseAtTheirEnds) {
  MagicFormula m = testing::simple_formula();
  m.fz = {1000, 6000};
  m.kappa = {-0.5, 0.5};
  m.alpha = {-0.2, 0.2};
  EXPECT_EQ(grip_of(m, slip(4000, 0.9, 0)).fx, grip_of(m, slip(4000, 0.5, 0)).fx);
  EXPECT_EQ(grip_of(m, slip(4000, 0, 0.9)).fy, grip_of(m, slip(4000, 0, std::tan(0.2))).fy);
  EXPECT_EQ(grip_of(m, slip(9000, 0.1, 0)).fx, grip_of(m, slip(6000, 0.1, 0)).fx);
  EXPECT_NEAR(grip_of(m, slip(250, 0.1, 0)).fx, 0.25 * grip_of(m, slip(1000, 0.1, 0)).fx, 1e-9);
}

/// Without shifts a tyre pulls the same to both sides; a mirrored one is the other.
TEST(MagicFormula, AMirroredTyreIsTheOtherSide) {
  const Spec left = testing::pacejka(testing::full_formula(true));
  Spec right = left;
  right.mirrored = true;
  const auto effort = [](const Spec& spec, double side) {
    const auto tyre = make_tyre("t", testing::road(), testing::on_wheel(BodyId(0)), spec);
    Frame wheel = testing::rolling(0.02, 20, 70);
    wheel.R = cosimo::testing::rotation({0.05 * side, 0, 0});
    const std::array<double, 2> z{0.03, 0.04 * side};
    Effort out;
    EXPECT_TRUE(
        tyre->memory()->effort(0, {}, marker_frame(wheel, tyre->at_to), {z.data(), nullptr}, out, nullptr));
    return out;
  };
  const Effort a = effort(left, 1), b = effort(right, -1);
  EXPECT_NEAR(a.force.x(), b.force.x(), 1e-9);
  EXPECT_NEAR(a.force.y(), -b.force.y(), 1e-9);
  EXPECT_NEAR(a.torque_to.z(), -b.torque_to.z(), 1e-9);
  EXPECT_GT(std::fabs(effort(left, -1).force.y() + a.force.y()), 1) << "the tyre has no side";
}

TEST(Brush, PureAndCombinedSlipAreTheClosedForm) {
  const Brush b{.friction = 0.9, .tread = 5e6, .patch = 0.06, .load = 4000};
  for (const double fz : {1000.0, 4000.0, 6500.0}) {
    const double a = b.patch * std::sqrt(fz / b.load), k = 2 * b.tread * a * a, most = b.friction * fz;
    for (const auto& [kappa, slope] : {std::pair{0.01, 0.0}, {0.0, 0.03}, {-0.03, 0.02}, {0.05, -0.08}}) {
      const double s = std::hypot(kappa, slope) / (1 + kappa), w = k * s / (3 * most);
      ASSERT_LT(w, 1);
      // The cubic of the textbook.
      const double f = k * s * (1 - w + w * w / 3);
      const Grip<double> g = grip_of(b, slip(fz, kappa, slope));
      EXPECT_NEAR(std::hypot(g.fx, g.fy), f, 1e-9 * f);
      EXPECT_NEAR(g.fx * slope, -g.fy * kappa, 1e-9 * f) << "along the slip";
      // The moment about the middle of the patch by its own polynomial.
      const double mz = std::pow(1 - w, 3) * a * k * s / 3 * (slope / std::hypot(kappa, slope));
      EXPECT_NEAR(g.mz, mz, 1e-9 * f * a);
    }
    const double slides = 3 * most / k;
    for (const auto& [kappa, slope] :
         {std::pair{-1.0, 0.0}, {-1.0, 0.3}, {0.0, 1.01 * slides}, {-0.9, 2.0}, {3.0, 0.5}}) {
      const Grip<double> g = grip_of(b, slip(fz, kappa, slope));
      EXPECT_NEAR(std::hypot(g.fx, g.fy), most, 1e-9 * most);
      EXPECT_EQ(g.mz, 0);
    }
  }
}

/// What tells when it touches stays finite, and as fast as it says, where the axle is upright.
TEST(Brush, AWheelThatTumblesInTheAirDoesNotTouch) {
  const auto tyre = make_tyre("t", testing::road(), testing::on_wheel(BodyId(0)), testing::brush());
  for (const double lean : {1.0, 1.57, std::acos(0.0) - 1e-9, std::acos(0.0), 1.5708, 2.0}) {
    Frame wheel;
    wheel.R = cosimo::testing::rotation({lean, 0, 0});
    wheel.r = {0, 0, 1};
    wheel.v = {0, 0, -1};
    wheel.w = {3, 0, 0};
    std::array<Switch, 3> at{};
    tyre->switches(0, marker_frame(Frame{}, tyre->at_from), marker_frame(wheel, tyre->at_to), at.data());
    const double cosine = std::fabs(std::cos(lean));
    EXPECT_NEAR(at[0].value, testing::radius * cosine - 1, 1e-8);
    EXPECT_LE(std::fabs(at[0].rate), at[0].bound * (1 + 1e-12));
    EXPECT_TRUE(std::isfinite(at[1].value) && std::isfinite(at[2].value));
  }
}

/// The same wheel seen from behind: its slip along and its force along turn their signs.
TEST(Brush, BackwardsIsForwardsSeenFromBehind) {
  const Brush b{.friction = 0.9, .tread = 5e6, .patch = 0.06, .load = 4000};
  for (const auto& [kappa, slope] : {std::pair{-0.05, 0.02}, {0.05, 0.0}, {-1.0, 0.001}, {-0.2, -0.1}}) {
    Slip<double> back = slip(3000, -kappa, slope);
    back.forward = back.turning = -1;
    back.speed = -20;
    const Grip<double> there = grip_of(b, slip(3000, kappa, slope)), here = grip_of(b, back);
    EXPECT_EQ(here.fx, -there.fx);
    EXPECT_EQ(here.fy, there.fy);
    EXPECT_EQ(here.mz, -there.mz);
  }
  // Soft bristles as well slide where the wheel is locked.
  Slip<double> locked = slip(3000, 1, 0);
  locked.forward = -1;
  EXPECT_DOUBLE_EQ(grip_of(Brush{.friction = 0.9, .tread = 1e4, .patch = 0.06, .load = 4000}, locked).fx,
                   0.9 * 3000);
}

/// What it gives back is no more than its force curve holds up to where it slides, however it came to stand.
TEST(Brush, AStoppedTyreGivesLittleBack) {
  Spec spec = testing::brush();
  spec.relaxation = {{0.5, 0.5}};
  const auto tyre = make_tyre("t", testing::road(), testing::on_wheel(BodyId(0)), spec);
  Rng rng(5);
  std::array<double, 2> z{};
  double work = 0, least = 0, back = 0;
  const double dt = 1e-4;
  for (int step = 0; step < 200000; ++step) {
    const double t = dt * step;
    // Back and forth, faster and slower than `slow`, sliding and not.
    const Frame wheel = testing::rolling(0.02, 2 * std::sin(3 * t), 6.5 * std::sin(2.3 * t + 1));
    Effort effort;
    std::array<double, 2> rate{};
    const Frame at = marker_frame(wheel, tyre->at_to);
    ASSERT_TRUE(tyre->memory()->effort(0, {}, at, {z.data(), nullptr}, effort, rate.data()));
    work += dt * (-effort.force.dot(at.v) + effort.torque_to.dot(at.w));
    least = std::min(least, work);
    back = std::max(back, work - least);
    for (std::size_t k = 0; k < 2; ++k) z[k] += dt * rate[k];
  }
  // The integral of most (1 - (1 - w)^3) over the way 0.5 (3 most/stiffness) w.
  const auto& brush = std::get<Brush>(spec.model);
  const double load = spec.stiffness * 0.02, half = brush.patch * std::sqrt(load / brush.load);
  const double most = brush.friction * load, stiffness = 2 * brush.tread * half * half;
  const double held = 0.75 * most * 0.5 * 3 * most / stiffness;
  // Slips beyond it shrink five times as fast as they grow.
  EXPECT_LT(back, held + most * 0.5 / 5);
  EXPECT_LT(work, -10 * held);
}

}  // namespace
}  // namespace cosimo::tyre
