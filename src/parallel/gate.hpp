// A counter that threads wait on: open() lets everybody pass who waits for the next value.
// Waiting spins for a while, because macro steps are short, and then parks in the kernel,
// so that an idle pool costs nothing. Internal to parallel/.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace cosimo {

/// Tell the core that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class Gate {
 public:
  std::uint32_t value() const { return value_.load(std::memory_order_acquire); }

  /// What happened before is visible to those who pass.
  void open() {
    // The order of this increment and the look at parked_ against park()'s is what makes sure
    // that nobody sleeps through: both must be sequentially consistent.
    value_.fetch_add(1, std::memory_order_seq_cst);
    if (parked_.load(std::memory_order_seq_cst) != 0) value_.notify_all();
  }

  /// Opens all of these for their only opener: `each` calls its argument with one gate after the other. They
  /// open side by side instead of one when the other is open, which takes as long as reaching one of them.
  template <class Each>
  static void open_all(Each each) {
    each([](Gate& gate) {
      gate.value_.store(gate.value_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    });
    std::atomic_thread_fence(std::memory_order_seq_cst);  // as in open()
    each([](Gate& gate) {
      if (gate.parked_.load(std::memory_order_relaxed) != 0) gate.value_.notify_all();
    });
  }

  /// Returns the new value as soon as it differs from `seen`.
  std::uint32_t pass(std::uint32_t seen, std::chrono::nanoseconds spin) {
    const auto until = std::chrono::steady_clock::now() + spin;
    do {
      for (int i = 0; i < 16; ++i) {
        if (const std::uint32_t now = value(); now != seen) return now;
        relax();
      }
    } while (std::chrono::steady_clock::now() < until);
    return park(seen);
  }

 private:
  std::uint32_t park(std::uint32_t seen) {
    parked_.fetch_add(1, std::memory_order_seq_cst);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::uint32_t now = value_.load(std::memory_order_seq_cst);
    while (now == seen) {
      value_.wait(seen, std::memory_order_acquire);
      now = value();
    }
    parked_.fetch_sub(1, std::memory_order_relaxed);
    return now;
  }

  alignas(64) std::atomic<std::uint32_t> value_{0};
  std::atomic<std::uint32_t> parked_{0};
};

}  // namespace cosimo
