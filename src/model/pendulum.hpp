// Generator: N links hanging one from the other.
//
//   point, absolute   point masses, each kept at its distance from the one before: the mathematical
//                     N-pendulum of 003, Section 3.1, as a mechanism with constraints
//   point, minimal    the same in its angles: dense mass matrix, no constraints
//                     (mechanics/minimal_pendulum.hpp)
//   rod               slender rods with pin or ball joints, in the plane or in space
//
// Gravity acts along -y in the plane and along -z in space; all links start in the plane of x and gravity, at
// angles from the downward vertical towards +x. Compliant joints replace some joints, so that the chain
// may be cut there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/sequence.hpp"
#include "mechanics/joints.hpp"
#include "model/model.hpp"

namespace cosimo {

struct PendulumSpec {
  std::size_t links = 1;
  Sequence length = 1.0, mass = 1.0;  ///< one per link
  bool minimal = false;               ///< angles in place of bodies and constraints; needs equal point links
  bool rods = false;                  ///< or point masses at the lower ends
  bool spherical = false;             ///< ball joints between rods, or pins
  std::size_t dimensions = 2;
  Sequence angle = 0.0, angular_velocity = 0.0;  ///< one per link
  double damping = 0;  ///< torque per relative angular velocity in every joint of rods
  double gravity = 9.81;
  struct Soft {
    std::size_t every = 1;  ///< joints every + 1, 2 every + 1, ... are compliant
    Compliance compliance;
  };
  std::optional<Soft> compliant{};  ///< rods
  std::uint64_t seed = 0;
};

/// Bodies "link1", ...; joints "joint1" (at the ground), ...
Model make_pendulum(const PendulumSpec& spec);

}  // namespace cosimo
