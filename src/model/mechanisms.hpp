// Generators: mechanisms with joints.
//
// Four-bar chain: loops + 1 upright bars pinned to the ground one length apart, their tops joined by
// horizontal bars: the N four-bar benchmark of the IFToMM library of multibody problems (bars of 1 m and 1
// kg, the tops start with 1 m/s along x). One freedom, whatever the number of loops; all bars lie in one line
// when the uprights lie flat. In space the same bars are rigid bodies with revolute joints: three constraints
// of every loop are redundant.
//
// Vehicle: a chassis on axles of two wheels, driving along x with z up. Every wheel slides on the chassis
// along a vertical guide (a prismatic joint, or a bushing), carried by spring and damper; tyres are penalty
// contacts on a rough road. An engine may rest on four bushings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "mechanics/builder.hpp"
#include "model/model.hpp"

namespace cosimo {

struct FourBarsSpec {
  std::size_t loops = 1;
  double length = 1, mass = 1, gravity = 9.81;
  double velocity = 1;         ///< of the tops along x at the start
  std::size_t dimensions = 2;  ///< 2: gravity along -y; 3: along -z
  /// Joints between loops: those at the left end of every coupler but the first.
  std::optional<Compliance> compliant{};
};
/// Bodies "crank1", "coupler1", "crank2", ...; joints "ground1", "left1", "right1", ...
Model make_four_bars(const FourBarsSpec& spec);

struct VehicleSpec {
  struct Box {
    double mass = 0;
    Vec3 inertia = Vec3::Zero();  ///< about the centre of mass
  };
  struct RoughRoad {
    double roughness =
        1e-6;  ///< power spectral density of the height at 1 rad/length, falling with the square (ISO 8608)
    double length = 100;  ///< longest wave; the shortest is a thousandth of it
    std::size_t waves = 50;
    std::uint64_t seed = 0;
  };
  std::size_t axles = 2;
  double wheelbase = 2.7, track = 1.5,
         height = 0.6;  ///< first to last axle; between wheels; of the chassis' centre
  Box chassis{1200, {500, 2000, 2200}}, wheel{40, {1, 1.6, 1}}, engine{};
  double strut_stiffness = 25e3, strut_damping = 2e3, strut_length = 0.5;
  double mount_stiffness = 4e5, mount_damping = 2e3;  ///< of each of the engine's bushings
  double tyre_radius = 0.3, tyre_stiffness = 2e5, tyre_damping = 0.02, tyre_friction = 0, tyre_slip = 1e-2;
  std::optional<Compliance> compliant{};  ///< guides of the wheels; absent: joints
  double speed = 20, gravity = 9.81;
  RoughRoad road;
};
/// Bodies "chassis", "engine" if it has mass, "wheel1_left", "wheel1_right", ...
PlacedMechanism make_vehicle(const VehicleSpec& spec);

}  // namespace cosimo
