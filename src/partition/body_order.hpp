// In which order a part keeps its bodies. Results do not show it; speed does.
//
// Elements whose ends lie a distance apart that many elements have are evaluated side by side in vectors
// (model/spring_slices.hpp). Users' numbers often have that order: chains, the rows and columns of lattices.
// Otherwise a cover by paths brings as many neighbours together as there are in a tree
// (partition/path_cover.hpp). What has neither, as a network in space or a list in random order, is numbered
// anew by the method of Cuthill and McKee, reversed: elements are short then, and what one needs is in the
// cache already when it is read.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "partition/adjacency.hpp"
#include "partition/path_cover.hpp"

namespace cosimo {

/// Keeps its work arrays, as long as the model, from part to part.
class BodyOrder {
 public:
  /// `renumber`: whether bodies may be numbered anew; where joints hold bodies together it is better not to.
  BodyOrder(const Adjacency& graph, bool renumber);

  /// `bodies` ascending and distinct.
  std::vector<BodyId> order(std::vector<BodyId> bodies);

 private:
  struct Layout {
    double regular = 1;   ///< share of the elements at distances that many elements have
    double distance = 0;  ///< mean distance of their ends
  };
  Layout judge(const std::vector<BodyId>& bodies);
  std::vector<BodyId> cuthill_mckee(const std::vector<BodyId>& bodies);
  std::int32_t far_end(std::int32_t start);
  void search(std::int32_t start, std::vector<std::int32_t>& found);

  const Adjacency& graph_;
  bool renumber_;
  PathCover cover_;
  static constexpr std::int32_t none = -1;
  std::vector<std::int32_t> place_;  ///< of every body in the order that is judged; none: not in this part
  std::vector<std::int32_t> level_;  ///< in a search; none: not found
};

}  // namespace cosimo
