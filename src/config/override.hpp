// `--set key=value`: one value of the file replaced from the command line.
//
// The key is a dotted path as messages write it, entries of lists by number from 1; the value is YAML.
// Sections that do not exist are made; `null` removes a key, so that its default holds;
// the entry after the last one extends a list.
#pragma once

#include <string>

#include "config/faults.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// `setting` is "key=value". Throws Error when it is not; whether the key exists is checked with the file.
void apply_override(Node& root, const std::string& setting, Faults& faults);

}  // namespace cosimo::config
