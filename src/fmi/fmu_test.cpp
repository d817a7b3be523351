#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/error.hpp"
#include "fmi/fmu.hpp"
#include "fmi/instance.hpp"
#include "fmi/testing.hpp"

namespace cosimo {
namespace {

using testing::accurate;
using testing::Contents;
using ::testing::HasSubstr;

std::string fmu(const std::string& model) {
  return std::string(COSIMO_FMUS) + "/" + model + ".fmu";
}

struct Rig {
  std::unique_ptr<ComponentSpec> spec;
  std::unique_ptr<Component> component;
  std::unique_ptr<Lane> lane;
  explicit Rig(const FmuSettings& settings, const IntegratorOptions& options = accurate()) {
    spec = make_fmu("f", settings, options);
    component = spec->make(testing::all_connected(*spec), PartId{std::size_t{1}});
    lane = component->make_lane();
  }
  std::vector<double> outputs(double t, std::vector<double> in = {}) const {
    std::vector<PortState> y(output_count(component->ports()));
    lane->outputs(t, in, y);
    std::vector<double> values;
    for (const PortState& each : y) values.push_back(each.x);
    return values;
  }
};

Polynomial line(double value, double slope, double origin) {
  return {.degree = 1, .origin = origin, .scale = 1, .a = {value, slope}};
}

/// The other mass moves as given: x_other = 0.3 t. Classical Runge-Kutta for what one mass does.
std::array<double, 2> half_reference(double end) {
  std::array<double, 2> y{0.1, 0};
  const auto f = [](double t, const std::array<double, 2>& s) {
    return std::array{s[1], -100 * s[0] - 0.2 * s[1] + 40 * (0.3 * t - s[0]) + 0.1 * (0.3 - s[1])};
  };
  constexpr int steps = 20000;
  const double h = end / steps;
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const auto move = [&](double by, const std::array<double, 2>& d) {
      return std::array{y[0] + by * d[0], y[1] + by * d[1]};
    };
    const auto a = f(t, y), b = f(t + h / 2, move(h / 2, a)), c = f(t + h / 2, move(h / 2, b)),
               d = f(t + h, move(h, c));
    for (std::size_t i = 0; i < 2; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

std::vector<double> half_at_one(const FmuSettings& settings, int windows,
                                const IntegratorOptions& options = accurate()) {
  Rig rig(settings, options);
  for (int k = 0; k < windows; ++k) {
    const double from = static_cast<double>(k) / windows, to = static_cast<double>(k + 1) / windows;
    const std::array inputs{line(0, 0.3, 0), line(0.3, 0, 0)};
    const StepResult result = rig.lane->advance({from, to}, inputs, {});
    EXPECT_EQ(result.status, StepStatus::ok) << result.reason;
  }
  return rig.outputs(1);
}

TEST(Fmu, TakesTheCourseOfItsInputsByDerivatives) {
  const auto y = half_at_one({.file = fmu("half")}, 10);
  EXPECT_NEAR(y[0], half_reference(1)[0], 1e-9);
  EXPECT_NEAR(y[1], half_reference(1)[1], 1e-8);
}

TEST(Fmu, IsSolvedByOurIntegratorsAsModelExchange) {
  const auto y = half_at_one({.file = fmu("half"), .use = fmi::Use::model_exchange}, 10);
  EXPECT_NEAR(y[0], half_reference(1)[0], 1e-8);
  EXPECT_NEAR(y[1], half_reference(1)[1], 1e-7);
}

/// Second order in the size of the sub-steps: means are right up to their first moments.
TEST(Fmu, IsSteppedWhereItTakesConstantsOnly) {
  const TemporaryFolder folder;
  const std::string plain =
      Contents("half").replace("canInterpolateInputs=\"true\"", "").pack(folder.path() / "plain.fmu");
  const double exact = half_reference(1)[0];
  const double coarse = std::fabs(half_at_one({.file = plain, .substeps = 4}, 10)[0] - exact);
  const double fine = std::fabs(half_at_one({.file = plain, .substeps = 8}, 10)[0] - exact);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
}

/// How many derivatives of its inputs an FMU takes shows when it refuses some.
TEST(Fmu, TakesTheDerivativesThatItTakes) {
  const auto at_one = [](int mode, int substeps) {
    Rig rig({.file = fmu("half"),
             .set = {{"mode", std::vector{static_cast<double>(mode)}}},
             .substeps = substeps});
    for (int k = 0; k < 10; ++k) {
      const Polynomial square{.degree = 2, .origin = 0, .scale = 1, .a = {0, 0, 1}};
      const std::array inputs{square, line(0, 2, 0)};
      const StepResult result = rig.lane->advance({k / 10.0, (k + 1) / 10.0}, inputs, {});
      EXPECT_EQ(result.status, StepStatus::ok) << result.reason;
    }
    return rig.outputs(1)[0];
  };
  const double exact = at_one(0, 1);
  for (const int mode : {18, 19}) {
    const double coarse = std::fabs(at_one(mode, 4) - exact), fine = std::fabs(at_one(mode, 8) - exact);
    EXPECT_GT(fine, 1e-9) << mode;
    EXPECT_LT(coarse, 1e-3) << mode;
    EXPECT_NEAR(coarse / fine, 4, 0.6) << mode;
  }
}

FmuValue mode(int number) {
  return {"mode", std::vector{static_cast<double>(number)}};
}

/// An FMU of FMI 3.0 may come back before the end of a step: it is sent on.
TEST(Fmu, MayReturnEarly) {
  const auto whole = half_at_one({.file = fmu("half3")}, 10);
  const auto pieces = half_at_one({.file = fmu("half3"), .set = {mode(11)}}, 10);
  EXPECT_NEAR(pieces[0], half_reference(1)[0], 1e-8);
  EXPECT_NEAR(pieces[1], half_reference(1)[1], 1e-7);
  EXPECT_NE(pieces, whole) << "it has not returned early";
}

/// With event mode an early return is an event: the step ends there for everybody, and outputs jump.
TEST(Fmu, EndsAStepWhereItHasAnEvent) {
  const TemporaryFolder folder;
  const std::string file =
      Contents("half3")
          .replace("providesIntermediateUpdate", "hasEventMode=\"true\" providesIntermediateUpdate")
          .pack(folder.path() / "events.fmu");
  Rig rig({.file = file, .set = {mode(12)}});
  EXPECT_TRUE(rig.component->ends_early());
  const std::array inputs{line(0, 0, 0), line(0, 0, 0)};
  ASSERT_EQ(rig.lane->advance({0, 0.3}, inputs, {}).status, StepStatus::ok);
  const auto memory = rig.lane->make_snapshot();
  rig.lane->save(*memory);
  std::vector<double> first;
  for (int round = 0; round < 2; ++round) {
    const StepResult result = rig.lane->advance({0.3, 1}, inputs, {});
    ASSERT_EQ(result.status, StepStatus::early) << result.reason;
    EXPECT_EQ(result.reached, 0.35);
    rig.lane->restore(*memory);
    ASSERT_EQ(rig.lane->advance({0.3, 0.35}, inputs, {}).status, StepStatus::ok);
    const auto before = rig.outputs(0.35);
    EXPECT_TRUE(rig.lane->fire(false));
    const auto after = rig.outputs(0.35);
    EXPECT_EQ(after[0], before[0]);
    EXPECT_NEAR(after[1], before[1] + 1, 1e-15);
    ASSERT_EQ(rig.lane->advance({0.35, 1}, inputs, {}).status, StepStatus::ok);
    if (round == 0) first = rig.outputs(1);
    EXPECT_EQ(rig.outputs(1), first) << "going back to before the event leaves a trace";
    rig.lane->restore(*memory);
  }
}

/// Implicit solvers ask for them where they are offered, and take differences where not.
TEST(Fmu, IsAskedForItsDirectionalDerivatives) {
  const TemporaryFolder folder;
  Contents counting("half");
  counting
      .replace("</ModelVariables>",
               "<ScalarVariable name=\"asked\" valueReference=\"503\" causality=\"output\" "
               "variability=\"discrete\"><Integer/></ScalarVariable></ModelVariables>")
      .replace("</Outputs>", "<Unknown index=\"15\" dependencies=\"\"/></Outputs>");
  const std::string offered = counting.pack(folder.path() / "offered.fmu");
  const std::string not_offered =
      counting.replace("providesDirectionalDerivative=\"true\"", "").pack(folder.path() / "none.fmu");
  IntegratorOptions implicit = accurate();
  implicit.method = Method::rosenbrock;
  const auto exact = half_at_one({.file = offered, .use = fmi::Use::model_exchange}, 10, implicit);
  const auto differences = half_at_one({.file = not_offered, .use = fmi::Use::model_exchange}, 10, implicit);
  EXPECT_GT(exact[2], 0);
  EXPECT_EQ(differences[2], 0);
  for (const auto& y : {exact, differences}) EXPECT_NEAR(y[0], half_reference(1)[0], 1e-7);
}

class RollBack : public ::testing::TestWithParam<fmi::Use> {};

TEST_P(RollBack, LeavesNoTrace) {
  Rig rig({.file = fmu("half"), .use = GetParam()});
  const std::array inputs{line(0, 0.3, 0), line(0.3, 0, 0)};
  const std::array others{line(1, -2, 0), line(-2, 0, 0)};
  ASSERT_EQ(rig.lane->advance({0, 0.1}, inputs, {}).status, StepStatus::ok);
  auto memory = rig.lane->make_snapshot();
  rig.lane->save(*memory);
  ASSERT_EQ(rig.lane->advance({0.1, 0.2}, inputs, {}).status, StepStatus::ok);
  const auto wanted = rig.outputs(0.2);
  // Another lane starts from the same state meanwhile.
  const auto beside = rig.component->make_lane();
  beside->restore(*memory);
  ASSERT_EQ(beside->advance({0.1, 0.3}, others, {}).status, StepStatus::ok);
  EXPECT_EQ(rig.outputs(0.2), wanted) << "lanes do not see each other";
  rig.lane->restore(*memory);
  ASSERT_EQ(rig.lane->advance({0.1, 0.25}, others, {}).status, StepStatus::ok);
  rig.lane->restore(*memory);
  ASSERT_EQ(rig.lane->advance({0.1, 0.2}, inputs, {}).status, StepStatus::ok);
  EXPECT_EQ(rig.outputs(0.2), wanted);
}

TEST_P(RollBack, ThroughBytesAsWell) {
  Rig rig({.file = fmu("half"), .use = GetParam()});
  const std::array inputs{line(0, 0.3, 0), line(0.3, 0, 0)};
  ASSERT_EQ(rig.lane->advance({0, 0.1}, inputs, {}).status, StepStatus::ok);
  Archive out;
  rig.lane->archive(out);
  const std::vector<std::byte> bytes = out.take();
  ASSERT_EQ(rig.lane->advance({0.1, 0.2}, inputs, {}).status, StepStatus::ok);
  Rig other({.file = fmu("half"), .use = GetParam()});
  Archive in(bytes);
  other.lane->archive(in);
  in.finish();
  ASSERT_EQ(other.lane->advance({0.1, 0.2}, inputs, {}).status, StepStatus::ok);
  EXPECT_EQ(other.outputs(0.2), rig.outputs(0.2));
}
INSTANTIATE_TEST_SUITE_P(Uses, RollBack, ::testing::Values(fmi::Use::cosimulation, fmi::Use::model_exchange));

/// Impacts at sqrt(2 h / g) and then after 2 v / g each.
TEST(Fmu, BouncesAtTheRightTimes) {
  Rig rig({.file = fmu("ball"), .use = fmi::Use::model_exchange});
  double next = std::sqrt(2 / 9.81), speed = 9.81 * next, t = 0;
  const auto memory = rig.lane->make_snapshot();
  for (int bounce = 1; bounce <= 4; ++bounce) {
    const StepResult result = rig.lane->advance({t, 5}, {}, {});
    ASSERT_EQ(result.status, StepStatus::early) << result.reason;
    EXPECT_NEAR(result.reached, next, 1e-8) << bounce;
    // Looking ahead and going back changes nothing.
    rig.lane->save(*memory);
    EXPECT_TRUE(rig.lane->fire(true));
    rig.lane->restore(*memory);
    EXPECT_EQ(rig.outputs(result.reached)[2], bounce - 1);
    EXPECT_TRUE(rig.lane->fire(true));
    speed *= 0.7;
    const auto y = rig.outputs(result.reached);
    EXPECT_NEAR(y[1], speed, 1e-7);
    EXPECT_EQ(y[2], bounce);
    t = result.reached;
    next += 2 * speed / 9.81;
  }
}

/// Ticks at multiples of 0.25; the rate of the state is factor * ticks.
TEST(Fmu, HasTimeEventsAndInputsThatAreHeld) {
  Rig rig({.file = fmu("clockwork"), .use = fmi::Use::model_exchange});
  double t = 0;
  const auto go = [&](double to, double factor) {
    for (int rounds = 0; t < to && rounds < 100; ++rounds) {
      const std::array inputs{Polynomial{.degree = 0, .origin = 0, .scale = 1, .a = {factor}}};
      const StepResult result = rig.lane->advance({t, to}, inputs, {});
      ASSERT_NE(result.status, StepStatus::failed) << result.reason;
      t = result.reached;
      rig.lane->fire(result.status == StepStatus::early);
    }
  };
  go(0.6, 1);
  const auto y = rig.outputs(0.6);
  EXPECT_EQ(y[0], 2);
  EXPECT_NEAR(y[1], 0.25 * 1 + 0.1 * 2, 1e-9);
  go(0.7, 3);
  EXPECT_NEAR(rig.outputs(0.7)[1], 0.45 + 0.1 * 2 * 3, 1e-9);
}

TEST(Fmu, FeedsThroughWhatItSays) {
  for (const auto use : {fmi::Use::cosimulation, fmi::Use::model_exchange}) {
    Rig rig({.file = fmu("gain"), .use = use, .set = {{"a", std::vector{3.0}}, {"b", std::vector{1.0}}}});
    EXPECT_TRUE(rig.spec->feeds(0, 0));
    EXPECT_TRUE(rig.component->feeds());
    EXPECT_EQ(rig.outputs(0, {2.0}), std::vector{7.0});
    EXPECT_EQ(rig.outputs(0, {-1.0}), std::vector{-2.0});
  }
  EXPECT_FALSE(make_fmu("f", {.file = fmu("half")}, accurate())->feeds(0, 0));
}

/// Tools say that they are needed where their FMUs do very well alone.
TEST(Fmu, IsTriedEvenIfItSaysThatItNeedsItsTool) {
  const TemporaryFolder folder;
  const std::string file = Contents("half")
                               .replace("<CoSimulation", "<CoSimulation needsExecutionTool=\"true\"")
                               .pack(folder.path() / "needy.fmu");
  EXPECT_EQ(half_at_one({.file = file}, 10), half_at_one({.file = fmu("half")}, 10));
}

/// XML allows blanks around a number.
TEST(Fmu, ReadsNumbersWithBlanks) {
  const TemporaryFolder folder;
  const std::string file =
      Contents("gain").replace("start=\"1\"", "start=\" 1 \"").pack(folder.path() / "blanks.fmu");
  EXPECT_EQ(fmi::open_fmu(file, {})->description.variables[0].start, std::vector{1.0});
  EXPECT_EQ(fmi::parse_real("\t-1.5e+2 "), -150);
  EXPECT_EQ(fmi::parse_real("1 2"), std::nullopt);
  EXPECT_EQ(fmi::parse_real("  "), std::nullopt);
}

TEST(Fmu, RoundsToWhatTheTypeHas) {
  EXPECT_EQ(fmi::rounded<std::int8_t>(-200), -128);
  EXPECT_EQ(fmi::rounded<std::int8_t>(127.4), 127);
  EXPECT_EQ(fmi::rounded<std::uint8_t>(-0.6), 0);
  EXPECT_EQ(fmi::rounded<std::uint64_t>(1e30), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(fmi::rounded<std::int64_t>(9.3e18), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(fmi::rounded<std::int32_t>(std::nan("")), 0);
  EXPECT_EQ(fmi::rounded<std::int32_t>(2.5), 2);
}

struct Mood {
  int mode;
  StepStatus status;
  const char* reason;
};
class Moods : public ::testing::TestWithParam<Mood> {};
TEST_P(Moods, BecomeAResult) {
  Rig rig({.file = fmu("half"), .set = {{"mode", std::vector{static_cast<double>(GetParam().mode)}}}});
  const std::array inputs{line(0, 0, 0), line(0, 0, 0)};
  ASSERT_EQ(rig.lane->advance({0, 0.5}, inputs, {}).status, StepStatus::ok);
  const StepResult result = rig.lane->advance({0.5, 1}, inputs, {});
  EXPECT_EQ(result.status, GetParam().status);
  EXPECT_THAT(std::string(result.reason), HasSubstr(GetParam().reason));
  EXPECT_THAT(std::string(result.reason), HasSubstr("in a bad mood at t = 0.5"));
}
INSTANTIATE_TEST_SUITE_P(All, Moods,
                         ::testing::Values(Mood{2, StepStatus::discard, "discards the step"},
                                           Mood{3, StepStatus::failed, "reports an error"},
                                           Mood{4, StepStatus::failed, "reports a fatal error"}));

TEST(Fmu, SaysWhatItLacks) {
  const TemporaryFolder folder;
  Contents poor("half");
  for (int k = 0; k < 2; ++k) poor.replace("canGetAndSetFMUstate=\"true\"", "canGetAndSetFMUstate=\"false\"");
  const std::string file = poor.pack(folder.path() / "poor.fmu");
  const Capabilities can = make_fmu("f", {.file = file}, accurate())->capabilities();
  EXPECT_FALSE(can.goes_back);
  EXPECT_FALSE(can.archives);
  EXPECT_TRUE(
      make_fmu("f", {.file = file, .use = fmi::Use::model_exchange}, accurate())->capabilities().goes_back)
      << "equations without events are all there is of it";
}

}  // namespace
}  // namespace cosimo
