// Which bodies are neighbours: an edge for every element that joins two of them. Joints are no edges
// (BodyGraph::groups()).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

class Adjacency {
 public:
  /// `without` (ascending) names elements to leave out.
  explicit Adjacency(const BodyGraph& model, std::span<const ElementId> without = {});

  std::size_t size() const { return first_.size() - 1; }
  /// Ascending; a body appears as often as elements lead to it.
  std::span<const std::int32_t> neighbours(std::size_t body) const {
    return std::span(neighbour_).subspan(first_[body], first_[body + 1] - first_[body]);
  }
  std::size_t degree(std::size_t body) const { return first_[body + 1] - first_[body]; }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> neighbour_;
};

/// Connected component of every body; components are numbered by their smallest body.
struct Components {
  std::vector<std::int32_t> of_body;
  std::size_t count = 0;
};
Components components(const Adjacency& graph);

/// The same over elements and joints: what stays together when the elements `removed` (ascending) are cut and
/// the bodies of every group stay whole.
Components joined_components(const BodyGraph& model, std::span<const std::int32_t> group_of_body,
                             std::span<const ElementId> removed);

}  // namespace cosimo
