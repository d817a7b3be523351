#include "simulation/together.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>

#include "parallel/thread_exchange.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Together : public ::testing::TestWithParam<int> {
 protected:
  int last() const { return GetParam() - 1; }
};

/// What the operation threw, which must be of type E.
template <class E>
std::string thrown(const std::function<void()>& operation) {
  try {
    operation();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST_P(Together, GivesEveryRankItsOwnResult) {
  run_ranks(GetParam(), [](Exchange& exchange) {
    const auto made = together(exchange, [&] { return std::make_unique<int>(exchange.rank()); });
    EXPECT_EQ(*made, exchange.rank());
    int calls = 0;
    together(exchange, [&] { ++calls; });
    EXPECT_EQ(calls, 1);
  });
}

TEST_P(Together, WrongInputOfTheLastRankIsThrownOnAll) {
  run_ranks(GetParam(), [&](Exchange& exchange) {
    const auto check = [&] {
      if (exchange.rank() != last()) return;
      throw Error(std::vector<Fault>{
          {.file = "a.yaml", .line = 3, .field = "x", .problem = "is wrong"},
          {.file = "a.yaml", .line = 7, .value = "9", .problem = "is large", .remedy = "8"}});
    };
    try {
      together(exchange, check);
      FAIL() << "rank " << exchange.rank() << " went on";
    } catch (const Error& error) {
      ASSERT_EQ(error.faults().size(), 2u);
      EXPECT_EQ(error.faults()[0].line, 3);
      EXPECT_EQ(error.faults()[0].field, "x");
      EXPECT_EQ(error.faults()[1].value, "9");
      EXPECT_EQ(error.faults()[1].remedy, "8");
      for (const Fault& fault : error.faults()) EXPECT_EQ(fault.file, "a.yaml");
      const std::string rank = "rank " + std::to_string(last()) + " of " + std::to_string(GetParam());
      EXPECT_THAT(error.faults()[0].problem, HasSubstr("is wrong"));
      if (last() > 0) {
        EXPECT_THAT(error.faults()[0].problem, HasSubstr(rank));
        EXPECT_THAT(error.faults()[1].problem, HasSubstr(rank));
      } else {
        EXPECT_EQ(error.faults()[0].problem, "is wrong");
      }
    }
    // They can go on talking.
    EXPECT_EQ(together(exchange, [] { return 5; }), 5);
  });
}

TEST_P(Together, OfSeveralFailuresTheFirstRankCountsAndRank0NeedsNoName) {
  run_ranks(GetParam(), [&](Exchange& exchange) {
    const std::string text = thrown<IoError>([&] {
      together(exchange, [&]() -> int {
        if (exchange.rank() == 0) throw IoError("the disk is full");
        throw Error(Fault{.problem = "something else"});
      });
    });
    EXPECT_EQ(text, "the disk is full");
  });
}

TEST_P(Together, AFailingDiskNamesItsRank) {
  run_ranks(GetParam(), [&](Exchange& exchange) {
    const std::string text = thrown<IoError>([&] {
      together(exchange, [&] {
        if (exchange.rank() == last()) throw IoError("the disk is full");
      });
    });
    EXPECT_THAT(text, HasSubstr("the disk is full"));
    if (last() > 0)
      EXPECT_THAT(text, HasSubstr("rank " + std::to_string(last())));
    else
      EXPECT_THAT(text, Not(HasSubstr("rank")));
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, Together, ::testing::Values(1, 2, 3, 5));

TEST(TogetherOnce, AnythingElseIsABugAndLeavesAtOnce) {
  EXPECT_THROW(run_ranks(3,
                         [](Exchange& exchange) {
                           together(exchange, [&] {
                             if (exchange.rank() == 1) throw std::logic_error("a bug");
                           });
                         }),
               std::logic_error);
}

}  // namespace
}  // namespace cosimo
