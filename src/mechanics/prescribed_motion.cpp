#include "mechanics/prescribed_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cosimo {

PrescribedMotion::PrescribedMotion(const Expression& formula, std::vector<double> breakpoints)
    : formula_(formula), breakpoints_(std::move(breakpoints)) {
  breakpoints_.merge(formula.breaks(Breaks::curvature));
}

PrescribedMotion::PrescribedMotion(const Expression& formula, std::vector<double> breakpoints,
                                   const IntegratedFormula::Start& start, double end)
    : PrescribedMotion(formula, std::move(breakpoints)) {
  integral_ = std::make_shared<const IntegratedFormula>(formula, start, breakpoints_.instants(), end);
  times_ = start.times;
}

double PrescribedMotion::value(double t) const {
  return integral_ != nullptr ? integral_->value(t) : formula_(std::array{t});
}

PrescribedMotion::State PrescribedMotion::at(double t) const {
  const bool begins = t == 0 || std::ranges::binary_search(breakpoints_.instants(), t);
  // Numbers beside zero that are smaller count as zero in a run (core/flush_tiny.hpp).
  const double next = std::nextafter(t, std::numeric_limits<double>::infinity());
  const double beside = !begins ? t : t == 0 ? std::numeric_limits<double>::min() : next;
  const Jet motion = formula_.along(std::array{beside}, 0);
  if (times_ == 1) return {value(t), motion.value, motion.first};
  if (times_ == 2) return {value(t), integral_->rate(t), motion.value};
  return {value(t), motion.first, motion.second};
}

}  // namespace cosimo
