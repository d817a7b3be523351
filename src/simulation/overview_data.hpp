// What the picture of a run needs, kept while it runs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

/// A thinned copy of the run for the picture: at most a few dozen columns and a few thousand rows.
class OverviewData {
 public:
  /// `layout` is that of the results; `part_of_body` the subsystem of every body.
  OverviewData(const ResultsLayout& layout, std::span<const std::int32_t> part_of_body);
  void output(double t, std::span<const double> position);
  /// The same in blocks of columns from the left, until the last column has come.
  void output_block(double t, std::size_t first, std::span<const double> position, bool last);
  void step(const StepRow& row);
  std::string svg(const std::string& title, const std::string& subtitle) const;

 private:
  void keep(double t);

  std::vector<std::size_t> columns_;
  std::vector<std::int32_t> parts_;
  std::vector<double> row_;  ///< of the columns kept
  Results data_;
  std::int64_t row_stride_ = 1, rows_seen_ = 0, step_stride_ = 1, steps_seen_ = 0;
};

}  // namespace cosimo
