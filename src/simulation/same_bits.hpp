// How tests prove that two runs are the same to the last bit.
#pragma once

#include <gtest/gtest.h>

#include "simulation/testing.hpp"

namespace cosimo::testing {

struct Outcome {
  Memory memory;
  std::vector<std::int64_t> switches, micro_steps;  ///< per subsystem
};

/// `rollback_every`: take every n-th macro step back and repeat it.
inline Outcome outcome_of(const std::string& text, int threads, int rollback_every) {
  Bench bench(text, threads, {.rollback_every = rollback_every});
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  Outcome outcome;
  for (std::size_t i = 0; i < bench.lanes->size(); ++i) {
    const Integrator::Status status = bench.lanes->lane(i).status();
    outcome.switches.push_back(status.switches);
    outcome.micro_steps.push_back(status.counters.steps);
  }
  outcome.memory = std::move(bench.memory);
  return outcome;
}

inline void expect_same(const Outcome& first, const Outcome& second) {
  EXPECT_EQ(first.switches, second.switches);
  EXPECT_EQ(first.micro_steps, second.micro_steps);
  const Memory &a = first.memory, &b = second.memory;
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.layers, b.layers);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    EXPECT_EQ(a.steps[i].t, b.steps[i].t);
    EXPECT_EQ(a.steps[i].accepted, b.steps[i].accepted);
    EXPECT_EQ(a.steps[i].H, b.steps[i].H);
    EXPECT_EQ(a.steps[i].kappa, b.steps[i].kappa);
    EXPECT_EQ(a.steps[i].error, b.steps[i].error);
  }
}

}  // namespace cosimo::testing
