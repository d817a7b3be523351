// `model.include`: files with parameters, bodies, joints and elements of the same model.
//
//   include: [suspension.yaml]        # relative to the file that says so
//
// An included file has the keys `parameters`, `include`, `curves`, `submodels`, `bodies`, `joints` and
// `elements` at its outermost level. Its entries come before those of the file that includes it, in the order
// of the list; so do its parameters, which the including file may use. A file that several others include is
// taken once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "config/apply_units.hpp"
#include "config/faults.hpp"
#include "config/robot_file.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// Reads the file that `name` names, relative to `from`, and complains about keys that do not belong there.
/// `field` is where the name stands.
/// A robot in URDF or MJCF is translated.
Node read_part(const Node& name, std::string_view field, const std::filesystem::path& from, Faults& faults,
               const RobotOptions& robot = {});
/// Names of the same file are equal.
std::string identity_of(const std::filesystem::path& file);

/// Puts what the included files hold into `model` and takes the key `include` away. `file` is the one that
/// `model` stands in. Every node keeps the file and line it comes from. A value of `include` that names no
/// files stays for the check against the definition. Throws Error when a file cannot be read, includes itself
/// or is no YAML.
/// Included files are in units of their own, or in those of `user`.
void expand_includes(Node& model, const std::filesystem::path& file, Units& units, const FileUnits& user,
                     Faults& faults);

}  // namespace cosimo::config
