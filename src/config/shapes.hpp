// Bodies given by their shape: `shape: {box: [2, 1, 0.5]}` with `density` or `mass`. Mass, centre and inertia
// follow.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "config/check.hpp"
#include "config/faults.hpp"
#include "config/mesh.hpp"
#include "core/solid_shape.hpp"

namespace cosimo::config {

/// What follows from the shape of a body; `center` is that of the shape alone.
struct ShapeMass {
  double mass = 0;
  Point center{};
  std::array<double, 6> inertia{};
  std::shared_ptr<const SolidShape> outline{};
  std::shared_ptr<const SolidShape> look{};  ///< that pictures show instead, from the reference point
};

/// By the name of the body, or of the shape of the ground. Complains about files of meshes. What is at fault
/// is left out.
using ShapeMasses = std::unordered_map<std::string, ShapeMass>;
ShapeMasses read_shapes(const Value& root, Faults& faults);
/// All that the shape of a body needs is there and in order.
bool is_complete(const Value& shape);
/// The surface in the file of a mesh, scaled; nothing after a complaint.
std::optional<Mesh> read_surface(const Value& mesh, Faults& faults);

}  // namespace cosimo::config
