// The estimator exOV: the error that a macro step with overlaps leaves on the owned bodies.
//
// At every cut the copy just behind it and its owner have integrated the same body; they differ by
// dx_j, dv_j because of what came in through the copy's far edge. That mismatch, not yet on the owned
// body i, is pushed through the cut element with tangents k, d:
//
//   p_j  = |H dv_j / dx_j|, within 1 and 2 w + 2       the mismatch grew like t^p_j
//   dv_i = 1/m_i sum_j (k H / (p_j + 1) + d) dx_j,     dx_i = dv_i H / (p + 2)
//   error of i: 1 / (1 / |d_i| + 1 / |d_j|)            |.| weighted with the tolerances at i, largest d_j
//
// Where p_j is at a limit, dx_j or dv_j is raised to fit it. The owned bodies next to i get what the same
// loss once more leaves of d_i, weighed with their tolerances: they may be at rest where i is not. The
// weights are atol + rtol times the larger magnitude at the two ends of the step.
//
// In a mechanism x, v and their differences are displacements and velocities of the bodies with their
// rotations (scheme/overlap_offsets.hpp), k and d the blocks of the element's gradient with respect to the
// copy, and m_i is the mass matrix of the body alone. Bodies that constraints join to i get what i gets.
//
// What cannot have come from the far edge is left out (control/layers.hpp: far_edge_share).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "control/layers.hpp"
#include "coupling/force_laws.hpp"
#include "parallel/pool.hpp"
#include "scheme/halos.hpp"
#include "scheme/overlap_model.hpp"
#include "scheme/overlap_offsets.hpp"
#include "subsystem/overlap.hpp"

namespace cosimo {

class OverlapEstimator {
 public:
  /// The subsystems after an attempted step, and what they know of each other. Must outlive the estimator.
  struct Sides {
    std::span<const OverlapSubsystem* const> subsystems;
    std::span<OverlapLane* const> lanes;
    BodyStates& states;
    const Halos& halos;
  };

  OverlapEstimator(const OverlapModel& model, const ForceLaws& laws, const Sides& sides,
                   const OverlapOptions& options);

  /// Errors per coupling after a step, in units of the tolerance; infinite where one is not a number. `y` are
  /// the owners' states at its end.
  void estimate(const Window& step, const CutStates& y, Pool& pool, std::span<double> cut_error);

 private:
  /// An owned body with cut elements, and the ports of its part that are theirs.
  struct CutBody {
    std::size_t part = 0;
    BodyId body;
    double mass = 1;
    std::vector<std::size_t> ports;
    std::vector<BodyId> inner;  ///< owned bodies next to it
    std::vector<BodyId> mates;  ///< that constraints hold together with it
  };
  struct Place {
    std::size_t part, port;
  };

  /// What the copies of a part tell about where their mismatch comes from.
  struct Profile {
    bool wanted = false;
    std::vector<std::vector<LayerMismatch>> layers;  ///< per root
    std::vector<int> root;  ///< per port: from which the body behind it was reached; -1: none, or indirectly
    std::vector<double> lost;  ///< per port: beyond s H, up to the nearest far edge
  };

  double push_through(const CutBody& body, double H, const CutStates& y) const;
  double push_twist_through(const CutBody& body, const Window& step, const CutStates& y) const;
  Eigen::Matrix<double, 6, 12> slopes_across(const CutPort& port, double t, const CutStates& y) const;
  void leave_out_solver_errors(double H, Pool& pool);
  void look_at(std::size_t part, double H, Profile& profile) const;
  double share(const CutBody& body) const;
  PortState mismatch(Place at) const;
  Place other_side(Place at) const;
  Place carrying(Place at) const { return carries(at) ? at : other_side(at); }
  bool carries(Place at) const { return sides_.lanes[at.part]->carries(at.port); }
  PortState off_owner(std::size_t part, BodyId body) const;
  double weighted(BodyId body, PortState d) const;
  double weighted_mismatch(std::size_t part, BodyId body) const;

  const ForceLaws& laws_;
  std::span<const Coupling> couplings_;
  Sides sides_;
  OverlapOptions options_;
  std::optional<BodyOffsets> offsets_;  ///< in a mechanism
  std::vector<CutBody> cut_bodies_;
  std::vector<double> body_error_;  ///< one per cut body
  std::vector<Profile> profiles_;   ///< one per part
};

}  // namespace cosimo
