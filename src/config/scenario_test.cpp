#include "config/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const shortest = R"(cosimo: 1
model:
  chain: {masses: 10000, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5},
          initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}, seed: 7}
simulate: {end: 1.0e-3, output: 1.0e-5}
partition: {parts: 20}
)";

const char* const everything = R"(cosimo: 1
model:
  chain:
    masses: 6
    mass: [1, 2, 3, 4, 5, 6.5]
    spring:
      c: {half_sine: {base: 100, factor: 2, period: 3}}
      d: {ramp: [0, 1]}
      C: {blocks: [{count: 3, value: 1}, {count: 4, value: -2}]}
      D: 0.125
      ex: 2.5
      ev: 1.5
    initial: {x: {uniform: [-1, 1]}, v: 3}
    ends: [free, fixed]
    seed: 42
    loads:
      - harmonic: {bodies: [2, 1], amplitude: [1, 2], omega: 3, phase: 0.5, sign: alternating}
      - contact: {bodies: {fraction: 0.5}, A: 1, B: 2, sign: random}
      - impulse: {bodies: {beside_cuts_of: 3}, amplitude: 5, start: [0.1, 0.2], duration: 0.01, steepness: 1e-3}
      - impulse: {bodies: all, amplitude: 5, start: 0.3, duration: 0.01, steepness: 1e-3}
      - powersine: {bodies: all, amplitude: 1, omega: {uniform: [1, 2]}, exponent: 7}
simulate: {end: 1, output: macro, record: [3, 4], local_error: true}
partition: {cuts: [3, 5]}
couple: {scheme: explicit, sequence: jacobi, decomposition: force-force, update: consistent, predictor: {least-squares: 8}}
control: {step: 1e-3, estimator: exLE, rtol: 1e-5, atol_pos: 1e-8, atol_vel: 1e-6, atol_u: 1, safety: 2, r_min: 0.75,
          r_max: 1.25, dead_zone: false, first_step: 1e-6, min_step: 1e-9, max_step: 0.1, max_steps: 1e6, order: 2}
solve:
  method: ida
  linear: klu
  rtol: 1e-7
  atol_pos: 1e-10
  atol_vel: 1e-7
  stop: exact
  max_step: 0.5
  parts:
    - {parts: [1, 3], method: rosenbrock, linear: structured, atol_pos: auto}
    - {parts: [2], stop: adjusted, max_step: none}
run: {threads: 3, progress: off}
)";

Scenario parse(std::string_view text, const std::vector<std::string>& overrides = {}) {
  return parse_scenario(text, "scenario", overrides);
}

std::vector<Fault> faults_of(std::string_view text, const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const Error& error) {
    return error.faults();
  }
  return {};
}

TEST(Scenario, ShortestFileGetsGoodDefaults) {
  const Scenario s = parse(shortest);
  EXPECT_EQ(s.file, "scenario");
  EXPECT_EQ(s.chain.masses, 10000);
  EXPECT_EQ(std::get<double>(s.chain.C), 1e10);
  EXPECT_EQ(std::get<Uniform>(s.chain.v).low, -100);
  EXPECT_EQ(s.chain.seed, 7U);
  EXPECT_EQ(s.simulate.output, 1e-5);
  EXPECT_TRUE(s.partition.given);
  EXPECT_EQ(s.partition.parts, 20);
  EXPECT_EQ(s.partition.method, CutMethod::equal);
  EXPECT_FALSE(s.couple.decomposition) << "the run chooses";
  EXPECT_FALSE(s.control.estimator);
  EXPECT_FALSE(s.control.step);
}

TEST(Scenario, DefaultsOfTheTableAreThoseOfTheStructs) {
  const Scenario s =
      parse("{cosimo: 1, model: {chain: {masses: 1, mass: 1, spring: {c: 0}}}, simulate: {end: 1}}");
  const Chain chain;
  EXPECT_EQ(std::get<double>(s.chain.d), std::get<double>(chain.d));
  EXPECT_EQ(std::get<double>(s.chain.C), std::get<double>(chain.C));
  EXPECT_EQ(std::get<double>(s.chain.D), std::get<double>(chain.D));
  EXPECT_EQ(s.chain.ex, chain.ex);
  EXPECT_EQ(s.chain.ev, chain.ev);
  EXPECT_EQ(std::get<double>(s.chain.x), std::get<double>(chain.x));
  EXPECT_EQ(s.chain.ends, chain.ends);
  EXPECT_EQ(s.chain.seed, chain.seed);
  EXPECT_FALSE(s.simulate.output);
  EXPECT_EQ(s.simulate.record, Simulate{}.record);
  EXPECT_EQ(s.simulate.local_error, Simulate{}.local_error);
  EXPECT_FALSE(s.partition.given);
  EXPECT_EQ(s.couple.scheme, Couple{}.scheme);
  EXPECT_EQ(s.couple.sequence, Couple{}.sequence);
  EXPECT_EQ(s.couple.decomposition, Couple{}.decomposition);
  EXPECT_EQ(s.couple.layers, Couple{}.layers);
  EXPECT_EQ(s.couple.update, Couple{}.update);
  EXPECT_EQ(s.couple.least_squares, 0);
  const Control control;
  EXPECT_EQ(s.control.rtol, control.rtol);
  EXPECT_FALSE(s.control.atol_pos || s.control.atol_vel || s.control.atol_u);
  EXPECT_EQ(s.control.safety, control.safety);
  EXPECT_EQ(s.control.r_min, control.r_min);
  EXPECT_EQ(s.control.r_max, control.r_max);
  EXPECT_EQ(s.control.dead_zone, control.dead_zone);
  EXPECT_FALSE(s.control.first_step || s.control.min_step || s.control.max_step);
  EXPECT_EQ(s.control.max_steps, control.max_steps);
  for (const Control& order : {s.control, parse(shortest, {"couple.scheme=explicit"}).control}) {
    EXPECT_FALSE(order.order);
    EXPECT_EQ(order.order_max, control.order_max);
    EXPECT_EQ(order.strategy, control.strategy);
  }
  const Solve solve;
  EXPECT_EQ(s.solve.method, solve.method);
  EXPECT_EQ(s.solve.linear, solve.linear);
  EXPECT_EQ(s.solve.rtol, solve.rtol);
  EXPECT_FALSE(s.solve.atol_pos || s.solve.atol_vel);
  EXPECT_EQ(s.solve.stop, solve.stop);
  EXPECT_EQ(s.solve.max_step, solve.max_step);
  EXPECT_TRUE(s.solve_overrides.empty());
  EXPECT_FALSE(s.run.threads);
  EXPECT_EQ(s.run.progress, config::Run{}.progress);
}

void expect_everything(const Scenario& s) {
  EXPECT_THAT(std::get<std::vector<double>>(s.chain.mass), ElementsAre(1, 2, 3, 4, 5, 6.5));
  EXPECT_EQ(std::get<HalfSine>(s.chain.c).period, 3);
  EXPECT_EQ(std::get<HalfSine>(s.chain.c).factor, 2);
  EXPECT_EQ(std::get<Ramp>(s.chain.d).last, 1);
  EXPECT_EQ(std::get<std::vector<Block>>(s.chain.C).at(1).count, 4);
  EXPECT_EQ(std::get<std::vector<Block>>(s.chain.C).at(1).value, -2);
  EXPECT_EQ(std::get<double>(s.chain.D), 0.125);
  EXPECT_EQ(s.chain.ex, 2.5);
  EXPECT_EQ(s.chain.ev, 1.5);
  EXPECT_THAT(s.chain.ends, ElementsAre(End::free, End::fixed));
  EXPECT_EQ(s.chain.seed, 42U);
  ASSERT_EQ(s.chain.loads.size(), 5U);
  const auto& loads = s.chain.loads;
  const auto& harmonic = std::get<HarmonicSpec>(loads[0].kind);
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(loads[0].bodies), ElementsAre(2, 1));
  EXPECT_THAT(std::get<std::vector<double>>(harmonic.amplitude), ElementsAre(1, 2));
  EXPECT_EQ(std::get<double>(harmonic.phase), 0.5);
  EXPECT_EQ(loads[0].sign, Sign::alternating);
  EXPECT_EQ(std::get<FractionOfBodies>(loads[1].bodies).fraction, 0.5);
  EXPECT_EQ(std::get<double>(std::get<ContactSpec>(loads[1].kind).B), 2);
  EXPECT_EQ(std::get<BesideCutsOf>(loads[2].bodies).parts, 3);
  EXPECT_THAT(std::get<ImpulseSpec>(loads[2].kind).start, ElementsAre(0.1, 0.2));
  const auto& impulse = std::get<ImpulseSpec>(loads[3].kind);
  EXPECT_THAT(impulse.start, ElementsAre(0.3));
  EXPECT_EQ(impulse.duration, 0.01);
  EXPECT_EQ(impulse.steepness, 1e-3);
  const auto& powersine = std::get<PowerSineSpec>(loads[4].kind);
  EXPECT_EQ(powersine.exponent, 7);
  EXPECT_EQ(std::get<Uniform>(powersine.omega).high, 2);

  EXPECT_FALSE(s.simulate.output);
  EXPECT_EQ(s.simulate.record, Record::list);
  EXPECT_THAT(s.simulate.record_bodies, ElementsAre(3, 4));
  EXPECT_TRUE(s.simulate.local_error);
  EXPECT_EQ(s.partition.method, CutMethod::manual);
  EXPECT_EQ(s.partition.parts, 3);
  EXPECT_THAT(s.partition.cuts, ElementsAre(3, 5));
  EXPECT_EQ(s.couple.scheme, SchemeKind::explicit_);
  EXPECT_EQ(s.couple.least_squares, 8);
}

void expect_settings(const Scenario& s) {
  EXPECT_EQ(s.control.step, 1e-3);
  EXPECT_EQ(s.control.estimator, Estimator::exLE);
  EXPECT_EQ(s.control.rtol, 1e-5);
  EXPECT_EQ(s.control.atol_pos, 1e-8);
  EXPECT_EQ(s.control.atol_vel, 1e-6);
  EXPECT_EQ(s.control.atol_u, 1);
  EXPECT_EQ(s.control.safety, 2);
  EXPECT_EQ(s.control.r_min, 0.75);
  EXPECT_EQ(s.control.r_max, 1.25);
  EXPECT_FALSE(s.control.dead_zone);
  EXPECT_EQ(s.control.first_step, 1e-6);
  EXPECT_EQ(s.control.min_step, 1e-9);
  EXPECT_EQ(s.control.max_step, 0.1);
  EXPECT_EQ(s.control.max_steps, 1000000);
  EXPECT_EQ(s.control.order, 2);
  EXPECT_EQ(s.solve.method, Method::ida);
  EXPECT_EQ(s.solve.linear, Linear::klu);
  EXPECT_EQ(s.solve.rtol, 1e-7);
  EXPECT_EQ(s.solve.stop, Stop::exact);
  EXPECT_EQ(s.solve.max_step, 0.5);
  ASSERT_EQ(s.solve_overrides.size(), 2U);
  EXPECT_THAT(s.solve_overrides[0].parts, ElementsAre(1, 3));
  EXPECT_EQ(s.solve_overrides[0].solve.method, Method::rosenbrock);
  EXPECT_EQ(s.solve_overrides[0].solve.linear, Linear::structured);
  EXPECT_EQ(s.solve_overrides[0].solve.rtol, 1e-7) << "from the common settings";
  EXPECT_FALSE(s.solve_overrides[0].solve.atol_pos);
  EXPECT_EQ(s.solve_overrides[0].solve.atol_vel, 1e-7);
  EXPECT_EQ(s.solve_overrides[1].solve.stop, Stop::adjusted);
  EXPECT_EQ(s.solve_overrides[1].solve.max_step, std::numeric_limits<double>::infinity());
  EXPECT_EQ(s.run.threads, 3);
  EXPECT_EQ(s.run.progress, Progress::off);
}

TEST(Scenario, ReadsEveryKey) {
  const Scenario s = parse(everything);
  expect_everything(s);
  expect_settings(s);
}

TEST(Scenario, OddNamesOutliveTheEffectiveText) {
  const Scenario s = parse(
      "cosimo: 1\nmodel:\n  bodies: [{name: \"a\\n \\\"b\\\" \\\\ c\", kind: point, mass: 1}]\nsimulate: "
      "{end: 1, output: 0.1}\n");
  EXPECT_THAT(s.effective, HasSubstr("name: \"a\\n \\\"b\\\" \\\\ c\"\n"));
  EXPECT_EQ(parse(s.effective).effective, s.effective);
}

TEST(Scenario, EffectiveFileGivesTheSameScenario) {
  const Scenario s = parse(parse(everything).effective);
  expect_everything(s);
  expect_settings(s);
  for (const char* text : {shortest, everything}) {
    const std::string effective = parse(text).effective;
    EXPECT_EQ(parse(effective).effective, effective);
  }
}

TEST(Scenario, EffectiveFileKeepsLongListsToTheBit) {
  std::string masses;
  for (int i = 0; i < 2000; ++i) masses += (i > 0 ? ", " : "") + std::to_string(1.0 + 1.0 / (i + 3.0));
  const std::string text = "{cosimo: 1, model: {chain: {masses: 2000, mass: [" + masses +
                           "], spring: {c: 1}}}, simulate: {end: 1}}";
  const Scenario first = parse(text);
  const Scenario second = parse(first.effective);
  EXPECT_EQ(std::get<std::vector<double>>(first.chain.mass),
            std::get<std::vector<double>>(second.chain.mass));
}

TEST(Scenario, EffectiveFileShowsDefaultsAndWhatFollows) {
  const std::string effective = parse(shortest, {"partition=none", "control.step=1e-6"}).effective;
  EXPECT_THAT(effective, HasSubstr("partition: none\n"));
  EXPECT_THAT(effective, HasSubstr("\n  # decomposition: chosen with"));
  EXPECT_THAT(effective,
              HasSubstr("\n  step: 1.0e-06\n  estimator: none\n  # rtol: a tenth of `solve.rtol` with"));
  EXPECT_THAT(effective, HasSubstr("\n  threads: auto\n"));
}

TEST(Scenario, EffectiveFileShowsWhatTheDecompositionMeans) {
  const std::string classic = parse(shortest, {"couple.scheme=explicit"}).effective;
  EXPECT_THAT(classic, HasSubstr("\n  decomposition: force-force\n"));
  EXPECT_THAT(classic, HasSubstr("\n  estimator: exCV\n  rtol: 1.0e-04\n"));
  EXPECT_THAT(classic, HasSubstr("\n  order:\n    max: 5\n    strategy: standard\n"));
  EXPECT_THAT(classic, Not(HasSubstr("layers")));
  const std::string overlap =
      parse(shortest, {"couple.decomposition=overlap", "solve.rtol=3.0e-7"}).effective;
  EXPECT_THAT(overlap, HasSubstr("\n  decomposition: overlap\n  layers: auto\n"));
  EXPECT_THAT(overlap, HasSubstr("\n  estimator: exOV\n  rtol: 3.0e-08\n"));
  EXPECT_THAT(overlap, Not(HasSubstr("order")));
}

TEST(Scenario, OverridesReplaceMakeAndRemove) {
  EXPECT_EQ(parse(shortest, {"control.rtol=1e-5"}).control.rtol, 1e-5);
  EXPECT_FALSE(parse(shortest, {"partition=none"}).partition.given);
  EXPECT_FALSE(parse(shortest, {"partition=null"}).partition.given);
  EXPECT_EQ(parse(shortest, {"partition=null", "partition.parts=4"}).partition.parts, 4);
  EXPECT_EQ(parse(shortest, {"partition.parts=auto"}).partition.parts, 0);
  const Scenario faster = parse(everything, {"model.chain.loads.1.harmonic.omega=9"});
  EXPECT_EQ(std::get<double>(std::get<HarmonicSpec>(faster.chain.loads[0].kind).omega), 9);
}

TEST(Scenario, FaultsOfOverridesNameTheSetting) {
  const auto faults = faults_of(shortest, {"control.rtol=-1", "control.rtoll=3"});
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].file, "--set control.rtoll=3");
  EXPECT_THAT(faults[0].remedy, HasSubstr("`rtol`"));
  EXPECT_EQ(faults[1].file, "--set control.rtol=-1");
  EXPECT_EQ(faults[1].field, "control.rtol");
  EXPECT_EQ(faults[1].value, "-1");
  EXPECT_EQ(faults[1].line, 0);
}

TEST(Scenario, AllFaultsAreReportedInTheOrderOfTheFile) {
  const auto faults = faults_of(R"(cosimo: 1
model:
  chain:
    masses: 4
    mass: [1, -1]
    spring: {c: 1, k: 2}
simulate: {end: 1 kg, output: often}
partition: {parts: 5}
)");
  std::vector<std::string> fields;
  for (const Fault& fault : faults) fields.push_back(fault.field);
  EXPECT_THAT(fields, ElementsAre("model.chain.mass", "model.chain.mass.2", "model.chain.spring.k",
                                  "simulate.end", "simulate.output", "partition.parts"));
}

TEST(Scenario, EndlessFaultsAreCutOff) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const auto faults = faults_of(text);
  EXPECT_EQ(faults.size(), 51U);
  EXPECT_THAT(faults.back().problem, HasSubstr("more faults"));
}

TEST(Scenario, MethodOfSomePartsMustSuitTheCommonStop) {
  const auto faults = faults_of(everything, {"control.estimator=none", "solve.stop={limit: 3}"});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].field, "solve.parts.1.method");
  const Scenario s =
      parse(everything, {"control.estimator=none", "solve.stop={limit: 3}", "solve.parts.1.method=ida"});
  EXPECT_EQ(s.solve.stop, Stop::limit);
  EXPECT_EQ(s.solve.limit, 3);
}

class ScenarioFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("cosimo_config_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "quickstart.yaml") << shortest;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Fault refused(const std::string& name) {
    try {
      load_scenario(folder_ / name);
    } catch (const Error& error) {
      return error.faults().front();
    }
    return {};
  }

  std::filesystem::path folder_;
};

TEST_F(ScenarioFile, IsReadAndNamed) {
  const auto file = folder_ / "quickstart.yaml";
  EXPECT_EQ(load_scenario(file).file, file.string());
}

TEST_F(ScenarioFile, MissingFileSuggestsASimilarOne) {
  EXPECT_THAT(refused("quikstart.yaml").remedy, HasSubstr("quickstart.yaml"));
  EXPECT_THAT(refused("nowhere/quickstart.yaml").problem, HasSubstr("no such file"));
}

TEST_F(ScenarioFile, UnreadableFileSaysWhy) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  std::filesystem::permissions(folder_ / "quickstart.yaml", std::filesystem::perms::none);
  EXPECT_THAT(refused("quickstart.yaml").problem, HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace cosimo::config
