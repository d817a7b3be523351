// Runs with overlaps: the same bits for any number of threads, and no trace of a step taken back.
#include <gtest/gtest.h>

#include <ostream>

#include "simulation/overlap_testing.hpp"
#include "simulation/same_bits.hpp"

namespace cosimo::testing {
namespace {

struct Case {
  const char* name;
  std::string text;
  bool one_sided = false;  ///< some cuts must be
  bool switches = false;   ///< some subsystem must have changed its method
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

std::string with(const std::string& simulate, const std::string& couple, const std::string& rest = "") {
  return fmt::format("simulate: {{{}}}\ncouple: {{decomposition: overlap{}}}\n{}", simulate, couple, rest);
}

const Case cases[] = {
    {"ViolentStart", table_5_9(203, 7, with("end: 6.0e-5, output: 7.0e-7", ""))},
    {"EveryMacroPoint", table_5_9(203, 7, with("end: 3.0e-4, output: macro", "", "control: {rtol: 1.0e-3}"))},
    {"Impulses", impulses(203, 7, with("end: 2.0e-4, output: 7.0e-6", ""))},
    {"FixedStep", table_5_9(203, 7, with("end: 1.0e-4, output: 7.0e-7", "", "control: {step: 3.0e-6}"))},
    {"FixedLayers", table_5_9(203, 7, with("end: 1.0e-4, output: 7.0e-7", ", layers: 9"))},
    {"FixedBoth",
     table_5_9(203, 7, with("end: 1.0e-4, output: 7.0e-7", ", layers: 9", "control: {step: 3.0e-6}"))},
    {"ThinParts", table_5_9(120, 30, with("end: 5.0e-5, output: 7.0e-7", ""))},
    {"OneSidedContacts", multirate(with("end: 1.0e-4, output: 3.0e-6", "")), true},
    {"OneSidedMassJumps", section_5_4(false, with("end: 1.0e-3, output: 3.0e-5", "")), true},
    {"Switching", damping_ratio_10(200, 4, with("end: 5.0e-5, output: 7.0e-7", "")), false, true},
};

class OverlapSameBits : public ::testing::TestWithParam<Case> {};

void expect_case(const Case& c, const Outcome& outcome) {
  ASSERT_GT(outcome.memory.accepted(), 10u);
  EXPECT_GT(*std::max_element(outcome.memory.layers.begin(), outcome.memory.layers.end()), 1);
  if (c.one_sided) {
    const auto assembly = assemble(config::parse_scenario(c.text, "test"));
    const auto& carriers = assembly->overlap->carriers;
    EXPECT_TRUE(std::any_of(carriers.begin(), carriers.end(), [](Carrier k) { return k != Carrier::both; }));
  }
  if (c.switches) {
    EXPECT_GT(*std::max_element(outcome.switches.begin(), outcome.switches.end()), 0);
  }
}

TEST_P(OverlapSameBits, OneTwoAndThreeThreadsAgree) {
  const Outcome one = outcome_of(GetParam().text, 1, 0);
  expect_case(GetParam(), one);
  expect_same(one, outcome_of(GetParam().text, 2, 0));
  expect_same(one, outcome_of(GetParam().text, 3, 0));
}

TEST_P(OverlapSameBits, EveryFifthStepTakenBackAndRepeatedLeavesNoTrace) {
  expect_same(outcome_of(GetParam().text, 2, 0), outcome_of(GetParam().text, 2, 5));
}

INSTANTIATE_TEST_SUITE_P(Runs, OverlapSameBits, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace cosimo::testing
