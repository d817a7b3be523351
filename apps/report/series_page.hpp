// report.html of a series of runs: a table, scatter plots, parallel coordinates, curves laid over each other,
// failures first.
//
//   cosimo::write_series_page({.folder = "speeds.sweep", .file = "speeds.sweep/report.html"},
//                             cosimo::read_series("speeds.sweep"));
//
// The page has every variant. Curves are thinned without losing extremes (apps/report/series.hpp); of very
// many, curves of some variants are left out, which a note tells.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "cosimo/series.hpp"

namespace cosimo {

struct SeriesPageOptions {
  std::filesystem::path folder;          ///< of the series: kept runs are linked from there
  std::filesystem::path file;            ///< of the page
  std::size_t curve_bytes = 12'000'000;  ///< of all curves together
};

/// The data of the page: SeriesPage of apps/report/page/src/data.ts.
std::string series_page_json(const SeriesPageOptions& options, const SeriesData& data);

/// Writes the page, whole or not at all. Throws IoError when it cannot be written.
void write_series_page(const SeriesPageOptions& options, const SeriesData& data);

}  // namespace cosimo
