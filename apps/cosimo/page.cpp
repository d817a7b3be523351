#include "page.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/report/run_page.hpp"
#include "apps/report/series_page.hpp"
#include "body_list.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "core/error.hpp"

namespace cosimo::cli {

int report_command(const ReportArguments& arguments) {
  RunPageOptions options;
  for (const std::string& folder : arguments.folders) options.folders.emplace_back(folder);
  options.bodies = chosen_bodies(arguments.bodies, options.folders);
  options.file = arguments.out;
  if (arguments.out.empty()) {
    std::error_code ignored;
    const std::filesystem::path& first = options.folders.front();
    const std::filesystem::path folder =
        std::filesystem::is_directory(first, ignored) ? first : first.parent_path();
    options.file = options.folders.size() == 1 ? folder / "report.html" : "comparison.html";
  }
  if (options.file.extension() != ".html" && options.file.extension() != ".htm")
    throw Error(Fault{.field = "--out",
                      .value = options.file.string(),
                      .problem = "is not the name of a page",
                      .remedy = "write a name that ends with .html"});
  std::error_code none;
  if (options.folders.size() == 1 && std::filesystem::exists(options.folders.front() / "sweep.h5", none))
    write_series_page({.folder = options.folders.front(), .file = options.file},
                      read_series(options.folders.front()));
  else
    write_run_page(options);
  if (arguments.output.json) print({{"status", "ok"}, {"file", options.file.string()}});
  if (arguments.output.text()) say("{}\n", options.file.string());
  return success;
}

void write_page_of(const std::filesystem::path& folder, const Report& report) {
  constexpr std::int64_t most_steps = 20'000'000;
  if (report.macro_steps + report.rejected_steps > most_steps) {
    say(stderr,
        "cosimo: note: the page of this many macro steps takes a while; to make it:  cosimo report {}\n",
        folder.string());
    return;
  }
  try {
    write_run_page({.folders = {folder}, .file = folder / "report.html"});
  } catch (const std::exception& problem) {
    say(stderr, "cosimo: note: there is no report.html: {}\n", problem.what());
  }
}

}  // namespace cosimo::cli
