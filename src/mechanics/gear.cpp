// Gears: two angles turn together.
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "mechanics/joint_layout.hpp"
#include "mechanics/measure.hpp"

namespace cosimo {

std::unique_ptr<Constraint> make_gear(std::string name, const JointSides& first, const JointSides& second,
                                      std::array<int, 2> teeth, const std::array<Frame, 4>& start) {
  for (const JointSides* sides : {&first, &second}) check_measure(name, Quantity::angle, *sides);
  if (teeth[0] == 0 || teeth[1] == 0)
    refuse(name, "a wheel without teeth",
           "give whole numbers other than zero; a negative one turns the sense around");
  // What the teeth have in common says nothing, and the row is unique over a larger range without it.
  const int common = std::gcd(teeth[0], teeth[1]);
  const std::array<MeasuredConstraint::Term, 2> terms{
      {{first.from, first.to, teeth[0] / common}, {second.from, second.to, teeth[1] / common}}};
  const double offset =
      terms[0].factor * measure(Quantity::angle, view_pair(start[0], start[1], first.from, first.to)) +
      terms[1].factor * measure(Quantity::angle, view_pair(start[2], start[3], second.from, second.to));
  auto gear = std::make_unique<MeasuredConstraint>(std::move(name), "gear", Quantity::angle, terms, offset,
                                                   std::nullopt);
  if (gear->bodies().size() < 2)
    refuse(gear->name, "both wheels are the same body", "name the joints of two different bodies");
  return gear;
}

}  // namespace cosimo
