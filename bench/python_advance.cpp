// Processor seconds per Simulation::advance() of one mass on a spring: what bench/python.py is compared with.
#include <cstdio>
#include <cstdlib>
#include <ctime>

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
  const std::clock_t begin = std::clock();
  for (int i = 1; i <= steps; ++i) simulation.advance(i * 1e-3);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("%.9g\n", seconds / steps);
}
