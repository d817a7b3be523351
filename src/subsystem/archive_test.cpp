// Bytes out of one lane and into another: it goes on as if nothing had happened.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "core/archive_testing.hpp"
#include "subsystem/archive_testing.hpp"

namespace cosimo {
namespace {

using samples::everything;
using samples::LaneCase;
using samples::LaneRun;
using testing::archived;
using testing::Bytes;
using testing::load;

class ArchivedLane : public ::testing::TestWithParam<LaneCase> {
 protected:
  std::unique_ptr<Lane> loaded(const Bytes& bytes) const {
    auto lane = run.make();
    load(bytes, *lane);
    return lane;
  }
  std::unique_ptr<Lane> at(int k) const {
    auto lane = run.make();
    for (int i = 0; i < k; ++i) EXPECT_EQ(run.step(i, *lane).back(), 1);
    return lane;
  }
  void expect_same_future(Lane& a, Lane& b, int first, int count) const {
    ASSERT_EQ(everything(a), everything(b)) << "at macro point " << first;
    for (int k = first; k < first + count; ++k) {
      const auto seen = run.step(k, a);
      ASSERT_EQ(seen.back(), 1) << "step " << k << " failed";
      ASSERT_EQ(run.step(k, b), seen) << "in macro step " << k;
    }
  }

  const LaneRun run = GetParam().make();
};

TEST_P(ArchivedLane, GoesOnFromEveryMacroPoint) {
  const auto original = run.make();
  for (int k = 0; k < LaneRun::steps; ++k) {
    const Bytes bytes = archived(*original);
    const auto one = loaded(bytes), other = loaded(bytes);
    EXPECT_EQ(archived(*one), bytes);
    expect_same_future(*one, *other, k, 3);
    const auto third = loaded(bytes);
    expect_same_future(*original, *third, k, 1);
  }
}

TEST_P(ArchivedLane, AfterAStepThatWasTakenBack) {
  for (const int k : {0, 1, 5}) {
    const auto original = at(k);
    const auto snapshot = original->make_snapshot();
    original->save(*snapshot);
    // Another step than the one that follows.
    const Window longer{samples::macro_time(k, run.macro), samples::macro_time(k + 2, run.macro)};
    ASSERT_EQ(original->advance(longer, run.courses(99, longer), {}).status, StepStatus::ok);
    original->restore(*snapshot);
    const auto other = loaded(archived(*original));
    expect_same_future(*original, *other, k, 4);
    other->save(*snapshot);
    const auto first = run.step(k + 4, *other);
    other->restore(*snapshot);
    EXPECT_EQ(run.step(k + 4, *other), first);
  }
}

TEST_P(ArchivedLane, LoadingForgetsThePast) {
  const auto original = at(4), other = at(8);
  load(archived(*original), *other);
  expect_same_future(*original, *other, 4, 5);
}

TEST_P(ArchivedLane, TruncatedBytesAreRefused) {
  const auto original = at(4);
  const Bytes bytes = archived(*original);
  const auto victim = run.make();
  for (std::size_t n = 0; n < bytes.size(); n += n < 200 ? 1 : 1 + bytes.size() / 200)
    ASSERT_THROW(load(std::span(bytes).first(n), *victim), ArchiveError) << n;
  load(bytes, *victim);
  expect_same_future(*original, *victim, 4, 3);
}

std::string name(const ::testing::TestParamInfo<LaneCase>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(EveryKind, ArchivedLane, ::testing::ValuesIn(samples::all_lane_cases()), name);

TEST(ArchivedLanes, OfOtherKindsAreRefused) {
  const LaneRun of_chain = samples::lane_cases::chain_part<Method::rk>();  // lanes live no longer than these
  const LaneRun of_oscillator = samples::lane_cases::oscillator();
  const auto chain = of_chain.make();
  const auto oscillator = of_oscillator.make();
  EXPECT_THROW(load(archived(*chain), *oscillator), ArchiveError);
  EXPECT_THROW(load(archived(*oscillator), *chain), ArchiveError);
}

}  // namespace
}  // namespace cosimo
