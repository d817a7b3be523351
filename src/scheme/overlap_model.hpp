// What a run with overlaps is given: the model and its cuts, tolerances, layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "model/model.hpp"
#include "numerics/tolerances.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

/// Which side of a cut carries copies.
enum class Carrier { both, from, to };

struct OverlapModel {
  const Model& model;
  const BodyGraph& graph;
  std::span<const std::int32_t> part_of;  ///< per body
  std::span<const Coupling> couplings;
  std::span<const Carrier> carriers;  ///< per coupling; empty: both sides everywhere
  /// Of a windowed model (model/model.hpp): makes model and graph known for this many elements beyond
  /// this rank's parts, and `part_of` right there. Called while no task runs; what it changes stays where it
  /// is. Empty: all is known.
  std::function<void(std::size_t depth)> reach = {};
};

struct OverlapOptions {
  double rtol = 1e-7, atol_pos = 1e-10, atol_vel = 1e-7;
  double safety = 6;
  std::optional<int> layers;           ///< empty: chosen and adapted
  const MotionScale* scale = nullptr;  ///< followed by tolerances of zero

  Tolerances states() const { return {rtol, atol_pos, atol_vel, scale}; }
};

}  // namespace cosimo
