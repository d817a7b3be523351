#include "signal/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/check.hpp"

namespace cosimo {
namespace {

TEST(History, NewestPointComesFirst) {
  History history(2, 3);
  EXPECT_EQ(history.size(), 0u);
  history.push(1.0, std::array{10.0, 11.0});
  history.push(2.5, std::array{20.0, 21.0});
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history.time(0), 2.5);
  EXPECT_EQ(history.time(1), 1.0);
  EXPECT_EQ(history.values(0)[1], 21.0);
  EXPECT_EQ(history.values(1)[0], 10.0);
}

TEST(History, FullRingDropsTheOldest) {
  History history(1, 3);
  for (int n = 0; n < 50; ++n) {
    history.push(n, std::array{10.0 * n});
    const auto kept = static_cast<std::size_t>(std::min(n + 1, 3));
    ASSERT_EQ(history.size(), kept);
    for (std::size_t back = 0; back < kept; ++back) {
      EXPECT_EQ(history.time(back), n - static_cast<int>(back));
      EXPECT_EQ(history.values(back)[0], 10.0 * (n - static_cast<int>(back)));
    }
  }
}

TEST(History, PushNeverMovesTheStorage) {
  History history(4, 2);
  const std::array u{1.0, 2.0, 3.0, 4.0};
  history.push(0, u);
  const double* first = history.values(0).data();
  history.push(1, u);
  history.push(2, u);
  EXPECT_EQ(history.values(0).data(), first);
}

TEST(History, ClearStartsAgainAtAnyTime) {
  History history(1, 3);
  history.push(5.0, std::array{1.0});
  history.push(6.0, std::array{2.0});
  history.clear();
  EXPECT_EQ(history.size(), 0u);
  history.push(0.5, std::array{3.0});
  EXPECT_EQ(history.size(), 1u);
  EXPECT_EQ(history.time(0), 0.5);
  EXPECT_EQ(history.values(0)[0], 3.0);
}

TEST(History, WithoutVariablesOnlyTimesAreKept) {
  History history(0, 2);
  history.push(1.0, {});
  EXPECT_TRUE(history.values(0).empty());
  EXPECT_EQ(history.time(0), 1.0);
}

TEST(History, RefusesWhatCannotBeMeant) {
  History history(1, 2);
  EXPECT_THROW(history.time(0), Bug);
  history.push(1.0, std::array{1.0});
  EXPECT_THROW(history.push(1.0, std::array{1.0}), Bug);
  EXPECT_THROW(history.push(2.0, std::array{1.0, 2.0}), Bug);
  EXPECT_THROW(history.values(1), Bug);
  EXPECT_EQ(history.size(), 1u);
  EXPECT_THROW(History(1, 0), Bug);
}

}  // namespace
}  // namespace cosimo
