// Numbers that are measured on a mechanism:
//
//   distance       |r_to - r_from| of two points
//   position       r.n of a point, n a direction along the global axes
//   joint_value    the angle or displacement of a joint; joint_rate its speed
//   speed          |v| or v.n of a point; acceleration likewise
//   force          of an element on its `to` body, of a joint on its last body: |F|, F.n, or along the axis
//                  of the joint in which it acts, where it acts in one; torque likewise. Of a law over many
//                  bodies one of its numbers, or |F|, F.n of three
//   power          of an element on the bodies, of a motor on its joint
//   formula        of t, coordinates of bodies and joints, and sensors before it
//
// All but the last four follow from places and velocities alone, and formulas of such sensors do. The others
// need accelerations and reactions, which only results know.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "mechanics/force_element.hpp"
#include "mechanics/joint_coordinate.hpp"
#include "numerics/expression.hpp"

namespace cosimo {

/// What a formula knows beside t.
struct Measured {
  enum class What : std::uint8_t { sensor, joint_value, joint_rate, coordinate, coordinate_rate };
  What what = What::sensor;
  std::size_t number = 0;     ///< of the sensor, or of the joint's coordinate
  BodyId body;                ///< of a coordinate
  std::size_t component = 0;  ///< of a coordinate: x, y, z of the reference point, 3: the angle in the plane
};

struct Sensor {
  enum class Kind : std::uint8_t {
    distance,
    position,
    joint_value,
    joint_rate,
    speed,
    acceleration,
    force,
    torque,
    power,
    formula
  };
  std::string name;
  Kind kind = Kind::distance;
  Marker from, to;                          ///< the point is `to`
  std::optional<Vec3> direction{};          ///< empty: the magnitude
  std::optional<std::size_t> coordinate{};  ///< place in Mechanism::joint_coordinates
  std::optional<std::size_t> element{}, constraint{};
  std::optional<Range> readings{};  ///< of a law over many bodies: one number, or a vector
  bool opposite = false;            ///< of that vector
  std::optional<Expression> formula{};
  std::vector<Measured> known{};  ///< by the formula, behind t
};

/// A mechanism at an instant. What only results know may be empty where no sensor asks for it.
struct SensorView {
  double t = 0;
  std::span<const Frame> centres;  ///< of all bodies
  std::span<const JointReadings::Reading> joints;
  std::span<const Vec6> accelerations{};  ///< of all bodies: of the centre, and of the rotation
  std::span<const Effort> efforts{};      ///< of all elements
  std::span<const double> reactions{};    ///< of all constraints: force and torque
  std::span<const double> readings{};     ///< of all laws over many bodies (ForceGroup::readings)
};

struct Mechanism;

class SensorReadings {
 public:
  /// The mechanism must outlive it.
  explicit SensorReadings(const Mechanism& mechanism);
  /// Of these alone, and what their formulas know.
  SensorReadings(const Mechanism& mechanism, std::span<const std::size_t> wanted);

  std::size_t size() const { return values_.size(); }
  bool asks_for_accelerations() const { return accelerated_; }
  void evaluate(const SensorView& at);
  std::span<const double> values() const { return values_; }

 private:
  void want(std::size_t sensor);

  const Mechanism& mechanism_;
  std::vector<double> values_, arguments_;
  std::vector<bool> wanted_;
  bool accelerated_ = false;
};

/// Whether it follows from places and velocities alone.
bool follows_from_state(std::span<const Sensor> sensors, std::size_t sensor);

/// What of a mechanism a sensor looks at.
struct Looked {
  std::vector<BodyId> bodies;            ///< ascending
  std::vector<std::size_t> coordinates;  ///< of joints, ascending
};
Looked looked_at(const Mechanism& mechanism, std::span<const std::size_t> sensors);

}  // namespace cosimo
