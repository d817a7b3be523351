// Pictures for the documentation: panels with axes on a sheet that suits light and dark.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/plot_axis.hpp"
#include "results/svg.hpp"

namespace cosimo::bench {

/// A frame with two linear scales; logarithms are the caller's.
struct Panel {
  double x = 0, y = 0, width = 0, height = 0;
  Scale across, up;

  Panel(double left, double top, double w, double h, double x_from, double x_to, double y_from, double y_to)
      : x(left),
        y(top),
        width(w),
        height(h),
        across{x_from, x_to, left, left + w},
        up{y_from, y_to, top + h, top} {}
  CurvePoint at(double horizontal, double vertical) const { return {across(horizontal), up(vertical)}; }
};

class Figure {
 public:
  /// `style` is added to the common style sheet.
  Figure(double width, double height, std::string_view title, std::string_view subtitle,
         std::string_view style);

  void frame(const Panel& panel, std::string_view head, std::string_view note);
  void ticks_below(const Panel& panel, const std::vector<Tick>& ticks, std::string_view label, bool grid);
  void ticks_left(const Panel& panel, const std::vector<Tick>& ticks, std::string_view label, bool grid);
  /// A curve of which only what lies in the panel is seen.
  void clipped(const Panel& panel, std::string_view style, std::span<const CurvePoint> points);
  void dot(std::string_view style, CurvePoint centre, double radius);

  SvgText& svg() { return svg_; }
  /// Throws when the file cannot be written.
  void write(const std::string& file);

 private:
  SvgText svg_;
  int clips_ = 0;
};

/// Ticks at powers of ten, for a scale in log10.
std::vector<Tick> decades(int low, int high, int every);

/// `#rrggbb` at `share` (0 to 1) of the way through equally spaced colours.
std::string colour_between(const std::vector<unsigned>& colours, double share);

}  // namespace cosimo::bench
