#include "commands.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "body_list.hpp"
#include "console.hpp"
#include "cosimo/cluster.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"
#include "cosimo/scenario_text.hpp"
#include "cosimo/search.hpp"
#include "cosimo/series.hpp"
#include "cosimo/stability.hpp"
#include "errors.hpp"
#include "input.hpp"
#include "optimise.hpp"
#include "page.hpp"
#include "progress.hpp"
#include "run_details.hpp"
#include "signals.hpp"
#include "sweep.hpp"
#include "terminal.hpp"
#include "wall_times.hpp"

namespace cosimo::cli {
namespace {

using Json = nlohmann::ordered_json;

/// As the user says it, without folders of this machine.
std::string command_line(const RunArguments& arguments) {
  std::string text = "cosimo run " + std::filesystem::path(arguments.file).filename().string();
  for (const std::string& value : arguments.overrides) {
    const bool plain = value.find_first_of(" '\"{}[]$") == std::string::npos;
    text += plain ? " --set " + value : " --set '" + value + "'";
  }
  if (arguments.threads > 0) text += fmt::format(" --threads {}", arguments.threads);
  if (arguments.csv) text += " --csv";
  if (arguments.trace) text += " --trace";
  if (arguments.resume) text += " --resume";
  return text;
}

/// One sentence on stderr about a run that did not reach its end.
void explain(const Report& report, const std::filesystem::path& folder) {
  say_error(fmt::format("{} at t = {:.6g} of {:.6g}: {}",
                        report.status == "interrupted" ? "interrupted" : "the run failed",
                        report.outcome.time, report.t_end, report.outcome.reason));
  if (report.outcome.culprit != "output")
    say(stderr, "cosimo: everything up to the last accepted step is in {}\n", folder.string());
  if (report.resumable) say(stderr, "cosimo: the same command with --resume continues from there\n");
}

bool page_of(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "report.html", ignored);
}

/// The table, and where the results are.
void tell_result(const RunArguments& arguments, const Report& report, const std::filesystem::path& folder) {
  const std::string page = (folder / "report.html").string();
  if (arguments.output.json) {
    Json json = Json::parse(to_json(report));
    json["folder"] = folder.string();
    if (page_of(folder)) json["page"] = page;
    print(json);
  }
  if (!arguments.output.text()) return;
  say("{}", to_table(report));
  if (arguments.output.verbose) say("{}", details(report));
  say("\nWritten to {}{}\n", folder.string(),
      page_of(folder) ? fmt::format("; open {} in a browser", page) : "");
  if (report.status == "ok" && report.parts > 1 && on_terminal(stdout) && !from_input(arguments.file))
    say("Faster than uncut?  cosimo run {} --set partition=none --out uncut; cosimo compare {} uncut\n",
        arguments.file, folder.string());
}

/// Shows how far the run is where somebody wants to know: on a terminal, and in logs with --verbose.
class Watch {
 public:
  Watch(const Scenario& scenario, const Output& output) {
    const bool terminal = on_terminal(stderr), on = scenario.progress() == "on";
    if (output.quiet || scenario.progress() == "off") return;
    if (terminal || (on && !output.verbose))
      line_.emplace(stderr);
    else if (output.verbose)
      log_.emplace(stderr);
  }
  std::function<void(const Progress&)> listener() {
    if (line_) return [this](const Progress& progress) { line_->show(progress); };
    if (log_) return [this](const Progress& progress) { log_->show(progress); };
    return {};
  }
  void end() { line_.reset(); }

 private:
  std::optional<ProgressLine> line_;
  std::optional<ProgressLog> log_;
};

}  // namespace

int run_command(const RunArguments& arguments, Cluster& cluster) {
  const Scenario scenario = load(arguments.file, arguments.overrides, cluster);
  const std::filesystem::path folder = output_folder(arguments.file, arguments.out, ".out");
  std::optional<Watch> watch;
  if (cluster.leads()) watch.emplace(scenario, arguments.output);

  RunOptions options;
  options.output_dir = folder;
  options.threads = arguments.threads;
  options.csv = arguments.csv;
  options.interrupt = &watch_interrupts();
  options.cluster = &cluster;
  options.resume = arguments.resume;
  options.trace = arguments.trace;
  options.replace = arguments.replace;
  options.command = command_line(arguments);
  if (!arguments.output.quiet)
    options.notice = [](const std::string& text) { say(stderr, "cosimo: note: {}\n", text); };
  if (watch) options.progress = watch->listener();

  const Report report = run(scenario, options);
  if (!cluster.leads()) return report.status == "ok" ? success : run_failed;
  watch->end();
  if (!arguments.no_report && report.outcome.culprit != "output") write_page_of(folder, report);
  tell_result(arguments, report, folder);
  if (report.status == "ok") return success;
  std::fflush(stdout);
  explain(report, folder);
  return run_failed;
}

int check_command(const CheckArguments& arguments) {
  if (!from_input(arguments.file) && is_series(arguments.file))
    return check_series(arguments.file, arguments.output);
  if (!from_input(arguments.file) && is_search(arguments.file))
    return check_search(arguments.file, arguments.output);
  const Scenario scenario = load(arguments.file, arguments.overrides);
  const std::string file = from_input(arguments.file) ? input_name : arguments.file;
  const std::filesystem::path folder = output_folder(arguments.file, arguments.out, ".out");
  const std::string description = scenario.describe(folder);
  if (arguments.output.json) {
    Json json = {{"status", "ok"}, {"file", file}, {"folder", folder.string()}, {"description", description}};
    if (arguments.output.verbose) json["effective"] = effective_text(scenario);
    print(json);
  }
  if (!arguments.output.text()) return success;
  say("{} is valid\n{}\n", file, description);
  if (arguments.output.verbose) say("{}", effective_text(scenario));
  return success;
}

int compare_command(const CompareArguments& arguments) {
  CompareOptions options;
  options.bodies = chosen_bodies(arguments.bodies, {arguments.a, arguments.reference});
  std::error_code ignored;
  for (const std::string& path : {arguments.a, arguments.reference})
    if (!std::filesystem::exists(path, ignored)) const ResultFolder refused(path);  // says what was meant
  const Comparison result = compare(arguments.a, arguments.reference, options);
  if (!result.same_model)
    say(stderr, "cosimo: warning: the two runs had different models; the numbers below mean little\n");
  const WallTimes times = wall_times(arguments.a, arguments.reference);
  if (arguments.output.json) print(document(arguments.a, arguments.reference, result, times));
  if (!arguments.output.text()) return success;
  say("{} against {}: {}", arguments.a, arguments.reference, to_text(result, arguments.level));
  if (result.same_model) say("{}", to_text(times));
  return success;
}

namespace {

Json document(const StabilityMap& map, const std::filesystem::path& folder) {
  const auto limit = [](const StabilityLimit& one) {
    return Json{{"reached", one.reached}, {"whole", one.whole}};
  };
  return {{"status", "ok"},
          {"folder", folder.string()},
          {"settings", map.settings},
          {"stable_share", map.stable_share},
          {"undamped", limit(map.undamped)},
          {"critical", limit(map.critical)}};
}

}  // namespace

int stability_command(const StabilityArguments& arguments) {
  const bool with_file = !arguments.file.empty();
  const Scenario scenario = with_file
                                ? load(arguments.file, arguments.overrides)
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
  options.output_dir = with_file ? output_folder(arguments.file, arguments.out, ".stability")
                                 : output_folder("stability", arguments.out, ".out");
  options.interrupt = &watch_interrupts();

  const StabilityMap map = stability(scenario, options);
  if (!map.complete) return tell("interrupted; nothing was written", run_failed, arguments.output.json);
  if (arguments.output.json) print(document(map, options.output_dir));
  if (!arguments.output.text()) return success;
  say("{}\nWritten to {}; the picture is {}\n", to_text(map), options.output_dir.string(),
      (options.output_dir / "stability.svg").string());
  return success;
}

}  // namespace cosimo::cli
