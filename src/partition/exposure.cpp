#include "partition/exposure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mechanics/mechanism.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

namespace {

constexpr double of_load = 1, of_contact = 2;
constexpr int layers = 6;

/// Loads and contacts on the bodies themselves.
std::vector<double> direct_exposure(const Model& model) {
  std::vector<double> result(model.bodies.count, 0);
  const auto expose = [&](BodyId body, double value) {
    if (body != ground) result[body.index()] = std::max(result[body.index()], value);
  };
  if (model.mechanism) {
    for (const auto& element : model.mechanism->elements) {
      if (!element->is_load()) continue;
      expose(element->at_from.body, element->kind() == "contact" ? of_contact : of_load);
      expose(element->at_to.body, element->kind() == "contact" ? of_contact : of_load);
    }
    return result;
  }
  const auto expose_all = [&](const auto& loads) {
    for (const auto& load : loads)
      if (load.amplitude != 0) expose(load.body, of_load);
  };
  expose_all(model.loads.harmonic);
  expose_all(model.loads.impulse);
  expose_all(model.loads.powersine);
  for (const Contact& contact : model.loads.contact)
    if (contact.A != 0 && contact.B != 0) expose(contact.body, of_contact);
  return result;
}

/// The greatest speed that bodies have at the start or that a load gives them.
double greatest_speed(const Model& model) {
  double speed = 0;
  for (const double v : model.bodies.v) speed = std::max(speed, std::fabs(v));
  const auto mass = [&](BodyId body) { return model.bodies.mass[body.index()]; };
  const auto oscillating = [&](const auto& loads) {
    for (const auto& load : loads)
      if (load.omega != 0)
        speed = std::max(speed, std::fabs(load.amplitude / (mass(load.body) * load.omega)));
  };
  oscillating(model.loads.harmonic);
  oscillating(model.loads.powersine);
  for (const Impulse& load : model.loads.impulse)
    speed = std::max(speed, std::fabs(load.amplitude * load.duration / mass(load.body)));
  return speed;
}

}  // namespace

bool sets_in(const Model& model, ElementId element) {
  if (!model.mechanism) return false;
  const ForceElement& e = *model.mechanism->elements[element.index()];
  return e.is_load() && e.switch_count() > 0;
}

std::vector<double> exposure(const Model& model) {
  std::vector<double> result = direct_exposure(model);
  std::vector<std::int32_t> front, next;
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i] > 0) front.push_back(static_cast<std::int32_t>(i));
  if (front.empty()) return result;
  const BodyGraph graph(model);
  for (int layer = 0; layer < layers && !front.empty(); ++layer) {
    next.clear();
    for (const std::int32_t body : front) {
      const double passed_on = 0.5 * result[static_cast<std::size_t>(body)];
      for (const std::int32_t other : graph.neighbours(static_cast<std::size_t>(body))) {
        double& there = result[static_cast<std::size_t>(other)];
        if (there >= passed_on) continue;
        there = passed_on;
        next.push_back(other);
      }
    }
    std::swap(front, next);
  }
  return result;
}

std::vector<double> contact_rates(const Model& model) {
  std::vector<double> rate(model.bodies.count, 0);
  if (model.mechanism || model.loads.contact.empty()) return rate;
  const double speed = greatest_speed(model);
  for (const Contact& contact : model.loads.contact) {
    const std::size_t i = contact.body.index();
    if (contact.A == 0) continue;
    const double exponent = std::min(contact.B * model.bodies.x[i], 30.0);
    const double at_rest =
        std::sqrt(std::fabs(contact.A * contact.B) * std::exp(exponent) / model.bodies.mass[i]);
    const double stopping = std::fabs(contact.B) * speed / std::sqrt(2.0);
    rate[i] = std::max(rate[i], speed > 0 ? stopping : at_rest);
  }
  return rate;
}

}  // namespace cosimo
