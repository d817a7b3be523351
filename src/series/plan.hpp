// A series file, read: what is varied, the points, what is measured.
//
//   const Plan plan = read_plan(text, "speeds.yaml", faults_go_where_errors_go);
//   plan.settings(17)      {"model.train.speed=20", "model.parameters.k=1.5e6"}: what `--set` would be given
//
// Checked here: the file itself. Whether the scenario takes the names and values, the variants say
// (series/identity.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "series/design.hpp"

namespace cosimo::series {

enum class Keep { measures, results, failed };

/// One key that differs between variants.
struct Axis {
  std::string key;   ///< "model.train.speed"
  std::string name;  ///< what formulas call it
  int line = 0;
  std::vector<std::string> values;  ///< all that occur, as `--set` takes them
};

struct MeasureText {
  std::string name, text;
  int line = 0;
};

struct Plan {
  std::string file;                ///< for messages
  std::filesystem::path scenario;  ///< its file
  std::vector<Axis> axes;
  std::size_t count = 1;              ///< of variants
  std::vector<std::uint32_t> choice;  ///< count x axes: which of the values
  std::vector<MeasureText> measures;
  Keep keep = Keep::measures;
  double time_limit = 0;    ///< seconds; 0: none
  double memory_limit = 0;  ///< MB; 0: none
  std::string design;       ///< in words
  int scenario_line = 0;
  std::string section = "sweep";  ///< of the file, for messages

  const std::string& value(std::size_t variant, std::size_t axis) const {
    return axes[axis].values[choice[variant * axes.size() + axis]];
  }
  /// "key=value" of every axis.
  std::vector<std::string> settings(std::size_t variant) const;
};

/// Throws Error with all faults. `name` stands for the file in messages; files are relative to `folder`.
Plan read_plan(std::string_view text, const std::string& name, const std::filesystem::path& folder);

}  // namespace cosimo::series
