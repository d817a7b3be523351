// What drive.c does with an exported FMU, done with the scenario itself, and without ever going back:
// native FILE OUTPUT INPUT. An input "-": none.
#include <cstdio>
#include <string>

#include "cosimo/simulation.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  cosimo::RunOptions options;
  options.threads = 1;
  cosimo::Simulation run(cosimo::Scenario::load(argv[1]), options);
  for (int k = 0; k < 32; ++k) {
    if (std::string(argv[3]) != "-") run.set(argv[3], 100.0 * (k / 8));
    if (!run.advance((k + 1) / 64.0).ok) return 1;
    std::printf("%a\n", run.get(argv[2]));
  }
  return 0;
}
