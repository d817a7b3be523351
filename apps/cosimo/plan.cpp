#include "plan.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "console.hpp"
#include "cosimo/plan.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace cosimo::cli {

int plan_command(const PlanArguments& arguments) {
  const Scenario scenario = Scenario::load(arguments.file, arguments.overrides);
  PlanOptions options;
  options.output_dir = arguments.out;
  if (arguments.out.empty())
    options.output_dir = std::filesystem::path(arguments.file).stem().concat(".plan");
  options.write = arguments.write;
  options.threads = arguments.threads;
  options.interrupt = &watch_interrupts();
  options.pilot_s = arguments.pilot;
  options.error = arguments.error;
  options.latency = arguments.latency;
  options.bandwidth = arguments.bandwidth;
  ProgressLine line(stderr);
  if (on_terminal(stderr))
    options.progress = [&line](const PlanProgress& now) {
      line.show(fmt::format("{:.0f} of at most {:.0f} s: {}", now.wall_s, now.limit_s, now.doing));
    };

  const CutPlan proposed = plan(scenario, options);
  line.wipe();
  say("{}\nWritten to {}; the picture is {}\n", to_text(proposed), options.output_dir.string(),
      (options.output_dir / "plan.svg").string());
  if (!arguments.write.empty())
    say("The recommended scenario is {0}; to run it:  cosimo run {0}\n", arguments.write);
  if (proposed.status == CutPlan::Status::ok) return success;
  std::fflush(stdout);
  say(stderr, "cosimo: error: {}; what is known is above\n",
      proposed.status == CutPlan::Status::interrupted ? "interrupted" : "a pilot run failed");
  return run_failed;
}

}  // namespace cosimo::cli
