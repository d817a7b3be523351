// [K] A.2: the interface Jacobian of a nonlinear subsystem, whose motion within the step has to be guessed.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/interface_jacobian.hpp"
#include "studies/interface_jacobian_subsystem.hpp"

namespace cosimo::studies {
namespace {

OneMass with_damping(double D) {
  return {.m = 1, .c = 1e7, .d = 1, .C = 1e9, .D = D, .H = 5e-6};
}
OneMass with_stiffness(double C) {
  return {.m = 1, .c = 1e7, .d = 1, .C = C, .D = 1, .H = 5e-6};
}

double error_of(const Gradient& g, const Gradient& truth) {
  return std::max(relative(g.x, truth.x), relative(g.v, truth.v));
}

/// Mean over phases of the swing.
template <class Error>
double over_phases(const OneMass& body, Error error) {
  constexpr int phases = 6;
  double sum = 0;
  for (int i = 0; i < phases; ++i)
    sum += error(nonlinear_step(body, {.phase = 0.3 + 3.14159265358979 * i / phases}));
  return sum / phases;
}

/// Error when the motion is guessed with a degree, and (A.8) solved exactly.
double guessed(const OneMass& body, int kappa, std::size_t degree) {
  return over_phases(body, [&](const NonlinearStep& step) {
    return error_of(exact(body, kappa, step.guesses[degree]), exact(body, kappa, step.truth));
  });
}

/// Error of one step of a method with motions guessed with degree 2.
double stepped(const OneMass& body, int kappa, const std::string& method) {
  return over_phases(body, [&](const NonlinearStep& step) {
    return error_of(one_step(body, kappa, method, step.guesses[2]), exact(body, kappa, step.truth));
  });
}

std::array<double, 3> guesses(const OneMass& body) {
  return {guessed(body, 1, 0), guessed(body, 1, 1), guessed(body, 1, 2)};
}

Statement about_degrees(std::string published, std::string where, const char* name, OneMass (*body)(double),
                        double smaller, double larger) {
  const std::array a = guesses(body(smaller)), e = guesses(body(larger));
  return judged(
      std::move(published), std::move(where),
      fmt::format(
          "off with constants, linear, quadratic guesses (kappa = 1): {:.0f}, {:.0f}, {:.1f} % at {} = "
          "{:g}; {:.0f}, {:.0f}, {:.1f} % at {:g}",
          100 * a[0], 100 * a[1], 100 * a[2], name, smaller, 100 * e[0], 100 * e[1], 100 * e[2], larger),
      e[0] > 0.1 && e[1] > 0.03 && e[2] < e[1] / 2, "no clear need for quadratic ones with this motion");
}

Figure degree_figure() {
  Figure f{.id = "nonlinear-damping",
           .title = "Nonlinear subsystem: guessing its motion, kappa = 1",
           .where = "Figure A.7",
           .x = {"D", true},
           .y = {"relative error", true}};
  constexpr std::array names{"constant", "linear", "quadratic"};
  for (std::size_t degree = 0; degree < names.size(); ++degree) {
    Course course{.name = names[degree]};
    for (const double D : log_spaced(1e-1, 1e4, 16)) {
      course.x.push_back(D);
      course.y.push_back(guessed(with_damping(D), 1, degree));
    }
    f.courses.push_back(std::move(course));
  }
  return f;
}

}  // namespace

void study_nonlinear_subsystem(Finding& finding) {
  finding.settings.push_back(
      "A.2: Table A.2. The document does not say how the subsystem moves: ours swings with an amplitude of "
      "1e-3 and a "
      "quarter of a radian per macro step (velocities up to 50); errors are means over six phases of it.");
  finding.statements.push_back(
      about_degrees("With D above 1e2 at least quadratic polynomials for x(t), v(t) are needed",
                    "A.2, Figure A.7", "D", with_damping, 1e2, 1e3));
  finding.statements.push_back(about_degrees(
      "Nonlinear stiffness is qualitatively equivalent: higher values need quadratic polynomials",
      "A.2, Figure A.8", "C", with_stiffness, 1e17, 3e17));
  const double moderate = guessed(with_damping(1), 1, 0);
  finding.statements.push_back(
      judged("With moderate nonlinearities constant values of the states may be sufficient", "A.2, end",
             fmt::format("D = 1: {:.2f} % off with constants", 100 * moderate), moderate < 0.02));
  const double rk4 = stepped(with_damping(1e3), 1, "rk4");
  finding.statements.push_back(judged("One step of explicit rk4 fails", "A.2, Figures A.9, A.10",
                                      fmt::format("D = 1e3: {:.0f} % off", 100 * rk4), rk4 > 1));
  double gauss1 = 0, radau1 = 0, gauss0 = 0;
  for (const double D : log_spaced(1e-1, 1e4, 11)) {
    gauss1 = std::max(gauss1, stepped(with_damping(D), 1, "gauss6"));
    radau1 = std::max(radau1, stepped(with_damping(D), 1, "radau5"));
    gauss0 = std::max(gauss0, stepped(with_damping(D), 0, "gauss6"));
  }
  finding.statements.push_back(
      judged("Implicit Runge-Kutta steps, especially Gauss-Legendre6, are good for kappa = 1 and partly for "
             "kappa = 0",
             "A.2, Figures A.9, A.10",
             fmt::format("D up to 1e4: kappa = 1 at most {:.1f} % (Gauss-Legendre6) and {:.1f} % (Radau5) "
                         "off, kappa = 0 up to "
                         "{:.0f} %",
                         100 * gauss1, 100 * radau1, 100 * gauss0),
             gauss1 < 0.1 && gauss0 > gauss1, "more than 10 % off"));
  finding.figures.push_back(degree_figure());
}

}  // namespace cosimo::studies
