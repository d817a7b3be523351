// Cutting a chain without looking at its bodies: every part is a stretch of them, and so where the parts
// begin says it all. Gives what make_partition() gives for the whole chain, for methods `equal` and `manual`,
// with work that goes with the number of parts and the bodies of those that are wanted.
//
//   ChainDivision division = divide_chain(spec, request);
//   division.part_of(body);  division.bodies(part);
//   const auto mine = [&](std::size_t part) { return owner[part] == rank; };
//   Partition partition = make_partition(division, mine);
//   generator.extend(model, division.around_parts(mine, margin));
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "core/ids.hpp"
#include "model/chain.hpp"
#include "partition/part.hpp"
#include "partition/partition.hpp"

namespace cosimo {

class ChainDivision {
 public:
  /// `begin`: the first body of every part, ascending from 0.
  ChainDivision(std::vector<std::size_t> begin, std::size_t bodies, std::array<End, 2> ends);

  std::size_t parts() const { return begin_.size() - 1; }
  std::size_t body_count() const { return begin_.back(); }
  Range bodies(std::size_t part) const { return {begin_[part], begin_[part + 1]}; }
  PartId part_of(BodyId body) const;
  /// The bodies of the wanted parts and `margin` more on either side.
  std::vector<Range> around_parts(const std::function<bool(std::size_t part)>& wanted,
                                  std::size_t margin) const;
  /// The bodies at most `reach` away from one that stands at a cut; 0: just those at the cuts.
  std::vector<Range> around_cuts(std::size_t reach) const;
  /// Whether an element joins the ground to the ground: it has lost its wall.
  bool is_loose(ElementId element) const;

 private:
  Range widened(Range bodies, std::size_t margin) const;

  std::vector<std::size_t> begin_;  ///< of every part, and the number of bodies
  std::array<End, 2> ends_;
};

/// Whether divide_chain() can do it; the other methods need the graph of all bodies.
inline bool divides_chain(CutMethod method) {
  return method == CutMethod::equal || method == CutMethod::manual;
}

/// Throws Error as make_partition() does.
ChainDivision divide_chain(const ChainSpec& spec, const PartitionRequest& request);

/// All couplings, but bodies and elements of the wanted parts only. The others have none, and tell by the
/// size of `owned` how many bodies they would have.
Partition make_partition(const ChainDivision& division, const std::function<bool(std::size_t part)>& wanted);

}  // namespace cosimo
