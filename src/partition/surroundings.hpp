// Which elements meet at a body, where they lead, and which bodies constraints hold together with it. The
// graph on which overlaps grow.
//
// Of a windowed model (model/model.hpp) it knows the bodies that are filled, with work and memory for these;
// to ask for another is an error, because a halo that ends where knowledge ends would be wrong. When the
// model was extended, assign anew: surroundings = Surroundings(model).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/check.hpp"
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

  /// Bodies of the model, known or not.
  std::size_t size() const { return bodies_; }
  bool knows(BodyId body) const { return place(body.index()) != unknown; }
  /// In the order of the elements.
  std::span<const Incident> of(BodyId body) const {
    const std::size_t i = place(body.index());
    COSIMO_CHECK(i != unknown, "the surroundings of a body that is not filled");
    return std::span(incident_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  /// All bodies of its joined group, itself included, ascending; empty in a model without constraints.
  std::span<const BodyId> group_of(BodyId body) const {
    if (group_of_.empty()) return {};
    const auto g = static_cast<std::size_t>(group_of_[body.index()]);
    return std::span(member_).subspan(member_first_[g], member_first_[g + 1] - member_first_[g]);
  }

 private:
  /// Bodies that are known, and the place of the first among all of them.
  struct Stretch {
    Range bodies;
    std::size_t place = 0;
  };
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

  std::size_t place(std::size_t body) const {
    const bool common = body >= longest_.bodies.first && body < longest_.bodies.last;
    return common ? longest_.place + (body - longest_.bodies.first) : rare_place(body);
  }
  std::size_t rare_place(std::size_t body) const;
  void find_mates(const Model& model);

  std::size_t bodies_;
  Stretch longest_;
  std::vector<Stretch> others_;  ///< ascending
  std::vector<std::size_t> first_;
  std::vector<Incident> incident_;
  std::vector<std::int32_t> group_of_;  ///< empty without constraints
  std::vector<std::size_t> member_first_;
  std::vector<BodyId> member_;
};

}  // namespace cosimo
