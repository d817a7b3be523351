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

double PrescribedMotion::value(double t) const {
  return formula_(std::array{t});
}

PrescribedMotion::State PrescribedMotion::at(double t) const {
  const bool begins = t == 0 || std::ranges::binary_search(breakpoints_.instants(), t);
  const double beside = begins ? std::nextafter(t, std::numeric_limits<double>::infinity()) : t;
  const Jet motion = formula_.along(std::array{beside}, 0);
  return {value(t), motion.first, motion.second};
}

}  // namespace cosimo
