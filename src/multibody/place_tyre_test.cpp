// Tyres from a scenario: markers, files, and what is wrong with them.
#include "multibody/place_tyre.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/LU>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "multibody/mechanism_translate.hpp"
#include "tyre/tyre_element.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

class PlaceTyre : public ::testing::Test {
 protected:
  PlaceTyre() : folder_(std::filesystem::temp_directory_path() / ("tyres" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "t.tir") << file;
  }
  ~PlaceTyre() override { std::filesystem::remove_all(folder_); }

  PlacedMechanism place(const std::string& keys, const std::string& head = "") const {
    return place_mechanism(
        config::parse_scenario("cosimo: 1\n" + head +
                                   "model:\n  ground: [{name: hill, shape: {plane: [0, -1, 1]}, position: "
                                   "[0, 0, 0.5]}, {name: ball, shape: "
                                   "{sphere: 1}}]\n  bodies:\n    - {name: wheel, kind: rigid, mass: 1, "
                                   "inertia: [1, 1, 1], position: [2, 1, "
                                   "0.3]}\n    - {name: disc, kind: planar, mass: 1, inertia: 1}\n  "
                                   "elements:\n    - {name: tyre, kind: tyre, " +
                                   keys + "}\nsimulate: {end: 1}\n",
                               (folder_ / "model.yaml").string(), {}));
  }
  std::string refused(const std::string& keys) const {
    try {
      place(keys);
    } catch (const Error& error) {
      EXPECT_EQ(error.faults().size(), 1U) << error.what();
      EXPECT_FALSE(error.faults()[0].remedy.empty());
      return error.what();
    }
    ADD_FAILURE() << keys << " was accepted";
    return {};
  }

  static constexpr const char* numbers =
      "radius: 0.3, stiffness: 2e5, friction: 1, tread: 5e6, patch: 0.06, load: 4000";
  static constexpr const char* file =
      "[MODEL]\nFITTYP = 61\n[DIMENSION]\nUNLOADED_RADIUS = 0.31\n[VERTICAL]\nFNOMIN = "
      "4000\nVERTICAL_STIFFNESS = 2e5\n"
      "LONGITUDINAL_STIFFNESS = 3e5\nLATERAL_STIFFNESS = 1e5\nPCX1 = 1.6\nPDX1 = 1\nPKX1 = 20\nRBX1 = "
      "9\nRCX1 = 1\n"
      "PCY1 = 1.3\nPDY1 = 1\nPKY1 = -15\nPKY2 = 2\nRBY1 = 9\nRCY1 = 1\n";
  std::filesystem::path folder_;
};

TEST_F(PlaceTyre, AxleAndRoadFollowFromTheBody) {
  const PlacedMechanism spatial = place(std::string("body: wheel, model: brush, ") + numbers);
  const ForceElement& tyre = *spatial.mechanism->elements[0];
  EXPECT_TRUE(tyre::is_tyre(tyre));
  EXPECT_EQ(tyre.at_from.body, ground);
  EXPECT_TRUE(tyre.at_from.axes.isIdentity(0));
  EXPECT_TRUE(tyre.at_to.axes.col(2).isApprox(Vec3::UnitY()));
  const PlacedMechanism flat = place(std::string("body: disc, model: brush, ") + numbers);
  EXPECT_TRUE(flat.mechanism->elements[0]->at_from.axes.col(2).isApprox(Vec3::UnitY()));
  EXPECT_NEAR(flat.mechanism->elements[0]->at_from.axes.determinant(), 1, 1e-15);
  EXPECT_TRUE(flat.mechanism->elements[0]->at_to.axes.col(2).isApprox(-Vec3::UnitZ()));
  const PlacedMechanism hill = place(std::string("body: wheel, model: brush, ground: hill, ") + numbers);
  EXPECT_TRUE(hill.mechanism->elements[0]->at_from.axes.col(2).isApprox(Vec3(0, -1, 1).normalized()));
  EXPECT_EQ(hill.mechanism->elements[0]->at_from.point.z(), 0.5);
}

/// The radial force at a deflection of a hundredth of a metre.
double pressed(const PlacedMechanism& placed, double radius, double per_metre) {
  const ForceElement& tyre = *placed.mechanism->elements[0];
  Frame wheel;
  wheel.R = tyre.at_to.axes;
  wheel.r.z() = radius - 0.01 * per_metre;
  Effort effort;
  EXPECT_TRUE(tyre.effort(0, Frame{}, wheel, effort));
  return -effort.force.z();
}

TEST_F(PlaceTyre, AFileIsReadInTheUnitsOfTheScenario) {
  EXPECT_NEAR(pressed(place("body: wheel, model: pacejka, file: t.tir"), 0.31, 1), 2000, 1e-6);
  EXPECT_NEAR(
      pressed(place("body: wheel, model: pacejka, file: t.tir", "units: {length: mm, mass: t, time: s}\n"),
              310, 1000),
      2000, 1e-6);
}

TEST_F(PlaceTyre, OtherCoefficientsAreAnotherModel) {
  const auto one = place(std::string("body: wheel, model: brush, grip: 1, ") + numbers).mechanism->curves;
  const auto other = place(std::string("body: wheel, model: brush, grip: 0.9, ") + numbers).mechanism->curves;
  EXPECT_EQ(one, place(std::string("body: wheel, model: brush, ") + numbers).mechanism->curves);
  EXPECT_NE(one, other);
  const auto read = place("body: wheel, model: pacejka, file: t.tir").mechanism->curves;
  std::ofstream(folder_ / "t.tir", std::ios::app) << "PDX2 = -0.1\n";
  EXPECT_NE(read, place("body: wheel, model: pacejka, file: t.tir").mechanism->curves);
}

TEST_F(PlaceTyre, WhatIsWrongIsSaidWhereItIsNamed) {
  EXPECT_THAT(refused("body: wheel, model: pacejka, file: u.tir"),
              AllOf(HasSubstr("model.yaml:8"), HasSubstr("t.tir`?")));
  EXPECT_THAT(refused(std::string("body: wheel, model: brush, ground: hull, ") + numbers),
              AllOf(HasSubstr("model.yaml:8"), HasSubstr("did you mean `hill`")));
  EXPECT_THAT(refused(std::string("body: wheel, model: brush, ground: ball, ") + numbers),
              HasSubstr("is no plane"));
  EXPECT_THAT(refused(std::string("body: wheel, model: brush, axis: [0, 0, 1], ") + numbers),
              HasSubstr("lies on its side"));
  std::ofstream(folder_ / "t.tir") << "[MODEL]\nFITTYP = 99\n";
  EXPECT_THAT(refused("body: wheel, model: pacejka, file: t.tir"),
              AllOf(HasSubstr("t.tir:2"), HasSubstr("FITTYP")));
}

}  // namespace
}  // namespace cosimo
