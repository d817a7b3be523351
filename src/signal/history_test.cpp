#include "signal/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/archive_testing.hpp"
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

using testing::archived;
using testing::load;

/// Three variables over `points` macro points of a ring of four.
History filled(int points) {
  History history(3, 4);
  for (int n = 0; n < points; ++n) history.push(0.1 + n / 3.0, std::array{n / 7.0, n / 11.0, -n / 13.0});
  return history;
}

void expect_equal(const History& a, const History& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t back = 0; back < a.size(); ++back) {
    EXPECT_EQ(a.time(back), b.time(back));
    EXPECT_TRUE(std::ranges::equal(a.values(back), b.values(back)));
  }
}

TEST(History, ComesBackFromBytes) {
  for (int points = 0; points < 10; ++points) {
    History history = filled(points), loaded = filled(3);
    load(archived(history), loaded);
    expect_equal(loaded, history);
    EXPECT_EQ(archived(loaded), archived(history));
    for (int n = 0; n < 5; ++n) {
      for (History* each : {&history, &loaded}) each->push(10 + n, std::array{0.1 * n, 0.2 * n, 0.3 * n});
      expect_equal(loaded, history);
    }
  }
}

TEST(History, IsPutTogetherFromPieces) {
  for (const int points : {0, 2, 9}) {
    History history = filled(points);
    Archive times, first, others;
    history.archive_times(times);
    history.archive_variables(first, std::array<std::size_t, 1>{0});
    history.archive_variables(others, std::array<std::size_t, 2>{2, 1});
    const auto time_bytes = times.take(), first_bytes = first.take(), other_bytes = others.take();

    // One variable more, and another order of the old ones.
    History wide(4, 4);
    const auto piece = [](const auto& bytes, auto archive) {
      Archive in(bytes);
      archive(in);
      in.finish();
    };
    piece(time_bytes, [&](Archive& a) { wide.archive_times(a); });
    piece(other_bytes, [&](Archive& a) { wide.archive_variables(a, std::array<std::size_t, 2>{0, 3}); });
    piece(first_bytes, [&](Archive& a) { wide.archive_variables(a, std::array<std::size_t, 1>{2}); });
    ASSERT_EQ(wide.size(), history.size());
    for (std::size_t back = 0; back < wide.size(); ++back) {
      EXPECT_EQ(wide.time(back), history.time(back));
      EXPECT_EQ(wide.values(back)[0], history.values(back)[2]);
      EXPECT_EQ(wide.values(back)[1], 0.0);
      EXPECT_EQ(wide.values(back)[2], history.values(back)[0]);
      EXPECT_EQ(wide.values(back)[3], history.values(back)[1]);
    }
  }
}

TEST(History, RefusesBytesOfOthers) {
  History history = filled(6);
  const auto bytes = archived(history);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    History loaded(3, 4);
    EXPECT_THROW(load(std::span(bytes).first(n), loaded), ArchiveError) << n;
  }
  History narrow(2, 4), shorter(3, 3);
  EXPECT_THROW(load(bytes, narrow), ArchiveError);
  EXPECT_THROW(load(bytes, shorter), ArchiveError);
}

}  // namespace
}  // namespace cosimo
