// Size of the macro step and width of the overlaps, together.
//
// The layers follow from H and the errors measured at the cuts (control/layers.hpp); H is the one
// with the least counted work per simulated time, looked for in small factors around the present one.
// With a given number of layers H is what they hold, with a given H the layers are what it needs.
#pragma once

#include <limits>
#include <vector>

#include "scheme/macro_control.hpp"
#include "scheme/overlap.hpp"

namespace cosimo {

struct OverlapControlOptions {
  double first_step = 0;  ///< 0: automatic
  double min_step = 0;
  double max_step = std::numeric_limits<double>::infinity();
  bool step_fixed = false;  ///< H is first_step
  double t_end = 0;
  double output = 0;  ///< distance of output times, which steps should meet; 0: none
};

class OverlapControl final : public MacroControl {
 public:
  OverlapControl(OverlapScheme& scheme, const OverlapControlOptions& options)
      : scheme_(scheme), options_(options) {}

  Decision first() override;
  Decision accepted(const StepOutcome& step) override;
  Decision rejected(const StepOutcome& step) override;
  Decision failed(const StepOutcome& step) override;
  Decision restart(double t) override;
  void archive(Archive& a) override { a(H_, accepted_, since_review_, failures_, growing_); }

 private:
  double cheapest(double H) const;
  double cheapest_of(const std::vector<double>& sizes) const;
  double meeting_outputs(double H) const;
  Decision decide(double t, double H);
  Decision again(const StepOutcome& step, double H);

  OverlapScheme& scheme_;
  OverlapControlOptions options_;
  double H_ = 0;
  std::int64_t accepted_ = 0, since_review_ = 0;
  int failures_ = 0;      ///< consecutive
  bool growing_ = false;  ///< H grew as much as it may: look again after the next step
};

}  // namespace cosimo
