// The nearest of many points, each found in time that does not grow with their number.
//
//   const Cubes cubes(places, 12);       // about 12 to a cube
//   cubes.nearest(i, 12, found);         // the 12 nearest of places[i]
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mechanics/space.hpp"

namespace cosimo {

/// Two points and their distance, a < b.
struct NearPair {
  double distance2 = 0;
  std::size_t a = 0, b = 0;
  auto operator<=>(const NearPair&) const = default;
};

/// Points by the cube of space that they lie in: the nearest of one are in the cubes around it.
class Cubes {
 public:
  Cubes(const std::vector<Vec3>& places, std::size_t in_each) : places_(places) {
    for (const Vec3& place : places) {
      low_ = low_.cwiseMin(place);
      high_ = high_.cwiseMax(place);
    }
    const auto dimensions = ((high_ - low_).array() > 0).count();
    const double cubes = static_cast<double>(places.size()) / static_cast<double>(in_each);
    const double along =
        std::pow(std::max(1.0, cubes), 1.0 / static_cast<double>(std::max<Eigen::Index>(1, dimensions)));
    edge_ = (high_ - low_).maxCoeff() / std::floor(along);
    for (std::size_t axis = 0; axis < 3; ++axis) count_[axis] = number(high_, axis) + 1;
    members_.resize(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]));
    for (std::size_t i = 0; i < places.size(); ++i)
      members_[index(number(places[i], 0), number(places[i], 1), number(places[i], 2))].push_back(i);
  }

  /// The `wanted` nearest of point i, nearest first.
  void nearest(std::size_t i, std::size_t wanted, std::vector<NearPair>& found) const {
    for (int reach = 1;; reach *= 2) {
      found.clear();
      const bool all = look(i, reach, found);
      const std::size_t kept = std::min(wanted, found.size());
      std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end());
      found.resize(kept);
      // Beyond the cubes looked at, nothing is nearer than `reach` edges.
      const double sure = reach * edge_;
      if (all || (kept == wanted && found.back().distance2 < sure * sure)) return;
    }
  }

 private:
  std::int64_t number(const Vec3& place, std::size_t axis) const {
    const auto a = static_cast<Eigen::Index>(axis);
    return edge_ > 0 && std::isfinite(edge_) ? static_cast<std::int64_t>((place[a] - low_[a]) / edge_) : 0;
  }
  std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>(x + count_[0] * (y + count_[1] * z));
  }
  /// All points in the cubes up to `reach` around that of point i. True: these are all there are.
  bool look(std::size_t i, std::int64_t reach, std::vector<NearPair>& found) const {
    std::array<std::int64_t, 3> from{}, to{};
    bool all = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t here = number(places_[i], axis);
      from[axis] = std::max<std::int64_t>(0, here - reach);
      to[axis] = std::min(count_[axis] - 1, here + reach);
      all = all && from[axis] == 0 && to[axis] == count_[axis] - 1;
    }
    for (std::int64_t z = from[2]; z <= to[2]; ++z)
      for (std::int64_t y = from[1]; y <= to[1]; ++y)
        for (std::int64_t x = from[0]; x <= to[0]; ++x)
          for (const std::size_t j : members_[index(x, y, z)])
            if (j != i)
              found.push_back({(places_[i] - places_[j]).squaredNorm(), std::min(i, j), std::max(i, j)});
    return all;
  }

  const std::vector<Vec3>& places_;
  Vec3 low_ = Vec3::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;
  double edge_ = 0;
  std::array<std::int64_t, 3> count_{};
  std::vector<std::vector<std::size_t>> members_;
};

}  // namespace cosimo
