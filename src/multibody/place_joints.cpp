#include "multibody/place_joints.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "mechanics/elements.hpp"
#include "mechanics/prescribed_motion.hpp"
#include "multibody/config_values.hpp"
#include "numerics/expression.hpp"

namespace cosimo {

namespace {

double length(const Placement& at, const config::Joint& joint) {
  const Placement::Points p = at.points(joint, false);
  return joint.length.value_or((p.to - p.from).norm());
}

PrescribedMotion integrated_motion(const Placement& at, const config::Joint& motor,
                                   const Expression& formula) {
  try {
    return {formula,
            motor.breakpoints,
            {motor.motion_integrals, motor.motion_start, motor.motion_rate},
            at.scenario().simulate.end};
  } catch (const Error& error) {
    Fault fault = error.faults().front();
    fault.field = motor.name;
    throw Error(std::move(fault));
  }
}

}  // namespace

std::unique_ptr<Constraint> place_joint(const Placement& at, const config::Joint& joint) {
  if (joint.kind == config::JointKind::distance)
    return make_distance(joint.name, at.sides(joint), length(at, joint));
  if (joint.kind == config::JointKind::motor) {
    const config::Joint& driven = at.model().joints[static_cast<std::size_t>(joint.joint)];
    const std::vector<std::string> variables{"t"};
    const Expression formula(joint.motion, variables, at.scenario().curves);
    if (joint.motion_integrals == 0)
      return make_motor(joint.name, joint_kind(driven.kind), at.sides(driven), formula, joint.breakpoints);
    return make_motor(joint.name, joint_kind(driven.kind), at.sides(driven),
                      integrated_motion(at, joint, formula));
  }
  if (joint.kind == config::JointKind::gear) {
    const auto tied = [&](std::size_t i) -> const config::Joint& {
      return at.model().joints[static_cast<std::size_t>(joint.joints[i])];
    };
    const auto start = [&](std::int32_t body) { return at.frame(body); };
    return make_gear(joint.name, at.sides(tied(0)), at.sides(tied(1)),
                     {static_cast<int>(joint.teeth[0]), static_cast<int>(joint.teeth[1])},
                     {start(tied(0).from), start(tied(0).to), start(tied(1).from), start(tied(1).to)});
  }
  return make_joint(joint.name, joint_kind(joint.kind), at.sides(joint));
}

std::unique_ptr<ForceElement> place_compliant_joint(const Placement& at, const config::Joint& joint) {
  const JointSides s = at.sides(joint);
  if (joint.kind != config::JointKind::distance)
    return make_compliant_joint(joint.name, joint_kind(joint.kind), s.from, s.to,
                                compliance(*joint.compliant));
  SpringSpec spec;
  spec.law.c = joint.compliant->stiffness;
  spec.law.d = joint.compliant->damping;
  spec.length = length(at, joint);
  return make_spring(joint.name, s.from, s.to, spec);
}

std::vector<std::unique_ptr<Constraint>> hold_start(const Placement& at, const config::Joint& joint) {
  std::vector<std::unique_ptr<Constraint>> motors;
  using Kind = config::JointKind;
  const auto add = [&](JointKind kind, double value, double rate) {
    const std::vector<std::string> time{"t"};
    const Expression motion(fmt::format("{:.17g} + {:.17g}*t", value, rate), time);
    motors.push_back(make_motor(joint.name, kind, at.sides(joint), motion, {}));
  };
  if (joint.kind != Kind::prismatic) add(JointKind::revolute, joint.start->angle, joint.start->angular_speed);
  if (joint.kind != Kind::revolute) add(JointKind::prismatic, joint.start->displacement, joint.start->speed);
  return motors;
}

}  // namespace cosimo
