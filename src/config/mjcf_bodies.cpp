#include "config/mjcf_bodies.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "config/mjcf_joints.hpp"
#include "config/robot_look.hpp"
#include "config/rules.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::array<std::string_view, 10> in_body{"inertial", "joint", "freejoint", "geom",   "site",
                                                   "camera",   "light", "body",      "plugin", "user"};
const char* const plain =
    "open the file in MuJoCo and save it: what it writes (mj_saveLastXML) has no such things";

}  // namespace

std::string MjcfBodies::name_of(const XmlElement& element, const std::string& otherwise) {
  const std::string* given = element.find("name");
  return given != nullptr && !given->empty() ? *given : otherwise;
}

void MjcfBodies::bodies(const XmlElement& parent, std::size_t link, const std::string& inherited,
                        const std::string& path) {
  refuse_parts(parent, path);
  std::optional<Mass> weight;
  const XmlElement* inertial = parent.child("inertial");
  const bool given = inertial != nullptr && compiler_.inertiafromgeom != "true";
  const bool weigh = link != 0 && !given && compiler_.inertiafromgeom != "false";
  std::size_t number = 0;
  for (const XmlElement& child : parent.children) {
    if (child.name == "geom") {
      const std::string own = path + ".geom" + std::to_string(++number);
      const auto one = geom(completed(child, inherited), own, weigh, out_.links[link]);
      if (one) weight = weight ? sum(*weight, *one) : *one;
    }
    if (child.name == "site") {
      const XmlElement site = completed(child, inherited);
      if (site.find("name") != nullptr && link != 0)
        out_.links[link].markers.emplace_back(*site.find("name"),
                                              vector(site, path + ".site", "pos", Vec3::Zero()));
    }
  }
  if (given && link != 0) weight = inertia(*inertial, path + ".inertial");
  if (weight) bound(*weight);
  if (link != 0) out_.links[link].mass = weight;
  for (const XmlElement& child : parent.children)
    if (child.name == "body") body(child, link, inherited);
}

void MjcfBodies::refuse_parts(const XmlElement& parent, const std::string& path) {
  for (const XmlElement& child : parent.children)
    if (std::ranges::find(in_body, child.name) == in_body.end())
      complain(child, path + "." + child.name, "", "the element is not known here",
               name_remedy(child.name, in_body, plain));
  if (parent.child("plugin") != nullptr)
    complain(*parent.child("plugin"), path + ".plugin", "", "plugins are not possible here", "take it out");
}

void MjcfBodies::bound(Mass& mass) const {
  mass.mass = std::max(mass.mass, compiler_.boundmass);
  for (int i = 0; i < 3; ++i) mass.inertia(i, i) = std::max(mass.inertia(i, i), compiler_.boundinertia);
}

std::optional<Mass> MjcfBodies::inertia(const XmlElement& element, const std::string& path) {
  if (required(element, path, "mass").empty()) return std::nullopt;
  const auto mass = number(element, path, "mass");
  const auto three = numbers(element, path, "diaginertia", 3, 3);
  const auto six = numbers(element, path, "fullinertia", 6, 6);
  if (!mass || (!three && !six)) {
    if (element.find("diaginertia") == nullptr && element.find("fullinertia") == nullptr)
      complain(element, path + ".diaginertia", "", "is missing", "write `diaginertia` or `fullinertia`");
    return std::nullopt;
  }
  Mass out;
  out.mass = *mass;
  if (six)
    out.inertia << (*six)[0], (*six)[3], (*six)[4], (*six)[3], (*six)[1], (*six)[5], (*six)[4], (*six)[5],
        (*six)[2];
  else
    out.inertia.diagonal() << (*three)[0], (*three)[1], (*three)[2];
  if (*mass == 0 && out.inertia.isZero(0)) return std::nullopt;
  if (!(*mass > 0))
    complain(element, path + ".mass", *element.find("mass"), "must be > 0", "write a mass > 0");
  else if (!is_inertia(out.inertia))
    complain(element, path + (six ? ".fullinertia" : ".diaginertia"), text_of(out.inertia),
             "is not positive definite", "check the moments and the signs of the products");
  else
    return moved(out, pose(element, path));
  return std::nullopt;
}

void MjcfBodies::body(const XmlElement& element, std::size_t parent, const std::string& outer) {
  Link link;
  link.name = name_of(element, "body" + std::to_string(out_.links.size()));
  link.position = element.position;
  if (!links_.emplace(link.name, out_.links.size()).second || link.name == "world")
    complain(element, "body.name", link.name,
             link.name == "world" ? "is the name of the ground" : "another body has this name", "rename it");
  if (number(element, link.name, "gravcomp", 0) != 0)
    complain(element, link.name + ".gravcomp", *element.find("gravcomp"),
             "a body without weight is not possible here",
             "take it out, and add an `applied` force to the scenario");
  if (const std::string* mocap = element.find("mocap"); mocap != nullptr && *mocap == "true")
    complain(element, link.name + ".mocap", *mocap, "is not possible here",
             "take it out, and drive a joint of the body by a motor");
  const std::string* given = element.find("childclass");
  const std::string inherited = given != nullptr ? *given : outer;
  Joint joint;
  joint.name = link.name + "_weld";
  joint.position = element.position;
  joint.parent = parent;
  joint.child = out_.links.size();
  joint.origin = pose(element, link.name);
  const std::string path = link.name;
  out_.links.push_back(std::move(link));
  std::vector<Joint> freedoms;
  for (const XmlElement& child : element.children)
    if (child.name == "joint" || child.name == "freejoint")
      freedoms.push_back(freedom(child, inherited, joint, freedoms.size()));
  out_.joints.push_back(combined(std::move(freedoms), joint, element));
  bodies(element, joint.child, inherited, path);
}

Joint MjcfBodies::freedom(const XmlElement& element, const std::string& inherited, const Joint& holder,
                          std::size_t before) {
  const XmlElement given = element.name == "freejoint" ? element : completed(element, inherited);
  Joint joint = holder;
  joint.position = element.position;
  const std::string& body = out_.links[holder.child].name;
  joint.name = name_of(element, body + "_joint" + (before > 0 ? std::to_string(before + 1) : ""));
  if (!joints_.insert(joint.name).second)
    complain(element, "joint.name", joint.name, "another joint has this name", "rename one of them");
  const std::string* word = given.find("type");
  const std::string type = element.name == "freejoint" ? "free" : word != nullptr ? *word : "hinge";
  static constexpr std::array<std::pair<std::string_view, Mobility>, 4> known{{{"hinge", Mobility::revolute},
                                                                               {"slide", Mobility::prismatic},
                                                                               {"ball", Mobility::spherical},
                                                                               {"free", Mobility::floating}}};
  const auto found = std::ranges::find(known, type, &std::pair<std::string_view, Mobility>::first);
  if (found == known.end()) {
    complain(element, joint.name + ".type", type, "there is no such joint",
             "known: hinge, slide, ball, free");
    return joint;
  }
  joint.mobility = found->second;
  joint.anchor = vector(given, joint.name, "pos", Vec3::Zero());
  joint.axis = vector(given, joint.name, "axis", Vec3::UnitZ());
  if (joint.axis.isZero(0))
    complain(element, joint.name + ".axis", *given.find("axis"), "has no direction",
             "write a vector that is not zero");
  laws(given, joint);
  return joint;
}

void MjcfBodies::laws(const XmlElement& given, Joint& joint) {
  const std::string& path = joint.name;
  const auto at_least_zero = [&](const char* name) {
    const double value = number(given, path, name, 0);
    if (value < 0)
      complain(given, path + "." + name, *given.find(name), "is negative", "write a number >= 0");
    return value;
  };
  joint.stiffness = at_least_zero("stiffness");
  joint.damping = at_least_zero("damping");
  joint.friction = at_least_zero("frictionloss");
  if (const double rotor = at_least_zero("armature"); rotor > 0) {
    armature_ = true;
    if (!options_.ignore_armature)
      complain(given, path + ".armature", *given.find("armature"),
               "inertia in a joint, of a rotor that turns faster, is not possible here",
               "write `import: {armature: ignore}` beside `use`, or add the rotor as a body with a gear");
  }
  if (given.find("springdamper") != nullptr)
    complain(given, path + ".springdamper", *given.find("springdamper"), "is not possible here",
             "write `stiffness` and `damping`");
  const bool single = joint.mobility == Mobility::revolute || joint.mobility == Mobility::prismatic;
  const auto angle = [&](double value) {
    return joint.mobility == Mobility::revolute ? radians(value) : value;
  };
  const double ref = number(given, path, "ref", 0);
  joint.rest = angle(number(given, path, "springref", 0) - ref);
  const std::string* limited = given.find("limited");
  const bool may = limited == nullptr || *limited == "auto" ? compiler_.autolimits : *limited == "true";
  const auto range = numbers(given, path, "range", 2, 2);
  if (!single || !range || !may) return;
  joint.lower = angle((*range)[0] - ref);
  joint.upper = angle((*range)[1] - ref);
  if (*joint.lower > *joint.upper)
    complain(given, path + ".range", *given.find("range"), "does not ascend", "exchange the two");
}

/// Several freedoms of a body are one joint of another kind.
Joint MjcfBodies::combined(std::vector<Joint> freedoms, const Joint& weld, const XmlElement& element) {
  if (freedoms.empty()) return weld;
  const bool single = freedoms.size() == 1;
  std::optional<Joint> out = single ? std::optional(freedoms[0]) : combine(freedoms);
  if (!out) {
    complain(element, out_.links[weld.child].name, "",
             "has " + std::to_string(freedoms.size()) + " joints that together are no joint known here",
             "put a body of small mass and inertia between them: one joint each");
    return weld;
  }
  if (single && (out->mobility == Mobility::revolute || out->mobility == Mobility::prismatic)) return *out;
  for (const Joint& each : freedoms)
    if (each.damping > 0 || each.stiffness > 0 || each.friction > 0)
      complain(element, each.name, "",
               "damping, stiffness and friction are possible in single hinges and slides alone",
               "take them out, or put a body of small mass and inertia between the joints");
  return *out;
}

}  // namespace cosimo::config::robot
