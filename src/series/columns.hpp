// What measures read of a run: some columns over the output times, from the run as it goes or from its
// folder.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cosimo/rows.hpp"
#include "series/measure.hpp"

namespace cosimo::series {

/// What measures gave, as it is sent and remembered.
struct Measured {
  std::vector<std::int64_t> lengths{};  ///< per measure; -1: a number; of a curve its points
  std::vector<double> numbers{};        ///< of a curve all places, then all values; NaN: there is none
  std::string remark{};                 ///< why some have no number
};

/// Measures over the rows of a run. Throws Error from begin() when the results lack a column.
class MeasuredRows final : public RowListener {
 public:
  /// `measures` and their names must outlive it.
  MeasuredRows(std::span<const Measure> measures, std::span<const std::string> names)
      : measures_(measures), labels_(names) {}

  void begin(const std::vector<std::string>& names) override;
  void row(double t, std::span<const double> values) override;
  /// The same rows from what a run has left in a folder. Throws Error.
  void read(const std::filesystem::path& folder);

  Measured measured() const;

 private:
  std::size_t column(std::size_t place);

  std::span<const Measure> measures_;
  std::span<const std::string> labels_;
  std::vector<BoundMeasure> bound_;
  std::vector<std::size_t> places_;                ///< in a row, of every column kept
  std::vector<std::vector<std::size_t>> columns_;  ///< per measure, of those kept
  std::vector<double> time_;
  std::vector<std::vector<double>> kept_;
};

}  // namespace cosimo::series
