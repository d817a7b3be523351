// Robots in files of other formats, URDF and MJCF, in the place of a sub-model or an included file: they are
// translated into the tree that a YAML file with the same bodies, joints and elements would have given. Every
// node keeps the line of the XML that it follows from.
//
//   submodels: [{use: arm.urdf, name: arm, import: {fix: true}}]
//
// Links become rigid bodies whose reference axes are those of the link. A link that is fixed to another
// moving one is part of it, and a marker of it by its name. The link `world` is the ground. Numbers are SI.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "config/faults.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// What `import` says.
struct RobotOptions {
  struct Stops {
    double stiffness = 0, damping = 0;
  };
  bool fix = false;            ///< the root link does not move
  std::optional<Stops> stops;  ///< limits of joints are stops; absent: they are left out
  bool ignore_armature = false;
  std::string world = "ground";  ///< what the link `world` is called in the tree
};

/// By its ending: .urdf, .xacro, .xml or .mjcf.
bool is_robot_file(const std::filesystem::path& file);

/// `number` evaluates an entry, `complain` takes a fault of one; the key is its path below the sub-model.
RobotOptions read_robot_options(
    const Node& import, const std::function<double(const Node&, std::string_view key)>& number,
    const std::function<void(const Node&, std::string_view key, Complaint)>& complain);

/// A map with `bodies`, `joints` and `elements`. Throws Error, with all faults of the file.
Node read_robot_file(const std::filesystem::path& file, int source, const RobotOptions& options,
                     Faults& faults);

}  // namespace cosimo::config
