#include "results/overview.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "results/overview_panels.hpp"
#include "results/overview_style.hpp"

namespace cosimo {

namespace {

constexpr double page_width = 1200, left = 84, right = 1116;
constexpr double first_panel = 118;  // below title, subtitle and the first panel's head
constexpr double head_space = 42;    // between panels: the head of the next one
constexpr double step_size_height = 140, choice_height = 92;
constexpr double foot = 62;           // tick labels and the word "time"
constexpr double scene_height = 470;  // paths and courses of bodies that move in a plane or in space

TimeAxis time_axis(const Results& results) {
  double low = 0, high = 0;
  bool any = false;
  const auto include = [&](double t) {
    if (!std::isfinite(t)) return;
    low = any ? std::min(low, t) : t;
    high = any ? std::max(high, t) : t;
    any = true;
  };
  for (const double t : results.time) include(t);
  for (const StepRow& step : results.steps) {
    include(step.t);
    if (step.accepted) include(step.t + step.H);
  }
  if (!(high > low)) {  // a single instant
    const double reach = std::max(0.5 * std::abs(low), 0.5);
    low -= reach;
    high += reach;
  }
  return {{low, high, left, right}, linear_ticks(low, high, 9)};
}

bool overlaps(const Results& results) {
  return std::any_of(results.steps.begin(), results.steps.end(),
                     [](const StepRow& step) { return step.layers > 0; });
}

}  // namespace

void draw_frame(SvgText& svg, const TimeAxis& time, const Panel& panel, bool labels) {
  svg.rectangle("panel", time.left(), panel.top, time.width(), panel.height);
  for (const Tick& tick : time.ticks.ticks) {
    const double x = time.scale(tick.value);
    if (x > time.left() + 1 && x < time.right() - 1)
      svg.line("grid", x, panel.top + 1, x, panel.bottom() - 1);
    if (!labels) continue;
    svg.line("mark", x, panel.bottom(), x, panel.bottom() + 5);
    svg.words("tick", x, panel.bottom() + 20, Anchor::middle, tick.label);
  }
  if (!labels) return;
  const std::string unit = time.ticks.factor.empty() ? "" : " / " + time.ticks.factor;
  svg.words("head", (time.left() + time.right()) / 2, panel.bottom() + 43, Anchor::middle, "time" + unit);
}

std::string overview_svg(const OverviewInput& input) {
  COSIMO_CHECK(input.results != nullptr, "an overview needs results");
  const Results& results = *input.results;
  const bool with_steps = !results.steps.empty();
  const TimeAxis time = time_axis(results);

  const bool scene = !results.time.empty() && has_scene(results);
  const Panel motion{first_panel,
                     scene ? scene_height : motion_height(chosen_columns(results.bodies.size()).size())};
  const Panel step_size{motion.bottom() + head_space + (scene ? foot : 0), step_size_height};
  const Panel choice{step_size.bottom() + head_space, choice_height};
  const double page_height = (with_steps ? choice : motion).bottom() + foot;

  SvgText svg;
  const std::string size = svg_number(page_width) + "\" height=\"" + svg_number(page_height);
  svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " +
          svg_number(page_width) + " " + svg_number(page_height) + "\" role=\"img\">\n<title>" +
          xml_escaped(input.title) + "</title>\n");
  svg.raw(overview_style);
  svg.rectangle("bg", 0, 0, page_width, page_height);
  svg.words("title", left, 44, Anchor::start, input.title);
  svg.words("subtitle", left, 69, Anchor::start, input.subtitle);
  if (scene) {
    draw_scene(svg, input, time, motion);
  } else {
    draw_frame(svg, time, motion, !with_steps);
    draw_motion(svg, input, time, motion);
  }
  if (with_steps) {
    draw_frame(svg, time, step_size, false);
    draw_step_size(svg, results.steps, time, step_size);
    draw_frame(svg, time, choice, true);
    (overlaps(results) ? draw_layers : draw_order)(svg, results.steps, time, choice);
  }
  svg.raw("</svg>\n");
  return svg.text();
}

}  // namespace cosimo
