// The coefficients of RODAS, order 4(3), six stages, stiffly accurate, L-stable, gamma = 1/4
// (Hairer, Wanner: Solving ODEs II, Section IV.7 and the code of that name), folded for q' = v.
//
// In the usual transformed variables stage s of y' = f(t, y) solves
//   (1/(h gamma) I - J) U_s = f(t + c_s h, Y_s) + sum_j C_sj/h U_j + d_s h f_t,
//   Y_s = y_0 + sum_j A_sj U_j,    y_1 = Y_6 + U_6,   error estimate U_6.
// Let U = (h P, W) for positions and velocities. The position rows say P_s = gamma (r_s + W_s) with
//   r_s = V_s + sum_j C_sj P_j,
// so that every P_s, r_s and Q_s is a fixed combination of v_0 and the W_j: only the W_j are kept.
// `Combination` holds the coefficient of v_0 and those of the W_j.
#pragma once

#include <array>
#include <cstddef>

namespace cosimo::rodas {

inline constexpr std::size_t stages = 6;
using Row = std::array<double, stages>;
using Matrix = std::array<Row, stages>;

inline constexpr double gamma = 0.25;
inline constexpr Row c{0, 0.386, 0.21, 0.63, 1, 1};
inline constexpr Row d{0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};

inline constexpr Matrix A{
    {{},
     {1.544},
     {0.9466785280815826, 0.2557011698983284},
     {3.314825187068521, 2.896124015972201, 0.9986419139977817},
     {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
     {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}}};

inline constexpr Matrix C{
    {{},
     {-5.6688},
     {-2.430093356833875, -0.2063599157091915},
     {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
     {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
     {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}}};

/// The continuous extension of order 3 (CONTRO of the code):
///   y(theta) = (1 - theta) y_0 + theta (y_1 + (1 - theta) s),
///   s = sum_j dense[0]_j U_j + theta sum_j dense[1]_j U_j.
inline constexpr std::array<Row, 2> dense{
    {{10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
     {-0.6762803392806898, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872}}};

/// v * v_0 + sum_j w_j W_j.
struct Combination {
  double v = 0;
  Row w{};
};

struct Folded {
  std::array<Combination, stages> P;  ///< position increments, divided by h
  std::array<Combination, stages> r;  ///< right-hand side of the position rows
  std::array<Combination, stages> Q;  ///< (Q_s - q_0) / h
};

constexpr void add(Combination& to, double factor, const Combination& x) {
  to.v += factor * x.v;
  for (std::size_t j = 0; j < stages; ++j) to.w[j] += factor * x.w[j];
}

constexpr Folded fold() {
  Folded result{};
  for (std::size_t s = 0; s < stages; ++s) {
    Combination& r = result.r[s];
    r = {1, A[s]};  // V_s
    for (std::size_t j = 0; j < s; ++j) add(r, C[s][j], result.P[j]);
    Combination sum = r;
    sum.w[s] += 1;
    add(result.P[s], gamma, sum);
    for (std::size_t j = 0; j < s; ++j) add(result.Q[s], A[s][j], result.P[j]);
  }
  return result;
}

inline constexpr Folded folded = fold();

}  // namespace cosimo::rodas
