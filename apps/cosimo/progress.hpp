// One line on a terminal that rewrites itself while a run is under way: share done, time
// reached, macro step, order (with overlaps: layers of copies), rejections, estimated time left.
#pragma once

#include <cstdio>
#include <string>

#include "cosimo/cosimo.hpp"

namespace cosimo::cli {

/// A pipe or a log file gets no progress line.
bool on_terminal(std::FILE* stream);

/// The text of the line, without control characters.
std::string describe(const Progress& progress);

/// Owns the line; the destructor wipes it.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream) : stream_(stream) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress) { show(describe(progress)); }
  void show(std::string text);  ///< cut to the width of the terminal
  void wipe();

 private:
  std::FILE* stream_;
  bool shown_ = false;
};

}  // namespace cosimo::cli
