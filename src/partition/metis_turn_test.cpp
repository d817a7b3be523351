#include "numerics/metis_turn.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/adjacency.hpp"
#include "partition/assignment.hpp"

namespace cosimo {
namespace {

volatile std::sig_atomic_t told = 0;

/// SIGTERM is counted as long as this lives.
class Counted {
 public:
  Counted() {
    told = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { told = told + 1; };
    sigaction(SIGTERM, &action, &before_);
  }
  ~Counted() { sigaction(SIGTERM, &before_, nullptr); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  struct sigaction before_ {};
};

Adjacency plate() {
  return Adjacency(*make_graph(samples::lattice({.columns = 40, .rows = 40})));
}

TEST(MetisTurn, LeavesHandlersThatServeMoreThanOnce) {
  const Counted counted;
  assign_metis(plate(), 8);
  std::raise(SIGTERM);
  std::raise(SIGTERM);
  EXPECT_EQ(told, 2);
}

TEST(MetisTurn, SignalsWaitForItsEnd) {
  const Counted counted;
  const Adjacency graph = plate();
  const Assignment quiet = assign_metis(graph, 8);
  std::atomic<bool> done = false;
  // Only this thread is in METIS, and it alone gets the signals.
  std::thread teller([&done, here = pthread_self()] {
    while (!done) {
      pthread_kill(here, SIGTERM);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(assign_metis(graph, 8).part_of, quiet.part_of);
  done = true;
  teller.join();
  EXPECT_GT(told, 10);
}

}  // namespace
}  // namespace cosimo
