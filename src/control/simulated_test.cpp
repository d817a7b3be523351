// The controller at work on problems whose optimal step and order are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <vector>

#include "control/controller.hpp"

namespace cosimo {
namespace {

/// Two coupling variables: a single one would let every derivative pass through zero now and then.
using Pair = std::array<double, 2>;
double norm(const Pair& e) {
  return std::sqrt((e[0] * e[0] + e[1] * e[1]) / 2);
}

/// The value at t of the polynomial through the points (Neville).
double interpolate_at(double t, std::span<const double> nodes, std::span<const double> values) {
  std::vector<double> p(values.begin(), values.end());
  for (std::size_t order = 1; order < nodes.size(); ++order)
    for (std::size_t j = 0; j + order < nodes.size(); ++j)
      p[j] += (t - nodes[j]) * ((p[j + 1] - p[j]) / (nodes[j + order] - nodes[j]));
  return p[0];
}

/// Its leading coefficient.
double divided_difference(std::span<const double> nodes, std::span<const double> values) {
  std::vector<double> c(values.begin(), values.end());
  for (std::size_t order = 1; order < nodes.size(); ++order)
    for (std::size_t j = 0; j + order < nodes.size(); ++j)
      c[j] = (c[j + 1] - c[j]) / (nodes[j + order] - nodes[j]);
  return c[0];
}

/// Samples of the coupling variables, newest first, with the weights 1 / tol.
class Samples : public DerivativeNorms {
 public:
  explicit Samples(double tol) : tol_(tol) {}
  void push(double t, const Pair& u) {
    push_front(times_, t);
    for (std::size_t i = 0; i < 2; ++i) push_front(values_[i], u[i]);
  }
  Pair extrapolate(double t, int kappa) const {
    const auto n = static_cast<std::size_t>(kappa) + 1;
    const auto at = [&](std::size_t i) {
      return interpolate_at(t, newest(times_, n), newest(values_[i], n));
    };
    return {at(0), at(1)};
  }
  double weighted(const Pair& a, const Pair& b) const { return norm({a[0] - b[0], a[1] - b[1]}) / tol_; }
  int available() const override { return static_cast<int>(times_.size()) - 1; }
  double scaled_derivative(int j) const override {
    const auto n = static_cast<std::size_t>(j) + 1;
    const auto d = [&](std::size_t i) {
      return divided_difference(newest(times_, n), newest(values_[i], n));
    };
    return std::tgamma(j + 1) * std::pow(H, j) * norm({d(0), d(1)}) / tol_;
  }
  double a_priori(int kappa, double step) const override {
    const double t = times_[0] + step;
    return weighted(extrapolate(t, kappa + 1), extrapolate(t, kappa));
  }
  double H = 0;

 private:
  static void push_front(std::vector<double>& row, double value) {
    row.insert(row.begin(), value);
    if (row.size() > 8) row.pop_back();
  }
  static std::span<const double> newest(const std::vector<double>& row, std::size_t n) {
    return std::span(row).first(n);
  }
  double tol_;
  std::vector<double> times_;
  std::array<std::vector<double>, 2> values_;
};

struct Step {
  double t, H;
  int kappa;
};
struct Outcome {
  std::vector<Step> steps;
  int rejected = 0;
};

/// exCV on a signal that no co-simulation disturbs: the error is that of the extrapolation.
Outcome simulate(const ControlOptions& options, const std::function<Pair(double)>& u, double tol,
                 double t_end) {
  Controller controller(options, 0, t_end);
  Samples samples(tol);
  samples.push(0, u(0));
  Outcome run;
  double t = 0;
  Decision next = controller.first();
  while (t < t_end && run.steps.size() < 100000 && !next.too_small) {
    const int kappa = std::min(next.kappa, samples.available());
    const double H = std::min(next.H, t_end - t);
    samples.H = next.H;
    const ErrorNorms norms{.level = ErrorLevel::coupling,
                           .u = samples.weighted(samples.extrapolate(t + H, kappa), u(t + H))};
    if (Controller::passes(norms)) {
      t += H;
      samples.push(t, u(t));
      run.steps.push_back({t, H, kappa});
      next = controller.accepted(t, H, next.H, kappa, norms, samples);
    } else {
      ++run.rejected;
      next = controller.rejected(t, H, kappa, norms, samples);
    }
  }
  EXPECT_FALSE(next.too_small);
  EXPECT_GE(t, t_end * (1 - 1e-12));
  return run;
}

/// A method whose error is exactly C H^(kappa + 1) and whose derivatives call for one order.
class PowerLaw : public DerivativeNorms {
 public:
  PowerLaw(double C, int best_order) : C_(C), best_(best_order) {}
  double error(double H, int kappa) const { return C_ * std::pow(H, kappa + 1); }
  int available() const override { return points - 1; }
  double scaled_derivative(int j) const override {
    return j <= best_ + 1 ? std::pow(0.3, j) : std::pow(0.3, best_ + 1) * 2;
  }
  double a_priori(int kappa, double H) const override { return error(H, kappa); }
  int points = 1;

 private:
  double C_;
  int best_;
};

class Strategy : public testing::TestWithParam<OrderStrategy> {};
INSTANTIATE_TEST_SUITE_P(Both, Strategy,
                         testing::Values(OrderStrategy::standard, OrderStrategy::conservative));

TEST_P(Strategy, SettlesOnTheExpectedStepAndOrder) {
  for (const int best : {0, 1, 2, 3}) {
    PowerLaw problem(1e4, best);
    ControlOptions options;
    options.strategy = GetParam();
    options.first_step = 1e-12;
    Controller controller(options, 0, 1);
    Decision next = controller.first();
    for (int n = 0; n < 300; ++n) {
      const double error = problem.error(next.H, next.kappa);
      if (error <= 1) {
        problem.points = std::min(problem.points + 1, 8);
        next = controller.accepted(0, next.H, next.H, next.kappa, {.u = error}, problem);
      } else {
        next = controller.rejected(0, next.H, next.kappa, {.u = error}, problem);
      }
    }
    EXPECT_EQ(next.kappa, best);
    // Dead zone: 1 <= r < 1.5 with r = (6 C H^(kappa+1))^(-1/(kappa+1)).
    const double ideal = std::pow(6e4, -1.0 / (best + 1));
    EXPECT_LE(next.H, ideal * (1 + 1e-12)) << best;
    EXPECT_GT(next.H, ideal / 1.5 * (1 - 1e-12)) << best;
  }
}

TEST_P(Strategy, SmoothSignalReachesHighOrderAndFewRejections) {
  ControlOptions options;
  options.strategy = GetParam();
  options.first_step = 1e-6;
  const Outcome run = simulate(
      options,
      [](double t) {
        return Pair{std::sin(2 * std::numbers::pi * t), std::cos(2 * std::numbers::pi * t)};
      },
      1e-5, 20.0);
  const auto high =
      std::count_if(run.steps.begin(), run.steps.end(), [](const Step& s) { return s.kappa >= 4; });
  EXPECT_GT(static_cast<double>(high), 0.8 * static_cast<double>(run.steps.size()));
  EXPECT_LT(run.rejected, 0.05 * static_cast<double>(run.steps.size()));
  EXPECT_LT(run.steps.size(), 3000u);
}

TEST_P(Strategy, StepFollowsAChangingTimeScale) {
  // Frequency 1 up to t = 5, then 50: at equal order the step shrinks about fifty times.
  ControlOptions options;
  options.strategy = GetParam();
  options.order_fixed = true;
  options.order_max = 2;
  options.first_step = 1e-6;
  const auto u = [](double t) {
    const double omega = t < 5 ? 1 : 50;
    return Pair{std::sin(omega * (t - 5)) / omega, (1 - std::cos(omega * (t - 5))) / omega};
  };
  const Outcome run = simulate(options, u, 1e-6, 10.0);
  const auto mean = [&](double from, double to) {
    const auto inside = [&](const Step& s) { return s.t > from && s.t < to; };
    return (to - from) / static_cast<double>(std::count_if(run.steps.begin(), run.steps.end(), inside));
  };
  const double ratio = mean(2, 4.5) / mean(6, 9.5);
  EXPECT_GT(ratio, 50 / std::cbrt(50) / 2);  // the amplitude is 50 times smaller: 50^(2/3) = 13.6
  EXPECT_LT(ratio, 50 / std::cbrt(50) * 2);
}

TEST(Simulated, SafetyTradesStepsForRejections) {
  const auto u = [](double t) {
    return Pair{std::sin(t) + 0.3 * std::sin(11 * t) * std::sin(0.5 * t), std::cos(t)};
  };
  ControlOptions options;
  options.order_fixed = true;
  options.order_max = 2;
  options.dead_zone = false;
  options.first_step = 1e-6;
  options.safety = 1;
  const Outcome bold = simulate(options, u, 1e-5, 50);
  options.safety = 6;
  const Outcome careful = simulate(options, u, 1e-5, 50);
  EXPECT_GT(bold.rejected, 10 * std::max(careful.rejected, 1));
  EXPECT_GT(careful.steps.size(), bold.steps.size());
}

TEST(Simulated, ASignalAtRestIsNoProblem) {
  ControlOptions options;
  options.first_step = 1e-6;
  const Outcome run = simulate(
      options,
      [](double) {
        return Pair{3.0, -0.1};
      },
      1e-6, 1.0);
  EXPECT_EQ(run.rejected, 0);
  EXPECT_LT(run.steps.size(), 50u);  // grows by r_max in every step
}

}  // namespace
}  // namespace cosimo
