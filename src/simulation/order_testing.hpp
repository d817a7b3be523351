// How tests measure orders of convergence: one model with several macro steps, its local errors (5.2) and its
// global error (5.1) against the same model uncut.
//
//   OrderStudy study(model, end, rows);                          // model: up to and without `partition:`
//   const Orders o = study.orders("parts: 2", "scheme: implicit", 2, {4e-3, 2e-3});
//   expect_orders(o, 5, 4, 3);
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "simulation/testing.hpp"

namespace cosimo::testing {

/// The last masses of Table 5.1: the wave of the driven end reaches all of them soon.
inline std::string short_table_5_1(bool linear) {
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: 6
    mass: 10
    spring: {{c: 1.0e6, d: 100, C: {}, D: {}, ex: 6, ev: 3}}
    ends: [fixed, free]
    loads: [{{harmonic: {{bodies: [6], amplitude: 5.0e7, omega: 500}}}}]
)",
                     linear ? "0" : "1.0e12", linear ? "0" : "1");
}

/// A damped linear two-mass oscillator without symmetries (Figures B.1, C.1).
inline std::string damped_oscillator() {
  return R"(cosimo: 1
model: {chain: {masses: 2, mass: [1, 0.7], spring: {c: [100, 80, 60], d: [1, 1.5, 0.8]},
                initial: {x: [1, -0.5], v: [-2, 3]}}}
)";
}

/// Least-squares slopes, and what they were fitted to.
struct Orders {
  std::vector<double> H, local_pos, local_vel, global;
  double pos() const { return observed_order(H, local_pos); }
  double vel() const { return observed_order(H, local_vel); }
  double glob() const { return observed_order(H, global); }
  std::string text() const {
    return fmt::format("orders {:.2f} {:.2f} {:.2f}; position {:.2e}, velocity {:.2e}, global {:.2e}", pos(),
                       vel(), glob(), fmt::join(local_pos, " "), fmt::join(local_vel, " "),
                       fmt::join(global, " "));
  }
};

inline void expect_orders(const Orders& o, double pos, double vel, double global) {
  EXPECT_NEAR(o.pos(), pos, 0.25) << o.text();
  EXPECT_NEAR(o.vel(), vel, 0.25) << o.text();
  EXPECT_NEAR(o.glob(), global, 0.25) << o.text();
}

class OrderStudy {
 public:
  /// `rows`: output times after the start; every step used must divide end / rows.
  OrderStudy(std::string model, double end, int rows)
      : model_(std::move(model)), simulate_(fmt::format("end: {}, output: {}", end, end / rows)) {
    Bench whole(fmt::format("{}simulate: {{{}}}\n{}", model_, simulate_, solve));
    EXPECT_EQ(whole.run().status, LoopResult::Status::ok);
    reference_ = std::move(whole.memory);
  }

  Orders orders(const std::string& partition, const std::string& couple, int kappa,
                std::initializer_list<double> steps) const {
    Orders o;
    for (const double H : steps) {
      Bench bench(
          fmt::format("{}partition: {{{}}}\nsimulate: {{{}, local_error: true}}\ncontrol: {{step: {}, order: "
                      "{}}}\ncouple: {{{}}}\n{}",
                      model_, partition, simulate_, H, kappa, couple, solve));
      const LoopResult result = bench.run();
      EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
      const Deviation d = deviation(bench.memory, reference_);
      o.H.push_back(H);
      o.local_pos.push_back(bench.local->position_nrmse());
      o.local_vel.push_back(bench.local->velocity_nrmse());
      o.global.push_back(std::hypot(d.position, d.velocity));
    }
    return o;
  }

 private:
  static constexpr const char* solve =
      "solve: {method: rk, rtol: 1.0e-13, atol_pos: 1.0e-15, atol_vel: 1.0e-13}\n";
  std::string model_, simulate_;
  Memory reference_;
};

}  // namespace cosimo::testing
