// URDF, as http://wiki.ros.org/urdf/XML describes it.
#include <algorithm>
#include <array>
#include <string_view>

#include "config/rules.hpp"
#include "config/urdf_links.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::array<std::string_view, 4> in_robot{"link", "joint", "material", "transmission"};
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

class Reader : UrdfLinks {
 public:
  using UrdfLinks::UrdfLinks;

  Robot read(const XmlElement& root) {
    refuse_macros(root);
    out_.position = root.position;
    for (const XmlElement& child : root.children) {
      if (child.name == "link") link(child);
      if (is_foreign(child)) leave_out(child.name);
      if (child.name == "transmission") leave_out("transmission");
    }
    XmlElement rest = root;
    std::erase_if(rest.children, is_foreign);
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
    std::erase_if(own.children, is_foreign);
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

  bool loads_ = false;
};

}  // namespace

Robot read_urdf(const XmlElement& root, const std::filesystem::path& file, const RobotOptions&,
                Faults& faults) {
  return Reader(file, faults).read(root);
}

}  // namespace cosimo::config::robot
