// The map's prediction against direct simulation: the same settings with real subsystems and their solvers,
// macro step after macro step.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "simulation/assembly.hpp"
#include "simulation/session.hpp"
#include "simulation/stability_testing.hpp"

namespace cosimo::testing {
namespace {

/// Least-squares slope of y over its index.
double slope(std::span<const double> y) {
  const auto n = static_cast<double>(y.size());
  double mean = 0, sum = 0, weight = 0;
  for (const double x : y) mean += x / n;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double at = static_cast<double>(i) - (n - 1) / 2;
    sum += at * (y[i] - mean);
    weight += at * at;
  }
  return sum / weight;
}

enum class Motion { bounded, unbounded, broken };

/// Simulates with real solvers from a random state. Clear cases end early; otherwise the growth over the
/// second half of the steps decides.
Motion simulate(config::Scenario s, std::uint64_t number) {
  constexpr std::size_t steps = 300;
  constexpr double explodes = 23,
                   dies = -14;  // logarithms of 1e10 and 1e-6: below, the corrector's tolerance shows
  const RandomStream random(3, number);
  s.chain.x = std::vector<double>{random.uniform(0, -1, 1), random.uniform(1, -1, 1)};
  s.chain.v = std::vector<double>{random.uniform(2, -1, 1), random.uniform(3, -1, 1)};
  s.solve.method = number % 8 == 0 ? Method::rosenbrock : Method::rk;
  s.solve.rtol = number % 8 == 0 ? 1e-6 : 1e-8;
  s.couple.corrector_rtol = 1e-8;
  const auto assembly = assemble(s);
  Session session(s, *assembly, 1);
  std::vector<double> size, x(2), v(2);
  for (std::size_t n = 0; n < steps; ++n) {
    const auto begin = static_cast<double>(n);
    if (!session.scheme->attempt({{begin, begin + 1}, stability_order(s)}, {}).ok) return Motion::broken;
    session.scheme->accept();
    session.lanes->state(x, v);
    size.push_back(std::log(std::hypot(std::hypot(x[0], x[1]), std::hypot(v[0], v[1]))));
    if (size.back() > explodes) return Motion::unbounded;
    if (size.back() < dies) return Motion::bounded;
  }
  return slope(std::span(size).subspan(steps / 2)) > 0 ? Motion::unbounded : Motion::bounded;
}

struct Case {
  const char* name;
  const char* couple;
  const char* order;
  double reach;  ///< of |H lambda|
  OscillatorRatios ratios{};
  bool always_stable = false;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class AgainstSimulation : public ::testing::TestWithParam<Case> {};

/// 200 random points outside a band of 2 % around the border.
TEST_P(AgainstSimulation, TheMapSaysWhetherTheMotionStaysBounded) {
  constexpr int wanted = 200;
  constexpr double band = 0.02, nearest = 0.1;
  const Case& c = GetParam();
  const config::Scenario s = settings(c.couple, c.order);
  const RandomStream random(17, 4);
  int tested = 0, stable = 0;
  for (std::uint64_t i = 0; tested < wanted; ++i) {
    ASSERT_LT(i, 4000U) << "hardly a point lies outside of the band";
    const double size = nearest * std::pow(c.reach / nearest, random.uniform(2 * i));
    // From the undamped axis, and mostly near it: there iterating schemes fail.
    const double angle = std::acos(-1.0) / 2 * std::pow(random.uniform(2 * i + 1), 2.5);
    const double re = -size * std::sin(angle), im = size * std::cos(angle);
    const double rho = spectral_radius(s, c.ratios, re, im);
    if (std::fabs(rho - 1) < band) continue;
    ++tested;
    stable += rho < 1 ? 1 : 0;
    const Motion motion = simulate(oscillator(s, c.ratios, re, im), i);
    EXPECT_EQ(motion == Motion::bounded, rho < 1) << "rho " << rho << " at " << re << ", " << im;
  }
  EXPECT_GT(stable, wanted / 20);
  if (!c.always_stable) {
    EXPECT_GT(wanted - stable, wanted / 20);
  }
}

const Case cases[] = {
    {"explicit_ff_0", "scheme: explicit", "0", 4},
    {"explicit_ff_1", "scheme: explicit", "1", 2},
    {"explicit_ff_2", "scheme: explicit", "2", 1},
    {"explicit_fd_0", "scheme: explicit, decomposition: force-displacement", "0", 4},
    {"explicit_fd_1", "scheme: explicit, decomposition: force-displacement", "1", 2},
    {"explicit_fd_2", "scheme: explicit, decomposition: {kind: force-displacement, displaced: first}", "2",
     1},
    {"explicit_dd_0", "scheme: explicit, decomposition: displacement-displacement", "0", 4},
    {"explicit_dd_1", "scheme: explicit, decomposition: displacement-displacement", "1", 2},
    {"explicit_dd_2", "scheme: explicit, decomposition: displacement-displacement", "2", 1},
    {"no_update", "scheme: explicit, decomposition: force-displacement, update: none", "1", 2},
    {"gauss_seidel_ff", "scheme: explicit, sequence: gauss-seidel", "1", 2},
    {"gauss_seidel_fd",
     "scheme: explicit, decomposition: force-displacement, sequence: {gauss-seidel: [2, 1]}, update: none",
     "1", 3},
    {"least_squares", "scheme: explicit, predictor: {least-squares: 6}", "1", 2},
    {"acc", "scheme: explicit, predictor: {acc: {degree: 1}}", "", 2},
    {"acc_whole", "scheme: explicit, predictor: {acc: {degree: 1, course: whole}}", "", 2},
    {"acc_no_update", "scheme: explicit, predictor: {acc: {degree: 0, course: whole, update: none}}", "", 2},
    {"accrel", "scheme: explicit, predictor: {accrel: {degree: 1, omega: 0.16666667}}", "1", 3},
    {"accrel_no_update",
     "scheme: explicit, decomposition: force-displacement, predictor: {accrel: {degree: 0, omega: 0.5, "
     "update: none}}",
     "1", 2},
    {"semi_implicit", "scheme: semi-implicit", "2", 6},
    {"semi_implicit_sap", "scheme: semi-implicit, jacobian: sap", "1", 4},
    {"implicit_0", "scheme: implicit", "0", 6, {}, true},
    {"implicit_2", "scheme: implicit, decomposition: force-displacement", "2", 6},
    {"implicit_fd", "scheme: implicit, jacobian: fd, refresh: always", "2", 4},
    {"waveform_1", "scheme: waveform, relaxation: 0.3, max_iterations: 1", "1", 3},
    {"waveform_4", "scheme: waveform, relaxation: 0.3, max_iterations: 4", "2", 3},
    {"waveform_gauss_seidel", "scheme: waveform, max_iterations: 2, sequence: gauss-seidel", "2", 3},
    {"asymmetric_explicit", "scheme: explicit", "1", 2, {0.3, 0.5, 2, 0.4, 0.6}},
    {"asymmetric_implicit", "scheme: implicit", "2", 2, {0.2, 3, 0.2, 1, 1}},
};
INSTANTIATE_TEST_SUITE_P(StabilityMap, AgainstSimulation, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(StabilityMap, ShortStepsNeitherGrowNorDecay) {
  for (const Case& c : cases) {
    const config::Scenario s = settings(c.couple, c.order);
    EXPECT_NEAR(spectral_radius(s, c.ratios, -1e-4, 1e-3), 1, 2e-3) << c.name;
    EXPECT_EQ(spectral_radius(s, c.ratios, 0, 0), 1) << c.name;
  }
}

}  // namespace
}  // namespace cosimo::testing
