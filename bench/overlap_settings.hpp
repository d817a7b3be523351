// What the benchmark `overlap` runs: settings with the number of parts they cut the model into.
#pragma once

#include <string>

#include "bench/scenarios.hpp"

namespace cosimo::bench {

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
