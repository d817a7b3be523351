// overview.svg: the first thing a user sees of a run. Motion of the bodies as offset
// curves coloured by subsystem above, macro-step size and order (with overlaps: layers of
// copies) over time below, with rejected steps marked. One self-contained SVG, light and dark.
//
// Results with named columns and bodies that have two places or more show the paths of the bodies in the
// plane of largest motion instead, and beside them the courses of a few coordinates by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

/// Two recorded bodies that an element or a joint joins, by their order among the recorded bodies.
struct OverviewLink {
  std::size_t from = 0, to = 0;
};

struct OverviewInput {
  const Results* results = nullptr;
  std::span<const std::int32_t> part_of_column;  ///< subsystem of each recorded column
  std::string title;                             ///< e.g. "quickstart: 1000 masses in 10 subsystems"
  std::string subtitle;  ///< e.g. "explicit, exCV, 1234 macro steps (12 rejected), 0.8 s"
  /// Of named columns those whose courses are drawn, at most five; none: chosen from the motion.
  std::vector<std::string> histories{};
  /// Drawn between bodies with paths, where the motion begins and where it ends.
  std::span<const OverviewLink> links{};
};

/// Large results are decimated without losing extremes; the text stays well below 2 MB.
std::string overview_svg(const OverviewInput& input);

}  // namespace cosimo
