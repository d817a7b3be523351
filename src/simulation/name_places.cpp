#include "simulation/name_places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/nearest.hpp"

namespace cosimo {

NamePlaces::NamePlaces(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) places_.emplace(names[i], i);
}

std::size_t NamePlaces::place(std::string_view name, std::string_view all) const {
  const auto found = places_.find(std::string(name));
  if (found != places_.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [each, place] : places_) known.push_back(each);
  std::sort(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return places_.at(std::string(a)) < places_.at(std::string(b));
  });
  const std::string_view best = nearest(name, known);
  throw Error(Fault{
      .field = "variable",
      .value = std::string(name),
      .problem = "there is no such variable",
      .remedy = best.empty() ? fmt::format("{} lists them", all) : fmt::format("did you mean {}?", best)});
}

}  // namespace cosimo
