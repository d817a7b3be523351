// MJCF, the rigid bodies and joints of it.
#include <algorithm>
#include <array>
#include <set>

#include "config/mjcf_bodies.hpp"
#include "config/rules.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::array<std::string_view, 18> in_root{
    "compiler", "option",    "size",    "visual",  "statistic", "default",
    "asset",    "worldbody", "contact", "tendon",  "actuator",  "sensor",
    "keyframe", "equality",  "custom",  "include", "extension", "deformable"};
class Reader : MjcfBodies {
 public:
  using MjcfBodies::MjcfBodies;

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

  std::set<std::string> left_out_;
  std::string gravity_;
  int equalities_ = 0;
  bool hard_ = false;
};

}  // namespace

Robot read_mjcf(const XmlElement& root, const std::filesystem::path& file, const RobotOptions& options,
                Faults& faults) {
  XmlElement whole = root;
  include_mjcf(whole, file, faults);
  return Reader(whole, file, options, faults).read(whole);
}

}  // namespace cosimo::config::robot
