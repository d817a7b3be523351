// What holds for every force element, at random states.
#include "mechanics/elements.hpp"
#include "mechanics/gear_mesh_element.hpp"
#include "mechanics/law_element.hpp"
#include "mechanics/pull_spring_element.hpp"
#include "mechanics/slide_spring_element.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "mechanics/element_memory.hpp"
#include "mechanics/element_testing.hpp"

namespace cosimo {
namespace {

using testing::random_frame;
using testing::random_marker;
using testing::Rng;

const PowerLaw linear{200, 3, 0, 0, 3, 3};
const PowerLaw cubic{200, 3, 500, 0.7, 3, 3};
const PowerLaw odd{100, 2, 50, 1, 2.5, 1.5};

struct Case {
  std::string name;
  bool stores = true;    ///< its effort at rest comes from a potential
  bool damps = true;     ///< velocities only take energy away
  bool internal = true;  ///< acts between bodies and balances
  std::function<std::unique_ptr<ForceElement>(const Marker&, const Marker&)> make;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

std::vector<Case> cases() {
  std::vector<Case> out;
  const auto spring = [&](const char* name, const SpringSpec& spec) {
    out.push_back({name, true, true, true,
                   [=](const Marker& a, const Marker& b) { return make_spring("s", a, b, spec); }});
  };
  spring("Spring", {linear, 0.4, false});
  spring("CubicSpring", {cubic, 0.4, false});
  spring("SpringOfOddPowers", {odd, 0.4, false});
  spring("SpringOfNoLength", {linear, 0, false});
  spring("NetworkSpring", {cubic, 0.4, true});
  for (const auto& [name, law] : {std::pair{"PullSpring", cubic}, {"PullSpringOfOddPowers", odd}})
    for (const double length : {0.4, 2.2})
      out.push_back({std::string(name) + (length < 1 ? "Taut" : "Slack"), true, true, true,
                     [law = law, length](const Marker& a, const Marker& b) {
                       return make_pull_spring("p", a, b, law, length);
                     }});
  // Teeth that are much wider than the wheels, so that random places are within one.
  for (const auto& [name, ring] : {std::pair{"GearMesh", 1.0}, {"GearMeshWithARing", -2.2}})
    out.push_back({name, true, true, true, [ring = ring](const Marker& a, const Marker& b) {
                     return make_gear_mesh("g", a, b, {0.7, 0.7 * ring, 60, 0.3, 0.2, 200, 3});
                   }});
  for (const auto& [name, law] : {std::pair{"Torsion", linear}, {"CubicTorsion", cubic}})
    out.push_back({name, true, true, true, [law = law](const Marker& a, const Marker& b) {
                     return make_torsion("t", a, b, {law, 0.3});
                   }});
  for (const auto& [name, law] : {std::pair{"SlideSpring", cubic}, {"SlideSpringOfOddPowers", odd}})
    out.push_back({name, true, true, true, [law = law](const Marker& a, const Marker& b) {
                     return make_slide_spring("s", a, b, law, 0.3);
                   }});
  const auto bushing = [&](const char* name, const BushingSpec& spec) {
    out.push_back({name, true, true, true,
                   [=](const Marker& a, const Marker& b) { return make_bushing("b", a, b, spec); }});
  };
  const PowerLaw stiff{700, 5, 0, 0, 3, 3}, none{};
  bushing("Bushing", {{linear, stiff, cubic, stiff, linear, cubic}});
  bushing("BushingOfOddPowers", {{odd, odd, cubic, odd, cubic, odd}});
  bushing("BushingThatTurnsFreely", {{linear, stiff, cubic, stiff, odd, none}});
  bushing("BushingWithoutTorque", {{linear, none, cubic, none, none, none}});
  bushing("BushingOfTorqueAlone", {{none, none, none, linear, stiff, cubic}});
  const auto contact = [&](const char* name, const GroundContactSpec& spec) {
    out.push_back({name, true, true, false,
                   [=](const Marker&, const Marker& b) { return make_contact("c", b, spec); }});
  };
  const Road rough{0.5, {{0.2, 2.0, 0.3}, {0.05, 0.9, 1.0}}};
  contact("Contact", {{2.5, {}}, 0.3, 900, 1.0, 0.2, 0, 1e-2, false});
  contact("ContactOnARoughRoad", {rough, 1.4, 900, 1.5, 0.2, 0, 1e-2, false});
  contact("ContactWithFriction", {rough, 1.4, 900, 1.5, 0.2, 0.6, 0.3, false});
  contact("PlanarContact", {rough, 1.4, 900, 2.2, 0.2, 0.6, 0.3, true});
  for (const auto& [name, along] : {std::pair{"TableOfLength", Along::length},
                                    {"TableOfDisplacement", Along::displacement},
                                    {"TableOfAngle", Along::angle}})
    out.push_back({name, true, true, true, [along = along](const Marker& a, const Marker& b) {
                     const std::vector<double> s{-2, -0.5, 0.4, 1, 1.5, 2.5};
                     return make_table("t", a, b, {along, s, {-90, -40, -2, 3, 30, 35}, 4});
                   }});
  AppliedSpec applied;
  applied.force = {"-20*x + sin(3*t)*vy", "if(length > 0.2, 3*rate, 0) - y^3", "wx*wy + cos(angle)"};
  applied.torque = {"-2*wx*z", "", "5*sin(angle - 1) + t"};
  out.push_back({"Applied", false, false, true,
                 [=](const Marker& a, const Marker& b) { return make_applied("a", a, b, applied); }});
  AppliedSpec torque;
  torque.torque = {"", "", "-3*angle - wz"};
  out.push_back({"AppliedTorque", false, false, true,
                 [=](const Marker& a, const Marker& b) { return make_applied("a", a, b, torque); }});
  return out;
}

class Elements : public ::testing::TestWithParam<Case> {
 protected:
  /// Calls f(element, frame of the from body, of the to body, of their markers).
  template <class F>
  void at_random_states(F f) const {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      Rng rng(seed);
      const Marker on_from = random_marker(rng, BodyId(0)), on_to = random_marker(rng, BodyId(1));
      const auto element = GetParam().make(on_from, on_to);
      const Frame from = GetParam().internal ? random_frame(rng) : Frame{}, to = random_frame(rng);
      const Frame a = marker_frame(from, element->at_from), b = marker_frame(to, element->at_to);
      SCOPED_TRACE(seed);
      f(*element, from, to, a, b);
    }
  }
};

TEST_P(Elements, GradientsEqualDifferences) {
  at_random_states(
      [](const ForceElement& element, const Frame& from, const Frame& to, const Frame& a, const Frame& b) {
        EXPECT_LT(testing::gradient_error(element, 0.7, a, b), 1e-6);
        EXPECT_LT(testing::body_gradient_error(element, 0.7, from, to), 1e-6);
      });
}

TEST_P(Elements, ActionAndReactionBalance) {
  if (!GetParam().internal) GTEST_SKIP() << "acts against the ground";
  at_random_states([](const ForceElement& element, const Frame& from, const Frame& to, const Frame&,
                      const Frame&) { EXPECT_LT(testing::unbalanced(element, 0.7, from, to), 1e-14); });
}

TEST_P(Elements, EffortAtRestComesFromThePotential) {
  if (!GetParam().stores) GTEST_SKIP() << "stores no energy";
  double most = 0;
  at_random_states(
      [&](const ForceElement& element, const Frame&, const Frame&, const Frame& a, const Frame& b) {
        EXPECT_LT(testing::work_error(element, 0.7, a, b), 1e-7);
        most = std::max(most, std::fabs(element.potential(0.7, a, b)));
      });
  EXPECT_GT(most, 0.1) << "the element was never strained";
}

TEST_P(Elements, VelocitiesTakeEnergyAway) {
  if (!GetParam().damps) GTEST_SKIP() << "may drive";
  double least = 0;
  at_random_states(
      [&](const ForceElement& element, const Frame&, const Frame&, const Frame& a, const Frame& b) {
        const double power = testing::damping_power(element, 0.7, a, b);
        EXPECT_LE(power, 1e-12);
        least = std::min(least, power);
      });
  EXPECT_LT(least, -0.1);
}

TEST_P(Elements, OnlyTheNamedComponentsAreNotZero) {
  at_random_states([](const ForceElement& element, const Frame&, const Frame&, const Frame& a,
                      const Frame& b) { EXPECT_TRUE(testing::mask_holds(element, 0.7, a, b)); });
}

TEST_P(Elements, TellsAsManySwitchesAsItCounts) {
  at_random_states(
      [](const ForceElement& element, const Frame&, const Frame&, const Frame& a, const Frame& b) {
        constexpr double untouched = -12345;
        std::vector<Switch> out(element.switch_count() + 1, Switch{.value = untouched});
        element.switches(0.7, a, b, out.data());
        EXPECT_EQ(out.back().value, untouched);
        out.pop_back();
        for (const Switch& told : out) EXPECT_NE(told.value, untouched);
      });
}

TEST_P(Elements, DerivativeInTimeEqualsDifferences) {
  at_random_states([](const ForceElement& element, const Frame&, const Frame&, const Frame& a,
                      const Frame& b) {
    const double h = 1e-4, t = 0.7;
    const Eigen::VectorXd slope =
        (testing::effort_vector(element, t + h, a, b) - testing::effort_vector(element, t - h, a, b)) /
        (2 * h);
    EXPECT_LT(testing::relative_difference(testing::stacked(element.time_derivative(t, a, b)), slope), 1e-6);
  });
}

/// An element with what it remembers held, as one without memory, so that the same must hold for it.
class Remembering final : public ForceElement {
 public:
  Remembering(std::unique_ptr<ForceElement> element, std::vector<double> s)
      : ForceElement("r", element->at_from, element->at_to), element_(std::move(element)), s_(std::move(s)) {}

  EffortMask components() const override { return element_->components(); }
  bool effort(double t, const Frame& from, const Frame& to, Effort& out) const override {
    return element_->memory()->effort(t, from, to, {nullptr, s_.data()}, out, nullptr);
  }
  void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const override {
    StateGradient none;
    none.reset(0);
    element_->memory()->gradient(t, from, to, {nullptr, s_.data()}, out, none);
  }
  Effort time_derivative(double t, const Frame& from, const Frame& to) const override {
    return element_->time_derivative(t, from, to);
  }
  double potential(double t, const Frame& from, const Frame& to) const override {
    return element_->memory()->potential(t, from, to, {nullptr, s_.data()});
  }
  std::size_t switch_count() const override { return element_->switch_count(); }
  void switches(double t, const Frame& from, const Frame& to, Switch* out) const override {
    element_->switches(t, from, to, out);
  }
  std::string_view kind() const override { return element_->kind(); }

 private:
  std::unique_ptr<ForceElement> element_;
  std::vector<double> s_;
};

std::vector<Case> remembering() {
  std::vector<Case> out;
  const auto add = [&](std::string name, bool stores, bool damps, auto make, std::vector<double> s) {
    out.push_back({std::move(name), stores, damps, true, [=](const Marker& a, const Marker& b) {
                     return std::make_unique<Remembering>(make(a, b), s);
                   }});
  };
  for (const auto& [word, along] :
       {std::pair{"Length", Along::length}, {"Displacement", Along::displacement}, {"Angle", Along::angle}}) {
    const auto friction = [along = along](const Marker& a, const Marker& b) {
      return make_friction("f", a, b, {along, 300, 4, 50, 40, 2});
    };
    add(std::string("FrictionThatSticks") + word, true, true, friction, {0.3, 0});
    // Beyond the ends that events give them the laws go on.
    add(std::string("FrictionThatSlides") + word, false, true, friction, {0.3, -1});
    const auto stop = [along = along](const Marker& a, const Marker& b) {
      StopSpec spec;
      spec.along = along;
      spec.stiffness = 300;
      spec.exponent = 2.2;
      spec.damping = 0.2;
      spec.lower = along == Along::length ? 5 : 3.2;
      spec.upper = along == Along::length ? 0.0 : -3.2;
      spec.turns = along == Along::angle;
      return make_stop("s", a, b, spec);
    };
    const auto stribeck = [along = along](const Marker& a, const Marker& b) {
      return make_friction("f", a, b, {along, 300, 4, 50, 20, 2, 3, 1.5});
    };
    add(std::string("StribeckThatSlidesUp") + word, false, false, stribeck, {0.3, 1});
    add(std::string("StribeckThatSlidesDown") + word, false, false, stribeck, {0.3, -1});
    const auto rebound = [along = along](const Marker& a, const Marker& b) {
      StopSpec spec;
      spec.along = along;
      spec.stiffness = 300;
      spec.exponent = 1.5;
      spec.restitution = 0.6;
      spec.upper = along == Along::length ? 0.0 : -3.2;
      spec.turns = along == Along::angle;
      return make_stop("s", a, b, spec);
    };
    const std::vector<double> struck = along == Along::angle ? std::vector<double>{1, 0, 0.1, 4, 5, 4, 0}
                                                             : std::vector<double>{1, 0, 4, 5, 4, 0};
    add(std::string("StopWithRestitution") + word, true, true, rebound, struck);
    add(std::string("StopBelow") + word, true, true, stop, {-1, 0, 0.1});
    add(std::string("StopAbove") + word, true, true, stop, {1, 0, 0.1});
  }
  add("TorsionAfterTurns", true, true,
      [](const Marker& a, const Marker& b) {
        return make_torsion("t", a, b, {cubic, 0.3, true});
      },
      {25.0});
  add("TableAfterTurns", true, true,
      [](const Marker& a, const Marker& b) {
        return make_table("t", a, b, {Along::angle, {-2, 20, 30}, {-90, 40, 80}, 4, true});
      },
      {25.0});
  AppliedSpec turned;
  turned.torque = {"", "", "-3*angle - wz"};
  turned.turns = true;
  for (const auto& [word, along] :
       {std::pair{"Length", Along::length}, {"Displacement", Along::displacement}, {"Angle", Along::angle}})
    add(std::string("Law") + word, false, false,
        [along = along](const Marker& a, const Marker& b) {
          return make_law("l", a, b, {along, "20*sin(s) + 3*s*rate + rate^3 + 4*cos(3*t)", {}, {}, true});
        },
        {0.1});
  add("AppliedAfterTurns", false, false,
      [=](const Marker& a, const Marker& b) { return make_applied("a", a, b, turned); }, {25.0});
  return out;
}

INSTANTIATE_TEST_SUITE_P(Remembering, Elements, ::testing::ValuesIn(remembering()),
                         [](const auto& instance) { return instance.param.name; });
INSTANTIATE_TEST_SUITE_P(All, Elements, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace cosimo
