// [KMS] 4.2.4, Figure 15: what the macro-step size controller saves.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "studies/paper_2017.hpp"

namespace cosimo::studies {
namespace {

struct Controller {
  const char *name, *keys;
};
/// (6): 0.9 on the step, which is 1 / 0.9^5 on the error, and no dead zone; and the controller of [K].
constexpr std::array controllers{Controller{"as (6)", "safety: 1.7, dead_zone: false"},
                                 Controller{"default", "safety: 6"}};

struct Controlled {
  double rtol = 0, steps = 0, error = 0;
};

std::vector<Controlled> ladder(Lab& lab, const PaperModel& model, const Trial& reference,
                               const Controller& controller) {
  std::vector<double> tolerances{5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4};
  if (!paper_whole(lab)) tolerances = {1e-3};
  std::vector<Controlled> all;
  for (const double rtol : tolerances) {
    const Trial trial = lab.run(
        fmt::format("controlled-{}-{:g}", model.kind, rtol),
        fmt::format(
            "{}partition: {{parts: {}}}\ncouple: {{scheme: explicit}}\ncontrol: {{estimator: exLE, order: 2, "
            "rtol: {}, {}}}\n{}",
            model.text(lab.seed()), model.parts, rtol, controller.keys, paper_solver()));
    all.push_back({rtol, static_cast<double>(trial.report().macro_steps + trial.report().rejected_steps),
                   Lab::error(trial, reference).both});
  }
  return all;
}

/// Most that a ladder saves with an error of at most `factor` times that of the fixed step; NaN: no such run.
double saved(const std::vector<Controlled>& runs, double steps, double error, double factor) {
  double most = gap;
  for (const Controlled& run : runs)
    if (run.error <= factor * error) most = std::fmax(most, 1 - run.steps / steps);
  return most;
}

std::string percent(double share) {
  return std::isnan(share) ? "no run" : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace

void study_paper_control(Lab& lab, Finding& finding) {
  Table table{.id = "control",
              .title = "Explicit, quadratic: macro steps with and without control (Figure 15)",
              .columns = {"model", "controller", "rtol", "steps", "global error"}};
  constexpr std::array claims{"Model 1: the controller reduces the number of macro steps by more than 50 %",
                              "Model 2: the controller reduces the number of macro steps by about 25 %"};
  const double magnitude = std::sqrt(10.0);
  for (const int kind : {1, 2}) {
    const PaperModel model = paper_model(lab, kind);
    const std::string text = model.text(lab.seed());
    const Trial reference =
        lab.run("control-reference",
                text + "solve: {method: rk, rtol: 1.0e-11, atol_pos: 1.0e-13, atol_vel: 1.0e-11}\n");
    const Trial fixed = lab.run("control-fixed", text + paper_coupling(model, 1e-5, 2) + paper_solver());
    const double steps = static_cast<double>(fixed.report().macro_steps),
                 error = Lab::error(fixed, reference).both;
    table.rows.push_back({std::int64_t{kind}, std::string("fixed step"), std::string("-"), steps, error});
    std::array<std::vector<Controlled>, 2> runs;
    for (std::size_t i = 0; i < controllers.size(); ++i) {
      runs[i] = ladder(lab, model, reference, controllers[i]);
      for (const Controlled& run : runs[i])
        table.rows.push_back(
            {std::int64_t{kind}, std::string(controllers[i].name), run.rtol, run.steps, run.error});
    }
    const char* published = claims[static_cast<std::size_t>(kind - 1)];
    if (!paper_whole(lab)) {
      finding.statements.push_back(
          not_shown(published, "4.2.4, Figure 15", "this scale has too small a model"));
      continue;
    }
    const double most = saved(runs[0], steps, error, magnitude);
    finding.statements.push_back(judged(
        published, "4.2.4, Figure 15",
        fmt::format("controller (6), error within a factor sqrt(10): {}; within 2: {}; not larger: {}. "
                    "Default controller: "
                    "{}, {}, {}",
                    percent(most), percent(saved(runs[0], steps, error, 2)),
                    percent(saved(runs[0], steps, error, 1)),
                    percent(saved(runs[1], steps, error, magnitude)),
                    percent(saved(runs[1], steps, error, 2)), percent(saved(runs[1], steps, error, 1))),
        kind == 1 ? most > 0.5 : most > 0.15 && most < 0.35,
        "The paper compares errors 'of the same order of magnitude', which we read as a factor sqrt(10); the "
        "number "
        "depends strongly on that, on the controller, and on simulated time and pulses, which the paper does "
        "not give."));
  }
  table.note = "Estimator exLE, as in the paper.";
  finding.tables.push_back(std::move(table));
}

}  // namespace cosimo::studies
