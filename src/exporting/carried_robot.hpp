// The copy of a robot's file (URDF, MJCF) that travels in an FMU.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace cosimo::exporting {

/// Its text: files that MJCF includes are written out, and meshes have the names that `carry` returns for
/// them.
std::string carried_robot(const std::filesystem::path& robot,
                          const std::function<std::string(const std::filesystem::path& mesh)>& carry);

}  // namespace cosimo::exporting
