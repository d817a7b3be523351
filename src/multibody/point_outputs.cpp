#include "multibody/point_outputs.hpp"

#include <limits>

#include "parallel/shares.hpp"

namespace cosimo {

namespace {

/// A spring costs about ten times as much as a degree of freedom of a chain.
constexpr double spring_cost = 8;

bool is_point(BodyKind kind) {
  return kind == BodyKind::point1 || kind == BodyKind::point2 || kind == BodyKind::point3;
}

}  // namespace

PointOutputs::PointOutputs(const Mechanism& mechanism, std::span<const std::size_t> first)
    : mechanism_(mechanism), has_(mechanism.elements.size()) {
  bool points = true;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    points = points && is_point(mechanism.bodies[b].kind);
    bodies_.push_back(
        {static_cast<std::ptrdiff_t>(first[b]), Vec3::Zero(), coordinates_of(mechanism.bodies[b].kind)});
  }
  const auto end_of = [&](const Marker& marker) -> std::optional<End> {
    if (marker.body == ground) return End{-1, marker.point, 3};
    const bool centre = is_point(mechanism.bodies[marker.body.index()].kind) && marker.point.isZero(0);
    return centre ? std::optional(bodies_[marker.body.index()]) : std::nullopt;
  };
  for (std::size_t e = 0; e < mechanism.elements.size(); ++e) {
    const ForceElement& element = *mechanism.elements[e];
    if (element.spring() == nullptr || element.memory() != nullptr) continue;
    const std::optional<End> from = end_of(element.at_from), to = end_of(element.at_to);
    if (!from || !to) continue;
    springs_.push_back({e, *from, *to, SpringForce(*element.spring())});
    has_[e] = 1;
  }
  energy_.resize(springs_.size());
  if (!points || springs_.size() != mechanism.elements.size() || !mechanism.groups.empty()) bodies_.clear();
}

void PointOutputs::evaluate(const double* q, const double* v, Team* team, std::span<Effort> efforts) {
  auto work = [&](Share& mine) {
    for (std::size_t k = mine.rows.first; k < mine.rows.last; ++k) {
      const Spring& spring = springs_[k];
      const Vec3 delta = spring.to.at(q, spring.to.place) - spring.from.at(q, spring.from.place);
      const Vec3 u = spring.to.at(v, Vec3::Zero()) - spring.from.at(v, Vec3::Zero());
      Vec3& force = efforts[spring.element].force;
      if (!spring.force.find(delta, u, u, force)) force.setConstant(std::numeric_limits<double>::quiet_NaN());
      energy_[k] = spring.force.energy(delta);
    }
  };
  in_shares(team, springs_.size(), work, spring_cost);
}

std::optional<double> PointOutputs::potential_energy(const double* q) const {
  if (bodies_.empty()) return std::nullopt;
  double energy = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    energy -= mechanism_.bodies[b].mass * mechanism_.gravity.dot(bodies_[b].at(q, Vec3::Zero()));
  for (const double each : energy_) energy += each;
  return energy;
}

}  // namespace cosimo
