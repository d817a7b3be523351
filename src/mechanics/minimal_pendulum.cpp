#include "mechanics/minimal_pendulum.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"

namespace cosimo {

namespace {

void check_positive(double number, const char* what) {
  if (number > 0 && std::isfinite(number)) return;
  throw Error(Fault{.field = std::string("model.pendulum.") + what,
                    .value = std::to_string(number),
                    .problem = std::string("the ") + what + " of a pendulum must be positive"});
}

/// The lower Cholesky factor in place of the lower triangle. By panels: 5000 masses take seconds, and
/// `interrupt` is looked at between two of them. False when there is none, or when interrupted.
bool factorise(Eigen::MatrixXd& M, const std::atomic<bool>* interrupt) {
  constexpr Eigen::Index panel = 128;
  for (Eigen::Index k = 0; k < M.rows(); k += panel) {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) return false;
    const Eigen::Index width = std::min(panel, M.rows() - k), rest = M.rows() - k - width;
    Eigen::Ref<Eigen::MatrixXd> diagonal = M.block(k, k, width, width);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> cholesky(diagonal);  // in place: nothing is allocated
    if (cholesky.info() != Eigen::Success) return false;
    if (rest == 0) break;
    auto below = M.block(k + width, k, rest, width);
    diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    M.block(k + width, k + width, rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
  }
  return true;
}

}  // namespace

MinimalPendulum::MinimalPendulum(const Parameters& parameters)
    : parameters_(parameters), n_(static_cast<Eigen::Index>(parameters.count)) {
  if (parameters.count == 0)
    throw Error(Fault{
        .field = "model.pendulum.links", .value = "0", .problem = "a pendulum needs at least one mass"});
  check_positive(parameters.length, "length");
  check_positive(parameters.mass, "mass");
}

MinimalPendulum::Workspace::Workspace(const MinimalPendulum& pendulum)
    : cosine_(pendulum.n_), sine_(pendulum.n_), square_(pendulum.n_), M_(pendulum.n_, pendulum.n_) {}

void MinimalPendulum::take_angles(ConstVector phi, Workspace& work) const {
  for (Eigen::Index j = 0; j < n_; ++j) {
    work.cosine_[j] = std::cos(phi[j]);
    work.sine_[j] = std::sin(phi[j]);
  }
}

double MinimalPendulum::cosine(Eigen::Index j, Eigen::Index k, const Workspace& work) const {
  return work.cosine_[k] * work.cosine_[j] + work.sine_[k] * work.sine_[j];
}

double MinimalPendulum::sine(Eigen::Index j, Eigen::Index k, const Workspace& work) const {
  return work.sine_[k] * work.cosine_[j] - work.cosine_[k] * work.sine_[j];
}

void MinimalPendulum::mass_matrix(ConstVector phi, Matrix M, Workspace& work) const {
  take_angles(phi, work);
  for (Eigen::Index k = 0; k < n_; ++k) {
    M(k, k) = carried(k, k);
    for (Eigen::Index j = k + 1; j < n_; ++j) M(j, k) = M(k, j) = carried(j, k) * cosine(j, k, work);
  }
}

void MinimalPendulum::force(ConstVector phi, ConstVector psi, Vector F, Workspace& work) const {
  take_angles(phi, work);
  // sin(phi_k - phi_j) = cos(phi_j) sin(phi_k) - sin(phi_j) cos(phi_k), and w_jk depends on the larger number
  // alone: running sums over k > j and over k < j make the work proportional to N.
  const double pull = parameters_.gravity / parameters_.length;
  double below_sine = 0, below_cosine = 0;  // k > j, weighted
  for (Eigen::Index j = n_; j-- > 0;) {
    F[j] = work.cosine_[j] * below_sine - work.sine_[j] * below_cosine;
    const double weight = carried(j, j) * psi[j] * psi[j];
    below_sine += weight * work.sine_[j];
    below_cosine += weight * work.cosine_[j];
  }
  double above_sine = 0, above_cosine = 0;  // k < j, all with the weight of j
  for (Eigen::Index j = 0; j < n_; ++j) {
    F[j] +=
        carried(j, j) * (pull * work.sine_[j] + work.cosine_[j] * above_sine - work.sine_[j] * above_cosine);
    above_sine += work.sine_[j] * psi[j] * psi[j];
    above_cosine += work.cosine_[j] * psi[j] * psi[j];
  }
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): `out` refers to what is written
bool MinimalPendulum::acceleration(ConstVector phi, ConstVector psi, Vector out, Workspace& work,
                                   const std::atomic<bool>* interrupt) const {
  force(phi, psi, out, work);
  Eigen::MatrixXd& M = work.M_;
  for (Eigen::Index k = 0; k < n_; ++k) {
    M(k, k) = carried(k, k);
    for (Eigen::Index j = k + 1; j < n_; ++j) M(j, k) = carried(j, k) * cosine(j, k, work);
  }
  if (!factorise(M, interrupt)) return false;
  M.triangularView<Eigen::Lower>().solveInPlace(out);
  M.triangularView<Eigen::Lower>().transpose().solveInPlace(out);
  return out.allFinite();
}

void MinimalPendulum::force_by_angle(ConstVector phi, ConstVector psi, Matrix out, Workspace& work) const {
  take_angles(phi, work);
  work.square_ = psi.cwiseAbs2();
  const double pull = parameters_.gravity / parameters_.length;
  for (Eigen::Index j = 0; j < n_; ++j) out(j, j) = carried(j, j) * pull * work.cosine_[j];
  for (Eigen::Index k = 0; k < n_; ++k)
    for (Eigen::Index j = 0; j < n_; ++j) {
      if (j == k) continue;
      out(j, k) = carried(j, k) * cosine(j, k, work) * work.square_[k];
      out(j, j) -= out(j, k);
    }
}

void MinimalPendulum::force_by_rate(ConstVector phi, ConstVector psi, Matrix out, Workspace& work) const {
  take_angles(phi, work);
  for (Eigen::Index k = 0; k < n_; ++k)
    for (Eigen::Index j = 0; j < n_; ++j)
      out(j, k) = j == k ? 0.0 : 2 * carried(j, k) * sine(j, k, work) * psi[k];
}

void MinimalPendulum::inertia_by_angle(ConstVector phi, ConstVector a, Matrix out, Workspace& work) const {
  take_angles(phi, work);
  out.diagonal().setZero();
  for (Eigen::Index k = 0; k < n_; ++k)
    for (Eigen::Index j = 0; j < n_; ++j) {
      if (j == k) continue;
      out(j, k) = -carried(j, k) * sine(j, k, work) * a[k];
      out(j, j) -= out(j, k);
    }
}

double MinimalPendulum::kinetic_energy(ConstVector phi, ConstVector psi) const {
  double vx = 0, vy = 0, sum = 0;  // of the masses, one after the other, in units of l
  for (Eigen::Index j = 0; j < n_; ++j) {
    vx -= std::cos(phi[j]) * psi[j];
    vy -= std::sin(phi[j]) * psi[j];
    sum += vx * vx + vy * vy;
  }
  return 0.5 * parameters_.mass * parameters_.length * parameters_.length * sum;
}

double MinimalPendulum::potential_energy(ConstVector phi) const {
  double sum = 0;
  for (Eigen::Index j = 0; j < n_; ++j) sum += carried(j, j) * std::cos(phi[j]);
  return parameters_.mass * parameters_.gravity * parameters_.length * sum;
}

double MinimalPendulum::energy(ConstVector phi, ConstVector psi) const {
  return kinetic_energy(phi, psi) + potential_energy(phi);
}

Eigen::Vector2d MinimalPendulum::position(ConstVector phi, std::size_t mass) const {
  Eigen::Vector2d place = Eigen::Vector2d::Zero();
  for (Eigen::Index j = 0; j <= static_cast<Eigen::Index>(mass); ++j)
    place += parameters_.length * Eigen::Vector2d(-std::sin(phi[j]), std::cos(phi[j]));
  return place;
}

}  // namespace cosimo
