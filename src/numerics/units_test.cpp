#include "numerics/units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "numerics/unit_names.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

Unit unit(std::string_view text) {
  const auto parsed = parse_unit(text);
  if (const auto* error = std::get_if<UnitError>(&parsed)) ADD_FAILURE() << text << " " << error->problem;
  return std::holds_alternative<Unit>(parsed) ? std::get<Unit>(parsed) : Unit{};
}

UnitError error(std::string_view text) {
  const auto parsed = parse_unit(text);
  if (std::holds_alternative<Unit>(parsed)) ADD_FAILURE() << text << " is accepted";
  return std::holds_alternative<UnitError>(parsed) ? std::get<UnitError>(parsed) : UnitError{};
}

/// In m, kg, s and rad.
double standard(double value, std::string_view text) {
  const Unit from = unit(text);
  return convert(value, from, Unit{from.dimension});
}

TEST(Units, AreWhatTheirDefinitionsSay) {
  EXPECT_EQ(standard(1, "in"), 0.0254);
  EXPECT_EQ(standard(1, "ft"), 0.3048);
  EXPECT_EQ(standard(1, "mi"), 1609.344);
  EXPECT_EQ(standard(1, "lb"), 0.45359237);
  EXPECT_EQ(standard(1, "lbf"), 4.4482216152605);
  EXPECT_EQ(standard(1, "gn"), 9.80665);
  EXPECT_EQ(standard(1, "g"), 0.001);
  EXPECT_EQ(standard(1, "bar"), 1e5);
  EXPECT_EQ(standard(72, "km/h"), 20);
  EXPECT_EQ(standard(72, "kph"), 20);
  EXPECT_EQ(standard(1, "mph"), 0.44704);
  EXPECT_EQ(standard(180, "deg"), std::numbers::pi);
  EXPECT_EQ(standard(60, "rpm"), 2 * std::numbers::pi);
  EXPECT_NEAR(standard(1, "psi"), 6894.757293168361, 1e-11);
  EXPECT_NEAR(standard(1, "hp"), 745.6998715822702, 1e-11);
  EXPECT_NEAR(standard(1, "slug"), 14.593902937206365, 1e-13);
}

TEST(Units, OfDecimalDigitsRoundAsTheDigitsDo) {
  for (int i = 1; i < 2000; ++i) {
    const std::string digits = std::to_string(i);
    EXPECT_EQ(standard(i, "mm"), std::stod(digits + "e-3"));
    EXPECT_EQ(standard(i, "mg"), std::stod(digits + "e-6"));
    EXPECT_EQ(standard(i, "kN/mm"), std::stod(digits + "e6"));
  }
}

TEST(Units, AreProductsOfPowers) {
  EXPECT_EQ(unit("kg m^2/s^2").dimension, unit("N m").dimension);
  EXPECT_EQ(unit("N*m").dimension, unit("J").dimension);
  EXPECT_EQ(unit("N\xC2\xB7m").dimension, unit("J").dimension);
  EXPECT_EQ(unit("1/s").dimension, unit("s^-1").dimension);
  EXPECT_EQ(unit("m s^(-1/2)").dimension.time, -0.5);
  EXPECT_EQ(standard(1, "N s/(mm rad)"), 1000);
  EXPECT_EQ(standard(1, "N/m^1.5"), 1);
  EXPECT_EQ(standard(1, "MPa"), 1e6);
  EXPECT_EQ(standard(1, "mPa"), 1e-3);
  EXPECT_EQ(standard(1, "Mm"), 1e6);
  EXPECT_EQ(standard(1, "min"), 60);
  EXPECT_EQ(standard(1, "daN"), 10);
  EXPECT_EQ(standard(1, "\xC2\xB5m"), 1e-6);
}

TEST(Units, KeepAnglesApart) {
  EXPECT_NE(unit("N m").dimension, unit("N m/rad").dimension);
  EXPECT_NE(unit("Hz").dimension, unit("rad/s").dimension);
  EXPECT_EQ(unit("rev/s").dimension, unit("rpm").dimension);
}

TEST(Units, AreRefusedWithAdvice) {
  EXPECT_THAT(error("KN").remedy, HasSubstr("`kN`"));
  EXPECT_THAT(error("kn").remedy, HasSubstr("`kN`"));
  EXPECT_THAT(error("Nm").remedy, HasSubstr("`N m`"));
  EXPECT_THAT(error("sec").remedy, HasSubstr("`s`"));
  EXPECT_THAT(error("m2").remedy, HasSubstr("m^2"));
  EXPECT_THAT(error("mm^").problem, HasSubstr("behind ^"));
  EXPECT_THAT(error("N/m s").problem, HasSubstr("ambiguous"));
  EXPECT_THAT(error("N/(m s").problem, HasSubstr("not closed"));
  EXPECT_THAT(error("N/").problem, HasSubstr("ends"));
  EXPECT_THAT(error("m^1e9").problem, HasSubstr("`e"));
  EXPECT_THAT(error("m^999").problem, HasSubstr("behind ^"));
  EXPECT_THAT(error("m $").problem, HasSubstr("no unit"));
  EXPECT_FALSE(error("").problem.empty());
  EXPECT_FALSE(error(std::string(1000, '(')).problem.empty());
}

TEST(Units, HaveNamesInWords) {
  EXPECT_EQ(dimension_text(unit("N/mm").dimension), "stiffness (force/length)");
  EXPECT_EQ(dimension_text(unit("m^3/s").dimension), "length^3/time");
  EXPECT_EQ(dimension_text({}), "number");
}

TEST(UnitNames, AreProductsOfThoseOfTheSystem) {
  const UnitNames names{"mm", "t", "s", "rad", "N"};
  EXPECT_EQ(names.of("force/length"), "N/mm");
  EXPECT_EQ(names.of("length/time^2"), "mm/s^2");
  EXPECT_EQ(names.of("energy"), "mJ");
  EXPECT_EQ(names.of("power"), "mW");
  EXPECT_EQ((UnitNames{"in", "lbf s^2/in", "s", "rad", "lbf"}.of("energy")), "lbf in");
  EXPECT_EQ((UnitNames{"mm", "kg", "s", "rad", "mN"}.of("1")), "");
  EXPECT_EQ(UnitNames{}.of("force"), "");
}

}  // namespace
}  // namespace cosimo
