// External forces on bodies, (2.11) to (2.14), one table per kind, sorted by body.
//
//   harmonic   amplitude * sin(omega t + phase)
//   contact    A * exp(B x)
//   impulse    amplitude / 2 * [tanh((t - start)/steepness) - tanh((t - start - duration)/steepness)]
//   powersine  amplitude * sin(omega t + phase)^exponent   (odd exponents keep the sign;
//              a non-integer exponent acts on |sin| and keeps the sign)
#pragma once

#include <vector>

#include "core/ids.hpp"

namespace cosimo {

struct Harmonic {
  BodyId body;
  double amplitude = 0, omega = 0, phase = 0;
};
struct Contact {
  BodyId body;
  double A = 0, B = 0;
};
struct Impulse {
  BodyId body;
  double amplitude = 0, start = 0, duration = 0, steepness = 0;
};
struct PowerSine {
  BodyId body;
  double amplitude = 0, omega = 0, phase = 0, exponent = 1;
};

struct Loads {
  std::vector<Harmonic> harmonic;
  std::vector<Contact> contact;
  std::vector<Impulse> impulse;  ///< one entry per start time
  std::vector<PowerSine> powersine;
};

double force(const Harmonic& load, double t);
double force(const Impulse& load, double t);
double force(const PowerSine& load, double t);
double rate(const Harmonic& load, double t);  ///< d(force)/dt
double rate(const Impulse& load, double t);
double rate(const PowerSine& load, double t);

/// The instants that no integration step may jump over: beginning, middle and end of every edge of every
/// impulse, and some on its flanks. Sorted, without duplicates.
std::vector<double> breakpoints(const Loads& loads);

/// Brings every table into the order of bodies; loads of one body keep their order.
void sort_by_body(Loads& loads);

}  // namespace cosimo
