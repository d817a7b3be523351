// The rules of joints.
#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "config/joint_springs.hpp"
#include "config/rules.hpp"
#include "config/rules_mechanism.hpp"

namespace cosimo::config {

namespace {

std::string name_of(JointKind kind) {
  return std::string(word_of(kind));
}

class JointRules {
 public:
  JointRules(const Value& entry, MechanismRules& rules)
      : entry_(entry), rules_(rules), kind_(kind_of<JointKind>(entry)) {}

  void check() {
    if (kind_ == JointKind::motor) return motor();
    if (kind_ == JointKind::gear) return gear();
    from_ = rules_.end(entry_, "from");
    to_ = rules_.end(entry_, "to");
    rules_.two_bodies(entry_, from_, to_);
    dimensions_ = std::max(from_.dimensions, to_.dimensions);
    points();
    start();
    check_joint_springs(entry_, rules_);
    if (!from_.known || !to_.known || kind_ == JointKind::distance) return compliance();
    axes();
    suits_bodies();
    compliance();
  }

 private:
  void complain_kind(std::string problem, std::string remedy) {
    complain(rules_.faults(), *entry_.find("kind"), std::move(problem), std::move(remedy));
  }

  void points() {
    const Value* at = entry_.find("at");
    const Value* sides[] = {entry_.find("at_from"), entry_.find("at_to")};
    for (const Value* point : {at, sides[0], sides[1]}) rules_.vector(point, dimensions_);
    if (kind_ == JointKind::distance && at != nullptr) {
      complain(rules_.faults(), *at, "the two points would coincide", "write `at_from` and `at_to`");
    } else if (at != nullptr && (sides[0] != nullptr || sides[1] != nullptr)) {
      complain(rules_.faults(), *at, "says where both sides are, and so does `at_from` or `at_to`",
               "keep `at`, or the points of the sides");
    } else if (kind_ != JointKind::distance && !is_placed()) {
      rules_.faults().add(entry_.node->position, entry_.path + ".at", "",
                          {"is missing", "say where the joint is: `at: [x, y, z]` in space at t = 0"});
    }
  }

  bool is_placed() const {
    const auto given = [&](const char* point) { return any_member(entry_, point) != nullptr; };
    return given("at") || given("at_from") || given("at_to");
  }

  void axes() {
    const Value* axis = entry_.find("axis");
    if (!rules_.direction(axis, 0)) return;
    const Value* second = entry_.find("second_axis");
    if (!rules_.direction(second, 0)) return;
    if (second != nullptr) {
      const std::vector<double> unit{0, 0, 1};
      const std::vector<double>& a = axis != nullptr ? axis->numbers : unit;
      double product = 0, a2 = 0, b2 = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double ai = i < a.size() ? a[i] : 0;
        product += ai * second->numbers[i];
        a2 += ai * ai;
        b2 += second->numbers[i] * second->numbers[i];
      }
      constexpr double rounding = 1e-6;
      if (std::abs(product) > rounding * std::sqrt(a2 * b2))
        complain(rules_.faults(), *second, "is not perpendicular to `axis`",
                 "write a perpendicular direction");
    }
    if (dimensions_ == 2 && planar_ends()) in_the_plane(axis);
  }

  /// Both ends are the ground or bodies of the plane.
  bool planar_ends() const {
    const auto planar = [](const EndBody& end) { return end.body == nullptr || end.dimensions <= 2; };
    return planar(from_) && planar(to_);
  }

  void in_the_plane(const Value* axis) {
    const bool across =
        axis == nullptr || (axis->numbers.size() == 3 && axis->numbers[0] == 0 && axis->numbers[1] == 0);
    const bool inside = axis != nullptr && (axis->numbers.size() == 2 || axis->numbers[2] == 0);
    const Value& where = axis != nullptr ? *axis : *entry_.find("kind");
    if (kind_ == JointKind::prismatic && !inside) {
      complain(rules_.faults(), where, "a slide of the plane needs an axis in the plane",
               "write `axis: [x, y]`");
    } else if (kind_ == JointKind::revolute && !across) {
      complain(rules_.faults(), where, "planar bodies turn only about z", "leave `axis` out");
    } else if (kind_ == JointKind::cylindrical || kind_ == JointKind::universal ||
               kind_ == JointKind::planar) {
      complain_kind("is not possible between bodies of the plane",
                    "write `revolute`, `prismatic`, `fixed` or `distance`");
    }
  }

  /// A point mass has no axes that could stay parallel to others.
  void suits_bodies() {
    if (kind_ == JointKind::spherical) return;
    const bool point = from_.is_point() || to_.is_point();
    if (point && (from_.turns || to_.turns)) {
      complain_kind("a point mass has no axes that could turn with the other body",
                    std::string("write `spherical` or `distance`, or make the point mass a `") +
                        (dimensions_ == 2 ? "planar" : "rigid") + "` body");
    }
  }

  void start() {
    const Value* start = entry_.find("start");
    if (start == nullptr || !start->ok()) return;
    const bool turns = kind_ == JointKind::revolute, slides = kind_ == JointKind::prismatic;
    if (!turns && !slides && kind_ != JointKind::cylindrical)
      return complain(rules_.faults(), *start, "a " + name_of(kind_) + " joint has no one coordinate",
                      "leave it out, and place the bodies where they begin");
    const auto refuse = [&](const char* key, const char* remedy) {
      if (const Value* value = start->find(key); value != nullptr && value->given)
        complain(rules_.faults(), *value, "the joint is " + name_of(kind_), remedy);
    };
    if (turns) refuse("displacement", "write `angle`");
    if (slides) refuse("angle", "write `displacement`");
    if (kind_ != JointKind::cylindrical) refuse("angular_speed", "write `speed`");
    constexpr double half_turn = 3.141592653589793;
    if (const Value* angle = start->find("angle"); angle != nullptr && std::fabs(angle->number) > half_turn)
      complain(rules_.faults(), *angle, "is more than half a turn", "write an angle between -pi and pi");
  }

  bool blocks_rotation() const {
    if (kind_ == JointKind::spherical || kind_ == JointKind::distance || !(from_.turns || to_.turns))
      return false;
    return !(dimensions_ == 2 && kind_ == JointKind::revolute);
  }

  void compliance() {
    const Value* compliant = entry_.find("compliant");
    if (compliant == nullptr) return;
    const Value* rotational = compliant->find("rotational_stiffness");
    const bool given = rotational != nullptr && rotational->number > 0;
    if (blocks_rotation() && !given) {
      complain(rules_.faults(), rotational != nullptr ? *rotational : *compliant,
               "a " + name_of(kind_) + " joint also blocks rotations", "write a `rotational_stiffness` > 0");
    } else if (kind_ == JointKind::distance && rotational != nullptr) {
      complain(rules_.faults(), *rotational, "a distance blocks no rotation", "leave it out");
    }
  }

  /// The joint that a motor or a gear names; null when there is none.
  const Value* named_joint(const Value& name) {
    const Value* found = rules_.joint(name.word);
    if (found == nullptr) {
      const auto known = rules_.faults().full() ? std::vector<std::string_view>() : rules_.joint_names();
      complain(rules_.faults(), name, "there is no joint of this name",
               name_remedy(name.word, known, "name one of `joints`"));
      return nullptr;
    }
    if (!found->ok()) return nullptr;
    if (found->find("compliant") != nullptr) {
      complain(rules_.faults(), name, "the joint is compliant: it does not guide the motion exactly",
               "name a joint that is a constraint");
      return nullptr;
    }
    return found;
  }

  void motor() {
    rules_.ascending(entry_.find("breakpoints"));
    const Value* name = entry_.find("joint");
    const Value* driven = name != nullptr ? named_joint(*name) : nullptr;
    if (driven == nullptr) return;
    const JointKind kind = kind_of<JointKind>(*driven);
    if (kind != JointKind::revolute && kind != JointKind::prismatic) {
      return complain(rules_.faults(), *name,
                      "a motor drives a revolute or a prismatic joint, not a " + name_of(kind) + " one",
                      "name such a joint, or apply a force (`elements`, kind `applied`)");
    }
    const char* wanted = kind == JointKind::revolute ? "angle" : "displacement";
    const char* other = kind == JointKind::revolute ? "displacement" : "angle";
    std::string given;
    for (const char* key : {wanted, "speed", "acceleration"}) {
      const Value* motion = any_member(entry_, key);
      if (motion == nullptr) continue;
      if (!given.empty())
        return complain(rules_.faults(), *motion, "the motion is given by `" + given + "` already",
                        "keep one of them");
      given = key;
    }
    if (const Value* start = entry_.find("start"); start != nullptr && given == wanted)
      complain(rules_.faults(), *start, "the formula says where the motion begins", "leave it out");
    if (const Value* start = entry_.find("start_speed"); start != nullptr && given != "acceleration")
      complain(rules_.faults(), *start, "the formula says how fast the motion begins", "leave it out");
    if (const Value* wrong = entry_.find(other)) {
      complain(rules_.faults(), *wrong, "the joint is " + name_of(kind),
               std::string("write `") + wanted + "`");
    } else if (given.empty()) {
      rules_.faults().add(entry_.node->position, entry_.path + "." + wanted, "",
                          {"is missing", std::string("write `") + wanted + ": \"0.5*sin(2*pi*t)\"`"});
    }
  }

  void gear() {
    const Value* names = entry_.find("joints");
    if (names != nullptr) {
      for (const Value& name : names->items) {
        if (!name.ok()) continue;
        const Value* joint = named_joint(name);
        const JointKind kind = joint != nullptr ? kind_of<JointKind>(*joint) : JointKind::revolute;
        if (kind != JointKind::revolute && kind != JointKind::cylindrical) {
          complain(rules_.faults(), name,
                   "a gear ties revolute or cylindrical joints, not a " + name_of(kind) + " one",
                   "name joints with a rotation about an axis");
        }
      }
      if (names->items[0].ok() && names->items[1].ok() && names->items[0].word == names->items[1].word)
        complain(rules_.faults(), names->items[1], "is the same joint twice", "name two joints");
    }
    if (const Value* teeth = entry_.find("teeth")) {
      for (const Value& n : teeth->items) {
        if (n.ok() && n.integer == 0)
          complain(rules_.faults(), n, "is no gear", "write a number that is not 0");
      }
    }
  }

  const Value& entry_;
  MechanismRules& rules_;
  JointKind kind_;
  EndBody from_, to_;
  std::int64_t dimensions_ = 0;
};

}  // namespace

void check_joint(const Value& entry, MechanismRules& rules) {
  JointRules(entry, rules).check();
}

void check_motors(const Value& joints, MechanismRules& rules) {
  std::unordered_set<std::string_view> driven;
  for (const Value& entry : joints.items) {
    const Value* kind = entry.find("kind");
    const Value* joint = entry.find("joint");
    if (!has_word(kind, JointKind::motor) || joint == nullptr) continue;
    if (!driven.insert(joint->word).second)
      complain(rules.faults(), *joint, "another motor already drives this joint", "keep one of them");
    const Value* const other = rules.joint(joint->word);
    const Value* const start = other != nullptr ? other->find("start") : nullptr;
    if (start != nullptr && !has_word(other->find("kind"), JointKind::motor))
      complain(rules.faults(), *start,
               "the motor `" + entry.find("name")->word + "` says where the joint begins", "leave it out");
  }
}

}  // namespace cosimo::config
