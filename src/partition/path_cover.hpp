// Orders the bodies of a part so that as many elements as possible join neighbours in
// the order: those are evaluated in vectorised runs (model/links.hpp).
//
// That is a path cover of the part's graph. On a tree the cover with the fewest paths
// follows from the leaves upwards: a body continues the open path of one child, or
// joins the open paths of two and closes them to its parent. Cycles are opened by a
// depth-first search first, which leaves long branches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "partition/adjacency.hpp"

namespace cosimo {

/// Keeps its work arrays, as long as the model, from part to part.
class PathCover {
 public:
  explicit PathCover(const Adjacency& graph);

  /// `bodies` ascending and distinct; returns them ascending when every element among them already joins
  /// neighbours, otherwise path after path. Paths come in the order of their smallest body and begin
  /// with the smaller of their two ends.
  std::vector<BodyId> order(std::vector<BodyId> bodies);

 private:
  bool already_path(std::span<const BodyId> bodies) const;
  void search_depth_first(std::size_t root, std::vector<std::int32_t>& visited);
  void join_paths(std::span<const std::int32_t> visited);
  void emit(std::span<const BodyId> bodies, std::vector<BodyId>& out);

  static constexpr std::int32_t none = -1;
  struct Node {
    std::int32_t position = none;         ///< in the ascending list; none: not in this part
    std::int32_t parent = none;           ///< in the depth-first tree
    std::int32_t side[2] = {none, none};  ///< neighbours along the path
    bool seen = false;
    bool emitted = false;
  };
  const Adjacency& graph_;
  std::vector<Node> node_;
};

}  // namespace cosimo
