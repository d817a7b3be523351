// Macro-step and order control (Sections 3.3, 3.4) of the schemes that extrapolate coupling variables.
#pragma once

#include "scheme/classic.hpp"
#include "scheme/macro_control.hpp"

namespace cosimo {

class ClassicControl final : public MacroControl {
 public:
  /// `judged`: the error decides the step. Otherwise at most the order is controlled.
  ClassicControl(ClassicScheme& scheme, const ControlOptions& options, double t_start, double t_end,
                 bool judged)
      : scheme_(scheme),
        controller_(options, t_start, t_end),
        order_max_(options.order_max),
        active_(judged || !options.order_fixed) {}

  Decision first() override { return last_ = controller_.first(); }
  Decision accepted(const StepOutcome& s) override {
    if (!active_)
      last_.kappa = order_max_;
    else
      last_ = controller_.accepted(s.t, s.H, s.planned, s.candidate.kappa, s.candidate.norms,
                                   scheme_.derivative_norms(s.planned));
    return last_;
  }
  Decision rejected(const StepOutcome& s) override {
    return last_ = controller_.rejected(s.t, s.H, s.candidate.kappa, s.candidate.norms,
                                        scheme_.derivative_norms(s.H));
  }
  Decision failed(const StepOutcome& s) override {
    return last_ = controller_.failed(s.t, s.H, s.candidate.kappa);
  }
  Decision restart(double t) override { return last_ = controller_.restart(t); }
  void archive(Archive& a) override { a(controller_, last_.H, last_.kappa, last_.too_small); }

 private:
  ClassicScheme& scheme_;
  Controller controller_;
  int order_max_;
  bool active_;
  Decision last_;
};

}  // namespace cosimo
