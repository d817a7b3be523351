#include "commands.hpp"
#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

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

Error bad_bodies(std::string_view text, std::string problem) {
  return Error(Fault{.file = "",
                     .field = "--bodies",
                     .value = std::string(text),
                     .problem = std::move(problem),
                     .remedy = "write body numbers from 1 and ranges of them, like 1,5,10-20"});
}

std::int64_t parse_body(std::string_view text, std::string_view all) {
  std::int64_t body = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), body);
  if (error != std::errc() || end != text.data() + text.size() || body < 1) {
    throw bad_bodies(all, fmt::format("'{}' is not a body number", text));
  }
  return body;
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
  if (!arguments.bodies.empty()) options.bodies = parse_bodies(arguments.bodies);
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

std::vector<std::int64_t> parse_bodies(std::string_view text) {
  constexpr std::int64_t most = 100'000'000;  // a range is a typing error long before memory ends
  std::vector<std::int64_t> bodies;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const std::size_t dash = item.find('-');
    const std::int64_t first = parse_body(item.substr(0, dash), text);
    const std::int64_t last =
        dash == std::string_view::npos ? first : parse_body(item.substr(dash + 1), text);
    if (last < first || last - first >= most)
      throw bad_bodies(text, fmt::format("'{}' is not a range", item));
    for (std::int64_t body = first; body <= last; ++body) bodies.push_back(body);
    begin = end + 1;
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace cosimo::cli
