// What the benchmark `overlap` runs: the chain of Table 5.9 in two sizes, and settings with the number of
// parts they cut it into.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/scenarios.hpp"

namespace cosimo::bench {

struct Size {
  std::size_t masses;
  double end;
  std::vector<int> parts;        ///< to choose from
  int published_parts, watched;  ///< divisions
  int sweep_rounds, rounds;
  std::vector<std::pair<int, double>> targets;  ///< threads, gain
};

/// The bodies it records tell what happens at all distances from the cuts.
std::string overlap_scenario(const Size& size);

/// A macro step and the layers to go with it.
struct Pair {
  const char* H;
  int layers;  ///< 0: auto
};

/// A run and what it is.
struct Candidate {
  Setting setting;
  int parts = 0;
};

std::string on(int threads);  ///< "2 threads"

Candidate uncut(const char* rtol);
/// H, layers and scheme are chosen by the program; `parts` 0: those, too. `rk`: but for the method.
Candidate defaults(int parts, int threads, bool rk);
Candidate fixed(Pair pair, int parts, int threads);
/// Classic cuts under exCV; `capped`: H at most 5e-7 and kappa 2. That is the published fixed step, which
/// alone does not survive the violent start.
Candidate classic(const char* control, const char* solve, bool capped, int parts, int threads);

}  // namespace cosimo::bench
