// Which of the processors that vector kernels are compiled for (numerics/pack_targets.hpp) the program uses:
// the best one that this machine is, unless a test or a benchmark wants another.
#pragma once

#include <string>
#include <vector>

namespace cosimo {

/// All that this machine can stand for, the best first: "AVX3", "AVX2", ...
std::vector<std::string> pack_choices();
/// One of them until the next call; empty: the best. While no kernel runs.
void choose_packs(const std::string& name = {});

}  // namespace cosimo
