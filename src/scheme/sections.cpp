#include "scheme/sections.hpp"

#include <algorithm>
#include <utility>

#include "scheme/clock.hpp"

namespace cosimo {

SectionClock::SectionClock(const Pool& pool)
    : pool_(pool),
      seen_(pool.total_busy().size()),
      work_(section_texts.size() * seen_.size()),
      waiting_(work_.size()) {
  start();
}

void SectionClock::start() {
  now_ = Section::control;
  mark_ = clock_seconds();
  batches_ = pool_.total_seconds();
  std::copy(pool_.total_busy().begin(), pool_.total_busy().end(), seen_.begin());
}

Section SectionClock::enter(Section next) {
  const double now = clock_seconds(), elapsed = now - mark_;
  const double inside = pool_.total_seconds() - batches_;
  const std::span<const double> busy = pool_.total_busy();
  const std::size_t first = index(now_) * threads();
  for (std::size_t k = 0; k < threads(); ++k) {
    const double worked = busy[k] - seen_[k];
    const double waited = std::max(0.0, (k == 0 ? inside : elapsed) - worked);
    waiting_[first + k] += waited;
    work_[first + k] += k == 0 ? std::max(0.0, elapsed - waited) : worked;
    seen_[k] = busy[k];
  }
  batches_ += inside;
  mark_ = now;
  return std::exchange(now_, next);
}

void SectionClock::move(std::size_t thread, Section from, Section to, double seconds) {
  work_[index(from) * threads() + thread] -= seconds;
  work_[index(to) * threads() + thread] += seconds;
}

}  // namespace cosimo
