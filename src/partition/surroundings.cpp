#include "partition/surroundings.hpp"

#include <algorithm>
#include <utility>

#include "mechanics/mechanism.hpp"

namespace cosimo {

Surroundings::Surroundings(const Model& model) : bodies_(model.bodies.count) {
  const Range all_bodies{0, model.bodies.count}, all_elements{0, element_count(model)};
  const auto& bodies = model.bodies.filled;
  const auto& elements = model.elements.filled;
  std::size_t known = 0;
  for (const Range range : bodies ? bodies->ranges() : std::span(&all_bodies, 1)) {
    Stretch stretch{range, known};
    known += range.size();
    if (range.size() > longest_.bodies.size()) std::swap(stretch, longest_);
    if (stretch.bodies.size() > 0) others_.push_back(stretch);
  }
  std::sort(others_.begin(), others_.end(),
            [](const Stretch& a, const Stretch& b) { return a.bodies.first < b.bodies.first; });
  const auto acts = [&](std::size_t e) {
    return model.mechanism != nullptr || model.elements.law(ElementId{e}).acts();
  };
  const auto for_ends = [&](auto visit) {
    for (const Range rows : elements ? elements->ranges() : std::span(&all_elements, 1))
      for (std::size_t e = rows.first; e < rows.last; ++e) {
        auto [a, b] = ends_of(model, ElementId{e});
        // Between two points of the same body an element of a mechanism may act, but leads nowhere.
        if (a == b && model.mechanism) b = ground;
        if (a == b || !acts(e)) continue;
        for (const auto& [body, other] : {std::pair(a, b), std::pair(b, a)})
          if (const std::size_t i = body == ground ? unknown : place(body.index()); i != unknown)
            visit(i, ElementId{e}, other);
      }
  };
  first_.assign(known + 1, 0);
  for_ends([&](std::size_t i, ElementId, BodyId) { ++first_[i + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  incident_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_ends([&](std::size_t i, ElementId element, BodyId other) { incident_[next[i]++] = {element, other}; });
  if (model.mechanism && !model.mechanism->constraints.empty()) find_mates(model);
}

std::size_t Surroundings::rare_place(std::size_t body) const {
  const auto after =
      std::upper_bound(others_.begin(), others_.end(), body,
                       [](std::size_t b, const Stretch& stretch) { return b < stretch.bodies.first; });
  if (after == others_.begin()) return unknown;
  const Stretch& stretch = *(after - 1);
  return body < stretch.bodies.last ? stretch.place + (body - stretch.bodies.first) : unknown;
}

void Surroundings::find_mates(const Model& model) {
  group_of_ = joined_groups(model);
  const auto groups =
      group_of_.empty() ? std::int32_t{0} : *std::max_element(group_of_.begin(), group_of_.end()) + 1;
  member_first_.assign(static_cast<std::size_t>(groups) + 1, 0);
  for (const std::int32_t g : group_of_) ++member_first_[static_cast<std::size_t>(g) + 1];
  for (std::size_t g = 1; g < member_first_.size(); ++g) member_first_[g] += member_first_[g - 1];
  member_.resize(group_of_.size());
  std::vector<std::size_t> next(member_first_.begin(), member_first_.end() - 1);
  for (std::size_t i = 0; i < group_of_.size(); ++i)
    member_[next[static_cast<std::size_t>(group_of_[i])]++] = BodyId{i};
}

}  // namespace cosimo
