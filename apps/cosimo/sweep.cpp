#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/report/series_page.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "cosimo/series.hpp"
#include "errors.hpp"
#include "input.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace cosimo::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string time_text(double s) {
  if (s >= 7200) return fmt::format("{:.1f} h", s / 3600);
  if (s >= 120) return fmt::format("{:.0f} min", s / 60);
  return fmt::format("{:.0f} s", s);
}

Course course_of(const SeriesProgress& p) {
  const std::size_t ended = p.done + p.failed;
  Course course;
  course.share = p.variants > 0 ? static_cast<double>(ended) / static_cast<double>(p.variants) : 1;
  if (p.left_s >= 0 && p.left + p.running > 0) course.left = time_text(p.left_s) + " left";
  course.more = {fmt::format("{} done", p.done), fmt::format("{} failed", p.failed),
                 fmt::format("{} running", p.running), fmt::format("{} waiting", p.left)};
  return course;
}

Json cell(const SeriesColumn& column, std::size_t row) {
  if (!column.text.empty()) return column.text[row];
  return std::isnan(column.number[row]) ? Json() : Json(column.number[row]);
}

Json document(const SeriesData& data) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < data.variants; ++i) {
    Json row{{"variant", i + 1}, {"state", data.state[i]}};
    for (const SeriesColumn& column : data.parameters) row["parameters"][column.name] = cell(column, i);
    for (const SeriesColumn& column : data.measures) row["measures"][column.name] = cell(column, i);
    for (const SeriesCurve& curve : data.curves)
      if (!curve.values[i].empty())
        row["curves"][curve.name] = {{"t", curve.t[i]}, {"value", curve.values[i]}};
    if (!data.fault[i].empty()) row["fault"] = data.fault[i];
    if (!data.message[i].empty()) row["message"] = data.message[i];
    if (!data.log[i].empty()) row["log"] = data.log[i];
    if (!data.results[i].empty()) row["results"] = data.results[i];
    rows.push_back(std::move(row));
  }
  return {{"status", "ok"}, {"file", data.file}, {"version", data.version}, {"variants", std::move(rows)}};
}

int show_series(const SweepArguments& arguments) {
  if (arguments.show.empty())
    throw Error(Fault{.field = "DIR", .problem = "is missing", .remedy = "write  cosimo sweep show DIR"});
  const SeriesData data = read_series(arguments.show);
  if (arguments.output.json) print(document(data));
  if (arguments.output.text()) say("{}", to_text(data));
  return success;
}

/// Trouble with the page is told and does not count as a failed series.
void write_page(const std::filesystem::path& folder) {
  try {
    write_series_page({.folder = folder, .file = folder / "report.html"}, read_series(folder));
  } catch (const std::exception& error) {
    say(stderr, "cosimo: warning: no page: {}\n", error.what());
  }
}

void tell(const SeriesReport& report, const std::filesystem::path& folder) {
  say("{} variants: {} done, {} failed, {} left; {} run now by {} with {} in {:.3g} s\n", report.variants,
      report.done, report.failed, report.left, report.ran,
      report.workers == 1 ? "1 process" : fmt::format("{} processes", report.workers),
      report.threads == 1 ? "1 thread" : fmt::format("{} threads", report.threads), report.wall_s);
  say("Written to {0}; the table is {1}; open {2} in a browser\n", folder.string(),
      (folder / "variants.csv").string(), (folder / "report.html").string());
}

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  if (arguments.file == "show") return show_series(arguments);
  if (!arguments.show.empty())
    throw Error(Fault{.field = "DIR",
                      .value = arguments.show,
                      .problem = "is one argument too many",
                      .remedy = "name the folder with --out"});
  const Series series = Series::load(arguments.file);
  SeriesOptions options;
  options.output_dir = output_folder(arguments.file, arguments.out, ".sweep");
  options.workers = arguments.workers;
  options.threads = arguments.threads;
  options.retry_failed = !arguments.retry.empty();
  options.share = arguments.share;
  options.silence_s = arguments.silence;
  options.interrupt = &watch_interrupts();
  std::optional<ProgressLine> line;
  if (!arguments.output.quiet && on_terminal(stderr)) {
    line.emplace(stderr);
    options.progress = [&line](const SeriesProgress& progress) { line->show(course_of(progress)); };
  }
  options.finished = [&](const SeriesReport& report) {
    std::error_code unknown;
    if (arguments.share || report.ran > 0 ||
        !std::filesystem::exists(options.output_dir / "report.html", unknown))
      write_page(options.output_dir);
  };
  const SeriesReport report = run(series, options);
  line.reset();
  if (arguments.output.json) print(Json::parse(to_json(report)));
  if (arguments.output.text()) tell(report, options.output_dir);
  if (report.status == "ok") return success;
  std::fflush(stdout);
  if (!report.reason.empty()) say_error(report.reason);
  if (report.failed > 0)
    say_error(fmt::format("{} of {} variants failed; `cosimo sweep show {}` says why", report.failed,
                          report.variants, options.output_dir.string()));
  return run_failed;
}

int check_series(const std::string& file, const Output& output) {
  const Series series = Series::load(file);
  series.check();
  if (output.json)
    print({{"status", "ok"},
           {"file", file},
           {"variants", series.variants()},
           {"description", series.describe()}});
  if (output.text()) say("{} is valid\n{}", file, series.describe());
  return success;
}

}  // namespace cosimo::cli
