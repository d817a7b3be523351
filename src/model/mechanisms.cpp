#include "model/mechanisms.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "model/chain_loads.hpp"

namespace cosimo {

namespace {

std::string numbered(const char* what, std::size_t number) {
  return what + std::to_string(number);
}

class FourBarsMaker {
 public:
  explicit FourBarsMaker(const FourBarsSpec& spec)
      : spec_(spec),
        up_(spec.dimensions == 3 ? Vec3::UnitZ() : Vec3::UnitY()),
        normal_(Vec3::UnitX().cross(up_)),
        kind_(spec.dimensions == 3 ? BodyKind::rigid : BodyKind::planar) {
    builder_.gravity(-spec.gravity * up_);
  }

  Model make() {
    const Vec3 right = spec_.length * Vec3::UnitX();
    const double turning = -spec_.velocity / spec_.length;
    BodyId before;
    for (std::size_t i = 0; i <= spec_.loops; ++i) {
      const Vec3 foot = static_cast<double>(i) * right, top = foot + spec_.length * up_;
      const BodyId crank = add_bar(numbered("crank", i + 1), foot, top, turning, Vec3::Zero());
      builder_.joint(numbered("ground", i + 1), JointKind::revolute, ground, crank, foot, normal_);
      if (i > 0) {
        const Vec3 left = top - right;
        const BodyId coupler = add_bar(numbered("coupler", i), left, top, 0, spec_.velocity * Vec3::UnitX());
        const std::string name = numbered("left", i);
        if (spec_.compliant && i > 1)
          builder_.compliant_joint(name, JointKind::revolute, before, coupler, left, normal_,
                                   *spec_.compliant);
        else
          builder_.joint(name, JointKind::revolute, before, coupler, left, normal_);
        builder_.joint(numbered("right", i), JointKind::revolute, coupler, crank, top, normal_);
      }
      before = crank;
    }
    PlacedMechanism made = builder_.finish();
    return make_model(std::move(made.mechanism), made.q, made.v);
  }

 private:
  /// A bar between two points that moves with velocity `v` and turns about its first end.
  BodyId add_bar(std::string name, const Vec3& begin, const Vec3& end, double turning, const Vec3& v) {
    const Vec3 along = (end - begin).normalized();
    Frame frame;
    frame.r = 0.5 * (begin + end);
    frame.R.col(0) = along;
    frame.R.col(1) = normal_.cross(along);
    frame.R.col(2) = normal_;
    frame.w = turning * normal_;
    frame.v = v + frame.w.cross(Vec3(frame.r - begin));
    return builder_.add({.name = std::move(name),
                         .kind = kind_,
                         .mass = spec_.mass,
                         .inertia = rod_inertia(spec_.mass, spec_.length)},
                        frame);
  }

  const FourBarsSpec& spec_;
  Vec3 up_, normal_;
  BodyKind kind_;
  MechanismBuilder builder_;
};

/// Waves whose lengths are spread evenly on a logarithmic scale. Their amplitudes follow from the power
/// spectral density G(k) = roughness / k^2 of the wave number k = 2 pi / wavelength: a^2 / 2 = G(k) dk.
Road rough_road(const VehicleSpec::RoughRoad& spec) {
  Road road;
  const RandomStream phase = named_stream(spec.seed, "road phase");
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, spec.waves - 1));
  const double ratio = std::pow(1e-3, share);
  for (std::size_t i = 0; i < spec.waves; ++i) {
    const double wavelength = spec.length * std::pow(ratio, static_cast<double>(i));
    const double k = 2 * std::numbers::pi / wavelength, dk = k * (1 / ratio - 1);
    road.waves.push_back(
        {std::sqrt(2 * spec.roughness / (k * k) * dk), wavelength, 2 * std::numbers::pi * phase.uniform(i)});
  }
  return road;
}

class VehicleMaker {
 public:
  explicit VehicleMaker(const VehicleSpec& spec) : spec_(spec), road_(rough_road(spec.road)) {
    builder_.gravity(-spec.gravity * Vec3::UnitZ());
  }

  PlacedMechanism make() {
    chassis_ = add("chassis", spec_.chassis, {0, 0, spec_.height});
    if (spec_.engine.mass > 0) add_engine();
    for (std::size_t axle = 0; axle < spec_.axles; ++axle)
      for (const bool left : {true, false}) add_wheel(axle, left);
    return builder_.finish();
  }

 private:
  BodyId add(std::string name, const VehicleSpec::Box& box, const Vec3& place) {
    Frame frame;
    frame.r = place;
    frame.v = spec_.speed * Vec3::UnitX();
    return builder_.add(
        {.name = std::move(name), .mass = box.mass, .inertia = Mat3(box.inertia.asDiagonal())}, frame);
  }

  /// In front, on four mounts below it.
  void add_engine() {
    const Vec3 place(0.5 * spec_.wheelbase - 0.2, 0, spec_.height + 0.1);
    const BodyId engine = add("engine", spec_.engine, place);
    BushingSpec mount;
    for (std::size_t k = 0; k < 3; ++k) mount.law[k] = {.c = spec_.mount_stiffness, .d = spec_.mount_damping};
    std::size_t number = 0;
    for (const double x : {-0.35, 0.35})
      for (const double y : {-0.3, 0.3}) {
        const Vec3 point = place + Vec3(x, y, -0.25);
        builder_.add(make_bushing(numbered("mount", ++number), builder_.marker(chassis_, point),
                                  builder_.marker(engine, point), mount));
      }
  }

  void add_wheel(std::size_t axle, bool left) {
    const std::string tag = std::to_string(axle + 1) + (left ? "_left" : "_right");
    const double spacing = spec_.axles > 1 ? spec_.wheelbase / static_cast<double>(spec_.axles - 1) : 0;
    const Vec3 hub(0.5 * spec_.wheelbase - spacing * static_cast<double>(axle),
                   (left ? 0.5 : -0.5) * spec_.track, spec_.tyre_radius);
    const BodyId wheel = add("wheel" + tag, spec_.wheel, hub);
    if (spec_.compliant)
      builder_.compliant_joint("guide" + tag, JointKind::prismatic, chassis_, wheel, hub, Vec3::UnitZ(),
                               *spec_.compliant);
    else
      builder_.joint("guide" + tag, JointKind::prismatic, chassis_, wheel, hub, Vec3::UnitZ());
    const double strut = spec_.strut_length;  // unstretched, and as placed
    builder_.add(make_spring(
        "strut" + tag, builder_.marker(chassis_, hub + strut * Vec3::UnitZ()), builder_.marker(wheel, hub),
        {.law = {.c = spec_.strut_stiffness, .d = spec_.strut_damping}, .length = strut}));
    builder_.add(make_contact("tyre" + tag, builder_.marker(wheel, hub),
                              {.road = road_,
                               .radius = spec_.tyre_radius,
                               .stiffness = spec_.tyre_stiffness,
                               .damping = spec_.tyre_damping,
                               .friction = spec_.tyre_friction,
                               .slip = spec_.tyre_slip}));
  }

  const VehicleSpec& spec_;
  Road road_;
  MechanismBuilder builder_;
  BodyId chassis_;
};

}  // namespace

Model make_four_bars(const FourBarsSpec& spec) {
  return FourBarsMaker(spec).make();
}

PlacedMechanism make_vehicle(const VehicleSpec& spec) {
  return VehicleMaker(spec).make();
}

}  // namespace cosimo
