// `spring` and `damper` of an entry of `joints`: force elements in the coordinate of the joint, written where
// it is. They are called `joint.spring` and `joint.damper`, and come after the listed elements.
//
//   {name: pivot, kind: revolute, ..., spring: {c: 20, free: 0.3}, damper: 0.5}
#pragma once

#include <vector>

#include "config/form.hpp"

namespace cosimo::config {

struct Mechanism;
class MechanismRules;
struct Value;

std::vector<Key> joint_spring_keys();
void check_joint_springs(const Value& joint, MechanismRules& rules);
/// The joints are there already. Of values without fault.
void read_joint_springs(const Value& joints, Mechanism& mechanism);

}  // namespace cosimo::config
