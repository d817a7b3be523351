// From a robot to the tree of a model.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/robot_groups.hpp"
#include "config/robot_nodes.hpp"

namespace cosimo::config::robot {

namespace {

constexpr std::int64_t most_teeth = 1000;
/// How far a joint with dry friction yields before it slides, rad or m.
constexpr double yield_of_turns = 1e-3, yield_of_slides = 1e-4;

std::string_view word_of(Mobility mobility) {
  static constexpr std::array<std::string_view, 8> words{"fixed",     "revolute",  "prismatic", "cylindrical",
                                                         "universal", "spherical", "planar",    "floating"};
  return words[static_cast<std::size_t>(mobility)];
}

/// Whole numbers p and q with p/q = ratio.
std::optional<std::array<std::int64_t, 2>> whole_ratio(double ratio) {
  for (std::int64_t q = 1; q <= most_teeth; ++q) {
    const double p = ratio * static_cast<double>(q);
    if (std::abs(p) > static_cast<double>(most_teeth)) break;
    if (std::round(p) != 0 && std::abs(p - std::round(p)) <= 1e-9 * std::abs(p))
      return std::array{static_cast<std::int64_t>(std::round(p)), q};
  }
  return std::nullopt;
}

class TreeMaker {
 public:
  TreeMaker(const Robot& robot, const RobotOptions& options, Faults& faults)
      : robot_(robot), options_(options), faults_(faults) {
    for (Node* part : {&bodies_, &joints_, &elements_}) {
      part->kind = Node::Kind::list;
      part->position = robot.position;
    }
  }

  Node make() {
    const std::size_t before = faults_.size();
    groups_ = groups_of(robot_, options_, faults_);
    if (faults_.size() > before) faults_.raise();
    for (std::size_t g = 1; g < groups_.all.size(); ++g) body(groups_.all[g]);
    for (std::size_t g = 1; g < groups_.all.size(); ++g) hold(groups_.all[g]);
    if (options_.fix && !mounted_ && groups_.of_link[0] == 0 && robot_.links[0].name == "world")
      faults_.note(file() + ": `fix` has no effect: nothing is free");
    for (const Joint& joint : robot_.joints)
      if (joint.mimic) gear(joint);
    for (const Closure& closure : robot_.closures) close(closure);
    for (const Joint& joint : robot_.joints) laws(joint);
    if (limited_ && !options_.stops)
      faults_.note(
          file() +
          ": limits of position are left out; `import: {stops: {stiffness: ...}}` makes stops of them");
    if (faults_.size() > before) faults_.raise();
    Node out = map(robot_.position);
    for (auto [key, part] : {std::pair{"bodies", &bodies_}, {"joints", &joints_}, {"elements", &elements_}})
      if (!part->items.empty()) put_key(out, key, std::move(*part));
    return out;
  }

 private:
  std::string file() const {
    return std::filesystem::path(faults_.sources()[static_cast<std::size_t>(robot_.position.source)])
        .filename()
        .string();
  }

  std::string name_of(std::size_t group) const {
    return group == 0 ? options_.world : robot_.links[groups_.all[group].link].name;
  }

  void body(const Group& group) {
    const Link& link = robot_.links[group.link];
    const Position at = link.position;
    const Mass& mass = *group.mass;
    const Mat3& J = mass.inertia;
    Node out = entry(link.name, "rigid", at);
    put_key(out, "mass", scalar(mass.mass, at));
    const bool principal = J(0, 1) == 0 && J(0, 2) == 0 && J(1, 2) == 0;
    put_key(out, "inertia",
            principal ? list(at, {J(0, 0), J(1, 1), J(2, 2)})
                      : list(at, {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)}));
    if (!mass.center.isZero(0)) put_key(out, "center", list(at, mass.center));
    put_key(out, "position", list(at, group.pose.r));
    if (group.pose.R != Mat3::Identity()) put_key(out, "orientation", orientation(group.pose.R, at));
    if (!group.markers.empty()) {
      Node markers = map(at);
      for (const auto& [name, point] : group.markers) put_key(markers, name, list(at, point));
      put_key(out, "markers", std::move(markers));
    }
    if (!group.looks.empty()) {
      Node looks;
      looks.kind = Node::Kind::list;
      looks.position = at;
      for (const Look& each : group.looks) looks.items.push_back(look(each));
      put_key(out, "look", std::move(looks));
    }
    bodies_.items.push_back(std::move(out));
  }

  static Node look(const Look& look) {
    const Position at = look.position;
    Node shape = map(at), out = map(at), inner = map(at);
    if (look.kind == Look::Kind::box) {
      put_key(shape, "box", list(at, look.size));
    } else if (look.kind == Look::Kind::sphere) {
      put_key(shape, "sphere", scalar(look.size[0], at));
    } else if (look.kind == Look::Kind::mesh) {
      put_key(inner, "file", scalar(look.file, at));
      if (look.scale != 1) put_key(inner, "scale", scalar(look.scale, at));
      put_key(shape, "mesh", std::move(inner));
    } else {
      put_key(inner, "radius", scalar(look.size[0], at));
      put_key(inner, "length", scalar(look.size[1], at));
      put_key(shape, look.kind == Look::Kind::cylinder ? "cylinder" : "capsule", std::move(inner));
    }
    put_key(out, "shape", std::move(shape));
    if (!look.pose.r.isZero(0)) put_key(out, "at", list(at, look.pose.r));
    if (look.pose.R != Mat3::Identity()) put_key(out, "orientation", orientation(look.pose.R, at));
    return out;
  }

  /// The joint of a group, or what holds the root to the ground.
  void hold(const Group& group) {
    const Link& link = robot_.links[group.link];
    const bool root = group.joint == no_joint;
    if (root) {
      if (!options_.fix || mounted_) return;
      mounted_ = true;
      Node out = entry(link.name + "_mount", "fixed", link.position);
      put_key(out, "from", scalar(options_.world, link.position));
      put_key(out, "to", scalar(link.name, link.position));
      put_key(out, "at_to", list(link.position, Vec3(Vec3::Zero())));
      joints_.items.push_back(std::move(out));
      return;
    }
    const Joint& joint = robot_.joints[group.joint];
    const Position at = joint.position;
    const std::size_t from = groups_.of_link[joint.parent];
    Node out = entry(joint.name, word_of(joint.mobility), at);
    put_key(out, "from", scalar(name_of(from), at));
    put_key(out, "to", scalar(link.name, at));
    // On what is not in the file the point is where the link is.
    if (from != 0)
      put_key(out, "at_from", list(at, Vec3(groups_.pose[joint.parent] * (joint.origin * joint.anchor))));
    put_key(out, "at_to", list(at, joint.anchor));
    if (joint.mobility != Mobility::fixed && joint.mobility != Mobility::spherical)
      put_key(out, "axis", list(at, Vec3(group.pose.R * joint.axis)));
    if (joint.mobility == Mobility::universal)
      put_key(out, "second_axis", list(at, Vec3(group.pose.R * joint.second_axis)));
    joints_.items.push_back(std::move(out));
  }

  void gear(const Joint& joint) {
    const Mimic& mimic = *joint.mimic;
    const std::string path = joint.name + ".mimic";
    const auto complain = [&](const char* field, const std::string& value, std::string problem,
                              std::string remedy) {
      faults_.add(mimic.position, path + field, value, {std::move(problem), std::move(remedy)});
    };
    const Joint* leader = nullptr;
    for (const Joint& each : robot_.joints)
      if (each.name == mimic.joint) leader = &each;
    if (leader == nullptr || leader == &joint)
      return complain(".joint", mimic.joint,
                      leader == nullptr ? "there is no joint of this name" : "the joint mimics itself",
                      "name another joint of the file");
    if (leader->mobility != Mobility::revolute || joint.mobility != Mobility::revolute)
      return complain("", mimic.joint, "only turns follow turns: a gear ties revolute joints",
                      "take the element out, and give both joints a motor with the same motion");
    const auto teeth = whole_ratio(mimic.ratio);
    if (!teeth)
      return complain(".multiplier", number_text(mimic.ratio),
                      "is not a ratio of whole numbers up to " + std::to_string(most_teeth),
                      "write a ratio of teeth, such as 0.75 or -2");
    const Position at = mimic.position;
    Node out = entry(joint.name + "_gear", "gear", at), names, numbers;
    names.kind = numbers.kind = Node::Kind::list;
    names.position = numbers.position = at;
    names.items = {scalar(mimic.joint, at), scalar(joint.name, at)};
    numbers.items = {scalar(std::to_string((*teeth)[0]), at), scalar(std::to_string(-(*teeth)[1]), at)};
    put_key(out, "joints", std::move(names));
    put_key(out, "teeth", std::move(numbers));
    joints_.items.push_back(std::move(out));
  }

  void close(const Closure& closure) {
    const Position at = closure.position;
    const std::size_t first = groups_.of_link[closure.first], second = groups_.of_link[closure.second];
    if (first == second)
      return faults_.add(at, closure.name, "",
                         {"joins links that do not move against each other", "take it out"});
    // The side that is not in the file comes first.
    const auto [from, to] = second == 0 ? std::pair(second, first) : std::pair(first, second);
    Node out = entry(closure.name, closure.rigid ? "fixed" : "spherical", at);
    put_key(out, "from", scalar(name_of(from), at));
    put_key(out, "to", scalar(name_of(to), at));
    const Vec3 point = groups_.all[first].pose * (groups_.pose[closure.first] * closure.point);
    const Group& group = groups_.all[to];
    put_key(out, "at_to", list(at, Vec3(group.pose.R.transpose() * (point - group.pose.r))));
    joints_.items.push_back(std::move(out));
  }

  void laws(const Joint& joint) {
    const Position at = joint.position;
    const auto in_joint = [&](const char* what, std::string_view kind) {
      Node out = entry(joint.name + "_" + what, kind, at);
      put_key(out, "joint", scalar(joint.name, at));
      return out;
    };
    if (joint.friction > 0) {
      const double yield = joint.mobility == Mobility::revolute ? yield_of_turns : yield_of_slides;
      Node out = in_joint("friction", "friction");
      put_key(out, "limit", scalar(joint.friction, at));
      put_key(out, "stiffness", scalar(joint.friction / yield, at));
      elements_.items.push_back(std::move(out));
    }
    if (joint.damping > 0 || joint.stiffness > 0) {
      Node out = in_joint(joint.stiffness > 0 ? "spring" : "damping", "law");
      std::string force;
      if (joint.stiffness > 0) {
        force = number_text(joint.stiffness) + "*";
        force += joint.rest == 0 ? "s" : "(s - (" + number_text(joint.rest) + "))";
      }
      if (joint.damping > 0) force += (force.empty() ? "" : " + ") + number_text(joint.damping) + "*rate";
      put_key(out, "force", scalar(std::move(force), at));
      elements_.items.push_back(std::move(out));
    }
    if (!joint.lower && !joint.upper) return;
    limited_ = true;
    if (!options_.stops || joint.mimic) return;
    Node out = in_joint("stops", "stop");
    if (joint.lower) put_key(out, "lower", scalar(*joint.lower, at));
    if (joint.upper) put_key(out, "upper", scalar(*joint.upper, at));
    put_key(out, "stiffness", scalar(options_.stops->stiffness, at));
    if (options_.stops->damping > 0) put_key(out, "damping", scalar(options_.stops->damping, at));
    elements_.items.push_back(std::move(out));
  }

  const Robot& robot_;
  const RobotOptions& options_;
  Faults& faults_;
  Groups groups_;
  Node bodies_, joints_, elements_;
  bool limited_ = false;
  bool mounted_ = false;  ///< a free link is held, as `fix` says
};

}  // namespace

Node tree_of(const Robot& robot, const RobotOptions& options, Faults& faults) {
  return TreeMaker(robot, options, faults).make();
}

}  // namespace cosimo::config::robot
