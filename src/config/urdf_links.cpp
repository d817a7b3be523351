#include "config/urdf_links.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "config/robot_look.hpp"
#include "config/rules.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::array<std::string_view, 6> in_link{"inertial", "visual",  "collision",
                                                  "sensor",   "contact", "self_collision_checking"};

Mat3 of_roll_pitch_yaw(double roll, double pitch, double yaw) {
  if (roll == 0 && pitch == 0 && yaw == 0) return Mat3::Identity();
  return (Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
          Eigen::AngleAxisd(roll, Vec3::UnitX()))
      .toRotationMatrix();
}

}  // namespace

bool is_foreign(const XmlElement& element) {
  static constexpr std::array<std::string_view, 4> known{"gazebo", "ros2_control", "mujoco", "sensor"};
  return element.name.find(':') != std::string::npos || std::ranges::find(known, element.name) != known.end();
}

void UrdfLinks::leave_out(const std::string& what) {
  if (std::ranges::find(left_out_, what) == left_out_.end()) left_out_.push_back(what);
}

Pose UrdfLinks::origin(const XmlElement& element, const std::string& path) const {
  const XmlElement* given = element.child("origin");
  Pose pose;
  if (given == nullptr) return pose;
  if (const auto xyz = numbers(*given, path + ".origin", "xyz", 3, 3))
    pose.r = {(*xyz)[0], (*xyz)[1], (*xyz)[2]};
  if (const auto rpy = numbers(*given, path + ".origin", "rpy", 3, 3))
    pose.R = of_roll_pitch_yaw((*rpy)[0], (*rpy)[1], (*rpy)[2]);
  return pose;
}

void UrdfLinks::link(const XmlElement& element) {
  const std::string name = required(element, "link", "name");
  if (name.empty()) return;
  if (!links_.emplace(name, out_.links.size()).second)
    return complain(element, "link.name", name, "another link has this name", "rename one of them");
  Link link;
  link.name = name;
  link.position = element.position;
  XmlElement own = element;
  std::erase_if(own.children, is_foreign);
  refuse_unknown(own, name, in_link);
  for (const char* extra : {"sensor", "contact"})
    if (element.child(extra) != nullptr) leave_out(extra);
  if (const XmlElement* inertial = element.child("inertial")) link.mass = mass(*inertial, name);
  // What is hit is a picture where nothing is seen.
  for (const char* kind : {"visual", "collision"}) {
    if (!link.looks.empty()) break;
    for (const XmlElement& child : element.children)
      if (child.name == kind) look(child, name + "." + kind, link);
  }
  out_.links.push_back(std::move(link));
}

std::optional<Mass> UrdfLinks::mass(const XmlElement& element, const std::string& link) {
  const std::string path = link + ".inertial";
  const XmlElement *weight = element.child("mass"), *tensor = element.child("inertia");
  if (weight == nullptr || tensor == nullptr) {
    complain(element, path + (weight == nullptr ? ".mass" : ".inertia"), "", "is missing",
             weight == nullptr ? "write `<mass value=\"...\"/>`"
                               : "write `<inertia ixx=\"...\" iyy=\"...\" izz=\"...\" .../>`");
    return std::nullopt;
  }
  if (required(*weight, path + ".mass", "value").empty()) return std::nullopt;
  const auto value = number(*weight, path + ".mass", "value");
  if (!value) return std::nullopt;
  Mat3 inertia = Mat3::Zero();
  static constexpr std::array<const char*, 6> names{"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  static constexpr std::array<std::pair<int, int>, 6> places{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < 3 && required(*tensor, path + ".inertia", names[i]).empty()) return std::nullopt;
    const double entry = number(*tensor, path + ".inertia", names[i], 0);
    const auto [row, column] = places[i];
    inertia(row, column) = inertia(column, row) = entry;
  }
  if (*value < 0) {
    complain(*weight, path + ".mass.value", *weight->find("value"), "is negative", "write a mass > 0");
    return std::nullopt;
  }
  if (*value == 0 && inertia.isZero(0)) return std::nullopt;
  if (*value == 0 || inertia.isZero(0)) {
    complain(element, path, "", *value == 0 ? "has an inertia, but no mass" : "has a mass, but no inertia",
             "write both, or take `<inertial>` out of a link that a fixed joint holds");
    return std::nullopt;
  }
  const Pose pose = origin(element, path);
  if (!is_inertia(inertia)) {
    complain(*tensor, path + ".inertia", text_of(inertia), "is not positive definite",
             "check the moments, and the signs of ixy, ixz and iyz");
    return std::nullopt;
  }
  return moved({*value, Vec3::Zero(), inertia}, pose);
}

void UrdfLinks::look(const XmlElement& element, const std::string& path, Link& link) {
  const XmlElement* geometry = element.child("geometry");
  if (geometry == nullptr || geometry->children.empty())
    return complain(element, path + ".geometry", "", "is missing",
                    "write `<geometry><box size=\"1 1 1\"/></geometry>`");
  const XmlElement& shape = geometry->children.front();
  Look look;
  look.position = shape.position;
  look.pose = origin(element, path);
  const std::string own = path + "." + shape.name;
  const auto size = [&](const char* name) {
    const auto given = required(shape, own, name).empty() ? std::nullopt : number(shape, own, name);
    if (given && !(*given > 0))
      complain(shape, own + "." + name, *shape.find(name), "must be > 0", "write a number > 0");
    return given.value_or(0);
  };
  if (shape.name == "box") {
    const auto edges =
        required(shape, own, "size").empty() ? std::nullopt : numbers(shape, own, "size", 3, 3);
    if (!edges) return;
    look.size = {(*edges)[0], (*edges)[1], (*edges)[2]};
    if (!(look.size.minCoeff() > 0))
      complain(shape, own + ".size", *shape.find("size"), "must be > 0", "write three numbers > 0");
  } else if (shape.name == "sphere") {
    look.kind = Look::Kind::sphere;
    look.size = {size("radius"), 0, 0};
  } else if (shape.name == "cylinder" || shape.name == "capsule") {
    look.kind = shape.name == "cylinder" ? Look::Kind::cylinder : Look::Kind::capsule;
    look.size = {size("radius"), size("length"), 0};
  } else if (shape.name == "mesh") {
    if (!mesh(shape, own, look)) return;
  } else {
    static constexpr std::array<std::string_view, 5> known{"box", "sphere", "cylinder", "capsule", "mesh"};
    return complain(shape, own, "", "the shape is not known",
                    name_remedy(shape.name, known, "known: box, sphere, cylinder, capsule, mesh"));
  }
  link.looks.push_back(std::move(look));
}

bool UrdfLinks::mesh(const XmlElement& shape, const std::string& path, Look& look) {
  const std::string given = required(shape, path, "filename");
  if (given.empty()) return false;
  const auto found = find_mesh(given, file_);
  if (!found) {
    complain(shape, path + ".filename", given, "there is no such file",
             given.starts_with("package://")
                 ? "put the package beside the file or in a folder above it, or write a name relative to it"
                 : "names are relative to the file that names them");
    return false;
  }
  look.kind = Look::Kind::mesh;
  look.file = *found;
  if (const auto scale = numbers(shape, path, "scale", 1, 3)) {
    look.scale = scale->front();
    if (std::ranges::any_of(*scale, [&](double s) { return s != look.scale || !(s > 0); })) {
      unseen_.push_back(given + " (scaled differently along its axes)");
      return false;
    }
  }
  if (is_readable_mesh(look.file)) return true;
  unseen_.push_back(given);
  return false;
}

}  // namespace cosimo::config::robot
