// report.html: the page of one run, or of several to compare.
//
//   cosimo::write_run_page({.folders = {"model.out"}, .file = "model.out/report.html"});
//   cosimo::write_run_page({.folders = {"a.out", "b.out"}, .file = "comparison.html"});
//
// Everything in it comes from results.h5, timing.h5, summary.json and scenario.effective.yaml; what is
// damaged or missing there is left out, and a remark says so. The page stays below a budget however large the
// run: courses are thinned without losing extremes (apps/report/series.hpp), and of many bodies, cuts and
// subsystems some are shown, which a remark tells, too. Files are read in blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cosimo {

struct RunPageOptions {
  std::vector<std::filesystem::path> folders;  ///< the others are compared with the last one
  std::vector<std::int64_t> bodies{};    ///< labels of the bodies whose courses are shown; empty: chosen
  std::filesystem::path file{};          ///< of the page
  std::size_t budget_bytes = 9'000'000;  ///< of the data, all runs together
};

/// The data of the page: RunsPage of apps/report/page/src/data.ts. Throws Error when a folder is not there or
/// holds nothing of Cosimo, or when a body is asked for that no run recorded.
std::string run_page_json(const RunPageOptions& options);

/// Writes the page, whole or not at all. Throws Error as above, IoError when it cannot be written.
void write_run_page(const RunPageOptions& options);

}  // namespace cosimo
