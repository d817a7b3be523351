// The stretches of a chain that one rank of a run builds.
//
// Of a chain that is cut into stretches (model/chain_division.hpp) a rank fills the bodies of its own
// parts and some beyond them, as far as overlaps may reach, and those around all cuts: so every rank judges
// every cut without a message. Work and memory go with the bodies of its own parts. On a rank of its own that
// is the whole chain.
//
//   ChainWindow window(ChainGenerator(spec), request);
//   window.open(model, rank_of_part, rank, 10);             for the parts of that rank
//   Partition partition = window.partition();
//   if (window.widen(model, 40)) ...                        later, when nobody reads the model
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lazy_array.hpp"
#include "model/chain.hpp"
#include "model/chain_division.hpp"
#include "parallel/exchange.hpp"

namespace cosimo {

class ChainWindow {
 public:
  /// Throws Error like divide_chain().
  ChainWindow(ChainGenerator generator, const PartitionRequest& request);

  const ChainGenerator& generator() const { return generator_; }
  const ChainDivision& division() const { return division_; }
  /// Bodies of every part.
  std::vector<double> sizes() const;
  /// From now on the chain is one part.
  void unite();

  /// Makes the model anew, with the parts of a rank and `margin` bodies beyond them, unless it has them all.
  /// Throws Error for a bad mass there.
  void open(Model& model, std::span<const int> rank_of_part, int rank, std::size_t margin);
  /// All couplings, and the bodies and elements of this rank's parts.
  Partition partition() const;
  /// Makes the margin at least that wide. False when it was.
  bool widen(Model& model, std::size_t margin);

  /// Of every body that is filled the number that `number_of_part` gives its part.
  void number(const Model& model, std::span<const std::int32_t> number_of_part,
              LazyArray<std::int32_t>& number_of_body) const;
  /// Digest of the whole chain, on rank 0. Collective.
  std::uint64_t hash(Exchange& exchange, const Model& model) const;

 private:
  ChainGenerator generator_;
  ChainDivision division_;
  std::vector<char> mine_;  ///< per part
  std::size_t margin_ = 0;
};

}  // namespace cosimo
