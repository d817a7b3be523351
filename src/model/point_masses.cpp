#include "model/point_masses.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "mechanics/mechanism.hpp"
#include "model/chain_loads.hpp"

namespace cosimo {

std::vector<double> all_numbers(const Sequence& sequence, std::size_t n, std::uint64_t seed,
                                std::string_view use) {
  std::vector<double> values = expand(sequence, n, named_stream(seed, use));
  if (values.size() == 1) values.assign(n, values.front());
  return values;
}

void check_masses(const std::vector<double>& mass, const std::string& field) {
  const auto bad =
      std::find_if(mass.begin(), mass.end(), [](double m) { return !(m > 0) || !std::isfinite(m); });
  if (bad != mass.end())
    throw Error(
        Fault{.field = field,
              .value = std::to_string(*bad),
              .problem = "the mass of body " + std::to_string(bad - mass.begin() + 1) + " is not positive",
              .remedy = "give every body a mass above zero"});
}

BodyKind point_kind(std::size_t dimensions) {
  return dimensions == 3 ? BodyKind::point3 : BodyKind::point2;
}

Vec3 vector_at(const std::vector<double>& values, std::size_t i, std::size_t dimensions) {
  Vec3 result = Vec3::Zero();
  for (std::size_t k = 0; k < dimensions; ++k)
    result[static_cast<Eigen::Index>(k)] = values[i * dimensions + k];
  return result;
}

}  // namespace cosimo
