// URDF, as http://wiki.ros.org/urdf/XML describes it.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "config/robot.hpp"
#include "config/robot_look.hpp"
#include "config/rules.hpp"
#include "config/xml_values.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::array<std::string_view, 4> in_robot{"link", "joint", "material", "transmission"};
constexpr std::array<std::string_view, 6> in_link{"inertial", "visual",  "collision",
                                                  "sensor",   "contact", "self_collision_checking"};
constexpr std::array<std::string_view, 9> in_joint{
    "parent", "child", "origin", "axis", "limit", "dynamics", "calibration", "safety_controller", "mimic"};
constexpr std::array<std::pair<std::string_view, Mobility>, 6> kinds{{
    {"fixed", Mobility::fixed},
    {"revolute", Mobility::revolute},
    {"continuous", Mobility::revolute},
    {"prismatic", Mobility::prismatic},
    {"floating", Mobility::floating},
    {"planar", Mobility::planar},
}};

Mat3 of_roll_pitch_yaw(double roll, double pitch, double yaw) {
  if (roll == 0 && pitch == 0 && yaw == 0) return Mat3::Identity();
  return (Eigen::AngleAxisd(yaw, Vec3::UnitZ()) * Eigen::AngleAxisd(pitch, Vec3::UnitY()) *
          Eigen::AngleAxisd(roll, Vec3::UnitX()))
      .toRotationMatrix();
}

/// Extensions of other programs have names of their own spaces.
bool foreign(const XmlElement& element) {
  static constexpr std::array<std::string_view, 4> known{"gazebo", "ros2_control", "mujoco", "sensor"};
  return element.name.find(':') != std::string::npos || std::ranges::find(known, element.name) != known.end();
}

class Reader : XmlValues {
 public:
  Reader(const std::filesystem::path& file, Faults& faults) : XmlValues(faults), file_(file) {}

  Robot read(const XmlElement& root) {
    refuse_macros(root);
    if (faults_.size() > 0) faults_.raise();
    out_.position = root.position;
    for (const XmlElement& child : root.children) {
      if (child.name == "link") link(child);
      if (foreign(child)) leave_out(child.name);
      if (child.name == "transmission") leave_out("transmission");
    }
    XmlElement rest = root;
    std::erase_if(rest.children, foreign);
    refuse_unknown(rest, "robot", in_robot);
    if (out_.links.empty()) {
      complain(root, "robot", "", "has no links", "write `<link name=\"...\">`");
      faults_.raise();
    }
    for (const XmlElement& child : root.children)
      if (child.name == "joint") joint(child);
    tell();
    return std::move(out_);
  }

 private:
  void refuse_macros(const XmlElement& element) {
    const auto macro = [](const XmlElement::Attribute& a) {
      return a.value.find("${") != std::string::npos || a.value.find("$(") != std::string::npos;
    };
    const auto found = std::ranges::find_if(element.attributes, macro);
    if (element.name.starts_with("xacro:") || found != element.attributes.end())
      faults_.fatal(element.position, element.name,
                    found != element.attributes.end() ? found->value : std::string(),
                    {"the file is written with macros of xacro",
                     "run `xacro " + file_.filename().string() + " > robot.urdf` and use that file"});
    for (const XmlElement& child : element.children) refuse_macros(child);
  }

  void leave_out(const std::string& what) {
    if (std::ranges::find(left_out_, what) == left_out_.end()) left_out_.push_back(what);
  }

  Pose origin(const XmlElement& element, const std::string& path) const {
    const XmlElement* given = element.child("origin");
    Pose pose;
    if (given == nullptr) return pose;
    if (const auto xyz = numbers(*given, path + ".origin", "xyz", 3, 3))
      pose.r = {(*xyz)[0], (*xyz)[1], (*xyz)[2]};
    if (const auto rpy = numbers(*given, path + ".origin", "rpy", 3, 3))
      pose.R = of_roll_pitch_yaw((*rpy)[0], (*rpy)[1], (*rpy)[2]);
    return pose;
  }

  void link(const XmlElement& element) {
    const std::string name = required(element, "link", "name");
    if (name.empty()) return;
    if (!links_.emplace(name, out_.links.size()).second)
      return complain(element, "link.name", name, "another link has this name", "rename one of them");
    Link link;
    link.name = name;
    link.position = element.position;
    XmlElement own = element;
    std::erase_if(own.children, foreign);
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

  std::optional<Mass> mass(const XmlElement& element, const std::string& link) {
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

  void look(const XmlElement& element, const std::string& path, Link& link) {
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

  bool mesh(const XmlElement& shape, const std::string& path, Look& look) {
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

  std::optional<std::size_t> named_link(const XmlElement& joint, const char* end, const std::string& path) {
    const XmlElement* given = joint.child(end);
    if (given == nullptr) {
      complain(joint, path + "." + end, "", "is missing", std::string("write `<") + end + " link=\"...\"/>`");
      return std::nullopt;
    }
    const std::string name = required(*given, path + "." + end, "link");
    if (name.empty()) return std::nullopt;
    const auto found = links_.find(name);
    if (found != links_.end()) return found->second;
    std::vector<std::string_view> known;
    for (const Link& link : out_.links) known.push_back(link.name);
    complain(*given, path + "." + end + ".link", name, "there is no link of this name",
             name_remedy(name, known, "name one of the links"));
    return std::nullopt;
  }

  void joint(const XmlElement& element) {
    const std::string name = required(element, "joint", "name");
    if (name.empty()) return;
    if (std::ranges::any_of(out_.joints, [&](const Joint& j) { return j.name == name; }))
      return complain(element, "joint.name", name, "another joint has this name", "rename one of them");
    XmlElement own = element;
    std::erase_if(own.children, foreign);
    refuse_unknown(own, name, in_joint);
    if (element.child("safety_controller") != nullptr) leave_out("safety_controller");
    Joint joint;
    joint.name = name;
    joint.position = element.position;
    const std::string type = required(element, name, "type");
    const auto kind = std::ranges::find(kinds, type, &std::pair<std::string_view, Mobility>::first);
    if (kind == kinds.end()) {
      std::vector<std::string_view> known;
      for (const auto& [word, mobility] : kinds) known.push_back(word);
      if (!type.empty())
        complain(element, name + ".type", type, "there is no such joint",
                 name_remedy(type, known, "known: fixed, revolute, continuous, prismatic, floating, planar"));
      return;
    }
    joint.mobility = kind->second;
    joint.origin = origin(element, name);
    const auto parent = named_link(element, "parent", name), child = named_link(element, "child", name);
    motion(element, type, joint);
    if (!parent || !child) return;
    joint.parent = *parent;
    joint.child = *child;
    out_.joints.push_back(std::move(joint));
  }

  void motion(const XmlElement& element, const std::string& type, Joint& joint) {
    const std::string& name = joint.name;
    const bool single = joint.mobility == Mobility::revolute || joint.mobility == Mobility::prismatic;
    if (const XmlElement* axis = element.child("axis")) {
      if (const auto xyz = numbers(*axis, name + ".axis", "xyz", 3, 3)) {
        joint.axis = {(*xyz)[0], (*xyz)[1], (*xyz)[2]};
        if (joint.axis.isZero(0) && joint.mobility != Mobility::fixed)
          complain(*axis, name + ".axis.xyz", *axis->find("xyz"), "has no direction",
                   "write a vector that is not zero");
      }
    }
    if (const XmlElement* limit = element.child("limit"); limit != nullptr && single) {
      if (number(*limit, name + ".limit", "effort") || number(*limit, name + ".limit", "velocity"))
        loads_ = true;
      if (type != "continuous") bounds(*limit, joint);
    }
    if (const XmlElement* dynamics = element.child("dynamics")) laws(*dynamics, single, joint);
    if (const XmlElement* mimic = element.child("mimic")) follow(*mimic, joint);
  }

  void bounds(const XmlElement& limit, Joint& joint) {
    joint.lower = number(limit, joint.name + ".limit", "lower", 0);
    joint.upper = number(limit, joint.name + ".limit", "upper", 0);
    if (*joint.lower > *joint.upper)
      complain(limit, joint.name + ".limit.lower", *limit.find("lower"), "is above `upper`",
               "exchange the two");
  }

  void laws(const XmlElement& dynamics, bool single, Joint& joint) {
    const std::string path = joint.name + ".dynamics";
    static constexpr std::array<std::string_view, 2> known{"damping", "friction"};
    for (const auto& [name, text] : dynamics.attributes)
      if (std::ranges::find(known, name) == known.end())
        complain(dynamics, path + "." + name, text, "is not part of URDF",
                 name_remedy(name, known, "take it out, and add an element to the scenario"));
    joint.damping = number(dynamics, path, "damping", 0);
    joint.friction = number(dynamics, path, "friction", 0);
    for (const auto& [name, value] : {std::pair{"damping", joint.damping}, {"friction", joint.friction}})
      if (value < 0)
        complain(dynamics, path + "." + name, *dynamics.find(name), "is negative", "write a number >= 0");
    if (single || joint.mobility == Mobility::fixed || (joint.damping == 0 && joint.friction == 0)) return;
    complain(dynamics, path, "", "damping and friction are possible in revolute and prismatic joints alone",
             "take them out, and add elements between the bodies to the scenario");
  }

  void follow(const XmlElement& element, Joint& joint) {
    const std::string path = joint.name + ".mimic";
    Mimic mimic;
    mimic.joint = required(element, path, "joint");
    mimic.ratio = number(element, path, "multiplier", 1);
    mimic.position = element.position;
    if (number(element, path, "offset", 0) != 0)
      complain(element, path + ".offset", *element.find("offset"),
               "a gear ties joints from their zero positions on, and has no offset",
               "take the offset into the `origin` of the joint");
    if (!mimic.joint.empty()) joint.mimic = mimic;
  }

  void tell() {
    const std::string file = file_.filename().string();
    const auto list = [](const std::vector<std::string>& names) {
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
      return all;
    };
    if (!left_out_.empty()) faults_.note(file + ": left out: " + list(left_out_));
    if (loads_) faults_.note(file + ": limits of effort and velocity are left out");
    if (!unseen_.empty()) faults_.note(file + ": not in pictures (STL and OBJ files are): " + list(unseen_));
  }

  const std::filesystem::path& file_;
  Robot out_;
  std::unordered_map<std::string, std::size_t> links_;
  std::vector<std::string> left_out_, unseen_;
  bool loads_ = false;
};

}  // namespace

Robot read_urdf(const XmlElement& root, const std::filesystem::path& file, const RobotOptions&,
                Faults& faults) {
  return Reader(file, faults).read(root);
}

}  // namespace cosimo::config::robot
