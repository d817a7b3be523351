// One touch: a ball of one outline against the core of another.
//
// With the distance d of the ball's centre from the core, the normal n away from the core and the roundings
// R of both, the penetration is p = R_a + R_b - d, and p' = -n.v of the relative velocity where they touch.
// On the ball act
//
//   N n     N = stiffness p^exponent max(0, 1 + damping p')                  (Hunt and Crossley)
//   f       regularised: -friction N k v_t, as of a contact with the ground (mechanics/contact_element.cpp)
//           sticking: e = K u + D v_t, f = -e where |e| <= friction N, else -friction N e / |e|
//
// v_t the tangential velocity, u the tangential part of the way between two points, one of each body, that
// were together when they began to stick. Both act at the middle of the penetration, and opposite on the
// other body. What is stored is stiffness p^(exponent + 1) / (exponent + 1) and K min(|u|, friction N / K)^2
// / 2.
#pragma once

#include "contact/distance-inl.hpp"
#include "contact/spec.hpp"

namespace cosimo::contact {

/// A body, its frame as numbers of any kind.
template <class T>
struct Motion {
  Vector<T> r{};
  Axes<T> R{{T(1.0), T(0.0), T(0.0)}, {T(0.0), T(1.0), T(0.0)}, {T(0.0), T(0.0), T(1.0)}};
  Vector<T> v{}, w{};

  Vector<T> place(const Vec3& own) const { return r + R.out(plain<T>(own)); }
};

inline Motion<double> motion_of(const Frame& f) {
  const auto vector = [](const auto& a) { return Vector<double>{a[0], a[1], a[2]}; };
  return {
      vector(f.r), {vector(f.R.col(0)), vector(f.R.col(1)), vector(f.R.col(2))}, vector(f.v), vector(f.w)};
}

/// With derivatives by dr, dtheta, dv, dw, which are numbered from `first`.
template <std::size_t N>
Motion<Dual<N>> motion_of(const Frame& f, std::size_t first) {
  using T = Dual<N>;
  const auto variable = [&](const Vec3& a, std::size_t at) {
    return Vector<T>{T::variable(a.x(), at), T::variable(a.y(), at + 1), T::variable(a.z(), at + 2)};
  };
  const Vector<T> turn = variable(Vec3::Zero(), first + 3);
  const auto turned = [&](const auto& axis) {
    const Vector<T> a = plain<T>(Vec3(axis));
    return a + cross(turn, a);
  };
  return {variable(f.r, first),
          {turned(f.R.col(0)), turned(f.R.col(1)), turned(f.R.col(2))},
          variable(f.v, first + 6),
          variable(f.w, first + 9)};
}

/// A ball of one outline and the core of another, and where both are.
template <class T>
struct Meeting {
  const Outline& ball_of;
  const Vec3& ball;
  const Motion<T>& a;
  const Outline& core;
  const Motion<T>& b;
};

/// Points that stick together, in the axes of their bodies from the centres of mass.
struct Stuck {
  Vec3 a, b;
};

template <class T>
struct Touch {
  T p{};          ///< as it is, whether they touch or not
  Vector<T> n{};  ///< towards the ball
  Vector<T> at{};
  T rate{};           ///< p'
  Vector<T> along{};  ///< v_t
};

template <class T>
T penetration(const Meeting<T>& m, Vector<T>* centre = nullptr, Vector<T>* normal = nullptr) {
  const Vector<T> x = m.a.place(m.ball);
  const Vector<T> own = m.b.R.in(x - m.b.r) - plain<T>(m.core.at);
  const Axes<T> turn{plain<T>(m.core.turn.col(0)), plain<T>(m.core.turn.col(1)),
                     plain<T>(m.core.turn.col(2))};
  const Distance<T> found = distance_from(m.core, turn.in(own));
  if (centre != nullptr) *centre = x;
  if (normal != nullptr) *normal = m.b.R.out(turn.out(found.n));
  return T(m.ball_of.round + m.core.round) - found.d;
}

template <class T>
Touch<T> meet(const Meeting<T>& m) {
  Touch<T> out;
  Vector<T> x;
  out.p = penetration(m, &x, &out.n);
  if (!(value_of(out.p) > 0)) return out;
  out.at = x - (T(m.ball_of.round) - T(0.5) * out.p) * out.n;
  const Vector<T> v = (m.a.v + cross(m.a.w, out.at - m.a.r)) - (m.b.v + cross(m.b.w, out.at - m.b.r));
  const T leaving = dot(out.n, v);
  out.rate = -leaving;
  out.along = v - leaving * out.n;
  return out;
}

/// N of a touch with p > 0.
template <class T>
T press(const Spec& spec, const Touch<T>& touch) {
  const T resistance = T(1.0) + T(spec.damping) * touch.rate;
  if (!(value_of(resistance) > 0)) return T(0.0);
  return T(spec.stiffness) * power_of(touch.p, spec.exponent) * resistance;
}

template <class T>
Vector<T> sliding(const Spec& spec, const Touch<T>& touch, const T& N) {
  const T square = dot(touch.along, touch.along);
  const double slow = spec.slip * spec.slip;
  const T grip =
      value_of(square) < slow ? (T(3.0) - square / T(slow)) / T(2 * spec.slip) : T(1.0) / root_of(square);
  return (T(-spec.friction) * N * grip) * touch.along;
}

/// u
template <class T>
Vector<T> strain(const Meeting<T>& m, const Touch<T>& touch, const Stuck* stuck) {
  if (stuck == nullptr) return {T(0.0), T(0.0), T(0.0)};
  const Vector<T> way = m.a.place(stuck->a) - m.b.place(stuck->b);
  return way - dot(way, touch.n) * touch.n;
}

template <class T>
Vector<T> sticking(const Spec& spec, const Meeting<T>& m, const Touch<T>& touch, const T& N,
                   const Stuck* stuck) {
  const Vector<T> e =
      T(spec.sticking->stiffness) * strain(m, touch, stuck) + T(spec.sticking->damping) * touch.along;
  const T square = dot(e, e), limit = T(spec.friction) * N;
  if (value_of(square) <= value_of(limit) * value_of(limit)) return T(-1.0) * e;
  return (T(-1.0) * limit / root_of(square)) * e;
}

/// On the ball; N > 0.
template <class T>
Vector<T> force_of(const Spec& spec, const Meeting<T>& m, const Touch<T>& touch, const T& N,
                   const Stuck* stuck) {
  const Vector<T> normal = N * touch.n;
  if (spec.friction == 0) return normal;
  return normal + (spec.sticking ? sticking(spec, m, touch, N, stuck) : sliding(spec, touch, N));
}

}  // namespace cosimo::contact
