#include "results/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"

namespace cosimo {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Nrmse, FollowsTheDefinition) {
  // mean 2, spread 4 + 0 + 4, differences 1, 0, 1
  EXPECT_DOUBLE_EQ(nrmse(std::vector<double>{1, 2, 3}, std::vector<double>{0, 2, 4}), std::sqrt(2.0 / 8.0));
}

TEST(Nrmse, DegenerateCases) {
  const std::vector<double> constant(7, 0.1), other(7, 0.2), nan(7, std::nan("")),
      moving = {1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(nrmse({}, {}), 0);
  EXPECT_EQ(nrmse(constant, constant), 0);
  EXPECT_EQ(nrmse(other, constant), inf);  // the mean of seven times 0.1 is not 0.1
  EXPECT_EQ(nrmse(nan, moving), inf);
  EXPECT_EQ(nrmse(moving, nan), inf);
}

/// Position sin(omega_i t), velocity cos(omega_i t), every `scale` too large.
Results oscillators(std::vector<std::int64_t> bodies, std::size_t rows, double dt, double scale) {
  Results results;
  results.bodies = std::move(bodies);
  for (std::size_t r = 0; r < rows; ++r) {
    results.time.push_back(dt * static_cast<double>(r));
    for (const std::int64_t body : results.bodies) {
      const double phase = static_cast<double>(body) * results.time.back();
      results.position.push_back(scale * std::sin(phase));
      results.velocity.push_back(scale * std::cos(phase));
    }
  }
  return results;
}

TEST(Compare, AnalyticErrorOfScaledOscillations) {
  // Over whole periods the mean is zero, so each column's value is the relative amplitude error.
  const double dt = 2 * std::acos(-1.0) / 1000;
  const Results reference = oscillators({1, 2, 3}, 1000, dt, 1), a = oscillators({1, 2, 3}, 1000, dt, 1.01);
  const Difference d = compare(a, reference, {});
  EXPECT_NEAR(d.position, std::sqrt(3) * 0.01, 1e-12);
  EXPECT_NEAR(d.velocity, std::sqrt(3) * 0.01, 1e-12);
  EXPECT_NEAR(d.both, std::sqrt(6) * 0.01, 1e-12);
  EXPECT_NEAR(d.position_rms, 0.01, 1e-12);
  EXPECT_NEAR(d.velocity_rms, 0.01, 1e-12);
  EXPECT_NEAR(d.worst, 0.01, 1e-12);
  EXPECT_EQ(d.rows, 1000u);
  EXPECT_EQ(d.bodies, 3u);
}

TEST(Compare, UsesSharedTimesAndBodiesOnly) {
  const Results reference = oscillators({1, 2, 3, 4}, 101, 0.02, 1);  // every second time of a
  Results a = oscillators({9, 4, 2}, 201, 0.01, 1);
  for (double& t : a.time) t *= 1 + 1e-12;
  for (std::size_t r = 0; r < 201; r += 2) a.position[3 * r + 1] += 0.5;  // body 4
  for (std::size_t r = 1; r < 201; r += 2) a.position[3 * r + 2] = 1e9;   // body 2, times not shared
  for (std::size_t r = 0; r < 201; ++r) a.velocity[3 * r] = 1e9;          // body 9 is not shared
  const Difference d = compare(a, reference, {});
  EXPECT_EQ(d.rows, 101u);
  EXPECT_EQ(d.bodies, 2u);
  EXPECT_EQ(d.worst_body, 4);
  EXPECT_GT(d.worst, 0.1);
  EXPECT_LT(d.velocity, 1e-9);
  const std::vector<std::int64_t> only = {2};
  EXPECT_LT(compare(a, reference, only).both, 1e-9);
}

TEST(Compare, ManyColumnsAgreeWithOneByOne) {
  std::vector<std::int64_t> labels(150);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int64_t>(i + 1);
  const Results reference = oscillators(labels, 50, 0.03, 1);
  Results a = reference;
  for (std::size_t i = 0; i < a.position.size(); ++i)
    a.position[i] += 1e-4 * std::sin(static_cast<double>(i * i));
  double squares = 0;
  for (const std::int64_t label : labels)
    squares += std::pow(compare(a, reference, std::span(&label, 1)).position, 2);
  EXPECT_NEAR(compare(a, reference, {}).position, std::sqrt(squares), 1e-14);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const Results a = oscillators({1, 2}, 10, 0.1, 1), other_bodies = oscillators({3}, 10, 0.1, 1);
  Results other_times = a;
  for (double& t : other_times.time) t += 0.05;
  const std::vector<std::int64_t> missing = {2, 17};
  const auto message = [&](const Results& reference, std::span<const std::int64_t> bodies) -> std::string {
    try {
      compare(a, reference, bodies);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(other_bodies, {}).find("share no recorded body"), std::string::npos);
  EXPECT_NE(message(other_times, {}).find("share no output time"), std::string::npos);
  EXPECT_NE(message(a, missing).find("17"), std::string::npos);
}

TEST(Compare, ADivergedRunIsInfinitelyWrong) {
  const Results reference = oscillators({1, 2}, 10, 0.1, 1);
  Results a = reference;
  a.velocity[19] = std::nan("");
  const Difference d = compare(a, reference, {});
  EXPECT_EQ(d.velocity, inf);
  EXPECT_EQ(d.worst_body, 2);
  EXPECT_EQ(d.position, 0);
}

/// Body 5 turns about a fixed axis through its centre at rest and body 8 moves on a circle in the plane.
Results turning(std::size_t rows, double error) {
  Results results;
  results.bodies = {5, 5, 5, 5, 5, 5, 5, 8, 8, 8};
  results.columns = {"top.x",  "top.y",  "top.z",  "top.qw", "top.qx",
                     "top.qy", "top.qz", "bead.x", "bead.y", "bead.z"};
  for (std::size_t r = 0; r < rows; ++r) {
    const double t = 2 * std::acos(-1.0) * static_cast<double>(r) / static_cast<double>(rows);
    results.time.push_back(t);
    const double c = std::cos(t) * (1 + error), s = std::sin(t) * (1 + error);
    for (const double q : {0.1, 0.2, 0.3, c, 0.0, 0.0, s, c, s, 7.0}) results.position.push_back(q);
    for (const double v : {0.0, 0.0, 0.0, -s, 0.0, 0.0, c, -s, c, 0.0}) results.velocity.push_back(v);
  }
  return results;
}

TEST(Compare, PoolsTheCoordinatesOfABody) {
  const Results reference = turning(1000, 0);
  Results a = turning(1000, 0.01);
  const Difference d = compare(a, reference, {});
  EXPECT_EQ(d.bodies, 2u);
  EXPECT_NEAR(d.position, std::sqrt(2) * 0.01, 1e-12);
  EXPECT_NEAR(d.velocity, std::sqrt(2) * 0.01, 1e-12);
  EXPECT_NEAR(d.worst, 0.01, 1e-12);
  // z does not move in the reference: measured by the motion of its body, spread 1000 of 1000 rows.
  a = reference;
  for (std::size_t r = 0; r < 1000; ++r) a.position[10 * r + 9] += 0.03;
  const std::vector<std::int64_t> bead = {8}, top = {5};
  EXPECT_NEAR(compare(a, reference, bead).position, 0.03, 1e-12);
  EXPECT_EQ(compare(a, reference, top).position, 0);
  EXPECT_EQ(compare(a, reference, {}).worst_body, 8);
}

TEST(Compare, TheSignOfAQuaternionMeansNothing) {
  const Results reference = turning(500, 0);
  const auto flipped = [](Results results, std::size_t every) {
    for (std::size_t r = 0; r < 500; r += every)
      for (std::size_t c = 3; c < 7; ++c) {
        results.position[10 * r + c] *= -1;
        results.velocity[10 * r + c] *= -1;
      }
    return results;
  };
  const Results a = turning(500, 0.01);
  const double expected = compare(a, reference, {}).both;
  EXPECT_EQ(compare(flipped(a, 1), reference, {}).both, expected);
  EXPECT_EQ(compare(flipped(a, 3), reference, {}).both, expected);
  EXPECT_EQ(compare(a, flipped(reference, 3), {}).both, expected);
  EXPECT_EQ(compare(flipped(a, 2), flipped(reference, 7), {}).both, expected);
  // The rest of the body keeps its sign.
  Results wrong = a;
  for (std::size_t r = 0; r < 500; ++r) wrong.position[10 * r + 7] *= -1;
  EXPECT_GT(compare(wrong, reference, {}).both, 1);
}

TEST(Compare, NoiseOfABodyAtRestIsNoError) {
  Results reference = turning(100, 0);
  for (std::size_t r = 0; r < 100; ++r)
    for (std::size_t c = 3; c < 7; ++c)
      reference.position[10 * r + c] = reference.velocity[10 * r + c] = c == 3 ? 1 : 0;
  Results a = reference;
  for (std::size_t r = 0; r < 100; ++r) a.position[10 * r] += 1e-12;
  const Difference d = compare(a, reference, {});
  EXPECT_NEAR(d.position, 1e-9,
              1e-12);  // 1e-12 against a thousandth of the circle that the other one moves on
  ASSERT_EQ(d.still.size(), 1u);
  EXPECT_EQ(d.still[0].body, 5);
  EXPECT_TRUE(d.still[0].position);
  EXPECT_TRUE(d.still[0].velocity);
  // What it is weighed by does not depend on who is asked for.
  const std::vector<std::int64_t> top = {5};
  EXPECT_EQ(compare(a, reference, top).position, d.position);
}

/// Bodies 1, 2, ... of which each moves `shares[i]` as far as sin(t), and stands at `noise`.
Results swinging(const std::vector<double>& shares, double noise) {
  Results results;
  for (std::size_t i = 0; i < shares.size(); ++i) results.bodies.push_back(static_cast<std::int64_t>(i + 1));
  for (std::size_t r = 0; r < 1000; ++r) {
    const double t = 2 * std::acos(-1.0) * static_cast<double>(r) / 1000;
    results.time.push_back(t);
    for (const double share : shares) {
      results.position.push_back(share * std::sin(t) + noise * std::cos(t));
      results.velocity.push_back(std::cos(t) - noise * std::sin(t));
    }
  }
  return results;
}

TEST(Compare, WeighsWhatHardlyMovesByAThousandthOfTheMost) {
  const std::vector<double> shares{1, 2e-3, 5e-4, 1e-9, 0};
  const Results reference = swinging(shares, 0), a = swinging(shares, 1e-5);
  const Difference d = compare(a, reference, {});
  const auto of = [&](std::int64_t body) {
    return compare(a, reference, std::vector<std::int64_t>{body}).position;
  };
  EXPECT_NEAR(of(1), 1e-5, 1e-15);
  EXPECT_NEAR(of(2), 1e-5 / 2e-3, 1e-12);  // its own motion
  for (const std::int64_t body : {3, 4, 5}) EXPECT_NEAR(of(body), 1e-5 / 1e-3, 1e-12) << body;
  EXPECT_NEAR(d.position, std::sqrt(1e-10 + 2.5e-5 + 3e-4), 1e-9);
  ASSERT_EQ(d.still.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(d.still[i].body, static_cast<std::int64_t>(i + 3));
    EXPECT_EQ(d.still[i].name, std::to_string(i + 3));
    EXPECT_TRUE(d.still[i].position);
    EXPECT_FALSE(d.still[i].velocity);
  }
}

TEST(Compare, WhatMovesHasThePublishedValueToTheBit) {
  const Results reference = oscillators({1, 2, 3}, 100, 0.03, 1), a = oscillators({1, 2, 3}, 100, 0.03, 1.01);
  double squares = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> x, y;
    for (std::size_t r = 0; r < 100; ++r) {
      x.push_back(a.position[3 * r + c]);
      y.push_back(reference.position[3 * r + c]);
    }
    const std::vector<std::int64_t> body{static_cast<std::int64_t>(c + 1)};
    EXPECT_EQ(compare(a, reference, body).position, nrmse(x, y));
    squares += std::pow(nrmse(x, y), 2);
  }
  EXPECT_DOUBLE_EQ(compare(a, reference, {}).position, std::sqrt(squares));
  EXPECT_TRUE(compare(a, reference, {}).still.empty());
}

TEST(Compare, KindsOfCoordinatesAreGroupsOfTheirOwn) {
  // Body 5 turns by 1 rad, body 8 moves by a micrometre: neither is measured by the other.
  Results reference = turning(100, 0);
  for (std::size_t r = 0; r < 100; ++r)
    for (std::size_t c = 7; c < 9; ++c) reference.position[10 * r + c] *= 1e-6;
  Results a = reference;
  for (std::size_t r = 0; r < 100; ++r) a.position[10 * r + 7] += 1e-8;
  const Difference d = compare(a, reference, {});
  EXPECT_NEAR(d.position, 1e-2, 1e-9);
  EXPECT_TRUE(d.still.empty());
}

TEST(Compare, OutputsOfComponentsByName) {
  Results a, reference;
  for (int r = 0; r < 100; ++r) a.time.push_back(0.1 * r);
  reference.time = a.time;
  const auto fill = [](Results& results, std::vector<std::string> columns, double scale) {
    ResultsTable table{.name = std::string(outputs_table), .columns = std::move(columns)};
    for (const double t : results.time)
      for (const std::string& column : table.columns)
        table.value.push_back(column == "level" ? 5 : scale * std::sin(t));
    results.tables.push_back(std::move(table));
  };
  fill(a, {"level", "y", "mine"}, 1.01);
  EXPECT_THROW(compare(a, reference, {}), Error) << "nothing is shared";
  fill(reference, {"y", "level"}, 1);
  const Difference d = compare(a, reference, {});
  EXPECT_EQ(d.bodies, 0U);
  EXPECT_EQ(d.outputs, 2U);
  EXPECT_EQ(d.worst_output_name, "y");
  EXPECT_NEAR(d.worst_output, 0.01, 1e-3);
  EXPECT_DOUBLE_EQ(d.output, d.worst_output) << "what does not move is right";
  EXPECT_DOUBLE_EQ(d.output_rms, d.output / std::sqrt(2));
}

TEST(Compare, RefusesOtherCoordinates) {
  const Results a = turning(10, 0);
  Results fewer = oscillators({5, 8}, 10, 0.1, 1), other = a;
  fewer.time = a.time;
  std::swap(other.columns[3], other.columns[4]);
  EXPECT_THROW(compare(a, fewer, {}), Error);
  EXPECT_THROW(compare(a, other, {}), Error);
  const std::vector<std::int64_t> bead = {8};
  EXPECT_EQ(compare(a, other, bead).both, 0);
}

}  // namespace
}  // namespace cosimo
