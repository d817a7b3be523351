// What readers of robots share about masses and meshes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "config/robot.hpp"

namespace cosimo::config::robot {

/// Positive definite.
bool is_inertia(const Mat3& tensor);
/// As messages write it: xx, yy, zz, xy, xz, yz.
std::string text_of(const Mat3& tensor);

/// The file that a name in a robot's file means: relative to it, file://..., or package://name/... with the
/// package in a folder above. Nothing: there is none.
std::optional<std::string> find_mesh(const std::string& name, const std::filesystem::path& robot);
/// STL or OBJ, by its ending.
bool is_readable_mesh(const std::filesystem::path& file);

}  // namespace cosimo::config::robot
