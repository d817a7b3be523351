#include "studies/oscillator_orders.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cosimo::studies {
namespace {

std::string tightly(std::string_view rest) {
  return fmt::format("{}{}solve: {{method: rk, rtol: 1.0e-13, atol_pos: 1.0e-15, atol_vel: 1.0e-13}}\n",
                     DampedOscillator::text(), rest);
}

}  // namespace

std::string DampedOscillator::text() {
  return R"(cosimo: 1
model: {chain: {masses: 2, mass: [1, 0.7], spring: {c: [100, 80, 60], d: [1, 1.5, 0.8]},
                initial: {x: [1, -0.5], v: [-2, 3]}}}
)";
}

std::string DampedOscillator::described() {
  return "Linear two-mass oscillator cut in the middle: m = 1 and 0.7, c = 100, 80, 60, d = 1, 1.5, 0.8, "
         "x(0) "
         "= 1 and -0.5, v(0) = -2 and 3. The document gives no numbers; ours have no symmetry, and the "
         "coupling is damped.";
}

bool is_order(double observed, double expected) {
  return std::fabs(observed - expected) <= 0.25;
}

bool are_orders(const Orders& o, double pos, double vel, double global) {
  return is_order(o.pos(), pos) && is_order(o.vel(), vel) && is_order(o.glob(), global);
}

OscillatorBench::OscillatorBench(Lab& lab, Span span)
    : lab_(lab),
      simulate_(fmt::format("end: {}, output: {}", span.end, span.end / span.rows)),
      reference_(lab.run("reference", tightly(fmt::format("simulate: {{{}}}\n", simulate_)))) {}

Orders OscillatorBench::measure(std::string_view name, std::string_view couple, int kappa,
                                std::span<const double> steps, const Look& look, std::string_view control) {
  Orders o;
  for (const double H : steps) {
    const Trial trial =
        lab_.run(fmt::format("{}-k{}-H{}", name, kappa, H),
                 tightly(fmt::format("partition: {{parts: 2}}\nsimulate: {{{}, local_error: true}}\n"
                                     "control: {{step: {}, order: {}{}{}}}\ncouple: {{{}}}\n",
                                     simulate_, H, kappa, control.empty() ? "" : ", ", control, couple)));
    const Comparison global = Lab::error(trial, reference_);
    o.H.push_back(H);
    o.local_pos.push_back(trial.report().local_error.value().position);
    o.local_vel.push_back(trial.report().local_error.value().velocity);
    o.global_pos.push_back(global.position);
    o.global_vel.push_back(global.velocity);
    o.global.push_back(global.both);
    if (look) look(trial);
  }
  return o;
}

}  // namespace cosimo::studies
