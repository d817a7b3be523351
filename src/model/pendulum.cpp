#include "model/pendulum.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/minimal_pendulum.hpp"
#include "model/point_masses.hpp"

namespace cosimo {

namespace {

std::vector<double> per_link(const Sequence& sequence, const PendulumSpec& spec, std::string_view use) {
  return all_numbers(sequence, spec.links, spec.seed, use);
}

/// The plane that the links start in: `down` and the direction of positive angles.
struct Plane {
  Vec3 down, across, normal;
};

Plane plane_of(const PendulumSpec& spec) {
  if (spec.dimensions == 3) return {-Vec3::UnitZ(), Vec3::UnitX(), -Vec3::UnitY()};
  return {-Vec3::UnitY(), Vec3::UnitX(), Vec3::UnitZ()};
}

[[noreturn]] void refuse(const std::string& field, std::string problem, std::string remedy) {
  throw Error(
      Fault{.field = "model.pendulum." + field, .problem = std::move(problem), .remedy = std::move(remedy)});
}

double only_value(const std::vector<double>& values, const char* field) {
  for (const double value : values)
    if (value != values.front())
      refuse(field, "minimal coordinates need equal links",
             "give one number, or write formulation: absolute");
  return values.front();
}

Model minimal(const PendulumSpec& spec) {
  if (spec.rods || spec.dimensions == 3 || spec.damping != 0 || spec.compliant)
    refuse("formulation", "minimal coordinates describe undamped point masses in the plane",
           "write formulation: absolute, or body: point without damping and compliant joints");
  Model model;
  model.bodies.count = spec.links;
  const double mass = only_value(per_link(spec.mass, spec, "mass"), "mass");
  const double length = only_value(per_link(spec.length, spec, "length"), "length");
  model.bodies.mass = Field(mass);
  // Angles of the equations count from the upward vertical.
  for (const double angle : per_link(spec.angle, spec, "angle"))
    model.bodies.x.push_back(std::numbers::pi + angle);
  model.bodies.v = per_link(spec.angular_velocity, spec, "velocity");
  model.pendulum =
      std::make_shared<MinimalPendulum>(MinimalPendulum::Parameters{spec.links, spec.gravity, length, mass});
  return model;
}

class PendulumMaker {
 public:
  explicit PendulumMaker(const PendulumSpec& spec) : spec_(spec), plane_(plane_of(spec)) {
    builder_.gravity(spec.gravity * plane_.down);
  }

  Model make() {
    const auto angle = per_link(spec_.angle, spec_, "angle"),
               rate = per_link(spec_.angular_velocity, spec_, "velocity");
    const auto length = per_link(spec_.length, spec_, "length"), mass = per_link(spec_.mass, spec_, "mass");
    for (std::size_t i = 0; i < spec_.links; ++i) {
      const Vec3 along = std::cos(angle[i]) * plane_.down + std::sin(angle[i]) * plane_.across;
      const Vec3 turn = rate[i] * plane_.normal;
      const BodyId link = add_link(i, mass[i], length[i], along, turn);
      add_joint(i, link);
      hinge_ += length[i] * along;
      hinge_velocity_ += turn.cross(Vec3(length[i] * along));
      above_ = link;
    }
    PlacedMechanism made = builder_.finish();
    return make_model(std::move(made.mechanism), made.q, made.v);
  }

 private:
  BodyId add_link(std::size_t i, double mass, double length, const Vec3& along, const Vec3& turn) {
    const Vec3 arm = length * (spec_.rods ? 0.5 : 1.0) * along;
    Frame frame;
    frame.r = hinge_ + arm;
    frame.v = hinge_velocity_ + turn.cross(arm);
    Body body{.name = "link" + std::to_string(i + 1),
              .kind = spec_.dimensions == 3 ? BodyKind::point3 : BodyKind::point2,
              .mass = mass};
    if (spec_.rods) {
      body.kind = spec_.dimensions == 3 ? BodyKind::rigid : BodyKind::planar;
      body.inertia = rod_inertia(mass, length);
      frame.R.col(0) = along;
      frame.R.col(1) = plane_.normal.cross(along);
      frame.R.col(2) = plane_.normal;
      frame.w = turn;
    }
    return builder_.add(std::move(body), frame);
  }

  void add_joint(std::size_t i, BodyId link) {
    const std::string name = "joint" + std::to_string(i + 1);
    const JointKind kind = spec_.spherical ? JointKind::spherical : JointKind::revolute;
    if (!spec_.rods)
      builder_.distance(name, above_, link, hinge_, builder_.frame(link).r);
    else if (spec_.compliant && i > 0 && i % spec_.compliant->every == 0)
      builder_.compliant_joint(name, kind, above_, link, hinge_, plane_.normal, spec_.compliant->compliance);
    else
      builder_.joint(name, kind, above_, link, hinge_, plane_.normal);
    if (spec_.rods && spec_.damping > 0) {
      BushingSpec damper;
      for (std::size_t k = 3; k < 6; ++k) damper.law[k].d = spec_.damping;
      builder_.add(make_bushing("damper" + std::to_string(i + 1), builder_.marker(above_, hinge_),
                                builder_.marker(link, hinge_), damper));
    }
  }

  const PendulumSpec& spec_;
  Plane plane_;
  MechanismBuilder builder_;
  Vec3 hinge_ = Vec3::Zero(), hinge_velocity_ = Vec3::Zero();
  BodyId above_ = ground;
};

}  // namespace

Model make_pendulum(const PendulumSpec& spec) {
  if (!spec.rods && (spec.compliant || spec.damping != 0))
    refuse("body", "a pendulum of point masses has no joints that could be compliant or damped",
           "write body: rod");
  return spec.minimal ? minimal(spec) : PendulumMaker(spec).make();
}

}  // namespace cosimo
