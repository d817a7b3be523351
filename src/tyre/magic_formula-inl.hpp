// Pacejka's Magic Formula with combined slip, as MF-Tyre 5.2 and 6.x have it (H. B. Pacejka, Tyre and Vehicle
// Dynamics, 3rd edition, chapter 4.3.2; the older form is that of the 2nd edition). Without turn slip.
//
//   y = D sin(C atan(B x - E (B x - atan(B x)))) + V
//
// Signs are those of the files (TYDEX, axis system W; ISO 8855): x forward, y left, z upwards, tan(alpha) =
// Vsy/|Vx|, so that the coefficient PKY1 of the cornering stiffness is negative.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tyre/patch.hpp"
#include "tyre/spec.hpp"

namespace cosimo::tyre {

/// atan(B x - E (B x - atan(B x))).
template <class T>
T bent(const T& bx, const T& e) {
  using std::atan;
  return atan(bx - e * (bx - atan(bx)));
}

/// One set of coefficients at one load: what several of its curves use.
template <class T>
class MagicPatch {
 public:
  MagicPatch(const MagicFormula& formula, const Slip<T>& slip)
      : m_(formula),
        nominal_(formula.lfzo * formula.load),
        fz_(clipped(slip.load, std::max(formula.fz.low, 1e-6 * formula.load), formula.fz.high)),
        df_((fz_ - nominal_) * (1 / nominal_)),
        kappa_(clipped(slip.kappa, formula.kappa.low, formula.kappa.high)) {
    using std::atan;
    using std::atan2;
    using std::cos;
    using std::sin;
    angle_ = clipped(atan(slip.slope), formula.alpha.low, formula.alpha.high);
    const T camber = clipped(atan2(slip.sine, slip.cosine), formula.gamma.low, formula.gamma.high);
    gamma_ = formula.later ? T(sin(camber)) : camber;
    cosine_ = cos(angle_);
    alpha_ = formula.later ? T(sin(angle_) / cosine_) : angle_;
  }

  Grip<T> grip(const Slip<T>& slip) {
    Grip<T> out;
    const T pure_x = along(out), pure_y = across(out);
    out.fx = pure_x * weight_along();
    const T pulled = pure_y * weight_across(), ply = ply_of_kappa();
    out.fy = pulled + ply;
    out.mx = overturning(out.fy);
    out.my = rolling(out.fx, slip);
    out.mz = aligning(out, pulled, slip);
    relax(out);
    below_range(slip, out);
    return out;
  }

 private:
  static double digressive(const MagicFormula& m, double factor) {
    constexpr double a = 10;
    return m.later ? a * factor / (1 + (a - 1) * factor) : factor;
  }
  static T at_most_one(const T& x) { return value_of(x) > 1 ? T(1.0) : x; }
  double dp() const { return m_.pressure; }

  /// Pure slip along x.
  T along(Grip<T>& out) {
    using std::exp;
    using std::sin;
    const double p = dp();
    const T g = m_.lgax * gamma_;
    const T x = kappa_ + (m_.phx1 + m_.phx2 * df_) * m_.lhx;
    const double c = m_.pcx1 * m_.lcx;
    const T mu =
        (m_.pdx1 + m_.pdx2 * df_) * (1 + m_.ppx3 * p + m_.ppx4 * p * p) * (1.0 - m_.pdx3 * g * g) * m_.lmux;
    const T d = mu * fz_;
    const T e = at_most_one((m_.pex1 + m_.pex2 * df_ + m_.pex3 * df_ * df_) *
                            (1 - m_.pex4 * sign_of(value_of(x))) * m_.lex);
    kx_ = fz_ * (m_.pkx1 + m_.pkx2 * df_) * exp(m_.pkx3 * df_) * (1 + m_.ppx1 * p + m_.ppx2 * p * p) * m_.lkx;
    const T v = fz_ * (m_.pvx1 + m_.pvx2 * df_) * m_.lvx * digressive(m_, m_.lmux);
    out.stiffness_x = size_of(kx_);
    out.peak_x = size_of(d);
    return d * sin(c * bent(kx_ / (c * d) * x, e)) + v;
  }

  /// Pure slip along y.
  T across(Grip<T>& out) {
    using std::atan;
    using std::sin;
    const double p = dp();
    const T g = m_.later ? gamma_ : m_.lgay * gamma_, lean = size_of(g);
    cy_ = m_.pcy1 * m_.lcy;
    mu_y_ =
        (m_.pdy1 + m_.pdy2 * df_) * (1 + m_.ppy3 * p + m_.ppy4 * p * p) * (1.0 - m_.pdy3 * g * g) * m_.lmuy;
    const T d = mu_y_ * fz_;
    const T scale = (m_.pky2 + m_.pky5 * g * g) * (1 + m_.ppy2 * p) * nominal_;
    ky_ = m_.pky1 * nominal_ * (1 + m_.ppy1 * p) * sin(m_.pky4 * atan(fz_ / scale)) * (1.0 - m_.pky3 * lean) *
          m_.lky;
    const double friction = digressive(m_, m_.lmuy);
    const T lean_v = fz_ * (m_.pvy3 + m_.pvy4 * df_) * g * (m_.lkyc * friction);
    T lean_h = m_.phy3 * g;
    if (m_.later) {
      const T thrust = fz_ * (m_.pky6 + m_.pky7 * df_) * (1 + m_.ppy5 * p) * m_.lkyc;
      lean_h = (thrust * g - lean_v) / ky_;
    }
    shift_h_ = (m_.phy1 + m_.phy2 * df_) * m_.lhy + lean_h;
    shift_v_ = fz_ * (m_.pvy1 + m_.pvy2 * df_) * (m_.lvy * friction) + lean_v;
    const T x = alpha_ + shift_h_;
    const T e =
        at_most_one((m_.pey1 + m_.pey2 * df_) *
                    (1.0 + m_.pey5 * g * g - (m_.pey3 + m_.pey4 * g) * sign_of(value_of(x))) * m_.ley);
    by_ = ky_ / (cy_ * d);
    out.stiffness_y = size_of(ky_);
    out.peak_y = size_of(d);
    return d * sin(cy_ * bent(by_ * x, e)) + shift_v_;
  }

  /// cos(C atan(...)) at a slip against that without one.
  static T weight(const T& b, double c, const T& e, const T& slip, const T& shift) {
    using std::cos;
    const T limited = at_most_one(e);
    return cos(c * bent(b * (slip + shift), limited)) / cos(c * bent(b * shift, limited));
  }

  T weight_along() const {
    using std::atan;
    using std::cos;
    const T b = (m_.rbx1 + m_.rbx3 * gamma_ * gamma_) * cos(atan(m_.rbx2 * kappa_)) * m_.lxal;
    return weight(b, m_.rcx1, m_.rex1 + m_.rex2 * df_, alpha_, T(m_.rhx1));
  }

  T weight_across() const {
    using std::atan;
    using std::cos;
    const T b = (m_.rby1 + m_.rby4 * gamma_ * gamma_) * cos(atan(m_.rby2 * (alpha_ - m_.rby3))) * m_.lyka;
    return weight(b, m_.rcy1, m_.rey1 + m_.rey2 * df_, kappa_, m_.rhy1 + m_.rhy2 * df_);
  }

  T ply_of_kappa() const {
    using std::atan;
    using std::cos;
    using std::sin;
    const T d = mu_y_ * fz_ * (m_.rvy1 + m_.rvy2 * df_ + m_.rvy3 * gamma_) * cos(atan(m_.rvy4 * alpha_));
    return d * sin(m_.rvy5 * atan(m_.rvy6 * kappa_)) * m_.lvyka;
  }

  /// The slip angle that alone would do as much to the trail as both slips do.
  T joined(const T& x) const {
    using std::sqrt;
    const T ratio = kx_ / ky_, square = x * x + ratio * ratio * kappa_ * kappa_;
    if (value_of(square) == 0) return x;
    return sign_of(value_of(x)) * sqrt(square);
  }

  T aligning(const Grip<T>& out, const T& pulled, const Slip<T>& slip) const {
    using std::atan;
    using std::cos;
    const double p = dp();
    const T g = m_.later ? gamma_ : m_.lgaz * gamma_, lean = size_of(g);
    const T at = alpha_ + m_.qhz1 + m_.qhz2 * df_ + (m_.qhz3 + m_.qhz4 * df_) * g;
    const T ar = alpha_ + shift_h_ + shift_v_ / ky_;
    const T bend = m_.later ? 1.0 + m_.qbz5 * lean + m_.qbz6 * g * g : 1.0 + m_.qbz4 * g + m_.qbz5 * lean;
    const T b = (m_.qbz1 + m_.qbz2 * df_ + m_.qbz3 * df_ * df_) * bend * (m_.lky / m_.lmuy);
    const T arm = m_.later ? 1.0 + m_.qdz3 * lean + m_.qdz4 * g * g : 1.0 + m_.qdz3 * g + m_.qdz4 * g * g;
    const T d = fz_ * (m_.radius / nominal_) * (m_.qdz1 + m_.qdz2 * df_) * (1 - m_.ppz1 * p) * arm *
                (m_.ltr * slip.forward);
    const T e =
        at_most_one((m_.qez1 + m_.qez2 * df_ + m_.qez3 * df_ * df_) *
                    (1.0 + (m_.qez4 + m_.qez5 * g) * (2 / std::numbers::pi) * atan(b * m_.qcz1 * at)));
    const T trail = d * cos(m_.qcz1 * bent(b * joined(at), e)) * cosine_;
    const T br = m_.qbz9 * (m_.lky / m_.lmuy) + m_.qbz10 * by_ * cy_;
    T lean_r = (m_.qdz8 + m_.qdz9 * df_) * g;
    if (m_.later)
      lean_r = (m_.qdz8 + m_.qdz9 * df_) * (1 + m_.ppz2 * p) * g * m_.lkzc +
               (m_.qdz10 + m_.qdz11 * df_) * g * lean * m_.lkzc;
    const T dr = fz_ * ((m_.qdz6 + m_.qdz7 * df_) * m_.lres + lean_r) * (m_.radius * m_.lmuy) * slip.forward;
    const T residual = dr * cos(atan(br * joined(ar))) * cosine_;
    const T side = m_.radius *
                   (m_.ssz1 + m_.ssz2 * out.fy * (1 / nominal_) + (m_.ssz3 + m_.ssz4 * df_) * gamma_) * m_.ls;
    return -trail * pulled + residual + side * out.fx;
  }

  T overturning(const T& fy) const {
    using std::atan;
    using std::cos;
    using std::sin;
    const T f = fy * (1 / nominal_);
    T sum = m_.qsx1 * m_.lvmx - m_.qsx2 * (1 + m_.ppmx1 * dp()) * gamma_ + m_.qsx3 * f;
    if (m_.later) {
      const T pressed = atan(m_.qsx6 * fz_ * (1 / nominal_));
      sum += m_.qsx4 * cos(m_.qsx5 * pressed * pressed) * sin(m_.qsx7 * gamma_ + m_.qsx8 * atan(m_.qsx9 * f));
      sum += m_.qsx10 * atan(m_.qsx11 * fz_ * (1 / nominal_)) * gamma_;
    }
    return m_.radius * fz_ * sum * m_.lmx;
  }

  T rolling(const T& fx, const Slip<T>& slip) const {
    const T v = size_of(slip.speed) * (1 / m_.longvl);
    T sum = m_.qsy1 + m_.qsy2 * fx * (1 / nominal_) + m_.qsy3 * v + m_.qsy4 * v * v * v * v;
    if (m_.later) {
      sum += (m_.qsy5 + m_.qsy6 * fz_ * (1 / nominal_)) * gamma_ * gamma_;
      sum = sum * raised(T(fz_ * (1 / nominal_)), m_.qsy7) * std::pow(1 + dp(), m_.qsy8);
    }
    return -m_.radius * fz_ * sum * slip.turning * m_.lmy;
  }

  void relax(Grip<T>& out) const {
    using std::atan;
    using std::exp;
    using std::sin;
    if (m_.ptx1 != 0)
      out.relaxation_x =
          fz_ * (m_.ptx1 + m_.ptx2 * df_) * exp(-m_.ptx3 * df_) * (m_.radius / nominal_ * m_.lsgkp);
    else if (m_.longitudinal > 0)
      out.relaxation_x = out.stiffness_x * (1 / m_.longitudinal);
    if (m_.pty1 != 0)
      out.relaxation_y = m_.pty1 * sin(2.0 * atan(fz_ * (1 / (m_.pty2 * nominal_)))) *
                         (1.0 - m_.pky3 * size_of(gamma_)) * (m_.radius * m_.lfzo * m_.lsgal);
    else if (m_.lateral > 0)
      out.relaxation_y = out.stiffness_y * (1 / m_.lateral);
  }

  /// A load below the range acts in proportion.
  void below_range(const Slip<T>& slip, Grip<T>& out) const {
    if (value_of(slip.load) >= m_.fz.low) return;
    const T share = slip.load * (1 / m_.fz.low);
    for (T* each : {&out.fx, &out.fy, &out.mx, &out.my, &out.mz, &out.peak_x, &out.peak_y, &out.stiffness_x,
                    &out.stiffness_y})
      *each *= share;
  }

  const MagicFormula& m_;
  double nominal_;
  T fz_, df_, kappa_, angle_{}, alpha_{}, gamma_{}, cosine_{};
  T kx_{}, ky_{}, by_{}, mu_y_{}, shift_h_{}, shift_v_{};
  double cy_ = 1;
};

template <class T>
Grip<T> grip_of(const MagicFormula& formula, const Slip<T>& slip) {
  return MagicPatch<T>(formula, slip).grip(slip);
}

/// The effective rolling radius at a deflection; `radius` without load.
template <class T>
T rolling_radius(const MagicFormula& m, double radius, const T& deflection) {
  using std::atan;
  if (m.stiffness <= 0) return radius * m.q_re0 - (1.0 / 3) * deflection;
  const double nominal = m.load / m.stiffness;
  const T relative = deflection * (1 / nominal);
  return radius * m.q_re0 - nominal * (m.dreff * atan(m.breff * relative) + m.freff * relative);
}
template <class T>
T rolling_radius(const Brush& /*brush*/, double radius, const T& deflection) {
  return radius - (1.0 / 3) * deflection;
}

}  // namespace cosimo::tyre
