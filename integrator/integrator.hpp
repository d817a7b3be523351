// One system in time. Several methods behind one interface:
//
//   start(t, q, v)                         forget everything, begin at a state
//   advance(t_end, samples) -> result      integrate to t_end, fill the samples on the way
//   position(), velocity()                 the state at the t_end last reached
//   save(snapshot), restore(snapshot)      exact to the bit: restore, then repeat, gives the same numbers
//
// The system's inputs may change between two calls of advance(); one-step methods
// take no notice, multistep methods see a jump in the derivative. A snapshot may be
// restored into any integrator that was made with the same arguments (lanes of one
// subsystem), and several may restore from it at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "integrator/system.hpp"

namespace cosimo {

struct Tolerances {
  double rtol = 1e-6;
  double atol_pos = 1e-9;
  double atol_vel = 1e-6;
};

/// How a multistep method meets the end of a macro step (Section 4.3).
enum class Stop {
  adjusted,  ///< Listing 4.1: stretch or halve the last steps, land on the end
  exact,     ///< stop exactly, whatever it costs
  limit      ///< h <= H / n, overshoot, interpolate; refused where steps may be repeated
};

enum class Method { automatic, ida, rk, rosenbrock };
enum class Linear { automatic, structured, klu, dense };

struct IntegratorOptions {
  Method method = Method::automatic;
  Linear linear = Linear::automatic;
  Tolerances tolerances;
  Stop stop = Stop::adjusted;
  int limit = 1;  ///< n of Stop::limit
  double max_step = std::numeric_limits<double>::infinity();
  std::int64_t max_steps = 10'000'000;           ///< per advance(); more is a failure
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: the next micro step is not begun
};

/// AdvanceResult::reason of an advance() that was interrupted.
inline constexpr std::string_view interrupted_reason = "interrupted";

inline bool interrupted(const IntegratorOptions& options) {
  return options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
}

/// States wanted inside an advance(): at each of `times` (ascending, within the interval, its end
/// included) the coordinates `dofs`, written row by row (one row per time).
struct Sampling {
  std::span<const double> times;
  std::span<const std::int32_t> dofs;
  std::span<double> position;
  std::span<double> velocity;
};

struct AdvanceResult {
  bool ok = true;
  double reached = 0;         ///< t_end, or where it stuck
  std::string_view reason{};  ///< static text, empty when ok
};

/// Work done since start(). restore() puts it back, so that only work that was kept counts.
struct Counters {
  std::int64_t steps = 0;        ///< accepted micro steps
  std::int64_t rejected = 0;     ///< error test or nonlinear solver failed
  std::int64_t evaluations = 0;  ///< of the acceleration, over all degrees of freedom
  std::int64_t factorizations = 0;
  std::int64_t solves = 0;
};

/// Opaque solver memory. Reused by repeated save() calls without allocation in the steady state.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  virtual void start(double t, std::span<const double> q, std::span<const double> v) = 0;
  [[nodiscard]] virtual AdvanceResult advance(double t_end, const Sampling& samples) = 0;
  virtual std::span<const double> position() const = 0;
  virtual std::span<const double> velocity() const = 0;

  virtual std::unique_ptr<Snapshot> make_snapshot() const = 0;
  virtual void save(Snapshot& snapshot) const = 0;
  virtual void restore(const Snapshot& snapshot) = 0;

  /// Counters and the method in use now ("rk", "rosenbrock", "ida"; auto names the one it uses).
  struct Status {
    Counters counters;
    std::string_view method;
    std::int64_t switches = 0;     ///< by `auto`
    std::int64_t stiff_steps = 0;  ///< accepted steps taken by an implicit method
    double last_step = 0;
  };
  virtual Status status() const = 0;
};

/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorOptions& options);

}  // namespace cosimo
