// How far a run is, while it is under way: on a terminal one line that rewrites itself, in a log file (when
// asked for) a line at every tenth.
#pragma once

#include <cstdio>

#include "cosimo/cosimo.hpp"
#include "progress_bar.hpp"

namespace cosimo::cli {

/// Owns the line; the destructor wipes it.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream) : stream_(stream) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress) { show(course_of(progress)); }
  void show(const Course& course);  ///< as wide as the terminal is at the moment
  void wipe();

 private:
  std::FILE* stream_;
  bool shown_ = false;
};

class ProgressLog {
 public:
  explicit ProgressLog(std::FILE* stream) : stream_(stream) {}
  void show(const Progress& progress);

 private:
  std::FILE* stream_;
  double next_ = 0.1;
};

}  // namespace cosimo::cli
