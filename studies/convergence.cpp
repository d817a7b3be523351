// [K] 5.1: orders of convergence on the chain of Table 5.1, and the macro steps that the schemes bear.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/orders.hpp"
#include "studies/studies.hpp"

namespace cosimo::studies {
namespace {

constexpr const char* explicit_scheme = "scheme: explicit";
constexpr const char* implicit_scheme = "scheme: implicit, corrector_rtol: 1.0e-10";
constexpr const char* waveform_scheme = "scheme: waveform, relaxation: 0.3, corrector_rtol: 1.0e-10";

/// How much of it a scale allows.
struct Extent {
  bool half = true;       ///< of the chain
  bool iterating = true;  ///< the implicit and the waveform scheme, too
  bool limits = true;     ///< stability limits on the chain of the published size
  int highest = 3;        ///< kappa
  std::size_t steps = 9;  ///< at most, the smallest

  explicit Extent(double scale) : half(scale < 6) {
    if (scale >= 0.5) return;
    iterating = limits = scale >= 0.2;
    highest = scale >= 0.2 ? 3 : 1;
    steps = 3;
  }

  std::vector<int> some(const std::vector<int>& divisors) const {
    return {divisors.end() - static_cast<std::ptrdiff_t>(std::min(steps, divisors.size())), divisors.end()};
  }
};

std::vector<Sweep> sweeps(const ConvergenceBench& bench, const Extent& extent, const std::string& name,
                          const std::string& couple, const std::array<std::vector<int>, 4>& divisors) {
  std::vector<Sweep> result;
  for (int kappa = 0; kappa <= extent.highest; ++kappa)
    result.push_back(bench.sweep({.name = name,
                                  .couple = couple,
                                  .kappa = kappa,
                                  .divisors = extent.some(divisors[static_cast<std::size_t>(kappa)])}));
  return result;
}

struct Level {
  std::vector<double> Sweep::*errors;
  int more;
  const char *id, *name;
};
constexpr std::array levels{Level{&Sweep::local_pos, 3, "position", "local error on position level"},
                            Level{&Sweep::local_vel, 2, "velocity", "local error on velocity level"},
                            Level{&Sweep::global, 1, "global", "global error"}};

/// Statement and figure of every level of error.
void report_orders(Finding& finding, const std::string& id, const std::string& model,
                   const std::string& where, const std::vector<Sweep>& all) {
  for (const Level& level : levels) {
    finding.statements.push_back(
        judged(fmt::format("{}: {} of order kappa + {}", model, level.name, level.more), where,
               fmt::format("orders {} for kappa = 0 to {}", order_list(all, level.errors), all.back().kappa),
               orders_agree(all, level.errors, level.more), "the slopes are more than 0.25 away"));
    finding.figures.push_back(error_figure(id + "-" + level.id, fmt::format("{}: {}", model, level.name),
                                           where, all, level.errors, level.more));
  }
  finding.tables.push_back(order_table(id + "-orders", "Observed orders: " + model, all));
}

/// Figure 5.1: the last mass of every subsystem, with the published offsets per mass.
void show_motion(Finding& finding, const ConvergenceBench& bench) {
  const auto motion = [&](const char* id, const char* title, const char* label, double offset,
                          std::vector<double> (*column)(const Trial&, std::int64_t)) {
    Figure figure{.id = id,
                  .title = title,
                  .where = "Figure 5.1",
                  .x = {.label = "t in s"},
                  .y = {.label = label},
                  .note = "The last mass of every subsystem of the nonlinear chain; the last one is driven."};
    const std::vector<double>& t = bench.reference().results().time();
    for (std::int64_t body = 5; body <= bench.chain().masses(); body += 5) {
      Course course{.name = fmt::format("mass {}", body), .x = t, .y = column(bench.reference(), body)};
      for (double& value : course.y) value += offset * static_cast<double>(body);
      figure.courses.push_back(std::move(course));
    }
    finding.figures.push_back(std::move(figure));
  };
  motion("displacements", "Displacements, offset by 1 m per mass", "x in m", 1.0, position_of);
  motion("velocities", "Velocities, offset by 330.6 m/s per mass", "v in m/s", 330.6, velocity_of);
}

std::string told(const StabilityLimit51& limit) {
  return fmt::format("bounded at {:g} s{}", limit.stable,
                     limit.unstable > 0 ? fmt::format(", not at {:g} s", limit.unstable) : "");
}

void judge_limits(Finding& finding, Lab& lab) {
  constexpr std::array ladder{2.5e-4, 1.0e-4, 5.0e-5, 2.5e-5, 1.0e-5, 5.0e-6, 2.5e-6};
  constexpr std::array implicit_ladder{6.25e-4, 2.5e-4, 1.0e-4};
  std::array<StabilityLimit51, 4> limits;
  for (int kappa = 0; kappa <= 3; ++kappa)
    limits[static_cast<std::size_t>(kappa)] = stability_limit(lab, explicit_scheme, kappa, ladder);
  const StabilityLimit51 waveform = stability_limit(lab, waveform_scheme, 2, std::span(ladder).subspan(1)),
                         implicit = stability_limit(lab, implicit_scheme, 2, implicit_ladder);

  bool falling = true;
  std::string list;
  for (std::size_t k = 0; k < limits.size(); ++k) {
    falling = falling && (k == 0 || limits[k].stable <= limits[k - 1].stable);
    list += fmt::format("{}kappa {}: {:g} s", k ? ", " : "", k, limits[k].stable);
  }
  finding.statements.push_back(
      judged("The stable macro step falls as kappa grows (explicit, nonlinear model)", "5.1, text", list,
             falling && limits[3].stable < limits[0].stable));
  finding.statements.push_back(
      judged("Constant polynomials: H = 5e-5 s is sufficient for a stable explicit run", "5.1, text",
             told(limits[0]), limits[0].stable >= 5e-5));
  finding.statements.push_back(judged(
      "Cubic polynomials: the stable macro step is 10 times smaller than with constant ones", "5.1, text",
      told(limits[3]) + fmt::format("; {:g} times smaller", limits[0].stable / limits[3].stable),
      std::fabs(limits[3].stable / 5e-6 - 1) < 1e-9 && limits[0].stable >= 5e-5 && limits[0].stable < 1e-4));
  finding.statements.push_back(judged("Explicit, kappa 2: stable for H <= 1e-5 s", "5.1, Figure 5.4 left",
                                      told(limits[2]), std::fabs(limits[2].stable / 1e-5 - 1) < 1e-9));
  finding.statements.push_back(judged("Waveform with relaxation 0.3, kappa 2: stable for H <= 5e-5 s",
                                      "5.1, Figure 5.4 left", told(waveform),
                                      std::fabs(waveform.stable / 5e-5 - 1) < 1e-9));
  finding.statements.push_back(judged("Implicit, kappa 2: stable for H <= 2.5e-4 s", "5.1, Figure 5.4 left",
                                      told(implicit), std::fabs(implicit.stable / 2.5e-4 - 1) < 1e-9));
  Table table{
      .id = "stability",
      .title = "Largest stable macro step, nonlinear chain of the published size, 0.25 s",
      .columns = {"scheme", "kappa", "bounded at H in s", "unbounded at H in s"},
      .note = "From a ladder of steps. Bounded: no displacement beyond 10 m; the true ones reach 5 m."};
  for (std::size_t k = 0; k < limits.size(); ++k)
    table.rows.push_back({"explicit", static_cast<std::int64_t>(k), limits[k].stable, limits[k].unstable});
  table.rows.push_back({"waveform, relaxation 0.3", std::int64_t{2}, waveform.stable, waveform.unstable});
  table.rows.push_back({"implicit", std::int64_t{2}, implicit.stable, implicit.unstable});
  finding.tables.push_back(std::move(table));
}

/// Cubic polynomials with the published solver, tolerance and reference, on the published chain.
void judge_floor(Finding& finding, Lab& lab) {
  const ConvergenceChain chain;
  const auto text = [&](const std::string& cut, const char* solve) {
    return fmt::format("{}{}simulate: {{end: {}, output: 2.5e-3}}\nsolve: {{{}}}\n", chain.text(), cut,
                       chain.end(), solve);
  };
  constexpr const char* ida = "method: ida, rtol: 1.0e-10, atol_pos: 1.0e-13, atol_vel: 1.0e-10";
  const auto coupled = [&](const char* H) {
    return lab.run(fmt::format("floor-{}", H),
                   text(fmt::format("{}control: {{step: {}, order: 3}}\ncouple: {{{}}}\n", chain.partition(),
                                    H, explicit_scheme),
                        ida));
  };
  const Trial exact =
      lab.run("floor-exact", text("", "method: rk, rtol: 1.0e-13, atol_pos: 1.0e-16, atol_vel: 1.0e-13"));
  const Trial reference = lab.run("floor-reference", text("", ida));
  const Trial coarse = coupled("1.0e-6"), fine = coupled("5.0e-7");
  CompareOptions beside_cuts;
  for (std::int64_t body = 5; body < chain.masses(); body += 5) {
    beside_cuts.bodies.push_back(body);
    beside_cuts.bodies.push_back(body + 1);
  }
  const auto error = [&](const Trial& trial, const Trial& to) {
    return Lab::error(trial, to, beside_cuts).both;
  };
  finding.statements.push_back(judged(
      "Cubic polynomials, solver tolerance 1e-10: below H = 1e-6 s the solver's error dominates and accuracy "
      "does not grow",
      "5.1, Figure 5.3",
      fmt::format(
          "global error {:.1e} at 1e-6 s, {:.1e} at 5e-7 s, where the coupling alone would gain a factor "
          "16; against a nearly exact reference {:.1e} and {:.1e}; the published reference, of the same "
          "tolerance, is itself off by {:.1e}",
          error(coarse, reference), error(fine, reference), error(coarse, exact), error(fine, exact),
          error(reference, exact)),
      error(coarse, reference) < 1.5 * error(fine, reference),
      "the floor is there, but lies lower: in steps this short our solver takes one micro step per macro "
      "step, more exact than asked for; what remains is the error of the reference"));
}

Finding work(Lab& lab) {
  const Extent extent(lab.scale());
  Finding finding;
  finding.settings = {
      fmt::format("Chain of Table 5.1{}. Stability limits are always measured on the published one.",
                  extent.half
                      ? ": its driven half (25 masses, 5 subsystems), simulated until the wave is about "
                        "to meet the wall (0.03 s, linear model 0.1 s). The published chain (50 masses, "
                        "10 subsystems, 0.25 s) is used from scale 6 on"
                      : ", as published: 50 masses, 10 subsystems, 0.25 s"),
      "Subsystems are integrated by `rk` with rtol 1e-12 (stability limits: 1e-8) instead of IDA with 1e-10, "
      "so that orders are those of the coupling down to small errors; the solver's floor is shown with IDA "
      "and 1e-10 on the published chain.",
      "Corrector: rtol 1e-10, at most 10 iterations, then the run goes on; waveform relaxation 0.3; "
      "Listing 5.1 starts every run. Local references: rtol 1e-12; global reference: rk with rtol 1e-13.",
      "Orders are slopes over the smallest steps (tables tell which), and agree within 0.25."};

  const ConvergenceBench linear(lab, {.linear = true, .half = extent.half});
  report_orders(
      finding, "linear", "Explicit, linear model", "5.1, Figure 5.2",
      sweeps(linear, extent, "explicit", explicit_scheme,
             {{{8, 16, 32, 48, 64}, {8, 16, 32, 48, 64}, {8, 16, 24, 32, 48}, {8, 16, 24, 32, 40}}}));
  const ConvergenceBench nonlinear(lab, {.linear = false, .half = extent.half});
  const std::vector<Sweep> plain = sweeps(nonlinear, extent, "explicit", explicit_scheme,
                                          {{{20, 40, 100, 200, 280, 400},
                                            {40, 100, 140, 200, 280},
                                            {100, 140, 200, 280, 400},
                                            {200, 280, 400, 560, 800}}});
  report_orders(finding, "nonlinear", "Explicit, nonlinear model", "5.1, Figure 5.3", plain);
  show_motion(finding, nonlinear);
  if (extent.iterating) {
    const std::vector<int> small{40, 140, 200, 280, 400}, all{4, 10, 20, 40, 140, 200, 280, 400};
    const std::vector<Sweep> implicit =
        sweeps(nonlinear, extent, "implicit", implicit_scheme, {{small, small, all, small}});
    report_orders(finding, "implicit", "Implicit, nonlinear model", "5.1, Figure 5.5", implicit);
    const std::vector<int> stable(all.begin() + 2, all.end());
    const std::vector<Sweep> waveform =
        sweeps(nonlinear, extent, "waveform", waveform_scheme, {{small, small, stable, small}});
    report_orders(finding, "waveform", "Waveform, nonlinear model", "5.1, Figure 5.5", waveform);
    if (extent.highest >= 2)
      finding.figures.push_back(
          error_figure("schemes", "Schemes with kappa 2: local error on position level", "Figure 5.4 left",
                       std::vector<Sweep>{plain[2], implicit[2], waveform[2]}, &Sweep::local_pos, 3));
  } else {
    finding.statements.push_back(
        not_shown("Implicit and waveform scheme: the orders are those of the explicit one", "5.1, Figure 5.5",
                  "needs --scale 0.2"));
  }
  if (extent.limits)
    judge_limits(finding, lab);
  else
    finding.statements.push_back(not_shown("Stable macro steps of the schemes with kappa 0 to 3",
                                           "5.1, Figure 5.4 left", "needs --scale 0.2"));
  constexpr double floor_scale = 0.9;  // a third of all costs at scale 1
  if (lab.scale() >= floor_scale)
    judge_floor(finding, lab);
  else
    finding.statements.push_back(not_shown("Cubic polynomials: below H = 1e-6 s the solver's error dominates",
                                           "5.1, Figure 5.3",
                                           "needs macro steps of 5e-7 s on the published chain: --scale 1"));
  return finding;
}

}  // namespace

Study convergence() {
  return {
      .name = "convergence",
      .title = "Convergence of the coupling schemes",
      .source = "[K] 5.1",
      .about = {"Local and global errors of the explicit, implicit and waveform scheme over the macro step, "
                "polynomial degrees 0 to 3, on a linear and a nonlinear chain; and up to which macro step "
                "they are stable."},
      .seconds = 60,
      .work = work};
}

}  // namespace cosimo::studies
