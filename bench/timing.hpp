// Timing on shared, noisy machines: competitors take turns, the best time of each counts.
#pragma once

#include <functional>
#include <vector>

namespace cosimo::bench {

double now();

/// Run every competitor `rounds` times, interleaved; each returns its own seconds. Best of each.
std::vector<double> interleaved(int rounds, const std::vector<std::function<double()>>& competitors);

/// Seconds of one call.
double seconds(const std::function<void()>& work);

}  // namespace cosimo::bench
