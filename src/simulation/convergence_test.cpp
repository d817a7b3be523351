// Section 5.1: observed orders of the explicit scheme on the chain of Table 5.1.
#include <gtest/gtest.h>

#include <cmath>

#include "results/compare.hpp"
#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

struct Errors {
  double local_pos = 0, local_vel = 0, global = 0;
};

// The wave of the driven end needs 0.16 s to cross the chain, so that every coupling moves: shorter
// runs would measure the rounding of bodies at rest.
constexpr double end = 0.25;

/// States of the coupling bodies at `rows` equidistant times of the uncut model, nearly exact.
const Memory& reference(bool linear) {
  static std::optional<Memory> stored[2];
  auto& slot = stored[linear ? 1 : 0];
  if (!slot) {
    Bench bench(table_5_1(linear, fmt::format("simulate: {{end: {}, output: 2.5e-3, record: coupling}}\n"
                                              "control: {{step: 1.0e-5}}\ncouple: {{scheme: explicit}}",
                                              end)));
    // Same recorded bodies, but integrated in one piece.
    std::string text = table_5_1(
        linear, fmt::format("simulate: {{end: {}, output: 2.5e-3, record: [{}]}}\n"
                            "solve: {{method: rk, rtol: 1.0e-13, atol_pos: 1.0e-16, atol_vel: 1.0e-13}}",
                            end, fmt::join(bench.assembly->layout.bodies, ", ")));
    text.replace(text.find("parts: 10"), 9, "parts: 1");
    Bench whole(text);
    EXPECT_EQ(whole.run().status, LoopResult::Status::ok);
    slot = std::move(whole.memory);
  }
  return *slot;
}

double global_error(const Memory& run, const Memory& exact) {
  EXPECT_EQ(run.time.size(), exact.time.size());
  const std::size_t columns = exact.position.size() / exact.time.size();
  double total = 0;
  for (const auto member : {&Memory::position, &Memory::velocity})
    for (std::size_t j = 0; j < columns; ++j) {
      std::vector<double> a, b;
      for (std::size_t i = 0; i < exact.time.size(); ++i) {
        a.push_back((run.*member)[i * columns + j]);
        b.push_back((exact.*member)[i * columns + j]);
      }
      const double e = nrmse(a, b);
      total += e * e;
    }
  return std::sqrt(total);
}

Errors errors(bool linear, int kappa, double H, double solver_rtol = 1e-12) {
  Bench bench(table_5_1(
      linear, fmt::format("simulate: {{end: {}, output: 2.5e-3, record: coupling, local_error: true}}\n"
                          "control: {{step: {}, order: {}}}\n"
                          "solve: {{method: rk, rtol: {}, atol_pos: {}, atol_vel: {}}}",
                          end, H, kappa, solver_rtol, 1e-3 * solver_rtol, solver_rtol)));
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  return {bench.local->position_nrmse(), bench.local->velocity_nrmse(),
          global_error(bench.memory, reference(linear))};
}

struct Case {
  int kappa;
  bool linear;
};

class Convergence : public ::testing::TestWithParam<Case> {};

TEST_P(Convergence, OrdersAreThoseOfSection51) {
  const auto [kappa, linear] = GetParam();
  // Below half the stability limit of each order, well above the solver's floor. The linear chain
  // stays soft where the nonlinear one stiffens, so it bears larger steps, and needs them.
  const double coarse_linear[] = {4.0e-5, 4.0e-5, 4.0e-5, 4.0e-5},
               coarse_nonlinear[] = {5.0e-6, 1.0e-5, 5.0e-6, 2.5e-6};
  const double* coarse = linear ? coarse_linear : coarse_nonlinear;
  std::vector<double> H, local_pos, local_vel, global;
  for (const double factor : {1.0, 5.0 / 7.0, 0.5}) {  // all of them divide the output step
    const Errors e = errors(linear, kappa, coarse[kappa] * factor);
    H.push_back(coarse[kappa] * factor);
    local_pos.push_back(e.local_pos);
    local_vel.push_back(e.local_vel);
    global.push_back(e.global);
  }
  EXPECT_NEAR(observed_order(H, local_pos), kappa + 3, 0.25) << fmt::format("{}", fmt::join(local_pos, " "));
  EXPECT_NEAR(observed_order(H, local_vel), kappa + 2, 0.25) << fmt::format("{}", fmt::join(local_vel, " "));
  EXPECT_NEAR(observed_order(H, global), kappa + 1, 0.25) << fmt::format("{}", fmt::join(global, " "));

  // What was measured is the coupling, not the solver: ten times its tolerance is hardly seen.
  const Errors loose = errors(linear, kappa, H.back(), 1e-11);
  EXPECT_NEAR(loose.local_pos / local_pos.back(), 1, 0.01);
  EXPECT_NEAR(loose.local_vel / local_vel.back(), 1, 0.01);
  EXPECT_NEAR(loose.global / global.back(), 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Table51, Convergence,
                         ::testing::Values(Case{0, true}, Case{1, true}, Case{2, true}, Case{3, true},
                                           Case{0, false}, Case{1, false}, Case{2, false}, Case{3, false}),
                         [](const auto& test) {
                           return fmt::format("kappa{}{}", test.param.kappa,
                                              test.param.linear ? "linear" : "nonlinear");
                         });

}  // namespace
}  // namespace cosimo::testing
