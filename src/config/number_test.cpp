#include "config/number.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

double number(std::string_view text) {
  const auto parsed = parse_number(text);
  const double* value = std::get_if<double>(&parsed);
  return value != nullptr ? *value : std::nan("");
}

std::string remedy(std::string_view text) {
  const auto parsed = parse_number(text);
  const Complaint* complaint = std::get_if<Complaint>(&parsed);
  return complaint != nullptr ? complaint->problem + "; " + complaint->remedy : "accepted";
}

TEST(Number, AcceptsWhatPeopleWrite) {
  EXPECT_EQ(number("5"), 5.0);
  EXPECT_EQ(number("-5"), -5.0);
  EXPECT_EQ(number("+5"), 5.0);
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("5."), 5.0);
  EXPECT_EQ(number("0"), 0.0);
  EXPECT_EQ(number("0.25"), 0.25);
  EXPECT_EQ(number("1e3"), 1000.0);
  EXPECT_EQ(number("1.0E+3"), 1000.0);
  EXPECT_EQ(number("1.0e10"), 1e10);
  EXPECT_EQ(number("-2.5e-7"), -2.5e-7);
}

TEST(Number, RefusesWithTheReason) {
  EXPECT_THAT(remedy(".nan"), HasSubstr("finite"));
  EXPECT_THAT(remedy("-inf"), HasSubstr("finite"));
  EXPECT_THAT(remedy("5 mm"), HasSubstr("`mm` follows"));
  EXPECT_THAT(remedy("5mm"), HasSubstr("no unit"));
  EXPECT_THAT(remedy("1e-3x"), HasSubstr("`x` follows"));
  EXPECT_THAT(remedy("1,5"), HasSubstr("decimal point"));
  EXPECT_THAT(remedy("1 000"), HasSubstr("separators"));
  EXPECT_THAT(remedy("1_000"), HasSubstr("separators"));
  EXPECT_THAT(remedy("007"), HasSubstr("octal"));
  EXPECT_THAT(remedy("0x1F"), HasSubstr("decimal digits"));
  EXPECT_THAT(remedy("2*3"), HasSubstr("expression"));
  EXPECT_THAT(remedy("1:30"), HasSubstr("not a number"));
  EXPECT_THAT(remedy("1.2.3"), HasSubstr("not a number"));
  EXPECT_THAT(remedy("off"), HasSubstr("truth value"));
  EXPECT_THAT(remedy("1e309"), HasSubstr("range"));
  EXPECT_THAT(remedy("many"), HasSubstr("not a number"));
  EXPECT_THAT(remedy(""), HasSubstr("not a number"));
  EXPECT_THAT(remedy("-"), HasSubstr("not a number"));
  EXPECT_THAT(remedy("."), HasSubstr("not a number"));
}

TEST(Number, IntegersMayHaveAnExponentButNoFraction) {
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("1e5")), 100000);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("2.5e1")), 25);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("+7")), 7);
  EXPECT_EQ(std::get<std::int64_t>(parse_integer("9223372036854775807")),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(std::holds_alternative<Complaint>(parse_integer("2.5")));
  EXPECT_TRUE(std::holds_alternative<Complaint>(parse_integer("1e300")));
  EXPECT_TRUE(std::holds_alternative<Complaint>(parse_integer("9223372036854775808")));
}

TEST(Number, TextGivesTheSameNumberBack) {
  for (const double x : {0.0, 1.0, -0.1, 1e10, 5e-5, 1.0 / 3.0, 123456789.125, 1e300, 2.2250738585072014e-308,
                         std::numeric_limits<double>::max()}) {
    EXPECT_EQ(number(number_text(x)), x) << number_text(x);
  }
  EXPECT_EQ(number_text(1e10), "1.0e+10");
}

}  // namespace
}  // namespace cosimo::config
