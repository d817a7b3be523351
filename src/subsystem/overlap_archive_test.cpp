// Lanes with copies as bytes: which copies they carry and are to carry, what they have learnt of them, and
// that lanes which were all loaded meet again.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "core/archive_testing.hpp"
#include "model/mechanism_testing.hpp"
#include "subsystem/archive_testing.hpp"
#include "subsystem/testing.hpp"

namespace cosimo {
namespace {

using samples::everything;
using samples::OverlappedChain;
using testing::archived;
using testing::Bytes;
using testing::load;

constexpr double macro = 0.7;

ChainSpec damped_chain() {
  ChainSpec spec = samples::unit_chain(60, 3);
  spec.d = 0.1;
  spec.C = 0.5;
  return spec;
}

/// A chain in three parts, and the same again.
class ArchivedOverlap : public ::testing::TestWithParam<Method> {
 protected:
  std::unique_ptr<OverlappedChain> make() const {
    return std::make_unique<OverlappedChain>(damped_chain(), std::vector<std::size_t>{20, 40},
                                             samples::options_of(GetParam(), 1e-6));
  }
  static Window window(int k) { return {samples::macro_time(k, macro), samples::macro_time(k + 1, macro)}; }
  /// The copies change now and then, for some parts.
  static void change(OverlappedChain& chain, int k) {
    if (k % 3 != 0) return;
    for (std::size_t p = 0; p < 3; ++p)
      if ((p + static_cast<std::size_t>(k)) % 2 == 0) chain.carry(p, 3 + p + static_cast<std::size_t>(k), 5);
  }
  static void step(OverlappedChain& chain, int k) {
    change(chain, k);
    ASSERT_TRUE(chain.step(window(k), k % 4 == 0 ? 0 : 11));
  }
  static std::vector<Bytes> bytes_of(OverlappedChain& chain) {
    std::vector<Bytes> all;
    for (const auto& lane : chain.lanes) all.push_back(archived(*lane));
    return all;
  }
  static void load_all(const std::vector<Bytes>& bytes, OverlappedChain& chain) {
    for (std::size_t p = 0; p < bytes.size(); ++p) load(bytes[p], *chain.lanes[p]);
    for (const auto& lane : chain.lanes) lane->publish();
    chain.states.accept();
  }
  static std::vector<double> seen(const OverlappedChain& chain) {
    std::vector<double> all = chain.x();
    samples::append(chain.v(), all);
    for (const auto& lane : chain.lanes) {
      samples::append(everything(*lane), all);
      all.push_back(static_cast<double>(lane->carried()));
      if (lane->carries(0)) samples::append(std::array{lane->copy(0).x, lane->copy(0).v}, all);
      std::vector<double> a(lane == chain.lanes[1] ? 2 : 1);
      EXPECT_TRUE(lane->accelerations(0.0, std::array{0.3, 0.4}, a));
      samples::append(a, all);
    }
    return all;
  }
  static void expect_same_future(OverlappedChain& a, OverlappedChain& b, int first, int count) {
    ASSERT_EQ(seen(a), seen(b)) << "at macro point " << first;
    for (int k = first; k < first + count; ++k) {
      step(a, k);
      step(b, k);
      ASSERT_EQ(seen(a), seen(b)) << "after macro step " << k;
    }
  }
};

TEST_P(ArchivedOverlap, GoesOnFromEveryMacroPoint) {
  const auto original = make();
  for (int k = 0; k < 8; ++k) {
    const auto bytes = bytes_of(*original);
    const auto one = make(), other = make();
    load_all(bytes, *one);
    load_all(bytes, *other);
    EXPECT_EQ(bytes_of(*one), bytes);
    expect_same_future(*one, *other, k, 3);
    const auto third = make();
    load_all(bytes, *third);
    expect_same_future(*original, *third, k, 1);
  }
}

/// New copies that are wanted but not carried yet: the next step must begin with them.
TEST_P(ArchivedOverlap, RemembersWhatItIsToCarry) {
  const auto original = make();
  for (int k = 0; k < 4; ++k) step(*original, k);
  original->carry(0, 0, 9);
  original->carry(2, 7, 0);
  const auto other = make();
  load_all(bytes_of(*original), *other);
  expect_same_future(*original, *other, 4, 3);
  EXPECT_EQ(other->lanes[0]->carried(), original->lanes[0]->carried());
}

/// Copies wanted anew that are those carried already still make a new load, in both.
TEST_P(ArchivedOverlap, TheSameCopiesOnceMoreAreAChange) {
  const auto original = make();
  original->carry_layers(6);
  for (int k = 1; k < 3; ++k) step(*original, k);
  original->carry_layers(6);
  const auto other = make();
  load_all(bytes_of(*original), *other);
  expect_same_future(*original, *other, 4, 2);
}

TEST_P(ArchivedOverlap, AfterAStepWithNewCopiesThatWasTakenBack) {
  const auto original = make();
  for (int k = 0; k < 4; ++k) step(*original, k);
  std::vector<std::unique_ptr<Snapshot>> snapshots;
  for (const auto& lane : original->lanes) {
    snapshots.push_back(lane->make_snapshot());
    lane->save(*snapshots.back());
  }
  original->carry_layers(9);
  for (std::size_t p = 0; p < 3; ++p)
    ASSERT_EQ(original->advance(p, {window(4).begin, window(5).end}, 5).status, StepStatus::ok);
  for (std::size_t p = 0; p < 3; ++p) original->lanes[p]->restore(*snapshots[p]);
  const auto other = make();
  load_all(bytes_of(*original), *other);
  expect_same_future(*original, *other, 4, 4);
  // Snapshots of the one that was loaded serve as before.
  other->lanes[1]->save(*snapshots[1]);
  const auto first = everything(*other->lanes[1]);
  ASSERT_EQ(other->advance(1, window(8)).status, StepStatus::ok);
  other->lanes[1]->restore(*snapshots[1]);
  EXPECT_EQ(everything(*other->lanes[1]), first);
}

TEST_P(ArchivedOverlap, TruncatedBytesAndOtherPartsAreRefused) {
  const auto original = make();
  for (int k = 0; k < 4; ++k) step(*original, k);
  original->carry(1, 4, 4);
  const auto bytes = bytes_of(*original);
  const auto other = make();
  for (std::size_t n = 0; n < bytes[1].size(); n += n < 800 ? 1 : 37)
    ASSERT_THROW(load(std::span(bytes[1]).first(n), *other->lanes[1]), ArchiveError) << n;
  EXPECT_THROW(load(bytes[0], *other->lanes[1]), ArchiveError);
  EXPECT_THROW(load(bytes[2], *other->lanes[0]), ArchiveError);
  load_all(bytes, *other);
  expect_same_future(*original, *other, 4, 2);
}

/// One side carries copies, the other follows the recorded force: the record lives within a macro step.
TEST_P(ArchivedOverlap, OneSidedCutsNeedNoRecord) {
  struct OneSided {
    OverlappedChain chain;
    RecordedForce force;
    explicit OneSided(Method method)
        : chain(damped_chain(), {30}, samples::options_of(method, 1e-6)),
          force(chain.model.elements.law(ElementId(std::size_t{30}))) {
      chain.carry(0, 4, 4);
      chain.lanes[0]->record_force(0, force);
      chain.lanes[1]->follow_force(0, force);
    }
  };
  OneSided original(GetParam());
  for (int k = 1; k < 5; ++k) ASSERT_TRUE(original.chain.step(window(k)));
  OneSided other(GetParam());
  load_all(bytes_of(original.chain), other.chain);
  for (int k = 5; k < 9; ++k) {
    ASSERT_TRUE(original.chain.step(window(k)));
    ASSERT_TRUE(other.chain.step(window(k)));
    ASSERT_EQ(seen(original.chain), seen(other.chain));
  }
}

std::string name(const ::testing::TestParamInfo<Method>& info) {
  return info.param == Method::rk           ? "rk"
         : info.param == Method::rosenbrock ? "rosenbrock"
         : info.param == Method::radau      ? "radau"
                                            : "automatic";
}
INSTANTIATE_TEST_SUITE_P(Methods, ArchivedOverlap,
                         ::testing::Values(Method::rk, Method::rosenbrock, Method::automatic), name);

/// A jointed group that carries another one.
class ArchivedGroups : public ::testing::TestWithParam<Method> {
 protected:
  struct First {
    const Model& model;
    BodyStates states{model.bodies.x, model.bodies.v};
    Partition cut = testing::cut_in_two(model, 1, Drive::force, Drive::force);
    OverlapSubsystem subsystem;
    OverlapLane lane;
    std::vector<Polynomial> inputs;
    First(const Model& whole, Method method)
        : model(whole),
          subsystem(model, cut.parts[0], PartId{0}, cut.interface, samples::options_of(method, 1e-5), {}),
          lane(subsystem),
          inputs(subsystem.inputs().size()) {
      lane.connect(states);
    }
    void carry_all() {
      auto all = std::make_shared<OverlappingPart>();
      all->part = testing::in_one_part(model).parts[0];
      all->part.owned = {0, 2};
      all->judged = {0, 4};
      lane.carry(all);
    }
    std::vector<double> step(int k) {
      const Window window{samples::macro_time(k, 0.02), samples::macro_time(k + 1, 0.02)};
      EXPECT_EQ(lane.advance(window, inputs, {}).status, StepStatus::ok);
      return everything(lane);
    }
  };
};

TEST_P(ArchivedGroups, GoOnFromEveryMacroPoint) {
  const Model model = testing::two_jointed_groups();
  First original(model, GetParam());
  for (int k = 0; k < 6; ++k) {
    if (k == 2) original.carry_all();
    const Bytes bytes = archived(original.lane);
    First other(model, GetParam());
    load(bytes, other.lane);
    ASSERT_EQ(everything(other.lane), everything(original.lane)) << k;
    ASSERT_EQ(other.step(k), original.step(k)) << k;
    EXPECT_EQ(other.lane.carried(), k < 2 ? 2U : 4U);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ArchivedGroups,
                         ::testing::Values(Method::rk, Method::radau, Method::automatic), name);

}  // namespace
}  // namespace cosimo
