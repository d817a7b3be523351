// `model.include`: files with parameters, bodies, joints and elements of the same model.
//
//   include: [suspension.yaml]        # relative to the file that says so
//
// An included file has the keys `parameters`, `include`, `bodies`, `joints` and `elements` at its outermost
// level. Its entries come before those of the file that includes it, in the order of the list; so do its
// parameters, which the including file may use. A file that several others include is taken once.
#pragma once

#include <filesystem>

#include "config/faults.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// Puts what the included files hold into `model` and takes the key `include` away. `file` is the one that
/// `model` stands in. Every node keeps the file and line it comes from. A value of `include` that names no
/// files stays for the check against the definition. Throws Error when a file cannot be read, includes itself
/// or is no YAML.
void expand_includes(Node& model, const std::filesystem::path& file, Faults& faults);

}  // namespace cosimo::config
