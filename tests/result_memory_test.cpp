// Results in memory are those of the files, column by column.
#include "cosimo/result_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

const std::string chain = R"(cosimo: 1
model:
  chain: {masses: 60, mass: 1, spring: {c: 1.0e4, d: 1, C: 1.0e6},
          initial: {x: {uniform: [-0.01, 0.01]}, v: {uniform: [-1, 1]}}, seed: 5}
simulate: {end: 0.4, output: 0.01}
partition: {parts: 3}
couple: {scheme: explicit}
control: {rtol: 1.0e-4}
)";

const std::string pole = R"(cosimo: 1
model:
  gravity: [0, -9.81]
  bodies:
    - {name: cart, kind: planar, mass: 1, inertia: 0.1}
    - {name: pole, kind: planar, mass: 0.2, inertia: 0.0167, position: [0, 0.5]}
  joints:
    - {name: rail, kind: prismatic, to: cart, at: [0, 0], axis: [1, 0]}
    - {name: hinge, kind: revolute, from: cart, to: pole, at: [0, 0]}
subsystems: [{name: balance, pid: {kp: 60, kd: 10, filter: 0.02}}]
connections:
  - {from: pole.phi, to: balance.measured}
  - {from: balance.out, to: cart.Fx}
simulate: {end: 1, output: 0.01}
)";

class Place {
 public:
  explicit Place(const char* name)
      : path(std::filesystem::temp_directory_path() / (std::string("cosimo-memory-") + name)) {
    std::filesystem::remove_all(path);
  }
  ~Place() { std::filesystem::remove_all(path); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  const std::filesystem::path path;
};

std::vector<double> copy(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

TEST(ResultMemory, HoldsWhatTheFileHolds) {
  for (const std::string& text : {chain, pole, chain + "run: {threads: 2}\n"}) {
    const Place place("file");
    ResultMemory memory;
    RunOptions options;
    options.output_dir = place.path;
    ASSERT_EQ(run(Scenario::parse(text), options, memory).status, "ok");
    const ResultFolder folder(place.path);
    ASSERT_EQ(memory.names(), folder.names());
    EXPECT_EQ(copy(memory.time()), folder.time());
    for (std::size_t i = 0; i < memory.names().size(); ++i) {
      ASSERT_EQ(copy(memory.column(i)), folder.column(i, 0, folder.rows_of(i))) << memory.names()[i];
      EXPECT_EQ(memory.index(memory.names()[i]), i);
      EXPECT_EQ(folder.index(memory.names()[i]), i);
    }
    EXPECT_EQ(memory.steps().t, folder.steps().t);
    EXPECT_EQ(memory.steps().H, folder.steps().H);
    EXPECT_EQ(memory.steps().accepted, folder.steps().accepted);
    EXPECT_EQ(memory.steps().cut, folder.steps().cut);
    EXPECT_EQ(memory.bytes(), 8 * memory.time().size() * (1 + memory.names().size()));
  }
}

TEST(ResultMemory, ComparesWithMemoryAndDisk) {
  const Place a("a"), b("b");
  ResultMemory first, second;
  RunOptions options;
  options.output_dir = a.path;
  run(Scenario::parse(chain), options, first);
  options.output_dir = b.path;
  run(Scenario::parse(chain).uncut(), options, second);
  const Comparison expected = compare(a.path, b.path);
  EXPECT_GT(expected.both, 0);
  for (const Comparison& c : {compare(first, second), compare(first, b.path), compare(a.path, second)}) {
    EXPECT_EQ(c.both, expected.both);
    EXPECT_EQ(c.worst_name, expected.worst_name);
    EXPECT_TRUE(c.same_model);
  }
}

TEST(ResultMemory, HandlesShareTheNumbers) {
  ResultMemory memory;
  run(Scenario::parse(chain), {}, memory);
  const ResultMemory other = memory;
  const auto x = other.column("7.x");
  EXPECT_EQ(x.data(), memory.column("7.x").data());
  memory = {};
  EXPECT_EQ(other.column("7.x").data(), x.data());
  EXPECT_EQ(x.size(), 41U);
}

TEST(ResultMemory, HoldsWhatAnInterruptedOrFailedRunHas) {
  for (const bool failing : {false, true}) {
    ResultMemory memory;
    RunOptions options;
    std::atomic<bool> interrupt{!failing};
    options.interrupt = &interrupt;
    const auto report =
        run(Scenario::parse(failing ? chain.substr(0, chain.size() - 2) + ", max_steps: 5}\n" : chain),
            options, memory);
    EXPECT_EQ(report.status, failing ? "failed" : "interrupted");
    ASSERT_FALSE(memory.time().empty());
    EXPECT_EQ(memory.time().back(), report.outcome.time);
    EXPECT_EQ(memory.column("60.x").size(), memory.time().size());
  }
}

TEST(ResultMemory, SaysWhatIsNotThere) {
  ResultMemory memory;
  const auto refusal = [&](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal([&] { memory.index("7.x"); }), HasSubstr("no run"));
  run(Scenario::parse(chain), {}, memory);
  EXPECT_THAT(refusal([&] { memory.column("7.xx"); }), HasSubstr("did you mean 7.x"));
  EXPECT_THAT(refusal([&] { memory.column(memory.names().size()); }), HasSubstr("fewer columns"));
  // A terabyte is refused whatever there is; these are 960 GB.
  if (static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) < 9e11) {
    const std::vector<std::string> endless = {"simulate.end=1e4", "simulate.output=1e-5"};
    EXPECT_THAT(refusal([&] { run(Scenario::parse(chain, "chain", endless), {}, memory); }),
                HasSubstr("GB of memory"));
  }
  RunOptions options;
  options.resume = true;
  EXPECT_THAT(refusal([&] { run(Scenario::parse(chain), options, memory); }), HasSubstr("resume"));
}

}  // namespace
}  // namespace cosimo
