// One system in time. Several methods behind one interface:
//
//   start(t, q, v)                         forget everything, begin at a state
//   advance(t_end, samples) -> result      integrate to t_end, fill the samples on the way
//   position(), velocity()                 the state at the t_end last reached
//   save(snapshot), restore(snapshot)      exact to the bit: restore, then repeat, gives the same numbers
//   overwrite(kept, q, v)                  other states for some degrees of freedom, at the same instant
//   use_grid(n)                            the next advance() tries n equal steps
//   inherit(other)                         after start(): step size and counters of another system
//   archive(a)                             the same state as bytes, for checkpoints
//
// With root functions (integrator/whole.hpp) an event whose jump others must hear of ends advance() early:
//
//   while (time < t_end) {
//     const AdvanceResult result = advance(t_end, samples);
//     time = result.reached;                                the state just before the event
//     if (result.early) fire(result.crossed);
//   }
//
// An event at most `event_at_end` of the interval before t_end does not end it early: it is due() there. All
// other events are dealt with inside.
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
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "core/settings.hpp"
#include "core/snapshot.hpp"
#include "integrator/system.hpp"
#include "numerics/polynomial.hpp"
#include "numerics/samples.hpp"
#include "numerics/solver_status.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

class Team;

struct IntegratorOptions {
  Method method = Method::automatic;
  Linear linear = Linear::automatic;
  Tolerances tolerances;
  Stop stop = Stop::adjusted;
  int limit = 1;  ///< n of Stop::limit
  double max_step = std::numeric_limits<double>::infinity();
  /// Where the run ends: what `automatic` has left to do.
  double end = std::numeric_limits<double>::infinity();
  std::int64_t max_steps = 10'000'000;           ///< per advance(); more is a failure
  const std::atomic<bool>* interrupt = nullptr;  ///< becomes true: the next micro step is not begun
  /// Degrees of freedom whose error counts in full; empty: all. The error of the others is divided by
  /// 100 and so costs no steps, except where they would become unstable (integrator/error_sum.hpp).
  /// One-step methods only.
  Range judged{0, 0};
  /// Threads that take each step together, where the system and the method allow it; they must outlive the
  /// integrator, and no other may use them while it advances. Results do not depend on them.
  Team* team = nullptr;
  /// False: events fire where they are, whatever jumps, and no advance() ends early.
  bool end_early = true;
};

/// AdvanceResult::reason of an advance() that was interrupted.
inline constexpr std::string_view interrupted_reason = "interrupted";

inline bool interrupted(const IntegratorOptions& options) {
  return options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed);
}

/// The states of a few degrees of freedom at the beginning and after every accepted step of an advance():
/// what is needed to continue them in time between the steps. Row after row, one row per instant.
struct Trace {
  std::vector<std::int32_t> dofs;
  std::vector<double> t, q, v, a;
};

/// Derivatives of the discrete solution with respect to scalars that move the system's inputs, one direction
/// per input: input i at time t changes by shape(t) per unit of scalar i. They start from zero and are
/// carried through the very steps that advance() takes, each with the method's own formula and, where it has
/// one, its own factorised matrix: no step is repeated, no force evaluated for them. The solution takes no
/// notice. Counters count the back-substitutions; explicit methods have none, and nothing is counted. After a
/// failed advance() the derivatives mean nothing.
struct Directions {
  Polynomial shape;                ///< in
  std::vector<std::int32_t> dofs;  ///< in: where the derivatives are wanted
  std::vector<double> q, v;        ///< out: a row per input, a column per entry of `dofs`
};

/// States wanted inside an advance(), and what else may be asked of it.
struct Sampling : Samples {
  Trace* trace = nullptr;            ///< cleared and filled when given; one-step methods only
  Directions* directions = nullptr;  ///< for systems without z, s and constraints
};

/// Part of the interval of an advance().
inline constexpr double event_at_end = 1e-9;

struct AdvanceResult {
  bool ok = true;
  double reached = 0;         ///< t_end, where an event ended it early, or where it stuck
  std::string_view reason{};  ///< static text, empty when ok
  bool early = false;         ///< an event is ahead; samples after it are not filled
  /// Then: for each root the side that it is about to go to, -1 or 1; 0: it is not. Valid until the next
  /// call.
  std::span<const std::int8_t> crossed{};
  std::int32_t law = -1;  ///< that is to blame, of System::switch_laws(); -1: not known
};

/// The reason, after the law that is to blame.
std::string reason_of(const AdvanceResult& result, const System& system);

class Integrator {
 public:
  virtual ~Integrator() = default;

  void start(double t, std::span<const double> q, std::span<const double> v) { start(t, q, v, {}, {}); }
  virtual void start(double t, std::span<const double> q, std::span<const double> v,
                     std::span<const double> z, std::span<const double> s) = 0;
  [[nodiscard]] virtual AdvanceResult advance(double t_end, const Sampling& samples) = 0;
  virtual std::span<const double> position() const = 0;
  virtual std::span<const double> velocity() const = 0;
  virtual std::span<const double> states() const = 0;  ///< z
  virtual std::span<const double> memory() const = 0;  ///< s

  /// Roots that are on another side than the last event or the start left them on, now or `ahead` later by an
  /// explicit step; as AdvanceResult::crossed.
  virtual std::span<const std::int8_t> due(double ahead) = 0;
  /// The event of these roots, at the present state. Their sides are then the signs a short explicit step
  /// ahead, which is right for what bounces and for what passes.
  virtual Fired fire(std::span<const std::int8_t> crossed) = 0;

  virtual std::unique_ptr<Snapshot> make_snapshot() const = 0;
  virtual void save(Snapshot& snapshot) const = 0;
  virtual void restore(const Snapshot& snapshot) = 0;

  /// The complete state at the instant last reached, exact to the bit: an integrator made with the same
  /// arguments that loads it, started or not, goes on like the one that saved it. After an ArchiveError the
  /// integrator is as it was.
  virtual void archive(Archive& a) = 0;

  /// New states, at the present time, for all degrees of freedom outside `kept`; entries of q and v inside
  /// it are not read. Step size and everything else go on as they were, and only the accelerations that
  /// can have changed are evaluated anew. A multistep method begins anew, and keeps none.
  void overwrite(Range kept, std::span<const double> q, std::span<const double> v) {
    overwrite(kept, q, v, {});
  }
  /// And what else is new with them.
  struct Recalled {
    std::span<const double> z{}, s{};  ///< all of them; empty: they stay
    /// Per root, not zero: z and s come from where its events have been seen, and its side is found anew.
    /// All others keep theirs, so that nothing fires twice and what was carried over fires. Empty: all do.
    std::span<const std::uint8_t> roots{};
  };
  virtual void overwrite(Range kept, std::span<const double> q, std::span<const double> v,
                         const Recalled& recalled) = 0;

  /// The next advance() takes `steps` equal steps wherever the error allows it, and otherwise shorter ones
  /// that still meet the points of that grid. Neighbours that integrate copies of each other's bodies
  /// then take the same steps and make the same errors. 0: as it likes. Holds for one advance().
  virtual void use_grid(std::int64_t steps) = 0;

  /// After start(): takes over step size, choice of method and counters from an integrator of the same
  /// kind for another set of degrees of freedom of the same model.
  virtual void inherit(const Integrator& other) = 0;

  using Status = SolverStatus;
  virtual Status status() const = 0;
};

/// `system` must outlive the integrator.
std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorOptions& options);

}  // namespace cosimo
