#include <fmt/format.h>

#include "config/scenario.hpp"
#include "cosimo/cosimo.hpp"
#include "record/compare.hpp"
#include "run/assembly.hpp"
#include "run/coupling_options.hpp"
#include "run/decompose.hpp"
#include "run/execute.hpp"
#include "run/start_state.hpp"
#include "run/translate.hpp"

namespace cosimo {

std::string_view version() {
  return COSIMO_VERSION;
}

Scenario Scenario::load(const std::filesystem::path& file, std::span<const std::string> overrides) {
  Scenario scenario;
  scenario.data_ = std::make_shared<const config::Scenario>(config::load_scenario(file, overrides));
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
  if (data_->simulate.record == "coupling")
    overrides.push_back(
        fmt::format("simulate.record=[{}]", fmt::join(assemble(*data_)->layout.bodies, ", ")));
  return parse(data_->effective, data_->file, overrides);
}

std::string_view Scenario::progress() const {
  return data_->run.progress;
}

std::string Scenario::describe() const {
  const auto a = assemble(*data_);
  const config::Scenario& s = *data_;
  std::string text = fmt::format("{} bodies, {} elements", a->model.bodies.count, element_count(a->model));
  if (a->model.mechanism)
    text += fmt::format(", {} joints, {} freedoms", a->model.mechanism->constraints.size(),
                        a->model.mechanism->freedom_offsets().back());
  const Loads& loads = a->model.loads;
  const std::size_t forces =
      loads.harmonic.size() + loads.contact.size() + loads.impulse.size() + loads.powersine.size();
  if (forces > 0) text += fmt::format(", {} load{}", forces, forces == 1 ? "" : "s");
  text += fmt::format("; simulated to t = {:.6g}\n", s.simulate.end);
  if (!a->cut()) {
    text += "uncut\n";
  } else {
    const bool overlap = a->overlap != nullptr;
    text += fmt::format("{} subsystems, {} couplings; {} scheme, {}, ", a->partition.parts.size(),
                        a->partition.interface.couplings.size(),
                        overlap ? "explicit" : scheme_name(scheme_kind(s)),
                        overlap ? "overlap" : decomposition_name(a->partition.interface));
    const std::string judge = overlap ? "exOV" : std::string(estimator_name(estimator(s)));
    const double rtol = s.control.rtol.value_or(overlap ? s.solve.rtol / 10 : 1e-4);
    text += s.control.step ? fmt::format("fixed macro step {:.6g}", *s.control.step)
                           : fmt::format("estimator {}, rtol {:.3g}", judge, rtol);
    if (const std::string details = overlap ? "" : coupling_details(s, a->model); !details.empty())
      text += "; " + details;
    text += "\n";
  }
  if (const std::string shifts = cosimo::describe(a->shifts, a->model); !shifts.empty())
    text += shifts + "\n";
  for (const std::string& choice : a->choices) text += choice + "\n";
  return text;
}

Report run(const Scenario& scenario, const RunOptions& options) {
  return execute(scenario.data(), options);
}

Comparison compare(const std::filesystem::path& a, const std::filesystem::path& reference,
                   const CompareOptions& options) {
  const auto file = [](const std::filesystem::path& p) {
    return std::filesystem::is_directory(p) ? p / "results.h5" : p;
  };
  const Difference d = compare(read_results(file(a)), read_results(file(reference)), options.bodies);
  return {d.position, d.velocity,   d.both, d.position_rms, d.velocity_rms,
          d.worst,    d.worst_body, d.rows, d.bodies,       d.same_model};
}

std::string scenario_schema() {
  return config::json_schema();
}
std::string scenario_reference() {
  return config::reference_markdown();
}

}  // namespace cosimo
