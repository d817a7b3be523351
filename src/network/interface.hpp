// Which components are coupled with which, and how: plain data, made by partition/ for the cuts of a model
// and by whoever reads connections for signals.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ids.hpp"

namespace cosimo {

/// Which end of a coupling.
enum class CutSide { from, to };

/// What the rest of the model does to one end of a coupling (Section 2.1).
enum class Drive {
  force,   ///< the element's force acts there: one coupling variable per component
  motion,  ///< that part keeps the element, and the far body moves as prescribed: position and velocity
  signal,  ///< the end of a signal: one coupling variable
  none     ///< nothing: a signal begins there
};

/// Coordinates of a body and their rates.
struct BodyMotion {
  const double *x = nullptr, *v = nullptr;
};

/// One end of a coupling.
struct CutEnd {
  PartId part;
  BodyId body;  ///< of a cut element
  Drive drive = Drive::force;
  std::size_t coordinates = 1;  ///< of the body, which are its outputs; a signal has one where it begins
  bool motion = true;           ///< the outputs are positions with their velocities, not plain values
  bool angle = false;           ///< of a signal that is a motion: an angle or part of a quaternion
  std::size_t variable = 0;     ///< of a signal: the number of the output or input in its component
};

/// A cut element joins two parts. Both ends driven by the force: force/force decomposition (2.1.1); one by
/// the motion of the other body: force/displacement (2.1.2); both: displacement/displacement (2.1.3). Or a
/// signal goes from an output of one component to an input of another: it has no element, and no law.
struct Coupling {
  ElementId element;
  CutEnd from, to;
  std::size_t components = 1;  ///< of its force: 1 in a scalar model, up to 9 (coupling_components())
  std::size_t torques = 0;     ///< how many of them, the last, are torques
  bool rate = false;           ///< a signal that is the velocity of the coordinate where it begins
  double nominal = 1;          ///< of a signal that is no motion: what counts as an ordinary value

  bool is_signal() const { return to.drive == Drive::signal; }
};

/// A signal from output number `output` of a component to input number `input` of another.
inline Coupling signal_coupling(PartId from, std::size_t output, PartId to, std::size_t input) {
  Coupling coupling;
  coupling.from = {.part = from, .body = {}, .drive = Drive::none, .motion = false, .variable = output};
  coupling.to = {.part = to, .body = {}, .drive = Drive::signal, .coordinates = 0, .variable = input};
  coupling.components = 0;
  return coupling;
}

struct Interface {
  std::vector<Coupling> couplings;  ///< cuts, ordered by element; then signals
  /// What the component between two signals makes of them: by how much `to` may change, sooner or later, per
  /// unit of `from`. `at_once`: without a state in between; the component feeds through.
  struct Transfer {
    CouplingId from, to;
    double gain = 0;
    bool at_once = false;
  };
  std::vector<Transfer> transfers{};
};

inline bool has_signals(const Interface& interface) {
  return !interface.couplings.empty() && interface.couplings.back().is_signal();
}

}  // namespace cosimo
