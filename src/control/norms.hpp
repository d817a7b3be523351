// The numbers that the controller is fed with: weighted norms (3.21) of the estimated
// error of one macro step, and of scaled derivatives of the coupling variables.
#pragma once

namespace cosimo {

/// Which variables an estimate speaks of decides the exponents of (3.27). `both`: of coupling variables, and
/// of what their error does to the states of the bodies beside the cuts.
enum class ErrorLevel { state, coupling, both };

/// The weighted norms of one attempted step. Unused ones stay 0.
struct ErrorNorms {
  ErrorLevel level = ErrorLevel::coupling;
  double pos = 0, vel = 0, u = 0;
  /// max over the levels in use: the local error test passes when it is <= 1.
  /// Not a number if one of them is.
  double largest() const;
  /// The states are what is worst: coupling variables alone say too little of the step.
  bool states_decide() const { return level == ErrorLevel::both && !(u >= pos && u >= vel); }
};

/// Norms of scaled derivatives SDN(j) and of the a-priori error (3.26), asked for when needed.
///
/// They are taken over the history that ends at T_M, where the next attempt starts (3.24): after an
/// accepted step it includes the new point, after a rejected one it is the old history.
class DerivativeNorms {
 public:
  virtual ~DerivativeNorms() = default;
  /// Degrees up to available() can be asked for: number of history points - 1.
  virtual int available() const = 0;
  /// || H^j P_j^(j) || for 1 <= j <= available(). H is the size of the step just attempted, or, if that
  /// was shortened to meet an output or a breakpoint, the size the controller had planned.
  virtual double scaled_derivative(int j) const = 0;
  /// Weighted norm of (3.26) for degree kappa < available() when the next step has size H.
  virtual double a_priori(int kappa, double H) const = 0;
};

}  // namespace cosimo
