// One line on a terminal that rewrites itself while a run is under way.
#pragma once

#include <cstdio>
#include <string>

#include "cosimo/cosimo.hpp"

namespace cosimo::cli {

/// A pipe or a log file gets no progress line.
bool on_terminal(std::FILE* stream);

/// Owns the line; the destructor wipes it.
class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream) : stream_(stream) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress) { show(to_text(progress)); }
  void show(std::string text);  ///< shortened to the width of the terminal
  void wipe();

 private:
  std::FILE* stream_;
  bool shown_ = false;
};

}  // namespace cosimo::cli
