// The coordinates of joints as users see them: the angle of a revolute joint, the displacement of a prismatic
// one, both of a cylindrical one, from the placement of the bodies (mechanics/along.hpp). They are read off
// the bodies, nothing depends on them.
//
// Angles between bodies in space are known up to whole turns from an instant alone. JointReadings counts
// turns from one instant at which it is asked to the next, by the rate of the angle, which is known exactly
// at both: with h between them the angle has advanced by nearly h (w0 + w1)/2, and the value is the one
// nearest to that. The error of this guess is h^3 w''/12, which must stay below half a turn.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "mechanics/along.hpp"
#include "mechanics/joints.hpp"

namespace cosimo {

struct JointCoordinate {
  std::string joint;
  std::string value_name, rate_name;  ///< "angle" and "speed", ...
  Along along = Along::angle;
  Marker from, to;
  bool in_space = false;  ///< an angle whose turns the bodies do not count
  double start = 0;       ///< where it begins, with its turns
};

/// None for joints that have no coordinate of one number.
std::vector<JointCoordinate> joint_coordinates_of(const std::string& joint, JointKind kind,
                                                  const JointSides& sides);

class JointReadings {
 public:
  explicit JointReadings(std::span<const JointCoordinate> coordinates);

  std::vector<std::string> columns() const;  ///< "pivot.angle", "pivot.speed", ...
  std::size_t size() const { return coordinates_.size(); }
  bool counts_turns() const { return counts_; }
  struct Reading {
    double value = 0, rate = 0;
  };
  /// `centres`: of all bodies of the mechanism.
  void evaluate(double t, std::span<const Frame> centres);
  std::span<const Reading> readings() const { return readings_; }
  /// The same without counting on from there.
  void read(double t, std::span<const Frame> centres, std::span<Reading> out) const;
  /// What it counts on from.
  void archive(Archive& a) { a(begun_, t_, readings_); }

 private:
  std::span<const JointCoordinate> coordinates_;
  std::vector<Reading> readings_;
  double t_ = 0;
  bool begun_ = false, counts_ = false;
};

/// Where a marker is among the frames of all bodies.
Frame marker_at(std::span<const Frame> centres, const Marker& marker);

}  // namespace cosimo
