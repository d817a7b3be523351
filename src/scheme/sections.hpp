// How long the threads of a rank worked and waited in each section of its macro steps (core/section.hpp).
//
//   SectionClock clock(pool);
//   const Section before = clock.enter(Section::estimate);   what came before ends here
//   ...                                                      batches of the pool, and work of the caller
//   clock.enter(before);
//
// Entering looks at the clock once. What threads did in batches of the pool counts as their work, the rest of
// the section as waiting; the caller works except where it waits for a batch.
#pragma once

#include <span>
#include <vector>

#include "core/section.hpp"
#include "parallel/pool.hpp"

namespace cosimo {

class SectionClock {
 public:
  explicit SectionClock(const Pool& pool);
  /// Steps begin, in `control`: what was before is no part of them.
  void start();

  /// Returns the section that ends.
  Section enter(Section next);
  /// Seconds of a thread's work that were no work of this section but of another.
  void move(std::size_t thread, Section from, Section to, double seconds);

  std::size_t threads() const { return seen_.size(); }
  /// Seconds of every thread, up to the last enter().
  std::span<const double> work(Section section) const { return row(work_, section); }
  std::span<const double> waiting(Section section) const { return row(waiting_, section); }

 private:
  std::span<const double> row(const std::vector<double>& all, Section section) const {
    return std::span(all).subspan(index(section) * threads(), threads());
  }

  const Pool& pool_;
  Section now_ = Section::control;
  double mark_ = 0;
  double batches_ = 0;                  ///< seconds in batches of the pool up to the mark
  std::vector<double> seen_;            ///< and of every thread's work in them
  std::vector<double> work_, waiting_;  ///< [section][thread]
};

}  // namespace cosimo
