// What a run with cuts makes of its settings, and what it tells about that: the choices of `scheme: auto`,
// too many layers, too few layers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulation/execute.hpp"
#include "simulation/overlap_testing.hpp"

namespace cosimo::testing {
namespace {

const char* const short_run = "simulate: {end: 1.0e-4, output: 1.0e-6}";

struct Choice {
  std::string decomposition;  ///< overlap, force-force or uncut
  std::string lines;          ///< what is said, all in one text
  bool says(const std::string& text) const { return lines.find(text) != std::string::npos; }
};

Choice choice(const std::string& text, const std::vector<std::string>& settings = {}) {
  const auto assembly = assemble(config::parse_scenario(text, "test", settings));
  return {assembly->overlap                 ? "overlap"
          : assembly->subsystems.size() > 1 ? "force-force"
                                            : "uncut",
          fmt::format("{}", fmt::join(assembly->choices, "\n"))};
}

TEST(OverlapChoice, LongChainsOverlap) {
  const Choice c = choice(table_5_9(2000, 10, short_run));
  EXPECT_EQ(c.decomposition, "overlap");
  EXPECT_TRUE(c.says("scheme: auto -> explicit, overlap")) << c.lines;
  EXPECT_TRUE(c.says("% more work")) << c.lines;
}

TEST(OverlapChoice, StrongDampingIsNotCut) {
  const Choice strong = choice(damping_ratio_10(400, 4, short_run));
  EXPECT_EQ(strong.decomposition, "uncut");
  EXPECT_TRUE(strong.says("strong damping")) << strong.lines;
  EXPECT_EQ(choice(damping_ratio_10(400, 4, short_run), {"model.chain.spring.d=0.25"}).decomposition,
            "overlap");
}

TEST(OverlapChoice, TinyPartsAreNotCut) {
  const Choice c = choice(table_5_9(400, 40, short_run));
  EXPECT_EQ(c.decomposition, "uncut");
  EXPECT_TRUE(c.says("parts are too small")) << c.lines;
  EXPECT_TRUE(c.says("write scheme: explicit to cut nevertheless")) << c.lines;
}

TEST(OverlapChoice, SolversOfPartsThatAreNotMadeAreNotUsed) {
  const config::Scenario scenario =
      config::parse_scenario(table_5_9(400, 40, short_run), "test",
                             std::vector<std::string>{"solve.parts=[{parts: [1, 40], method: rk}]"});
  const Report report = execute(scenario, {});
  ASSERT_EQ(report.status, "ok") << report.outcome.reason;
  ASSERT_EQ(report.subsystems.size(), 1U);
  EXPECT_THAT(report.choices, ::testing::Contains(::testing::HasSubstr("method: auto ->")));
}

TEST(OverlapChoice, SettingsOfOneDecompositionChooseIt) {
  const std::string text = table_5_9(2000, 10, short_run), tiny = table_5_9(400, 40, short_run);
  const Choice implicit = choice(text, {"solve.method=rosenbrock"});
  EXPECT_EQ(implicit.decomposition, "force-force");
  EXPECT_TRUE(implicit.says("implicit method")) << implicit.lines;
  for (const char* classic : {"solve.method=ida", "control.estimator=exMD", "control.estimator=exCV",
                              "control.order=2", "couple.decomposition=force-force"})
    EXPECT_EQ(choice(text, {classic}).decomposition, "force-force") << classic;
  for (const char* overlap : {"couple.layers=5", "control.estimator=exOV", "couple.decomposition=overlap"})
    EXPECT_EQ(choice(tiny, {overlap}).decomposition, "overlap") << overlap;
}

TEST(OverlapChoice, SaysWhichCutsAreOneSided) {
  const Choice c = choice(multirate(short_run));
  EXPECT_EQ(c.decomposition, "overlap");
  EXPECT_TRUE(c.says("one-sided at 2 of 3 cuts")) << c.lines;
}

TEST(OverlapChoice, DescriptionTellsTheChoice) {
  const std::string cut = Scenario::parse(table_5_9(2000, 10, short_run), "test").describe();
  EXPECT_NE(cut.find("overlap, estimator exOV"), std::string::npos) << cut;
  EXPECT_NE(cut.find("scheme: auto -> explicit, overlap"), std::string::npos) << cut;
  const std::string whole = Scenario::parse(table_5_9(400, 40, short_run), "test").describe();
  EXPECT_NE(whole.find("\nuncut\n"), std::string::npos) << whole;
  EXPECT_NE(whole.find("scheme: auto -> uncut"), std::string::npos) << whole;
}

Report report(const std::string& text, const std::vector<std::string>& settings) {
  RunOptions options;
  options.threads = 2;
  return execute(config::parse_scenario(text, "test", settings), options);
}

std::string lines(const Report& r) {
  return fmt::format("{}", fmt::join(r.choices, "\n"));
}

TEST(OverlapChoice, MoreLayersThanTheModelHasCarryItWhole) {
  const std::string text = table_5_9(60, 3, short_run);
  const Report r = report(text, {"couple.layers=5000"});
  EXPECT_EQ(r.status, "ok") << r.outcome.reason;
  EXPECT_NE(lines(r).find("layers: 5000 -> all"), std::string::npos) << lines(r);
  EXPECT_TRUE(choice(text, {"couple.layers=40"}).says("-> all"));
  EXPECT_FALSE(choice(text, {"couple.layers=39"}).says("-> all"));
  // Nothing can come in from anywhere: as accurate as the uncut run.
  Bench exact(text, 1, {}, std::vector<std::string>{"partition=none", "solve.rtol=1e-12"});
  Bench whole(text, 1, {}, std::vector<std::string>{"partition=none"});
  Bench carried(text, 1, {}, std::vector<std::string>{"couple.layers=5000"});
  for (Bench* bench : {&exact, &whole, &carried}) ASSERT_EQ(bench->run().status, LoopResult::Status::ok);
  EXPECT_LT(deviation(carried.memory, exact.memory).position,
            2 * deviation(whole.memory, exact.memory).position);
}

/// A given H and given layers are used as they are, so the run must tell when that was wrong, and
/// what would have been right.
TEST(OverlapChoice, TooFewLayersForAFixedStepAreReported) {
  const std::string text = table_5_9(400, 4, "simulate: {end: 5.0e-4, output: 1.0e-5}");
  const Report bad = report(text, {"couple.layers=4", "control.step=1e-5"});
  EXPECT_EQ(bad.status, "ok") << bad.outcome.reason;
  EXPECT_GT(bad.blame.largest_error, 1e3);
  const std::string said = lines(bad);
  EXPECT_NE(said.find(fmt::format("the error at element {} was up to", bad.blame.element)), std::string::npos)
      << said;
  const std::size_t at = said.find("; about ");
  ASSERT_NE(at, std::string::npos) << said;
  const int needed = std::stoi(said.substr(at + 8));
  EXPECT_GT(needed, 4);
  EXPECT_LT(needed, 30);
  const Report good = report(text, {fmt::format("couple.layers={}", needed), "control.step=1e-5"});
  EXPECT_LE(good.blame.largest_error, 1);
  EXPECT_EQ(lines(good).find("accuracy:"), std::string::npos) << lines(good);
}

}  // namespace
}  // namespace cosimo::testing
