#include "multibody/model_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/choices.hpp"
#include "core/counted.hpp"
#include "mechanics/mobility.hpp"

namespace cosimo {

namespace {

std::string mobility_text(const Model& model) {
  const Mobility m = mobility(*model.mechanism, model.bodies.x.data());
  const auto& constraints = model.mechanism->constraints;
  const auto motors = std::count_if(constraints.begin(), constraints.end(), [](const auto& c) {
    return c->kind() == word_of(config::JointKind::motor);
  });
  std::string text =
      fmt::format("; mobility {}{}: {} of the bodies less {}", m.left(),
                  motors > 0 ? " beside " + counted(motors, "motor") : "", counted(m.freedoms, "freedom"),
                  counted(m.independent(), "independent constraint"));
  if (m.redundant > 0)
    text += fmt::format(" ({} more {} redundant)", m.redundant, m.redundant == 1 ? "is" : "are");
  return text;
}

}  // namespace

std::string model_text(const Model& model) {
  std::string text = counted(model.bodies.count, "body") + ", " + counted(element_count(model), "element");
  const std::size_t forces = count(model.loads, BodyId(0), BodyId(model.bodies.count));
  if (forces > 0) text += ", " + counted(forces, "load");
  if (model.pendulum) return text + "; mobility " + std::to_string(model.coordinate_count());
  if (!model.mechanism || model.mechanism->constraints.empty()) return text;
  return text + ", " + counted(model.mechanism->constraints.size(), "joint") + mobility_text(model);
}

}  // namespace cosimo
