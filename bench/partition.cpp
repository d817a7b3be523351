// Automatic cuts against equal shares and random connected parts, as many parts each: macro steps, work of
// the busiest part (its bodies times its micro steps), wall time of the time loop. All divisions of a model
// run with the same scheme (explicit exCV, force/force) and tolerances; the errors of all velocities against
// the uncut model stand beside the numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/benchmarks.hpp"
#include "bench/coupled.hpp"
#include "bench/partition_models.hpp"
#include "multibody/generate.hpp"

namespace cosimo::bench {

namespace {

constexpr double limit = 20;               ///< seconds; a run that takes longer is given up
constexpr std::uint64_t random_seeds = 3;  ///< random divisions of a model

struct Outcome {
  Division division;
  std::string trouble{};  ///< why the end was not reached; empty: it was
  Report report{};
  double work = 0;  ///< of the busiest part: its bodies times its micro steps
  double seconds = INFINITY, error = 0;
};

std::vector<Outcome> divisions_of(const PartitionCase& model) {
  const auto parts = fmt::format("partition.parts={}", model.parts);
  std::vector<Outcome> all;
  all.push_back({.division = {"automatic", {"partition.method=auto", parts}}});
  all.push_back({.division = {"equal", {"partition.method=equal", parts}}});
  for (const Division& division : model.published) all.push_back({.division = division});
  const Model built = generate_model(Scenario::parse(model.text, "bench").data());
  for (std::uint64_t seed = 1; seed <= random_seeds; ++seed)
    all.push_back(
        {.division = manual_division(fmt::format("random {}", seed), random_cuts(built, model.parts, seed))});
  return all;
}

/// Difference of all velocities at all output times, relative (2-norms).
double velocity_error(const Trajectory& a, const Trajectory& reference) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < reference.velocity.size(); ++i) {
    difference += std::pow(a.velocity[i] - reference.velocity[i], 2);
    size += std::pow(reference.velocity[i], 2);
  }
  return std::sqrt(difference / size);
}

void measure(const PartitionCase& model, int threads, int rounds, std::vector<Outcome>& outcomes) {
  const CoupledRun reference = run_coupled(model.text, tight_uncut("rk"), INFINITY);
  if (!reference.finished())
    throw std::runtime_error(fmt::format("partition, {}: {}", model.name, reference.trouble));
  for (int round = 0; round < rounds; ++round)
    for (Outcome& o : outcomes) {
      if (!o.trouble.empty()) continue;
      const CoupledRun run = run_coupled(model.text, {o.division.name, o.division.overrides, threads}, limit);
      o.trouble = run.trouble;
      if (!run.finished()) continue;
      o.error = velocity_error(run.trajectory, reference.trajectory);
      o.seconds = std::min(o.seconds, run.seconds);
    }
}

/// Steps and work, which are the same in every run.
void count(const PartitionCase& model, int threads, std::vector<Outcome>& outcomes) {
  for (Outcome& o : outcomes) {
    if (!o.trouble.empty()) continue;
    RunOptions options;
    options.threads = threads;
    o.report = run(Scenario::parse(model.text, "bench", o.division.overrides), options);
    for (const SubsystemReport& part : o.report.subsystems)
      o.work = std::max(o.work, static_cast<double>(part.bodies * part.micro_steps));
  }
}

void print(const PartitionCase& model, const std::vector<Outcome>& outcomes, Table& table) {
  table.remark(fmt::format("{}, {} parts: macro steps (rejected), most micro steps, work, time, error",
                           model.name, model.parts));
  for (const Outcome& o : outcomes) {
    if (o.trouble.empty())
      table.remark(fmt::format("  {:<26} {:6} ({:3}) {:7} {:9.3g} {:7.3f} s {:.1e}", o.division.name,
                               o.report.macro_steps, o.report.rejected_steps, o.report.micro_steps_max,
                               o.work, o.seconds, o.error));
    else
      table.remark(fmt::format("  {:<26} {}", o.division.name, o.trouble));
  }
}

struct Targets {
  double macro_steps = 0;  ///< 0: none
  bool time = false;
};

void compare_with(const PartitionCase& model, const Outcome& automatic, const Outcome& other, Targets targets,
                  Table& table) {
  if (!other.trouble.empty()) return;
  const auto add = [&](const char* what, const char* unit, double theirs, double ours, double target) {
    table.add({"partition", fmt::format("{}: {}, automatic", model.name, what), other.division.name, theirs,
               ours, unit, theirs / ours, target > 0 ? Goal::at_least : Goal::none, target,
               fmt::format("errors {:.1e}, {:.1e}", other.error, automatic.error)});
  };
  add("macro steps", "", static_cast<double>(other.report.macro_steps),
      static_cast<double>(automatic.report.macro_steps), targets.macro_steps);
  add("work of the busiest part", "", other.work, automatic.work, 0);
  add("wall time", "s", other.seconds, automatic.seconds, targets.time ? 1 : 0);
}

void one_case(const PartitionCase& model, const Options& options, Table& table) {
  const int threads = options.thread_count();
  std::vector<Outcome> outcomes = divisions_of(model);
  measure(model, threads, options.quick ? 1 : 5, outcomes);
  count(model, threads, outcomes);
  print(model, outcomes, table);
  const Outcome& automatic = outcomes.front();
  if (!automatic.trouble.empty())
    throw std::runtime_error(fmt::format("partition, {}: {}", model.name, automatic.trouble));
  compare_with(model, automatic, outcomes[1], {1, true}, table);
  for (std::size_t i = 0; i < model.published.size(); ++i)  // the document's first cut, its improved one
    compare_with(model, automatic, outcomes[2 + i], {i == 0 ? 5.0 : 1.0, false}, table);
  const auto best =
      std::min_element(outcomes.end() - random_seeds, outcomes.end(),
                       [](const Outcome& a, const Outcome& b) { return a.seconds < b.seconds; });
  compare_with(model, automatic, *best, {}, table);
}

}  // namespace

void partition(const Options& options, Table& table) {
  for (const PartitionCase& model : partition_cases(options.quick)) one_case(model, options, table);
}

}  // namespace cosimo::bench
