// [K] A.3, example 1: discretization and damping of the rod.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/interface_jacobian_rod.hpp"
#include "studies/interface_jacobian_subsystem.hpp"

namespace cosimo::studies::rod {

void study_discretization(Bench& bench) {
  std::vector<double> n{100, 200, 500, 1000, 2000, 5000};
  if (bench.scale() >= 4) n.push_back(10000);
  const auto spring = [](double masses) {
    return fmt::format("c: {}, d: {}", stiffness * masses, damping(1e-3 * masses));
  };
  const EffortSweep s = bench.sweep("number of masses", n, {"fd", "sap"}, spring,
                                    [](double masses) { return static_cast<int>(masses); });
  bench.show(s, "rod-masses", "Rod, number of masses", "Figure A.12", true);
  const std::size_t last = s.values.size() - 1;
  // Steps per simulated second, since fine rods are simulated over a shorter time.
  const auto rate = [&](std::size_t i) { return 1 / s.efforts[0][i].mean_H; };
  bool rises = true;
  for (std::size_t i = 1; i <= last; ++i) rises = rises && rate(i) > rate(i - 1);
  bench.judge(
      "The number of macro steps increases with the number of masses because of the element stiffness",
      "A.3, Figure A.12",
      fmt::format("fd: mean H from {:.2e} s ({} masses) to {:.2e} s ({} masses)", s.efforts[0][0].mean_H,
                  s.values.front(), s.efforts[0][last].mean_H, s.values.back()),
      rises, "it does not rise from every size to the next: the damping ratio rises as well");
  double coarse_steps = 0, coarse_iterations = 0, fine_steps = 0, fine_iterations = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    double& steps = s.values[i] < 1000 ? coarse_steps : fine_steps;
    double& iterations = s.values[i] < 1000 ? coarse_iterations : fine_iterations;
    steps = std::max(steps, s.steps_ratio(i));
    iterations = std::max(iterations, s.efforts[1][i].per_step() / s.efforts[0][i].per_step());
  }
  bench.judge("Both Jacobians show a similar performance for fewer than 1000 masses", "A.3, Figure A.12",
              fmt::format("sap over fd: at most {:.2f} times the steps, {:.2f} times the iterations per step",
                          coarse_steps, coarse_iterations),
              coarse_steps < 1.25 && coarse_iterations < 1.5,
              "more than 1.25 times the steps or 1.5 times the iterations");
  bench.judge(
      "With finer discretizations sap needs significantly smaller macro steps and more corrector "
      "iterations",
      "A.3, Figure A.12",
      fmt::format(
          "{} masses: sap {:.2f} times the steps of fd, {:.1f} iterations per step against {:.1f}, {:.0f} "
          "corrector failures against {:.0f}",
          s.values[last], s.steps_ratio(last), s.efforts[1][last].per_step(), s.efforts[0][last].per_step(),
          s.efforts[1][last].failures, s.efforts[0][last].failures),
      s.steps_ratio(last) > 1.25 && s.efforts[1][last].per_step() > 1.5 * s.efforts[0][last].per_step(),
      "not on this range");
}

namespace {

void two_terms(Bench& bench, const EffortSweep& s) {
  bool better = false;
  double worst = 0;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const double ratio = s.efforts[2][i].steps / s.efforts[1][i].steps;
    better = better || ratio < 0.9;
    worst = std::max(worst, ratio);
  }
  bench.judge("Two terms of the series instead of one do not improve the performance", "A.3, Figure A.13",
              fmt::format("macro steps with two terms: up to {:.0f} times those with one", worst), !better);
  const std::size_t last = s.values.size() - 1;
  bench.judge(
      "With two terms no stable co-simulation is achieved for d_i > 6.38e5 Ns/m (damping ratio 25)",
      "A.3, Figure A.13",
      fmt::format("damping ratio {}: {} with {:.0f} steps ({:.0f} with one term), {:.0f} corrector failures",
                  s.values[last], s.efforts[2][last].ended ? "ends well" : "does not end",
                  s.efforts[2][last].steps, s.efforts[1][last].steps, s.efforts[2][last].failures),
      !s.efforts[2][last].ended,
      "Ours is stable but useless. A corrector that does not converge has the step repeated with a "
      "quarter of its "
      "size (as in the document), and below the size from which the series converges two terms are as "
      "good as any "
      "other Jacobian; we do not know what ended the published runs.");
}

/// Figures A.14 and A.15.
void steps_against_series(Bench& bench, const EffortSweep& s) {
  int larger = 0, all = 0;
  std::string text;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    if (s.values[i] < 1) continue;
    OneMass body{.m = element_m, .c = 2 * element_c, .d = 2 * damping(s.values[i])};
    double usable = 0;  // largest H with two terms within 10 %
    for (const double H : log_spaced(1e-12, 1e-4, 200)) {
      body.H = H;
      const Gradient truth = exact(body, 1), two = series(body, 1, 2);
      if (relative(two.v, truth.v) > 0.1 || relative(two.x, truth.x) > 0.1) break;
      usable = H;
    }
    ++all;
    larger += s.efforts[0][i].mean_H > usable ? 1 : 0;
    text +=
        fmt::format("{}{:.1e} s against {:.1e} s", text.empty() ? "" : ", ", s.efforts[0][i].mean_H, usable);
  }
  bench.judge(
      "The controller's macro step is often larger than an accurate series with few terms would require",
      "A.3, Figure A.15",
      fmt::format("mean H of fd against the H up to which two terms are 10 % exact: {}", text),
      2 * larger > all);
}

}  // namespace

void study_damping_ratio(Bench& bench) {
  std::vector<double> ratio{1e-3, 1e-2, 0.1, 0.3, 1, 3, 10, 25, 50};
  if (bench.scale() >= 2) ratio.push_back(100);
  const auto spring = [](double D) { return fmt::format("c: {}, d: {}", element_c, damping(D)); };
  const EffortSweep s =
      bench.sweep("damping ratio", ratio, {"fd", "sap", "{series: 2}", "sensitivity"}, spring);
  bench.show(s, "rod-damping", "Rod, damping ratio of the elements", "Figure A.13", true);
  double low = 0, high = 1e300, high_iterations = 1e300;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const double per_step = s.efforts[1][i].per_step() / s.efforts[0][i].per_step();
    if (s.values[i] < 1) low = std::max({low, s.steps_ratio(i), per_step});
    if (s.values[i] > 1)
      high = std::min(high, per_step), high_iterations = std::min(high_iterations, s.iterations_ratio(i));
  }
  bench.judge("sap provides good results for a damping ratio below 1", "A.3, Figure A.13",
              fmt::format("sap over fd: at most {:.2f} times the steps and the iterations per step", low),
              low < 1.25, "more than 1.25 times");
  const std::size_t last = s.values.size() - 1;
  bench.judge(
      "For higher damping ratios finite differences are clearly superior", "A.3, Figure A.13",
      fmt::format("sap needs {:.1f} times the iterations per step of fd and more; at damping ratio {} "
                  "{:.1f} times the "
                  "steps, {:.0f} corrector failures against {:.0f}",
                  high, s.values[last], s.steps_ratio(last), s.efforts[1][last].failures,
                  s.efforts[0][last].failures),
      high > 1.4 && s.steps_ratio(last) > 1.25, "sap is less than 1.4 times worse");
  two_terms(bench, s);
  steps_against_series(bench, s);
}

/// Figure A.14: the gradients of an element over the macro step, three dampings, kappa = 1.
void study_series(Bench& bench) {
  Figure figure{.id = "series-H",
                .title = "Error of the series of v_lambda over the macro step, damping ratio 10",
                .where = "Figure A.14",
                .x = {"macro step H", true},
                .y = {"relative error", true}};
  bool all = true;
  std::string text;
  for (const double D : {1.0, 10.0, 100.0}) {
    OneMass body{.m = element_m, .c = element_c, .d = damping(D)};
    double crossing = 0;
    std::vector<double> last;
    std::vector<Course> courses;
    for (const int terms : {1, 2, 3, 5, 8}) courses.push_back({.name = fmt::format("{} terms", terms)});
    for (const double H : log_spaced(1e-3 * body.m / body.d, 1e2 * body.m / body.d, 120)) {
      body.H = H;
      const double truth = exact(body, 1).v;
      std::vector<double> errors;
      for (const int terms : {1, 2, 3, 5, 8}) errors.push_back(relative(series(body, 1, terms).v, truth));
      for (std::size_t i = 0; i < courses.size(); ++i) {
        courses[i].x.push_back(H);
        courses[i].y.push_back(errors[i]);
      }
      if (crossing == 0 && errors[0] < errors[1]) crossing = H;
      last = errors;
    }
    all = all && std::is_sorted(last.begin(), last.end());
    text += fmt::format("{}{:.1e} s (damping ratio {:g})", text.empty() ? "" : ", ", crossing, D);
    if (D == 10) figure.courses = std::move(courses);
  }
  bench.finding().figures.push_back(std::move(figure));
  bench.finding().statements.push_back(judged(
      "Series with more terms diverge very rapidly from the analytical solution when H is increased",
      "A.3, Figure A.14",
      fmt::format("two terms are worse than one from H = {}; at H = 100 m/d every further term is worse",
                  text),
      all));
}

}  // namespace cosimo::studies::rod
