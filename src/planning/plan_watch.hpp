// A flag for runs that must end in time, and how much memory they hold.
//
//   Watch watch(interrupt);
//   watch.allow(2);                     two seconds from now
//   TimeLoop loop(..., watch.flag());   polls it
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <thread>

namespace cosimo {

using PlanClock = std::chrono::steady_clock;

inline double seconds_since(PlanClock::time_point begin) {
  return std::chrono::duration<double>(PlanClock::now() - begin).count();
}

/// Raises its flag when the time is up, or when the user interrupts.
class Watch {
 public:
  explicit Watch(const std::atomic<bool>* interrupt)
      : interrupt_(interrupt), thread_([this](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (seconds_since(begin_) > limit_ || asked()) flag_ = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
        }) {}

  const std::atomic<bool>* flag() const { return &flag_; }
  /// By the user.
  bool asked() const { return interrupt_ != nullptr && interrupt_->load(); }
  /// From now on. Before, there is no limit.
  void allow(double seconds) { limit_ = seconds_since(begin_) + seconds; }
  void raise() { flag_ = true; }

 private:
  const PlanClock::time_point begin_ = PlanClock::now();
  const std::atomic<bool>* interrupt_;
  std::atomic<bool> flag_{false};
  std::atomic<double> limit_{std::numeric_limits<double>::infinity()};
  std::jthread thread_;  // the last member: it ends before the others do
};

/// Bytes of this process in memory now, after giving back what it does not need; 0 where the system does not
/// tell.
double resident_bytes();
/// Of them what is no model: code, libraries, and a little for writing results.
double program_bytes();

/// The most that is held from now on, beyond what is held now.
class PeakMemory {
 public:
  PeakMemory();
  double bytes() const;

 private:
  double before_ = 0;
  bool exact_ = false;  ///< the system forgets earlier peaks
};

}  // namespace cosimo
