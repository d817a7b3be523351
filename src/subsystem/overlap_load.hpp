// What a lane with copies works on between two changes of them: bodies and coordinates, equations, what
// drives them, and the integrator. Private to the lane (subsystem/overlap.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "model/dof_map.hpp"
#include "subsystem/overlap.hpp"
#include "subsystem/overlap_system.hpp"

namespace cosimo {

struct OverlapLane::Load {
  Load(const OverlapLane& owner, std::shared_ptr<const OverlappingPart> carried);

  void map_memory(const OverlapSubsystem& subsystem);
  /// First coordinate of a body; -1: not carried.
  std::int32_t dof_of(BodyId body) const {
    const std::int32_t place = place_of(body);
    return place < 0 ? -1 : static_cast<std::int32_t>(first[static_cast<std::size_t>(place)]);
  }
  /// The values of `remembered` as the integrators take them.
  std::span<const double> z() const { return std::span(remembered).first(system->system().extent().z); }
  std::span<const double> s() const { return std::span(remembered).subspan(system->system().extent().z); }
  /// `remembered` becomes what the integrator holds.
  void recall();
  Range coordinates(Range bodies) const { return {first[bodies.first], first[bodies.last]}; }

  struct DrivenPort {
    std::size_t port, input;  ///< of the subsystem; its place in `inputs`
  };

  const OverlapLane* lane;  ///< the only one that may work on it
  std::shared_ptr<const OverlappingPart> part;
  DofMap place_of;
  std::vector<std::size_t> first;   ///< coordinate of every body, and how many there are
  std::vector<std::size_t> places;  ///< of all coordinates among the model's
  Range owned;                      ///< coordinates
  std::vector<CutPort> inputs;      ///< far edges, then the cuts that are driven from outside
  std::unique_ptr<OverlapSystem> system;
  std::unique_ptr<Integrator> integrator;
  std::vector<std::int32_t> output_dof;  ///< per output
  std::vector<std::int32_t> copy_dof;    ///< per port: the body behind it; -1: not carried
  std::vector<DrivenPort> driven_ports;  ///< those not carried
  std::vector<Polynomial> polynomials;   ///< one for each component of the inputs
  AlignedVector q, v;                    ///< scratch for the copies' states
  /// What its elements remember, states z first, then s: where that is in BodyStates, and whether another
  /// part keeps it; scratch for the values.
  std::vector<std::size_t> memory_places;
  std::vector<char> foreign;
  std::vector<double> remembered;
  std::vector<std::uint8_t> foreign_roots;  ///< not zero: of an element whose memory another part keeps
  bool takes_memory = false;                ///< some is kept by another part
  std::vector<std::size_t> own_memory;      ///< numbers there of OverlapSubsystem::remembered()
  double work_before = 0;                   ///< counted on earlier loads
  double counted_before = 0;
};

}  // namespace cosimo
