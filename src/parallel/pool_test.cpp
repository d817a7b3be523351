#include "parallel/pool.hpp"

#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// Keeps the core busy for about the given number of sine evaluations; the result depends on i alone.
double churn(std::size_t i, int steps) {
  double x = static_cast<double>(i) + 0.5;
  for (int n = 0; n < steps; ++n) x = std::sin(x) + 1;
  return x;
}

class Threads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Many, Threads, testing::Values(1, 2, 3, 8));

TEST_P(Threads, EveryTaskRunsExactlyOnce) {
  Pool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::size_t count : {0u, 1u, 2u, 7u, 100u, 1000u}) {
    std::vector<int> calls(count);
    auto task = [&](std::size_t i) { ++calls[i]; };
    for (int run = 0; run < 20; ++run) pool.run(count, task);
    for (const int n : calls) ASSERT_EQ(n, 20);
    EXPECT_EQ(pool.seconds().size(), count);
  }
}

TEST_P(Threads, ManyShortBatchesOfChangingSize) {
  Pool pool(GetParam());
  std::vector<long> sum(64);
  long expected = 0;
  auto task = [&](std::size_t i) { sum[i] += static_cast<long>(i) + 1; };
  for (std::size_t run = 0; run < 3000; ++run) {
    const std::size_t count = (run * 7) % 65;
    pool.run(count, task);
    expected += static_cast<long>(count * (count + 1) / 2);
  }
  EXPECT_EQ(std::accumulate(sum.begin(), sum.end(), 0L), expected);
}

TEST_P(Threads, ParkedThreadsWakeUp) {
  Pool pool(GetParam());
  int total = 0;
  std::vector<int> calls(8);
  auto task = [&](std::size_t i) { ++calls[i]; };
  for (int run = 0; run < 20; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // long enough for everybody to park
    pool.run(8, task);
    ++total;
  }
  for (const int n : calls) EXPECT_EQ(n, total);
}

TEST_P(Threads, ResultsDoNotDependOnTheThreads) {
  Pool one(1), many(GetParam());
  std::vector<double> a(50), b(50);
  auto into_a = [&](std::size_t i) { a[i] = churn(i, 100 + 10 * static_cast<int>(i)); };
  auto into_b = [&](std::size_t i) { b[i] = churn(i, 100 + 10 * static_cast<int>(i)); };
  for (int run = 0; run < 5; ++run) {
    one.run(50, into_a);
    many.run(50, into_b);
    EXPECT_EQ(a, b);
  }
}

TEST_P(Threads, TheExceptionOfTheLowestTaskArrives) {
  Pool pool(GetParam());
  std::vector<int> calls(30);
  auto task = [&](std::size_t i) {
    ++calls[i];
    if (i % 10 == 5) throw std::runtime_error("task " + std::to_string(i));
  };
  for (int run = 1; run <= 20; ++run) {
    try {
      pool.run(30, task);
      FAIL() << "no exception";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "task 5");
    }
    for (const int n : calls) ASSERT_EQ(n, run);  // the others ran nevertheless
  }
  auto harmless = [&](std::size_t i) { ++calls[i]; };
  EXPECT_NO_THROW(pool.run(30, harmless));
}

TEST_P(Threads, SteadyStateAllocatesNothing) {
  Pool pool(GetParam());
  std::vector<double> x(100), y(37);
  auto first = [&](std::size_t i) { x[i] = churn(i, 20); };
  auto second = [&](std::size_t i) { y[i] = churn(i, static_cast<int>(i)); };
  pool.run(100, first);
  pool.run(37, second);
  const std::size_t before = allocation_count();
  for (int run = 0; run < 200; ++run) {
    pool.run(100, first);
    pool.run(37, second);
  }
  EXPECT_EQ(allocation_count(), before);
}

TEST_P(Threads, TimesAreMeasured) {
  Pool pool(GetParam());
  std::atomic<double> sink{0};
  auto task = [&](std::size_t i) { sink = churn(i, i == 3 ? 20000 : 20); };
  pool.run(6, task);
  ASSERT_EQ(pool.seconds().size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_GE(pool.seconds()[i], 0);
  EXPECT_GT(pool.seconds()[3], 20e-6);
  EXPECT_GE(pool.overhead(), 0);
}

TEST_P(Threads, ATaskMustNotRunThePool) {
  Pool pool(GetParam());
  auto nothing = [](std::size_t) {};
  auto nested = [&](std::size_t) { pool.run(2, nothing); };
  EXPECT_THROW(pool.run(2, nested), Bug);
  EXPECT_NO_THROW(pool.run(2, nothing));
}

TEST(Pool, OneThreadRunsInOrderInTheCaller) {
  Pool pool(1);
  std::vector<std::size_t> order;
  auto task = [&](std::size_t i) { order.push_back(i); };
  for (int run = 0; run < 3; ++run) {
    order.clear();
    pool.run(5, task);
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
}

TEST(Pool, NeedsAThread) {
  EXPECT_THROW(Pool(0), Bug);
  EXPECT_THROW(Pool(-2), Bug);
}

TEST(Pool, ComesAndGoes) {
  std::atomic<int> calls{0};
  auto task = [&](std::size_t) { ++calls; };
  for (int n = 0; n < 50; ++n) {
    Pool idle(3);
    Pool pool(2);
    pool.run(4, task);
  }
  EXPECT_EQ(calls.load(), 200);
}

}  // namespace
/// As the map of stability does: each point has lanes, and a pool of one thread, of its own.
TEST(Pool, NumbersOfThreadsAreThoseOfThePoolThatRuns) {
  Pool outer(4);
  std::atomic<int> wrong = 0;
  auto point = [&](std::size_t) {
    const int before = Pool::this_thread();
    Pool inner(1);
    auto lane = [&](std::size_t) { wrong += Pool::this_thread() != 0; };
    inner.run(3, lane);
    wrong += Pool::this_thread() != before;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // so that all threads get some
  };
  outer.run(40, point);
  EXPECT_EQ(wrong, 0);
}

}  // namespace cosimo
