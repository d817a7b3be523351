// overview.svg: the first thing a user sees of a run. Motion of the bodies as offset
// curves coloured by subsystem above, macro-step size and order (with overlaps: layers of
// copies) over time below, with rejected steps marked. One self-contained SVG, light and dark.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "record/recorder.hpp"

namespace cosimo {

struct OverviewInput {
  const Results* results = nullptr;
  std::span<const std::int32_t> part_of_column;  ///< subsystem of each recorded column
  std::string title;                             ///< e.g. "quickstart: 1000 masses in 10 subsystems"
  std::string subtitle;  ///< e.g. "explicit, exCV, 1234 macro steps (12 rejected), 0.8 s"
};

/// Large results are decimated without losing extremes; the text stays well below 2 MB.
std::string overview_svg(const OverviewInput& input);

}  // namespace cosimo
