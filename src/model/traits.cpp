#include "model/traits.hpp"

#include <algorithm>

#include "core/counted.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

namespace {

bool turns(const Body& body) {
  return body.kind == BodyKind::planar || body.kind == BodyKind::rigid;
}

}  // namespace

ModelTraits traits_of(const Model& model) {
  ModelTraits traits;
  if (!model.mechanism && !model.pendulum) return traits;
  traits.constrained = true;
  traits.angles = model.pendulum || std::ranges::any_of(model.mechanism->bodies, turns);
  traits.derivatives = !model.mechanism;
  traits.output_from_all = model.mechanism != nullptr;
  if (!model.mechanism) return traits;
  const auto called = [](const ForceGroup& law) { return std::string(law.kind()) + " '" + law.name + "'"; };
  if (const ForceGroup* law = model.mechanism->group_without_gradient())
    traits.explicit_only = called(*law) + " act on " + counted(law->bodies().size(), "body");
  if (const ForceGroup* law = model.mechanism->group_with_memory()) traits.remembering = called(*law);
  return traits;
}

}  // namespace cosimo
