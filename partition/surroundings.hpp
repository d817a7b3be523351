// Which elements meet at a body, where they lead, and which bodies constraints hold together with it. The
// graph on which overlaps grow.
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
  /// All bodies of its joined group, itself included, ascending; empty in a model without constraints.
  std::span<const BodyId> group_of(BodyId body) const {
    if (group_of_.empty()) return {};
    const auto g = static_cast<std::size_t>(group_of_[body.index()]);
    return std::span(member_).subspan(member_first_[g], member_first_[g + 1] - member_first_[g]);
  }

 private:
  void find_mates(const Model& model);

  std::vector<std::size_t> first_;
  std::vector<Incident> incident_;
  std::vector<std::int32_t> group_of_;  ///< empty without constraints
  std::vector<std::size_t> member_first_;
  std::vector<BodyId> member_;
};

}  // namespace cosimo
