// How the subsystems of a run are coupled, in values: resolved once from configuration and model
// (simulation/resolve_coupling.hpp), told in the summary and asked by everyone. Whoever needs a tolerance,
// the scheme or a default looks here and derives nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/controller.hpp"
#include "core/settings.hpp"
#include "partition/part.hpp"
#include "scheme/classic.hpp"
#include "scheme/corrector.hpp"
#include "scheme/interface_jacobian.hpp"
#include "scheme/lanes.hpp"
#include "scheme/overlap_control.hpp"
#include "scheme/overlap_model.hpp"

namespace cosimo {

struct CouplingPlan {
  struct Cut {
    Decomposition decomposition = Decomposition::force_force;
    std::optional<CutSide> displaced{};  ///< force-displacement: the side that the other's motion drives
    Carrier carrier = Carrier::both;     ///< overlap
  };
  std::vector<Cut> cuts;  ///< of the whole model, in the order of its couplings; empty: nothing is cut
  bool signals = false;   ///< there are also signals between components

  SchemeKind scheme = SchemeKind::explicit_;  ///< also with overlaps and without cuts
  bool overlap = false;                       ///< all cuts are overlaps; else classic
  Estimator estimator = Estimator::none;      ///< none: not cut, or a fixed step that nobody judges
  double rtol = 0;                            ///< of the macro step
  std::optional<double> step;                 ///< fixed macro step
  bool judged = false;  ///< the estimate decides on steps, or on the layers of fixed ones
  Beside beside = Beside::none;
  std::vector<int> stages;  ///< Gauss-Seidel: of every part of the model; empty: Jacobi
  std::string details;      ///< what else distinguishes classic cuts, in words; empty for the plainest

  ControlOptions control;  ///< of classic cuts; a first step of 0: automatic
  ClassicOptions classic;  ///< without the stages, which every rank numbers its own way
  CorrectorOptions corrector;
  JacobianOptions jacobian;  ///< of schemes with a Jacobian
  double relaxation = 0;     ///< waveform

  OverlapOptions layers;
  OverlapControlOptions layers_control;

  /// Components are coupled: by cuts or by signals.
  bool cut() const { return !cuts.empty() || signals; }
  /// Solves the coupling conditions with an interface Jacobian.
  bool newton() const { return scheme == SchemeKind::implicit || scheme == SchemeKind::semi_implicit; }
  /// Steps may be done again: the scheme does, they may be rejected, or they are long and may be broken off.
  bool repeats() const { return !cut() || judged || scheme != SchemeKind::explicit_; }
};

}  // namespace cosimo
