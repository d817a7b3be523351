// A file of a search, read and checked: private to series/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "series/axis_values.hpp"
#include "series/plan.hpp"

namespace cosimo::series {

struct Goal {
  std::string measure;
  bool large = false;  ///< is good; otherwise small is
};

/// Limits of a measure.
struct MeasureBounds {
  std::string measure;
  std::optional<double> least, greatest;
};

struct SearchPlan {
  /// The ends: the first variant has the smallest values and first choices, the next the largest and second
  /// ones, and so on until every choice has been.
  Plan ends;
  std::vector<AxisText> axes;
  std::vector<Goal> goals;
  std::vector<MeasureBounds> bounds;
  std::string method = "auto", keep = "measures";
  std::int64_t n = 200, batch = 1, seed = 1;
};

/// Throws Error with all faults. `name` stands for the file in messages; files are relative to `folder`.
SearchPlan read_search(std::string_view text, const std::string& name, const std::filesystem::path& folder);

}  // namespace cosimo::series
