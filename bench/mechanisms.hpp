// Mechanisms that benchmarks share.
#pragma once

#include <cstddef>

#include "mechanics/builder.hpp"

namespace cosimo::bench {

/// A rigid rod from one point to another, turning.
BodyId add_rod(MechanismBuilder& builder, const Vec3& from, const Vec3& to);

/// Rods that hang one from the other, with dampers in the joints if `damping` is positive.
PlacedMechanism chain_of(std::size_t links, JointKind kind = JointKind::spherical, double damping = 0);

/// side x side rigid bodies, each held by its neighbours with bushings.
PlacedMechanism lattice_of(std::size_t side);

}  // namespace cosimo::bench
