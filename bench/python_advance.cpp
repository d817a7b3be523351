// Seconds per Simulation::advance() of one mass on a spring: what bench/python.py is compared with.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "cosimo/simulation.hpp"

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 20000;
  cosimo::RunOptions options;
  options.threads = 1;
  cosimo::Simulation simulation(
      cosimo::Scenario::parse("cosimo: 1\n"
                              "model: {chain: {masses: 1, mass: 1, spring: {c: 1}, initial: {x: 1}}}\n"
                              "simulate: {end: 1.0e9, output: 1.0e9}\n"),
      options);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= steps; ++i) simulation.advance(i * 1e-3);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%.9g\n", seconds / steps);
}
