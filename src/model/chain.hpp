// Generator: the oscillator chain of Section 2.2 (Figure 2.6).
//
// Bodies 1..n, elements 1..n+1; element i joins body i-1 to body i, the first and the
// last join the walls. At a free end there is no wall: the element keeps its place in
// the table, so that labels never shift, but joins the ground to the ground and acts on
// nothing (c = d = C = D = 0 in the documents).
//
// Every random number comes from a stream of its own use ("mass", "c", "x", "load 1
// amplitude", ...), so that adding a load changes no other number of the model.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/load_spec.hpp"
#include "model/model.hpp"

namespace cosimo {

struct ChainSpec {
  std::size_t masses = 0;
  Sequence mass = 1.0;
  Sequence c = 0.0, d = 0.0, C = 0.0, D = 0.0;  ///< masses + 1 entries when lists
  double ex = 3, ev = 3;
  Sequence x = 0.0, v = 0.0;
  std::array<End, 2> ends{End::fixed, End::fixed};
  std::uint64_t seed = 0;
  std::vector<LoadSpec> loads{};
};

class ChainLoads;

/// Makes the chain, or stretches of it: a *windowed* model (model/model.hpp) with the numbers of the whole in
/// which the bodies asked for, the elements that touch them and the loads on them are filled. Every number is
/// the one that the whole chain has there, so that ranks need not agree on anything.
///
///   ChainGenerator generator(spec);
///   Model model = generator.make({first, last});
///   generator.extend(model, {first - 30, last + 30});        later, when no other thread reads the model
///
/// Work and memory go with the bodies filled, except that loads on a random fraction of the bodies cost two
/// passes over the random numbers of all, once.
class ChainGenerator {
 public:
  /// Throws Error (fields of `model.chain`, no file position) when listed values make no model: an exponent
  /// that is not positive, a body that does not exist.
  explicit ChainGenerator(ChainSpec spec);
  ChainGenerator(ChainGenerator&&) noexcept;
  ChainGenerator& operator=(ChainGenerator&&) noexcept;
  ~ChainGenerator();

  const ChainSpec& spec() const { return *spec_; }

  /// Throw Error for a mass that is not positive among the bodies filled.
  Model make() const;
  Model make(Range bodies) const;
  /// Fills these bodies too, next to those that are filled or apart from them.
  void extend(Model& model, Range bodies) const;
  void extend(Model& model, std::span<const Range> bodies) const;

  /// Of the loads on all bodies.
  std::vector<double> breakpoints() const;

  /// Hashes of one rank's share of the blocks (model/model_hash.hpp): those of all ranks in a row are the
  /// hashes of all blocks. What `held` has not filled is made block after block and forgotten.
  std::vector<std::uint64_t> hash_share(std::size_t rank, std::size_t ranks, const Model& held) const;
  /// hash(make()) from the hashes of all blocks.
  std::uint64_t hash(std::span<const std::uint64_t> blocks) const;

 private:
  class Writer;
  void fill_bodies(Bodies& bodies, Range gap) const;
  void fill_elements(SpringDampers& elements, Range touching) const;

  std::unique_ptr<const ChainSpec> spec_;
  std::unique_ptr<const ChainLoads> loads_;
};

/// The whole chain. Element labels of the generated model are those of the file: label == index + 1 for all
/// of the masses + 1 elements, with free ends too. Throws Error like ChainGenerator.
Model make_chain(const ChainSpec& spec);

}  // namespace cosimo
