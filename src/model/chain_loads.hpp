// The loads of a generated chain: which bodies, with which numbers. Used by the generators.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/digest.hpp"
#include "core/random.hpp"
#include "model/chain.hpp"
#include "model/chosen_bodies.hpp"

namespace cosimo {

/// The random stream of one use, named by words instead of numbers.
constexpr RandomStream named_stream(std::uint64_t seed, std::string_view use) {
  return {seed, digest(use)};
}

/// Knows which bodies every load acts on, and makes the loads of any range of them.
class ChainLoads {
 public:
  /// Uses masses, seed and loads of the specification, which must outlive it. Throws Error for loads that do
  /// not fit the bodies.
  explicit ChainLoads(const ChainSpec& spec);

  /// Adds the loads on ranges of bodies, ascending, that have none in the tables yet. The tables stay sorted
  /// by body; on one body the loads stand in the order of `spec.loads`, impulses of one load in the order of
  /// their start times.
  void add(std::span<const Range> bodies, Loads& loads) const;

  /// Those of all loads on all bodies (breakpoints(loads)).
  std::vector<double> breakpoints() const;

 private:
  const ChainSpec& spec_;
  std::vector<ChosenBodies> chosen_;  ///< one per load
};

/// All loads of the specification.
Loads make_chain_loads(const ChainSpec& spec);

}  // namespace cosimo
