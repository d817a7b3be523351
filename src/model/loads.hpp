// External forces on bodies, (2.11) to (2.14), one table per kind, sorted by body.
//
//   harmonic   amplitude * sin(omega t + phase)
//   contact    A * exp(B x)
//   impulse    amplitude / 2 * [tanh((t - start)/steepness) - tanh((t - start - duration)/steepness)]
//   powersine  amplitude * sin(omega t + phase)^exponent   (odd exponents keep the sign;
//              a non-integer exponent acts on |sin| and keeps the sign)
//   curve      amplitude * a curve through given points (numerics/curve.hpp)
//
// Loads have three forms: as written (core/load_spec.hpp), these rows, and what a part evaluates
// (model/load_table.hpp). Whatever is done with all kinds alike goes over the tables:
//
//   for_each_table([&](auto table) { n += (loads.*table).size(); });
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "core/ids.hpp"
#include "numerics/curve.hpp"

namespace cosimo {

// Of every kind: its numbers, the amplitude first, then those of its shape; and its course in time for the
// amplitude 1, with its derivative, where it depends on time alone.

struct Harmonic {
  BodyId body;
  double amplitude = 0, omega = 0, phase = 0;

  auto numbers() const { return std::tuple(amplitude, omega, phase); }
  double value(double t) const;
  double rate(double t) const;
};
struct Contact {
  BodyId body;
  double A = 0, B = 0;

  auto numbers() const { return std::tuple(A, B); }
};
struct Impulse {
  BodyId body;
  double amplitude = 0, start = 0, duration = 0, steepness = 0;

  auto numbers() const { return std::tuple(amplitude, start, duration, steepness); }
  double value(double t) const;
  double rate(double t) const;
  /// Outside these instants it is exactly zero.
  std::array<double, 2> acting() const;
};
struct PowerSine {
  BodyId body;
  double amplitude = 0, omega = 0, phase = 0, exponent = 1;

  auto numbers() const { return std::tuple(amplitude, omega, phase, exponent); }
  double value(double t) const;
  double rate(double t) const;
};
struct CurveLoad {
  BodyId body;
  double amplitude = 0;
  std::shared_ptr<const Curve> curve;

  auto numbers() const { return std::tuple(amplitude, curve.get()); }
  double value(double t) const { return (*curve)(t); }
  double rate(double t) const { return curve->rate(t); }
};

struct Loads {
  std::vector<Harmonic> harmonic;
  std::vector<Contact> contact;
  std::vector<Impulse> impulse;  ///< one entry per start time
  std::vector<PowerSine> powersine;
  std::vector<CurveLoad> curve;
};

/// f(&Loads::harmonic), ..., in the order in which forces are added and hashed.
template <class F>
void for_each_table(F f) {
  f(&Loads::harmonic);
  f(&Loads::contact);
  f(&Loads::impulse);
  f(&Loads::powersine);
  f(&Loads::curve);
}

/// The rows on bodies from `first` to before `last`.
template <class Load>
std::span<const Load> on(const std::vector<Load>& table, BodyId first, BodyId last) {
  const auto from = std::ranges::lower_bound(table, first, {}, &Load::body);
  return {from, std::ranges::lower_bound(from, table.end(), last, {}, &Load::body)};
}
template <class Load>
std::span<const Load> on(const std::vector<Load>& table, BodyId body) {
  return on(table, body, BodyId(body.value + 1));
}

/// How many act on bodies from `first` to before `last`.
std::size_t count(const Loads& loads, BodyId first, BodyId last);

/// The instants that no integration step and no macro step may jump over: beginning, middle and end of every
/// edge of every impulse, and some on its flanks; where curves jump. Sorted, without duplicates.
std::vector<double> breakpoints(const Loads& loads);

/// Brings every table into the order of bodies; loads of one body keep their order.
void sort_by_body(Loads& loads);

}  // namespace cosimo
