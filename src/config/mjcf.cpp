// MJCF, the rigid bodies and joints of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

#include "config/mjcf_geoms.hpp"
#include "config/mjcf_joints.hpp"
#include "config/robot_look.hpp"
#include "config/rules.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::array<std::string_view, 18> in_root{
    "compiler", "option",    "size",    "visual",  "statistic", "default",
    "asset",    "worldbody", "contact", "tendon",  "actuator",  "sensor",
    "keyframe", "equality",  "custom",  "include", "extension", "deformable"};
constexpr std::array<std::string_view, 10> in_body{"inertial", "joint", "freejoint", "geom",   "site",
                                                   "camera",   "light", "body",      "plugin", "user"};
const char* const plain =
    "open the file in MuJoCo and save it: what it writes (mj_saveLastXML) has no such things";

class Reader : MjcfGeoms {
 public:
  Reader(const XmlElement& root, const std::filesystem::path& file, const RobotOptions& options,
         Faults& faults)
      : MjcfGeoms(root, file, faults), options_(options) {}

  Robot read(const XmlElement& root) {
    out_.position = root.position;
    refuse_unknown(root, "mujoco", in_root);
    Link world;
    world.name = "world";
    world.position = root.position;
    out_.links.push_back(world);
    for (const XmlElement& child : root.children) section(child);
    for (const XmlElement& child : root.children)
      if (child.name == "equality")
        for (const XmlElement& each : child.children) equality(each);
    if (out_.links.size() == 1 && faults_.empty())
      complain(root, "worldbody", "", "has no bodies", "write `<worldbody><body .../></worldbody>`");
    tell();
    return std::move(out_);
  }

 private:
  void section(const XmlElement& child) {
    if (child.name == "option") option(child);
    if (child.name == "worldbody") bodies(child, 0, "main", "worldbody");
    for (const char* name : {"contact", "actuator", "sensor", "keyframe"})
      if (child.name == name && !child.children.empty()) left_out_.insert(name);
    if (child.name == "tendon")
      for (const XmlElement& each : child.children) tendon(completed(each, "main"));
    for (const char* name : {"extension", "deformable"})
      if (child.name == name && !child.children.empty())
        complain(child, name, "", "acts on the bodies, and is not possible here", "take it out");
  }

  void option(const XmlElement& option) {
    for (const char* medium : {"density", "viscosity"})
      if (number(option, "option", medium, 0) > 0)
        complain(option, std::string("option.") + medium, *option.find(medium),
                 "a medium around the bodies is not possible here",
                 "take it out, and add `applied` forces to the scenario");
    if (const auto gravity = numbers(option, "option", "gravity", 3, 3)) gravity_ = *option.find("gravity");
  }

  /// Tendons pull without being driven if they are springs.
  void tendon(const XmlElement& tendon) {
    left_out_.insert("tendon");
    for (const char* name : {"stiffness", "damping", "frictionloss", "armature"}) {
      const auto value = numbers(tendon, "tendon", name, 1, 3);
      if (value && value->front() > 0)
        complain(tendon, std::string("tendon.") + name, *tendon.find(name),
                 "a tendon that pulls by itself is not possible here",
                 "take it out, and add a `spring` or a `law` to the scenario");
    }
    if (const std::string* limited = tendon.find("limited");
        tendon.find("range") != nullptr && (limited == nullptr || *limited != "false"))
      complain(tendon, "tendon.range", *tendon.find("range"), "limits of tendons are not possible here",
               "take the range out, and add a `law` to the scenario");
  }

  std::string name_of(const XmlElement& element, const std::string& otherwise) {
    const std::string* given = element.find("name");
    return given != nullptr && !given->empty() ? *given : otherwise;
  }

  /// What a body, or the world, holds.
  void bodies(const XmlElement& parent, std::size_t link, const std::string& inherited,
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

  void refuse_parts(const XmlElement& parent, const std::string& path) {
    for (const XmlElement& child : parent.children)
      if (std::ranges::find(in_body, child.name) == in_body.end())
        complain(child, path + "." + child.name, "", "the element is not known here",
                 name_remedy(child.name, in_body, plain));
    if (parent.child("plugin") != nullptr)
      complain(*parent.child("plugin"), path + ".plugin", "", "plugins are not possible here", "take it out");
  }

  void bound(Mass& mass) const {
    mass.mass = std::max(mass.mass, compiler_.boundmass);
    for (int i = 0; i < 3; ++i) mass.inertia(i, i) = std::max(mass.inertia(i, i), compiler_.boundinertia);
  }

  std::optional<Mass> inertia(const XmlElement& element, const std::string& path) {
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

  void body(const XmlElement& element, std::size_t parent, const std::string& outer) {
    Link link;
    link.name = name_of(element, "body" + std::to_string(out_.links.size()));
    link.position = element.position;
    if (!links_.emplace(link.name, out_.links.size()).second || link.name == "world")
      complain(element, "body.name", link.name,
               link.name == "world" ? "is the name of the ground" : "another body has this name",
               "rename it");
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

  Joint freedom(const XmlElement& element, const std::string& inherited, const Joint& holder,
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
    static constexpr std::array<std::pair<std::string_view, Mobility>, 4> known{
        {{"hinge", Mobility::revolute},
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

  void laws(const XmlElement& given, Joint& joint) {
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
  Joint combined(std::vector<Joint> freedoms, const Joint& weld, const XmlElement& element) {
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

  std::optional<std::size_t> linked(const XmlElement& element, const std::string& path, const char* name) {
    const std::string given = required(element, path, name);
    if (given == "world") return 0;
    const auto found = links_.find(given);
    if (found != links_.end()) return found->second;
    std::vector<std::string_view> known;
    for (const Link& link : out_.links) known.push_back(link.name);
    if (!given.empty())
      complain(element, path + "." + name, given, "there is no body of this name",
               name_remedy(given, known, "name one of the bodies"));
    return std::nullopt;
  }

  void equality(const XmlElement& element) {
    const XmlElement given = completed(element, "main");
    if (const std::string* active = given.find("active"); active != nullptr && *active == "false") return;
    const std::string path = name_of(given, given.name + std::to_string(++equalities_));
    if (given.name == "joint") return tie(given, path);
    if (given.name != "connect" && given.name != "weld")
      return complain(element, "equality." + given.name, "", "is not possible here",
                      "possible: connect, weld, joint");
    if (given.find("site1") != nullptr)
      return complain(element, path + ".site1", *given.find("site1"), "sites are not possible here",
                      "write `body1`, `body2` and `anchor`");
    Closure closure;
    closure.name = path;
    closure.position = element.position;
    closure.rigid = given.name == "weld";
    if (closure.rigid && given.find("relpose") != nullptr &&
        numbers_of(*given.find("relpose")) != std::vector<double>{0, 1, 0, 0, 0, 0, 0})
      complain(element, path + ".relpose", *given.find("relpose"), "is not possible here",
               "take it out: the bodies are welded where they are");
    const auto first = linked(given, path, "body1");
    const auto second =
        given.find("body2") != nullptr ? linked(given, path, "body2") : std::optional<std::size_t>(0);
    if (!closure.rigid && required(given, path, "anchor").empty()) return;
    if (!first || !second) return;
    closure.first = *first;
    closure.second = *second;
    if (!closure.rigid) closure.point = vector(given, path, "anchor", Vec3::Zero());
    out_.closures.push_back(closure);
    hard_ = true;
  }

  /// joint1 = a0 + a1 joint2 + ...
  void tie(const XmlElement& given, const std::string& path) {
    const std::string follower = required(given, path, "joint1");
    const auto joint = std::ranges::find(out_.joints, follower, &Joint::name);
    if (follower.empty()) return;
    if (joint == out_.joints.end())
      return complain(given, path + ".joint1", follower, "there is no joint of this name",
                      "name one of the joints");
    const auto a = numbers(given, path, "polycoef", 1, 5).value_or(std::vector<double>{0, 1});
    const bool linear =
        a.size() > 1 && a[0] == 0 && std::all_of(a.begin() + 2, a.end(), [](double x) { return x == 0; });
    if (!linear || given.find("joint2") == nullptr)
      return complain(given, path + ".polycoef", given.find("polycoef") ? *given.find("polycoef") : "",
                      "only the ratio of two joints can be given",
                      "write `joint2` and `polycoef=\"0 ratio 0 0 0\"`");
    joint->mimic = Mimic{*given.find("joint2"), a[1], given.position};
    hard_ = true;
  }

  void tell() {
    const std::string file = file_.filename().string();
    std::string names;
    for (const std::string& each : left_out_) names += (names.empty() ? "" : ", ") + each;
    if (!names.empty()) faults_.note(file + ": left out: " + names);
    if (!gravity_.empty())
      faults_.note(file + ": its gravity, " + gravity_ + ", is left out: that of the scenario acts");
    if (armature_ && options_.ignore_armature)
      faults_.note(file + ": armature is ignored: joints move more easily than there");
    if (hard_) faults_.note(file + ": equality holds exactly: solref and solimp are left out");
    names.clear();
    for (const std::string& each : unseen_) names += (names.empty() ? "" : ", ") + each;
    if (!names.empty()) faults_.note(file + ": not in pictures: " + names);
    faults_.note(file + ": bodies do not touch each other; elements of the scenario make them");
  }

  const RobotOptions& options_;
  Robot out_;
  std::unordered_map<std::string, std::size_t> links_;
  std::set<std::string> joints_, left_out_;
  std::string gravity_;
  int equalities_ = 0;
  bool armature_ = false, hard_ = false;
};

}  // namespace

Robot read_mjcf(const XmlElement& root, const std::filesystem::path& file, const RobotOptions& options,
                Faults& faults) {
  XmlElement whole = root;
  include_mjcf(whole, file, faults);
  return Reader(whole, file, options, faults).read(whole);
}

}  // namespace cosimo::config::robot
