// The chain of `multibody` with compliant joints at the cuts, against the same model uncut.
#pragma once

#include "bench/benchmarks.hpp"

namespace cosimo::bench {

/// Cut into two and four parts; both sides must reach the error (metres) in the last rod.
void cut_chains(double error, const Options& options, Table& table);

}  // namespace cosimo::bench
