// The panels of overview.svg, all over one time axis: private to results/.
#pragma once

#include <span>
#include <string>

#include "results/overview.hpp"
#include "results/plot_axis.hpp"

namespace cosimo {

struct Panel {
  double top = 0, height = 0;
  double bottom() const { return top + height; }
};

/// What the panels share.
struct TimeAxis {
  Scale scale;
  LinearTicks ticks;
  double left() const { return scale.from_pixel; }
  double right() const { return scale.to_pixel; }
  double width() const { return right() - left(); }
};

/// Frame and vertical grid; with `labels` also the tick labels below.
void draw_frame(SvgText& svg, const TimeAxis& time, const Panel& panel, bool labels);

/// The columns that are drawn: at most 120, evenly chosen, first and last among them.
std::vector<std::size_t> chosen_columns(std::size_t columns);
double motion_height(std::size_t curves);
void draw_motion(SvgText& svg, const OverviewInput& input, const TimeAxis& time, const Panel& panel);

/// Whether there are paths to be drawn in the place of offset curves.
bool has_scene(const Results& results);
/// Paths at the left of the panel, courses over time at its right.
void draw_scene(SvgText& svg, const OverviewInput& input, const TimeAxis& page, const Panel& panel);

void draw_step_size(SvgText& svg, std::span<const StepRow> steps, const TimeAxis& time, const Panel& panel);
void draw_order(SvgText& svg, std::span<const StepRow> steps, const TimeAxis& time, const Panel& panel);
/// The place of the order in runs with overlaps, which have none.
void draw_layers(SvgText& svg, std::span<const StepRow> steps, const TimeAxis& time, const Panel& panel);

}  // namespace cosimo
