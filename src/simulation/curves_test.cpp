// Forces that follow the points of a file: against closed forms, and the same bits everywhere.
#include <gtest/gtest.h>

#include <fstream>

#include "simulation/ranks_testing.hpp"
#include "simulation/same_bits.hpp"

namespace cosimo::testing {
namespace {

struct Points {
  std::vector<double> t, f;

  std::filesystem::path write(const std::filesystem::path& folder) const {
    std::ofstream file(folder / "force.csv");
    file << "t, f\n";
    for (std::size_t i = 0; i < t.size(); ++i) file << fmt::format("{}, {}\n", t[i], f[i]);
    return folder / "force.csv";
  }
};

/// Quiet stretches, ramps, a step that takes a microsecond, and a needle.
Points needles() {
  return {{0.5, 0.7, 1.5, 1.500001, 2.25, 2.3, 4, 4.001, 4.002, 9}, {0, 3, 3, -2, -2, 0, 0, 400, 0, 0}};
}

struct Motion {
  double x = 0, v = 0;
};

/// x'' + 40 x = f(t) from rest, f piecewise linear and held outside: exact, interval by interval.
Motion exact(const Points& points, double t) {
  const double k = 40, w = std::sqrt(k);
  Motion y;
  double from = 0;
  const auto go = [&](double to, double f0, double slope) {
    const double h = std::min(to, t) - from;
    if (!(h > 0)) return;
    const double A = y.x - f0 / k, B = (y.v - slope / k) / w, c = std::cos(w * h), s = std::sin(w * h);
    y = {A * c + B * s + (f0 + slope * h) / k, w * (B * c - A * s) + slope / k};
    from += h;
  };
  go(points.t.front(), points.f.front(), 0);
  for (std::size_t i = 0; i + 1 < points.t.size(); ++i)
    go(points.t[i + 1], points.f[i], (points.f[i + 1] - points.f[i]) / (points.t[i + 1] - points.t[i]));
  go(t, points.f.back(), 0);
  return y;
}

std::string scalar(const std::string& file, const std::string& keys, double c) {
  return fmt::format(R"(cosimo: 1
model:
  curves: [{{name: push, file: "{}"{}}}]
  chain: {{masses: 1, mass: 1, spring: {{c: {}}}, ends: [fixed, free], loads: [{{curve: {{bodies: all, name: push}}}}]}}
)",
                     file, keys, c);
}

/// The same with the motion doubled by the formula, and the time shifted by its argument.
std::string mechanism(const std::string& file) {
  return fmt::format(R"(cosimo: 1
model:
  curves: [{{name: push, file: "{}", factor: 0.5}}]
  bodies: [{{name: a, kind: point, dimensions: 1, mass: 1}}]
  elements: [{{name: f, kind: applied, to: a, force: ["2*push(t) - 40*x"]}}]
)",
                     file);
}

Memory run(const std::string& text) {
  Bench bench(text);
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  return std::move(bench.memory);
}

class CurveMethods : public ::testing::TestWithParam<const char*> {};

TEST_P(CurveMethods, MeetsTheClosedFormOfStraightLines) {
  const test::TemporaryFolder folder;
  const Points points = needles();
  const std::string file = points.write(folder.path()).string(), method = GetParam();
  const std::string rest =
      fmt::format("simulate: {{end: 10, output: 0.25}}\nsolve: {{method: {}, rtol: 1.0e-8}}\n", method);
  const bool general = method == "radau";
  for (const std::string& text : {scalar(file, "", 40), mechanism(file)}) {
    if (method == "rosenbrock" && text == mechanism(file)) continue;
    if (general && text != mechanism(file)) continue;
    const Memory memory = run(text + rest);
    ASSERT_EQ(memory.time.size(), 41U);
    for (std::size_t i = 0; i < memory.time.size(); ++i) {
      const Motion y = exact(points, memory.time[i]);
      EXPECT_NEAR(memory.position[i], y.x, 2e-6) << method << " at " << memory.time[i];
      EXPECT_NEAR(memory.velocity[i], y.v, 1e-5) << method << " at " << memory.time[i];
    }
  }
}

/// One point of many is not zero, and nothing else moves: a long step would not see it.
TEST_P(CurveMethods, SeesABulgeOfACubic) {
  const std::string method = GetParam();
  if (method == "radau") return;
  const test::TemporaryFolder folder;
  Points points;
  for (int i = 0; i <= 20000; ++i) {
    points.t.push_back(5e-4 * i);
    points.f.push_back(i == 10624 ? 2000 : 0);
  }
  const std::string file = points.write(folder.path()).string();
  const Memory memory = run(scalar(file, ", between: cubic", 1e-6) +
                            fmt::format("simulate: {{end: 10, output: 2}}\nsolve: {{method: {}}}\n", method));
  EXPECT_NEAR(memory.velocity.back(), 1.0, 1e-4);
  EXPECT_EQ(memory.velocity[2], 0);
}

INSTANTIATE_TEST_SUITE_P(Curves, CurveMethods, ::testing::Values("rk", "rosenbrock", "ida", "radau", "auto"),
                         [](const auto& each) { return std::string(each.param); });

/// After the last point a cubic does not hold up anybody.
TEST(CurveRuns, ABoundEndsWithItsCurve) {
  const test::TemporaryFolder folder;
  Points points;
  for (int i = 0; i <= 100; ++i) {
    points.t.push_back(1e-3 * i);
    points.f.push_back(std::sin(0.2 * i));
  }
  const std::string file = points.write(folder.path()).string();
  Bench bench(scalar(file, ", between: cubic, after: zero", 1e-6) +
              "simulate: {end: 100, output: 100}\nsolve: {method: rk, rtol: 1.0e-4}\n");
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const std::int64_t steps = bench.lanes->lane(0).status().counters.steps;
  EXPECT_GE(steps, 50);
  EXPECT_LE(steps, 400);
}

/// The same loads on points in space become formulas that call the curve.
TEST(CurveRuns, ALatticeInSpaceFollowsThemAsAScalarOneDoes) {
  const test::TemporaryFolder folder;
  const std::string file = needles().write(folder.path()).string();
  const auto lattice = [&](const char* coordinates) {
    return run(fmt::format(R"(cosimo: 1
model:
  curves: [{{name: push, file: "{}"}}]
  lattice: {{size: [3], coordinates: {}, mass: 1, spring: {{c: 40, d: 1}},
            loads: [{{curve: {{bodies: [2], name: push, amplitude: 1.0e-3}}}}]}}
simulate: {{end: 6, output: 0.5}}
solve: {{rtol: 1.0e-8}}
)",
                           file, coordinates));
  };
  const Memory scalar = lattice("scalar"), space = lattice("space");
  ASSERT_EQ(space.position.size(), 2 * scalar.position.size());
  for (std::size_t i = 0; i < scalar.position.size(); ++i)
    EXPECT_NEAR(space.position[2 * i] - static_cast<double>(i % 3), scalar.position[i], 1e-8) << i;
}

TEST(CurveRuns, AMotorFollowsThem) {
  const test::TemporaryFolder folder;
  const Points points{{0, 0.1, 0.5, 1, 2}, {0, 0, 1, 0.2, 0.2}};
  const std::string file = points.write(folder.path()).string();
  const Memory memory = run(fmt::format(R"(cosimo: 1
model:
  curves: [{{name: way, file: "{}", between: cubic}}]
  bodies: [{{name: a, kind: rigid, mass: 1, inertia: [1, 1, 1]}}]
  joints:
    - {{name: rail, kind: prismatic, from: ground, to: a, at: [0, 0, 0], axis: [1, 0, 0]}}
    - {{name: drive, kind: motor, joint: rail, displacement: way(t)}}
simulate: {{end: 2, output: 0.05}}
)",
                                        file));
  const Curve way(points.t, points.f, {.between = Between::cubic});
  const std::size_t width = memory.position.size() / memory.time.size();
  for (std::size_t i = 0; i < memory.time.size(); ++i) {
    EXPECT_NEAR(memory.position[i * width], way(memory.time[i]), 1e-7) << memory.time[i];
    EXPECT_NEAR(memory.velocity[i * width], way.rate(memory.time[i]), 1e-5) << memory.time[i];
  }
}

TEST(CurveRuns, PointsBelongToTheModel) {
  const test::TemporaryFolder folder;
  const std::string rest = "simulate: {end: 1, output: 1}\n";
  const auto hashes = [&](const Points& points) {
    const std::string file = points.write(folder.path()).string();
    return std::array{hash(*Bench(scalar(file, "", 40) + rest).assembly->model),
                      hash(*Bench(mechanism(file) + rest).assembly->model)};
  };
  Points points = needles();
  const auto before = hashes(points);
  EXPECT_EQ(hashes(points), before);
  points.f.back() = 1e-9;
  const auto after = hashes(points);
  EXPECT_NE(after[0], before[0]);
  EXPECT_NE(after[1], before[1]);
}

class CurveBits : public ::testing::TestWithParam<const char*> {
 protected:
  std::string text(const char* rest) const {
    Points points;
    for (int i = 0; i <= 60; ++i) {
      points.t.push_back(1e-6 * i);
      points.f.push_back(1e3 * std::sin(0.9 * i));
    }
    return fmt::format(R"(cosimo: 1
model:
  curves: [{{name: push, file: "{}", after: zero{}}}]
  chain: {{masses: 63, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}}, seed: 7,
          initial: {{v: {{uniform: [-100, 100]}}}},
          loads: [{{curve: {{bodies: {{fraction: 0.4}}, name: push, amplitude: {{uniform: [1, 2]}}, sign: random}}}}]}}
partition: {{parts: 4}}
simulate: {{end: 1.0e-4, output: 7.0e-7}}
{}
)",
                       points.write(folder_.path()).string(), GetParam(), rest);
  }
  test::TemporaryFolder folder_;
};

TEST_P(CurveBits, DoNotDependOnThreadsAndRepetition) {
  for (const char* couple :
       {"couple: {decomposition: overlap}", "couple: {scheme: explicit, decomposition: force-force}"}) {
    const Outcome once = outcome_of(text(couple), 1, 0);
    expect_same(once, outcome_of(text(couple), 3, 0));
    expect_same(once, outcome_of(text(couple), 1, 3));
  }
}

TEST_P(CurveBits, DoNotDependOnRanks) {
  const std::string once = text("couple: {decomposition: overlap}");
  EXPECT_EQ(difference(on_ranks(once, 1), on_ranks(once, 3)), "");
}

/// Cut and whole are the same within the tolerances, also where the macro step is long.
TEST_P(CurveBits, CutsChangeLittle) {
  const Memory whole = outcome_of(text("couple: {decomposition: overlap}"), 1, 0).memory;
  std::string uncut = text("");
  uncut.replace(uncut.find("partition: {parts: 4}"), 21, "partition: none");
  const Memory reference = outcome_of(uncut, 1, 0).memory;
  EXPECT_LT(deviation(whole, reference).position, 1e-4);
  const Memory fixed =
      outcome_of(text("couple: {decomposition: overlap}\ncontrol: {step: 1.0e-5}"), 1, 0).memory;
  EXPECT_LT(deviation(fixed, reference).position, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Curves, CurveBits, ::testing::Values("", ", between: cubic"),
                         [](const auto& each) { return each.index == 0 ? "linear" : "cubic"; });

}  // namespace
}  // namespace cosimo::testing
