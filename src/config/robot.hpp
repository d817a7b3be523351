// A robot as URDF and MJCF describe one: links, and the joints between them. Private to config/.
//
// A joint places the axes of its child in those of its parent: in its own zero position the child is at
// `origin`. Axis and anchor of a joint are given along the axes of the child, from its origin; there both
// formats have them.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/faults.hpp"
#include "config/robot_file.hpp"
#include "config/xml_tree.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config::robot {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 r = Vec3::Zero();

  Pose operator*(const Pose& inner) const { return {R * inner.R, R * inner.r + r}; }
  Vec3 operator*(const Vec3& point) const { return R * point + r; }
};

/// About its centre, along the axes of the link.
struct Mass {
  double mass = 0;
  Vec3 center = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// A shape for pictures, in the words of `look` (config/looks.hpp).
struct Look {
  enum class Kind { box, sphere, cylinder, capsule, mesh };
  Kind kind = Kind::box;
  Vec3 size = Vec3::Zero();  ///< edges; radius and length
  std::string file;
  double scale = 1;
  Pose pose;
  Position position;
};

struct Link {
  std::string name;
  Position position;
  std::optional<Mass> mass;
  std::vector<Look> looks;
  std::vector<std::pair<std::string, Vec3>> markers;
};

struct Mimic {
  std::string joint;
  double ratio = 1;
  Position position;
};

enum class Mobility { fixed, revolute, prismatic, cylindrical, universal, spherical, planar, floating };

struct Joint {
  std::string name;
  Position position;
  Mobility mobility = Mobility::fixed;
  std::size_t parent = 0, child = 0;
  Pose origin;
  Vec3 axis = Vec3::UnitX(), second_axis = Vec3::UnitY();
  Vec3 anchor = Vec3::Zero();
  double damping = 0, friction = 0, stiffness = 0;
  double rest = 0;  ///< where the spring of `stiffness` has no force
  std::optional<double> lower, upper;
  std::optional<Mimic> mimic;
};

/// Closes a loop: the links share a point, or do not move against each other.
struct Closure {
  std::string name;
  Position position;
  bool rigid = false;
  std::size_t first = 0, second = 0;
  Vec3 point = Vec3::Zero();  ///< along the axes of `first`
};

struct Robot {
  Position position;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Closure> closures;
};

/// Throw Error where nothing of use is left.
Robot read_urdf(const XmlElement& root, const std::filesystem::path& file, const RobotOptions& options,
                Faults& faults);
Robot read_mjcf(const XmlElement& root, const std::filesystem::path& file, const RobotOptions& options,
                Faults& faults);

/// Complains about loops, several roots and links without mass that a joint moves.
Node tree_of(const Robot& robot, const RobotOptions& options, Faults& faults);

Mass moved(const Mass& mass, const Pose& pose);
Mass sum(const Mass& a, const Mass& b);

}  // namespace cosimo::config::robot
