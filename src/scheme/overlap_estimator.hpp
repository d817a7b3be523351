// The estimator exOV: the error that a macro step with overlaps leaves on the owned bodies.
//
// At every cut the copy just behind it and its owner have integrated the same body; they differ because of
// what came in through the copy's far edge. That mismatch, not yet on the owned body, is pushed through the
// cut element by whoever knows the physics (Overlapping::pushed()).
//
// What cannot have come from the far edge is left out (control/layers.hpp: far_edge_share).
#pragma once

#include <span>
#include <vector>

#include "control/layers.hpp"
#include "network/cut_states.hpp"
#include "parallel/pool.hpp"
#include "scheme/halos.hpp"
#include "scheme/overlap_model.hpp"

namespace cosimo {

class OverlapEstimator {
 public:
  /// Everything given must outlive it.
  OverlapEstimator(const OverlapModel& model, std::span<const OverlapSide> sides, const Halos& halos);

  /// Errors per coupling after a step, in units of the tolerance; infinite where one is not a number. `y` are
  /// the owners' states at its end.
  void estimate(const Window& step, const CutStates& y, Pool& pool, std::span<double> cut_error);

 private:
  /// A cut body, and the ports of its part that are its own.
  struct CutBody {
    Overlapping::CutBody known;
    std::size_t part = 0;
    std::vector<std::size_t> ports;
    std::vector<Overlapping::Copy> copies;  ///< per port
  };
  struct Place {
    std::size_t part, port;
  };

  /// What the copies of a part tell about where their mismatch comes from.
  struct Profile {
    bool wanted = false;
    std::vector<char> asked;                         ///< per port: that is wanted of it
    std::vector<std::vector<LayerMismatch>> layers;  ///< per root
    std::vector<int> root;  ///< per port: from which the body behind it was reached; -1: none, or indirectly
    std::vector<double> lost;  ///< per port: beyond s H, up to the nearest far edge
  };

  double push_through(CutBody& body, const Window& step, const CutStates& y) const;
  void leave_out_solver_errors(double H, Pool& pool);
  void look_at(std::size_t part, double H, Profile& profile) const;
  double share(const CutBody& body) const;
  Place other_side(Place at) const;
  Place carrying(Place at) const { return carries(at) ? at : other_side(at); }
  bool carries(Place at) const { return sides_[at.part].lane->carries(at.port); }

  Overlapping& physics_;
  std::span<const Coupling> couplings_;
  std::span<const OverlapSide> sides_;
  const Halos& halos_;
  std::vector<CutBody> cut_bodies_;
  std::vector<double> body_error_;  ///< one per cut body
  std::vector<Profile> profiles_;   ///< one per part
};

}  // namespace cosimo
