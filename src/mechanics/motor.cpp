// Motors: one measured quantity follows a formula of time.
#include <utility>

#include "mechanics/joint_layout.hpp"
#include "mechanics/measure.hpp"

namespace cosimo {

std::unique_ptr<Constraint> make_motor(std::string name, JointKind kind, const JointSides& sides,
                                       const Expression& motion, std::vector<double> breakpoints) {
  return make_motor(std::move(name), kind, sides, PrescribedMotion(motion, std::move(breakpoints)));
}

std::unique_ptr<Constraint> make_motor(std::string name, JointKind kind, const JointSides& sides,
                                       const PrescribedMotion& motion) {
  if (kind != JointKind::revolute && kind != JointKind::prismatic)
    refuse(name, "a motor cannot drive a " + std::string(name_of(kind)) + " joint",
           "drive a revolute joint (angle) or a prismatic joint (displacement)");
  const Quantity quantity = kind == JointKind::revolute ? Quantity::angle : Quantity::displacement;
  check_measure(name, quantity, sides);
  const std::array<MeasuredConstraint::Term, 1> term{{{sides.from, sides.to, 1}}};
  return std::make_unique<MeasuredConstraint>(std::move(name), "motor", quantity, term, 0.0, motion);
}

}  // namespace cosimo
