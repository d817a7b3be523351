// What a run with overlaps is given: who knows the physics, how the bodies are divided, tolerances, layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "network/interface.hpp"
#include "network/overlapping.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

/// Which side of a cut carries copies.
enum class Carrier { both, from, to };

struct OverlapModel {
  Overlapping& physics;
  std::span<const std::int32_t> part_of;  ///< per body
  std::span<const Coupling> couplings;    ///< cuts only
  std::span<const Carrier> carriers;      ///< per coupling; empty: both sides everywhere
};

struct OverlapOptions {
  double rtol = 1e-7, atol_pos = 1e-10, atol_vel = 1e-7;
  double safety = 6;
  std::optional<int> layers;           ///< empty: chosen and adapted
  const MotionScale* scale = nullptr;  ///< followed by tolerances of zero

  Tolerances states() const { return {rtol, atol_pos, atol_vel, scale}; }
};

/// The ends of cuts of one part: on which bodies they are, and which are beyond.
struct OverlapPort {
  CouplingId coupling;
  CutSide side = CutSide::from;
  BodyId body, beyond;
};

/// One part, and its lane after an attempted step.
struct OverlapSide {
  std::vector<OverlapPort> ports;
  std::size_t bodies = 0;  ///< that it owns
  Copying* lane = nullptr;

  /// The port of a cut that the part has an end of.
  std::size_t port_of(CouplingId coupling) const;
};

/// Of this component, which has ends of cuts only.
OverlapSide overlap_side(const Component& component, std::span<const Coupling> couplings, Copying& lane);

}  // namespace cosimo
