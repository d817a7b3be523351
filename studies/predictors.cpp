// [K] 5.1, Figure 5.4 right: coupling variables predicted by a least-squares fit through more macro points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/orders.hpp"
#include "studies/studies.hpp"

namespace cosimo::studies {
namespace {

constexpr int kappa = 2;

std::string couple(int points) {
  return points == kappa + 1 ? std::string("scheme: explicit")
                             : fmt::format("scheme: explicit, predictor: {{least-squares: {}}}", points);
}

std::string name(int points) {
  return points == kappa + 1 ? std::string("extrapolation") : fmt::format("fit through {} points", points);
}

/// Error at the next point of the parabola fitted to t^3 at 0, -1, ..., 1 - points, over the one of the
/// parabola through three points: by how much a fit worsens the predicted values as H goes to 0.
double prediction_error_ratio(int points) {
  // Normal equations of the fit in s = t - mean, in which odd and even powers separate; t^3 about the mean
  // is s^3 + 3 m s^2 + 3 m^2 s + m^3, of which only s^3 is not fitted exactly.
  const double mean = (1.0 - points) / 2;
  double s2 = 0, s4 = 0;
  for (int j = 0; j < points; ++j) {
    const double s = -j - mean;
    s2 += s * s;
    s4 += s * s * s * s;
  }
  const double next = 1 - mean;
  return std::fabs(next * next * next - s4 / s2 * next) / 6;
}

struct Fit {
  int points = kappa + 1;
  Sweep sweep{};
  StabilityLimit51 limit{};
};

void judge_limits(Finding& finding, Lab& lab, std::vector<Fit>& fits) {
  const std::vector<double> ladder = log_spaced(1e-4, 1e-5, 17);
  for (Fit& fit : fits) fit.limit = stability_limit(lab, couple(fit.points), kappa, ladder);
  Course course{.name = "bounded"};
  std::string list;
  bool rising = true;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    course.x.push_back(fits[i].points);
    course.y.push_back(fits[i].limit.stable);
    rising = rising && (i == 0 || fits[i].limit.stable >= fits[i - 1].limit.stable);
    list += fmt::format("{}{}: {:.3g} s", i ? ", " : "", fits[i].points, fits[i].limit.stable);
  }
  const double factor = fits.back().limit.stable / fits.front().limit.stable;
  finding.statements.push_back(judged("A fit through more points increases the region of stability",
                                      "5.1, text", "largest bounded step by number of points: " + list,
                                      rising && factor > 1));
  finding.statements.push_back(
      judged("With N_sp = 8 a macro step of 5e-5 s is stable, with the extrapolation 1e-5 s",
             "5.1, text and Figure 5.4",
             fmt::format("largest bounded steps {:.3g} s and {:.3g} s", fits.back().limit.stable,
                         fits.front().limit.stable),
             fits.back().limit.stable >= 5e-5 && fits.front().limit.stable >= 1e-5));
  finding.statements.push_back(judged(
      "N_sp = 8 allows to increase the macro step by a factor of 5", "5.1, Figure 5.4 right",
      fmt::format("factor {:.2g}: {:.3g} s against {:.3g} s; not bounded at {:.3g} s and {:.3g} s", factor,
                  fits.back().limit.stable, fits.front().limit.stable, fits.back().limit.unstable,
                  fits.front().limit.unstable),
      factor >= 4 && factor <= 6,
      "both published steps are stable here, but the extrapolation also bears larger ones: on a fine ladder "
      "of steps its limit lies above 1e-5 s, and with it the factor below 5"));
  finding.figures.push_back({.id = "limits",
                             .title = "Largest bounded macro step over the points of the fit",
                             .where = "Figure 5.4 right",
                             .x = {.label = "macro points in the fit"},
                             .y = {.label = "H in s", .log = true},
                             .courses = {std::move(course)}});
}

void judge_errors(Finding& finding, const std::vector<Fit>& fits) {
  std::vector<Sweep> all;
  Table table{.id = "errors",
              .title = "Error against that of the extrapolation, at the smallest step",
              .columns = {"points", "local position", "local velocity", "predicted values, H to 0"},
              .note = "The last column is exact: how much worse the fit continues a cubic course."};
  bool rising = true;
  std::string list;
  for (const Fit& fit : fits) {
    const Sweep &s = fit.sweep, &first = fits.front().sweep;
    rising = rising && (all.empty() || (s.local_pos.back() > all.back().local_pos.back() &&
                                        s.local_vel.back() > all.back().local_vel.back() &&
                                        s.global.back() > all.back().global.back()));
    list += fmt::format("{}{}: {:.2e}", all.empty() ? "" : ", ", fit.points, s.local_pos.back());
    table.rows.push_back({std::int64_t{fit.points}, s.local_pos.back() / first.local_pos.back(),
                          s.local_vel.back() / first.local_vel.back(), prediction_error_ratio(fit.points)});
    all.push_back(s);
  }
  finding.statements.push_back(judged(
      "The error grows with the number of points of the fit", "5.1, Figure 5.4 right",
      fmt::format("local error on position level at H = {:.3g} s by number of points: {}; velocity level "
                  "and global error alike",
                  all.front().H.back(), list),
      rising));
  finding.statements.push_back(
      judged("The order of convergence is not decreased: local error on position level of order 5",
             "5.1, Figure 5.4 right", "orders " + order_list(all, &Sweep::local_pos),
             orders_agree(all, &Sweep::local_pos, 3)));
  finding.statements.push_back(
      judged("The order is not decreased: velocity level 4, global error 3", "5.1, text",
             fmt::format("velocity {}; global {}", order_list(all, &Sweep::local_vel),
                         order_list(all, &Sweep::global)),
             orders_agree(all, &Sweep::local_vel, 2) && orders_agree(all, &Sweep::global, 1)));
  finding.figures.push_back(error_figure("position", "Predictors: local error on position level",
                                         "Figure 5.4 right", all, &Sweep::local_pos, 3));
  finding.figures.push_back(error_figure("velocity", "Predictors: local error on velocity level",
                                         "not in the source", all, &Sweep::local_vel, 2));
  finding.figures.push_back(
      error_figure("global", "Predictors: global error", "not in the source", all, &Sweep::global, 1));
  finding.tables.push_back(order_table("orders", "Observed orders, kappa 2", all));
  finding.tables.push_back(std::move(table));
}

Finding work(Lab& lab) {
  const ConvergenceChain chain{.linear = false, .half = lab.scale() < 0.8};
  const bool whole = lab.scale() >= 0.2;
  Finding finding;
  finding.settings = {
      fmt::format("Nonlinear chain of Table 5.1, explicit scheme, kappa = 2. Errors: {} masses in {} "
                  "subsystems, {:g} s (published size from scale 0.8 on). Stability limits: always the "
                  "published size.",
                  chain.masses(), chain.parts(), chain.end()),
      "The polynomials that drive the subsystems are interpolations (2.24) in every case; the fit gives only "
      "the predicted end value.",
      "The source shows N_sp = 8 in the text; the other numbers of points are our choice.",
      "Subsystems: rk with rtol 1e-12 (stability limits 1e-8)."};
  std::vector<Fit> fits;
  for (const int points : whole ? std::vector{3, 4, 5, 6, 8} : std::vector{3, 8})
    fits.push_back({.points = points});
  const ConvergenceBench bench(lab, chain);
  const std::vector<int> divisors = whole ? std::vector{20, 40, 100, 200, 280, 400} : std::vector{280, 400};
  for (Fit& fit : fits)
    fit.sweep = bench.sweep(
        {.name = name(fit.points), .couple = couple(fit.points), .kappa = kappa, .divisors = divisors});
  judge_errors(finding, fits);
  if (whole)
    judge_limits(finding, lab, fits);
  else
    finding.statements.push_back(not_shown("N_sp = 8 allows to increase the macro step by a factor of 5",
                                           "5.1, Figure 5.4 right", "needs --scale 0.2"));
  return finding;
}

}  // namespace

Study predictors() {
  return {
      .name = "predictors",
      .title = "Least-squares predictors",
      .source = "[K] 5.1, Figure 5.4 right",
      .about = {"Coupling variables predicted by a polynomial fit through 4 to 8 macro points instead of an "
                "extrapolation through 3: errors, orders and stable macro steps on the chain of Table 5.1."},
      .seconds = 50,
      .work = work};
}

}  // namespace cosimo::studies
