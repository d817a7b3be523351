#include "results/stability_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace cosimo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// rho = exp(re + 1 + lift) on 5 x 3 points: the border is the line re = -1 - lift.
std::string picture(double lift = 0) {
  const std::vector<double> re{-2, -1.5, -1, -0.5, 0}, im{0, 1, 2};
  std::vector<double> rho;
  for (std::size_t j = 0; j < im.size(); ++j)
    for (const double x : re) rho.push_back(std::exp(x + 1 + lift));
  return stability_svg({"a < b & c", "model", re, im, rho, 1});
}

TEST(StabilityPicture, IsOneSelfContainedFile) {
  const std::string svg = picture();
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0U);
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; c"));
  EXPECT_THAT(svg, HasSubstr("model"));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
}

TEST(StabilityPicture, DrawsTheBorderWhereItIs) {
  // In tenths of a pixel.
  const std::string svg = picture(0.125);
  const double x = 78 + (640 - 78) * (2 - 1.125) / 2;
  EXPECT_THAT(svg, HasSubstr("class=\"border\""));
  EXPECT_THAT(svg, HasSubstr("M" + std::to_string(std::lround(10 * x)) + " "));
}

TEST(StabilityPicture, HasNoBorderWhereNothingChanges) {
  EXPECT_THAT(picture(-5), Not(HasSubstr("class=\"border\"")));
  EXPECT_THAT(picture(5), Not(HasSubstr("class=\"border\"")));
}

TEST(StabilityPicture, ColoursStableAndUnstablePointsApart) {
  const std::vector<double> re{-1, 0}, im{0, 1};
  const auto with = [&](double rho) {
    return stability_svg({"", "", re, im, std::vector<double>(4, rho), 1});
  };
  const auto coloured = [](const std::string& band) { return HasSubstr("<path class=\"" + band + "\""); };
  EXPECT_THAT(with(0.1), coloured("b0"));
  EXPECT_THAT(with(1), coloured("b4"));
  EXPECT_THAT(with(1 + 1e-9), coloured("b5"));
  EXPECT_THAT(with(std::numeric_limits<double>::infinity()), coloured("b8"));
  EXPECT_THAT(with(std::nan("")), coloured("b8"));
}

}  // namespace
}  // namespace cosimo
