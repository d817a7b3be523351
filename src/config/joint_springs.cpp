#include "config/joint_springs.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "config/check.hpp"
#include "config/definition.hpp"
#include "config/mechanism.hpp"
#include "config/read_values.hpp"
#include "config/rules.hpp"
#include "config/rules_mechanism.hpp"
#include "config/sensors.hpp"

namespace cosimo::config {

namespace {

Key optional_number(const char* name, std::string description, std::string dimension) {
  return silent(name, {number()}, "0", std::move(description), std::move(dimension));
}

std::vector<Key> damping_keys() {
  return {optional_number("d", "linear damping", "force time/length or force length time/angle"),
          optional_number("D", "damping of the power term",
                          "force (time/length)^ev or force length (time/angle)^ev"),
          silent("ev", {positive_number()}, "3", "exponent of the power damper")};
}

class Rules {
 public:
  Rules(const Value& joint, MechanismRules& rules) : joint_(joint), faults_(rules.faults()) {}

  void check() {
    const Value *spring = joint_.find("spring"), *damper = joint_.find("damper");
    for (const Value* given : {spring, damper}) {
      if (given == nullptr) continue;
      const JointKind kind = kind_of<JointKind>(joint_);
      if (kind != JointKind::revolute && kind != JointKind::prismatic)
        return complain(faults_, *given,
                        "a " + std::string(word_of(kind)) + " joint has no one coordinate that it acts on",
                        kind == JointKind::cylindrical
                            ? "write an element with `joint` and `measure`, kind `law` or `table`"
                            : "leave it out, or write an element");
    }
    if (spring != nullptr && spring->ok()) law(*spring);
    if (damper != nullptr && damper->is(Form::Kind::section) && damper->ok() &&
        damper->find("d") == nullptr && damper->find("D") == nullptr)
      complain(faults_, *damper, "damps nothing", "write `damper: d`, or `damper: {D: ...}`");
  }

 private:
  void law(const Value& spring) {
    const Value *points = spring.find("points"), *force = spring.find("force");
    const bool stiff = spring.find("c") != nullptr || spring.find("C") != nullptr;
    if (stiff + (points != nullptr) + (force != nullptr) != 1)
      return complain(
          faults_, spring,
          stiff || points != nullptr || force != nullptr ? "gives its law in several ways" : "has no law",
          "write one of `c` (with `C`), `points` and `force`");
    const auto refuse = [&](std::initializer_list<const char*> keys, const char* problem,
                            const char* remedy) {
      for (const char* key : keys)
        if (const Value* given = spring.find(key)) complain(faults_, *given, problem, remedy);
    };
    if (points != nullptr) {
      refuse({"free", "ex"}, "the points say where the force is zero, and what it is", "leave it out");
      refuse({"D", "ev"}, "belongs to a law with `c`", "write a `damper` beside the spring");
      ascending(*points);
    }
    if (force != nullptr)
      refuse({"free", "ex", "d", "D", "ev"}, "the formula says all",
             "write it into the formula, with `s` and `rate`");
    else
      refuse({"breakpoints", "of"}, "belongs to a formula", "leave it out");
  }

  void ascending(const Value& points) {
    if (points.items.size() < 2)
      return complain(faults_, points, "is no curve", "write at least two points `[s, F]`");
    for (std::size_t i = 1; i < points.items.size(); ++i) {
      const Value &point = points.items[i], &before = points.items[i - 1];
      if (point.ok() && before.ok() && point.numbers[0] <= before.numbers[0])
        return complain(faults_, point, 0, "is not larger than that of the point before",
                        "list the points with s ascending");
    }
  }

  const Value& joint_;
  Faults& faults_;
};

void take(const Value& entry, const char* key, double& out) {
  if (const Value* found = entry.find(key)) out = found->number;
}

/// An element in a joint, with a law still to come.
Element in_joint(const Joint& joint, std::int32_t number, const char* what) {
  Element out;
  out.name = joint.name + "." + what;
  out.kind = ElementKind::torsion;
  out.joint = number;
  out.from = joint.from;
  out.to = joint.to;
  out.axis = joint.axis;
  out.measure = joint.kind == JointKind::prismatic ? Measure::displacement : Measure::angle;
  out.place = joint.place;
  return out;
}

void read_damping(const Value& entry, Element& element) {
  take(entry, "d", element.d);
  take(entry, "D", element.D);
  take(entry, "ev", element.ev);
}

void read_spring(const Value& entry, Element& element) {
  take(entry, "c", element.c);
  take(entry, "C", element.C);
  take(entry, "ex", element.ex);
  take(entry, "free", element.angle);
  read_damping(entry, element);
  if (const Value* points = entry.find("points")) {
    element.kind = ElementKind::table;
    for (const Value& point : points->items) element.points.push_back({point.numbers[0], point.numbers[1]});
  }
  if (const Value* force = entry.find("force")) {
    element.kind = ElementKind::law;
    element.law = with_brackets(force->word, references_of(entry));
    if (const Value* instants = entry.find("breakpoints")) element.breakpoints = instants->numbers;
  }
}

}  // namespace

std::vector<Key> joint_spring_keys() {
  std::vector<Key> spring{
      optional_number("c", "linear stiffness", "force/length or force length/angle"),
      optional_number("C", "stiffness of the power term", "force/length^ex or force length/angle^ex"),
      silent("ex", {positive_number()}, "3", "exponent of the power spring"),
      silent("free", {number()}, "0", "where it is without force, from the placement", "length or angle"),
      silent_derived("points", {list({numbers(2, 2)})}, "`c` or `force`",
                     "its law as a monotone curve, as of a `table`",
                     "length or angle, force or force length"),
      silent_derived("force", {formula(force_variables({"t", "s", "rate"}))}, "`c` or `points`",
                     "its law as a formula, as of a `law`: positive where it makes s smaller",
                     "force or force length"),
      references_key("the formula"),
      silent("breakpoints", {numbers(0)}, "[]",
             "ascending instants where the formula may jump; no step passes over one", "time")};
  for (Key& key : damping_keys()) spring.push_back(std::move(key));
  return {
      silent_derived("spring", {section(std::move(spring))}, "none",
                     "a spring in a revolute or prismatic joint, an element called `joint.spring`"),
      silent_derived("damper", {number(), section(damping_keys())}, "none",
                     "a damper in a revolute or prismatic joint, an element called `joint.damper`; a number "
                     "is its `d`",
                     "force time/length or force length time/angle")};
}

void check_joint_springs(const Value& joint, MechanismRules& rules) {
  Rules(joint, rules).check();
}

void read_joint_springs(const Value& joints, Mechanism& mechanism) {
  for (std::size_t k = 0; k < joints.items.size(); ++k) {
    const Value& entry = joints.items[k];
    const Joint& joint = mechanism.joints[k];
    const auto number = static_cast<std::int32_t>(k);
    if (const Value* spring = entry.find("spring")) {
      Element element = in_joint(joint, number, "spring");
      read_spring(*spring, element);
      mechanism.elements.push_back(std::move(element));
    }
    if (const Value* damper = entry.find("damper")) {
      Element element = in_joint(joint, number, "damper");
      element.d = damper->number;
      read_damping(*damper, element);
      mechanism.elements.push_back(std::move(element));
    }
  }
}

}  // namespace cosimo::config
