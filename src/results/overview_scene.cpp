// Overviews of bodies that move in a plane or in space: their paths, and beside them the courses of a few
// coordinates by name.
#include "results/overview_scene.hpp"

#include <optional>

namespace cosimo {

namespace {

constexpr double paths_right = 592, courses_left = 686;
constexpr double course_head = 36;  // above every course but the first
constexpr std::size_t most_courses = 5, chosen_courses = 4;

Scene scene_of(const OverviewInput& input) {
  Scene scene{input, body_columns(*input.results), {}};
  for (const std::int32_t part : input.part_of_column)
    if (std::find(scene.parts.begin(), scene.parts.end(), part) == scene.parts.end())
      scene.parts.push_back(part);
  return scene;
}

bool planar(const BodyColumns& body) {
  return std::count(body.place.begin(), body.place.end(), no_column) <= 1;
}

/// The columns named by the caller, or of bodies evenly chosen the place or angle that moves most.
std::vector<std::size_t> course_columns(const Scene& scene) {
  std::vector<std::size_t> result;
  const auto& names = scene.results().columns;
  for (const std::string& name : scene.input.histories) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at != names.end() && result.size() < most_courses)
      result.push_back(static_cast<std::size_t>(at - names.begin()));
  }
  if (!result.empty()) return result;
  for (const std::size_t b : evenly_chosen(scene.bodies.size(), chosen_courses)) {
    const BodyColumns& body = scene.bodies[b];
    std::optional<std::size_t> best;
    for (const std::size_t column : body.columns) {
      const bool turning = std::count(body.quaternion.begin(), body.quaternion.end(), column) > 0;
      const double width = scene.range(column).width();
      if (!best || (!turning && width > scene.range(*best).width())) best = column;
    }
    result.push_back(*best);
  }
  return result;
}

void draw_course(SvgText& svg, const Scene& scene, std::size_t column, const TimeAxis& time,
                 const Panel& panel) {
  const ValueRange range = scene.range(column);
  double half = 0.56 * range.width();
  if (half <= 1e-12 * std::abs(range.middle())) half = std::max(0.5 * std::abs(range.middle()), 0.5);
  const Scale y{range.middle() - half, range.middle() + half, panel.bottom(), panel.top};
  const LinearTicks ticks = linear_ticks(y.from, y.to, std::max(4, static_cast<int>(panel.height / 26)));
  for (const Tick& tick : ticks.ticks) {
    const double at = y(tick.value);
    if (at > panel.top + 1 && at < panel.bottom() - 1)
      svg.line("grid", time.left() + 1, at, time.right() - 1, at);
    svg.line("mark", time.left() - 5, at, time.left(), at);
    svg.words("tick", time.left() - 9, at + 4.5, Anchor::end, tick.label);
  }
  const Results& results = scene.results();
  svg.words("head", time.left(), panel.top - 12, Anchor::start,
            results.columns[column] + (ticks.factor.empty() ? "" : " / " + ticks.factor));
  auto points = thinned(
      results.time.size(), [&](std::size_t row) { return results.time[row]; },
      [&](std::size_t row) {
        const double value = scene.value(row, column);
        return drawable(value) ? value : NAN;
      },
      time.scale, 500);
  for (CurvePoint& point : points)
    if (std::isfinite(point.y)) point = {time.scale(point.x), y(point.y)};
  svg.raw("<g class=\"some\">\n");
  svg.curve(scene.colour(column), points);
  svg.raw("</g>\n");
}

/// One swatch and number per subsystem, in the corner of the page.
void draw_part_legend(SvgText& svg, const Scene& scene, double right) {
  if (scene.parts.size() < 2) return;
  const std::size_t shown = std::min<std::size_t>(scene.parts.size(), 12);
  double x = right - 34 * static_cast<double>(shown) - (shown < scene.parts.size() ? 16 : 0) + 8;
  svg.words("note", x - 10, 44, Anchor::end, "subsystem");
  for (std::size_t i = 0; i < shown; ++i, x += 34) {
    svg.rectangle("c" + std::to_string(static_cast<int>(i) % palette_size), x, 33, 12, 12);
    svg.words("note", x + 16, 44, Anchor::start, std::to_string(scene.parts[i] + 1));
  }
  if (shown < scene.parts.size()) svg.words("note", x, 44, Anchor::start, "…");
}

}  // namespace

bool has_scene(const Results& results) {
  if (results.columns.empty() || results.columns.size() != results.bodies.size()) return false;
  const std::vector<BodyColumns> bodies = body_columns(results);
  return std::any_of(bodies.begin(), bodies.end(), planar);
}

void draw_scene(SvgText& svg, const OverviewInput& input, const TimeAxis& page, const Panel& panel) {
  const Scene scene = scene_of(input);
  svg.raw(scene_style);
  draw_part_legend(svg, scene, page.right());
  draw_paths(svg, scene, panel, page.left(), paths_right);
  const std::vector<std::size_t> courses = course_columns(scene);
  Scale scale = page.scale;
  scale.from_pixel = courses_left;
  const TimeAxis time{scale, linear_ticks(scale.from, scale.to, 5)};
  const auto count = static_cast<double>(courses.size());
  const double height = (panel.height - (count - 1) * course_head) / count;
  for (std::size_t i = 0; i < courses.size(); ++i) {
    const Panel own{panel.top + static_cast<double>(i) * (height + course_head), height};
    draw_frame(svg, time, own, i + 1 == courses.size());
    draw_course(svg, scene, courses[i], time, own);
  }
}

}  // namespace cosimo
