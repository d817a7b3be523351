// The power series of the interface Jacobian (A.5) for a part with any number of bodies.
//
// The variational equation z_u' = A z_u + B shape(t), z_u(T_N) = 0, with A and B held at T_N has the solution
//
//   z_u(T_{N+1}) = sum_k I_k A^k B,    I_k = int_{T_N}^{T_{N+1}} (T_{N+1} - t)^k / k! shape(t) dt.
//
// With q' = v and M v' = -K q - C v + e u, the velocities in A^k B are w_k and the positions w_{k-1}, where
//
//   w_0 = M^-1 e,    M w_k = -C w_{k-1} - K w_{k-2}.
//
// n terms as the documents count them: v_u = sum_{k<n} I_k w_k,  q_u = sum_{k<n} I_{k+1} w_k. One term
// (`sap`) needs the masses of the coupling bodies alone, and w_k does not reach farther than k bodies from
// the port.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "network/course.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/driven_part.hpp"

namespace cosimo {

/// I_0, I_1, ..., as many as there is room for.
void shape_integrals(const Polynomial& shape, const Window& window, std::span<double> integrals);

class SeriesResponse {
 public:
  /// Both must outlive it.
  SeriesResponse(const DrivenPart& part, std::span<const CutPort> ports) : part_(part), ports_(ports) {}

  /// Fills the response; q and v are the state at the beginning of the window.
  void compute(const Window& window, std::span<const double> q, std::span<const double> v,
               Response& response);

 private:
  struct At {
    double t = 0;
    const double *q = nullptr, *v = nullptr;
  };
  void answer_first_term(std::int32_t dof);
  void add_terms(std::int32_t dof, std::size_t terms, const At& at);
  void next_term(Range rows);

  const DrivenPart& part_;
  std::span<const CutPort> ports_;
  std::vector<double> integrals_;
  // Of more than one term only:
  std::optional<Tangent> tangent_;
  std::vector<double> before_, now_, next_, product_;  ///< w_{k-2}, w_{k-1}, w_k, and K w_{k-2}
  std::vector<PortState> answer_;                      ///< per port, to a unit force at one body
};

}  // namespace cosimo
