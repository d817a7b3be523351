// Rows of the results for a listener (cosimo/rows.hpp): put together from what a run records piece by piece.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cosimo/result_folder.hpp"
#include "cosimo/rows.hpp"
#include "multibody/derived_outputs.hpp"
#include "results/recorder.hpp"

namespace cosimo {

/// What the numbers of a row are called: positions, their rates, then the columns of the tables.
std::vector<std::string> row_names(const ResultsLayout& layout);

/// One more attempted macro step.
void append(StepHistory& steps, const StepRow& row);

class RowTap {
 public:
  RowTap(RowListener& listener, const ResultsLayout& layout);

  /// `derived` has been evaluated; it may be null.
  void motion(double t, std::span<const double> position, std::span<const double> velocity,
              const DerivedOutputs* derived);
  /// Of components, for the motion told last.
  void outputs(std::span<const double> values);

 private:
  void add(std::span<const double> values) { row_.insert(row_.end(), values.begin(), values.end()); }

  RowListener& listener_;
  bool outputs_follow_;
  double time_ = 0;
  std::vector<double> row_;
};

}  // namespace cosimo
