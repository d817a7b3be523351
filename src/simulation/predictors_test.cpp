// Figure C.2, every row: orders of the predictors of explicit schemes on the damped linear two-mass
// oscillator, with and without update of the accelerations, Jacobi and Gauss-Seidel.
#include <gtest/gtest.h>

#include "simulation/order_testing.hpp"

namespace cosimo::testing {
namespace {

const OrderStudy& oscillator() {
  static const OrderStudy study(damped_oscillator(), 2, 20);
  return study;
}

/// A row: kappa of the coupling variables, the predictor with `{}` for the update, orders.
struct Row {
  const char* name;
  int kappa;
  const char* predictor;
  double pos, vel, global;
};

const Row rows[] = {
    {"classic0", 0, "extrapolation", 3, 2, 1},
    {"classic1", 1, "extrapolation", 4, 3, 2},
    {"classic2", 2, "extrapolation", 5, 4, 3},
    {"acc0", 0, "{{acc: {{degree: 0, update: {}}}}}", 3, 2, 1},
    {"acc1", 1, "{{acc: {{degree: 1, update: {}}}}}", 4, 3, 2},
    {"accrel00sixth", 0, "{{accrel: {{degree: 0, omega: 0.16666666666666667, update: {}}}}}", 3, 2, 1},
    {"accrel00half", 0, "{{accrel: {{degree: 0, omega: 0.5, update: {}}}}}", 3, 3, 2},
    {"accrel01sixth", 1, "{{accrel: {{degree: 0, omega: 0.16666666666666667, update: {}}}}}", 4, 3, 2},
    {"accrel01half", 1, "{{accrel: {{degree: 0, omega: 0.5, update: {}}}}}", 4, 3, 2},
    {"accrel10sixth", 0, "{{accrel: {{degree: 1, omega: 0.16666666666666667, update: {}}}}}", 3, 2, 1},
    {"accrel10half", 0, "{{accrel: {{degree: 1, omega: 0.5, update: {}}}}}", 3, 3, 2},
    {"accrel11sixth", 1, "{{accrel: {{degree: 1, omega: 0.16666666666666667, update: {}}}}}", 4, 4, 3},
    {"accrel11half", 1, "{{accrel: {{degree: 1, omega: 0.5, update: {}}}}}", 4, 3, 2},
    // Not in the figure: the course itself instead of a polynomial to its end (docs/decisions/0009).
    {"acc0whole", 0, "{{acc: {{degree: 0, course: whole, update: {}}}}}", 4, 3, 2},
    {"acc1whole", 1, "{{acc: {{degree: 1, course: whole, update: {}}}}}", 5, 4, 3},
};

class FigureC2 : public ::testing::TestWithParam<Row> {
 protected:
  static void expect_row(const std::string& couple) {
    for (const char* update : {"consistent", "none"}) {
      SCOPED_TRACE(update);
      const std::string predictor = fmt::format(fmt::runtime(GetParam().predictor), update);
      const Orders o = oscillator().orders(
          "parts: 2", fmt::format("scheme: explicit, predictor: {}, {}", predictor, couple), GetParam().kappa,
          {5.0e-3, 2.5e-3, 1.25e-3});
      expect_orders(o, GetParam().pos, GetParam().vel, GetParam().global);
    }
  }
};

TEST_P(FigureC2, ForceForceJacobi) {
  expect_row("sequence: jacobi");
}

TEST_P(FigureC2, ForceForceGaussSeidel) {
  expect_row("sequence: gauss-seidel");
}

TEST_P(FigureC2, ForceDisplacementJacobi) {
  expect_row("decomposition: force-displacement");
}

TEST_P(FigureC2, ForceDisplacementGaussSeidel) {
  expect_row("decomposition: force-displacement, sequence: gauss-seidel");
}

INSTANTIATE_TEST_SUITE_P(Rows, FigureC2, ::testing::ValuesIn(rows),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace cosimo::testing
