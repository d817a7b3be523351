// A cut with overlaps must not cost accuracy: models of the documents against tight references, with default
// settings and with overlaps asked for. At every tolerance the error, per level, is at most ten times
// that of the uncut run, or at most rtol, whichever is larger.
#include <gtest/gtest.h>

#include <ostream>

#include "simulation/overlap_testing.hpp"

namespace cosimo::testing {
namespace {

struct Sample {
  const char* name;
  std::string text;
  /// The error may be this many times rtol. More than 1 only where the uncut run is no fair measure: its
  /// fastest bodies force micro steps on all others, which makes those far more accurate than the tolerance;
  /// parts that go at their own pace are about as accurate as it asks.
  double times_rtol = 1;
  /// With the absolute tolerances of the documents, 1e-3 rtol and rtol, instead of those that follow the
  /// motion: velocities in impulses and shocks are much larger than the ones that the rest of the model has.
  bool documents = false;
  friend std::ostream& operator<<(std::ostream& out, const Sample& s) { return out << s.name; }
};

const char* const short_run = "simulate: {end: 5.0e-4, output: 1.0e-5}";

const Sample samples[] = {
    {"Table59", table_5_9(600, 4, short_run)},
    {"Table51", table_5_1(false, "simulate: {end: 0.25, output: 2.5e-3}")},
    // Four times the published length: a shock at the driven end, a quiet other one.
    {"Table51Long", long_table_5_1(200, 4, "simulate: {end: 0.25, output: 2.5e-3}"), 6, true},
    {"Impulses", impulses(600, 4, short_run)},
    {"ImpulsesAtManyCuts", impulses(600, 12, "simulate: {end: 1.5e-3, output: 1.0e-5}"), 1, true},
    {"DampingRatio10", damping_ratio_10(400, 4, "simulate: {end: 1.0e-4, output: 1.0e-6}")},
    // One-sided cuts: the light blocks take ten times the steps of the heavy ones.
    {"GradedMasses", section_5_4(false, "simulate: {end: 5.0e-3, output: 5.0e-5}"), 6},
    {"GradedMassesCutFurther", section_5_4(true, "simulate: {end: 5.0e-3, output: 5.0e-5}")},
    {"MultirateContacts", multirate("simulate: {end: 3.0e-4, output: 1.0e-5}")},
};

enum class Cut { none, overlap };

/// A whole run, and whether it was cut.
Memory run(const std::string& text, const std::vector<std::string>& settings, Cut* found = nullptr) {
  Bench bench(text, 2, {}, settings);
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  EXPECT_EQ(bench.assembly->overlap != nullptr, bench.assembly->subsystems.size() > 1);
  if (found) *found = bench.assembly->overlap ? Cut::overlap : Cut::none;
  return std::move(bench.memory);
}

class OverlapAccuracy : public ::testing::TestWithParam<Sample> {
 protected:
  void expect_within_bounds(const Memory& cut) const {
    const Deviation error = deviation(cut, exact_), uncut = deviation(whole_, exact_);
    const auto limit = [&](double of_uncut) {
      return std::max(10 * of_uncut, GetParam().times_rtol * rtol_);
    };
    EXPECT_LE(error.position, limit(uncut.position)) << "uncut " << uncut.position;
    EXPECT_LE(error.velocity, limit(uncut.velocity)) << "uncut " << uncut.velocity;
  }

  double rtol_ = 0;
  Memory exact_, whole_;
};

TEST_P(OverlapAccuracy, IsThatOfTheUncutRun) {
  const std::string& text = GetParam().text;
  exact_ = run(text, {"partition=none", "solve.rtol=1e-12"});
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE(rtol);
    rtol_ = rtol;
    std::vector<std::string> settings = {fmt::format("solve.rtol={}", rtol)};
    if (GetParam().documents) {
      settings.push_back(fmt::format("solve.atol_pos={}", 1e-3 * rtol));
      settings.push_back(fmt::format("solve.atol_vel={}", rtol));
    }
    const auto with = [&](const std::string& setting) {
      std::vector<std::string> all = settings;
      all.push_back(setting);
      return all;
    };
    whole_ = run(text, with("partition=none"));
    Cut cut = Cut::none;
    const Memory by_default = run(text, settings, &cut);
    if (cut == Cut::none) {
      EXPECT_EQ(by_default.position, whole_.position);
      expect_within_bounds(run(text, with("couple={decomposition: overlap}"), &cut));
      EXPECT_EQ(cut, Cut::overlap);
    } else {
      expect_within_bounds(by_default);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OverlapAccuracy, ::testing::ValuesIn(samples),
                         [](const auto& each) { return std::string(each.param.name); });

/// Parts of four bodies carry copies of several neighbours on each side.
TEST(OverlapParts, AnyNumberOfThemIsAsAccurateAsNone) {
  const std::string text = table_5_9(4000, 2, "simulate: {end: 5.0e-5, output: 1.0e-6}");
  const Memory exact = run(text, {"partition=none", "solve.rtol=1e-12"});
  const Deviation whole = deviation(run(text, {"partition=none"}), exact);
  for (const int parts : {1, 2, 7, 100, 1000}) {
    SCOPED_TRACE(parts);
    Cut cut = Cut::none;
    const Memory memory =
        run(text, {fmt::format("partition.parts={}", parts), "couple={decomposition: overlap}"}, &cut);
    EXPECT_EQ(cut, parts > 1 ? Cut::overlap : Cut::none);
    const Deviation error = deviation(memory, exact);
    EXPECT_LE(error.position, std::max(10 * whole.position, 1e-6));
    EXPECT_LE(error.velocity, std::max(10 * whole.velocity, 1e-6));
    if (parts == 1000) {
      EXPECT_GT(*std::max_element(memory.layers.begin(), memory.layers.end()), 2 * 4)
          << "past the neighbour's neighbour";
    }
  }
}

}  // namespace
}  // namespace cosimo::testing
