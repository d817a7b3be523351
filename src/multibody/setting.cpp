#include "multibody/setting.hpp"

#include <algorithm>

#include "mechanics/mechanism.hpp"

namespace cosimo {

std::string obstacle_to_setting(const Model& model, std::size_t coordinate) {
  if (!model.mechanism) return "";
  const Mechanism& mechanism = *model.mechanism;
  if (!mechanism.constraints.empty()) return "joints tie the coordinates of bodies to each other";
  const auto next = std::upper_bound(model.bodies.first.begin(), model.bodies.first.end(), coordinate);
  const auto body = static_cast<std::size_t>(next - model.bodies.first.begin()) - 1;
  if (mechanism.bodies[body].kind == BodyKind::rigid && coordinate - model.bodies.first[body] >= 3)
    return "the four numbers of an orientation hang together";
  if (!mechanism.bodies[body].reference.isZero())
    return "its reference point is not the centre of mass, which is what moves freely";
  return "";
}

}  // namespace cosimo
