// Paths of bodies that move in a plane or in space, in the plane of largest motion.
#include <fmt/format.h>

#include <map>

#include "core/counted.hpp"
#include "results/overview_scene.hpp"

namespace cosimo {

namespace {

constexpr std::size_t most_paths = 400;      // beyond, evenly chosen
constexpr std::size_t most_points = 100000;  // of all paths together: about a megabyte of text
constexpr std::size_t most_names = 12;
constexpr double most_stretch = 12;  // of the axes, before they get scales of their own
constexpr const char* axis_names[] = {"x", "y", "z"};

/// Two axes to look along, and how to place them on the page.
struct Plane {
  std::array<std::size_t, 2> axis{0, 1};
  Scale x, y;
  bool stretched = false;  ///< the axes have scales of their own
};

/// The two axes of largest motion; of axes without any the one along which the bodies are spread.
std::array<std::size_t, 2> largest_motion(const Scene& scene) {
  std::array<std::pair<double, double>, 3> size{};
  for (std::size_t k = 0; k < 3; ++k) {
    ValueRange all;
    for (const BodyColumns& body : scene.bodies) {
      if (body.place[k] == no_column) continue;
      const ValueRange extent = scene.range(body.place[k]);
      size[k].first = std::max(size[k].first, extent.width());
      all.include(extent.low);
      all.include(extent.high);
    }
    size[k].second = all.width();
  }
  // Noise of a motion in the plane is no motion.
  const double largest = std::max({size[0].first, size[1].first, size[2].first});
  for (auto& s : size)
    if (s.first < 1e-9 * largest) s.first = 0;
  const std::size_t least = size[2] <= std::min(size[0], size[1]) ? 2 : size[1] <= size[0] ? 1 : 0;
  return {least == 0 ? 1U : 0U, least == 2 ? 1U : 2U};
}

Plane plane_of(const Scene& scene, const Panel& panel, double left, double right) {
  Plane plane;
  plane.axis = largest_motion(scene);
  std::array<ValueRange, 2> extent;
  for (std::size_t k = 0; k < 2; ++k)
    for (const BodyColumns& body : scene.bodies) {
      const ValueRange own = scene.range(body.place[plane.axis[k]]);
      extent[k].include(own.low);
      extent[k].include(own.high);
    }
  const double wide = right - left - 60, high = panel.height - 60;          // air for names
  double across = extent[0].width() / wide, up = extent[1].width() / high;  // values per pixel
  const double coarse = std::max(across, up), fine = std::min(across, up);
  plane.stretched = fine > 1e-9 * coarse && coarse > most_stretch * fine;
  if (!plane.stretched) across = up = coarse > 0 ? coarse : 1 / wide;
  const double half_x = across * (right - left) / 2, half_y = up * panel.height / 2;
  plane.x = {extent[0].middle() - half_x, extent[0].middle() + half_x, left, right};
  plane.y = {extent[1].middle() - half_y, extent[1].middle() + half_y, panel.bottom(), panel.top};
  return plane;
}

void draw_plane_axes(SvgText& svg, const Plane& plane, const Panel& panel, double left, double right) {
  const auto titled = [](const char* name, const LinearTicks& ticks) {
    return std::string(name) + (ticks.factor.empty() ? "" : " / " + ticks.factor);
  };
  const LinearTicks across = linear_ticks(plane.x.from, plane.x.to, 6),
                    up = linear_ticks(plane.y.from, plane.y.to, 6);
  for (const Tick& tick : across.ticks) {
    const double x = plane.x(tick.value);
    if (x > left + 1 && x < right - 1) svg.line("grid", x, panel.top + 1, x, panel.bottom() - 1);
    svg.line("mark", x, panel.bottom(), x, panel.bottom() + 5);
    svg.words("tick", x, panel.bottom() + 20, Anchor::middle, tick.label);
  }
  for (const Tick& tick : up.ticks) {
    const double y = plane.y(tick.value);
    if (y > panel.top + 1 && y < panel.bottom() - 1) svg.line("grid", left + 1, y, right - 1, y);
    svg.line("mark", left - 5, y, left, y);
    svg.words("tick", left - 9, y + 4.5, Anchor::end, tick.label);
  }
  svg.words("head", (left + right) / 2, panel.bottom() + 43, Anchor::middle,
            titled(axis_names[plane.axis[0]], across));
  svg.words("head", 26, panel.top + panel.height / 2, Anchor::middle, titled(axis_names[plane.axis[1]], up),
            -90);
}

/// Where a body is in one row, in pixels; without a place when it is lost.
CurvePoint pixel_of(const Scene& scene, const Plane& plane, std::size_t body, std::size_t row) {
  const double x = scene.value(row, scene.bodies[body].place[plane.axis[0]]),
               y = scene.value(row, scene.bodies[body].place[plane.axis[1]]);
  if (!drawable(x) || !drawable(y)) return {0, NAN};
  return {plane.x(x), plane.y(y)};
}

/// A path with no more points than the eye can tell apart.
std::vector<CurvePoint> path_of(const Scene& scene, const Plane& plane, std::size_t body, std::size_t most) {
  std::vector<CurvePoint> path;
  const std::size_t rows = scene.results().time.size(),
                    stride = (rows + most - 1) / std::max<std::size_t>(most, 1);
  for (std::size_t row = 0; row < rows; row += stride) {
    const CurvePoint point = pixel_of(scene, plane, body, row);
    const bool near = !path.empty() && std::hypot(point.x - path.back().x, point.y - path.back().y) < 0.7;
    if (!near) path.push_back(point);
  }
  if (rows > 0) path.push_back(pixel_of(scene, plane, body, rows - 1));
  return path;
}

/// The bodies themselves in one row: what the links join.
void draw_links(SvgText& svg, const Scene& scene, const Plane& plane, std::size_t row,
                std::string_view style) {
  std::vector<CurvePoint> lines;
  for (const auto& [from, to] : scene.input.links) {
    if (from >= scene.bodies.size() || to >= scene.bodies.size()) continue;
    const CurvePoint a = pixel_of(scene, plane, from, row), b = pixel_of(scene, plane, to, row);
    if (std::isfinite(a.y) && std::isfinite(b.y)) lines.insert(lines.end(), {a, b, {0, NAN}});
  }
  svg.curve(style, lines);
}

void draw_names(SvgText& svg, const Scene& scene, const Plane& plane, double right) {
  std::vector<CurvePoint> taken;
  for (std::size_t b = 0; b < scene.bodies.size() && scene.bodies.size() <= most_names; ++b) {
    const CurvePoint end = pixel_of(scene, plane, b, scene.results().time.size() - 1);
    const bool crowded = std::any_of(taken.begin(), taken.end(), [&](const CurvePoint& other) {
      return std::abs(other.y - end.y) < 15 && std::abs(other.x - end.x) < 70;
    });
    if (!std::isfinite(end.y) || crowded) continue;
    taken.push_back(end);
    const bool leftwards = end.x > right - 90;
    svg.words("name", end.x + (leftwards ? -9 : 9), end.y - 7, leftwards ? Anchor::end : Anchor::start,
              scene.bodies[b].name);
  }
}

/// A dot for each of the bodies where the motion ends.
void draw_ends(SvgText& svg, const Scene& scene, const Plane& plane, std::span<const std::size_t> shown) {
  std::map<std::string, std::vector<CurvePoint>> by_colour;
  std::vector<CurvePoint> all;
  for (const std::size_t b : shown) {
    const CurvePoint end = pixel_of(scene, plane, b, scene.results().time.size() - 1);
    for (auto* points : {&all, &by_colour[scene.colour(scene.bodies[b].columns[0])]})
      points->insert(points->end(), {end, {0, NAN}});
  }
  const std::string size = shown.size() > 40 ? " small" : "";
  svg.curve("rim" + size, all);
  for (const auto& [colour, points] : by_colour) svg.curve(fmt::format("{} end{}", colour, size), points);
}

}  // namespace

void draw_paths(SvgText& svg, const Scene& scene, const Panel& panel, double left, double right) {
  const Plane plane = plane_of(scene, panel, left, right);
  const std::size_t count = scene.bodies.size();
  const std::vector<std::size_t> shown = evenly_chosen(count, most_paths);
  svg.rectangle("panel", left, panel.top, right - left, panel.height);
  draw_plane_axes(svg, plane, panel, left, right);
  svg.words("head", left, panel.top - 12, Anchor::start, "Paths");
  const std::string how_many =
      (shown.size() < count ? std::to_string(shown.size()) + " of " : "") + counted(count, "body");
  svg.words("note", left + 50, panel.top - 12, Anchor::start,
            how_many + " in the " + axis_names[plane.axis[0]] + "-" + axis_names[plane.axis[1]] + " plane" +
                (plane.stretched ? ", axes not to one scale" : ""));
  svg.raw("<clipPath id=\"p\"><rect x=\"" + svg_number(left) + "\" y=\"" + svg_number(panel.top) +
          "\" width=\"" + svg_number(right - left) + "\" height=\"" + svg_number(panel.height) +
          "\"/></clipPath>\n<g clip-path=\"url(#p)\">\n");
  draw_links(svg, scene, plane, 0, "then");
  svg.raw(std::string("<g class=\"trace ") +
          (shown.size() > 40  ? "many"
           : shown.size() > 8 ? "some"
                              : "few") +
          "\">\n");
  for (const std::size_t b : shown)
    svg.curve(scene.colour(scene.bodies[b].columns[0]), path_of(scene, plane, b, most_points / shown.size()));
  svg.raw("</g>\n");
  draw_links(svg, scene, plane, scene.results().time.size() - 1, "now");
  draw_ends(svg, scene, plane, shown);
  svg.raw("</g>\n");
  draw_names(svg, scene, plane, right);
}

}  // namespace cosimo
