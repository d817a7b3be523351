#include "parallel/team.hpp"

#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

TEST(Team, AloneTheCallerDoesEverything) {
  Team team;
  int calls = 0;
  auto work = [&](Team::Member& me) {
    EXPECT_EQ(me.number(), 0);
    EXPECT_EQ(me.count(), 1);
    me.meet();
    ++calls;
  };
  team.run(5, work);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(team.members(), 1);
  EXPECT_EQ(team.meetings(), 0);
}

TEST(Team, EverybodySeesWhatOthersWroteBeforeAMeeting) {
  for (const int members : {2, 3, 5}) {
    Team team;
    team.hire(members, true);
    std::vector<int> value(8, 0), seen(8, 0);
    std::atomic<int> wrong{0};
    auto work = [&](Team::Member& me) {
      const auto own = static_cast<std::size_t>(me.number());
      for (int round = 1; round <= 20; ++round) {
        value[own] = round;
        me.meet();
        for (std::size_t k = 0; k < static_cast<std::size_t>(me.count()); ++k)
          if (value[k] != round) ++wrong;
        me.meet();
      }
      seen[own] += me.count();
    };
    for (int run = 0; run < 200; ++run) team.run(members, work);
    EXPECT_EQ(wrong.load(), 0);
    EXPECT_GE(seen[0], 200);
  }
}

TEST(Team, RunsOnAsManyAsAreWanted) {
  Team team;
  team.hire(4, true);
  for (const int wanted : {1, 2, 3, 4, 9}) {
    std::atomic<int> calls{0};
    int count = 0;
    auto work = [&](Team::Member& me) {
      ++calls;
      if (me.number() == 0) count = me.count();
    };
    team.run(wanted, work);
    EXPECT_EQ(calls.load(), count);
    EXPECT_LE(count, std::min(wanted, 4));
  }
}

TEST(Team, CountsMeetings) {
  Team team;
  team.hire(2, true);
  auto work = [](Team::Member& me) {
    me.meet();
    me.meet();
  };
  team.run(2, work);
  EXPECT_EQ(team.meetings(), 3) << "two, and the end";
}

TEST(Team, CanBeHiredAnewAndSleepsInBetween) {
  Team team;
  for (const int members : {3, 1, 2, 4, 2}) {
    team.hire(members, true);
    EXPECT_EQ(team.members(), members);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> calls{0};
    auto work = [&](Team::Member&) { ++calls; };
    team.run(members, work);
    EXPECT_EQ(calls.load(), members);
  }
}

TEST(Team, WhoIsAlwaysLateIsLeftOut) {
  Team team;
  team.hire(2, true);
  auto work = [](Team::Member& me) {
    if (me.number() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    me.meet();
  };
  for (int run = 0; run < 64; ++run) team.run(2, work);
  EXPECT_GE(team.left_out(), 1);
  std::atomic<int> calls{0};
  auto count = [&](Team::Member& me) { calls = me.count(); };
  int together = 0;
  for (int run = 0; run < 64 && together == 0; ++run) {
    team.run(2, count);
    together += calls == 2 ? 1 : 0;
  }
  EXPECT_GE(together, 1) << "it is tried again";
}

/// Without the slower of two the other would take twice as long. On a busy machine a member may lose its
/// core, and is rightly left out: one try without that is enough.
TEST(Team, WhoBringsMoreThanItCostsStays) {
  std::int64_t left_out = 1;
  for (int attempt = 0; attempt < 8 && left_out > 0; ++attempt) {
    Team team;
    team.hire(2, true);
    auto work = [](Team::Member& me) {
      std::this_thread::sleep_for(std::chrono::microseconds(me.number() == 0 ? 8000 : 10400));
    };
    for (int run = 0; run < 70; ++run) team.run(2, work);
    left_out = team.left_out();
  }
  EXPECT_EQ(left_out, 0);
}

TEST(Team, AllWhoAreLateAreLeftOutAtOnce) {
  Team team;
  team.hire(5, true);
  for (int run = 0; run < 3; ++run) {
    std::atomic<bool> waiting{false};
    auto work = [&](Team::Member& me) {
      if (me.number() == 0) {
        waiting = true;
        waiting.notify_all();
      } else {
        waiting.wait(false);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      me.meet();
    };
    team.run(5, work);
  }
  EXPECT_EQ(team.left_out(), 4) << "late three times, each of them";
  int count = 0;
  auto see = [&](Team::Member& me) {
    if (me.number() == 0) count = me.count();
  };
  team.run(5, see);
  EXPECT_EQ(count, 1);
}

/// A team never has more members than the process has cores: they would wait for each other's.
TEST(Team, HiresNoMoreThanTheMaskHasCores) {
  cpu_set_t before, one;
  ASSERT_EQ(pthread_getaffinity_np(pthread_self(), sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof(one), &one), 0);
  Team team;
  team.hire(4);
  EXPECT_EQ(team.members(), 1);
  team.hire(4, true);
  EXPECT_EQ(team.members(), 4);
  ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof(before), &before), 0);
}

TEST(Team, ARunAllocatesNothing) {
  Team team;
  team.hire(3, true);
  auto work = [](Team::Member& me) { me.meet(); };
  team.run(3, work);
  const auto before = allocation_count();
  for (int run = 0; run < 100; ++run) team.run(3, work);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
