#include "numerics/spectral_radius.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cosimo {
namespace {

TEST(SpectralRadius, OfATriangularMatrixIsItsLargestDiagonalEntry) {
  const std::vector<double> a{0.5, 0, 0, 7, -2, 0, 3, 9, 1.5};
  EXPECT_NEAR(spectral_radius(a, 3), 2, 1e-14);
}

TEST(SpectralRadius, OfARotationThatShrinks) {
  const double r = 0.75, phi = 0.3;
  const std::vector<double> a{r * std::cos(phi), r * std::sin(phi), -r * std::sin(phi), r * std::cos(phi)};
  EXPECT_NEAR(spectral_radius(a, 2), r, 1e-15);
}

TEST(SpectralRadius, OfACompanionMatrixIsTheLargestRoot) {
  // (z - 1.25)(z + 0.5)(z^2 + 0.81)
  const std::vector<double> c{-0.50625, -0.6075, 0.185, -0.75};
  std::vector<double> a(16);
  for (std::size_t j = 0; j < 4; ++j) a[4 * j] = -c[3 - j];
  for (std::size_t j = 0; j < 3; ++j) a[4 * j + j + 1] = 1;
  EXPECT_NEAR(spectral_radius(a, 4), 1.25, 1e-13);
}

TEST(SpectralRadius, DoesNotCareAboutUnits) {
  // The rotation with its second state in units that differ by 1e12.
  const double phi = 0.3, unit = 1e12;
  const std::vector<double> a{std::cos(phi), std::sin(phi) * unit, -std::sin(phi) / unit, std::cos(phi)};
  EXPECT_NEAR(spectral_radius(a, 2), 1, 1e-14);
}

TEST(SpectralRadius, OfNothingAndOfWhatIsNotFinite) {
  EXPECT_EQ(spectral_radius({}, 0), 0);
  const std::vector<double> a{1, std::nan(""), 0, 1};
  EXPECT_EQ(spectral_radius(a, 2), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace cosimo
