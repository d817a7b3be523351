#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "cosimo/plan.hpp"
#include "errors.hpp"
#include "input.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace cosimo::cli {
namespace {

/// plan.json, and where it is.
nlohmann::ordered_json document(const CutPlan& proposed, const PlanOptions& options) {
  auto json = nlohmann::ordered_json::parse(to_json(proposed));
  json["folder"] = options.output_dir.string();
  if (!options.write.empty()) json["written"] = options.write.string();
  return json;
}

}  // namespace

int plan_command(const PlanArguments& arguments) {
  const Scenario scenario = load(arguments.file, arguments.overrides);
  PlanOptions options;
  options.output_dir = output_folder(arguments.file, arguments.out, ".plan");
  options.write = arguments.write;
  options.threads = arguments.threads;
  options.interrupt = &watch_interrupts();
  options.pilot_s = arguments.pilot;
  options.error = arguments.error;
  options.latency = arguments.latency;
  options.bandwidth = arguments.bandwidth;
  ProgressLine line(stderr);
  if (!arguments.output.quiet && on_terminal(stderr))
    options.progress = [&line](const PlanProgress& now) {
      line.show({.share = now.limit_s > 0 ? std::min(now.wall_s / now.limit_s, 1.0) : 0,
                 .left = fmt::format("at most {:.0f} s left", std::max(now.limit_s - now.wall_s, 0.0)),
                 .more = {now.doing}});
    };

  const CutPlan proposed = plan(scenario, options);
  line.wipe();
  if (arguments.output.json) print(document(proposed, options));
  if (arguments.output.text()) {
    say("{}\nWritten to {}; the picture is {}\n", to_text(proposed), options.output_dir.string(),
        (options.output_dir / "plan.svg").string());
    if (!arguments.write.empty())
      say("The recommended scenario is {0}; to run it:  cosimo run {0}\n", arguments.write);
  }
  if (proposed.status == CutPlan::Status::ok) return success;
  std::fflush(stdout);
  say_error(
      fmt::format("{}; what is known is {}",
                  proposed.status == CutPlan::Status::interrupted ? "interrupted" : "a pilot run failed",
                  arguments.output.text() ? "above" : "in " + options.output_dir.string()));
  return run_failed;
}

}  // namespace cosimo::cli
