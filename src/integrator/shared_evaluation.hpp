// Accelerations of a system with constraints by the members of a team. Each has degrees of freedom of its
// own, and makes the states of a stage there; all of them meet at `|`:
//
//   place | load_others | load | move | judge         load_others: where there are others
//                                       again: place, load_again | move | judge
//
// After move() a share has the accelerations of its own degrees of freedom: it may go on with the next states
// and place() them before the meeting. So an evaluation takes two meetings. Bits do not depend on the shares.
#pragma once

#include <cstdint>
#include <span>

#include "core/fellow.hpp"
#include "core/ids.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

class SharedEvaluation {
 public:
  struct Share {
    int number = 0, count = 1;
  };
  struct Instant {
    double t = 0;
    const double *q = nullptr, *v = nullptr;
    double* a = nullptr;
  };
  /// The same for all shares. `unclear`: ask acceleration().
  enum class Verdict : std::uint8_t { fine, again, unclear };

  virtual ~SharedEvaluation() = default;
  virtual int most_shares() const = 0;  ///< that are worth it, by counted work
  virtual void expect(int shares) = 0;  ///< before the first evaluation by so many
  virtual std::span<const Range> own(const Share& share) const = 0;
  virtual void place(const Instant& at, const Share& share) = 0;
  virtual bool has_others() const = 0;
  /// By all, who meet in it.
  virtual void load_others(const Instant& at, const Fellow& me) = 0;
  virtual void load(const Instant& at, const Share& share, bool again) = 0;
  virtual void move(const Instant& at, const Share& share, bool again) = 0;
  /// `times`: that it was again before.
  virtual Verdict judge(const Instant& at, const Share& share, int times) = 0;

  // ConstrainedSystem::project() by so many shares: settle | measure |, then one of them finishes.
  virtual void settle(double* q, double* v, const Share& share) = 0;
  virtual void measure(double t, const MotionSizes& tolerances, const Share& share) = 0;
  [[nodiscard]] virtual bool finish_projection(double t, double* q, double* v, const MotionSizes& tolerances,
                                               int shares, bool& moved) = 0;
};

}  // namespace cosimo
