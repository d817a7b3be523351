// What a rank did when, while someone watches: for the trace of a run (results/trace.hpp). Nobody watching,
// it costs a comparison.
//
//   phases.watch(true);
//   phases.add(Phase::interface, begin, end);            the calling thread, seconds of clock_seconds()
//   phases.add({Phase::solve, begin, end, thread, part});
//   for (const PhaseSpan& span : phases.take()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/phase.hpp"

namespace cosimo {

struct PhaseSpan {
  Phase phase = Phase::solve;
  double begin = 0, end = 0;
  int thread = 0;
  std::int32_t part = -1;  ///< number of the subsystem on this rank; -1: none
};

class PhaseLog {
 public:
  void watch(bool on) { watched_ = on; }
  bool watched() const { return watched_; }
  void add(const PhaseSpan& span) {
    if (watched_ && span.end > span.begin) spans_.push_back(span);
  }
  void add(Phase phase, double begin, double end) { add({phase, begin, end, 0, -1}); }
  std::vector<PhaseSpan> take() { return std::exchange(spans_, {}); }

 private:
  bool watched_ = false;
  std::vector<PhaseSpan> spans_;
};

}  // namespace cosimo
