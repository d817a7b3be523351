// The rules of sensors.
#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/contacts.hpp"
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
  SensorRules(const Value* list, MechanismRules& rules) : list_(list), rules_(rules) {}

  void check() {
    for (std::size_t k = 0; list_ != nullptr && k < list_->items.size(); ++k) {
      const Value& entry = list_->items[k];
      const Value* name = entry.find("name");
      if (name != nullptr && name->word.find('.') != std::string::npos)
        complain(rules_.faults(), *name, "has a dot", "choose a name without one");
      if (entry.ok()) one(entry);
      if (name == nullptr) continue;
      if (const auto [found, added] = sensors_.emplace(name->word, &entry); !added)
        complain(rules_.faults(), *name, found->second->path + " has the same name", "choose another name");
    }
  }

  /// What the formulas of a force know.
  void force(const Value& entry) {
    const Value* of = entry.find("of");
    if (of == nullptr || !of->is(Form::Kind::list)) return;
    for (const Value& reference : of->items) {
      if (!reference.ok() || reference.word.empty()) continue;
      known("", reference);
      if (list_ == nullptr || sensor_follows_from_state(*list_, reference.word)) continue;
      complain(
          rules_.faults(), reference,
          "this sensor needs accelerations or reactions, which follow from the forces themselves",
          "name a sensor of places or speeds: distance, position, angle, displacement, speed, or a formula "
          "of these");
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
    if (const Law law = law_of(name->word); law.entry != nullptr) return load_of_law(entry, *name, law);
    if (found == nullptr) {
      const auto known = rules_.faults().full() ? std::vector<std::string_view>() : rules_.connection_names();
      return complain(rules_.faults(), *name, "there is no element, joint, rope or contact of this name",
                      name_remedy(name->word, known, "name one of `elements` or `joints`"));
    }
    if (!found->ok() || kind_of<SensorKind>(entry) != SensorKind::power) return;
    if (found->find("of") != nullptr)
      return complain(rules_.faults(), *name, "the power of a force that follows sensors is not recorded",
                      "multiply its force by a speed in a sensor of kind `formula`");
    const bool joint = found->path.starts_with("model.joints") && found->find("kind") != nullptr;
    if (joint && found->find("compliant") == nullptr && kind_of<JointKind>(*found) != JointKind::motor)
      complain(rules_.faults(), *name, "a joint that holds exactly has no power",
               "name an element, or the motor of the joint");
  }

  /// A rope or a contact, and what of it is meant: "rope.F1", "touch.ball".
  struct Law {
    const Value* entry = nullptr;
    bool rope = false;
    std::string_view part;
  };
  Law law_of(std::string_view name) const {
    for (std::size_t end = name.size(); end != std::string_view::npos && end > 0;
         end = name.rfind('.', end - 1)) {
      const Value* found = rules_.connection(name.substr(0, end));
      if (found == nullptr) continue;
      const bool rope = found->path.starts_with("model.ropes");
      if (!rope && !found->path.starts_with("model.contacts")) return {};
      return {found, rope, end < name.size() ? name.substr(end + 1) : std::string_view()};
    }
    return {};
  }

  void load_of_law(const Value& entry, const Value& name, const Law& law) {
    if (!law.entry->ok()) return;
    const SensorKind kind = kind_of<SensorKind>(entry);
    if (kind == SensorKind::power || (law.rope && kind == SensorKind::torque))
      return complain(rules_.faults(), name,
                      std::string(law.rope ? "a rope" : "a contact") + " has no " +
                          std::string(word_of(kind)) + " that is recorded",
                      law.rope ? "write `kind: force`" : "write `kind: force` or `kind: torque`");
    const std::string title = law.entry->find("name")->word;
    if (!law.rope) {
      const bool fixed = rules_.ground_shape(law.part) != nullptr;
      if ((fixed || rules_.body_of(law.part) != nullptr) && takes_part(*law.entry, law.part, fixed)) return;
      return complain(
          rules_.faults(), name,
          law.part.empty() ? "does not say on what the contact acts"
                           : "the contact `" + title + "` does not act on `" + std::string(law.part) + "`",
          "write `" + title + ".` and the name of a body, or of a shape of the ground, that it touches");
    }
    const Value *path = law.entry->find("path"), *closed = law.entry->find("closed");
    if (path == nullptr) return;
    const std::size_t spans = path->items.size() - (closed != nullptr && closed->boolean ? 0 : 1);
    if (const Value* direction = entry.find("direction"))
      complain(rules_.faults(), *direction, "the tension of a rope is one number", "leave it out");
    for (std::size_t k = 1; k <= spans; ++k)
      if (law.part == "F" + std::to_string(k)) return;
    complain(rules_.faults(), name,
             law.part.empty() ? "does not say which span of the rope is meant" : "the rope has no such span",
             "write `" + title + ".F1`" +
                 (spans > 1 ? " to `" + title + ".F" + std::to_string(spans) + "`: the spans along its path"
                            : ": it has one span"));
  }

  void formula(const Value& entry) {
    const Value* of = entry.find("of");
    if (of == nullptr) return;
    for (const Value& reference : of->items)
      if (reference.ok() && !reference.word.empty()) known(entry.find("name")->word, reference);
  }

  /// `before`: only sensors before this one; empty: all.
  void known(const std::string& before, const Value& reference) {
    const SensorReference at = split_reference(reference.word);
    const auto refuse = [&](std::string problem, std::string remedy) {
      complain(rules_.faults(), reference, std::move(problem), std::move(remedy));
    };
    if (at.variable.empty()) {
      if (!sensors_.contains(at.owner))
        return refuse("there is no sensor of this name" + (before.empty() ? "" : " before `" + before + "`"),
                      before.empty()
                          ? "name a sensor, or a coordinate such as `arm.x`"
                          : "name a coordinate such as `arm.x`, or a sensor that is listed before");
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

  const Value* list_;
  MechanismRules& rules_;
  std::unordered_map<std::string_view, const Value*> sensors_;
};

}  // namespace

void check_sensors(const Value& model, MechanismRules& rules) {
  SensorRules of(model.find("sensors"), rules);
  of.check();
  const auto each = [&](const char* list, const auto& visit) {
    const Value* entries = model.find(list);
    for (std::size_t k = 0; entries != nullptr && k < entries->items.size(); ++k)
      if (entries->items[k].ok()) visit(entries->items[k]);
  };
  each("elements", [&](const Value& entry) { of.force(entry); });
  each("joints", [&](const Value& entry) {
    if (const Value* spring = entry.find("spring")) of.force(*spring);
  });
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
