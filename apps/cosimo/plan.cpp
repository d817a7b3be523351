#include "plan.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "cosimo/plan.hpp"
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

  const CutPlan proposed = plan(scenario, options);
  fmt::print("{}\nWritten to {}; the picture is {}\n", to_text(proposed), options.output_dir.string(),
             (options.output_dir / "plan.svg").string());
  if (!arguments.write.empty())
    fmt::print("The scenario with these cuts is {0}; to run it:  cosimo run {0}\n", arguments.write);
  if (proposed.status == CutPlan::Status::ok) return success;
  std::fflush(stdout);
  fmt::print(stderr, "cosimo: error: {}; parts and cuts stand above, times could not be measured\n",
             proposed.status == CutPlan::Status::interrupted ? "interrupted" : "a pilot run failed");
  return run_failed;
}

}  // namespace cosimo::cli
