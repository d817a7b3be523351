#include "model/network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "mechanics/builder.hpp"
#include "model/cubes.hpp"
#include "model/point_masses.hpp"

namespace cosimo {

namespace {

struct Joined {
  BodyId from, to;
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

/// Every pair among the nearest of one of its masses, shortest first.
std::vector<NearPair> near_pairs(const std::vector<Vec3>& places, std::size_t nearest) {
  const Cubes cubes(places, nearest);
  std::vector<NearPair> pairs, own;
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
  const std::vector<NearPair> near = near_pairs(places, static_cast<std::size_t>(2 * neighbours) + 4);
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
  result.reserve(chosen.size());
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
  return make_model(std::move(made.mechanism), made.q, made.v);
}

}  // namespace cosimo
