#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/error.hpp"
#include "core/user_call.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/element_testing.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/provided_elements.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

const UserSpec bump_stop{COSIMO_EXAMPLE_ELEMENT, "bump_stop", {2.0, 1e4, 3e4, 5e2}};

std::unique_ptr<ForceElement> testing_element(const char* function,
                                              std::vector<double> parameters = {40, 6}) {
  return make_user_element("own", {}, {}, {COSIMO_TESTING_ELEMENTS, function, std::move(parameters)});
}

std::string refusal(const UserSpec& spec) {
  try {
    make_user_element("own", {}, {}, spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(UserElement, TheExampleIsABumpStop) {
  const auto stop = make_user_element("stop", {}, {}, bump_stop);
  Frame from, to;
  to.r = {0, 0, 2.1};
  Effort effort;
  ASSERT_TRUE(stop->effort(0, from, to, effort));
  EXPECT_EQ(effort.force, Vec3::Zero());
  to.r.z() = 1.9;
  to.v.z() = -0.5;
  ASSERT_TRUE(stop->effort(0, from, to, effort));
  EXPECT_NEAR(effort.force.z(), -0.1 * (1e4 + 3e4 * 0.01 + 5e2 * 0.25), 1e-9) << "pushes `from` away";
  EXPECT_NEAR(stop->potential(0, from, to), 0.5 * 1e4 * 0.01 + 0.25 * 3e4 * 1e-4, 1e-9);
  EXPECT_FALSE(stop->effort(0, from, from, effort)) << "the markers meet";
  EXPECT_EQ(stop->kind(), "user");
}

int pull(double, const cosimo_frame*, const cosimo_frame* to, const double* parameters, double effort[9]) {
  for (int i = 0; i < 3; ++i) effort[i] = parameters[0] * to->position[i];
  return to->position[2] > 5 ? 3 : 0;
}

std::shared_ptr<cosimo_user_element> pulling(int parameters) {
  auto element = std::make_shared<cosimo_user_element>();
  element->version = COSIMO_USER_ELEMENT_VERSION;
  element->parameter_count = parameters;
  element->effort = pull;
  return element;
}

TEST(UserElement, AFunctionOfTheProgramNeedsNoLibrary) {
  EXPECT_THAT(refusal({{}, "pull", {2}}), HasSubstr("own.function: pull: this program provides no element"));
  put_provided_element("pull", pulling(1));
  EXPECT_EQ(refusal({{}, "pull", {2}}), "accepted");
  EXPECT_THAT(refusal({{}, "pull", {2, 3}}), HasSubstr("pull needs 1"));
  const auto element = make_user_element("own", {}, {}, {{}, "pull", {2}});
  Frame from, to;
  to.r = {1, 2, 3};
  Effort effort;
  ASSERT_TRUE(element->effort(0, from, to, effort));
  EXPECT_EQ(effort.force, Vec3(2, 4, 6));
  to.r.z() = 6;
  EXPECT_FALSE(element->effort(1, from, to, effort));
  EXPECT_EQ(element->complaint(0),
            "the function 'pull' of this program of element 'own' returned error code 3 from effort");
}

TEST(UserElement, WhatAProgramProvidesIsKeptAsLongAsItIsUsed) {
  std::weak_ptr<cosimo_user_element> alive;
  {
    const auto first = pulling(1);
    alive = first;
    put_provided_element("kept", first);
  }
  auto element = make_user_element("own", {}, {}, {{}, "kept", {2}});
  put_provided_element("kept", pulling(0));
  EXPECT_FALSE(alive.expired());
  element.reset();
  EXPECT_TRUE(alive.expired());
  EXPECT_EQ(refusal({{}, "kept", {}}), "accepted");
  put_provided_element("kept", nullptr);
  EXPECT_THAT(refusal({{}, "kept", {}}), HasSubstr("provides no element"));
}

TEST(UserElement, HoldsWhatHoldsForEveryElement) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    testing::Rng rng(seed);
    const Marker on_from = testing::random_marker(rng, BodyId(0)),
                 on_to = testing::random_marker(rng, BodyId(1));
    const Frame from = testing::random_frame(rng), to = testing::random_frame(rng);
    const Frame a = marker_frame(from, on_from), b = marker_frame(to, on_to);
    const auto stop = make_user_element("stop", on_from, on_to, bump_stop);
    EXPECT_LT(testing::gradient_error(*stop, 0.1, a, b), 1e-6);
    EXPECT_LT(testing::body_gradient_error(*stop, 0.1, from, to), 1e-6);
    EXPECT_LT(testing::unbalanced(*stop, 0.1, from, to), 1e-14);
    EXPECT_LT(testing::work_error(*stop, 0.1, a, b), 1e-7);
    const auto own = testing_element("by_differences");
    EXPECT_LT(testing::gradient_error(*own, 0.1, a, b), 1e-6);
    EXPECT_LT(testing::unbalanced(*own, 0.1, from, to), 1e-14);
    EXPECT_NEAR(own->time_derivative(0.1, a, b).force.x(), 6, 1e-8);
  }
}

TEST(UserElement, RemembersStatesAndMemory) {
  const auto own = testing_element("in_a_row", {40, 8});
  ASSERT_NE(own->memory(), nullptr);
  const ElementMemory& memory = *own->memory();
  EXPECT_EQ(memory.extent().z, 1U);
  EXPECT_EQ(memory.extent().s, 2U);
  EXPECT_TRUE(memory.essential());
  EXPECT_EQ(memory.nominals()[0], 10);
  Frame from, to;
  to.r.x() = 3;
  to.v.x() = 0.5;
  double z = 7, s[2] = {1, 2}, rate = 0;
  memory.begin(from, to, &z, s);
  EXPECT_EQ(z, 0);
  EXPECT_EQ(s[1], 3);
  z = 5;
  Effort effort;
  ASSERT_TRUE(memory.effort(0, from, to, {&z, s}, effort, &rate));
  EXPECT_EQ(effort.force.x(), 5);
  EXPECT_EQ(rate, 40 * 0.5 - 40.0 / 8 * 5);
  memory.commit(0, from, to, {&z, s}, s);
  EXPECT_EQ(s[0], 1);
  EffortGradient gradient;
  StateGradient states;
  states.reset(1);
  memory.gradient(0, from, to, {&z, s}, gradient, states);
  EXPECT_NEAR(states.effort(0, 0), 1, 1e-9);
  EXPECT_NEAR(states.own(0, 0), -5, 1e-8);
  EXPECT_NEAR(states.to(0, 6), 40, 1e-8);
  EXPECT_NEAR(states.from(0, 6), -40, 1e-8);
  // Nobody keeps it: as it begins there.
  ASSERT_TRUE(own->effort(0, from, to, effort));
  EXPECT_EQ(effort.force.x(), 0);
}

TEST(UserElement, OfVersionOneStillWorks) {
  const auto own = testing_element("of_version_one");
  EXPECT_EQ(own->memory(), nullptr) << "what is behind its end does not count";
  Frame to;
  to.r.x() = 2;
  Effort effort;
  ASSERT_TRUE(own->effort(0, {}, to, effort));
  EXPECT_EQ(effort.force.x(), 80);
  EXPECT_THAT(refusal({COSIMO_TESTING_ELEMENTS, "with_states_but_no_rates", {1, 2}}),
              HasSubstr("without effort"));
}

TEST(UserElement, ItsOwnDerivativesAreUsed) {
  const auto own = testing_element("with_gradient");
  EffortGradient gradient;
  own->gradient(0, {}, {}, gradient);
  EXPECT_EQ(gradient.from(2, 5), 2 * 12 + 5);
  EXPECT_EQ(gradient.to(8, 11), -107);
}

TEST(UserElement, MaySayThatThereIsNoEffort) {
  const auto own = testing_element("by_differences");
  Effort effort;
  EXPECT_TRUE(own->effort(1, {}, {}, effort));
  EXPECT_EQ(own->complaint(0), "");
  EXPECT_FALSE(own->effort(101, {}, {}, effort));
  EXPECT_THAT(std::string(own->complaint(101)), HasSubstr("element 'own' returned error code 1 from effort"));
}

TEST(UserElement, NumbersThatAreNotFiniteHaveAName) {
  const auto own = testing_element("not_finite", {});
  Effort effort;
  EXPECT_TRUE(own->effort(0.5, {}, {}, effort));
  EXPECT_EQ(own->complaint(0), "");
  EXPECT_FALSE(own->effort(1.5, {}, {}, effort));
  EXPECT_THAT(std::string(own->complaint(1.5)), HasSubstr("testing_elements.so of element 'own'"));
  EXPECT_EQ(own->complaint(1.6), "") << "that was long ago";
  EffortGradient gradient;
  own->gradient(0.5, {}, {}, gradient);
  EXPECT_EQ(gradient.from(0, 0), 0) << "by differences";
  EXPECT_NE(own->complaint(0.5), "");
}

TEST(UserElement, CallsAreKnownWhileTheyLast) {
  EXPECT_EQ(user_call_here(), nullptr);
  const UserCall outer{"a.so", "one", "effort"}, inner{"b.so", "two", "gradient"};
  UserCallWatch watch;
  {
    const InUserCall first(outer);
    watch.look();
    EXPECT_EQ(watch.unfinished(), &outer);
    {
      const InUserCall second(inner);
      EXPECT_EQ(user_call_here(), &inner);
      std::thread other([&] { EXPECT_EQ(user_call_here(), nullptr); });
      other.join();
    }
    EXPECT_EQ(user_call_here(), &outer);
  }
  EXPECT_EQ(user_call_here(), nullptr);
  EXPECT_EQ(watch.unfinished(), nullptr);
  const InUserCall again(outer);
  EXPECT_EQ(watch.unfinished(), nullptr) << "another call of the same function";
}

TEST(UserElement, ALibraryThatIsCutOffIsNotLoaded) {
  std::ifstream in(COSIMO_TESTING_ELEMENTS, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  const test::TemporaryFolder folder;
  UserSpec spec{folder / "cut.so", "with_gradient", {1}};
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 20) {
    std::ofstream(spec.library, std::ios::binary) << whole.substr(0, size);
    EXPECT_THAT(refusal(spec), HasSubstr("own.library: ")) << size;
  }
  EXPECT_THAT(refusal(spec), HasSubstr("is cut off: it has "));
  std::ofstream(spec.library, std::ios::binary) << whole;
  EXPECT_EQ(refusal(spec), "accepted");
}

TEST(UserElement, WhatDoesNotFitIsRefused) {
  UserSpec spec = bump_stop;
  spec.library = "nowhere.so";
  EXPECT_THAT(refusal(spec), HasSubstr("own.library: nowhere.so"));
  spec = bump_stop;
  spec.function = "bump";
  EXPECT_THAT(refusal(spec), HasSubstr("own.function: bump: the library does not export it"));
  spec = bump_stop;
  spec.parameters.pop_back();
  EXPECT_THAT(refusal(spec), HasSubstr("bump_stop needs 4"));
  EXPECT_THAT(refusal({COSIMO_TESTING_ELEMENTS, "of_another_version", {1, 2}}),
              HasSubstr("made for version 3 of the interface, not 2"));
  EXPECT_THAT(refusal({COSIMO_TESTING_ELEMENTS, "without_effort", {1, 2}}), HasSubstr("without effort"));
  EXPECT_THAT(refusal({COSIMO_TESTING_ELEMENTS, "miscounting", {1, 2}}), HasSubstr("asks for -2 parameters"));
  EXPECT_EQ(refusal({COSIMO_TESTING_ELEMENTS, "with_gradient", {1, 2, 3}}), "accepted");
}

}  // namespace
}  // namespace cosimo
