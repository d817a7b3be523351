#include "commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "body_list.hpp"
#include "console.hpp"
#include "cosimo/cluster.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/stability.hpp"
#include "page.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace cosimo::cli {
namespace {

std::filesystem::path output_folder(const std::string& file, const std::string& out) {
  return out.empty() ? std::filesystem::path(file).stem().concat(".out") : std::filesystem::path(out);
}

/// One sentence on stderr about a run that did not reach its end.
void explain(const Report& report, const std::filesystem::path& folder) {
  say(stderr, "cosimo: error: {} at t = {:.6g} of {:.6g}: {}\n",
      report.status == "interrupted" ? "interrupted" : "the run failed", report.outcome.time, report.t_end,
      report.outcome.reason);
  if (report.outcome.culprit != "output")
    say(stderr, "cosimo: everything up to the last accepted step is in {}\n", folder.string());
  if (report.resumable) say(stderr, "cosimo: the same command with --resume continues from there\n");
}

void tell_where(const std::filesystem::path& folder) {
  say("\nWritten to {}", folder.string());
  std::error_code ignored;
  if (std::filesystem::exists(folder / "report.html", ignored))
    say("; open {} in a browser", (folder / "report.html").string());
  say("\n");
}

}  // namespace

int run_command(const RunArguments& arguments, Cluster& cluster) {
  const Scenario scenario = cluster.load(arguments.file, arguments.overrides);
  const std::filesystem::path folder = output_folder(arguments.file, arguments.out);

  std::optional<ProgressLine> line;
  const bool wanted = scenario.progress() == "on" || (scenario.progress() == "auto" && on_terminal(stderr));
  if (cluster.leads() && !arguments.quiet && wanted) line.emplace(stderr);

  RunOptions options;
  options.output_dir = folder;
  options.threads = arguments.threads;
  options.csv = arguments.csv;
  options.interrupt = &watch_interrupts();
  options.cluster = &cluster;
  options.resume = arguments.resume;
  options.trace = arguments.trace;
  options.replace = arguments.replace;
  if (!arguments.quiet)
    options.notice = [](const std::string& text) { say(stderr, "cosimo: note: {}\n", text); };
  if (line) options.progress = [&line](const Progress& progress) { line->show(progress); };

  const Report report = run(scenario, options);
  line.reset();
  if (!cluster.leads()) return report.status == "ok" ? success : run_failed;
  if (report.outcome.culprit != "output") write_page_of(folder, report);
  if (!arguments.quiet) {
    say("{}", to_table(report));
    tell_where(folder);
  }
  if (report.status == "ok") return success;
  std::fflush(stdout);
  explain(report, folder);
  return run_failed;
}

int check_command(const CheckArguments& arguments) {
  const Scenario scenario = Scenario::load(arguments.file, arguments.overrides);
  say("{} is valid\n{}\n", arguments.file, scenario.describe(output_folder(arguments.file, arguments.out)));
  return success;
}

int compare_command(const CompareArguments& arguments) {
  CompareOptions options;
  options.bodies = chosen_bodies(arguments.bodies, {arguments.a, arguments.reference});
  const Comparison result = compare(arguments.a, arguments.reference, options);
  if (!result.same_model)
    say(stderr, "cosimo: warning: the two runs had different models; the numbers below mean little\n");
  say("{} against {}: {}", arguments.a, arguments.reference, to_text(result, arguments.level));
  return success;
}

int stability_command(const StabilityArguments& arguments) {
  const bool with_file = !arguments.file.empty();
  const Scenario scenario = with_file
                                ? Scenario::load(arguments.file, arguments.overrides)
                                : Scenario::parse(stability_settings(), "settings", arguments.overrides);
  const auto number = [](const std::vector<double>& values, std::size_t i, double otherwise) {
    return i < values.size() ? values[i] : otherwise;
  };
  StabilityOptions options;
  options.ratios.mass = arguments.mass_ratio;
  options.ratios.coupling_stiffness = number(arguments.stiffness_ratio, 0, 1);
  options.ratios.second_stiffness = number(arguments.stiffness_ratio, 1, 1);
  options.ratios.coupling_damping = number(arguments.damping_ratio, 0, 1);
  options.ratios.second_damping = number(arguments.damping_ratio, 1, 1);
  options.re = number(arguments.range, 0, options.re);
  options.im = number(arguments.range, 1, options.re);
  options.points = static_cast<std::size_t>(arguments.points);
  options.threads = arguments.threads;
  options.output_dir = arguments.out;
  if (arguments.out.empty())
    options.output_dir =
        with_file ? std::filesystem::path(arguments.file).stem().concat(".stability") : "stability.out";
  options.interrupt = &watch_interrupts();

  const StabilityMap map = stability(scenario, options);
  if (!map.complete) {
    say(stderr, "cosimo: error: interrupted; nothing was written\n");
    return run_failed;
  }
  say("{}\nWritten to {}; the picture is {}\n", to_text(map), options.output_dir.string(),
      (options.output_dir / "stability.svg").string());
  return success;
}

}  // namespace cosimo::cli
