// The mathematical N-pendulum in minimal coordinates: N equal masses on N equal massless rods that hang on
// each other, the first on the ground ([OM] 3.1).
//
//   M(phi) psi' = F(phi, psi),   phi' = psi,          w_jk = N - max(j, k) + 1 the masses that j and k carry,
//   M_jk = w_jk cos(phi_k - phi_j),
//   F_j  = g/l w_jj sin(phi_j) + sum_k w_jk sin(phi_k - phi_j) psi_k^2.
//
// With the plus sign of gravity phi counts from the upward vertical: phi = pi hangs. The equations are those
// of mass m and length l divided by m l^2; energy() has its unit. Mass j is at (x, y) = l sum_{k <= j} (-sin
// phi_k, cos phi_k), y upwards: phi turns counter-clockwise.
//
// Immutable; what an evaluation writes is in a Workspace of its own, and nothing is allocated (beyond some
// 300 masses Eigen's blocked Cholesky takes a buffer from the heap). M is dense: an evaluation costs N^3/3.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include <Eigen/Cholesky>

namespace cosimo {

class MinimalPendulum {
 public:
  struct Parameters {
    std::size_t count = 1;
    double gravity = 9.81, length = 1, mass = 1;
  };
  using Vector = Eigen::Ref<Eigen::VectorXd>;
  using ConstVector = const Eigen::Ref<const Eigen::VectorXd>&;
  using Matrix = Eigen::Ref<Eigen::MatrixXd>;

  /// Throws Error for no masses, or a length or mass that is not positive.
  explicit MinimalPendulum(const Parameters& parameters);

  std::size_t size() const { return static_cast<std::size_t>(n_); }
  const Parameters& parameters() const { return parameters_; }

  class Workspace {
   public:
    explicit Workspace(const MinimalPendulum& pendulum);

   private:
    friend class MinimalPendulum;
    Eigen::VectorXd cosine_, sine_, square_;
    Eigen::MatrixXd M_;
  };

  /// psi' of the state; false when M is not positive definite, which not finite angles alone can bring about,
  /// or soon after `interrupt` has become true.
  [[nodiscard]] bool acceleration(ConstVector phi, ConstVector psi, Vector out, Workspace& work,
                                  const std::atomic<bool>* interrupt = nullptr) const;
  void mass_matrix(ConstVector phi, Matrix M, Workspace& work) const;
  void force(ConstVector phi, ConstVector psi, Vector F, Workspace& work) const;
  /// dF/dphi and dF/dpsi, for implicit methods together with d(M a)/dphi of a fixed vector a.
  void force_by_angle(ConstVector phi, ConstVector psi, Matrix out, Workspace& work) const;
  void force_by_rate(ConstVector phi, ConstVector psi, Matrix out, Workspace& work) const;
  void inertia_by_angle(ConstVector phi, ConstVector a, Matrix out, Workspace& work) const;

  /// Potential energy is zero where all masses are at the height of the ground's point.
  double kinetic_energy(ConstVector phi, ConstVector psi) const;
  double potential_energy(ConstVector phi) const;
  double energy(ConstVector phi, ConstVector psi) const;
  /// Places of mass j = 0, 1, ... in the plane.
  Eigen::Vector2d position(ConstVector phi, std::size_t mass) const;

 private:
  /// w_jk for j, k from 0.
  double carried(Eigen::Index j, Eigen::Index k) const { return static_cast<double>(n_ - std::max(j, k)); }
  void take_angles(ConstVector phi, Workspace& work) const;
  double cosine(Eigen::Index j, Eigen::Index k, const Workspace& work) const;  ///< of phi_k - phi_j
  double sine(Eigen::Index j, Eigen::Index k, const Workspace& work) const;

  Parameters parameters_;
  Eigen::Index n_;
};

}  // namespace cosimo
