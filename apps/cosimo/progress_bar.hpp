// The layout of the progress line: share done, a bar, the time left, then whatever there is room for.
//
//    45.0 %  ━━━━━━━━━────────────  12 s left  t = 4.5 of 10  H = 1.20e-05  order 3  812 steps, 4 rejected
//
// On narrow terminals the pieces at the end go first, then the bar, then the share; the time left goes last.
#pragma once

#include <string>
#include <vector>

#include "cosimo/cosimo.hpp"
#include "terminal.hpp"

namespace cosimo::cli {

struct Course {
  double share = 0;                 ///< of what there is to do; from 0 to 1
  std::string left{};               ///< "12 s left"; empty: not known yet
  std::vector<std::string> more{};  ///< the most wanted first
};

/// Of a run: the pieces of to_text(Progress).
Course course_of(const Progress& progress);

/// At most one column less than the terminal has, so that it never wraps.
std::string progress_line(const Course& course, const Look& look);

}  // namespace cosimo::cli
