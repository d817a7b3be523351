#include <fmt/format.h>

#include "config/scenario.hpp"
#include "core/counted.hpp"
#include "cosimo/cosimo.hpp"
#include "multibody/model_text.hpp"
#include "multibody/start_state.hpp"
#include "simulation/assembly.hpp"
#include "simulation/disk_space.hpp"
#include "simulation/execute.hpp"
#include "simulation/load.hpp"
#include "simulation/recording.hpp"
#include "simulation/resolve_coupling.hpp"
#include "simulation/session.hpp"

namespace cosimo {

std::string_view version() {
  return COSIMO_VERSION;
}

Scenario Scenario::load(const std::filesystem::path& file, std::span<const std::string> overrides) {
  Scenario scenario;
  scenario.data_ = std::make_shared<const config::Scenario>(cosimo::load(file, overrides));
  return scenario;
}

Scenario Scenario::parse(std::string_view text, std::string_view name,
                         std::span<const std::string> overrides) {
  Scenario scenario;
  scenario.data_ = std::make_shared<const config::Scenario>(config::parse_scenario(text, name, overrides));
  return scenario;
}

Scenario Scenario::uncut() const {
  std::vector<std::string> overrides{"partition=none"};
  // Without cuts there are no coupling bodies: name those of the cut model.
  if (data_->simulate.record == config::Record::coupling)
    overrides.push_back(
        fmt::format("simulate.record=[{}]", fmt::join(assemble(*data_)->layout.bodies, ", ")));
  return parse(data_->effective, data_->file, overrides);
}

std::string_view Scenario::progress() const {
  return word_of(data_->run.progress);
}

std::string Scenario::describe(const std::filesystem::path& output_dir) const {
  const auto a = assemble(*data_);
  const ResultsLayout layout = results_layout(*a);
  require_disk_space(*data_, layout, output_dir);
  if (!output_dir.empty()) examine(output_dir, claim_of(*data_, layout, {}));
  // Whether algebraic loops have a solution shows when lanes exist.
  if (a->conditions && !a->conditions->feed_graph().loop().empty()) const Session session(*data_, *a, 1);
  const config::Scenario& s = *data_;
  const std::string model = a->model->bodies.count > 0 ? model_text(*a->model) : "no mechanical model";
  std::string text = fmt::format("{}; simulated to t = {:.6g}\n", model, s.simulate.end);
  if (!a->cut()) {
    text += "uncut\n";
  } else {
    const CouplingPlan& plan = a->plan;
    text += fmt::format("{}, {}{}; {} scheme, {}, ", counted(a->components(), "subsystem"),
                        counted(plan.cuts.size(), "coupling"),
                        a->signals.empty() ? "" : ", " + counted(a->signals.size(), "signal"),
                        word_of(plan.scheme), decomposition_name(plan));
    text += plan.step ? fmt::format("fixed macro step {:.6g}", *plan.step)
                      : fmt::format("estimator {}, rtol {:.3g}", estimator_name(plan), plan.rtol);
    if (!plan.details.empty()) text += "; " + plan.details;
    text += "\n";
  }
  if (const std::string shifts = cosimo::describe(a->shifts, *a->model); !shifts.empty())
    text += shifts + "\n";
  for (const std::string& choice : a->choices) text += choice + "\n";
  return text;
}

Report run(const Scenario& scenario, const RunOptions& options) {
  return execute(scenario.data(), options);
}

std::string scenario_schema() {
  return config::json_schema();
}
std::string scenario_reference() {
  return config::reference_markdown();
}

}  // namespace cosimo
