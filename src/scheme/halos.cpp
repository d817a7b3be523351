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

/// Decays in these media, those of copies first, then those at the roots.
class DecayTable {
 public:
  DecayTable(std::span<const Medium> media, std::size_t copies, double s) : copies_(copies) {
    decays_.reserve(media.size());
    for (const Medium& medium : media) decays_.push_back(decay(medium, s));
  }
  // NOLINTNEXTLINE(google-explicit-constructor): a view of it
  operator Decays() const {
    const std::span<const double> all = decays_;
    return {all.first(copies_), all.subspan(copies_)};
  }

 private:
  std::size_t copies_;
  std::vector<double> decays_;
};

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
    parts_[p].fit.typical = mean(media);
  }
}

Medium Halos::medium(BodyId body) const {
  const BodyStates& states = physics_.states();
  Medium medium;
  physics_.media({&body, 1}, states.x(), states.v(), {&medium, 1});
  return medium;
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

void Halos::look(const PartHalo& p, double s, std::span<const double> x, std::span<const double> v,
                 Look& out) const {
  out.media.resize(p.watched.size());
  out.w.resize(p.watched.size());
  physics_.media(p.watched, x, v, out.media);
  for (std::size_t i = 0; i < out.w.size(); ++i)
    out.w[i] = std::max(0.0, out.media[i].omega2) + std::max(0.0, out.media[i].mu) * s;
}

void Halos::watch(PartHalo& p) {
  p.watched.clear();
  for (const HaloCopy& copy : p.halo.copies) p.watched.push_back(copy.body);
  for (const HaloRoot& root : p.roots) p.watched.push_back(root.own);
}

bool Halos::known(const PartHalo& p) const {
  return std::all_of(p.watched.begin(), p.watched.end(), [&](BodyId body) { return ghosts_.known(body); });
}

/// The distances are those of the last look.
void Halos::take_look(PartHalo& p, Fit& fit) const {
  p.w = p.look.w;
  fit.factor = 1;
  fit.checked = steps_;
  fit.typical = mean(p.look.media);
}

/// Distances that hold: kept, shrunk by a factor, or measured. False when something is not known; nothing has
/// changed then.
bool Halos::bring_up_to_date(PartHalo& p, Fit& fit, double H, double highest) const {
  const double best = best_rate(fit.typical, H, highest);
  const bool near = fit.grown && std::fabs(best - fit.s) <= rate_margin * fit.s;
  if (!near) fit.s = best;
  if (!fit.grown || (near && steps_ - fit.checked < look_every)) return true;
  if (!known(p)) return false;
  const BodyStates& states = physics_.states();
  look(p, fit.s, states.x(), states.v(), p.look);
  fit.checked = steps_;
  fit.factor = near ? shrunk(p.w, p.look.w) : 0;
  if (fit.factor > 0) return true;
  measure_halo(p.roots, DecayTable(p.look.media, p.halo.copies.size(), fit.s), p.halo);
  take_look(p, fit);
  return true;
}

void Halos::fit_part(std::size_t part, double H, const Level& level) {
  PartHalo& p = parts_[part];
  p.missing = false;
  const double highest = highest_level(part, level);
  Fit fit = p.begun ? *p.begun : p.fit;
  if (!p.begun && !bring_up_to_date(p, fit, H, highest)) {
    p.missing = true;
    return;
  }
  p.begun.reset();
  const Fit begun = fit;
  const auto& ports = sides_[part].ports;
  const auto needed = [&](std::size_t r) { return fit.s * H + level(ports[r].coupling); };
  const auto age = static_cast<double>(steps_ - fit.made);
  const double lasting = std::min(long_time, static_cast<double>(ports.size()));
  bool enough = fit.grown, wasteful = false;
  if (fit.grown) {
    const std::vector<double> extent = extents(p.halo);
    double excess = 0, cuts = 0;
    for (std::size_t r = 0; r < ports.size(); ++r) {
      if (p.bare[r]) continue;
      enough &= fit.factor * p.halo.sides[r].distance >= needed(r) || fixed_;
      excess += extent[r] - needed(r);
      cuts += 1;
    }
    const bool due = age >= lasting * fit.reserve * fit.reserve || H < much_shorter * fit.step;
    wasteful = !fixed_ && due && excess > cuts * (fit.reserve + spare);
  }
  p.fit = fit;
  if (enough && !wasteful) return;

  if (fit.grown && enough) fit.reserve = std::max(0.5 * fit.reserve, halo_reserve);
  if (fit.grown && !enough && age < lasting) fit.reserve = std::min(2 * fit.reserve, most_reserve);
  fit.made = steps_;
  for (std::size_t r = 0; r < ports.size(); ++r)
    p.roots[r].radius = p.bare[r] ? 0 : fixed_ ? *fixed_ : std::max(needed(r) + fit.reserve, 1e-3);
  Halo halo;
  if (!grow(part, p, fit.s, halo)) {
    p.missing = true;
    p.begun = begun;
    return;
  }
  p.fit = fit;
  // New equations cost as much as these bodies less in all micro steps up to the next review save.
  const std::size_t worth_while = sides_[part].bodies / 40;
  if (enough && halo.copies.size() + worth_while >= p.halo.copies.size()) return;
  p.fit.step = H;
  p.fit.level = highest;
  if (fit.grown && same_copies(halo, p.halo))
    p.halo = std::move(halo);
  else
    use(part, p, std::move(halo));
  watch(p);
  const BodyStates& states = physics_.states();
  look(p, fit.s, states.x(), states.v(), p.look);
  if (fixed_) measure_halo(p.roots, DecayTable(p.look.media, p.halo.copies.size(), fit.s), p.halo);
  take_look(p, p.fit);
}

/// Copies for the radii of the roots; false when they reach what is not known.
bool Halos::grow(std::size_t part, const PartHalo& p, double s, Halo& halo) const {
  bool missing = false;
  const DecayAt theta = [&](BodyId body) {
    missing = missing || !ghosts_.known(body);
    return missing ? std::numeric_limits<double>::infinity() : decay(medium(body), s);
  };
  const DecayAt one = [](BodyId) { return 1.0; };
  const auto owned = [&](BodyId body) { return part_of_[body.index()] == static_cast<std::int32_t>(part); };
  halo = grow_halo(graph_, owned, p.roots, fixed_ ? one : theta);
  if (fixed_)
    for (const HaloCopy& copy : halo.copies) missing = missing || !ghosts_.known(copy.body);
  return !missing;
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
  p.fit.grown = true;
  Copying& lane = *sides_[part].lane;
  lane.carry(std::make_shared<const OverlappingPart>(cosimo::carry(graph_, lane.core(), p.halo)));
}

Halos::Distances Halos::distances(std::size_t part, std::span<const double> x, std::span<const double> v) {
  PartHalo& p = parts_[part];
  look(p, p.fit.s, x, v, p.look);
  Distances result{.factor = shrunk(p.w, p.look.w)};
  if (result.factor > 0) return result;
  result.measured = p.halo;
  measure_halo(p.roots, DecayTable(p.look.media, p.halo.copies.size(), p.fit.s), *result.measured);
  return result;
}

void Halos::archive(Archive& a, std::size_t part) {
  PartHalo& p = parts_[part];
  Fit& fit = p.fit;
  a.section("halo");
  for (HaloRoot& root : p.roots) a(root.radius);
  a(fit.s, fit.typical.omega2, fit.typical.mu, fit.step, fit.level, fit.grown);
  a(fit.reserve, p.w, fit.factor, fit.made, fit.checked);
  std::size_t copies = p.halo.copies.size();
  a(copies, p.halo.edges);
  p.halo.copies.resize(copies);
  for (HaloCopy& copy : p.halo.copies) a(copy.body, copy.layer, copy.distance, copy.root);
  std::size_t sides = p.halo.sides.size();
  a(sides);
  p.halo.sides.resize(sides);
  for (HaloSide& side : p.halo.sides) a(side.layers, side.distance);
  if (!a.loading()) return;
  for (const HaloCopy& copy : p.halo.copies)
    if (!copy.body.valid() || copy.body.index() >= graph_.bodies() || !graph_.knows(copy.body))
      throw ArchiveError("the data hold the copies of another model");
  number_rows(graph_, p.roots, p.halo);
  watch(p);
}

double Halos::exponent(std::size_t part, std::size_t port, double H) const {
  return parts_[part].fit.s * H - parts_[part].halo.sides[port].distance;
}

int Halos::layers(std::size_t part, std::size_t port) const {
  return parts_[part].fit.grown ? parts_[part].halo.sides[port].layers : 0;
}

void Halos::predict_copies(std::size_t part, std::span<const double> sizes, const Level& level,
                           std::span<double> copies) const {
  const PartHalo& p = parts_[part];
  const double highest = highest_level(part, level), now = static_cast<double>(p.halo.copies.size());
  const double layers = cone_layers(p.fit.typical, p.fit.step, p.fit.level);
  const auto most = static_cast<double>(graph_.bodies() - sides_[part].bodies);
  for (std::size_t k = 0; k < sizes.size(); ++k)
    copies[k] = std::min(now * cone_layers(p.fit.typical, sizes[k], highest) / layers, most);
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
      longest = std::min(longest, (p.halo.sides[r].distance - level(ports[r].coupling)) / p.fit.s);
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
