#include "scheme/halos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/cone.hpp"
#include "scheme/batch.hpp"

namespace cosimo {

namespace {

/// A halo that has this much too much besides its reserve is made anew.
constexpr double spare = 4.0;

Medium mean(std::span<const Medium> media) {
  Medium sum;
  for (const Medium& m : media) {
    sum.omega2 += m.omega2;
    sum.mu += m.mu;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(1, media.size()));
  return {sum.omega2 / n, sum.mu / n};
}

/// How far the overlap behind every root reaches: to its far edge, or where everything is carried, to its
/// last copy.
std::vector<double> extents(const Halo& halo) {
  std::vector<double> result;
  for (const HaloSide& side : halo.sides) result.push_back(std::isinf(side.distance) ? 0 : side.distance);
  for (const HaloCopy& copy : halo.copies) {
    const auto root = static_cast<std::size_t>(copy.root);
    if (std::isinf(halo.sides[root].distance) && std::isfinite(copy.distance))
      result[root] = std::max(result[root], copy.distance);
  }
  return result;
}

bool same_copies(const Halo& a, const Halo& b) {
  return std::equal(a.copies.begin(), a.copies.end(), b.copies.begin(), b.copies.end(),
                    [](const HaloCopy& x, const HaloCopy& y) { return x.body == y.body; });
}

}  // namespace

Halos::Halos(const OverlapModel& model, std::span<const OverlapSide> sides, const Ghosts& ghosts,
             std::optional<int> layers, Pool& pool)
    : physics_(model.physics),
      graph_(model.physics.graph()),
      part_of_(model.part_of),
      sides_(sides),
      ghosts_(ghosts),
      fixed_(layers),
      pool_(pool),
      parts_(sides.size()) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<Medium> media;
    for (const OverlapPort& port : sides_[p].ports) {
      parts_[p].roots.push_back({port.body, port.beyond, 0});
      media.push_back(medium(port.body));
      media.push_back(medium(port.beyond));
    }
    parts_[p].bare.resize(sides_[p].ports.size());
    parts_[p].typical = mean(media);
  }
}

Medium Halos::medium(BodyId body) const {
  const BodyStates& states = physics_.states();
  return physics_.medium(body, states.x(), states.v());
}

void Halos::leave_bare(std::size_t part, std::size_t port) {
  parts_[part].bare[port] = true;
}

bool Halos::fit(double H, const Level& level, bool again) {
  auto task = [&](std::size_t p) {
    if (!again || parts_[p].missing) fit_part(p, H, level);
  };
  pool_.run(parts_.size(), task, batch::growing);
  return std::none_of(parts_.begin(), parts_.end(), [](const PartHalo& p) { return p.missing; });
}

void Halos::fit_part(std::size_t part, double H, const Level& level) {
  parts_[part].missing = false;
  PartHalo p = parts_[part];  // a repetition must find everything as it was
  const auto& ports = sides_[part].ports;
  const double highest = highest_level(part, level);
  p.s = best_rate(p.typical, H, highest);

  std::vector<Medium> seen;
  const DecayAt theta = [&](BodyId body) {
    if (!ghosts_.known(body)) {
      p.missing = true;
      return std::numeric_limits<double>::infinity();
    }
    seen.push_back(medium(body));
    return decay(seen.back(), p.s);
  };
  const auto done = [&] {
    if (p.missing)
      parts_[part].missing = true;
    else
      parts_[part] = std::move(p);
  };
  const auto needed = [&](std::size_t r) { return p.s * H + level(ports[r].coupling); };
  bool enough = p.grown, wasteful = false;
  if (p.grown) {
    measure_halo(graph_, p.roots, theta, p.halo);
    const std::vector<double> extent = extents(p.halo);
    for (std::size_t r = 0; r < ports.size(); ++r) {
      if (p.bare[r]) continue;
      enough &= p.halo.sides[r].distance >= needed(r) || fixed_;
      wasteful |= !fixed_ && extent[r] > needed(r) + halo_reserve + spare;
    }
    if (!seen.empty()) p.typical = mean(seen);
  }
  if (p.missing || (enough && !wasteful)) return done();

  for (std::size_t r = 0; r < ports.size(); ++r)
    p.roots[r].radius = p.bare[r] ? 0 : fixed_ ? *fixed_ : std::max(needed(r) + halo_reserve, 1e-3);
  const auto owned = [&](BodyId body) { return part_of_[body.index()] == static_cast<std::int32_t>(part); };
  const DecayAt one = [](BodyId) { return 1.0; };
  Halo halo = grow_halo(graph_, owned, p.roots, fixed_ ? one : theta);
  if (fixed_) measure_halo(graph_, p.roots, theta, halo);
  if (p.missing) return done();
  if (!seen.empty()) p.typical = mean(seen);
  // New equations cost as much as these bodies less in all micro steps up to the next review save.
  const std::size_t worth_while = sides_[part].bodies / 40;
  if (enough && halo.copies.size() + worth_while >= p.halo.copies.size()) return done();
  p.fitted_step = H;
  p.fitted_level = highest;
  if (p.grown && same_copies(halo, p.halo))
    p.halo = std::move(halo);
  else
    use(part, p, std::move(halo));
  done();
}

std::vector<BodyId> Halos::foreign_bodies() const {
  std::vector<BodyId> result;
  const auto add = [&](BodyId body) {
    if (body != ground && !ghosts_.own(body)) result.push_back(body);
  };
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (const HaloRoot& root : parts_[p].roots) add(root.beyond);
    for (const HaloCopy& copy : parts_[p].halo.copies) {
      add(copy.body);
      for (const Incident& i : graph_.around(copy.body)) add(i.other);
    }
  }
  return result;
}

void Halos::use(std::size_t part, PartHalo& p, Halo halo) {
  p.halo = std::move(halo);
  p.grown = true;
  Copying& lane = *sides_[part].lane;
  lane.carry(std::make_shared<const OverlappingPart>(cosimo::carry(graph_, lane.core(), p.halo)));
}

Halo Halos::measured(std::size_t part, std::span<const double> x, std::span<const double> v) const {
  const PartHalo& p = parts_[part];
  Halo halo = p.halo;
  const DecayAt theta = [&](BodyId body) { return decay(physics_.medium(body, x, v), p.s); };
  measure_halo(graph_, p.roots, theta, halo);
  return halo;
}

void Halos::archive(Archive& a, std::size_t part) {
  PartHalo& p = parts_[part];
  a.section("halo");
  for (HaloRoot& root : p.roots) a(root.radius);
  a(p.s, p.typical.omega2, p.typical.mu, p.fitted_step, p.fitted_level, p.grown);
  std::size_t copies = p.halo.copies.size();
  a(copies, p.halo.edges);
  p.halo.copies.resize(copies);
  for (HaloCopy& copy : p.halo.copies) a(copy.body, copy.layer, copy.distance, copy.root);
  std::size_t sides = p.halo.sides.size();
  a(sides);
  p.halo.sides.resize(sides);
  for (HaloSide& side : p.halo.sides) a(side.layers, side.distance);
}

double Halos::exponent(std::size_t part, std::size_t port, double H) const {
  return parts_[part].s * H - parts_[part].halo.sides[port].distance;
}

int Halos::layers(std::size_t part, std::size_t port) const {
  return parts_[part].grown ? parts_[part].halo.sides[port].layers : 0;
}

double Halos::predicted_copies(std::size_t part, double H, const Level& level) const {
  const PartHalo& p = parts_[part];
  const double predicted = static_cast<double>(p.halo.copies.size()) *
                           cone_layers(p.typical, H, highest_level(part, level)) /
                           cone_layers(p.typical, p.fitted_step, p.fitted_level);
  return std::min(predicted, static_cast<double>(graph_.bodies() - sides_[part].bodies));
}

double Halos::highest_level(std::size_t part, const Level& level) const {
  const auto& ports = sides_[part].ports;
  double highest = 0;
  for (std::size_t r = 0; r < ports.size(); ++r)
    if (!parts_[part].bare[r]) highest = std::max(highest, level(ports[r].coupling));
  return highest;
}

double Halos::longest_step(std::size_t part, const Level& level) const {
  const PartHalo& p = parts_[part];
  const auto& ports = sides_[part].ports;
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < ports.size(); ++r)
    if (!p.bare[r] && std::isfinite(p.halo.sides[r].distance))
      longest = std::min(longest, (p.halo.sides[r].distance - level(ports[r].coupling)) / p.s);
  return std::max(longest, 0.0);
}

double Halos::fastest_rate() const {
  double rate = 0;
  for (const PartHalo& p : parts_)
    for (const HaloRoot& root : p.roots) {
      const Medium m = medium(root.own);
      rate = std::max(rate, std::sqrt(std::max(0.0, m.omega2)) + std::max(0.0, m.mu));
    }
  return rate;
}

}  // namespace cosimo
