// Mechanisms of point masses without constraints: every body's acceleration follows from what acts on it, so
// that those of some bodies can be asked for alone.
#include <algorithm>
#include <array>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

namespace {

std::size_t dimensions_of(BodyKind kind) {
  const bool point = kind == BodyKind::point1 || kind == BodyKind::point2 || kind == BodyKind::point3;
  return point ? freedoms_of(kind) : 0;
}

}  // namespace

/// A spring between the centres of points of equal dimensions, or from one to a place that they can reach.
bool Dynamics::Impl::joins_points(const ElementData& data) const {
  if (data.element->spring() == nullptr || data.from == data.to) return false;
  std::size_t dimensions = 0;
  for (const std::int32_t body : {data.from, data.to}) {
    if (body == no_body) continue;
    const std::size_t own = dimensions_of(bodies[static_cast<std::size_t>(body)].kind);
    if (own == 0 || (dimensions != 0 && own != dimensions)) return false;
    dimensions = own;
  }
  const auto fits = [&](std::int32_t body, const Marker& marker) {
    const auto inside = body == no_body ? static_cast<Eigen::Index>(dimensions) : Eigen::Index{0};
    return marker.point.tail(3 - inside).isZero(0);
  };
  return fits(data.from, data.element->at_from) && fits(data.to, data.element->at_to);
}

void Dynamics::Impl::find_points() {
  const auto turns = [](const BodyData& body) { return dimensions_of(body.kind) == 0; };
  const bool points_alone = rows == 0 && laws.empty() && std::ranges::none_of(bodies, turns);
  std::vector<PointSpring> springs;
  for (std::uint32_t e = 0; e < elements.size(); ++e) {
    const ElementData& data = elements[e];
    std::size_t moved = 0;
    for (const std::int32_t body : {data.from, data.to})
      if (body != no_body) moved += bodies[static_cast<std::size_t>(body)].freedoms;
    const std::size_t entries = 2 * moved * moved;
    if (points_alone && joins_points(data)) {
      const Marker& fixed = data.from == no_body ? data.element->at_from : data.element->at_to;
      springs.push_back({data.from, data.to, fixed.point, *data.element->spring()});
      entries_in_packs += entries;
    } else {
      others.push_back(e);
      foreign = foreign || data.element->foreign();
    }
  }
  if (!points_alone) return;
  std::vector<PointBody> masses;
  for (const BodyData& body : bodies) {
    masses.push_back({dimensions_of(body.kind), body.mass});
    inverse_masses.insert(inverse_masses.end(), body.freedoms, body.inverse_mass);
  }
  points = PointSprings(masses, springs, gravity);
  find_loaded();
}

void Dynamics::Impl::find_loaded() {
  const auto each_body = [](const ElementData& data, const auto& f) {
    if (data.from != no_body) f(static_cast<std::size_t>(data.from));
    if (data.to != no_body && data.to != data.from) f(static_cast<std::size_t>(data.to));
  };
  std::vector<std::uint32_t> count(bodies.size(), 0), place(bodies.size(), 0);
  for (const std::uint32_t e : others) each_body(elements[e], [&](std::size_t b) { ++count[b]; });
  first_other.push_back(0);
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    if (count[b] == 0) continue;
    place[b] = first_other.back();
    loaded.push_back(b);
    first_other.push_back(first_other.back() + count[b]);
  }
  others_of.resize(first_other.back());
  for (const std::uint32_t e : others)
    each_body(elements[e], [&](std::size_t b) { others_of[place[b]++] = e; });
}

bool Dynamics::Impl::divide_by_masses(Range coordinates, double* a) const {
  double bad = 0;
  for (std::size_t i = coordinates.first; i < coordinates.last; ++i) {
    a[i] *= inverse_masses[i];
    bad += a[i] - a[i];
  }
  return bad == 0;
}

bool Dynamics::Impl::forces_on_points(double t, const double* q, const double* v,
                                      std::span<const ExternalWrench> external, double* force,
                                      const Remembered& y, double* z_rate) const {
  if (!points.evaluate(q, v, PointSprings::Result::force, {0, size}, force)) return false;
  const auto frame = [&](std::size_t b) { return frame_at(b, q, v); };
  const auto place = [&](std::size_t b) { return ForceOn{force + bodies[b].w}; };
  for (const std::uint32_t e : others)
    if (!add_force(elements[e], t, frame, place, y, z_rate)) return false;
  for (const ExternalWrench& wrench : external) add_wrench(bodies[wrench.body], wrench.wrench, force);
  return true;
}

bool Dynamics::Impl::accelerate_points(double t, const double* q, const double* v,
                                       std::span<const ExternalWrench> external, double* a,
                                       const Remembered& y, double* z_rate) const {
  const Range all{0, size};
  if (others.empty() && external.empty())
    return points.evaluate(q, v, PointSprings::Result::acceleration, all, a);
  return forces_on_points(t, q, v, external, a, y, z_rate) && divide_by_masses(all, a);
}

/// Adds to the force on a loaded body what elements that are not in the table do.
bool Dynamics::Impl::add_others_of(std::size_t place, double t, const double* q, const double* v,
                                   double* force) const {
  std::array<double, 3> elsewhere{};
  const auto frame = [&](std::size_t b) { return frame_at(b, q, v); };
  const auto own = [&](std::size_t b) { return ForceOn{b == loaded[place] ? force : elsewhere.data()}; };
  for (std::uint32_t k = first_other[place]; k < first_other[place + 1]; ++k)
    if (!add_force(elements[others_of[k]], t, frame, own, {}, nullptr)) return false;
  return true;
}

bool Dynamics::Impl::accelerate_points(double t, const double* q, const double* v, double* a,
                                       Range coordinates) const {
  const auto end = [&](std::uint32_t b) { return bodies[b].q + bodies[b].freedoms; };
  const auto found = std::ranges::upper_bound(loaded, coordinates.first, {}, end);
  auto place = static_cast<std::size_t>(found - loaded.begin());
  if (place == loaded.size() || bodies[loaded[place]].q >= coordinates.last)
    return points.evaluate(q, v, PointSprings::Result::acceleration, coordinates, a);
  if (!points.evaluate(q, v, PointSprings::Result::force, coordinates, a)) return false;
  for (; place < loaded.size() && bodies[loaded[place]].q < coordinates.last; ++place) {
    // Of a body at a border only a part may be wanted.
    const BodyData& body = bodies[loaded[place]];
    const std::size_t first = std::max(body.q, coordinates.first);
    const std::size_t last = std::min(body.q + body.freedoms, coordinates.last);
    std::array<double, 3> force{};
    std::copy(a + first, a + last, force.data() + (first - body.q));
    if (!add_others_of(place, t, q, v, force.data())) return false;
    std::copy(force.data() + (first - body.q), force.data() + (last - body.q), a + first);
  }
  return divide_by_masses(coordinates, a);
}

bool Dynamics::divisible() const {
  return impl_->only_points() && impl_->remembering.empty() && !impl_->foreign;
}

double Dynamics::row_cost() const {
  constexpr double of_a_spring = 4;
  if (!divisible() || size() == 0) return 1;
  return 1 + of_a_spring * static_cast<double>(impl_->elements.size()) / static_cast<double>(size());
}

bool Dynamics::acceleration_of(double t, const double* q, const double* v, double* a,
                               Range coordinates) const {
  return impl_->accelerate_points(t, q, v, a, coordinates);
}

std::size_t Dynamics::springs_in_packs() const {
  return impl_->points.springs();
}

std::size_t Dynamics::entries_in_packs() const {
  return impl_->entries_in_packs;
}
std::size_t Dynamics::entries() const {
  const Impl::FirstEntries& all = impl_->of_constraints.back();
  return all.C + all.K + 2 * all.J;
}

}  // namespace cosimo
