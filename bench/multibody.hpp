// The chains of the benchmark `multibody` and what a program makes of one: rods that hang one from the other
// by pins (planar) or ball joints (spatial), released from a smooth shape. The tip is the lower end of the
// last rod.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cosimo::bench {

struct HangingChain {
  std::size_t links = 200;
  double length = 1, mass = 10;  ///< of a rod
  double gravity = 9.81;
  bool spatial = false;       ///< ball joints, gravity along -z; or pins, gravity along -y
  std::vector<double> angle;  ///< of every rod at t = 0, from the downward vertical towards +x
  double sideways = 0;        ///< spatial: the chain swings as a whole about the x axis at t = 0
  std::vector<double> times;  ///< when the tip is looked at; the last is the end
};

struct ChainRun {
  double rtol = 0, seconds = 0;
  std::int64_t steps = 0, evaluations = 0;
  std::vector<double> tip;  ///< three numbers per time
  double error = 0;         ///< of the tip against the reference, the largest distance
};

/// Angles of the first and the last rod at t = 0, evenly spread between them: a smooth curve.
inline constexpr double first_angle = 0.1, last_angle = 0.5;

/// Simbody 3.7, in the angles of the joints by recursion along the tree. Only where it was found
/// (COSIMO_SIMBODY).
enum class SimbodyMethod { merson, runge_kutta_3 };
ChainRun run_simbody(const HangingChain& chain, SimbodyMethod method, double accuracy);

/// Seconds of processor time of this thread: other work on the machine counts for little.
double processor_time();

}  // namespace cosimo::bench
