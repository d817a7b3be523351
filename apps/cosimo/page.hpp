// report.html: written after every run, and by cosimo report for one folder or several.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cosimo/report.hpp"
#include "output.hpp"

namespace cosimo::cli {

struct ReportArguments {
  std::vector<std::string> folders;  ///< compared with the last one
  std::string bodies;                ///< "1,5,10-20"; empty: chosen
  std::string out;                   ///< empty: report.html of the folder; of several: comparison.html here
  Output output{};
};
int report_command(const ReportArguments& arguments);

/// The page of a run that has just ended. Trouble with it is told and does not count as a failed run.
/// Runs of very many macro steps, whose page takes minutes, leave it to cosimo report.
void write_page_of(const std::filesystem::path& folder, const Report& report);

}  // namespace cosimo::cli
