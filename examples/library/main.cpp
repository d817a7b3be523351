// Cosimo as a library: a chain cut into four parts, run, and compared with the uncut model.
#include <cosimo/cosimo.hpp>
#include <iostream>

int main() {
  const auto scenario = cosimo::Scenario::parse(
      "{cosimo: 1, simulate: {end: 1.0e-3, output: 1.0e-5}, partition: {parts: 4},"
      " model: {chain: {masses: 1000, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25}, initial: {v: {ramp: [0, "
      "100]}}}}}");
  const auto report = cosimo::run(scenario, {.output_dir = "cut.out"});
  cosimo::run(scenario.uncut(), {.output_dir = "uncut.out"});
  std::cout << report.macro_steps << " macro steps, error " << cosimo::compare("cut.out", "uncut.out").both
            << "\n";
  return report.status == "ok" ? 0 : 1;
}
