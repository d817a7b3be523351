// [K] A.1: the interface Jacobian of a linear subsystem by series and by single steps of integrators.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/interface_jacobian.hpp"
#include "studies/interface_jacobian_subsystem.hpp"

namespace cosimo::studies {
namespace {

constexpr const char* where = "A.1";

OneMass damped(double ratio) {
  return {.m = 1, .c = 1e7, .d = 2 * ratio * std::sqrt(1e7), .H = 5e-6};
}
OneMass stiff(double c) {
  return {.m = 1, .c = c, .d = 1e2, .H = 5e-6};
}

/// Larger of the relative errors of both components.
double error_of(const Gradient& g, const Gradient& truth) {
  return std::max(relative(g.x, truth.x), relative(g.v, truth.v));
}

void table_a1(Finding& finding) {
  constexpr std::array x{1. / 2, 1. / 6, 1. / 8, 19. / 180, 3. / 32, 863. / 10080};
  constexpr std::array v{1., 1. / 2, 5. / 12, 3. / 8, 251. / 720, 95. / 288};
  double off = 0;
  for (int kappa = 0; kappa <= 5; ++kappa) {
    const Gradient ours = first_term(newest_polynomial(kappa));
    const auto i = static_cast<std::size_t>(kappa);
    off = std::max({off, std::fabs(ours.x - x[i]), std::fabs(ours.v - v[i])});
  }
  finding.statements.push_back(
      judged("Coefficients of the first term for kappa = 0 to 5", "A.1, Table A.1",
             fmt::format("integrals of the Lagrange polynomial: off by at most {:.0e}", off), off < 1e-14));
  // Printed formulas for unequal steps, kappa = 2 and 3.
  const std::vector<double> a{1.7, 3.1, 3.9, 5.6};
  const Gradient two = first_term(newest_polynomial(2, a)), three = first_term(newest_polynomial(3, a));
  const double s = 1 / a[0] + 1 / a[1], p = 1 / (a[0] * a[1]);
  off = std::max({std::fabs(two.x - (1. / 6 - 1 / (12 * a[0]))), std::fabs(two.v - (0.5 - 1 / (6 * a[0]))),
                  std::fabs(three.x - (1. / 6 - s / 12 + p / 20)),
                  std::fabs(three.v - (0.5 - s / 6 + p / 12))});
  // kappa = 4 and 5: elementary symmetric functions of 1/a_i with the factors 12, 20, 30, 42 and 6, 12,
  // 20, 30.
  const auto printed = [&](std::size_t count) {
    std::vector<double> e{1};
    for (std::size_t i = 0; i < count; ++i) {
      e.push_back(0);
      for (std::size_t j = e.size() - 1; j > 0; --j) e[j] += e[j - 1] / a[i];
    }
    constexpr std::array fx{6., 12., 20., 30., 42.}, fv{2., 6., 12., 20., 30.};
    Gradient g;
    for (std::size_t j = 0; j < e.size(); ++j) {
      g.x += (j % 2 ? -1 : 1) * e[j] / fx[j];
      g.v += (j % 2 ? -1 : 1) * e[j] / fv[j];
    }
    return g;
  };
  for (const int kappa : {4, 5}) {
    const Gradient ours = first_term(newest_polynomial(kappa, a)),
                   theirs = printed(static_cast<std::size_t>(kappa - 1));
    off = std::max({off, std::fabs(ours.x - theirs.x), std::fabs(ours.v - theirs.v)});
  }
  finding.statements.push_back(
      judged("First term for variable macro steps, kappa = 2 to 5, as printed", where,
             fmt::format("off by at most {:.0e} for a = 1.7, 3.1, 3.9, 5.6", off), off < 1e-13));
}

/// (A.5): n terms leave an error of the order that the next term has.
void series_orders(Finding& finding) {
  double off = 0;
  for (const int kappa : {0, 1, 2})
    for (const int terms : {1, 2, 3}) {
      std::vector<double> H, x, v;
      for (const double step : log_spaced(1e-4, 1e-3, 4)) {
        const OneMass body{.m = 1, .c = 50, .d = 40, .H = step};
        const Gradient truth = exact(body, kappa), ours = series(body, kappa, terms);
        H.push_back(step), x.push_back(std::fabs(ours.x - truth.x)), v.push_back(std::fabs(ours.v - truth.v));
      }
      off = std::max(
          {off, std::fabs(observed_order(H, x) - terms - 2), std::fabs(observed_order(H, v) - terms - 1)});
    }
  finding.statements.push_back(
      judged("Series (A.5) of x_lambda and v_lambda for kappa = 0, 1, 2", "A.1, (A.5)",
             fmt::format("errors of 1 to 3 terms have the order of the next term, at most {:.2f} "
                         "off",
                         off),
             off < 0.1));
}

Figure error_figure(std::string id, std::string title, std::string figure, const char* axis,
                    const std::vector<double>& values, OneMass (*body)(double), int kappa,
                    const std::vector<std::string>& methods) {
  Figure f{.id = std::move(id),
           .title = std::move(title),
           .where = std::move(figure),
           .x = {axis, true},
           .y = {"relative error of v_lambda", true}};
  for (const std::string& method : methods) {
    Course course{.name = method};
    for (const double value : values) {
      const OneMass b = body(value);
      const double truth = exact(b, kappa).v;
      const double ours = method.ends_with("terms") || method.ends_with("(sap)")
                              ? series(b, kappa, method[0] - '0').v
                          : method == "Newmark" ? newmark(b, kappa, 0.25, 0.5).v
                                                : one_step(b, kappa, method).v;
      course.x.push_back(value);
      course.y.push_back(std::max(relative(ours, truth), 1e-16));
    }
    f.courses.push_back(std::move(course));
  }
  return f;
}

int terms_needed(const OneMass& body, double accuracy) {
  const Gradient truth = exact(body, 1);
  for (int terms = 1; terms <= 60; ++terms)
    if (error_of(series(body, 1, terms), truth) < accuracy) return terms;
  return 61;
}

void series_quality(Finding& finding) {
  double low = 0;
  for (const double D : log_spaced(1e-3, 1, 13))
    for (const int kappa : {0, 1})
      low = std::max(low, error_of(series(damped(D), kappa, 1), exact(damped(D), kappa)));
  finding.statements.push_back(
      judged("sap is sufficient for low damping (D < 1), c = 1e7, m = 1, H = 5e-6", "A.1, Figure A.2",
             fmt::format("at most {:.1f} % off up to D = 1", 100 * low), low < 0.05));
  const std::array needed{terms_needed(damped(1), 0.05), terms_needed(damped(10), 0.05),
                          terms_needed(damped(100), 0.05), terms_needed(damped(1000), 0.05)};
  finding.statements.push_back(
      judged("For higher damping the number of terms for a useful approximation increases rapidly",
             "A.1, Figure A.2",
             fmt::format("terms for 5 %: {} (D = 1), {} (D = 10), {} (D = 100), {} (D = 1000)", needed[0],
                         needed[1], needed[2], needed[3] > 60 ? "more than 60" : std::to_string(needed[3])),
             std::is_sorted(needed.begin(), needed.end()) && needed[3] > 4 * needed[1]));
  // Influence of c: of the first two terms none.
  const OneMass soft{.m = 1, .c = 1e3, .d = 1e4}, hard{.m = 1, .c = 1e7, .d = 1e4};
  const Gradient a = series(soft, 1, 2), b = series(hard, 1, 2), c = series(soft, 1, 3),
                 d = series(hard, 1, 3);
  finding.statements.push_back(
      judged("The stiffness does not appear before the third term", "A.1",
             fmt::format("1e4 times the stiffness changes two terms by {:.0e}, three by {:.0e} (relative)",
                         relative(a.v, b.v), relative(c.v, d.v)),
             a.v == b.v && a.x == b.x && c.v != d.v));
  const auto at = [](double stiffness) {
    return error_of(series(stiff(stiffness), 1, 1), exact(stiff(stiffness), 1));
  };
  const auto five = [](double stiffness) {
    return error_of(series(stiff(stiffness), 1, 5), exact(stiff(stiffness), 1));
  };
  finding.statements.push_back(
      judged("For high stiffness a limited number of terms fails, d = 1e2", "A.1, Figure A.3",
             fmt::format("sap {:.1f} % off at c = 1e10, {:.0f} % at 1e12; five terms {:.0e} % and {:.0f} %",
                         100 * at(1e10), 100 * at(1e12), 100 * five(1e10), 100 * five(1e12)),
             at(1e10) < 0.1 && at(1e12) > 1 && five(1e12) > 1));
  const double long_step = error_of(series(damped(100), 1, 1), exact(damped(100), 1));
  OneMass shorter = damped(100);
  shorter.H = 5e-8;
  const double short_step = error_of(series(shorter, 1, 1), exact(shorter, 1));
  finding.statements.push_back(judged(
      "With a sufficiently small step sap delivers accurate results", "A.1, conclusions",
      fmt::format("D = 100: {:.0f} % off at H = 5e-6, {:.1f} % at 5e-8", 100 * long_step, 100 * short_step),
      short_step < 0.02 && long_step > 0.5));
}

/// Largest error of a method over the ranges of Figures A.4 and A.5.
double worst(const std::string& method, double damping_to, double stiffness_to) {
  double most = 0;
  for (const int kappa : {0, 1}) {
    for (const double D : log_spaced(1e-2, damping_to, 25))
      most = std::max(most, error_of(one_step(damped(D), kappa, method), exact(damped(D), kappa)));
    for (const double c : log_spaced(1e6, stiffness_to, 25))
      most = std::max(most, error_of(one_step(stiff(c), kappa, method), exact(stiff(c), kappa)));
  }
  return most;
}

void integrators(Finding& finding) {
  constexpr double D = 100, c = 1e11;
  const double gauss = worst("gauss6", D, c), radau = worst("radau5", D, c), rk4 = worst("rk4", D, c);
  const double rk2 = worst("rk2", D, c);
  finding.statements.push_back(judged(
      "One step of Gauss-Legendre6 or Radau5 shows very good results over the range of damping and stiffness",
      "A.1, Figures A.4, A.5",
      fmt::format("at most {:.1f} % and {:.1f} % off up to D = 100 and c = 1e11, kappa = 0, 1", 100 * gauss,
                  100 * radau),
      gauss < 0.02 && radau < 0.02));
  finding.statements.push_back(judged(
      "Explicit rk2 and rk4 fail for high damping or stiffness", "A.1, Figures A.4, A.5",
      fmt::format("up to {:.0f} % (rk2) and {:.0f} % (rk4) off on the same range", 100 * rk2, 100 * rk4),
      rk2 > 0.5 && rk4 > 0.5));
  const Gradient truth = exact(damped(0.01), 1), newmark1 = newmark(damped(0.01), 1, 0.25, 0.5);
  finding.statements.push_back(judged(
      "The Newmark method provides inaccurate results, its order is not sufficient", "A.1, Figures A.4, A.5",
      fmt::format("D = 0.01, kappa = 1, (1/4, 1/2): x_lambda {:.0f} % off",
                  100 * relative(newmark1.x, truth.x)),
      relative(newmark1.x, truth.x) > 0.1));
  const Gradient exact2 = exact(damped(0.01), 2), radau3 = one_step(damped(0.01), 2, "radau3");
  finding.statements.push_back(judged(
      "Radau3 with kappa = 2: offset on position level (order 3 < kappa + 2), sufficient on velocity level",
      "A.1, Figure A.6",
      fmt::format("D = 0.01: x_lambda {:.1f} % off, v_lambda {:.3f} %", 100 * relative(radau3.x, exact2.x),
                  100 * relative(radau3.v, exact2.v)),
      relative(radau3.x, exact2.x) > 0.05 && relative(radau3.v, exact2.v) < 0.01));
}

}  // namespace

void study_linear_subsystem(Finding& finding) {
  finding.settings.push_back(
      "A.1: the subsystem of Figure A.1, computed here from (A.2), with m = 1, H = 5e-6; c = 1e7 for damping "
      "ratios of "
      "1e-3 to 1e3, d = 1e2 for stiffnesses of 1e6 to 1e13. The axes of the figures are not in the text: "
      "ours are these.");
  table_a1(finding);
  series_orders(finding);
  series_quality(finding);
  integrators(finding);
  const std::vector<std::string> terms{"1 term (sap)", "2 terms", "3 terms", "5 terms", "8 terms"};
  const std::vector<std::string> methods{"rk2", "rk4", "Newmark", "radau3", "radau5", "gauss6"};
  const std::vector<double> ratios = log_spaced(1e-3, 1e3, 61), stiffnesses = log_spaced(1e6, 1e13, 71);
  finding.figures.push_back(error_figure("series-damping",
                                         "Series of v_lambda over the damping ratio, kappa = 1", "Figure A.2",
                                         "damping ratio", ratios, damped, 1, terms));
  finding.figures.push_back(error_figure("integrators-damping",
                                         "One integrator step over the damping ratio, kappa = 1",
                                         "Figure A.4", "damping ratio", ratios, damped, 1, methods));
  finding.figures.push_back(error_figure("integrators-stiffness",
                                         "One integrator step over the stiffness, kappa = 1", "Figure A.5",
                                         "c", stiffnesses, stiff, 1, methods));
}

}  // namespace cosimo::studies
