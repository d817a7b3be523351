// `cosimo plan`: propose, try, say what to do.
#include "cosimo/plan.hpp"
#include "core/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "core/error.hpp"
#include "planning/plan_messages.hpp"
#include "planning/plan_proposal.hpp"
#include "planning/plan_recommend.hpp"
#include "planning/plan_trials.hpp"
#include "simulation/output_folder.hpp"

namespace cosimo {

namespace {

/// The new file must not replace one that the scenario was read from, and its folder must be there.
void check_target(const config::Scenario& scenario, const std::filesystem::path& target) {
  if (target.empty()) return;
  const auto refuse = [&](std::string problem, std::string remedy) {
    throw Error(Fault{.field = "--write",
                      .value = target.string(),
                      .problem = std::move(problem),
                      .remedy = std::move(remedy)});
  };
  std::error_code ignored;
  for (const std::string& source : scenario.sources)
    if (std::filesystem::equivalent(source, target, ignored))
      refuse("the scenario is read from this file", "name a new file");
  if (std::filesystem::is_directory(target, ignored)) refuse("is a folder", "name a file in it");
  const auto folder = target.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    refuse("there is no such folder", "make it first");
}

void check_positive(const char* option, std::optional<double> value, const char* remedy) {
  if (!value || (std::isfinite(*value) && *value > 0)) return;
  throw Error(Fault{.field = option,
                    .value = fmt::format("{}", *value),
                    .problem = "is not a positive number",
                    .remedy = remedy});
}

/// Other work on all cores disturbs one pilot run more than the other.
void remark_on_load(CutPlan& plan) {
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load >= static_cast<double>(plan.machine_cores))
    plan.remarks.emplace_back(
        "this machine was busy with other work, which may have slowed one pilot run more than the other: "
        "repeat the plan when it is quiet");
}

/// The first line says where the file comes from, whatever the name of that one holds.
std::string scenario_text(const Proposal& proposal, const CutPlan& plan) {
  std::string name = std::filesystem::path(proposal.scenario.file).filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 32; }, ' ');
  const auto parts = static_cast<std::size_t>(plan.recommended.parts);
  std::string text = proposal.scenario.effective;
  if (parts == 1 && proposal.partition.parts.size() > 1) {
    text = proposal.uncut.effective;
  } else if (plan.recommended.settings.size() > 1) {
    const std::vector<std::string> coupling(plan.recommended.settings.begin() + 1,
                                            plan.recommended.settings.end());
    text = config::parse_scenario(proposal.scenario.effective, proposal.scenario.file, coupling).effective;
  }
  return fmt::format("# {} {}, as `cosimo plan` proposes.\n{}", name,
                     parts == 1 ? "uncut" : fmt::format("cut into {} parts", parts), text);
}

void show(const Proposal& proposal, CutPlan& plan) {
  plan.model = describe_model(proposal);
  plan.parts = planned_parts(proposal);
  plan.cuts = planned_cuts(proposal);
}

/// Everything that is measured, and what follows from it. Other parts may be better than the proposed ones.
void decide(const config::Scenario& given, const PlanOptions& options, Proposal& proposal, CutPlan& plan) {
  const bool open = parts_are_open(given);
  std::int64_t other_parts = 0;
  const SchemeTrial* chosen = nullptr;
  {
    Trials trials(given, proposal, options, plan);
    trials.first();
    const bool more = trials.worth_more();
    if (more) trials.schemes();
    trials.predict();
    const std::size_t best = best_scheme(plan);
    if (best < plan.schemes.size()) chosen = &plan.schemes[best];
    if (chosen != nullptr && more) {
      trials.part_counts(best);
      trials.predict();
      const std::size_t better = better_parts(plan, best);
      if (better < plan.part_counts.size() && open) {
        chosen = &plan.part_counts[better];
        other_parts = chosen->parts;
      } else if (better < plan.part_counts.size()) {
        plan.remarks.push_back(
            fmt::format("{0} parts are expected to be faster on {1}: --set partition.parts={0}",
                        plan.part_counts[better].parts, counted(plan.machine_cores, "core")));
      }
    }
    if (options.interrupt != nullptr && options.interrupt->load() && plan.status == CutPlan::Status::ok)
      plan.status = CutPlan::Status::interrupted;
    if (!plan.schemes.empty()) {
      const auto place =
          other_parts > 0 ? plan.schemes.size() + static_cast<std::size_t>(chosen - plan.part_counts.data())
          : chosen != nullptr ? static_cast<std::size_t>(chosen - plan.schemes.data())
                              : 0;
      plan.confidence = trials.confidence(place);
    }
  }
  if (other_parts > 0) {
    proposal = propose(given, other_parts);
    show(proposal, plan);
  }
  recommend(proposal, chosen, open, plan);
}

}  // namespace

CutPlan plan(const Scenario& scenario, const PlanOptions& options) {
  check_target(scenario.data(), options.write);
  check_positive("--error", options.error, "give the error of the motion that is allowed, such as 1e-3");
  check_positive("--pilot", options.pilot_s, "give the seconds of one pilot run, such as 2");
  CutPlan plan;
  plan.messages = measure_messages(options.latency, options.bandwidth);
  Proposal proposal = propose(scenario.data());
  plan.machine_cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  show(proposal, plan);
  plan.remarks = proposal.remarks;
  OutputFolder folder(options.output_dir);
  folder.clear(false);
  remark_on_load(plan);
  decide(scenario.data(), options, proposal, plan);
  plan.scenario = scenario_text(proposal, plan);
  if (!options.output_dir.empty()) {
    write_text(options.output_dir / "plan.svg", plan_picture(proposal));
    write_text(options.output_dir / "plan.json", to_json(plan));
  }
  if (!options.write.empty()) write_text(options.write, plan.scenario);
  return plan;
}

}  // namespace cosimo
