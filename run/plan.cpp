// `cosimo plan`: propose, time two short runs, say what to do.
#include "cosimo/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <system_error>
#include <thread>

#include "core/error.hpp"
#include "run/output_folder.hpp"
#include "run/plan_pilot.hpp"
#include "run/plan_proposal.hpp"
#include "run/plan_schedule.hpp"

namespace cosimo {

namespace {

/// Times from fewer macro steps of the cut model, or windows of the uncut one, are a guess.
constexpr std::int64_t few_steps = 10;

/// Less than this is not worth the error that cuts add.
constexpr double least_speedup = 1.1;

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

constexpr const char* too_slow = "its first macro step takes longer than the time given";

/// Other work on all cores disturbs one pilot run more than the other.
void remark_on_load(CutPlan& plan) {
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load >= static_cast<double>(plan.machine_cores))
    plan.remarks.emplace_back(
        "this machine was busy with other work, which may have slowed one pilot run more than the other: "
        "repeat the plan when it is quiet");
}

PilotTime pilot_time(const Pilot& pilot, const Stretch& stretch) {
  PilotTime time;
  time.ok = pilot.measured();
  if (!time.ok) time.reason = pilot.reason.empty() ? too_slow : pilot.reason;
  time.reached = pilot.reached;
  time.wall_s = pilot.wall_s;
  for (const PilotCosts::Step& step : pilot.costs.steps)
    ++(step.accepted ? time.macro_steps : time.rejected_steps);
  if (time.ok) time.per_simulated_s = PilotTimes(pilot, 1).rate(stretch);
  return time;
}

/// As far as the cut run came. Where that is too far even for one of its windows, a hundredth.
Pilot run_uncut(const config::Scenario& scenario, PilotOptions options, double reached) {
  options.threads = 1;
  options.end = reached;
  Pilot pilot = run_pilot(scenario, options);
  if (pilot.status != LoopResult::Status::ok || pilot.reached > 0) return pilot;
  options.end = reached / 100;
  return run_pilot(scenario, options);
}

/// A failed pilot run spoils the numbers, not the proposal.
void note(const char* which, const Pilot& pilot, CutPlan& plan) {
  if (pilot.measured()) return;
  const bool interrupted = pilot.status == LoopResult::Status::interrupted;
  if (plan.status == CutPlan::Status::ok)
    plan.status = interrupted ? CutPlan::Status::interrupted : CutPlan::Status::failed;
  plan.remarks.push_back(interrupted ? fmt::format("the pilot run {} was interrupted", which)
                                     : fmt::format("the pilot run {} failed: {}", which,
                                                   pilot.reason.empty() ? too_slow : pilot.reason));
}

void measure_shares(const Pilot& pilot, CutPlan& plan) {
  const std::vector<double>& solve = pilot.costs.solve;
  const double total = std::accumulate(solve.begin(), solve.end(), 0.0);
  if (!pilot.measured() || !(total > 0) || pilot.subsystems != plan.parts.size()) return;
  for (std::size_t i = 0; i < solve.size(); ++i)
    plan.parts[i % pilot.subsystems].measured_share += solve[i] / total;
}

/// Both over the same stretch of simulated time: what a step costs changes with the motion.
void expect_times(const Pilot& cut, const Pilot& uncut, double end, CutPlan& plan) {
  const Stretch of_uncut = steady_stretch(uncut, uncut.reached);
  plan.uncut_wall_s = PilotTimes(uncut, 1).expected(of_uncut, end);
  const Stretch stretch = steady_stretch(cut, std::min(cut.reached, uncut.reached));
  plan.pilot.per_simulated_s = PilotTimes(cut, 1).rate(stretch);
  std::vector<std::size_t> counts =
      core_counts(plan.parts.size(), static_cast<std::size_t>(plan.machine_cores));
  counts.push_back(unlimited_cores);
  for (const std::size_t cores : counts) {
    const double wall = PilotTimes(cut, cores).expected(stretch, end);
    plan.times.push_back({static_cast<std::int64_t>(cores), wall, plan.uncut_wall_s / wall});
  }
}

void measure(const Proposal& proposal, const PlanOptions& options, CutPlan& plan) {
  PilotOptions how;
  how.wall_s = options.pilot_s;
  how.threads = std::max(1, options.threads);
  how.interrupt = options.interrupt;
  const double end = proposal.scenario.simulate.end;
  const Pilot cut = run_pilot(proposal.scenario, how);
  const Stretch of_cut = steady_stretch(cut, cut.reached);
  plan.scheme = cut.scheme;
  plan.remarks.insert(plan.remarks.end(), cut.choices.begin(), cut.choices.end());
  measure_shares(cut, plan);
  note(plan.parts.size() > 1 ? "of the proposal" : "of the uncut model", cut, plan);
  plan.pilot = pilot_time(cut, of_cut);
  if (plan.status == CutPlan::Status::interrupted) return;
  if (cut.subsystems == 1) {  // the proposal is the uncut model, and was timed
    plan.uncut = plan.pilot;
    if (cut.measured()) plan.uncut_wall_s = PilotTimes(cut, 1).expected(of_cut, end);
    return;
  }
  const Pilot uncut = run_uncut(proposal.uncut, how, cut.reached);
  note("of the uncut model", uncut, plan);
  plan.uncut = pilot_time(uncut, steady_stretch(uncut, uncut.reached));
  if (!cut.measured() || !uncut.measured()) return;
  expect_times(cut, uncut, end, plan);
  if (std::min(plan.pilot.macro_steps, plan.uncut.macro_steps) < few_steps &&
      (cut.reached < end || uncut.reached < end))
    plan.remarks.emplace_back(
        "the pilot runs did not come far: take the times as a guess, and look at a longer run");
}

/// The time on the largest number of cores that this machine has.
const ExpectedTime& here(const CutPlan& plan) {
  const ExpectedTime* best = &plan.times.front();
  for (const ExpectedTime& time : plan.times)
    if (time.cores > 0 && time.cores <= plan.machine_cores) best = &time;
  return *best;
}

std::string cores_text(std::int64_t cores) {
  return fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
}

void recommend(CutPlan& plan) {
  if (plan.parts.size() == 1) {
    plan.recommendation =
        "Do not cut: as one part the model is cheapest; --set partition.parts=N proposes N parts all the "
        "same.";
    return;
  }
  if (plan.status == CutPlan::Status::interrupted) {
    plan.recommendation = "No recommendation: the pilot runs were interrupted.";
    return;
  }
  if (plan.status == CutPlan::Status::ok && plan.times.empty()) {
    plan.recommendation = "Do not cut: with scheme auto this scenario is run uncut (see the remark above).";
    return;
  }
  if (plan.times.empty()) {
    plan.recommendation = "No recommendation: a pilot run failed.";
    return;
  }
  const ExpectedTime& now = here(plan);
  const ExpectedTime& most = plan.times.back();
  const auto enough = std::find_if(plan.times.begin(), plan.times.end(), [&](const ExpectedTime& time) {
    return time.speedup >= std::max(least_speedup, 0.8 * most.speedup);
  });
  plan.worth_cutting = most.speedup >= least_speedup;
  if (!plan.worth_cutting) {
    plan.recommendation = fmt::format(
        "Do not cut: even with unlimited cores the expected speed-up is only {:.2f}.", most.speedup);
  } else if (now.speedup >= least_speedup) {
    plan.recommendation =
        fmt::format("Cut as proposed: expected {:.1f} times as fast on {}, {:.1f} times at most.",
                    now.speedup, cores_text(now.cores), most.speedup);
  } else {
    plan.recommendation = fmt::format(
        "Cut as proposed where more cores are at hand: expected {:.2f} times as fast on {}, but {:.1f} times "
        "on {}.",
        now.speedup, cores_text(now.cores), enough->speedup,
        enough->cores > 0 ? cores_text(enough->cores) : "unlimited cores");
  }
}

/// The first line says where the file comes from, whatever the name of that one holds.
std::string scenario_text(const Proposal& proposal) {
  std::string name = std::filesystem::path(proposal.scenario.file).filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 32; }, ' ');
  const std::size_t parts = proposal.partition.parts.size();
  return fmt::format("# {} {}, as `cosimo plan` proposes.\n{}", name,
                     parts == 1 ? "uncut" : fmt::format("cut into {} parts", parts),
                     proposal.scenario.effective);
}

}  // namespace

CutPlan plan(const Scenario& scenario, const PlanOptions& options) {
  check_target(scenario.data(), options.write);
  const Proposal proposal = propose(scenario.data());
  CutPlan plan;
  plan.machine_cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  plan.model = describe_model(proposal);
  plan.parts = planned_parts(proposal);
  plan.cuts = planned_cuts(proposal);
  plan.remarks = proposal.remarks;
  plan.scenario = scenario_text(proposal);
  OutputFolder folder(options.output_dir);
  folder.clear(false);
  remark_on_load(plan);
  measure(proposal, options, plan);
  recommend(plan);
  if (!options.output_dir.empty()) {
    write_text(options.output_dir / "plan.svg", plan_picture(proposal));
    write_text(options.output_dir / "plan.json", to_json(plan));
  }
  if (!options.write.empty()) write_text(options.write, plan.scenario);
  return plan;
}

}  // namespace cosimo
