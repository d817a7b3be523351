// The rules of sensors.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/rules.hpp"
#include "config/rules_mechanism.hpp"
#include "config/sensors.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

namespace {

/// What formulas call the coordinates of a joint.
std::vector<std::string_view> variables_of_joint(const Value& joint) {
  switch (kind_of<JointKind>(joint)) {
    case JointKind::revolute:
      return {"angle", "speed"};
    case JointKind::prismatic:
      return {"displacement", "speed"};
    case JointKind::cylindrical:
      return {"angle", "angular_speed", "displacement", "speed"};
    default:
      return {};
  }
}

/// Of bodies: what a formula may know.
std::vector<std::string_view> variables_of_body(const EndBody& body) {
  std::vector<std::string_view> names{"x", "y", "z"};
  names.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(body.dimensions, 1, 3)));
  if (body.turns && body.dimensions == 2) names.emplace_back("phi");
  return names;
}

class SensorRules {
 public:
  SensorRules(const Value& list, MechanismRules& rules) : list_(list), rules_(rules) {}

  void check() {
    for (const Value& entry : list_.items) {
      const Value* name = entry.find("name");
      if (name != nullptr && name->word.find('.') != std::string::npos)
        complain(rules_.faults(), *name, "has a dot", "choose a name without one");
      if (entry.ok()) one(entry);
      if (name == nullptr) continue;
      if (const auto [found, added] = sensors_.emplace(name->word, &entry); !added)
        complain(rules_.faults(), *name, found->second->path + " has the same name", "choose another name");
    }
  }

 private:
  void one(const Value& entry) {
    switch (kind_of<SensorKind>(entry)) {
      case SensorKind::distance:
        return distance(entry);
      case SensorKind::position:
      case SensorKind::acceleration:
        return point(entry);
      case SensorKind::angle:
      case SensorKind::displacement:
        joint(entry);
        return;
      case SensorKind::speed:
        return speed(entry);
      case SensorKind::force:
      case SensorKind::torque:
      case SensorKind::power:
        return load(entry);
      case SensorKind::formula:
        return formula(entry);
    }
  }

  void distance(const Value& entry) {
    const EndBody from = rules_.end(entry, "from"), to = rules_.end(entry, "to");
    rules_.two_bodies(entry, from, to);
    rules_.vector(entry.find("at_from"), from.dimensions);
    rules_.vector(entry.find("at_to"), to.dimensions);
  }

  void point(const Value& entry) {
    const EndBody body = rules_.end(entry, "body");
    if (body.known && body.body == nullptr)
      return complain(rules_.faults(), *entry.find("body"), "the ground does not move", "name a body");
    rules_.vector(entry.find("at_body"), body.dimensions);
    rules_.direction(entry.find("direction"), 0);
  }

  const Value* joint(const Value& entry) {
    const Value* name = entry.find("joint");
    if (name == nullptr) return nullptr;
    const Value* found = rules_.joint(name->word);
    if (found == nullptr) {
      const auto known = rules_.faults().full() ? std::vector<std::string_view>() : rules_.joint_names();
      complain(rules_.faults(), *name, "there is no joint of this name",
               name_remedy(name->word, known, "name one of `joints`"));
      return nullptr;
    }
    if (!found->ok()) return nullptr;
    const auto has = variables_of_joint(*found);
    const SensorKind kind = kind_of<SensorKind>(entry);
    const std::string kind_name(word_of(kind_of<JointKind>(*found)));
    const std::string_view wanted = kind == SensorKind::speed ? "speed" : word_of(kind);
    if (std::ranges::find(has, wanted) != has.end()) return found;
    complain(rules_.faults(), *name, "a " + kind_name + " joint has no " + std::string(wanted),
             has.empty() ? "name a revolute, a prismatic or a cylindrical joint"
                         : "write kind `" + std::string(has[0]) + "`");
    return nullptr;
  }

  void speed(const Value& entry) {
    const Value *of_joint = any_member(entry, "joint"), *body = any_member(entry, "body");
    if ((of_joint == nullptr) == (body == nullptr))
      return complain(rules_.faults(), entry,
                      of_joint == nullptr ? "does not say of what" : "says several things at once",
                      "write `joint` or `body`");
    if (body != nullptr) {
      if (const Value* measure = entry.find("measure"); measure != nullptr && measure->given)
        complain(rules_.faults(), *measure, "belongs to a cylindrical joint", "leave it out");
      return point(entry);
    }
    for (const char* key : {"at_body", "direction"})
      if (const Value* value = entry.find(key))
        complain(rules_.faults(), *value, "belongs to a body", "leave it out");
    const Value* found = joint(entry);
    const Value* measure = entry.find("measure");
    if (found != nullptr && measure != nullptr && measure->given &&
        kind_of<JointKind>(*found) != JointKind::cylindrical)
      complain(rules_.faults(), *measure, "belongs to a cylindrical joint", "leave it out");
  }

  void load(const Value& entry) {
    rules_.direction(entry.find("direction"), 0);
    const Value* name = entry.find("of");
    if (name == nullptr) return;
    const Value* found = rules_.connection(name->word);
    if (found == nullptr) {
      const auto known = rules_.faults().full() ? std::vector<std::string_view>() : rules_.connection_names();
      return complain(rules_.faults(), *name, "there is no element and no joint of this name",
                      name_remedy(name->word, known, "name one of `elements` or `joints`"));
    }
    if (!found->ok() || kind_of<SensorKind>(entry) != SensorKind::power) return;
    const bool joint = found->path.starts_with("model.joints");
    if (joint && found->find("compliant") == nullptr && kind_of<JointKind>(*found) != JointKind::motor)
      complain(rules_.faults(), *name, "a joint that holds exactly has no power",
               "name an element, or the motor of the joint");
  }

  void formula(const Value& entry) {
    const Value* of = entry.find("of");
    if (of == nullptr) return;
    for (const Value& reference : of->items)
      if (reference.ok() && !reference.word.empty()) known(entry, reference);
  }

  void known(const Value& entry, const Value& reference) {
    const SensorReference at = split_reference(reference.word);
    const auto refuse = [&](std::string problem, std::string remedy) {
      complain(rules_.faults(), reference, std::move(problem), std::move(remedy));
    };
    if (at.variable.empty()) {
      if (!sensors_.contains(at.owner))
        return refuse("there is no sensor of this name before `" + entry.find("name")->word + "`",
                      "name a coordinate such as `arm.x`, or a sensor that is listed before");
      if (at.derivative) refuse("the derivative of a sensor is not known", "take the velocity of a body");
      return;
    }
    std::vector<std::string_view> names;
    if (const Value* body = rules_.body_of(at.owner)) {
      if (!body->ok()) return;
      names = variables_of_body(rules_.body_end(*body));
    }
    if (!at.derivative)
      if (const Value* joint = rules_.joint(at.owner); joint != nullptr && joint->ok())
        for (const std::string_view each : variables_of_joint(*joint)) names.push_back(each);
    if (std::ranges::find(names, at.variable) != names.end()) return;
    if (names.empty())
      return refuse("there is no body or joint of this name", "write `body.x` or `joint.angle`");
    refuse("`" + std::string(at.owner) + "` has no `" + std::string(at.variable) + "`",
           "write " + joined(names, std::string(at.owner)));
  }

  static std::string joined(const std::vector<std::string_view>& names, const std::string& owner) {
    std::string out;
    for (const std::string_view name : names)
      out += (out.empty() ? "`" : ", `") + owner + "." + std::string(name) + "`";
    return out;
  }

  const Value& list_;
  MechanismRules& rules_;
  std::unordered_map<std::string_view, const Value*> sensors_;
};

}  // namespace

void check_sensors(const Value& list, MechanismRules& rules) {
  SensorRules(list, rules).check();
}

bool sensor_follows_from_state(const Value& sensors, std::string_view name) {
  for (const Value& entry : sensors.items) {
    const Value* own = entry.find("name");
    if (own == nullptr || own->word != name) continue;
    if (!entry.ok()) return true;
    switch (kind_of<SensorKind>(entry)) {
      case SensorKind::acceleration:
      case SensorKind::force:
      case SensorKind::torque:
      case SensorKind::power:
        return false;
      default:
        break;
    }
    const Value* of = entry.find("of");
    return of == nullptr || !of->is(Form::Kind::list) ||
           std::ranges::all_of(of->items, [&](const Value& reference) {
             return reference.word == name || reference.word.find('.') != std::string::npos ||
                    sensor_follows_from_state(sensors, reference.word);
           });
  }
  return true;
}

}  // namespace cosimo::config
