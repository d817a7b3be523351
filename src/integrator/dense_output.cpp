#include "integrator/dense_output.hpp"

#include <algorithm>
#include <atomic>

namespace cosimo {
namespace {

Range common(Range a, Range b) {
  const Range both{std::max(a.first, b.first), std::min(a.last, b.last)};
  return both.first < both.last ? both : Range{};
}

constexpr double inner_points[2] = {1.0 / 3, 2.0 / 3};

using Hermite = DenseOutput::Hermite;

Hermite hermite_value(double s) {
  const double s2 = s * s, s3 = s2 * s;
  return {s3 * (10 + s * (6 * s - 15)), s + s3 * (s * (8 - 3 * s) - 6), s3 * (s * (7 - 3 * s) - 4),
          0.5 * s2 * (1 + s * (s * (3 - s) - 3)), 0.5 * s3 * (1 + s * (s - 2))};
}

Hermite hermite_slope(double s) {
  const double s2 = s * s;
  return {30 * s2 * (1 + s * (s - 2)), 1 + s2 * (s * (32 - 15 * s) - 18), s2 * (s * (28 - 15 * s) - 12),
          0.5 * s * (2 + s * (s * (12 - 5 * s) - 9)), 0.5 * s2 * (3 + s * (5 * s - 8))};
}

}  // namespace

DenseOutput::Birkhoff::Birkhoff(double s) {
  const double s2 = s * s;
  b0 = s + s2 * (-2.75 + s * (3 - 1.125 * s)), b1 = s2 * (4.5 + s * (-7.5 + 3.375 * s));
  b2 = s2 * (-2.25 + s * (6 - 3.375 * s)), b3 = s2 * (0.5 + s * (-1.5 + 1.125 * s));
  rest = s2 * (30 + s * (-110 + s * (135 - 54 * s)));
}

DenseOutput::Course::Course(const DenseOutput& step, double theta, bool resolved)
    : value_(hermite_value(theta)),
      slope_(hermite_slope(theta)),
      inner_(theta),
      from_(step.from_),
      to_(step.to_),
      h_(step.h_),
      a_{step.inner_[0], step.inner_[1]},
      resolved_(resolved) {}

bool DenseOutput::prepare(const Point& from, const State& to, double h, Range dofs, Team* team) {
  const std::size_t n = system_.size();
  if (work_.empty()) work_ = Slab(6, n, 0);
  take(from, to, h);
  for (std::size_t k = 0; k < 2; ++k) inner_[k] = work_.row(3 * k + 2).data();
  if (extent_.states()) return prepare_whole();
  const std::size_t reach = std::min(system_.reach(), n);
  const Range around{dofs.first - std::min(dofs.first, reach), std::min(dofs.last + reach, n)};
  std::atomic<bool> finite{true};
  auto work = [&](Share& mine) {
    for (std::size_t k = 0; k < 2; ++k) {
      double *const q = work_.row(3 * k).data(), *const v = work_.row(3 * k + 1).data();
      const Course inside = course(inner_points[k], false);
      const Range own = common(around, mine.rows);
      for (std::size_t i = own.first; i < own.last; ++i) {
        const Motion m = inside.at(i);
        q[i] = m.q;
        v[i] = m.v;
      }
    }
    mine.meet();
    const Range own = common(dofs, mine.rows);
    for (std::size_t k = 0; k < 2 && own.size() > 0; ++k)
      if (!system_.acceleration(from.t + inner_points[k] * h, work_.row(3 * k).data(),
                                work_.row(3 * k + 1).data(), work_.row(3 * k + 2).data(), own))
        finite.store(false, std::memory_order_relaxed);
  };
  in_shares(members_for(team, dofs.size()) > 1 ? team : nullptr, n, work);
  return finite.load(std::memory_order_relaxed);
}

bool DenseOutput::prepare_whole() {
  const std::size_t n = system_.size(), m = extent_.z;
  if (states_.empty()) states_ = Slab(4, m, 0);
  double* const q = work_.row(0).data();
  double* const v = work_.row(1).data();
  for (int pass = 0; pass < evaluations() / 2; ++pass) {
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < m; ++i)
        states_.row(k)[i] = pass == 0 ? hermite_z(inner_points[k], i) : z(inner_points[k], i);
    for (std::size_t k = 0; k < 2; ++k) {
      const double theta = inner_points[k];
      const Course inside = course(theta, false);
      for (std::size_t i = 0; i < n; ++i) {
        const Motion motion = inside.at(i);
        q[i] = motion.q;
        v[i] = motion.v;
      }
      double* const a = work_.row(3 * k + 2).data();
      if (!system_.evaluate(from_.t + theta * h_, {q, v, states_.row(k).data(), from_.s}, a,
                            states_.row(2 + k).data()))
        return false;
    }
  }
  return true;
}

double DenseOutput::z(double theta, std::size_t k) const {
  return Birkhoff(theta)(from_.z[k], to_.z[k], h_, from_.z_rate[k], states_.row(2)[k], states_.row(3)[k],
                         to_.z_rate[k]);
}

double DenseOutput::hermite_z(double theta, std::size_t k) const {
  const double s = theta, dz = to_.z[k] - from_.z[k];
  const double begin = h_ * from_.z_rate[k] - dz, end = dz - h_ * to_.z_rate[k];
  return from_.z[k] + s * dz + s * (1 - s) * ((1 - s) * begin + s * end);
}

}  // namespace cosimo
