#include "mechanics/prescribed_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cosimo {

PrescribedMotion::PrescribedMotion(const Expression& formula, std::vector<double> breakpoints)
    : formula_(formula), breakpoints_(std::move(breakpoints)) {
  std::sort(breakpoints_.begin(), breakpoints_.end());
}

double PrescribedMotion::value(double t) const {
  return formula_(std::array{t});
}

double PrescribedMotion::next_breakpoint(double t) const {
  const auto next = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), t);
  return next == breakpoints_.end() ? std::numeric_limits<double>::infinity() : *next;
}

PrescribedMotion::State PrescribedMotion::at(double t) const {
  const bool begins = t == 0 || std::ranges::binary_search(breakpoints_, t);
  const double beside = begins ? std::nextafter(t, std::numeric_limits<double>::infinity()) : t;
  const Jet motion = formula_.along(std::array{beside}, 0);
  return {value(t), motion.first, motion.second};
}

}  // namespace cosimo
