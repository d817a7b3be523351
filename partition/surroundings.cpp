#include "partition/surroundings.hpp"

#include <algorithm>

namespace cosimo {

Surroundings::Surroundings(const Model& model) : first_(model.bodies.count + 1, 0) {
  const std::size_t elements = element_count(model);
  const auto acts = [&](std::size_t e) {
    return model.mechanism != nullptr || model.elements.law(ElementId{e}).acts();
  };
  const auto for_ends = [&](auto visit) {
    for (std::size_t e = 0; e < elements; ++e) {
      auto [a, b] = ends_of(model, ElementId{e});
      // Between two points of the same body an element of a mechanism may act, but leads nowhere.
      if (a == b && model.mechanism) b = ground;
      if (a == b || !acts(e)) continue;
      if (a != ground) visit(a, ElementId{e}, b);
      if (b != ground) visit(b, ElementId{e}, a);
    }
  };
  for_ends([&](BodyId body, ElementId, BodyId) { ++first_[body.index() + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  incident_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_ends([&](BodyId body, ElementId element, BodyId other) {
    incident_[next[body.index()]++] = {element, other};
  });
  if (model.mechanism && !model.mechanism->constraints.empty()) find_mates(model);
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
