#include "studies/asymmetry_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace cosimo::studies {

namespace ways {
const AsymmetricWay exMD{"explicit exMD", "scheme: explicit", "estimator: exMD"};
const AsymmetricWay imMD{"implicit imMD, fd", "scheme: implicit, jacobian: fd", "estimator: imMD"};
const AsymmetricWay waCV{"waveform waCV", "scheme: waveform, relaxation: 0.3",
                         "estimator: waCV, atol_u: 1.0e-2"};
const AsymmetricWay imMD_default{"implicit imMD, sensitivity", "scheme: implicit, jacobian: sensitivity",
                                 "estimator: imMD"};
const AsymmetricWay sap{"implicit imMD, sap", "scheme: implicit, jacobian: sap, tau: 0.01",
                        "estimator: imMD"};
const AsymmetricWay sap_loose{"implicit imMD, sap, tau 0.33", "scheme: implicit, jacobian: sap, tau: 0.33",
                              "estimator: imMD"};
}  // namespace ways

namespace {

constexpr double rtol = 1e-3;

std::size_t place(std::span<const double> values, double value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

AsymmetryOutcome outcome_of(const Trial& trial) {
  const Report& report = trial.report();
  return {.ended = trial.ok(),
          .reached = report.outcome.time,
          .steps = static_cast<double>(report.macro_steps),
          .iterations = static_cast<double>(report.corrector_iterations),
          .failures = static_cast<double>(report.corrector_failures),
          .error = gap,
          .cpu_s = report.cpu_s};
}

}  // namespace

std::string asymmetric_oscillator(double mass_ratio, double damping) {
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: 2
    mass: [{:.17g}, 1]
    spring: {{c: 1.0e6, d: [0, {:.17g}, 0]}}
    initial: {{x: [5.0e-2, 0]}}
    loads: [{{harmonic: {{bodies: [2], amplitude: 1.0e5, omega: 50}}}}]
)",
                     1 / mass_ratio, damping);
}

std::string coupled(const AsymmetricWay& way, double damping, double end, double output, double tolerance,
                    std::int64_t limit) {
  const bool careful = way == ways::exMD && damping == 0;
  return fmt::format(R"(simulate: {{end: {:.17g}, output: {:.17g}}}
partition: {{parts: 2}}
couple: {{{}}}
control: {{{}, rtol: {:.17g}, atol_pos: {:.17g}, atol_vel: {:.17g}, max_steps: {}{}}}
solve: {{method: ida, rtol: 1.0e-6, atol_pos: 1.0e-9, atol_vel: 1.0e-6}}
)",
                     end, output, way.couple, way.control, tolerance, 1e-3 * tolerance, tolerance, limit,
                     careful ? ", order: {strategy: conservative}" : "");
}

double AsymmetryOutcome::per_second() const {
  return reached > 0 ? steps / reached : std::numeric_limits<double>::infinity();
}

bool AsymmetryGrid::has(double ratio, double damping) const {
  return place(ratios, ratio) < ratios.size() && place(dampings, damping) < dampings.size();
}

const AsymmetryOutcome& AsymmetryGrid::at(const AsymmetricWay& way, double ratio, double damping) const {
  const auto row = static_cast<std::size_t>(std::find(ways.begin(), ways.end(), way) - ways.begin());
  return outcomes.at((row * ratios.size() + place(ratios, ratio)) * dampings.size() +
                     place(dampings, damping));
}

AsymmetryGrid run_grid(Lab& lab, std::vector<double> ratios, std::vector<double> dampings,
                       std::span<const AsymmetricWay> ways, double end, std::int64_t limit) {
  AsymmetryGrid grid{.ways = {ways.begin(), ways.end()},
                     .ratios = std::move(ratios),
                     .dampings = std::move(dampings),
                     .outcomes = {},
                     .end = end,
                     .limit = limit};
  const std::size_t points = grid.ratios.size() * grid.dampings.size();
  grid.outcomes.resize(grid.ways.size() * points);
  const double output = end / 500;
  for (std::size_t p = 0; p < points; ++p) {
    const double ratio = grid.ratios[p / grid.dampings.size()];
    const double damping = grid.dampings[p % grid.dampings.size()];
    const std::string model = asymmetric_oscillator(ratio, damping);
    std::vector<Trial> ended;
    std::vector<std::size_t> of;
    for (std::size_t w = 0; w < grid.ways.size(); ++w) {
      Trial trial = lab.attempt(fmt::format("{}-{:g}-{:g}", w + 1, ratio, damping),
                                model + coupled(grid.ways[w], damping, end, output, rtol, limit));
      grid.outcomes[w * points + p] = outcome_of(trial);
      if (!trial.ok()) continue;
      ended.push_back(std::move(trial));
      of.push_back(w);
    }
    if (ended.empty()) continue;
    const Trial reference =
        lab.run(fmt::format("reference-{:g}-{:g}", ratio, damping),
                model + fmt::format("simulate: {{end: {:.17g}, output: {:.17g}}}\nsolve: {{rtol: 1.0e-10}}\n",
                                    end, output));
    for (std::size_t k = 0; k < ended.size(); ++k)
      grid.outcomes[of[k] * points + p].error = Lab::error(ended[k], reference).both;
  }
  return grid;
}

}  // namespace cosimo::studies
