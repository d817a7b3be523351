// The values of varied keys: private to series/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/check.hpp"
#include "config/faults.hpp"
#include "config/yaml_tree.hpp"
#include "series/design.hpp"

namespace cosimo::series {

/// What a file says of one key.
struct AxisText {
  std::string key, name;
  config::Position position;
  std::vector<std::string> values{};  ///< listed
  std::optional<Range> range{};       ///< of numbers between two ends
  bool counted = false;               ///< the range says how many points it has
  std::string formula{};              ///< over the names of the others
};

/// A value as it could stand in a file, in full, on one line.
std::string flow_text(const config::Node& node);

/// One entry of `vary`. Faults are collected.
AxisText read_axis(const std::string& key, const config::Node& name, const config::Value& value,
                   config::Faults& faults);

}  // namespace cosimo::series
