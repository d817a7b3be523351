// What paths and courses of bodies are drawn from: private to results/.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "results/body_columns.hpp"
#include "results/overview_panels.hpp"
#include "results/overview_style.hpp"

namespace cosimo {

/// Whether a number can be drawn; a diverged motion is lost.
inline bool drawable(double value) {
  return std::abs(value) < 1e150;
}

struct ValueRange {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    if (!drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double width() const { return high > low ? high - low : 0; }
  double middle() const { return low <= high ? (low + high) / 2 : 0; }
};

/// What is drawn of the results, with one colour per subsystem.
struct Scene {
  const OverviewInput& input;
  std::vector<BodyColumns> bodies;
  std::vector<std::int32_t> parts;  ///< in the order of appearance

  const Results& results() const { return *input.results; }
  double value(std::size_t row, std::size_t column) const {
    return column == no_column ? 0 : results().position[row * results().bodies.size() + column];
  }
  ValueRange range(std::size_t column) const {
    ValueRange range;
    for (std::size_t row = 0; row < results().time.size(); ++row) range.include(value(row, column));
    return range;
  }
  std::string colour(std::size_t column) const {
    const std::int32_t part = column < input.part_of_column.size() ? input.part_of_column[column] : 0;
    const auto at = std::find(parts.begin(), parts.end(), part) - parts.begin();
    return "c" + std::to_string(at % palette_size);
  }
};

/// At most so many of `count` bodies, evenly chosen, first and last among them.
inline std::vector<std::size_t> evenly_chosen(std::size_t count, std::size_t most) {
  std::vector<std::size_t> result;
  const std::size_t wanted = std::min(count, most);
  for (std::size_t i = 0; i < wanted; ++i)
    result.push_back(wanted == 1 ? 0 : (i * (count - 1) + (wanted - 1) / 2) / (wanted - 1));
  return result;
}

/// The paths of the bodies in the plane of largest motion. There is at least one output time.
void draw_paths(SvgText& svg, const Scene& scene, const Panel& panel, double left, double right);

}  // namespace cosimo
