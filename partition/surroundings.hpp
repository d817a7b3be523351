// Which elements meet at a body, and where they lead. The graph on which overlaps grow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.hpp"

namespace cosimo {

/// An element seen from one of its bodies.
struct Incident {
  ElementId element;
  BodyId other;  ///< may be the ground
};

class Surroundings {
 public:
  explicit Surroundings(const Model& model);

  std::size_t size() const { return first_.size() - 1; }
  /// In the order of the elements.
  std::span<const Incident> of(BodyId body) const {
    const std::size_t i = body.index();
    return std::span(incident_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Incident> incident_;
};

}  // namespace cosimo
