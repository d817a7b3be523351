// What a run with overlaps is given: the model and its cuts, tolerances, layers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/model.hpp"
#include "model/part.hpp"
#include "partition/surroundings.hpp"

namespace cosimo {

/// Which side of a cut carries copies.
enum class Carrier { both, from, to };

struct OverlapModel {
  const Model& model;
  const Surroundings& surroundings;
  std::span<const std::int32_t> part_of;  ///< per body
  std::span<const Coupling> couplings;
  std::span<const Carrier> carriers;  ///< per coupling; empty: both sides everywhere
};

struct OverlapOptions {
  double rtol = 1e-7, atol_pos = 1e-10, atol_vel = 1e-7;
  double safety = 6;
  std::optional<int> layers;  ///< empty: chosen and adapted
};

}  // namespace cosimo
