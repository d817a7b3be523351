// FMUs in processes of their own: the same bits as in ours, and whatever they do there is a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <set>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "fmi/testing.hpp"

namespace cosimo {
namespace {

using testing::accurate;
using testing::Contents;
using ::testing::HasSubstr;

std::string fmu(const std::string& model) {
  return std::string(COSIMO_FMUS) + "/" + model + ".fmu";
}

/// Processes that this one has started and that are still there.
std::set<pid_t> children() {
  std::set<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t each = 0; list >> each;) found.insert(each);
  }
  return found;
}

struct Rig {
  std::unique_ptr<ComponentSpec> spec;
  std::unique_ptr<Component> component;
  std::unique_ptr<Lane> lane;
  explicit Rig(FmuSettings settings, bool isolate = true) {
    settings.isolate = isolate;
    spec = make_fmu("f", settings, accurate());
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

Polynomial line(double value, double slope) {
  return {.degree = 1, .origin = 0, .scale = 1, .a = {value, slope}};
}
const std::array moving{line(0, 0.3), line(0.3, 0)};
const std::array otherwise{line(1, -2), line(-2, 0)};

struct Kind {
  const char* model;
  fmi::Use use;
};
void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.model << (kind.use == fmi::Use::cosimulation ? " steps" : " equations");
}

class Isolated : public ::testing::TestWithParam<Kind> {
 protected:
  FmuSettings settings() const { return {.file = fmu(GetParam().model), .use = GetParam().use}; }
};

/// Steps, a look ahead that is taken back, states through bytes and between lanes: all of it.
std::vector<std::vector<double>> story(const FmuSettings& settings, bool isolate) {
  Rig rig(settings, isolate);
  std::vector<std::vector<double>> told{rig.outputs(0)};
  const auto go = [&](Lane& lane, double from, double to, const auto& inputs) {
    const StepResult result = lane.advance({from, to}, inputs, {});
    EXPECT_EQ(result.status, StepStatus::ok) << result.reason;
    told.push_back(rig.outputs(to));
  };
  go(*rig.lane, 0, 0.1, moving);
  const auto memory = rig.lane->make_snapshot();
  rig.lane->save(*memory);
  go(*rig.lane, 0.1, 0.3, otherwise);
  rig.lane->restore(*memory);
  const auto beside = rig.component->make_lane();
  beside->restore(*memory);
  EXPECT_EQ(beside->advance({0.1, 0.4}, otherwise, {}).status, StepStatus::ok);
  go(*rig.lane, 0.1, 0.2, moving);
  Archive out;
  rig.lane->archive(out);
  const std::vector<std::byte> bytes = out.take();
  go(*rig.lane, 0.2, 0.5, otherwise);
  Archive in(bytes);
  rig.lane->archive(in);
  in.finish();
  go(*rig.lane, 0.2, 0.7, moving);
  return told;
}

TEST_P(Isolated, HasTheSameBits) {
  const auto here = story(settings(), false), there = story(settings(), true);
  EXPECT_EQ(here, there);
  EXPECT_NE(here.back(), here.front());
  EXPECT_TRUE(children().empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Isolated,
                         ::testing::Values(Kind{"half", fmi::Use::cosimulation},
                                           Kind{"half", fmi::Use::model_exchange},
                                           Kind{"half3", fmi::Use::cosimulation},
                                           Kind{"half3", fmi::Use::model_exchange}));

TEST(IsolatedEvents, AreFoundAtTheSameInstants) {
  const auto bounces = [](bool isolate) {
    Rig rig({.file = fmu("ball"), .use = fmi::Use::model_exchange}, isolate);
    std::vector<double> times;
    for (double t = 0; times.size() < 4;) {
      const StepResult result = rig.lane->advance({t, 5}, {}, {});
      EXPECT_EQ(result.status, StepStatus::early) << result.reason;
      if (result.status != StepStatus::early) break;
      EXPECT_TRUE(rig.lane->fire(true));
      times.push_back(t = result.reached);
      for (const double y : rig.outputs(t)) times.push_back(y);
    }
    return times;
  };
  EXPECT_EQ(bounces(true), bounces(false));
}

TEST(IsolatedFeedThrough, IsAskedForAtOnce) {
  for (const auto use : {fmi::Use::cosimulation, fmi::Use::model_exchange}) {
    Rig rig({.file = fmu("gain"), .use = use, .set = {{"a", std::vector{3.0}}, {"b", std::vector{1.0}}}});
    EXPECT_EQ(rig.outputs(0, {2.0}), std::vector{7.0});
    EXPECT_EQ(rig.outputs(0, {-1.0}), std::vector{-2.0});
  }
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool catches_crashes = true;
#else
constexpr bool catches_crashes = false;
#endif

struct Mood {
  int mode;
  StepStatus status;
  const char* words;
};
void PrintTo(const Mood& mood, std::ostream* out) {
  *out << mood.mode;
}
class IsolatedMoods : public ::testing::TestWithParam<std::tuple<Mood, const char*>> {};

TEST_P(IsolatedMoods, BecomeAResult) {
  const auto& [mood, model] = GetParam();
  if (mood.mode == 1 && catches_crashes) GTEST_SKIP() << "a sanitizer ends the process its own way";
  Rig rig({.file = fmu(model),
           .set = {{"mode", std::vector{static_cast<double>(mood.mode)}}},
           .time_limit = 0.3});
  ASSERT_EQ(rig.lane->advance({0, 0.5}, moving, {}).status, StepStatus::ok);
  const auto memory = rig.lane->make_snapshot();
  rig.lane->save(*memory);
  const auto before = rig.outputs(0.5);
  const auto begin = std::chrono::steady_clock::now();
  const StepResult result = rig.lane->advance({0.5, 1}, moving, {});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(result.status, mood.status);
  EXPECT_THAT(std::string(result.reason), HasSubstr(mood.words));
  // A shorter step cannot be taken by what has ended, and the story stays the same.
  rig.lane->restore(*memory);
  const StepResult again = rig.lane->advance({0.5, 0.75}, moving, {});
  EXPECT_EQ(again.status, mood.status);
  EXPECT_THAT(std::string(again.reason), HasSubstr(mood.words));
}

INSTANTIATE_TEST_SUITE_P(
    All, IsolatedMoods,
    ::testing::Combine(::testing::Values(Mood{1, StepStatus::failed,
                                              "the FMU has ended: it crashed (segmentation fault) in fmi"},
                                         Mood{2, StepStatus::discard, "discards the step"},
                                         Mood{3, StepStatus::failed, "reports an error"},
                                         Mood{4, StepStatus::failed, "reports a fatal error"},
                                         Mood{5, StepStatus::failed, "it did not come back from fmi"},
                                         Mood{6, StepStatus::failed,
                                              "it ended its process (exit code 3) in fmi"}),
                       ::testing::Values("half", "half3")));

TEST(IsolatedEnd, LeavesNothing) {
  const TemporaryFolder folder;
  const auto before = children();  // the guard of the folder
  setenv("TMPDIR", folder.path().c_str(), 1);
  {
    Rig one({.file = fmu("half")}), two({.file = fmu("half3")});
    Rig hanging({.file = fmu("half"), .set = {{"mode", std::vector{5.0}}}, .time_limit = 0.1});
    EXPECT_GE(children().size(), before.size() + 3);
    EXPECT_EQ(hanging.lane->advance({0, 0.6}, moving, {}).status, StepStatus::ok);
    EXPECT_EQ(hanging.lane->advance({0.6, 0.7}, moving, {}).status, StepStatus::failed);
  }
  EXPECT_EQ(children(), before);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  unsetenv("TMPDIR");
}

TEST(IsolatedStart, RefusalsAreToldLikeAnyOther) {
  const TemporaryFolder folder;
  const auto before = children();
  const auto words = [](const std::string& file, std::vector<FmuValue> set = {}) -> std::string {
    try {
      Rig rig({.file = file, .set = std::move(set)});
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string guid = Contents("half").replace("{test}", "{other}").pack(folder.path() / "guid.fmu");
  EXPECT_THAT(words(guid), HasSubstr("wrong guid"));
  Contents cut("half");
  cut.files["binaries/linux64/half.so"].resize(6000);
  EXPECT_THAT(words(cut.pack(folder.path() / "cut.fmu")), HasSubstr("the binary is cut short"));
  EXPECT_THAT(words(fmu("half"), {{"mode", std::vector{7.0}}}), HasSubstr("the FMU cannot be initialised"));
  EXPECT_EQ(children(), before);
}

}  // namespace
}  // namespace cosimo
