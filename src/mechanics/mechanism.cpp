#include "mechanics/mechanism.hpp"

#include "mechanics/element_memory.hpp"

#include <algorithm>

namespace cosimo {

namespace {

template <class Count>
std::vector<std::size_t> offsets(const std::vector<Body>& bodies, Count count) {
  std::vector<std::size_t> first{0};
  for (const Body& body : bodies) first.push_back(first.back() + count(body.kind));
  return first;
}

}  // namespace

std::vector<std::size_t> Mechanism::coordinate_offsets() const {
  return offsets(bodies, coordinates_of);
}

std::vector<Extent> Mechanism::memory_offsets() const {
  std::vector<Extent> first(elements.size() + groups.size() + 1);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const ElementMemory* const memory = elements[e]->memory();
    const Extent own = memory == nullptr ? Extent{} : memory->extent();
    first[e + 1] = {first[e].z + own.z, first[e].s + own.s, first[e].roots + own.roots};
  }
  for (std::size_t g = 0, e = elements.size(); g < groups.size(); ++g, ++e)
    first[e + 1] = {first[e].z, first[e].s + groups[g]->remembers(), first[e].roots};
  return first;
}

const ForceGroup* Mechanism::group_without_gradient() const {
  const auto found = std::ranges::find_if(groups, [](const auto& group) { return !group->has_gradient(); });
  return found == groups.end() ? nullptr : found->get();
}

const ForceGroup* Mechanism::group_with_memory() const {
  const auto found = std::ranges::find_if(groups, [](const auto& group) { return group->remembers() > 0; });
  return found == groups.end() ? nullptr : found->get();
}

BodyId Mechanism::find_body(std::string_view name) const {
  const auto found =
      std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; });
  return found == bodies.end() ? BodyId{} : BodyId{static_cast<std::size_t>(found - bodies.begin())};
}

ElementId Mechanism::find_element(std::string_view name) const {
  const auto found =
      std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e->name == name; });
  return found == elements.end() ? ElementId{}
                                 : ElementId{static_cast<std::size_t>(found - elements.begin())};
}

std::string_view Mechanism::complaint(double since) const {
  for (const auto& element : elements)
    if (const std::string_view text = element->complaint(since); !text.empty()) return text;
  return {};
}

}  // namespace cosimo
