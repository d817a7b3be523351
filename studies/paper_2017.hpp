// The test model of the 2017 paper ([KMS] Table 1) and its runs, for the parts of the study `paper-2017`.
#pragma once

#include <string>
#include <vector>

#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

/// Model 1: no external forces. Model 2: pulses on 5 % of the bodies.
struct PaperModel {
  int kind = 1;
  std::int64_t masses = 940, parts = 47;
  double end = 0.02;
  std::string text(std::uint64_t seed) const;  ///< version, model and `simulate:`
};

/// Solver with the paper's tolerance of 1e-6; `stop`: `{limit: 1}` (h_mic <= h_mac) or `exact`.
std::string paper_solver(const std::string& stop = "");
/// Sections of a co-simulation with a fixed macro step.
std::string paper_coupling(const PaperModel& model, double H, int degree,
                           const std::string& scheme = "explicit");

/// Counted work of all subsystems.
struct PaperWork {
  double micro = 0;        ///< micro steps
  double evaluations = 0;  ///< of the residual: Newton iterations
  double critical = 0;     ///< evaluations x bodies of the subsystem that has most
};
PaperWork work_of(const Report& report);

void study_paper_convergence(Lab& lab, Finding& finding);  ///< Figures 8 to 10
void study_paper_work(Lab& lab, Finding& finding);         ///< Figures 11 to 14
void study_paper_control(Lab& lab, Finding& finding);      ///< Figure 15

/// What the scale allows.
PaperModel paper_model(const Lab& lab, int kind);
bool paper_whole(const Lab& lab);  ///< every statement can be judged

}  // namespace cosimo::studies
