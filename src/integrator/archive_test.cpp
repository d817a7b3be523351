// Bytes out of one integrator and into another: it goes on as if nothing had happened, whatever the method.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "core/archive_testing.hpp"
#include "integrator/archive_testing.hpp"

namespace cosimo {
namespace {

using namespace cosimo::testing;

class Archived : public ::testing::TestWithParam<ArchiveCase> {
 protected:
  /// A new one that has loaded them, and was never started.
  std::unique_ptr<Integrator> loaded(const Bytes& bytes) const {
    auto integrator = run.make();
    load(bytes, *integrator);
    return integrator;
  }
  /// Both take macro steps first, first + 1, ..., first + count - 1.
  void expect_same_future(Integrator& a, Integrator& b, int first, int count) const {
    ASSERT_EQ(everything(a), everything(b)) << "at macro point " << first;
    for (int k = first; k < first + count; ++k) {
      const auto seen = run.step(k, a);
      ASSERT_EQ(seen.back(), 1) << "step " << k << " failed";
      ASSERT_EQ(run.step(k, b), seen) << "in macro step " << k;
    }
  }
  std::unique_ptr<Integrator> at(int k) const {
    auto integrator = run.start();
    for (int i = 0; i < k; ++i) EXPECT_EQ(run.step(i, *integrator).back(), 1);
    return integrator;
  }

  const ArchiveRun run = GetParam().make();
};

TEST_P(Archived, GoesOnFromEveryMacroPoint) {
  const auto original = run.start();
  for (int k = 0; k < ArchiveRun::steps; ++k) {
    const Bytes bytes = archived(*original);
    const auto one = loaded(bytes), other = loaded(bytes);
    // The one that saved takes no notice, and neither do those that are loaded from the same bytes.
    expect_same_future(*one, *other, k, 3);
    const auto third = loaded(bytes);
    expect_same_future(*original, *third, k, 1);
  }
}

TEST_P(Archived, GoesOnForLong) {
  const auto original = at(ArchiveRun::steps / 2);
  const auto other = loaded(archived(*original));
  expect_same_future(*original, *other, ArchiveRun::steps / 2, ArchiveRun::steps / 2);
}

TEST_P(Archived, BytesOfWhatWasLoadedAreTheSameBytes) {
  const auto original = at(7);
  const Bytes bytes = archived(*original);
  EXPECT_EQ(archived(*original), bytes);
  const auto other = loaded(bytes);
  EXPECT_EQ(archived(*other), bytes);
  // From hand to hand at every macro point.
  auto hand = loaded(bytes);
  for (int k = 7; k < 12; ++k) {
    ASSERT_EQ(run.step(k, *hand), run.step(k, *original));
    hand = loaded(archived(*hand));
  }
  EXPECT_EQ(archived(*hand), archived(*original));
}

TEST_P(Archived, AfterAStepThatWasTakenBack) {
  for (const int k : {0, 1, 9}) {
    const auto original = at(k);
    const auto snapshot = original->make_snapshot();
    original->save(*snapshot);
    const Bytes before = archived(*original);
    if (run.drive) run.drive(1e3);
    ASSERT_TRUE(original->advance(run.time(k + 2), {}).ok);
    original->restore(*snapshot);
    const Bytes bytes = archived(*original);
    EXPECT_EQ(bytes, before);
    const auto other = loaded(bytes);
    expect_same_future(*original, *other, k, 4);
    // Its own snapshots serve the one that was loaded.
    other->save(*snapshot);
    const auto first = run.step(k + 4, *other);
    other->restore(*snapshot);
    EXPECT_EQ(run.step(k + 4, *other), first);
  }
}

TEST_P(Archived, LoadingForgetsThePast) {
  const auto original = at(9);
  const auto other = at(14);
  load(archived(*original), *other);
  expect_same_future(*original, *other, 9, 6);
  const auto back = at(3), untouched = at(3);
  load(archived(*back), *original);
  expect_same_future(*original, *untouched, 3, 3);
}

TEST_P(Archived, TruncatedBytesAreRefusedAndChangeNothing) {
  const auto original = at(6), victim = at(4), untouched = at(4);
  const Bytes bytes = archived(*original);
  const auto fresh = run.make();
  const std::size_t stride = 1 + bytes.size() / 500;
  for (std::size_t n = 0; n < bytes.size(); n += n < 300 ? 1 : stride) {
    const auto part = std::span(bytes).first(n);
    ASSERT_THROW(load(part, *fresh), ArchiveError) << n;
    ASSERT_THROW(load(part, *victim), ArchiveError) << n;
  }
  expect_same_future(*victim, *untouched, 4, 3);
  load(bytes, *fresh);
  expect_same_future(*original, *fresh, 6, 2);
}

std::string name(const ::testing::TestParamInfo<ArchiveCase>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(EveryMethod, Archived, ::testing::ValuesIn(all_archive_cases()), name);

/// The cases above are worth something: the automatic ones have been through the methods that they are for.
TEST(ArchivedCases, AutomaticOnesChangeTheirMethod) {
  for (const ArchiveCase& each : all_archive_cases()) {
    if (std::string(each.name).find("automatic") == std::string::npos) continue;
    const ArchiveRun run = each.make();
    const auto integrator = run.start();
    for (int k = 0; k < ArchiveRun::steps; ++k) run.step(k, *integrator);
    EXPECT_GE(integrator->status().switches, 1) << each.name;
    const bool swinging = std::string(each.name).find("swinging") != std::string::npos;
    EXPECT_GT(swinging ? integrator->status().merson_steps : integrator->status().stiff_steps, 0)
        << each.name;
  }
}

class ArchivedOneStep : public Archived {};

TEST_P(ArchivedOneStep, RemembersTheGridAndWhatWasOverwritten) {
  const auto original = at(5);
  Begin other = run.begin;
  for (double& x : other.q) x *= 0.9;
  original->overwrite({0, run.system->size() / 2}, other.q, other.v);
  original->use_grid(17);
  const auto copy = loaded(archived(*original));
  expect_same_future(*original, *copy, 5, 3);
}

std::vector<ArchiveCase> one_step_cases() {
  using namespace archive_cases;
  return {{"rk", soft_chain<Method::rk>},
          {"merson", soft_chain<Method::merson>},
          {"rosenbrock", soft_chain<Method::rosenbrock>},
          {"automatic", stiff_chain<Method::automatic>}};
}
INSTANTIATE_TEST_SUITE_P(EveryMethod, ArchivedOneStep, ::testing::ValuesIn(one_step_cases()), name);

TEST(ArchivedOthers, AreRefused) {
  using namespace archive_cases;
  const ArchiveRun rk = soft_chain<Method::rk>(), ida = soft_chain<Method::ida>(),
                   automatic = soft_chain<Method::automatic>(), small = ring<Method::rk>(),
                   small_ida = ring<Method::ida>(), dense = soft_chain<Method::ida, Linear::dense>();
  const auto bytes_of = [](const ArchiveRun& run) {
    const auto integrator = run.start();
    run.step(0, *integrator);
    return archived(*integrator);
  };
  const auto refuses = [](const ArchiveRun& run, const Bytes& bytes) {
    EXPECT_THROW(load(bytes, *run.make()), ArchiveError);
  };
  refuses(ida, bytes_of(rk));
  refuses(rk, bytes_of(ida));
  refuses(automatic, bytes_of(rk));
  refuses(rk, bytes_of(small));
  refuses(ida, bytes_of(small_ida));
  refuses(dense, bytes_of(ida));
}

}  // namespace
}  // namespace cosimo
