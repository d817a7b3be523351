#include "parallel/exchange.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <stdexcept>

#include "parallel/thread_exchange.hpp"

namespace cosimo {
namespace {

class Ranks : public testing::TestWithParam<int> {};

TEST_P(Ranks, NeighboursHearEachOther) {
  const int n = GetParam();
  run_ranks(n, [&](Exchange& exchange) {
    const int next = (exchange.rank() + 1) % n, before = (exchange.rank() + n - 1) % n;
    for (int round = 0; round < 3; ++round) {
      const std::array<double, 2> mine{1.0 * exchange.rank(), 1.0 * round};
      std::array<double, 2> theirs{};
      const Outgoing out{next, mine};
      const Incoming in{before, theirs};
      exchange.start({&out, 1}, {&in, 1});
      exchange.finish();
      EXPECT_EQ(theirs[0], before);
      EXPECT_EQ(theirs[1], round);
    }
  });
}

TEST_P(Ranks, ReductionsAgreeEverywhere) {
  const int n = GetParam();
  run_ranks(n, [&](Exchange& exchange) {
    std::array<std::int64_t, 2> words{exchange.rank(), 1};
    exchange.sum(words);
    EXPECT_EQ(words[0], n * (n - 1) / 2);
    EXPECT_EQ(words[1], n);
    double largest = -exchange.rank();
    exchange.max({&largest, 1});
    EXPECT_EQ(largest, 0);
    EXPECT_TRUE(any(exchange, exchange.rank() == n - 1));
    EXPECT_FALSE(any(exchange, false));
    // Words of an exact sum have more bits than a double.
    constexpr std::int64_t large = std::int64_t{1} << 53;
    words = {large + exchange.rank(), -large - 1};
    exchange.sum(words);
    EXPECT_EQ(words[0], n * large + n * (n - 1) / 2);
    EXPECT_EQ(words[1], -n * large - n);
  });
}

TEST_P(Ranks, GathersBroadcastsAndSwaps) {
  const int n = GetParam();
  run_ranks(n, [&](Exchange& exchange) {
    const int rank = exchange.rank();
    std::vector<int> counts;
    std::vector<double> expected;
    for (int r = 0; r < n; ++r) {
      counts.push_back(r);
      for (int k = 0; k < r; ++k) expected.push_back(10 * r + k);
    }
    std::vector<double> mine, all(expected.size());
    for (int k = 0; k < rank; ++k) mine.push_back(10 * rank + k);
    exchange.gather_all(mine, counts, all);
    EXPECT_EQ(all, expected);

    Bytes bytes(rank == n - 1 ? 5 : 0, std::byte{7});
    exchange.broadcast(n - 1, bytes);
    EXPECT_EQ(bytes, Bytes(5, std::byte{7}));

    std::vector<std::vector<std::int64_t>> lists;
    for (int r = 0; r < n; ++r) lists.emplace_back(static_cast<std::size_t>(r), rank);
    const auto got = exchange.swap(lists);
    for (int r = 0; r < n; ++r)
      EXPECT_EQ(got[static_cast<std::size_t>(r)],
                std::vector<std::int64_t>(static_cast<std::size_t>(rank), r));
  });
}

TEST_P(Ranks, ParcelsArriveInOrder) {
  const int n = GetParam();
  run_ranks(n, [&](Exchange& exchange) {
    if (exchange.leads()) {
      for (int r = 1; r < n; ++r)
        for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(exchange.receive(r), Bytes(k, std::byte{3}));
    } else {
      for (std::size_t k = 0; k < 9; ++k) exchange.send(0, Bytes(k, std::byte{3}));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, Ranks, testing::Values(2, 3, 5));

TEST(ThreadRanks, AFailureOfOneEndsAll) {
  EXPECT_THROW(run_ranks(3,
                         [](Exchange& exchange) {
                           if (exchange.rank() == 1) throw std::logic_error("first");
                           double x = 0;
                           exchange.max({&x, 1});
                         }),
               std::logic_error);
}

TEST(Alone, HasEverything) {
  const auto exchange = alone();
  double x = 3;
  exchange->max({&x, 1});
  EXPECT_EQ(x, 3);
  EXPECT_TRUE(exchange->single());
  EXPECT_TRUE(any(*exchange, true));
}

}  // namespace
}  // namespace cosimo
