#include "scheme/halos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/cone.hpp"
#include "scheme/batch.hpp"

namespace cosimo {

namespace {

/// A halo that has this much too much besides its reserve, in the mean over its cuts, is made anew.
constexpr double spare = 4.0;

/// New copies cost as much as a hundred and more micro steps, and the more cuts a part has, the sooner one of
/// them asks for more. Copies that have not lasted as many macro steps as there are cuts, up to this many,
/// get twice the reserve the next time, and then nobody asks for long whether they are too many.
constexpr double long_time = 64, most_reserve = 16;

/// A step that is so much shorter than the one they were grown for needs far fewer at once: something breaks
/// there, and who carries it breaks with it.
constexpr double much_shorter = 0.5;

/// Distances are kept while s and the decays differ by no more than this from what they were measured with.
constexpr double rate_margin = 0.1, decay_margin = 0.05;

/// Decays are looked at again after so many steps.
constexpr std::int64_t look_every = 8;

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

/// By how much distances may have shrunk where w was `before` and is `now`: the square root of what it has
/// grown by where it has grown most. 0: they have to be measured again.
double shrunk(std::span<const double> before, std::span<const double> now) {
  constexpr double least = (1 - decay_margin) * (1 - decay_margin),
                   most = (1 + decay_margin) * (1 + decay_margin);
  double worst = 1;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == now[i]) continue;
    const double ratio = before[i] / now[i];
    if (!(ratio >= least && ratio <= most)) return 0;
    worst = std::min(worst, ratio);
  }
  return std::sqrt(worst);
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

/// w at these states, of the copies and then of the own bodies at the cuts.
std::vector<double> Halos::look(const PartHalo& p, std::span<const double> x,
                                std::span<const double> v) const {
  std::vector<double> w;
  w.reserve(p.halo.copies.size() + p.roots.size());
  const auto add = [&](BodyId body) {
    const Medium m = physics_.medium(body, x, v);
    w.push_back(std::max(0.0, m.omega2) + std::max(0.0, m.mu) * p.s);
  };
  for (const HaloCopy& copy : p.halo.copies) add(copy.body);
  for (const HaloRoot& root : p.roots) add(root.own);
  return w;
}

/// Whether the distances still hold, shrunk by a factor that is put into `p`.
bool Halos::holds(PartHalo& p) const {
  if (steps_ - p.checked < look_every) return true;
  for (const HaloCopy& copy : p.halo.copies) p.missing = p.missing || !ghosts_.known(copy.body);
  if (p.missing) return true;  // it is asked again when more is known
  const BodyStates& states = physics_.states();
  p.factor = shrunk(p.w, look(p, states.x(), states.v()));
  p.checked = steps_;
  return p.factor > 0;
}

/// The distances as they are now.
void Halos::measure(PartHalo& p) const {
  const BodyStates& states = physics_.states();
  p.w = look(p, states.x(), states.v());
  p.factor = 1;
  p.checked = steps_;
}

void Halos::fit_part(std::size_t part, double H, const Level& level) {
  parts_[part].missing = false;
  PartHalo p = parts_[part];  // a repetition must find everything as it was
  const auto& ports = sides_[part].ports;
  const double highest = highest_level(part, level);
  const double best = best_rate(p.typical, H, highest);
  const bool near = p.grown && std::fabs(best - p.s) <= rate_margin * p.s;
  if (!near) p.s = best;

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
  const auto age = static_cast<double>(steps_ - p.made);
  const double lasting = std::min(long_time, static_cast<double>(ports.size()));
  bool enough = p.grown, wasteful = false;
  if (p.grown) {
    if (!near || !holds(p)) {
      measure_halo(graph_, p.roots, theta, p.halo);
      if (!p.missing) measure(p);
    }
    const std::vector<double> extent = extents(p.halo);
    double excess = 0, cuts = 0;
    for (std::size_t r = 0; r < ports.size(); ++r) {
      if (p.bare[r]) continue;
      enough &= p.factor * p.halo.sides[r].distance >= needed(r) || fixed_;
      excess += extent[r] - needed(r);
      cuts += 1;
    }
    const bool due = age >= lasting * p.reserve * p.reserve || H < much_shorter * p.fitted_step;
    wasteful = !fixed_ && due && excess > cuts * (p.reserve + spare);
    if (!seen.empty()) p.typical = mean(seen);
  }
  if (p.missing || (enough && !wasteful)) return done();

  if (p.grown && enough) p.reserve = std::max(0.5 * p.reserve, halo_reserve);
  if (p.grown && !enough && age < lasting) p.reserve = std::min(2 * p.reserve, most_reserve);
  p.made = steps_;
  for (std::size_t r = 0; r < ports.size(); ++r)
    p.roots[r].radius = p.bare[r] ? 0 : fixed_ ? *fixed_ : std::max(needed(r) + p.reserve, 1e-3);
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
  measure(p);
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

Halos::Distances Halos::distances(std::size_t part, std::span<const double> x,
                                  std::span<const double> v) const {
  const PartHalo& p = parts_[part];
  Distances result{.factor = shrunk(p.w, look(p, x, v))};
  if (result.factor > 0) return result;
  result.measured = p.halo;
  const DecayAt theta = [&](BodyId body) { return decay(physics_.medium(body, x, v), p.s); };
  measure_halo(graph_, p.roots, theta, *result.measured);
  return result;
}

void Halos::archive(Archive& a, std::size_t part) {
  PartHalo& p = parts_[part];
  a.section("halo");
  for (HaloRoot& root : p.roots) a(root.radius);
  a(p.s, p.typical.omega2, p.typical.mu, p.fitted_step, p.fitted_level, p.grown);
  a(p.reserve, p.w, p.factor, p.made, p.checked);
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
