// The functions of exported FMUs, called as an importer calls them, against the native run: the same bits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cosimo/fmu.hpp"
#include "cosimo/simulation.hpp"
#include "exporting/manifest.hpp"
#include "exporting/resources.hpp"
#include "fmi/fmi2_types.hpp"
#include "fmi/fmi3_types.hpp"
#include "fmi/unpack.hpp"
#include "tests/support/temporary_folder.hpp"

extern "C" {
fmi2InstantiateTYPE fmi2Instantiate;
fmi2FreeInstanceTYPE fmi2FreeInstance;
fmi2SetupExperimentTYPE fmi2SetupExperiment;
fmi2EnterInitializationModeTYPE fmi2EnterInitializationMode;
fmi2ExitInitializationModeTYPE fmi2ExitInitializationMode;
fmi2TerminateTYPE fmi2Terminate;
fmi2ResetTYPE fmi2Reset;
fmi2GetRealTYPE fmi2GetReal;
fmi2SetRealTYPE fmi2SetReal;
fmi2GetFMUstateTYPE fmi2GetFMUstate;
fmi2SetFMUstateTYPE fmi2SetFMUstate;
fmi2FreeFMUstateTYPE fmi2FreeFMUstate;
fmi2SerializedFMUstateSizeTYPE fmi2SerializedFMUstateSize;
fmi2SerializeFMUstateTYPE fmi2SerializeFMUstate;
fmi2DeSerializeFMUstateTYPE fmi2DeSerializeFMUstate;
fmi2SetRealInputDerivativesTYPE fmi2SetRealInputDerivatives;
fmi2GetRealOutputDerivativesTYPE fmi2GetRealOutputDerivatives;
fmi2DoStepTYPE fmi2DoStep;
fmi2CancelStepTYPE fmi2CancelStep;
fmi2GetRealStatusTYPE fmi2GetRealStatus;
fmi2SetStringTYPE fmi2SetString;
fmi3InstantiateCoSimulationTYPE fmi3InstantiateCoSimulation;
fmi3FreeInstanceTYPE fmi3FreeInstance;
fmi3EnterInitializationModeTYPE fmi3EnterInitializationMode;
fmi3ExitInitializationModeTYPE fmi3ExitInitializationMode;
fmi3GetFloat64TYPE fmi3GetFloat64;
fmi3SetFloat64TYPE fmi3SetFloat64;
fmi3DoStepTYPE fmi3DoStep;
fmi3GetFMUStateTYPE fmi3GetFMUState;
fmi3SetFMUStateTYPE fmi3SetFMUState;
fmi3FreeFMUStateTYPE fmi3FreeFMUState;
}

namespace cosimo::exporting {
namespace {

using ::testing::HasSubstr;

const char* const scenario = R"(cosimo: 1
model:
  parameters: {k: 8, soft: k/2}
  chain: {masses: 2, mass: [2, 1], spring: {c: [k, soft, 0], d: [0.4, 0.1, 0]}, ends: [fixed, free], initial: {x: [0.5, 0], v: 0}}
partition: {parts: 2}
subsystems:
  - {name: push, input: {start: 1}}
  - {name: servo, lag: {time_constant: 0.1}}
connections:
  - {from: push.out, to: servo.in}
  - {from: servo.out, to: 2.force}
simulate: {end: 4, output: 1}
)";

constexpr double H = 1.0 / 16;

std::vector<std::string> said;
void logger(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String message, ...) {
  said.emplace_back(message);
}
void logger3(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String message) {
  said.emplace_back(message);
}

class ExportedFmu : public ::testing::Test {
 protected:
  void SetUp() override {
    said.clear();
    pack(scenario, {});
  }

  void pack(const std::string& text, const std::vector<std::string>& settings) {
    const std::filesystem::path file = place_.path() / "model.yaml", binary = place_.path() / "binary";
    std::ofstream(file) << text;
    std::ofstream(binary) << "none";
    const FmuExport fmu(file, settings, {.binary = binary, .threads = 1, .progress = {}});
    fmu.write(place_.path() / "model.fmu", 2);
    std::filesystem::remove_all(folder());
    std::filesystem::create_directory(folder());
    unpack_fmu(place_.path() / "model.fmu", folder());
    manifest_ = read_manifest(folder() / "resources");
  }

  std::filesystem::path folder() const { return place_.path() / "unpacked"; }
  std::string uri() const { return "file://" + (folder() / "resources").string(); }
  std::uint32_t reference(const std::string& name) const {
    for (std::size_t i = 0; i < manifest_.variables.size(); ++i)
      if (manifest_.variables[i].name == name) return static_cast<std::uint32_t>(i);
    ADD_FAILURE() << name;
    return 0;
  }

  fmi2Component made(const char* guid = nullptr) const {
    static const fmi2CallbackFunctions callbacks{logger, nullptr, nullptr, nullptr, nullptr};
    return fmi2Instantiate("one", fmi2CoSimulation, guid != nullptr ? guid : manifest_.token.c_str(),
                           uri().c_str(), &callbacks, fmi2False, fmi2False);
  }
  fmi2Component begun() const {
    const fmi2Component fmu = made();
    EXPECT_NE(fmu, nullptr);
    EXPECT_EQ(fmi2SetupExperiment(fmu, fmi2False, 0, 0, fmi2False, 0), fmi2OK);
    EXPECT_EQ(fmi2EnterInitializationMode(fmu), fmi2OK);
    EXPECT_EQ(fmi2ExitInitializationMode(fmu), fmi2OK);
    return fmu;
  }
  double get(fmi2Component fmu, const std::string& name) const {
    const fmi2ValueReference r = reference(name);
    double value = NAN;
    EXPECT_EQ(fmi2GetReal(fmu, &r, 1, &value), fmi2OK);
    return value;
  }
  fmi2Status set(fmi2Component fmu, const std::string& name, double value) const {
    const fmi2ValueReference r = reference(name);
    return fmi2SetReal(fmu, &r, 1, &value);
  }
  void same_as(Simulation& native, fmi2Component fmu) const {
    for (const Variable& each : manifest_.variables) {
      if (each.causality != Causality::output) continue;
      EXPECT_EQ(get(fmu, each.name), native.get(each.name)) << each.name;
    }
  }

  test::TemporaryFolder place_;
  Manifest manifest_;
};

TEST_F(ExportedFmu, HasTheBitsOfTheNativeRun) {
  Simulation native(Scenario::parse(scenario));
  const fmi2Component fmu = begun();
  for (int k = 0; k < 48; ++k) {
    const double value = k < 16 ? 1 : std::sin(0.3 * k);
    native.set("push", value);
    ASSERT_EQ(set(fmu, "push", value), fmi2OK);
    ASSERT_EQ(fmi2DoStep(fmu, k * H, H, fmi2True), fmi2OK);
    ASSERT_TRUE(native.advance((k + 1) * H).ok);
    same_as(native, fmu);
    EXPECT_EQ(get(fmu, "time"), native.time());
  }
  EXPECT_GT(std::fabs(get(fmu, "2.x")), 1e-3);
  EXPECT_EQ(fmi2Terminate(fmu), fmi2OK);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, DerivativesOfInputsLastOneStep) {
  Simulation native(Scenario::parse(scenario));
  const fmi2Component fmu = begun();
  const fmi2ValueReference push = reference("push");
  const fmi2ValueReference twice[] = {push, push};
  const fmi2Integer orders[] = {1, 2};
  const double derivatives[] = {3, -4};
  ASSERT_EQ(set(fmu, "push", 1), fmi2OK);
  ASSERT_EQ(fmi2SetRealInputDerivatives(fmu, twice, 2, orders, derivatives), fmi2OK);
  native.set_course("push", {1, 3, -4});
  ASSERT_EQ(fmi2DoStep(fmu, 0, H, fmi2True), fmi2OK);
  ASSERT_TRUE(native.advance(H).ok);
  same_as(native, fmu);
  const double reached = native.get("push");
  EXPECT_EQ(get(fmu, "push"), reached);
  native.set("push", reached);
  ASSERT_EQ(fmi2DoStep(fmu, H, H, fmi2True), fmi2OK);
  ASSERT_TRUE(native.advance(2 * H).ok);
  same_as(native, fmu);
  EXPECT_EQ(get(fmu, "push"), reached);
  const fmi2Integer too_high = 7;
  EXPECT_EQ(fmi2SetRealInputDerivatives(fmu, &push, 1, &too_high, derivatives), fmi2Error);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, GoingBackLeavesNoTrace) {
  const fmi2Component straight = begun(), wandering = begun();
  fmi2FMUstate state = nullptr;
  for (int k = 0; k < 20; ++k) {
    for (const fmi2Component fmu : {straight, wandering}) ASSERT_EQ(set(fmu, "push", 0.1 * k), fmi2OK);
    ASSERT_EQ(fmi2GetFMUstate(wandering, &state), fmi2OK);
    ASSERT_EQ(fmi2DoStep(straight, k * H, H, fmi2False), fmi2OK);
    ASSERT_EQ(fmi2DoStep(wandering, k * H, 1.7 * H, fmi2False), fmi2OK);
    ASSERT_EQ(set(wandering, "push", -7), fmi2OK);
    ASSERT_EQ(fmi2DoStep(wandering, (k + 1.7) * H, H, fmi2False), fmi2OK);
    ASSERT_EQ(fmi2SetFMUstate(wandering, state), fmi2OK);
    ASSERT_EQ(fmi2DoStep(wandering, k * H, H, fmi2False), fmi2OK);
    for (const char* name : {"1.x", "2.x", "der(1.x)", "der(2.x)", "servo.out", "push"})
      ASSERT_EQ(get(straight, name), get(wandering, name)) << name << " in step " << k;
  }
  EXPECT_EQ(fmi2FreeFMUstate(wandering, &state), fmi2OK);
  EXPECT_EQ(state, nullptr);
  fmi2FreeInstance(straight);
  fmi2FreeInstance(wandering);
}

TEST_F(ExportedFmu, AStateGoesToAnotherInstanceAsBytes) {
  const fmi2Component first = made();
  ASSERT_EQ(set(first, "k", 11), fmi2OK);
  ASSERT_EQ(fmi2EnterInitializationMode(first), fmi2OK);
  ASSERT_EQ(fmi2ExitInitializationMode(first), fmi2OK);
  ASSERT_EQ(fmi2DoStep(first, 0, 5 * H, fmi2False), fmi2OK);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2GetFMUstate(first, &state), fmi2OK);
  size_t size = 0;
  ASSERT_EQ(fmi2SerializedFMUstateSize(first, state, &size), fmi2OK);
  std::vector<char> bytes(size);
  ASSERT_EQ(fmi2SerializeFMUstate(first, state, bytes.data(), size), fmi2OK);
  EXPECT_EQ(fmi2SerializeFMUstate(first, state, bytes.data(), size - 1), fmi2Error);
  fmi2FreeFMUstate(first, &state);

  const fmi2Component second = begun();
  fmi2FMUstate read = nullptr;
  ASSERT_EQ(fmi2DeSerializeFMUstate(second, bytes.data(), size, &read), fmi2OK);
  ASSERT_EQ(fmi2SetFMUstate(second, read), fmi2OK);
  EXPECT_EQ(get(second, "k"), 11);
  for (const fmi2Component fmu : {first, second}) ASSERT_EQ(fmi2DoStep(fmu, 5 * H, H, fmi2False), fmi2OK);
  EXPECT_EQ(get(first, "2.x"), get(second, "2.x"));
  fmi2FMUstate none = nullptr;
  EXPECT_EQ(fmi2DeSerializeFMUstate(second, bytes.data(), size / 2, &none), fmi2Error);
  fmi2FreeFMUstate(second, &read);
  fmi2FreeInstance(first);
  fmi2FreeInstance(second);
}

TEST_F(ExportedFmu, DamagedBytesAreNoState) {
  const fmi2Component fmu = begun();
  ASSERT_EQ(fmi2DoStep(fmu, 0, H, fmi2False), fmi2OK);
  fmi2FMUstate state = nullptr, read = nullptr;
  ASSERT_EQ(fmi2GetFMUstate(fmu, &state), fmi2OK);
  size_t size = 0;
  ASSERT_EQ(fmi2SerializedFMUstateSize(fmu, state, &size), fmi2OK);
  std::vector<char> bytes(size);
  ASSERT_EQ(fmi2SerializeFMUstate(fmu, state, bytes.data(), size), fmi2OK);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<char>(bytes[i] ^ 0x41);
    ASSERT_EQ(fmi2DeSerializeFMUstate(fmu, bytes.data(), size, &read), fmi2Error) << "byte " << i;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x41);
  }
  EXPECT_EQ(read, nullptr);
  EXPECT_THAT(said.back(), HasSubstr("is not one of this FMU"));
  ASSERT_EQ(fmi2DeSerializeFMUstate(fmu, bytes.data(), size, &read), fmi2OK);
  EXPECT_EQ(fmi2SetFMUstate(fmu, read), fmi2OK);
  fmi2FreeFMUstate(fmu, &state);
  fmi2FreeFMUstate(fmu, &read);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, AnyStopTimeWillDo) {
  for (const double stop : {1e10, 1e300, static_cast<double>(INFINITY)}) {
    const fmi2Component fmu = made();
    ASSERT_EQ(fmi2SetupExperiment(fmu, fmi2False, 0, 0, fmi2True, stop), fmi2OK);
    ASSERT_EQ(fmi2EnterInitializationMode(fmu), fmi2OK) << stop << ": " << said.back();
    ASSERT_EQ(fmi2ExitInitializationMode(fmu), fmi2OK);
    EXPECT_EQ(fmi2DoStep(fmu, 0, 10, fmi2True), fmi2OK) << stop;  // beyond simulate.end
    fmi2FreeInstance(fmu);
  }
  // The sum of many steps is not the stop time to the bit.
  const fmi2Component fmu = made();
  ASSERT_EQ(fmi2SetupExperiment(fmu, fmi2False, 0, 0, fmi2True, 4), fmi2OK);
  ASSERT_EQ(fmi2EnterInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(fmi2ExitInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(fmi2DoStep(fmu, 0, 4 - 0.0009, fmi2True), fmi2OK);
  EXPECT_EQ(fmi2DoStep(fmu, 4 - 0.0009, 0.000900001, fmi2True), fmi2OK);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, ParametersRebuildTheModel) {
  Simulation native(Scenario::parse(scenario, "scenario", std::vector<std::string>{"model.parameters.k=20"}));
  const fmi2Component fmu = made();
  ASSERT_EQ(fmi2EnterInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(set(fmu, "k", 20), fmi2OK);
  ASSERT_EQ(fmi2ExitInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(fmi2DoStep(fmu, 0, 1, fmi2True), fmi2OK);
  ASSERT_TRUE(native.advance(1).ok);
  same_as(native, fmu);
  EXPECT_EQ(set(fmu, "k", 21), fmi2Error);
  EXPECT_THAT(said.back(), HasSubstr("cannot change while the run goes on"));
  EXPECT_EQ(set(fmu, "1.x", 0), fmi2Error);
  // And back to what the file says.
  ASSERT_EQ(fmi2Reset(fmu), fmi2OK);
  ASSERT_EQ(fmi2EnterInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(fmi2ExitInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(fmi2DoStep(fmu, 0, 1, fmi2True), fmi2OK);
  Simulation plain((Scenario::parse(scenario)));
  ASSERT_TRUE(plain.advance(1).ok);
  same_as(plain, fmu);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, TheExperimentIsRespected) {
  const fmi2Component fmu = made();
  EXPECT_EQ(fmi2SetupExperiment(fmu, fmi2False, 0, 1, fmi2False, 0), fmi2Error);
  ASSERT_EQ(fmi2SetupExperiment(fmu, fmi2True, 1e-9, 0, fmi2True, 2 * H), fmi2OK);
  ASSERT_EQ(fmi2EnterInitializationMode(fmu), fmi2OK);
  ASSERT_EQ(fmi2ExitInitializationMode(fmu), fmi2OK);
  EXPECT_EQ(fmi2DoStep(fmu, 0, 2 * H, fmi2True), fmi2OK);
  // That of macro steps follows, in the same proportion.
  Simulation exact(Scenario::parse(
      scenario, "scenario",
      std::vector<std::string>{"solve.rtol=1e-9", fmt::format("control.rtol={}", 1e-4 * (1e-9 / 1e-6))}));
  ASSERT_TRUE(exact.advance(2 * H).ok);
  same_as(exact, fmu);
  EXPECT_EQ(fmi2DoStep(fmu, 2 * H, H, fmi2True), fmi2Error);
  EXPECT_THAT(said.back(), HasSubstr("stop time"));
  fmi2FreeInstance(fmu);
  // Without a stop time there is no end.
  const fmi2Component endless = begun();
  EXPECT_EQ(fmi2DoStep(endless, 0, 4, fmi2True), fmi2OK);
  EXPECT_EQ(fmi2DoStep(endless, 4, 4, fmi2True), fmi2OK);
  fmi2FreeInstance(endless);
}

TEST_F(ExportedFmu, WrongCallsAreErrors) {
  EXPECT_EQ(made("{00000000-0000-0000-0000-000000000000}"), nullptr);
  EXPECT_THAT(said.back(), HasSubstr("guid"));
  static const fmi2CallbackFunctions callbacks{logger, nullptr, nullptr, nullptr, nullptr};
  EXPECT_EQ(fmi2Instantiate("one", fmi2CoSimulation, manifest_.token.c_str(), "file:///nowhere", &callbacks,
                            fmi2False, fmi2False),
            nullptr);
  EXPECT_THAT(said.back(), HasSubstr("cosimo.json"));
  EXPECT_EQ(fmi2Instantiate("one", fmi2ModelExchange, manifest_.token.c_str(), uri().c_str(), &callbacks,
                            fmi2False, fmi2False),
            nullptr);
  const fmi2Component fmu = made();
  EXPECT_EQ(fmi2DoStep(fmu, 0, H, fmi2True), fmi2Error);
  EXPECT_THAT(said.back(), HasSubstr("not initialised"));
  const fmi2ValueReference unknown = 1000;
  double value = 0;
  EXPECT_EQ(fmi2GetReal(fmu, &unknown, 1, &value), fmi2Error);
  const fmi2String text = "text";
  EXPECT_EQ(fmi2SetString(fmu, &unknown, 1, &text), fmi2Error);
  EXPECT_EQ(fmi2SetString(fmu, nullptr, 0, nullptr), fmi2OK);
  EXPECT_EQ(fmi2CancelStep(fmu), fmi2Error);
  ASSERT_EQ(set(fmu, "k", -1e300), fmi2OK);
  fmi2FreeInstance(fmu);
  const fmi2Component running = begun();
  EXPECT_EQ(fmi2DoStep(running, 0.5, H, fmi2True), fmi2Error);
  EXPECT_THAT(said.back(), HasSubstr("the FMU is at t = 0"));
  EXPECT_EQ(fmi2DoStep(running, 0, 0, fmi2True), fmi2Error);
  EXPECT_EQ(set(running, "push", NAN), fmi2Error);
  EXPECT_EQ(fmi2DoStep(running, 0, H, fmi2True), fmi2OK);
  fmi2FreeInstance(running);
  EXPECT_EQ(fmi2DoStep(nullptr, 0, H, fmi2True), fmi2Error);
}

/// What grows beyond all numbers: the step is discarded where it was still a motion, and can be taken back.
TEST_F(ExportedFmu, AFailedStepIsDiscarded) {
  pack(R"(cosimo: 1
model: {chain: {masses: 1, mass: 1, spring: {c: [0, 0], d: [-40, 0]}, ends: [fixed, free], initial: {x: 0, v: 1}}}
subsystems: [{name: push, input: {}}]
connections: [{from: push.out, to: 1.force}]
simulate: {end: 100, output: 1}
)",
       {});
  const fmi2Component fmu = begun();
  ASSERT_EQ(fmi2DoStep(fmu, 0, 1, fmi2False), fmi2OK);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(fmi2GetFMUstate(fmu, &state), fmi2OK);
  EXPECT_EQ(fmi2DoStep(fmu, 1, 60, fmi2False), fmi2Discard);
  double reached = 0;
  EXPECT_EQ(fmi2GetRealStatus(fmu, fmi2LastSuccessfulTime, &reached), fmi2OK);
  EXPECT_GE(reached, 1);
  EXPECT_LT(reached, 61);
  EXPECT_EQ(fmi2DoStep(fmu, reached, 1, fmi2False), fmi2Error);
  ASSERT_EQ(fmi2SetFMUstate(fmu, state), fmi2OK);
  EXPECT_EQ(fmi2DoStep(fmu, 1, 0.5, fmi2False), fmi2OK);
  fmi2FreeFMUstate(fmu, &state);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, RatesOfCoordinatesAreKnown) {
  const fmi2Component fmu = begun();
  ASSERT_EQ(fmi2DoStep(fmu, 0, H, fmi2True), fmi2OK);
  const fmi2ValueReference x = reference("2.x"), servo = reference("servo.out");
  const fmi2Integer first = 1, second = 2;
  double rate = NAN;
  EXPECT_EQ(fmi2GetRealOutputDerivatives(fmu, &x, 1, &first, &rate), fmi2OK);
  EXPECT_EQ(rate, get(fmu, "der(2.x)"));
  EXPECT_EQ(fmi2GetRealOutputDerivatives(fmu, &x, 1, &second, &rate), fmi2Error);
  EXPECT_EQ(fmi2GetRealOutputDerivatives(fmu, &servo, 1, &first, &rate), fmi2Error);
  fmi2FreeInstance(fmu);
}

TEST_F(ExportedFmu, SpeaksFmi3) {
  Simulation native(Scenario::parse(scenario));
  const std::string resources = (folder() / "resources").string() + "/";
  const auto make = [&](const char* token) {
    return fmi3InstantiateCoSimulation("one", token, resources.c_str(), false, false, false, false, nullptr,
                                       0, nullptr, logger3, nullptr);
  };
  EXPECT_EQ(make("other"), nullptr);
  const fmi3Instance fmu = make(manifest_.token.c_str());
  ASSERT_NE(fmu, nullptr);
  ASSERT_EQ(fmi3EnterInitializationMode(fmu, false, 0, 0, true, 3), fmi3OK);
  ASSERT_EQ(fmi3ExitInitializationMode(fmu), fmi3OK);
  const fmi3ValueReference push = reference("push"), x = reference("2.x");
  bool event = true, terminate = true, early = true;
  double last = 0, value = 0, later = 0;
  fmi3FMUState state = nullptr;
  for (int k = 0; k < 8; ++k) {
    const double force = 0.5 * k;
    native.set("push", force);
    ASSERT_EQ(fmi3SetFloat64(fmu, &push, 1, &force, 1), fmi3OK);
    if (k == 4) {
      ASSERT_EQ(fmi3GetFMUState(fmu, &state), fmi3OK);
    }
    ASSERT_EQ(fmi3DoStep(fmu, k * H, H, false, &event, &terminate, &early, &last), fmi3OK);
    ASSERT_TRUE(native.advance((k + 1) * H).ok);
    EXPECT_EQ(last, (k + 1) * H);
    EXPECT_FALSE(event || terminate || early);
    ASSERT_EQ(fmi3GetFloat64(fmu, &x, 1, &value, 1), fmi3OK);
    EXPECT_EQ(value, native.get("2.x"));
    if (k == 4) later = value;
  }
  ASSERT_EQ(fmi3SetFMUState(fmu, state), fmi3OK);
  ASSERT_EQ(fmi3DoStep(fmu, 4 * H, H, false, &event, &terminate, &early, &last), fmi3OK);
  ASSERT_EQ(fmi3GetFloat64(fmu, &x, 1, &value, 1), fmi3OK);
  EXPECT_EQ(value, later);
  fmi3FreeFMUState(fmu, &state);
  fmi3FreeInstance(fmu);
}

TEST(SavedStates, AreRefusedWhenDamaged) {
  Simulation run((Scenario::parse(scenario)));
  ASSERT_TRUE(run.advance(H).ok);
  std::vector<std::byte> state = run.save();
  for (std::byte& each : state) {
    each ^= std::byte{0x80};
    ASSERT_THROW(run.restore(state), Error);
    each ^= std::byte{0x80};
  }
  const double before = run.get("2.x");
  ASSERT_TRUE(run.advance(2 * H).ok);
  run.restore(state);
  EXPECT_EQ(run.get("2.x"), before);
}

TEST(Resources, AreUris) {
  EXPECT_EQ(path_of_uri("file:///a%20b/c"), "/a b/c");
  EXPECT_EQ(path_of_uri("file:/a/c"), "/a/c");
  EXPECT_EQ(path_of_uri("file://localhost/a"), "/a");
  EXPECT_THROW(path_of_uri("http://a/b"), Error);
  EXPECT_THROW(path_of_uri("file://elsewhere/b"), Error);
  EXPECT_THROW(path_of_uri(nullptr), Error);
}

}  // namespace
}  // namespace cosimo::exporting
