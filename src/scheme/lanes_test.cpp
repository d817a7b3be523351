#include "scheme/lanes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "core/check.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;

/// What happened in which order, written by many threads.
class Diary {
 public:
  void write(std::string entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  std::vector<std::string> take() { return std::exchange(entries_, {}); }

 private:
  std::mutex mutex_;
  std::vector<std::string> entries_;
};

/// Its state is the number of steps it has done; one port, whose input it remembers.
class Walker final : public Component {
 public:
  Walker(std::string name, Diary& diary) : name_(std::move(name)), diary_(diary) {
    ports_.push_back({.coupling = CouplingId(std::size_t{0}), .side = CutSide::from, .inputs = 1});
  }
  std::span<const Port> ports() const override { return ports_; }
  std::span<const std::size_t> inputs() const override { return inputs_; }
  bool cheap_snapshot() const override { return true; }
  std::unique_ptr<Lane> make_lane() const override { return std::make_unique<Walk>(*this); }

  bool fails = false;
  mutable int asked = 0;  ///< for accelerations

 private:
  struct Count final : Snapshot {
    double steps = 0;
  };
  class Walk final : public Lane {
   public:
    explicit Walk(const Walker& walker) : walker_(walker) {}
    StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples&,
                       Response*) override {
      walker_.diary_.write(walker_.name_);
      state_[0] += 1;
      input_ = inputs[0](window.begin);
      if (walker_.fails) return {StepStatus::failed, window.begin, "fell"};
      return {StepStatus::ok, window.end, {}};
    }
    bool accelerations(double, std::span<const double> inputs, std::span<const PortState>,
                       std::span<double> a) const override {
      ++walker_.asked;
      a[0] = inputs[0];
      return true;
    }
    void outputs(double, std::span<const double>, std::span<PortState> y) const override {
      y[0] = {state_[0], input_};
    }
    std::span<const double> position() const override { return state_; }
    std::span<const double> velocity() const override { return state_; }
    std::unique_ptr<Snapshot> make_snapshot() const override { return std::make_unique<Count>(); }
    void save(Snapshot& snapshot) const override { dynamic_cast<Count&>(snapshot).steps = state_[0]; }
    void restore(const Snapshot& snapshot) override {
      state_[0] = dynamic_cast<const Count&>(snapshot).steps;
    }
    void archive(Archive& a) override { a(state_, input_); }
    void set_state(double, std::span<const double> q, std::span<const double>,
                   std::span<const double>) override {
      state_[0] = q[0];
    }
    SolverStatus status() const override { return {}; }
    double work() const override { return 10 * state_[0]; }

   private:
    const Walker& walker_;
    std::array<double, 1> state_{};
    double input_ = 0;
  };

  std::string name_;
  Diary& diary_;
  std::vector<Port> ports_;
  std::vector<std::size_t> inputs_{0};
};

struct Crowd {
  Crowd(const std::string& names, int threads, Beside beside = Beside::none)
      : pool(threads), recorded(names.size()) {
    for (const char name : names) {
      walkers.push_back(std::make_unique<Walker>(std::string(1, name), diary));
      walker.push_back(static_cast<Walker*>(walkers.back().get()));
    }
    lanes = std::make_unique<LaneSet>(walkers, recorded, pool, beside, true);
  }
  /// The stages of a step, each with its names in alphabetical order.
  std::vector<std::string> step(std::vector<std::size_t> sizes) {
    const std::vector<Polynomial> inputs(1);
    lanes->begin();
    lanes->advance({.window = {0, 1}, .inputs = inputs});
    const std::vector<std::string> entries = diary.take();
    std::vector<std::string> result;
    std::size_t next = 0;
    sizes.push_back(entries.size());  // whatever came too many
    for (const std::size_t size : sizes) {
      std::string stage;
      for (std::size_t i = 0; i < size && next < entries.size(); ++i) stage += entries[next++];
      std::sort(stage.begin(), stage.end());
      if (!stage.empty()) result.push_back(stage);
    }
    return result;
  }

  Diary diary;
  Pool pool;
  std::vector<std::unique_ptr<Component>> walkers;
  std::vector<Walker*> walker;
  std::vector<Recorded> recorded;
  std::unique_ptr<LaneSet> lanes;
};

TEST(Effect, AsksForAccelerationsOnceMoreWhereBodiesAreHeld) {
  Crowd crowd("a", 1);
  (void)crowd.step({});
  CutStates error(1);
  const std::vector<double> u{3}, other{5};
  std::vector<double> a(2);
  for (const bool held : {false, true}) {
    crowd.lanes->effect(1, u, other, {0.5, 1}, held, error, a);
    EXPECT_EQ(crowd.walker[0]->asked, held ? 3 : 2);
    EXPECT_EQ(error.from_x[0], 1);
    EXPECT_EQ(error.from_v[0], 2);
    EXPECT_EQ(a[0], 3);
  }
}

class Stages : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, Stages, ::testing::Values(1, 2, 4));

TEST_P(Stages, FollowOneAnother) {
  Crowd crowd("abcdef", GetParam());
  crowd.lanes->advance_in_stages(std::vector{1, 0, 2, 0, 1, 0});
  for (int k = 0; k < 50; ++k) {
    EXPECT_THAT(crowd.step({3, 2, 1}), ElementsAre("bdf", "ae", "c"));
    crowd.lanes->commit();
  }
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(crowd.lanes->lane(i).position()[0], 50);
}

TEST_P(Stages, MayBeEmpty) {
  Crowd crowd("abc", GetParam());
  crowd.lanes->advance_in_stages(std::vector{3, 1, 1});
  EXPECT_THAT(crowd.step({2, 1}), ElementsAre("bc", "a"));
}

TEST_P(Stages, OneStageIsAllAtOnce) {
  Crowd crowd("abc", GetParam());
  crowd.lanes->advance_in_stages(std::vector{2, 0, 1});
  EXPECT_THAT(crowd.step({1, 1, 1}), ElementsAre("b", "c", "a"));
  crowd.lanes->advance_in_stages(std::vector{0, 0, 0});
  EXPECT_THAT(crowd.step({3}), ElementsAre("abc"));
}

TEST_P(Stages, AreTakenBackTogether) {
  Crowd crowd("abcd", GetParam());
  crowd.lanes->advance_in_stages(std::vector{1, 0, 1, 0});
  (void)crowd.step({});
  crowd.lanes->commit();
  for (int k = 0; k < 3; ++k) {
    (void)crowd.step({});
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(crowd.lanes->lane(i).position()[0], 2);
      EXPECT_EQ(crowd.lanes->work()[i], 10) << "of this advance alone";
    }
    crowd.lanes->discard();
  }
  EXPECT_TRUE(crowd.lanes->rewind());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(crowd.lanes->lane(i).position()[0], 1);
}

TEST_P(Stages, ReportTheFirstThatFailed) {
  Crowd crowd("abcd", GetParam());
  crowd.lanes->advance_in_stages(std::vector{1, 0, 0, 1});
  StepResult result;
  (void)crowd.step({});
  EXPECT_FALSE(crowd.lanes->failed(result).valid());
  crowd.walker[2]->fails = true;
  (void)crowd.step({});
  EXPECT_EQ(crowd.lanes->failed(result), PartId(std::size_t{2}));
  EXPECT_EQ(result.reason, "fell");
}

TEST_P(Stages, ThatWereNotReachedStayWhereTheyAre) {
  Crowd crowd("ab", GetParam());
  crowd.lanes->advance_in_stages(std::vector{0, 1});
  const std::vector<Polynomial> inputs(1);
  for (int k = 0; k < 3; ++k) {
    (void)crowd.step({});
    crowd.lanes->commit();
  }
  crowd.lanes->begin();
  crowd.lanes->advance({.window = {0, 1}, .inputs = inputs, .stage = 0});
  EXPECT_EQ(crowd.lanes->lane(0).position()[0], 4);
  crowd.lanes->discard();
  EXPECT_TRUE(crowd.lanes->rewind());
  EXPECT_EQ(crowd.lanes->lane(0).position()[0], 3);
  EXPECT_EQ(crowd.lanes->lane(1).position()[0], 3);
}

TEST_P(Stages, AnOldFailureIsForgotten) {
  Crowd crowd("ab", GetParam());
  crowd.lanes->advance_in_stages(std::vector{0, 1});
  crowd.walker[1]->fails = true;
  (void)crowd.step({});
  StepResult result;
  EXPECT_TRUE(crowd.lanes->failed(result).valid());
  crowd.lanes->discard();
  const std::vector<Polynomial> inputs(1);
  crowd.lanes->begin();
  crowd.lanes->advance({.window = {0, 1}, .inputs = inputs, .stage = 0});
  EXPECT_FALSE(crowd.lanes->failed(result).valid()) << "stage 1 has not run yet";
}

TEST_P(Stages, ComparisonLanesGoWithTheirSubsystem) {
  Crowd crowd("ab", GetParam(), Beside::comparison);
  crowd.lanes->advance_in_stages(std::vector{1, 0});
  const std::vector<Polynomial> inputs(1);
  crowd.lanes->begin();
  crowd.lanes->advance({.window = {0, 1}, .inputs = inputs, .beside = inputs});
  EXPECT_THAT(crowd.diary.take(), ElementsAre("b", "b", "a", "a"));
}

TEST(LaneSet, RepeatsFromTheLastMacroPoint) {
  Crowd crowd("ab", 2, Beside::perturbed);
  std::vector<Polynomial> inputs(1), perturbed(1);
  perturbed[0].a[0] = 0.5;
  for (int k = 0; k < 4; ++k) {
    crowd.lanes->begin();
    for (int iteration = 0; iteration < 3; ++iteration) {
      if (iteration > 0) crowd.lanes->repeat();
      crowd.lanes->advance({.window = {0, 1}, .inputs = inputs, .beside = perturbed});
      EXPECT_EQ(crowd.lanes->lane(0).position()[0], k + 1);
    }
    PortState derivative;
    crowd.lanes->difference(0, std::vector{0.5}, {&derivative, 1});
    EXPECT_EQ(derivative.x, 0);
    EXPECT_EQ(derivative.v, 1) << "the walker's velocity is its input";
    crowd.lanes->commit();
  }
  EXPECT_EQ(crowd.lanes->integrations(), 4 * 3 * 4);
}

TEST(LaneSet, StagesNameEveryLane) {
  Crowd crowd("abc", 1);
  EXPECT_THROW(crowd.lanes->advance_in_stages(std::vector{0, 1}), Bug);
}

TEST(LaneSet, SecondsAreThoseOfAllStages) {
  Crowd crowd("abcd", 2);
  crowd.lanes->advance_in_stages(std::vector{1, 0, 1, 0});
  (void)crowd.step({});
  double solve = 0, threads = 0;
  for (const double seconds : crowd.lanes->solve_seconds()) {
    EXPECT_GT(seconds, 0);
    solve += seconds;
  }
  for (const double seconds : crowd.lanes->thread_seconds()) threads += seconds;
  EXPECT_NEAR(threads, solve, 1e-9 + 1e-6 * solve);
}

}  // namespace
}  // namespace cosimo
