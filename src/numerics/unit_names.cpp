#include "numerics/unit_names.hpp"

#include <cctype>

#include "numerics/units.hpp"

namespace cosimo {

namespace {

/// Of energy and power: the one that is as large as the product.
std::string one_word(const std::string& product, std::initializer_list<const char*> words) {
  const auto whole = parse_unit(product);
  if (const auto* unit = std::get_if<Unit>(&whole))
    for (const char* word : words)
      if (const Unit named = std::get<Unit>(parse_unit(word));
          named.dimension == unit->dimension && ratio(named, *unit) == 1)
        return word;
  return product;
}

}  // namespace

std::string UnitNames::of(std::string_view dimension) const {
  if (empty() || dimension.empty() || dimension == "1") return {};
  const auto grouped = [](const std::string& name) {
    return name.find_first_of(" /") == std::string::npos ? name : "(" + name + ")";
  };
  if (dimension == "force") return force;
  if (dimension == "mass") return mass;
  if (dimension == "energy") return one_word(grouped(force) + " " + length, {"J", "mJ", "uJ", "kJ"});
  if (dimension == "power")
    return one_word(grouped(force) + " " + length + "/" + time, {"W", "mW", "uW", "kW"});
  std::string out;
  for (std::size_t i = 0; i < dimension.size();) {
    std::size_t end = i;
    while (end < dimension.size() && std::isalpha(static_cast<unsigned char>(dimension[end])) != 0) ++end;
    const std::string_view word = dimension.substr(i, end - i);
    if (word.empty()) {
      out += dimension[i++];
      continue;
    }
    out += word == "length"  ? length
           : word == "mass"  ? grouped(mass)
           : word == "time"  ? time
           : word == "angle" ? angle
           : word == "force" ? grouped(force)
                             : std::string(word);
    i = end;
  }
  return out;
}

}  // namespace cosimo
