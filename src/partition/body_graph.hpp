// The graph of the bodies: an edge for every element that joins two of them. Constraints are no edges: the
// groups of bodies that they hold together are asked for with joined_groups().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "model/model.hpp"

namespace cosimo {

class BodyGraph {
 public:
  /// `without` (ascending) names elements to leave out.
  explicit BodyGraph(const Model& model, std::span<const ElementId> without = {});

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

/// Whether an element joins two different bodies.
inline bool joins_bodies(const ElementEnds& ends) {
  return ends.from != ground && ends.to != ground && ends.from != ends.to;
}
inline bool joins_bodies(const Model& model, ElementId element) {
  return joins_bodies(ends_of(model, element));
}

/// Connected component of every body; components are numbered by their smallest body.
struct Components {
  std::vector<std::int32_t> of_body;
  std::size_t count = 0;
};
Components components(const BodyGraph& graph);

/// The same over elements and joints: what stays together when the elements `removed` (ascending) are cut and
/// the bodies of every group stay whole.
Components joined_components(const Model& model, std::span<const std::int32_t> group_of_body,
                             std::span<const ElementId> removed);

}  // namespace cosimo
