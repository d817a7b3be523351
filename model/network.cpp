#include "model/network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "mechanics/builder.hpp"
#include "model/point_masses.hpp"

namespace cosimo {

namespace {

struct Joined {
  BodyId from, to;
};

struct Pair {
  double distance2 = 0;
  std::size_t a = 0, b = 0;
  auto operator<=>(const Pair&) const = default;
};

/// Sets of masses that are connected already.
class Pieces {
 public:
  explicit Pieces(std::size_t n) : up_(n) { std::iota(up_.begin(), up_.end(), std::size_t{0}); }
  std::size_t of(std::size_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  /// False when they were connected before.
  bool join(std::size_t a, std::size_t b) {
    const std::size_t u = of(a), w = of(b);
    up_[std::max(u, w)] = std::min(u, w);
    return u != w;
  }

 private:
  std::vector<std::size_t> up_;
};

/// Masses by the cube of space that they lie in, some to a cube: the nearest of one are in the cubes around
/// it.
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

  /// The `wanted` nearest of mass i, nearest first.
  void nearest(std::size_t i, std::size_t wanted, std::vector<Pair>& found) const {
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
  /// All masses in the cubes up to `reach` around that of mass i. True: these are all there are.
  bool look(std::size_t i, std::int64_t reach, std::vector<Pair>& found) const {
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

/// Every pair among the nearest of one of its masses, shortest first.
std::vector<Pair> near_pairs(const std::vector<Vec3>& places, std::size_t nearest) {
  const Cubes cubes(places, nearest);
  std::vector<Pair> pairs, own;
  for (std::size_t i = 0; i < places.size(); ++i) {
    cubes.nearest(i, nearest, own);
    pairs.insert(pairs.end(), own.begin(), own.end());
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

/// The shortest pairs that connect everything, and then the shortest others until there are `wanted`.
std::vector<Joined> network_pairs(const std::vector<Vec3>& places, double neighbours) {
  const std::size_t n = places.size();
  const auto wanted = static_cast<std::size_t>(std::lround(0.5 * neighbours * static_cast<double>(n)));
  const std::vector<Pair> near = near_pairs(places, static_cast<std::size_t>(2 * neighbours) + 4);
  std::vector<std::pair<std::size_t, std::size_t>> chosen;
  std::vector<bool> taken(near.size(), false);
  Pieces pieces(n);
  for (std::size_t k = 0; k < near.size(); ++k)
    if (pieces.join(near[k].a, near[k].b)) {
      taken[k] = true;
      chosen.push_back({near[k].a, near[k].b});
    }
  for (std::size_t i = 1; i < n;
       ++i) {  // pieces far from each other: to the nearest mass with a smaller number
    if (pieces.of(i) != i) continue;
    std::size_t best = 0;
    for (std::size_t j = 1; j < i; ++j)
      if ((places[i] - places[j]).squaredNorm() < (places[i] - places[best]).squaredNorm()) best = j;
    pieces.join(best, i);
    chosen.push_back({best, i});
  }
  for (std::size_t k = 0; k < near.size() && chosen.size() < wanted; ++k)
    if (!taken[k]) chosen.push_back({near[k].a, near[k].b});
  std::sort(chosen.begin(), chosen.end());
  std::vector<Joined> result;
  for (const auto& [a, b] : chosen) result.push_back({BodyId(a), BodyId(b)});
  return result;
}

/// The masses with the smallest random numbers.
std::vector<std::size_t> random_choice(std::size_t n, std::size_t wanted, std::uint64_t seed) {
  const auto chance = all_numbers(Uniform{0, 1}, n, seed, "fixed");
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return chance[a] < chance[b]; });
  order.resize(std::min(wanted, n));
  return order;
}

}  // namespace

Model make_network(const NetworkSpec& spec) {
  const std::size_t n = spec.masses, dimensions = spec.dimensions;
  const auto mass = all_numbers(spec.mass, n, spec.seed, "mass");
  check_masses(mass, "model.network.mass");
  const auto place = all_numbers(Uniform{-spec.radius, spec.radius}, n * dimensions, spec.seed, "place");
  const auto v = all_numbers(spec.v, n * dimensions, spec.seed, "v");
  MechanismBuilder builder;
  builder.gravity(-spec.gravity * Vec3::Unit(static_cast<Eigen::Index>(dimensions) - 1));
  std::vector<Vec3> places;
  for (std::size_t i = 0; i < n; ++i) {
    Frame frame;
    frame.r = vector_at(place, i, dimensions);
    frame.v = vector_at(v, i, dimensions);
    places.push_back(frame.r);
    builder.add({.name = "mass" + std::to_string(i + 1), .kind = point_kind(dimensions), .mass = mass[i]},
                frame);
  }
  const std::vector<Joined> pairs = network_pairs(places, spec.neighbours);
  const std::vector<std::size_t> held = random_choice(n, spec.fixed, spec.seed);
  const auto c = all_numbers(spec.c, pairs.size() + held.size(), spec.seed, "c");
  const auto d = all_numbers(spec.d, pairs.size() + held.size(), spec.seed, "d");
  const auto spring = [&](std::size_t e, const Marker& from, const Marker& to, double length) {
    builder.add(make_spring("spring" + std::to_string(e + 1), from, to,
                            {.law = {.c = c[e], .d = d[e]}, .length = length, .vector_damping = true}));
  };
  for (std::size_t e = 0; e < pairs.size(); ++e)
    spring(e, {.body = pairs[e].from}, {.body = pairs[e].to},
           (places[pairs[e].from.index()] - places[pairs[e].to.index()]).norm());
  for (std::size_t k = 0; k < held.size(); ++k)
    spring(pairs.size() + k, {.point = places[held[k]]}, {.body = BodyId(held[k])}, 0);
  PlacedMechanism made = builder.finish();
  return make_model(std::move(made.mechanism), std::move(made.q), std::move(made.v));
}

}  // namespace cosimo
