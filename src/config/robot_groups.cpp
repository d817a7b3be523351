#include "config/robot_groups.hpp"

#include <algorithm>
#include <utility>

namespace cosimo::config::robot {

namespace {

class Grouper {
 public:
  Grouper(const Robot& robot, const RobotOptions& options, Faults& faults)
      : robot_(robot),
        options_(options),
        faults_(faults),
        parent_joint_(robot.links.size(), no_joint),
        joints_of_(robot.links.size()) {}

  Groups make() {
    out_.all.resize(1);
    out_.of_link.resize(robot_.links.size());
    out_.pose.resize(robot_.links.size());
    const std::size_t before = faults_.size();
    const std::optional<std::size_t> root = find_root();
    if (!root || faults_.size() > before) return std::move(out_);
    place_root(*root);
    descend(*root);
    check_masses();
    merged();
    return std::move(out_);
  }

 private:
  void complain(const Position& position, std::string field, const std::string& value, std::string problem,
                std::string remedy) {
    faults_.add(position, field, value, {std::move(problem), std::move(remedy)});
  }

  std::optional<std::size_t> find_root() {
    const std::size_t before = faults_.size();
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      if (joint.parent == joint.child || parent_joint_[joint.child] != no_joint) {
        const bool itself = joint.parent == joint.child;
        complain(joint.position, joint.name + ".child", robot_.links[joint.child].name,
                 itself ? "a joint between a link and itself"
                        : "the link is the child of the joint `" +
                              robot_.joints[parent_joint_[joint.child]].name + "` already: a loop",
                 itself ? "name two links"
                        : "take one of the joints out, and close the loop by `joints` of the scenario");
        continue;
      }
      parent_joint_[joint.child] = j;
      joints_of_[joint.parent].push_back(j);
    }
    if (faults_.size() > before) return std::nullopt;
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < robot_.links.size(); ++i)
      if (parent_joint_[i] == no_joint) roots.push_back(i);
    if (roots.empty()) {
      complain(robot_.joints.front().position, robot_.joints.front().name, "",
               "every link is the child of a joint: a loop without a root",
               "take one of the joints out, and close the loop by `joints` of the scenario");
      return std::nullopt;
    }
    std::string names;
    for (const std::size_t i : roots) names += (names.empty() ? "" : ", ") + robot_.links[i].name;
    for (std::size_t i = 1; i < roots.size(); ++i)
      complain(robot_.links[roots[i]].position, robot_.links[roots[i]].name, "",
               "the file has several roots: " + names,
               "write a joint that has this link as its child, or a file for each robot");
    if (roots.size() == 1) refuse_unreached(roots[0]);
    return roots[0];
  }

  /// Links that are the children of each other.
  void refuse_unreached(std::size_t root) {
    std::vector<bool> seen(robot_.links.size(), false);
    std::vector<std::size_t> open{root};
    while (!open.empty()) {
      const std::size_t link = open.back();
      open.pop_back();
      seen[link] = true;
      for (const std::size_t j : joints_of_[link]) open.push_back(robot_.joints[j].child);
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i]) continue;
      const Joint& joint = robot_.joints[parent_joint_[i]];
      return complain(joint.position, joint.name, "", "the links beyond this joint form a loop",
                      "take one of its joints out, and close the loop by `joints` of the scenario");
    }
  }

  bool is_ground(std::size_t link) const { return robot_.links[link].name == "world"; }

  void place_root(std::size_t root) {
    out_.of_link[root] = 0;
    if (is_ground(root)) {
      if (robot_.links[root].mass) faults_.note("the link `world` is the ground: its mass is left out");
      return;
    }
    if (options_.fix && !robot_.links[root].mass) return;
    begin(root, no_joint, Pose());
  }

  /// A group with this link as its first.
  void begin(std::size_t link, std::size_t joint, const Pose& pose) {
    out_.of_link[link] = out_.all.size();
    Group group;
    group.link = link;
    group.joint = joint;
    group.pose = pose;
    out_.all.push_back(std::move(group));
    put(link, Pose());
  }

  /// What a link brings into its group.
  void put(std::size_t link, const Pose& pose) {
    out_.pose[link] = pose;
    const std::size_t number = out_.of_link[link];
    if (number == 0) return;
    Group& group = out_.all[number];
    const Link& own = robot_.links[link];
    if (own.mass) {
      const Mass here = moved(*own.mass, pose);
      group.mass = group.mass ? sum(*group.mass, here) : here;
    }
    for (Look look : own.looks) {
      look.pose = pose * look.pose;
      group.looks.push_back(std::move(look));
    }
    if (link != group.link) group.markers.emplace_back(own.name, pose.r);
    for (const auto& [name, point] : own.markers) group.markers.emplace_back(name, pose * point);
  }

  void descend(std::size_t root) {
    std::vector<std::size_t> open{root};
    while (!open.empty()) {
      const std::size_t link = open.back();
      open.pop_back();
      for (const std::size_t j : joints_of_[link]) attach(j);
      for (auto j = joints_of_[link].rbegin(); j != joints_of_[link].rend(); ++j)
        open.push_back(robot_.joints[*j].child);
    }
  }

  /// What is fixed to the ground stays a body if it has a mass: its joint tells what holds it.
  void attach(std::size_t j) {
    const Joint& joint = robot_.joints[j];
    const std::size_t number = out_.of_link[joint.parent];
    const Pose inner = out_.pose[joint.parent] * joint.origin;
    const bool rigid = joint.mobility == Mobility::fixed;
    if (rigid && (number != 0 || !robot_.links[joint.child].mass)) {
      out_.of_link[joint.child] = number;
      put(joint.child, inner);
      return;
    }
    begin(joint.child, joint.mobility == Mobility::floating ? no_joint : j, out_.all[number].pose * inner);
  }

  void check_masses() {
    for (std::size_t g = 1; g < out_.all.size(); ++g) {
      const Group& group = out_.all[g];
      const Link& link = robot_.links[group.link];
      if (group.mass) continue;
      if (group.joint == no_joint)
        complain(link.position, link.name, "", "has no mass, and nothing holds it",
                 "write `import: {fix: true}` beside `use` if it is the base, or give it an inertia");
      else
        complain(link.position, link.name, "",
                 "has no mass, and the joint `" + robot_.joints[group.joint].name + "` moves it",
                 "give it a mass and an inertia, or make the joint fixed");
    }
  }

  void merged() {
    std::string names;
    for (std::size_t g = 1; g < out_.all.size(); ++g)
      for (const auto& [name, point] : out_.all[g].markers)
        names += (names.empty() ? "" : ", ") + robot_.links[out_.all[g].link].name + "." + name;
    if (!names.empty())
      faults_.note(std::filesystem::path(faults_.sources()[static_cast<std::size_t>(robot_.position.source)])
                       .filename()
                       .string() +
                   ": markers of its bodies: " + names);
  }

  const Robot& robot_;
  const RobotOptions& options_;
  Faults& faults_;
  std::vector<std::size_t> parent_joint_;  ///< of links
  std::vector<std::vector<std::size_t>> joints_of_;
  Groups out_;
};

}  // namespace

Groups groups_of(const Robot& robot, const RobotOptions& options, Faults& faults) {
  return Grouper(robot, options, faults).make();
}

}  // namespace cosimo::config::robot
