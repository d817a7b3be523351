// Reproducible random numbers: counter-based (Philox 4x32-10), so that entry i of
// a stream is the same on every machine, for every partition and every number of
// threads or ranks, and costs the same wherever it is drawn first.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011. The seed is the key; index and stream are the two halves of the counter.
#pragma once

#include <array>
#include <cstdint>

namespace cosimo {

/// Ten rounds of Philox 4x32: 128 random bits, a bijection of the counter for every key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

class RandomStream {
 public:
  /// `seed` comes from the scenario file, `stream` names the use ("x0", "v0", a load's amplitude).
  constexpr RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  /// Uniform in [0, 1), 53 random bits.
  double uniform(std::uint64_t index) const;
  double uniform(std::uint64_t index, double low, double high) const {
    return low + (high - low) * uniform(index);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace cosimo
