// Numbers below 2.2e-308 count as zero while one of these lives, on the thread that made it.
//
// Ahead of a wave motion falls off without end, through the range where numbers lose their precision and
// processors handle each of them in hundreds of cycles: a lattice at rest that is struck once takes three
// times as long. No such number matters to any result. Every thread that computes one has this guard, so
// that results do not depend on the thread (docs/decisions/0030-vector-kernels.md).
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace cosimo {

class FlushTiny {
 public:
  FlushTiny() : before_(mode()) { set(before_ | flush); }
  ~FlushTiny() { set(before_); }
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;

 private:
#if defined(__x86_64__)
  using Mode = unsigned;
  static constexpr Mode flush = 0x8040;  ///< results and operands
  static Mode mode() {
    return _mm_getcsr();
  }
  static void set(Mode mode) {
    _mm_setcsr(mode);
  }
#elif defined(__aarch64__)
  using Mode = std::uint64_t;
  static constexpr Mode flush = Mode{1} << 24U;
  static Mode mode() {
    Mode mode = 0;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void set(Mode mode) {
    asm volatile("msr fpcr, %0" : : "r"(mode));
  }
#else
  using Mode = unsigned;
  static constexpr Mode flush = 0;
  static Mode mode() {
    return 0;
  }
  static void set(Mode) {}
#endif
  Mode before_;
};

}  // namespace cosimo
