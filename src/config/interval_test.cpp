#include "config/interval.hpp"

#include <gtest/gtest.h>

namespace cosimo::config {
namespace {

TEST(Interval, SecondsAndSteps) {
  EXPECT_EQ(parse_interval("60 s")->seconds, 60);
  EXPECT_EQ(parse_interval("60")->seconds, 60);
  EXPECT_EQ(parse_interval("60s")->seconds, 60);
  EXPECT_EQ(parse_interval("1.5 min")->seconds, 90);
  EXPECT_EQ(parse_interval("2 h")->seconds, 7200);
  EXPECT_EQ(parse_interval("500 steps")->steps, 500);
  EXPECT_EQ(parse_interval("1 step")->steps, 1);
  EXPECT_EQ(parse_interval("500 steps")->seconds, 0);
}

TEST(Interval, WhatIsNone) {
  for (const char* text : {"", "s", "0 s", "-1 s", "nan s", "inf s", "60 ms", "1.5 steps", "60 s s", "steps"})
    EXPECT_FALSE(parse_interval(text)) << text;
}

}  // namespace
}  // namespace cosimo::config
