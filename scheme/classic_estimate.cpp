// How far a candidate of a classic scheme is off: the estimators of Section 3.1.
#include <algorithm>
#include <array>
#include <cmath>

#include "scheme/classic.hpp"

namespace cosimo {

void ClassicScheme::estimate(Candidate& candidate) {
  std::fill(cut_error_.begin(), cut_error_.end(), 0.0);
  if (options_.estimator == Estimator::imMD) {
    const ErrorConstants ratio = milne_ratios();
    compare_states(y_first_, 1 - ratio.pos, 1 - ratio.vel, candidate);  // (3.18), (3.19)
  } else if (comparing_) {
    const ErrorConstants ratio =
        options_.estimator == Estimator::exMD ? milne_ratios() : ErrorConstants{1, 1};
    compare_states(y_compare_, ratio.pos, ratio.vel, candidate);  // (3.6), (3.13), (3.14)
  } else {
    compare_variables(candidate);
  }
}

CouplingId ClassicScheme::worst() const {
  return where_worst(lanes_.seam(), cut_error_);
}

/// exCV (3.16), imCV (3.20), waCV.
void ClassicScheme::compare_variables(Candidate& candidate) {
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_error_[i] = std::fabs(u_pre_[i] - u_[i]);
    double& cut = cut_error_[conditions_.variables()[i].coupling.index()];
    cut = std::max(cut, norms_.weighted(i, u_error_[i], u_[i]));
  }
  candidate.norms.level = ErrorLevel::coupling;
  candidate.norms.u = norms_.norm(u_error_, u_);
}

/// C^{kappa+1} / C^kappa on the real grid (3.11), (3.15).
ErrorConstants ClassicScheme::milne_ratios() const {
  std::array<double, max_degree + 3> grid{};
  const auto points = std::min(history_.size(), grid.size() - 1);
  grid[0] = window_.end;
  for (std::size_t j = 0; j < points; ++j) grid[j + 1] = history_.time(j);
  const std::span<const double> used(grid.data(), points + 1);
  const ErrorConstants low = error_constants(kappa_, used), high = error_constants(kappa_ + 1, used);
  return {high.pos / low.pos, high.vel / low.vel};
}

void ClassicScheme::compare_states(const CutStates& other, double pos_factor, double vel_factor,
                                   Candidate& candidate) {
  const auto differ = [](const std::vector<double>& a, const std::vector<double>& b, double factor,
                         std::vector<double>& out) {
    for (std::size_t i = 0; i < a.size(); ++i) out[i] = factor * (a[i] - b[i]);
  };
  differ(y_.from_x, other.from_x, pos_factor, estimate_.from_x);
  differ(y_.to_x, other.to_x, pos_factor, estimate_.to_x);
  differ(y_.from_v, other.from_v, vel_factor, estimate_.from_v);
  differ(y_.to_v, other.to_v, vel_factor, estimate_.to_v);
  close_loop(estimate_);

  const double rtol = options_.norms.rtol;
  const MotionSizes absolute = options_.norms.states().absolute();
  const CutLayout& layout = conditions_.layout();
  const Seam& seam = lanes_.seam();
  std::array<ExactSum, 2> squares;  // positions, velocities
  const auto judge = [&](const std::vector<double>& a, double MotionSize::*level, std::vector<double>& error,
                         CutSide side, ExactSum& sum) {
    for (std::size_t c = 0; c < cut_error_.size(); ++c)
      for (std::size_t i = layout.first(c, side); i < layout.coordinates(c, side).last; ++i) {
        error[i] = std::fabs(error[i]);
        const double atol =
            absolute.of(conditions_.laws().is_angle(c, side, i - layout.first(c, side))).*level;
        const double weighted = error[i] / (atol + rtol * std::fabs(a[i]));
        cut_error_[c] = std::max(cut_error_[c], weighted);
        if (seam.counts(c)) sum.add(weighted * weighted);
      }
  };
  judge(y_.from_x, &MotionSize::position, estimate_.from_x, CutSide::from, squares[0]);
  judge(y_.to_x, &MotionSize::position, estimate_.to_x, CutSide::to, squares[0]);
  judge(y_.from_v, &MotionSize::velocity, estimate_.from_v, CutSide::from, squares[1]);
  judge(y_.to_v, &MotionSize::velocity, estimate_.to_v, CutSide::to, squares[1]);
  seam.total(squares);
  const auto n = static_cast<double>(std::max<std::size_t>(1, coordinates_in_all_));
  candidate.norms.level = ErrorLevel::state;
  candidate.norms.pos = std::sqrt(squares[0].value() / n);
  candidate.norms.vel = std::sqrt(squares[1].value() / n);
}

}  // namespace cosimo
