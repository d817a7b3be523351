#include "model/traits.hpp"

#include <algorithm>

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
  return traits;
}

}  // namespace cosimo
