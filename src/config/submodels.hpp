// `model.submodels`: models in files of their own, each used any number of times.
//
//   submodels: [{use: wheel.yaml, count: 4, set: {x: "1.5*i"}, join: {frame: car}}]
//
// An instance is a copy of what the file holds: its parameters are replaced by their values, names of bodies,
// joints and elements begin with that of the instance (`wheel2.hub`), and so do those of curves
// (`wheel2_road`). Names that the file does not have are those of the model that uses it. Every node keeps
// the file and line it comes from.
#pragma once

#include <filesystem>

#include "config/apply_units.hpp"
#include "config/faults.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// Puts the instances into `model`, before its own entries, and takes the key away. `file` is the one that
/// `model` stands in, `parameters` are its own. Throws Error as expand_includes() does.
/// `own` are the units of that file.
void expand_submodels(Node& model, const std::filesystem::path& file, const Parameters& parameters,
                      Units& units, const FileUnits& own, Faults& faults);

}  // namespace cosimo::config
