// The estimator exOV: the error that a macro step with overlaps leaves on the owned bodies.
//
// At every cut the copy just behind it and its owner have integrated the same body; they differ because of
// what came in through the copy's far edge. That mismatch, not yet on the owned body, is pushed through the
// cut element by whoever knows the physics (Overlapping::push()).
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
  OverlapEstimator(const OverlapModel& model, std::span<const OverlapSide> sides, Halos& halos);

  /// After a step; `y` are the owners' states at its end.
  void estimate(const Window& step, const CutStates& y, Pool& pool);

  /// What was found at an end of a cut.
  struct End {
    double error = 0;      ///< of the owned body, in units of the tolerance; infinite where it is no number
    bool carried = false;  ///< the body beyond, on this side of the cut
  };
  End end(std::size_t part, std::size_t port) const {
    const Cuts& cuts = cuts_[part];
    const auto& [body, copy] = cuts.ports[port];
    return {body_error_[body], behind_[copy].carried && behind_[copy].at.part == part};
  }

 private:
  struct Place {
    std::size_t part, port;
  };
  /// Of a copy of a cut body: the port it is behind, and where it is carried. On the side of a one-sided cut
  /// that carries nothing that is on the other side.
  struct Behind {
    std::size_t port = 0;
    Place other{};  ///< of the cut's other side; no part: on another rank
    Place at{};
    bool carried = false;
  };
  /// What the copies of a part tell about where their mismatch comes from.
  struct Profile {
    bool wanted = false;
    std::vector<char> asked;                         ///< per port: that is wanted of it
    std::vector<std::vector<LayerMismatch>> layers;  ///< per root
    std::vector<char> wanted_root;
    std::vector<int> root;  ///< per port: from which the body behind it was reached; -1: none, or indirectly
    std::vector<double> lost;  ///< per port: beyond s H, up to the nearest far edge
  };
  /// Of one part.
  struct Cuts {
    struct Port {
      std::size_t body, copy;  ///< numbers
    };
    Range bodies, copies;
    std::vector<Port> ports;
    bool elsewhere = false;  ///< some of its copies are carried by another part
    Profile profile;
  };

  void add_part(std::size_t part);
  void find_other_sides();
  void judge(std::size_t part, const Window& step, const CutStates& y);
  void find_copies(std::size_t part);
  void look_elsewhere(double H);
  void ask(std::size_t body);
  void look_at(std::size_t part, double H);
  double share(std::size_t body) const;
  bool matters(std::size_t body) const;
  bool at_home(std::size_t part, std::size_t body) const;

  Overlapping& physics_;
  std::span<const OverlapSide> sides_;
  Halos& halos_;
  std::vector<Cuts> cuts_;                        ///< one per part
  std::vector<Range> tasks_;                      ///< parts that a task takes
  std::vector<Overlapping::CutBody> cut_bodies_;  ///< part by part
  std::vector<double> body_error_;                ///< one per cut body
  std::vector<Overlapping::Copy> copies_;         ///< body by body, one per port
  std::vector<Behind> behind_;                    ///< of every copy
  std::vector<BodyId> near_;                      ///< what is next to the cut bodies
};

}  // namespace cosimo
