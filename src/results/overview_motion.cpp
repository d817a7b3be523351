// The motion panel: displacement from the mean, curve above curve with one artificial offset, as
// in Figure 5.1 of the dissertation, coloured by subsystem.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/overview_panels.hpp"
#include "results/overview_style.hpp"

namespace cosimo {

namespace {

constexpr std::size_t most_curves = 120;
constexpr std::size_t most_points = 100000;  // of all curves together: about a megabyte of text

/// One recorded body as it is drawn.
struct Curve {
  std::size_t column = 0;
  double mean = 0;    ///< of the finite values
  double reach = 0;   ///< largest distance from the mean
  double spread = 0;  ///< root mean square distance from it
};

Curve curve_of(const Results& results, std::size_t column) {
  const std::size_t columns = results.bodies.size(), rows = results.time.size();
  Curve curve{.column = column};
  std::size_t count = 0;
  const auto value = [&](std::size_t row) { return results.position[row * columns + column]; };
  for (std::size_t row = 0; row < rows; ++row) {
    if (!std::isfinite(value(row))) continue;
    ++count;
    curve.mean += (value(row) - curve.mean) / static_cast<double>(count);
  }
  if (!std::isfinite(curve.mean)) curve.mean = 0;
  for (std::size_t row = 0; row < rows; ++row)
    if (std::isfinite(value(row))) curve.reach = std::max(curve.reach, std::abs(value(row) - curve.mean));
  if (curve.reach == 0) return curve;
  double sum = 0;
  for (std::size_t row = 0; row < rows; ++row)
    if (std::isfinite(value(row))) sum += std::pow((value(row) - curve.mean) / curve.reach, 2);
  curve.spread = curve.reach * std::sqrt(sum / static_cast<double>(count));
  return curve;
}

/// How far a curve may swing, in distances between curves: the peaks of many may reach over their
/// neighbours, of few must not.
double overlap(std::size_t curves) {
  return std::min(4.0, 0.45 + 0.04 * static_cast<double>(curves > 6 ? curves - 6 : 0));
}

constexpr double most_spread = 0.7;  // the same for the root mean square: dense oscillations stay apart

/// The value that all but a tenth stay below: one wild curve must not flatten the others.
double typical(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double usual = values[(9 * (values.size() - 1) + 9) / 10];
  return usual > 0 ? usual : values.back();
}

/// Where the curves stand and how large they are drawn.
struct Arrangement {
  double lowest = 0, spacing = 0;  ///< pixels
  double offset = 1;               ///< the value that the spacing stands for
  double y(std::size_t curve) const { return lowest - static_cast<double>(curve) * spacing; }
};

Arrangement arrange(std::span<const Curve> curves, const Panel& panel) {
  const double swing = overlap(curves.size());
  Arrangement result;
  result.spacing = panel.height / (static_cast<double>(curves.size() - 1) + 2 * std::max(swing, 0.5));
  result.lowest = panel.bottom() - std::max(swing, 0.5) * result.spacing;
  std::vector<double> reaches, spreads;
  for (const Curve& curve : curves) {
    reaches.push_back(curve.reach);
    spreads.push_back(curve.spread);
  }
  const double offset = std::max(typical(reaches) / swing, typical(spreads) / most_spread);
  if (offset > 0 && std::isfinite(offset)) result.offset = rounded_up(offset);
  return result;
}

/// Colours by first appearance, so that subsystems one above the other always differ.
std::vector<int> colours_of(std::span<const Curve> curves, std::span<const std::int32_t> part_of_column) {
  std::vector<std::int32_t> seen;
  std::vector<int> result;
  for (const Curve& curve : curves) {
    const std::int32_t part = curve.column < part_of_column.size() ? part_of_column[curve.column] : 0;
    const auto at = std::find(seen.begin(), seen.end(), part);
    const auto index = at - seen.begin();
    if (at == seen.end()) seen.push_back(part);
    result.push_back(static_cast<int>(index % palette_size));
  }
  return result;
}

std::string colour_class(int colour) {
  return "c" + std::to_string(colour);
}

void draw_body_label(SvgText& svg, const TimeAxis& time, double y, const std::string& label) {
  svg.line("mark", time.left() - 5, y, time.left(), y);
  svg.words("tick", time.left() - 9, y + 4.5, Anchor::end, label);
}

void draw_body_labels(SvgText& svg, const Results& results, std::span<const Curve> curves,
                      const Arrangement& arrangement, const TimeAxis& time, const Panel& panel) {
  svg.words("head", 26, panel.top + panel.height / 2, Anchor::middle, "body", -90);
  const std::size_t columns = results.bodies.size();
  const auto first = results.bodies.front(), last = results.bodies.back();
  const bool numbered_through = last - first == static_cast<std::int64_t>(columns) - 1;
  if (curves.size() > 12 && numbered_through && last < 100000) {
    // Round numbers, where that body would stand.
    const Scale y{static_cast<double>(first), static_cast<double>(last), arrangement.y(0),
                  arrangement.y(curves.size() - 1)};
    for (const Tick& tick : linear_ticks(y.from, y.to, 10).ticks)
      draw_body_label(svg, time, y(tick.value), tick.label);
    return;
  }
  const std::size_t every = (curves.size() + 11) / 12;
  for (std::size_t i = 0; i < curves.size(); i += every) {
    draw_body_label(svg, time, arrangement.y(i), std::to_string(results.bodies[curves[i].column]));
    if (every == 1) svg.line("grid", time.left() + 1, arrangement.y(i), time.right() - 1, arrangement.y(i));
  }
}

/// A coloured bar and a number for every run of curves of one subsystem.
void draw_subsystems(SvgText& svg, std::span<const Curve> curves, std::span<const int> colours,
                     std::span<const std::int32_t> part_of_column, const Arrangement& arrangement,
                     const TimeAxis& time, const Panel& panel) {
  const auto part = [&](std::size_t i) { return part_of_column[curves[i].column]; };
  const double x = time.right() + 10, half = std::max(arrangement.spacing / 2 - 1, 0.6);
  double last_label = panel.bottom() + 100;
  for (std::size_t first = 0, next = 0; first < curves.size(); first = next) {
    while (next < curves.size() && part(next) == part(first)) ++next;
    const double low = arrangement.y(first) + half, high = arrangement.y(next - 1) - half;
    svg.rectangle(colour_class(colours[first]), x, high, 6, low - high);
    const double middle = (low + high) / 2;
    if (last_label - middle < 15) continue;
    svg.words("tick", x + 13, middle + 4.5, Anchor::start, std::to_string(part(first) + 1));
    last_label = middle;
  }
  svg.words("note", 1190, panel.top - 12, Anchor::end, "subsystem");
}

void draw_value_axis(SvgText& svg, const Curve& curve, const Arrangement& arrangement, const TimeAxis& time,
                     const Panel& panel) {
  const double half = panel.height / 2 / arrangement.spacing * arrangement.offset;
  const Scale scale{curve.mean - half, curve.mean + half, panel.bottom(), panel.top};
  const LinearTicks ticks = linear_ticks(scale.from, scale.to, 5);
  for (const Tick& tick : ticks.ticks) {
    const double y = scale(tick.value);
    svg.line("mark", time.left() - 5, y, time.left(), y);
    if (y > panel.top + 1 && y < panel.bottom() - 1)
      svg.line("grid", time.left() + 1, y, time.right() - 1, y);
    svg.words("tick", time.left() - 9, y + 4.5, Anchor::end, tick.label);
  }
  svg.words("head", 26, panel.top + panel.height / 2, Anchor::middle,
            "position" + (ticks.factor.empty() ? "" : " / " + ticks.factor), -90);
}

std::string plain(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  if (exponent >= -3 && exponent <= 4) exponent = 0;
  const std::string digits = short_number(value / std::pow(10.0, exponent));
  return exponent == 0 ? digits : digits + "·" + power_of_ten(exponent);
}

}  // namespace

std::vector<std::size_t> chosen_columns(std::size_t columns) {
  std::vector<std::size_t> result(std::min(columns, most_curves));
  std::iota(result.begin(), result.end(), std::size_t{0});
  if (columns > most_curves)
    for (std::size_t i = 0; i < most_curves; ++i)
      result[i] = (i * (columns - 1) + (most_curves - 1) / 2) / (most_curves - 1);
  return result;
}

double motion_height(std::size_t curves) {
  return std::min(260 + 12 * static_cast<double>(curves), 640.0);
}

void draw_motion(SvgText& svg, const OverviewInput& input, const TimeAxis& time, const Panel& panel) {
  const Results& results = *input.results;
  const double head = panel.top - 12;
  svg.words("head", time.left(), head, Anchor::start, "Motion");
  if (results.bodies.empty() || results.time.empty()) {
    svg.words("note", (time.left() + time.right()) / 2, panel.top + panel.height / 2, Anchor::middle,
              "nothing was recorded");
    return;
  }
  std::vector<Curve> curves;
  for (const std::size_t column : chosen_columns(results.bodies.size()))
    curves.push_back(curve_of(results, column));
  const Arrangement arrangement = arrange(curves, panel);
  const std::vector<int> colours = colours_of(curves, input.part_of_column);
  const bool cut = std::any_of(colours.begin(), colours.end(), [&](int c) { return c != colours[0]; });

  if (curves.size() == 1) {
    draw_value_axis(svg, curves[0], arrangement, time, panel);
    svg.words("note", time.left() + 62, head, Anchor::start, "body " + std::to_string(results.bodies[0]));
  } else {
    const std::string what = curves.size() < results.bodies.size() ? std::to_string(curves.size()) + " of " +
                                                                         std::to_string(results.bodies.size())
                                                                   : std::to_string(curves.size());
    svg.words(
        "note", time.left() + 62, head, Anchor::start,
        "displacement of " + what + " bodies, offset " + plain(arrangement.offset) + " from curve to curve");
    draw_body_labels(svg, results, curves, arrangement, time, panel);
  }
  if (cut && input.part_of_column.size() >= results.bodies.size())
    draw_subsystems(svg, curves, colours, input.part_of_column, arrangement, time, panel);

  svg.raw("<clipPath id=\"m\"><rect x=\"" + svg_number(time.left()) + "\" y=\"" + svg_number(panel.top) +
          "\" width=\"" + svg_number(time.width()) + "\" height=\"" + svg_number(panel.height) +
          "\"/></clipPath>\n");
  svg.raw(std::string("<g clip-path=\"url(#m)\" class=\"") +
          (curves.size() > 40  ? "many"
           : curves.size() > 8 ? "some"
                               : "few") +
          "\">\n");
  const std::size_t bins = std::clamp<std::size_t>(most_points / 2 / curves.size(), 2, 1000);
  const double pixels = arrangement.spacing / arrangement.offset;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Curve& curve = curves[i];
    auto points = thinned(
        results.time.size(), [&](std::size_t row) { return results.time[row]; },
        [&](std::size_t row) { return results.position[row * results.bodies.size() + curve.column]; },
        time.scale, bins);
    // Far outside it does not matter how far: shorter numbers.
    for (CurvePoint& point : points) {
      if (!std::isfinite(point.y)) continue;
      point = {time.scale(point.x), std::clamp(arrangement.y(i) - (point.y - curve.mean) * pixels,
                                               panel.top - panel.height, panel.bottom() + panel.height)};
    }
    svg.curve(colour_class(colours[i]), points);
  }
  svg.raw("</g>\n");
}

}  // namespace cosimo
