// The lane over our own integrators: shared by everything whose equations we know.
//
//   auto lane = make_native_lane(std::move(driven), options, {t, q, v});
#pragma once

#include <memory>
#include <span>

#include "integrator/integrator.hpp"
#include "native/driven_system.hpp"
#include "network/component.hpp"

namespace cosimo {

/// Where a lane begins.
struct LaneStart {
  double t = 0;
  std::span<const double> q, v;
  /// First-order states, then memory; not a number where that is not known; empty: as the system begins.
  std::span<const double> memory{};
};

std::unique_ptr<Lane> make_native_lane(std::unique_ptr<DrivenSystem> driven, const IntegratorOptions& options,
                                       const LaneStart& start);

}  // namespace cosimo
