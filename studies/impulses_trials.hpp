// The chains of [K] 5.8 (Table 5.9, in N, mm, s): impulses beside the cuts, the same with cuts half a part
// further, and with stiff contacts in small parts at both ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/costs.hpp"
#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

struct ImpulseChain {
  std::int64_t parts = 5, per_part = 20;  ///< of the original cut; published: 100 parts of 1000
  bool repartitioned = false;             ///< parts + 1 parts, the first and the last of half the size
  bool extended = false;           ///< 25 masses more at both ends, parts of their own; all start at x = 0
  bool contacts = false;           ///< on three masses of each of these
  double coupling_damping = 5e-5;  ///< D of the elements that the original cut cuts

  static constexpr std::int64_t end_part = 25;
  std::int64_t masses() const { return parts * per_part + (extended ? 2 * end_part : 0); }
  std::vector<std::int64_t> loaded() const;  ///< bodies that the impulses act on
  std::vector<std::int64_t> cuts() const;    ///< elements
  std::string text(std::uint64_t seed) const;
  std::string partition() const;  ///< the section
};

/// When a pulse of 1 ms begins: 1e-4 s, 0.1 s, 0.2 s, ... before `end`.
std::vector<double> pulse_starts(double end);

/// Runs of one model over one span, with a tight uncut reference at the loaded bodies.
class ImpulseBench {
 public:
  ImpulseBench(Lab& lab, ImpulseChain chain, double end);

  const ImpulseChain& chain() const { return chain_; }
  double end() const { return end_; }
  /// `overrides` go to the sections of the estimator.
  Trial trial(const std::string& estimator, double rtol,
              const std::vector<std::string>& overrides = {}) const;
  Cost cost(const std::string& estimator, double rtol, const std::vector<std::string>& overrides = {}) const;
  Cost measured(const Trial& trial, const std::string& estimator, double rtol) const;
  /// A macro step and a degree that never change; ends where the bench does.
  Cost fixed(const std::string& scheme, double H, int kappa) const;
  Cost uncut() const;  ///< by IDA with the tolerances of the subsystems

 private:
  std::string simulate() const;
  Lab* lab_;
  ImpulseChain chain_;
  double end_;
  std::string model_;
  Trial reference_;
};

/// How much of it a scale allows.
struct ImpulseExtent {
  std::int64_t parts = 5, per_part = 20;
  double end = 0.01;
  double brief = 3e-4;  ///< span of what is dear
  std::vector<double> tolerances{1e-3, 1e-4, 1e-5, 1e-6};
  std::vector<std::string> estimators{"exLE", "exMD", "exCV", "imMD", "imCV"};
  bool small = false;

  explicit ImpulseExtent(double scale);
};

void study_control(Lab& lab, const ImpulseExtent& extent, Finding& finding);   ///< Figures 5.81 to 5.88
void study_variants(Lab& lab, const ImpulseExtent& extent, Finding& finding);  ///< 5.86, 5.89 to 5.91
void study_contacts(Lab& lab, const ImpulseExtent& extent, Finding& finding);  ///< Figure 5.92

/// Smallest degree and step of accepted steps that begin in [from, to).
struct StepRange {
  int lowest = 9;
  double shortest = 0, median = 0;
};
StepRange step_range(const Trial& trial, double from, double to);
/// Macro step or degree over time, as steps, thinned to some hundred points that keep the extremes.
Course step_course(const Trial& trial, std::string name, bool degree);

}  // namespace cosimo::studies
