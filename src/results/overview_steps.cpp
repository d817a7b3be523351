// The panels of the control: macro-step size H, and degree kappa or layers of copies, over time, with
// rejected attempts marked where they were tried.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "results/overview_panels.hpp"

namespace cosimo {

namespace {

constexpr std::size_t bins = 1000;
constexpr double cell = 4;      // pixels: no two crosses in one
constexpr double reach = 1e-8;  // steps below this share of the median do not stretch the axis

bool drawable(const StepRow& step) {
  return std::isfinite(step.t) && step.H > 1e-300 && step.H < 1e300;
}

/// Stairs: the value of every accepted step from its start to its end, thinned, in pixels.
template <class Value>
std::vector<CurvePoint> stairs(std::span<const StepRow> steps, const TimeAxis& time, const Scale& y,
                               Value value) {
  std::vector<const StepRow*> accepted;
  for (const StepRow& step : steps)
    if (step.accepted && drawable(step)) accepted.push_back(&step);
  auto points = thinned(
      2 * accepted.size(),
      [&](std::size_t i) { return accepted[i / 2]->t + (i % 2 == 0 ? 0.0 : accepted[i / 2]->H); },
      [&](std::size_t i) { return value(*accepted[i / 2]); }, time.scale, bins);
  for (CurvePoint& point : points) point = {time.scale(point.x), y(point.y)};
  return points;
}

/// Rejected attempts, at most one in each small cell of the picture.
template <class Value>
std::vector<CurvePoint> rejections(std::span<const StepRow> steps, const TimeAxis& time, const Scale& y,
                                   Value value) {
  std::set<std::pair<long, long>> taken;
  std::vector<CurvePoint> result;
  for (const StepRow& step : steps) {
    if (step.accepted || !drawable(step)) continue;
    const CurvePoint point{time.scale(step.t), y(value(step))};
    if (taken.emplace(std::lround(point.x / cell), std::lround(point.y / cell)).second)
      result.push_back(point);
  }
  return result;
}

struct Range {
  double low = 0, high = 0;
};

/// What the axis of H must show: everything, but for single steps that are absurdly small.
Range range_of(std::vector<double>& sizes) {
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double least = reach * *middle;
  const auto [low, high] = std::minmax_element(sizes.begin(), sizes.end());
  return {std::max(*low, least), *high};
}

void draw_level(SvgText& svg, const TimeAxis& time, const Panel& panel, double y, const std::string& label) {
  if (y > panel.top + 1 && y < panel.bottom() - 1) svg.line("grid", time.left() + 1, y, time.right() - 1, y);
  svg.line("mark", time.left() - 5, y, time.left(), y);
  svg.words("tick", time.left() - 9, y + 4.5, Anchor::end, label);
}

void draw_legend(SvgText& svg, const TimeAxis& time, double y, std::size_t rejected) {
  double x = time.right() - (rejected > 0 ? 190 : 96);
  svg.curve("step", std::vector<CurvePoint>{{x, y - 4.5}, {x + 26, y - 4.5}});
  svg.words("note", x + 34, y, Anchor::start, "accepted");
  if (rejected == 0) return;
  svg.crosses("bad", std::vector<CurvePoint>{{x + 120, y - 4.5}}, 3.2);
  svg.words("note", x + 131, y, Anchor::start, "rejected");
}

}  // namespace

void draw_step_size(SvgText& svg, std::span<const StepRow> steps, const TimeAxis& time, const Panel& panel) {
  svg.words("head", time.left(), panel.top - 12, Anchor::start, "Macro-step size H");
  std::vector<double> sizes;
  std::size_t rejected = 0;
  for (const StepRow& step : steps) {
    if (!drawable(step)) continue;
    sizes.push_back(step.H);
    rejected += !step.accepted;
  }
  if (sizes.empty()) return;
  auto [low, high] = range_of(sizes);
  // Air around the curve, and never less than a decade: a constant step looks constant.
  const double widen = std::max(0.08 * std::log10(high / low), 0.5 * (1 - std::log10(high / low)));
  low = std::max(low * std::pow(10.0, -widen), 1e-300);
  high = std::min(high * std::pow(10.0, widen), 1e300);
  const Scale y{std::log10(low), std::log10(high), panel.bottom(), panel.top};
  for (const Tick& tick : logarithmic_ticks(low, high, 6))
    draw_level(svg, time, panel, y(std::log10(tick.value)), tick.label);
  const auto value = [&](const StepRow& step) { return std::max(std::log10(step.H), y.from); };
  svg.curve("step", stairs(steps, time, y, value));
  svg.crosses("bad", rejections(steps, time, y, value), 3.2);
  draw_legend(svg, time, panel.top - 12, rejected);
}

void draw_order(SvgText& svg, std::span<const StepRow> steps, const TimeAxis& time, const Panel& panel) {
  svg.words("head", time.left(), panel.top - 12, Anchor::start, "Order κ");
  int highest = 1;
  for (const StepRow& step : steps) highest = std::max(highest, step.kappa);
  const Scale y{-0.5, highest + 0.5, panel.bottom(), panel.top};
  const int every = (highest + 6) / 7;
  for (int kappa = 0; kappa <= highest; kappa += every)
    draw_level(svg, time, panel, y(kappa), std::to_string(kappa));
  const auto value = [](const StepRow& step) { return static_cast<double>(step.kappa); };
  svg.curve("step", stairs(steps, time, y, value));
}

void draw_layers(SvgText& svg, std::span<const StepRow> steps, const TimeAxis& time, const Panel& panel) {
  svg.words("head", time.left(), panel.top - 12, Anchor::start, "Layers of copies");
  svg.words("note", time.right(), panel.top - 12, Anchor::end, "widest overlap behind a cut");
  double highest = 1;
  for (const StepRow& step : steps)
    if (step.accepted) highest = std::max(highest, static_cast<double>(step.layers));
  const Scale y{0, 1.12 * highest, panel.bottom(), panel.top};
  const double every = round_up(std::max(highest / 4, 1.0));  // a whole number
  for (double layers = 0; layers <= highest; layers += every)
    draw_level(svg, time, panel, y(layers), std::to_string(std::llround(layers)));
  const auto value = [](const StepRow& step) { return static_cast<double>(step.layers); };
  svg.curve("step", stairs(steps, time, y, value));
}

}  // namespace cosimo
