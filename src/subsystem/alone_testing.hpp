// A mechanism of a few bodies, integrated whole, for tests of elements against closed forms.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "integrator/integrator.hpp"
#include "mechanics/builder.hpp"
#include "model/mechanism_testing.hpp"
#include "subsystem/mechanism_part.hpp"

namespace cosimo::testing {

struct Alone {
  Model model;
  Partition whole;
  Dynamics dynamics;
  MechanismPart part;
  std::unique_ptr<Integrator> integrator;

  Alone(const PlacedMechanism& placed, Method method, double rtol = 1e-8, double atol = 1e-9)
      : model(make_model(placed.mechanism, placed.q, placed.v)),
        whole(in_one_part(model)),
        dynamics(*model.mechanism, whole.parts[0].bodies, whole.parts[0].elements),
        part(model, dynamics, {}) {
    IntegratorOptions options;
    options.method = method;
    options.tolerances = {rtol, atol, atol};
    integrator = make_integrator(part, options);
    const Extent extent = part.extent();
    std::vector<double> z(extent.z), s(extent.s);
    part.begin(model.bodies.x.data(), model.bodies.v.data(), z.data(), s.data());
    integrator->start(0, model.bodies.x, model.bodies.v, z, s);
  }

  ::testing::AssertionResult advance(double t) {
    const AdvanceResult result = integrator->advance(t, {});
    if (result.ok) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << result.reason << " at " << result.reached;
  }
  double x(std::size_t i = 0) const { return integrator->position()[i]; }
  double v(std::size_t i = 0) const { return integrator->velocity()[i]; }
  /// Kinetic and stored.
  double energy(double t) const {
    const double* const q = integrator->position().data();
    return dynamics.kinetic_energy(q, integrator->velocity().data()) +
           dynamics.potential_energy(t, q, {integrator->states().data(), integrator->memory().data()});
  }
};

/// A point that moves along x alone.
inline BodyId add_point(MechanismBuilder& builder, const char* name, double mass, double x, double v) {
  Frame frame;
  frame.r.x() = x;
  frame.v.x() = v;
  return builder.add({.name = name, .kind = BodyKind::point1, .mass = mass}, frame);
}
/// The marker of laws along the x axis, at the origin of the ground or at a point mass.
inline Marker along_x(const MechanismBuilder& builder, BodyId body) {
  return builder.marker(body, body == ground ? Vec3::Zero() : builder.frame(body).r,
                        axes_along(Vec3::UnitX()));
}
/// Unstretched at the origin.
inline void add_spring_to_origin(MechanismBuilder& builder, BodyId body, double c) {
  builder.add(make_spring("spring", along_x(builder, ground), along_x(builder, body), {{c}, 0, false}));
}

}  // namespace cosimo::testing
