// One mechanism as a whole, by one method and a team: seconds per attempt at a step.
#pragma once

#include <memory>
#include <vector>

#include "integrator/integrator.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/dynamics.hpp"
#include "model/model.hpp"
#include "parallel/team.hpp"
#include "subsystem/mechanism_part.hpp"

namespace cosimo::bench {

class TeamRun {
 public:
  struct Span {
    double begin, end;  ///< of what is timed; before it patterns are analysed
  };
  /// `made` must outlive it.
  TeamRun(const PlacedMechanism& made, Method method, const Span& span, int threads,
          Linear linear = Linear::automatic);

  /// Infinity where the run fails.
  double operator()();
  int threads() const { return team_.members(); }

 private:
  const PlacedMechanism& made_;
  Method method_;
  Span span_;
  Linear linear_;
  Model model_;
  std::vector<BodyId> bodies_;
  std::vector<ElementId> elements_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<MechanismPart> part_;
  Team team_;
};

}  // namespace cosimo::bench
