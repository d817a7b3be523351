// Which coupling schemes a plan tries, and why others are left out. Decided from the model, its cuts and the
// scenario; nothing is measured here.
//
//   overlap        where `scheme: auto` would take it (simulation/choose_scheme.hpp), and not with method ida
//   explicit       exCV and exMD, unless a damping ratio D > 10 at a cut holds the macro step near m/d
//   implicit       imMD and imCV where D > 0.05 or masses at a cut differ by more than 20: with less, further
//                  passes gain nothing; no imCV where D > 1, as forces there say little about the motion.
//                  Jacobian: sap where D <= 1 in all elements, else fd (mechanisms) or sensitivity
//   semi-implicit  imMD where D > 0.3
//   waveform, Gauss-Seidel, other predictors and fixed steps: when the file names them, as it names them
//
// (docs/schemes.md, "Which one when", has the reasons.) Settings that the file has for its own scheme only
// are not carried over; the controller's are.
#pragma once

#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "cosimo/plan.hpp"
#include "planning/plan_pilot.hpp"
#include "planning/plan_proposal.hpp"
#include "scheme/coupling_plan.hpp"

namespace cosimo {

struct SchemeIdea {
  std::string name;    ///< "implicit imMD, sap"
  std::string couple;  ///< the section, in braces
  Estimator estimator = Estimator::none;
  double rtol = 0;     ///< to begin with
  std::string reason;  ///< why it is worth trying
};

struct SchemeIdeas {
  std::vector<SchemeIdea> worth;
  std::vector<LeftOut> left_out;
};

/// `own`: name of what the file does, which is not named again.
SchemeIdeas scheme_ideas(const Proposal& proposal, const std::string& own);

/// What the file does, as a name of that kind.
std::string scheme_label(const CouplingPlan& plan);

/// "couple={...}" and "control={...}" that make a scenario use the idea with this tolerance.
std::vector<std::string> settings_for(const SchemeIdea& idea, const config::Scenario& scenario, double rtol);

/// "1.0e-05": what YAML reads as a number.
std::string yaml_number(double value);

}  // namespace cosimo
