// The stretches of a chain that one rank of a run has reached.
//
// Of a chain that is cut into stretches (model/chain_division.hpp) a rank fills the bodies of its own
// parts and some beyond them, as far as overlaps may reach, and those around all cuts: so every rank judges
// every cut without a message. Work and memory go with the bodies of its own parts. On a rank of its own that
// is the whole chain.
//
// The window owns what is filled: the windowed model (model/model.hpp), its graph, and the numbers that the
// rank gives to parts. All three stay where they are; whoever reads them sees them grow.
//
//   ChainWindow window(ChainGenerator(spec), request);
//   window.open(rank_of_part, rank, 10);             for the parts of that rank
//   Partition partition = window.partition();
//   window.number(local_of_part);
//   window.reach(40);                                later, when nobody reads it
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/lazy_array.hpp"
#include "model/chain.hpp"
#include "model/chain_division.hpp"
#include "parallel/exchange.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

class ChainWindow {
 public:
  /// Nothing is filled yet. Throws Error like divide_chain().
  ChainWindow(ChainGenerator generator, const PartitionRequest& request);
  ChainWindow(const ChainWindow&) = delete;
  ChainWindow& operator=(const ChainWindow&) = delete;
  ~ChainWindow() = default;

  const ChainGenerator& generator() const { return generator_; }
  const ChainDivision& division() const { return division_; }
  const Model& model() const { return model_; }
  const BodyGraph& graph() const { return *graph_; }
  /// Bodies of every part.
  std::vector<double> sizes() const;
  /// From now on the chain is one part.
  void unite();

  /// Fills anew: the parts of a rank and `margin` bodies beyond them, unless all bodies are filled. Throws
  /// Error for a bad mass there.
  void open(std::span<const int> rank_of_part, int rank, std::size_t margin);
  /// All couplings, and the bodies and elements of this rank's parts.
  Partition partition() const;
  /// The number that each part has from now on.
  void number(std::vector<std::int32_t> number_of_part);
  /// Of every body that is filled the number of its part.
  std::span<const std::int32_t> number_of_body() const { return number_of_body_; }
  /// Makes the margin at least that wide.
  void reach(std::size_t margin);

  /// Digest of the whole chain, on rank 0. Collective.
  std::uint64_t hash(Exchange& exchange) const;

 private:
  void number_filled();

  ChainGenerator generator_;
  ChainDivision division_;
  std::vector<char> mine_;  ///< per part
  std::size_t margin_ = 0;
  Model model_;
  std::unique_ptr<BodyGraph> graph_;
  std::vector<std::int32_t> number_of_part_;
  LazyArray<std::int32_t> number_of_body_;
};

}  // namespace cosimo
