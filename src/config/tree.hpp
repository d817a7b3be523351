// A scenario that another format describes, as the tree that a YAML file would have given: it is checked,
// completed and read like one, and messages name the lines of that format.
//
//   Node root = map(place);
//   put(root, "simulate", place, map(place)) ...
//   Scenario s = read_tree(root, sources, overrides);
#pragma once

#include <span>
#include <string>

#include "config/scenario.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// `sources`: the files that positions of nodes refer to by number. Throws Error with all faults.
Scenario read_tree(Node root, std::span<const std::string> sources,
                   std::span<const std::string> overrides = {});

}  // namespace cosimo::config
