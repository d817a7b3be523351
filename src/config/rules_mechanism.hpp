// What the rules of bodies, joints and elements share: who is called how and has which dimensions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "config/check.hpp"
#include "config/choices.hpp"
#include "config/faults.hpp"

namespace cosimo::config {

/// One end of a joint or an element.
struct EndBody {
  bool known = true;            ///< false: at fault, and reported
  const Value* body = nullptr;  ///< null: the ground
  std::int64_t dimensions = 0;  ///< 0: the ground
  bool turns = false;           ///< it has an orientation

  bool is_point() const { return body != nullptr && !turns; }
};

class MechanismRules {
 public:
  MechanismRules(const Value& model, Faults& faults);
  void check();

  // For the rules of joints and elements (rules_joints.cpp, rules_elements.cpp).
  Faults& faults() { return faults_; }
  const Value* joint(std::string_view name) const;
  std::vector<std::string_view> joint_names() const;
  /// A joint, an element, a rope or a contact.
  const Value* connection(std::string_view name) const;
  std::vector<std::string_view> connection_names() const;
  const Value* body_of(std::string_view name) const;
  const Value* ground_shape(std::string_view name) const;
  static EndBody body_end(const Value& body);
  /// Whether a revolute or cylindrical joint joins the bodies that `entry` joins.
  bool has_hinge(const Value& entry) const;

  /// The body that `entry` names under `key`; complains when there is none.
  EndBody end(const Value& entry, const char* key);
  /// Complains about an end that is the other one.
  void two_bodies(const Value& entry, const EndBody& from, const EndBody& to);
  /// A point or a direction: three numbers, or as many as the bodies have dimensions.
  void vector(const Value* value, std::int64_t dimensions);
  /// `vector`, and not zero.
  bool direction(const Value* value, std::int64_t dimensions);
  void ascending(const Value* instants);
  /// One of `{axis, angle}`, `{quaternion}`, `{euler}`; null: absent.
  void orientation(const Value* value);

 private:
  void name_springs();
  void names(const char* list, std::unordered_map<std::string_view, const Value*>& known, const char* what);
  void body(const Value& entry);
  void weight(const Value& entry);
  void shape(const Value& shape);
  void look(const Value* list);
  void inertia(const Value& inertia);

  const Value& model_;
  Faults& faults_;
  std::unordered_map<std::string_view, const Value*> bodies_;
  std::unordered_map<std::string_view, const Value*> connections_;  ///< joints, elements, ropes, contacts
  std::unordered_map<std::string, const Value*> springs_;           ///< and dampers of joints
};

/// Of a valid entry.
template <class E>
E kind_of(const Value& entry) {
  return choice_of<E>(entry.find("kind")->word).value();
}

void check_joint(const Value& entry, MechanismRules& rules);
void check_element(const Value& entry, MechanismRules& rules);
void check_rope(const Value& entry, MechanismRules& rules);
/// Of pulleys and wheels; null: z.
bool parallel_axes(const Value* one, const Value* other);
/// And what formulas of forces know of them.
void check_sensors(const Value& model, MechanismRules& rules);
/// No two motors drive the same joint.
void check_motors(const Value& joints, MechanismRules& rules);

}  // namespace cosimo::config
