#include "parallel/shares.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cosimo {
namespace {

TEST(Shares, CoverEveryRowOnceInWholeUnits) {
  for (const int members : {1, 2, 3, 7})
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5000}, std::size_t{20'001}}) {
      Team team;
      team.hire(members, true);
      std::vector<int> seen(size), last(size);
      auto work = [&](Share& mine) {
        EXPECT_TRUE(mine.rows.first % share_unit == 0 || mine.rows.first == size);
        for (std::size_t i = mine.rows.first; i < mine.rows.last; ++i) ++seen[i];
        mine.meet();
        // Everybody's rows are there now.
        for (std::size_t i = mine.rows.first; i < mine.rows.last; ++i) last[i] = seen[size - 1 - i];
      };
      in_shares(&team, size, work);
      EXPECT_EQ(seen, std::vector<int>(size, 1));
      EXPECT_EQ(last, seen);
    }
}

TEST(Shares, AreNotMoreThanTheRowsAreWorth) {
  Team team;
  team.hire(4, true);
  EXPECT_EQ(members_for(nullptr, 1U << 20U), 1);
  EXPECT_EQ(members_for(&team, 1), 1);
  EXPECT_EQ(members_for(&team, 2 * worth_a_thread), 2);
  EXPECT_EQ(members_for(&team, 100 * worth_a_thread), 4);
  EXPECT_EQ(members_for(&team, worth_a_thread, 3.5), 3);
}

TEST(Shares, AreOneWithoutATeam) {
  std::size_t calls = 0;
  auto work = [&](Share& mine) {
    mine.meet();
    EXPECT_EQ(mine.rows.size(), 70'000U);
    ++calls;
  };
  in_shares(nullptr, 70'000, work);
  EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace cosimo
